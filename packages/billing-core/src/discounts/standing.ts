/**
 * The standing rule: the one recurring discount of a subscription.
 *
 * It is evaluated at every period roll. It ends when its discount is deleted, inactive or past `redeemBy`. Credit that
 * it granted stays.
 */
import type { Instant } from '../period/instant.js'
import type { Discount, DiscountValue } from './types.js'

export type StandingRule = DiscountValue & {
  readonly discountId: string
  readonly appliedAt: Instant
}

/** Returns the rule that a redemption of a recurring discount sets. */
export function standingRule(discount: Discount, appliedAt: Instant): StandingRule {
  const value: DiscountValue =
    discount.unit === 'percent'
      ? { unit: discount.unit, value: discount.value }
      : { unit: discount.unit, value: discount.value }
  return { ...value, discountId: discount.id, appliedAt }
}

export type StandingRuleEnd = 'missing' | 'inactive' | 'expired'

/** Returns why the rule ends at this roll, or null when it stays. `discount` is null when the record was deleted. */
export function standingRuleEnd(discount: Discount | null, now: Instant): StandingRuleEnd | null {
  if (discount === null) return 'missing'
  if (!discount.isActive) return 'inactive'
  if (discount.redeemBy !== undefined && discount.redeemBy < now) return 'expired'
  return null
}
