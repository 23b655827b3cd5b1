/** Percent of a price against exact rational arithmetic, and showback against its definition. */
import { allocate, cents, defaultPlans, intervals, percent, percentOf } from '../src/index.js'
import { must, Random } from './random.js'

export function provePercent(pairs: number, seed: number): number {
  const random = new Random(seed)
  let checked = 0
  const check = (price: number, points: number): void => {
    const expected = (BigInt(price) * BigInt(points) + 50n) / 100n
    const actual = percentOf(cents(price), percent(points))
    must(BigInt(actual) === expected, () => `${points} % of ${price}: ${actual}, exactly ${expected}`)
    checked++
  }
  for (const plan of defaultPlans) {
    for (const interval of intervals) for (let points = 1; points <= 100; points++) check(plan.prices[interval], points)
  }
  for (let index = 0; index < pairs; index++) {
    // Every magnitude, and the prices just below 2^53 where floating division goes wrong.
    const price = random.chance(0.1)
      ? Number.MAX_SAFE_INTEGER - random.whole(0, 100_000)
      : Math.floor(random.next() * 2 ** random.whole(1, 53))
    check(price, random.whole(0, 100))
  }
  return checked
}

export function proveAllocation(bills: number, seed: number): number {
  const random = new Random(seed)
  for (let index = 0; index < bills; index++) {
    const bill = cents(random.chance(0.2) ? Number.MAX_SAFE_INTEGER - random.whole(0, 99) : random.whole(0, 5_000))
    const weights = Array.from({ length: random.whole(1, 7) }, () =>
      random.chance(0.2) ? Math.floor(random.next() * 2 ** 53) : random.whole(0, 6),
    )
    const total = weights.reduce((sum, weight) => sum + BigInt(weight), 0n)
    const { shares, unallocated } = allocate(bill, weights)
    const sum = shares.reduce((running, share) => running + BigInt(share), BigInt(unallocated))
    must(sum === BigInt(bill), () => `shares of ${bill} by ${weights} sum to ${sum}`)
    must((total === 0n) === unallocated > 0 || bill === 0, () => `unallocated ${unallocated} of ${bill} by ${weights}`)
    if (total === 0n) continue
    // Definition: floors, then one cent each to the largest remainders, the earlier one first.
    const floors = weights.map((weight) => (BigInt(bill) * BigInt(weight)) / total)
    const extra = Number(BigInt(bill) - floors.reduce((running, floor) => running + floor, 0n))
    const ranked = weights
      .map((weight, at) => ({ at, remainder: (BigInt(bill) * BigInt(weight)) % total }))
      .sort((a, b) => (a.remainder < b.remainder ? 1 : a.remainder > b.remainder ? -1 : a.at - b.at))
    const lucky = new Set(ranked.slice(0, extra).map((each) => each.at))
    shares.forEach((share, at) => {
      const expected = (floors[at] as bigint) + (lucky.has(at) ? 1n : 0n)
      must(BigInt(share) === expected, () => `share ${at} of ${bill} by ${weights}: ${share}, expected ${expected}`)
    })
  }
  return bills
}
