import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RefusedError } from '../refusal/refusal.js'
import { addMonths } from './add-months.js'
import { addDays, fromMilliseconds, instant, parseInstant } from './instant.js'
import { hourKey, periodAt, periodContaining, periodEnd, periodKey } from './period.js'

const at = (day: string) => instant(`${day}T10:20:30.405Z`)

describe('instants', () => {
  test.each([
    '2026-01-31',
    '2026-01-31T00:00:00Z',
    '2026-02-30T00:00:00.000Z',
    '2026-01-31T24:00:00.000Z',
    '2026-01-31T00:00:00.000+01:00',
    '2026-1-1T00:00:00.000Z',
    ' 2026-01-31T00:00:00.000Z',
    20260131,
    null,
  ])('refuses %s: one instant has one spelling', (value) => {
    expect(parseInstant(value, 'redeemBy')).toMatchObject({ ok: false, refusal: { field: 'redeemBy' } })
  })

  test('days add to whole days across leap days', () => {
    expect(addDays(at('2024-02-28'), 2)).toBe(at('2024-03-01'))
  })

  test('the year 10000 is refused', () => {
    expect(() => addDays(at('9999-12-31'), 1)).toThrow(RefusedError)
  })
})

describe('calendar', () => {
  test.each([
    ['2026-01-31', 1, '2026-02-28'],
    ['2024-01-31', 1, '2024-02-29'],
    ['2026-01-31', 2, '2026-03-31'],
    ['2024-02-29', 12, '2025-02-28'],
    ['2024-02-29', 48, '2028-02-29'],
    ['2026-10-31', 1, '2026-11-30'],
    ['2026-03-31', -1, '2026-02-28'],
    ['2026-12-15', 1, '2027-01-15'],
  ])('%s plus %d months is %s, time of day kept', (from, months, to) => {
    expect(addMonths(at(from), months)).toBe(at(to))
  })
})

describe('periods', () => {
  test('a period that starts on the 31st ends on the last day of a short month', () => {
    expect(periodEnd(at('2026-01-31'), 'monthly')).toBe(at('2026-02-28'))
    expect(periodEnd(at('2024-02-29'), 'annual')).toBe(at('2025-02-28'))
  })

  test('boundaries come back to the anchor day after a short month', () => {
    const starts = [0, 1, 2, 3].map((index) => periodAt(at('2026-01-31'), 'monthly', index).start)
    expect(starts).toEqual(['2026-01-31', '2026-02-28', '2026-03-31', '2026-04-30'].map(at))
  })

  const instants = fc.integer({ min: Date.UTC(1990, 0, 1), max: Date.UTC(2090, 0, 1) }).map(fromMilliseconds)
  const someInterval = fc.constantFrom('monthly' as const, 'annual' as const)

  test('every instant lies in exactly one period, and neighbours share no key', () => {
    fc.assert(
      fc.property(instants, instants, someInterval, (anchor, when, interval) => {
        const period = periodContaining(anchor, interval, when)
        expect(period.start <= when && when < period.end).toBe(true)
        const next = periodAt(anchor, interval, period.index + 1)
        expect(next.start).toBe(period.end)
        expect(periodKey(next.start, interval) > periodKey(period.start, interval)).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  test('keys are those of the start in UTC', () => {
    expect(periodKey(at('2026-12-31'), 'monthly')).toBe('2026-12')
    expect(periodKey(at('2026-12-31'), 'annual')).toBe('2026')
    expect(hourKey(at('2026-12-31'))).toBe('2026-12-31T10')
  })
})
