/** The window of a report: what it is when the request says nothing, and what is refused. */
import { describe, expect, it } from 'vitest'
import { DAY_MS } from '../../runtime/clock.js'
import { rangeOf } from './range.js'

const NOW = Date.parse('2026-11-28T10:00:00.000Z')
const days = ({ from, to }: { readonly from: string; readonly to: string }): number =>
  (Date.parse(to) - Date.parse(from)) / DAY_MS

describe('the window of a report', () => {
  it.each([
    [-1, 30],
    [180, 30],
    [30, 30],
    [14, 14],
    [1, 1],
  ])('without dates is at most the history that is kept: %j days give %j', (kept, expected) => {
    for (const reach of ['facts', 'sums'] as const) {
      const { window, isClamped } = rangeOf({}, kept, NOW, reach)
      expect(window.toMs).toBe(NOW)
      expect(isClamped).toBe(false)
      expect(window.toMs - window.fromMs).toBeGreaterThanOrEqual(expected * DAY_MS)
    }
    const from = new Date(NOW - DAY_MS / 2).toISOString()
    expect(days(rangeOf({ from }, kept, NOW).echo)).toBeGreaterThanOrEqual(expected)
  })

  it('that is wider than the history is refused', () => {
    const asked = { from: '2026-10-01T00:00:00.000Z', to: '2026-11-28T00:00:00.000Z' }
    expect(() => rangeOf(asked, 14, NOW)).toThrow('at most 14 days')
    expect(() => rangeOf({ from: asked.to, to: asked.from }, 14, NOW)).toThrow('after `from`')
  })
})
