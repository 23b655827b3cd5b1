/** The meaning of a score, and that the first fix shown is the best one. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LEVELS, type Level } from '../metric/band.js'
import {
  applied,
  complianceScore,
  deliveryScore,
  fixesOf,
  gradeOf,
  type Inputs,
  nextBestFixes,
  SCORED,
  type ScoredMetric,
  scoreOf,
} from './score.js'

const rule = (id: number) => ({ id: `r${id}`, name: `rule ${id}`, message: 'do it' })
const inputs: fc.Arbitrary<Inputs> = fc
  .record({
    rules: fc.nat(12),
    violated: fc.nat(12),
    warned: fc.nat(12),
    known: fc.boolean(),
    levels: fc.tuple(...SCORED.map(() => fc.option(fc.constantFrom(...LEVELS)))),
  })
  .map(({ rules, violated, warned, known, levels }) => {
    const blocks = Math.min(violated, rules)
    const warns = Math.min(warned, rules - blocks)
    return {
      compliance: known
        ? {
            rules,
            violated: Array.from({ length: blocks }, (_, at) => rule(at)),
            warned: Array.from({ length: warns }, (_, at) => rule(100 + at)),
          }
        : null,
      levels: Object.fromEntries(SCORED.map((metric, at) => [metric, levels[at] ?? null])) as Inputs['levels'],
    }
  })

it('is half compliance and half delivery, or the one that is known', () => {
  const levels = {
    deploymentFrequency: 'elite',
    changeFailureRate: 'high',
    leadTime: null,
    meanTimeToRestore: 'low',
  } as const
  const compliance = { rules: 4, violated: [rule(1)], warned: [rule(2)] }
  expect(complianceScore(compliance)).toBe(63)
  expect(deliveryScore(levels)).toBe(70)
  expect(scoreOf({ compliance, levels })).toBe(67)
  expect(scoreOf({ compliance: null, levels })).toBe(70)
  const none = { deploymentFrequency: null, changeFailureRate: null, leadTime: null, meanTimeToRestore: null }
  expect(scoreOf({ compliance, levels: none })).toBe(63)
  expect(scoreOf({ compliance: { ...compliance, rules: 0 }, levels: none })).toBeNull()
  expect([90, 89, 75, 74, 60, 59, 45, 44, null].map(gradeOf)).toEqual(['A', 'B', 'B', 'C', 'C', 'D', 'D', 'F', null])
})

it('gets the score that a fix promises, and no single fix gains more than the first', () => {
  fc.assert(
    fc.property(inputs, (given) => {
      const now = scoreOf(given)
      const reached = (metric: ScoredMetric, to: Level) => ({ ...given.levels, [metric]: to })
      const best = nextBestFixes(given, reached, 5)
      for (const { fix, newScore, gain } of best) {
        expect(scoreOf(applied(given, fix))).toBe(newScore)
        expect(gain).toBe(newScore - (now ?? 0))
        expect(gain).toBeGreaterThanOrEqual(0)
      }
      const most = best[0]?.newScore ?? now
      for (const fix of fixesOf(given, reached))
        expect(scoreOf(applied(given, fix)) ?? -1).toBeLessThanOrEqual(most ?? -1)
      if (now !== null) expect([now >= 0, now <= 100]).toEqual([true, true])
    }),
    { numRuns: 500 },
  )
})
