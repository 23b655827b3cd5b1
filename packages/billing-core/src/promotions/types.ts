/**
 * Types of promotions: credit that is granted on a trigger, within a budget. Value and kind have the same meaning as in
 * discounts.
 */
import type { Tier } from '../catalogue/vocabulary.js'
import type { DiscountValue } from '../discounts/types.js'
import type { Cents } from '../money/cents.js'
import type { Percent } from '../money/percent.js'
import type { Instant } from '../period/instant.js'
import type { Interval } from '../period/interval.js'

export const triggerTypes = ['subscription_created', 'plan_change', 'manual', 'referral'] as const
export type TriggerType = (typeof triggerTypes)[number]

export interface PromotionConditions {
  /** Empty or absent means every tier. */
  readonly tiers?: readonly Tier[]
  readonly intervals?: readonly Interval[]
  /** True restricts the promotion to accounts that never had another subscription. */
  readonly firstSubscriptionOnly?: boolean
}

export type Promotion = DiscountValue & {
  readonly id: string
  readonly kind: 'onetime' | 'recurring'
  readonly trigger: { readonly type: TriggerType; readonly conditions?: PromotionConditions }
  /** The value for the referrer, in the same unit; `value` when absent. */
  readonly referrerValue?: Cents | Percent
  readonly startsAt?: Instant
  readonly endsAt?: Instant
  readonly budgetCents: Cents
  readonly perOrgCapCents?: Cents
  readonly maxGrants?: number
  readonly isActive: boolean
  /** Set when an operator granted it to the existing accounts. */
  readonly activatedAt?: Instant
  readonly createdAt: Instant
  /** Advisory. The ledger is authoritative, see `spendOf`. */
  readonly spentCents: Cents
  readonly grantsCount: number
}

/** The account as promotions see it. */
export interface PromotionAccount {
  readonly orgId: string
  readonly subscriptionId: string
  readonly tier: Tier
  readonly interval: Interval
  readonly planPriceCents: Cents
  readonly isFirstSubscription: boolean
  /** True when the status is active or trialing. */
  readonly isEntitled: boolean
  readonly subscriptionStartedAt: Instant
}
