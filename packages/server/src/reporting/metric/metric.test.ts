/** Percentiles, intervals, bands and buckets, each compared with a second computation. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../runtime/clock.js'
import { BANDS, failureLevel, frequencyLevel, isBetter, LEVELS, levelOf, worstOf } from './band.js'
import { addFlat, addJoined, newBins } from './bins.js'
import { bucketStart, bucketsOf, byBucket, INTERVALS } from './bucket.js'
import { countInterval, logGamma, medianInterval, poissonAtLeast, shareInterval } from './interval.js'
import { ascending, medianOf, percentileOf, rounded } from './percentile.js'

const percent = (interval: { low: number; high: number } | null) =>
  interval && [rounded(interval.low * 100, 1), rounded(interval.high * 100, 1)]

describe('an interval of a share', () => {
  it('says of 1 in 5 that it is anything from 3.6 % to 62.4 %', () => {
    expect(percent(shareInterval(1, 5))).toEqual([3.6, 62.4])
  })
  it('is nothing without trials', () => expect(shareInterval(0, 0)).toBeNull())
  it('holds its value and stays within 0 and 1', () => {
    fc.assert(
      fc.property(fc.nat(5000), fc.nat(5000), (hits, more) => {
        const trials = hits + more
        fc.pre(trials > 0)
        const { low, high } = shareInterval(hits, trials) as { low: number; high: number }
        expect(low >= 0 && low <= hits / trials && hits / trials <= high && high <= 1).toBe(true)
      }),
    )
  })
})

/** The probability of fewer than `count` events, term by term. */
function below(count: number, mean: number): number {
  let term = Math.exp(-mean)
  let sum = 0
  for (let at = 0; at < count; at++) {
    sum += term
    term *= mean / (at + 1)
  }
  return sum
}

it('adds joined lists of bins as it adds each list', () => {
  const lists = fc.array(fc.array(fc.tuple(fc.nat(1499), fc.nat(1_000_000)).map(([bin, count]) => [bin, count])))
  fc.assert(
    fc.property(lists, fc.constantFrom(',', ', '), (all, comma) => {
      const [wanted, got] = [newBins(), newBins()]
      for (const list of all) addFlat(wanted, list.flat())
      addJoined(got, all.map((list) => JSON.stringify(list.flat()).replaceAll(',', comma)).join(','))
      expect(got).toEqual(wanted)
    }),
  )
})

describe('an interval of a count', () => {
  it.each([
    [0, 0, 3.6889],
    [1, 0.0253, 5.5716],
    [10, 4.7954, 18.3904],
  ])('of %d events is from %f to %f', (count, low, high) => {
    const interval = countInterval(count)
    expect(interval.low).toBeCloseTo(low, 3)
    expect(interval.high).toBeCloseTo(high, 3)
  })
  it('leaves 2.5 % on each side, by direct sums', () => {
    for (const count of [1, 2, 5, 30, 120, 400]) {
      const { low, high } = countInterval(count)
      expect(1 - below(count, low)).toBeCloseTo(0.025, 6)
      expect(below(count + 1, high)).toBeCloseTo(0.025, 6)
    }
  })
  it('holds its count, also where it is large', () => {
    fc.assert(
      fc.property(fc.nat(2_000_000), (count) => {
        const { low, high } = countInterval(count)
        expect(low <= count && count <= high).toBe(true)
      }),
      { numRuns: 50 },
    )
  })
  it('sums what direct sums do', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.double({ min: 0.01, max: 300, noNaN: true }), (count, mean) => {
        expect(poissonAtLeast(count, mean)).toBeCloseTo(1 - below(count, mean), 8)
      }),
    )
  })
})

describe('an interval of a median', () => {
  it('is nothing below six values', () => expect(medianInterval([1, 2, 3, 4, 5])).toBeNull())
  it('of six values is all of them', () => expect(medianInterval([1, 2, 3, 4, 5, 6])).toEqual({ low: 1, high: 6 }))
  it('takes the ranks that binomial sums give', () => {
    for (const n of [6, 9, 20, 57, 100]) {
      const values = Array.from({ length: n }, (_, at) => at + 1)
      let rank = 0
      for (let sum = 0, term = 2 ** -n; sum + term <= 0.025; rank++) {
        sum += term
        term *= (n - rank) / (rank + 1)
      }
      expect(medianInterval(values)).toEqual({ low: rank, high: n - rank + 1 })
    }
  })
  it('holds the median', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 6, maxLength: 1500 }), (values) => {
        const sorted = ascending(values)
        const { low, high } = medianInterval(sorted) as { low: number; high: number }
        expect(low <= medianOf(sorted) && medianOf(sorted) <= high).toBe(true)
      }),
    )
  })
})

