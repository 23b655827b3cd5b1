/**
 * Splits an amount in proportion to weights, by largest remainder. Equal remainders are settled in input order.
 *
 * INVARIANT: the shares and the unallocated part sum to the amount. When the weights sum to 0, nothing is allocated.
 */
import { invalid, type Result, show, unwrap } from '../refusal/refusal.js'
import { type Cents, cents } from './cents.js'

export interface Allocation {
  readonly shares: readonly Cents[]
  /** The whole amount when every weight is 0; otherwise 0. */
  readonly unallocated: Cents
}

/** Refuses the first weight that is not a safe integer of at least 0. */
export function checkWeights(weights: readonly number[], field = 'weights'): Result<readonly number[]> {
  for (const [index, weight] of weights.entries()) {
    if (!Number.isSafeInteger(weight) || weight < 0) {
      return invalid(`${field}[${index}]`, `${field}[${index}] must be a whole number from 0, not ${show(weight)}`)
    }
  }
  return { ok: true, value: weights }
}

/**
 * Splits an amount in cents by weights.
 *
 * @throws {RefusedError} for a weight that is not a safe integer of at least 0.
 */
export function allocate(amount: Cents, weights: readonly number[]): Allocation {
  unwrap(checkWeights(weights))
  // BigInt, because amount × weight exceeds 2^53 for ordinary usage counts. This runs once for each period, so speed
  // does not matter.
  const total = weights.reduce((running, weight) => running + BigInt(weight), 0n)
  if (total === 0n) return { shares: weights.map(() => cents(0)), unallocated: amount }
  const parts = weights.map((weight, index) => {
    const product = BigInt(amount) * BigInt(weight)
    return { index, share: product / total, remainder: product % total }
  })
  let left = BigInt(amount) - parts.reduce((running, part) => running + part.share, 0n)
  const byRemainder = [...parts].sort((a, b) =>
    a.remainder === b.remainder ? a.index - b.index : a.remainder > b.remainder ? -1 : 1,
  )
  for (const part of byRemainder) {
    if (left === 0n) break
    part.share += 1n
    left -= 1n
  }
  return { shares: parts.map((part) => cents(Number(part.share))), unallocated: cents(0) }
}
