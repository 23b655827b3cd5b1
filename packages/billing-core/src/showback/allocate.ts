/** Shows teams their share of a bill, by largest remainder, so that the shares are whole cents and sum to the bill. */
import type { Step } from '../explain/step.js'
import { allocate, checkWeights } from '../money/allocate.js'
import { type Cents, ZERO } from '../money/cents.js'
import { accept, type Result } from '../refusal/refusal.js'

export interface ShowbackShare {
  readonly name: string
  readonly weight: number
  readonly cents: Cents
}

export interface Showback {
  readonly shares: readonly ShowbackShare[]
  /** The whole bill when there was no usage; otherwise 0. */
  readonly unallocatedCents: Cents
  readonly steps: readonly Step[]
}

/** Splits a bill by usage. Equal remainders are settled in input order. */
export function showback(
  billCents: Cents,
  users: readonly { readonly name: string; readonly weight: number }[],
): Result<Showback> {
  const weights = checkWeights(users.map((user) => user.weight))
  if (!weights.ok) return weights
  const { shares, unallocated } = allocate(billCents, weights.value)
  const named = users.map(({ name, weight }, index) => ({ name, weight, cents: shares[index] ?? ZERO }))
  const steps: Step[] = named.map((share) => ({ kind: 'share', ...share }))
  if (unallocated > 0) steps.push({ kind: 'note', text: 'nobody used anything: the whole bill is unallocated' })
  return accept({ shares: named, unallocatedCents: unallocated, steps })
}
