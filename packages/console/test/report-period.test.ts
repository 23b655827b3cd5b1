import { describe, expect, it } from 'vitest'
import { lastDays, PERIODS } from '../src/screens/reports/data.js'

const DAY_MS = 86_400_000
const now = Date.parse('2026-11-28T06:58:40.250Z')

describe('the period of a report', () => {
  it('ends now, and has exactly the days that were chosen', () => {
    for (const days of PERIODS) {
      const { from, to } = lastDays(days, now)
      expect(to).toBe('2026-11-28T06:59:00.000Z')
      expect(Date.parse(to) - Date.parse(from)).toBe(Number(days) * DAY_MS)
    }
  })

  it('is the same for every render of the same minute', () => {
    expect(lastDays('30', now + 15_000)).toEqual(lastDays('30', now))
    expect(lastDays('30', now + 60_000)).not.toEqual(lastDays('30', now))
  })
})
