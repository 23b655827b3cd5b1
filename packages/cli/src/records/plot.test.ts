/** Charts of a terminal: as long as their values, within the terminal, and without a character that it obeys. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plotText } from './plot.js'

const plot = { label: 'period', bars: { succeeded: 'succeeded', failed: 'failed' }, rate: 'successPct' }

it('draws a bar of each row, cut into its parts', () => {
  const rows = [
    { period: '2026-11-16', partial: false, succeeded: 8, failed: 2, successPct: 80 },
    { period: '2026-11-23', partial: true, succeeded: 4, failed: 0, successPct: 100 },
    { period: '2026-11-30', partial: false, succeeded: 0, failed: 0, successPct: null },
  ]
  const lines = plotText(rows, plot, { width: 44, colour: false }).split('\n')
  expect(lines).toEqual([
    '2026-11-16   ██████████████▒▒▒▒   8/2  80 %',
    '2026-11-23*  ███████              4/0  100 %',
    '2026-11-30                        0/0  - %',
    '█ succeeded  ▒ failed  * is a part of its period',
    '',
  ])
  expect(Math.max(...lines.slice(0, 3).map(({ length }) => length))).toBe(44)
  expect(plotText([], plot, { width: 40, colour: false })).toBe('nothing to draw\n')
})

it('holds whatever values and names come', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom('\u001b[31m', '\u202e', 'a\nb'),
  )
  const value = fc.oneof(fc.nat(1e9), fc.double(), fc.constant(null), fc.constant(-5))
  fc.assert(
    fc.property(
      fc.array(fc.record({ period: hostile, succeeded: value, failed: value, successPct: value }), { maxLength: 8 }),
      fc.integer({ min: 1, max: 200 }),
      (rows, width) => {
        const text = plotText(rows, plot, { width, colour: false })
        // biome-ignore lint/suspicious/noControlCharactersInRegex: it is what must not be there
        expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/)
        expect(text.split('\n')).toHaveLength(rows.length === 0 ? 2 : rows.length + 2)
      },
    ),
  )
})