it('knows the logarithm of factorials', () => {
  expect(logGamma(1)).toBeCloseTo(0, 12)
  expect(logGamma(11)).toBeCloseTo(Math.log(3_628_800), 10)
})

it('interpolates between ranks instead of taking one', () => {
  expect(percentileOf([10, 20], 0.95)).toBeCloseTo(19.5, 9)
  expect(medianOf([1, 2, 3, 10])).toBe(2.5)
  expect(percentileOf([7], 0.95)).toBe(7)
})

it('rounds halves up', () => expect([rounded(1.25, 1), rounded(0.05, 1), rounded(2.345, 2)]).toEqual([1.3, 0.1, 2.35]))

describe('a band', () => {
  it.each([
    ['deploymentFrequency', 1, 'elite'],
    ['deploymentFrequency', 1 / 7, 'high'],
    ['deploymentFrequency', 0.14, 'medium'],
    ['changeFailureRate', 5, 'elite'],
    ['changeFailureRate', 5.04, 'high'],
    ['changeFailureRate', 15.0001, 'low'],
    ['leadTime', 86_400, 'high'],
    ['meanTimeToRestore', 3599.9, 'elite'],
  ] as const)('of %s at %f is %s', (metric, value, level) => expect(levelOf(metric, value)).toBe(level))

  it('is that of the exact value, never of the rounded one', () => {
    fc.assert(
      fc.property(fc.nat(400), fc.integer({ min: 1, max: 400 }), (hits, days) => {
        const exact = (BANDS.deploymentFrequency.limits as readonly number[]).filter(
          (_, at) => [days, days / 7, days / 30].map((limit) => hits >= limit - 1e-9)[at],
        ).length
        expect(frequencyLevel(hits, days)).toBe(LEVELS[3 - exact])
        fc.pre(hits <= days)
        expect(failureLevel(hits, days)).toBe(LEVELS[[5, 10, 15].filter((limit) => hits * 100 > limit * days).length])
      }),
    )
  })
  it('of 15.25 % is low, though it is shown as 15.3 and rounds to 15', () =>
    expect([failureLevel(60, 400), failureLevel(61, 400)]).toEqual(['medium', 'low']))
  it('of several metrics is the worst of those that there are', () => {
    expect(worstOf(['elite', null, 'medium', 'high'])).toBe('medium')
    expect(worstOf([null, null])).toBeNull()
    expect(isBetter('elite', 'low')).toBe(true)
  })
})

describe('a bucket', () => {
  it('of a week begins on Monday', () => {
    for (const day of ['2026-11-16', '2026-11-22', '1969-12-31']) {
      expect(new Date(bucketStart(Date.parse(day), 'week')).getUTCDay()).toBe(1)
    }
    expect(bucketStart(Date.parse('2026-11-22T23:59:59Z'), 'week')).toBe(Date.parse('2026-11-16'))
  })
  it('is partial where the window begins or ends inside it', () => {
    const buckets = bucketsOf(Date.parse('2026-11-18'), Date.parse('2026-11-30'), 'week')
    expect(buckets.map(({ period, partial }) => [period, partial])).toEqual([
      ['2026-11-16', true],
      ['2026-11-23', false],
    ])
  })
  it('is one of several that cover the window once', () => {
    const instant = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2027, 0) })
    fc.assert(
      fc.property(
        instant,
        fc.integer({ min: 1, max: 400 * DAY_MS }),
        fc.constantFrom(...INTERVALS),
        fc.array(instant),
        (from, length, interval, items) => {
          const to = from + length
          const buckets = bucketsOf(from, to, interval)
          expect(buckets[0]?.fromMs).toBe(from)
          expect(buckets.at(-1)?.toMs).toBe(to)
          for (const [at, bucket] of buckets.entries()) {
            if (at > 0) expect(bucket.fromMs).toBe(buckets[at - 1]?.toMs)
          }
          const inside = items.filter((ms) => ms >= from && ms < to)
          expect(byBucket(buckets, interval, items, (ms) => ms).flat().length).toBe(inside.length)
        },
      ),
    )
  })
})
