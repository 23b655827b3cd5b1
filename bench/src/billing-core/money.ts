/** Percent and splitting compared with dinero.js, the common library for money, on the same figures. */
import { allocate, type Cents, cents, type Percent, percent, percentOf } from '@plumbline/billing-core'
import { dinero, allocate as dineroAllocate, halfUp, multiply, toSnapshot, transformScale, USD } from 'dinero.js'
import { type BenchOptions, type BenchTable, compare, comparisonRows } from '../harness.js'

const BATCH = 500

export function moneyTable(options: BenchOptions): BenchTable[] {
  return [percentTable(options), splitTable(options)]
}

function percentTable(options: BenchOptions): BenchTable {
  const pairs: (readonly [Cents, Percent])[] = Array.from({ length: BATCH }, (_, index) => [
    cents(((index * 7_919) % 599_000) + 1),
    percent((index % 100) + 1),
  ])
  const exact = (price: Cents, points: Percent): number => Number((BigInt(price) * BigInt(points) + 50n) / 100n)
  const theirs = (price: Cents, points: Percent): number =>
    toSnapshot(
      transformScale(
        multiply(dinero({ amount: price as number, currency: USD }), { amount: points, scale: 2 }),
        2,
        halfUp,
      ),
    ).amount
  for (const [price, points] of pairs) {
    const expected = exact(price, points)
    if (percentOf(price, points) !== expected) throw new Error(`${points} % of ${price} differs`)
    if (theirs(price, points) !== expected) throw new Error(`dinero.js: ${points} % of ${price} differs`)
  }
  let sink = 0
  const over = (each: (price: Cents, points: Percent) => number) => () => {
    for (const [price, points] of pairs) sink += each(price, points)
    return BATCH
  }
  const measured = compare(
    [
      {
        name: 'floating point (wrong above 2^46)',
        run: over((price, points) => Math.floor((price * points + 50) / 100)),
      },
      { name: 'percentOf', run: over(percentOf) },
      { name: 'BigInt', run: over(exact) },
      { name: 'dinero.js multiply and transformScale', run: over(theirs) },
    ],
    options,
  )
  if (sink === 0) throw new Error('nothing was computed')
  return {
    title: 'Percent of a price, half a cent rounded up',
    unit: 'calls/s',
    columns: ['what', 'calls/s', 'of the limit'],
    rows: comparisonRows(measured),
    note: 'All contenders gave the same cents on these prices before they were measured.',
  }
}

function splitTable(options: BenchOptions): BenchTable {
  const bill = cents(123_456)
  const weights = [5, 3, 8, 1, 9, 2]
  const theirs = (): number[] =>
    dineroAllocate(dinero({ amount: bill as number, currency: USD }), weights).map((share) => toSnapshot(share).amount)
  const total = (shares: readonly number[]): number => shares.reduce((sum, share) => sum + share, 0)
  if (total(allocate(bill, weights).shares) !== bill || total(theirs()) !== bill) throw new Error('shares do not sum')
  const over = (each: () => readonly number[]) => () => {
    for (let index = 0; index < BATCH; index++)
      if (each().length !== weights.length) throw new Error('a share is missing')
    return BATCH
  }
  const measured = compare(
    [
      { name: 'allocate (largest remainder, BigInt)', run: over(() => allocate(bill, weights).shares) },
      { name: 'dinero.js allocate (remainder to the first)', run: over(theirs) },
    ],
    options,
  )
  return {
    title: 'Splitting a bill six ways',
    unit: 'calls/s',
    columns: ['what', 'calls/s', 'of the first'],
    rows: comparisonRows(measured),
    note: 'Not the same rule: dinero.js gives left-over cents to the first shares; ours to the largest remainders.',
  }
}
