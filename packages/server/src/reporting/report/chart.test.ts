/** Charts are only pictures, no matter what their names contain. */
import { DOMParser } from '@xmldom/xmldom'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { chartOf } from './chart.js'

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.constantFrom('</text><script>alert(1)</script>', '" onload="x', '<!--', ']]>', '&amp;', '\u0000\ud800'),
)

it('is well-formed XML that holds each name as text, with no script', () => {
  fc.assert(
    fc.property(
      hostile,
      fc.array(fc.record({ name: hostile, kind: fc.constantFrom('bar' as const, 'line' as const) }), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.array(fc.array(fc.option(fc.double({ min: 0, max: 1e9, noNaN: true })), { minLength: 4, maxLength: 4 }), {
        maxLength: 20,
      }),
      (title, series, values) => {
        const points = values.map((each, at) => ({ period: `2026-01-${at}`, values: each }))
        const faults: string[] = []
        const text = chartOf({ title, series, points })
        const picture = new DOMParser({ onError: (_, message) => void faults.push(message) }).parseFromString(
          text,
          'image/svg+xml',
        )
        expect(faults).toEqual([])
        expect(picture.getElementsByTagName('title')[0]?.textContent).toBe(title.replace(/[\p{Cc}\p{Cs}\p{Cn}]/gu, ''))
        const names = new Set(Array.from(picture.getElementsByTagName('*'), ({ tagName }) => tagName))
        expect([...names].filter((name) => !['svg', 'title', 'rect', 'text', 'path'].includes(name))).toEqual([])
        expect(text).not.toMatch(/NaN|Infinity/)
      },
    ),
  )
})

it('is the same picture for the same values', () => {
  const chart = { title: 'a', series: [{ name: 'b', kind: 'bar' as const }], points: [{ period: 'p', values: [1] }] }
  expect(chartOf(chart)).toBe(chartOf(structuredClone(chart)))
})
