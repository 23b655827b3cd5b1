import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RefusedError } from '../refusal/refusal.js'
import { allocate } from './allocate.js'
import { add, subtract, sum, times } from './arithmetic.js'
import { cents, dollars, MAX_CENTS, parseCents, parseSignedCents, signedCents } from './cents.js'
import { formatCents } from './format.js'
import { percent, percentOf } from './percent.js'

const anyCents = fc.maxSafeNat().map((value) => cents(value))

describe('amounts', () => {
  test.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, -(2 ** 53), '5', 5n, null, undefined, {}])(
    'refuses %s as cents and names the field',
    (value) => {
      const parsed = parseCents(value, 'budgetCents')
      expect(parsed).toMatchObject({ ok: false, refusal: { code: 'VALIDATION_ERROR', field: 'budgetCents' } })
    },
  )

  test('refuses the same as signed cents, except what is only negative', () => {
    expect(parseSignedCents(-1)).toEqual({ ok: true, value: -1 })
    expect(parseSignedCents(-(2 ** 53)).ok).toBe(false)
    expect(parseSignedCents(0.1).ok).toBe(false)
  })

  test('negative zero becomes zero, so that equal amounts are identical', () => {
    expect(Object.is(cents(-0), 0)).toBe(true)
    expect(Object.is(signedCents(-0), 0)).toBe(true)
  })

  test('sums, differences and products that leave the safe integers are refused, never rounded', () => {
    expect(() => add(MAX_CENTS, cents(1))).toThrow(RefusedError)
    expect(() => sum([MAX_CENTS, cents(1)])).toThrow(RefusedError)
    expect(() => subtract(cents(1), cents(2))).toThrow(RefusedError)
    expect(() => times(MAX_CENTS, 2)).toThrow(RefusedError)
    expect(() => dollars(1.5)).toThrow(RefusedError)
    expect(dollars(49)).toBe(4_900)
  })

  test.each([
    [0, '$0.00'],
    [5, '$0.05'],
    [-1_650, '-$16.50'],
    [123_456_789, '$1,234,567.89'],
    [9_007_199_254_740_991, '$90,071,992,547,409.91'],
  ])('%d is shown as %s', (amount, text) => {
    expect(formatCents(signedCents(amount))).toBe(text)
  })
})

describe('percent', () => {
  test.each([
    [4_900, 15, 735],
    [1, 50, 1],
    [1, 49, 0],
    [3, 50, 2],
    [4_901, 50, 2_451],
    [9_990, 33, 3_297],
  ])('%d cents × %d %% is %d: the half cent goes up', (price, points, expected) => {
    expect(percentOf(cents(price), percent(points))).toBe(expected)
  })

  test('equals exact rational arithmetic for every price and percent', () => {
    fc.assert(
      fc.property(anyCents, fc.integer({ min: 0, max: 100 }), (price, points) => {
        expect(BigInt(percentOf(price, percent(points)))).toBe((BigInt(price) * BigInt(points) + 50n) / 100n)
      }),
      { numRuns: 5_000 },
    )
  })

  test('is right where floating division rounds up to the next integer', () => {
    const price = cents(9_007_199_254_740_949)
    expect(BigInt(percentOf(price, percent(1)))).toBe((BigInt(price) + 50n) / 100n)
  })

  test.each([-1, 101, 0.5, Number.NaN])('refuses %s percent', (points) => {
    expect(() => percent(points)).toThrow(RefusedError)
  })
})

describe('allocation', () => {
  test('equal remainders are settled in input order', () => {
    expect(allocate(cents(100), [1, 1, 1]).shares).toEqual([34, 33, 33])
    expect(allocate(cents(5), [1, 1, 1, 1]).shares).toEqual([2, 1, 1, 1])
  })

  test('the largest remainder is served first, wherever it stands', () => {
    expect(allocate(cents(10), [1, 6]).shares).toEqual([1, 9])
    expect(allocate(cents(10), [3, 8, 3]).shares).toEqual([2, 6, 2])
  })

  test('weights that sum to zero leave everything unallocated', () => {
    expect(allocate(cents(100), [0, 0])).toEqual({ shares: [0, 0], unallocated: 100 })
    expect(allocate(cents(100), [])).toEqual({ shares: [], unallocated: 100 })
  })

  test('shares sum to the amount and stay within one cent of the exact share', () => {
    fc.assert(
      fc.property(anyCents, fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 8 }), (amount, weights) => {
        const { shares, unallocated } = allocate(amount, weights)
        const total = weights.reduce((running, weight) => running + BigInt(weight), 0n)
        expect(shares.reduce((running, share) => running + BigInt(share), BigInt(unallocated))).toBe(BigInt(amount))
        if (total === 0n) return
        shares.forEach((share, index) => {
          const scaled = BigInt(amount) * BigInt(weights[index] ?? 0)
          const gap = BigInt(share) * total - scaled
          expect(gap > -total && gap < total).toBe(true)
        })
      }),
    )
  })

  test.each([[[-1]], [[0.5]], [[Number.NaN]], [[2 ** 53]]])('refuses the weights %j', (weights) => {
    expect(() => allocate(cents(1), weights)).toThrow(RefusedError)
  })
})
