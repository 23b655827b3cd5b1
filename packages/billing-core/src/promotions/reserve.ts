/**
 * The budget of a promotion.
 *
 * A grant is reserved completely or not at all, before the ledger row is written. What a clawback or a refused push
 * recovers is released. INVARIANT: 0 ≤ spentCents ≤ budgetCents and grantsCount ≤ maxGrants after every reservation.
 */

import type { ResolvedValue } from '../discounts/resolve.js'
import { resolveValue } from '../discounts/resolve.js'
import type { DiscountValue } from '../discounts/types.js'
import { add, smaller, subtractToZero } from '../money/arithmetic.js'
import type { Cents } from '../money/cents.js'
import type { Promotion } from './types.js'

/** What one account gets: the value on its plan, limited by the cap for one account. */
export function promotionValue(
  promotion: Promotion,
  planPriceCents: Cents,
  value: DiscountValue = promotion,
): ResolvedValue {
  const resolved = resolveValue(value, planPriceCents)
  const cap = promotion.perOrgCapCents
  if (cap === undefined || resolved.cents <= cap) return resolved
  const cents = smaller(resolved.cents, cap)
  return {
    cents,
    steps: [...resolved.steps, { kind: 'clamped', from: resolved.cents, to: cents, limit: 'perOrgCapCents' }],
  }
}

/** True when one more grant of this amount fits the budget and the maximum number of grants. */
export function fitsBudget(promotion: Promotion, amount: Cents): boolean {
  return (
    amount <= subtractToZero(promotion.budgetCents, promotion.spentCents) &&
    (promotion.maxGrants === undefined || promotion.grantsCount < promotion.maxGrants)
  )
}

/** Returns the promotion with the grant reserved, or null when it does not fit. A grant is never partial. */
export function reserveGrant(promotion: Promotion, amount: Cents): Promotion | null {
  if (!promotion.isActive || !fitsBudget(promotion, amount)) return null
  return { ...promotion, spentCents: add(promotion.spentCents, amount), grantsCount: promotion.grantsCount + 1 }
}

/** Releases what was recovered of one grant. The number of grants decreases only when all of it was recovered. */
export function releaseGrant(promotion: Promotion, recovered: Cents, isWhole: boolean): Promotion {
  return {
    ...promotion,
    spentCents: subtractToZero(promotion.spentCents, recovered),
    grantsCount: isWhole ? Math.max(0, promotion.grantsCount - 1) : promotion.grantsCount,
  }
}
