/**
 * The value of a discount or promotion: its dollars, or its percentage of the plan price. The price of add-ons is not
 * included.
 */
import type { Step } from '../explain/step.js'
import type { Cents } from '../money/cents.js'
import { percentOf } from '../money/percent.js'
import type { DiscountValue } from './types.js'

export interface ResolvedValue {
  readonly cents: Cents
  readonly steps: readonly Step[]
}

/** Resolves a value in cents. `planPrice` is the price of the subscription's plan for its interval. */
export function resolveValue(from: DiscountValue, planPrice: Cents): ResolvedValue {
  if (from.unit === 'dollar') return { cents: from.value, steps: [{ kind: 'fixed', cents: from.value }] }
  const cents = percentOf(planPrice, from.value)
  return { cents, steps: [{ kind: 'percent', price: planPrice, percent: from.value, cents }] }
}
