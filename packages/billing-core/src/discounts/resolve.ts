/** What a discount or promotion is worth: its dollars, or its percent of the plan price (add-ons left out). */
import type { Step } from '../explain/step.js'
import type { Cents } from '../money/cents.js'
import { percentOf } from '../money/percent.js'
import type { DiscountValue } from './types.js'

export interface ResolvedValue {
  readonly cents: Cents
  readonly steps: readonly Step[]
}

/** `planPrice` is the price of the subscription's plan for its interval. */
export function resolveValue(from: DiscountValue, planPrice: Cents): ResolvedValue {
  if (from.unit === 'dollar') return { cents: from.value, steps: [{ kind: 'fixed', cents: from.value }] }
  const cents = percentOf(planPrice, from.value)
  return { cents, steps: [{ kind: 'percent', price: planPrice, percent: from.value, cents }] }
}
