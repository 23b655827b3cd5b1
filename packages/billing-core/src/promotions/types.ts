/** Promotions: credit granted on a trigger, within a budget. Value and kind mean what they mean for discounts. */
import type { Tier } from '../catalogue/vocabulary.js'
import type { DiscountValue } from '../discounts/types.js'
import type { Cents } from '../money/cents.js'
import type { Percent } from '../money/percent.js'
import type { Instant } from '../period/instant.js'
import type { Interval } from '../period/interval.js'

export const triggerTypes = ['subscription_created', 'plan_change', 'manual', 'referral'] as const
export type TriggerType = (typeof triggerTypes)[number]

export interface PromotionConditions {
  /** Empty or absent: every tier. */
  readonly tiers?: readonly Tier[]
  readonly intervals?: readonly Interval[]
  /** The account never had another subscription. */
  readonly firstSubscriptionOnly?: boolean
}

export type Promotion = DiscountValue & {
  readonly id: string
  readonly kind: 'onetime' | 'recurring'
  readonly trigger: { readonly type: TriggerType; readonly conditions?: PromotionConditions }
  /** For the referrer, in the same unit; `value` when absent. */
  readonly referrerValue?: Cents | Percent
  readonly startsAt?: Instant
  readonly endsAt?: Instant
  readonly budgetCents: Cents
  readonly perOrgCapCents?: Cents
  readonly maxGrants?: number
  readonly isActive: boolean
  /** Set once an operator granted it across the existing base. */
  readonly activatedAt?: Instant
  readonly createdAt: Instant
  /** Advisory: the ledger is the truth, see `spendOf`. */
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
  /** Active or trialing. */
  readonly isEntitled: boolean
  readonly subscriptionStartedAt: Instant
}
