/** Sums of runs: a day's sums depend only on its facts, and adding them up gives the same in any order. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { addFlat, binOf, newBins, percentileOfBins } from '../metric/bins.js'
import { ascending, percentileOf } from '../metric/percentile.js'
import { planOf, stretchesOf, wholeDaysOf } from './plan.js'
import { sumsOf, together } from './sums.js'

const DAY = 86_400_000
const fact = fc.record({
  status: fc.constantFrom('started', 'succeeded', 'failed', 'canceled', 'superseded'),
  startedMs: fc.integer({ min: 0, max: 10 * DAY }),
  durationMs: fc.option(fc.nat(1_000_000_000)),
})

it('adds up: sums of parts together are the sums of all', () => {
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 40 }), fc.nat(40), (facts, cut) => {
      const parts = [facts.slice(cut), facts.slice(0, cut)].flatMap((part) => sumsOf(part) ?? [])
      expect(together(parts)).toEqual(sumsOf(facts))
    }),
  )
})

it('finds percentiles within 1 % from bins', () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.nat(200), fc.nat(4_000_000_000)), { minLength: 1, maxLength: 60 }),
      fc.constantFrom(0, 0.5, 0.9, 0.95, 1),
      (values, fraction) => {
        const bins = newBins()
        for (const value of values) addFlat(bins, [binOf(value), 1])
        const exact = percentileOf(ascending(values), fraction)
        expect(Math.abs(percentileOfBins(bins, fraction) - exact)).toBeLessThanOrEqual(exact / 100 + 1e-6)
      },
    ),
  )
})

it('covers each instant of a window exactly once: by a month, a whole day or a fact', () => {
  const window = fc
    .tuple(fc.integer({ min: 0, max: 200 * 24 }), fc.integer({ min: 1, max: 200 * 24 }))
    .map(([from, length]) => ({ fromMs: from * 3_600_000, toMs: (from + length) * 3_600_000 }))
  const marked = fc.array(fc.record({ pipelineId: fc.constantFrom('a', 'b'), day: fc.nat(400) }), { maxLength: 5 })
  fc.assert(
    fc.property(window, marked, fc.integer({ min: 0, max: 400 * 24 }), (asked, marks, nowHours) => {
      const whole = wholeDaysOf(asked, nowHours * 3_600_000)
      const behind = marks
        .map(({ pipelineId, day }) => ({ pipelineId, dayMs: day * DAY }))
        .filter(({ dayMs }) => dayMs >= whole.fromMs && dayMs < whole.toMs)
      const { months, days, edges } = planOf(asked, whole, behind)
      const monthly = months.map((fromMs) => ({
        fromMs,
        toMs: Date.UTC(1970, new Date(fromMs).getUTCMonth() + 1 + 12 * (new Date(fromMs).getUTCFullYear() - 1970), 1),
      }))
      const covered = [...monthly, ...days, ...edges]
      for (let ms = asked.fromMs; ms < asked.toMs; ms += 3_600_000) {
        expect(covered.filter(({ fromMs, toMs }) => ms >= fromMs && ms < toMs)).toHaveLength(1)
      }
      for (const { dayMs } of behind)
        expect(monthly.some(({ fromMs, toMs }) => dayMs >= fromMs && dayMs < toMs)).toBe(false)
      const stretches = stretchesOf(behind)
      for (const { pipelineId, dayMs } of behind) {
        const own = stretches.filter(
          (each) => each.pipelineId === pipelineId && dayMs >= each.fromMs && dayMs < each.toMs,
        )
        expect(own).toHaveLength(1)
      }
    }),
  )
})
