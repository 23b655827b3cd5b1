/**
 * Prorations against an oracle that neither divides nor rounds: the right number of cents is the largest whose double,
 * less one half-up step, still fits under the exact part, found by bisection on BigInt products.
 */
import {
  addMilliseconds,
  type Catalogue,
  defaultCatalogue,
  type Holding,
  instant,
  type Proration,
  periodEnd,
  prorate,
  soldTiers,
  toMilliseconds,
} from '../src/index.js'
import { must, Random } from './random.js'

export function proveProrations(changes: number, seed: number): number {
  const random = new Random(seed)
  const catalogue = defaultCatalogue()
  for (let index = 0; index < changes; index++) {
    const interval = random.pick(['monthly', 'annual'] as const)
    const start = addMilliseconds(
      instant('2024-01-01T00:00:00.000Z'),
      random.whole(0, 3 * 366 * 86_400) * 1_000 + random.whole(0, 999),
    )
    const period = { start, end: periodEnd(start, interval) }
    const length = toMilliseconds(period.end) - toMilliseconds(start)
    // The edges of a period are where seconds are miscounted.
    const offset = random.chance(0.1) ? random.pick([0, 1, 999, length - 1, length]) : random.whole(0, length)
    const at = addMilliseconds(start, offset)
    const [a, b, c] = [0, 1, 2].map(() => randomHolding(catalogue, interval, random)) as [Holding, Holding, Holding]
    const change = (from: Holding, to: Holding): Proration => {
      const result = prorate(catalogue, from, to, period, at)
      if (!result.ok) throw new Error(result.refusal.message)
      checkLines(
        result.value,
        BigInt(Math.floor(toMilliseconds(period.end) / 1_000) - Math.floor(toMilliseconds(at) / 1_000)),
        BigInt(length / 1_000),
      )
      return result.value
    }
    const [there, back] = [change(a, b), change(b, a)]
    must(there.netCents + back.netCents === 0, () => `there ${there.netCents}, back ${back.netCents} at ${at}`)
    must(there.creditCents === back.chargeCents, () => 'the credit of the way there is not the charge of the way back')
    const [on, direct] = [change(b, c), change(a, c)]
    must(
      there.netCents + on.netCents === direct.netCents,
      () => `a detour costs ${there.netCents + on.netCents}, not ${direct.netCents}`,
    )
    must(change(a, a).lines.length === 0, () => 'no change has lines')
  }
  return changes
}

function checkLines(change: Proration, left: bigint, total: bigint): void {
  let net = 0n
  for (const line of change.lines) {
    must(BigInt(line.secondsLeft) === left && BigInt(line.secondsTotal) === total, () => `${line.label}: other seconds`)
    const size = BigInt(Math.abs(line.cents))
    must(size <= BigInt(line.priceCents), () => `${line.label}: ${line.cents} of a price of ${line.priceCents}`)
    must(size === halfUp(BigInt(line.priceCents) * left, total), () => `${line.label}: ${line.cents} is not half-up`)
    net += BigInt(line.cents)
  }
  must(net === BigInt(change.netCents), () => 'the lines do not sum to the net amount')
  must(change.chargeCents - change.creditCents === change.netCents, () => 'charge less credit is not the net amount')
}

/** The largest n with n × total ≤ product + total / 2. */
function halfUp(product: bigint, total: bigint): bigint {
  let [low, high] = [0n, product + 1n]
  while (low < high) {
    const middle = (low + high + 1n) >> 1n
    if (2n * middle * total <= 2n * product + total) low = middle
    else high = middle - 1n
  }
  return low
}

function randomHolding(catalogue: Catalogue, interval: Holding['interval'], random: Random): Holding {
  const addons = catalogue.bundles
    .filter(() => random.chance(0.3))
    .map((bundle) => ({ bundleId: bundle.id, quantity: random.whole(1, Math.min(bundle.max, 9)) }))
  return { planId: random.pick(soldTiers), interval, addons }
}
