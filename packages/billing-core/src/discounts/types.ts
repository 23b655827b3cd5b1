/**
 * Types of discounts. A discount is a price reduction that is always realised as credit. `unit` says whether `value` is
 * cents or percentage points.
 */
import type { SoldTier, Tier } from '../catalogue/vocabulary.js'
import type { Cents } from '../money/cents.js'
import type { Percent } from '../money/percent.js'
import type { Instant } from '../period/instant.js'

export const discountKinds = ['onetime', 'recurring', 'credit'] as const
export type DiscountKind = (typeof discountKinds)[number]

/** An amount in cents or a percentage of the plan price. The unit decides what the number means. */
export type DiscountValue =
  | { readonly unit: 'dollar'; readonly value: Cents }
  | { readonly unit: 'percent'; readonly value: Percent }

/** What the authoring form contains. */
export type DiscountTerms = DiscountValue & {
  readonly kind: DiscountKind
  readonly campaign?: string
}

export type Discount = DiscountTerms & {
  readonly id: string
  readonly alias?: string
  /** When set, only this account may redeem the discount. */
  readonly targetOrgId?: string
  readonly maxRedemptions?: number
  readonly timesRedeemed: number
  readonly redeemBy?: Instant
  readonly appliesToTiers?: readonly (SoldTier | Tier)[]
  readonly isActive: boolean
}
