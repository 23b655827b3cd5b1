/** A discount: a price reduction that is always realised as credit. `value` is cents or percent points by `unit`. */
import type { SoldTier, Tier } from '../catalogue/vocabulary.js'
import type { Cents } from '../money/cents.js'
import type { Percent } from '../money/percent.js'
import type { Instant } from '../period/instant.js'

export const discountKinds = ['onetime', 'recurring', 'credit'] as const
export type DiscountKind = (typeof discountKinds)[number]

/** An amount in cents or a share of the plan price: the unit decides what the number means. */
export type DiscountValue =
  | { readonly unit: 'dollar'; readonly value: Cents }
  | { readonly unit: 'percent'; readonly value: Percent }

/** What the authoring form says. */
export type DiscountTerms = DiscountValue & {
  readonly kind: DiscountKind
  readonly campaign?: string
}

export type Discount = DiscountTerms & {
  readonly id: string
  readonly alias?: string
  /** When set, only this account may redeem. */
  readonly targetOrgId?: string
  readonly maxRedemptions?: number
  readonly timesRedeemed: number
  readonly redeemBy?: Instant
  readonly appliesToTiers?: readonly (SoldTier | Tier)[]
  readonly isActive: boolean
}
