import { describe, expect, it } from 'vitest'
import { parseInstant } from './record.js'

describe('parseInstant', () => {
  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T12:30Z', '2026-01-31T12:30:00.000Z'],
    ['2026-01-31T12:30:15.5Z', '2026-01-31T12:30:15.500Z'],
    ['2026-01-31T12:30:00+02:00', '2026-01-31T10:30:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s', (text, expected) => {
    expect(parseInstant(text)?.toISOString()).toBe(expected)
  })

  it.each([
    '',
    'tomorrow',
    '2026',
    '2026-02-30',
    '2025-02-29',
    '2026-13-01',
    '2026-01-31T12:30',
    '2026-01-31T25:00Z',
    '31.01.2026',
  ])('refuses %j: a day that does not exist, a local time, or no instant at all', (text) => {
    expect(parseInstant(text)).toBeNull()
  })
})
