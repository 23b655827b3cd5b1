/** The smallest change has the promised effect, and one less does not. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isBetter } from '../metric/band.js'
import { countsDiffer, samplesDiffer, sharesDiffer } from '../metric/compare.js'
import { sampleOfValues } from '../metric/sample.js'
import { applied, type Basis, type Change, outcomeOf, whatIf } from './what-if.js'

const seconds = fc.array(fc.nat(40 * 86_400), { maxLength: 12 })
const basis: fc.Arbitrary<Basis> = fc
  .record({
    days: fc.integer({ min: 1, max: 90 }),
    clean: fc.nat(60),
    failed: fc.nat(20),
    leadSeconds: seconds,
    restoreSeconds: seconds,
  })
  .map(({ days, clean, failed, leadSeconds, restoreSeconds }) => ({
    days,
    succeeded: clean,
    failures: failed,
    attempts: clean + failed,
    leads: sampleOfValues(leadSeconds.map((each) => each * 1000)),
    restores: sampleOfValues(restoreSeconds.map((each) => each * 1000)),
  }))
const METRICS = ['deploymentFrequency', 'changeFailureRate', 'leadTime', 'meanTimeToRestore'] as const

const oneLess = ({ cleanDeployments, failedDeployments, leadTimes, restores }: Change): Change => ({
  ...(cleanDeployments === undefined ? {} : { cleanDeployments: cleanDeployments - 1 }),
  ...(failedDeployments === undefined ? {} : { failedDeployments: failedDeployments - 1 }),
  ...(leadTimes === undefined ? {} : { leadTimes: { ...leadTimes, count: leadTimes.count - 1 } }),
  ...(restores === undefined ? {} : { restores: { ...restores, count: restores.count - 1 } }),
})

it('is the least change, and true when applied', () => {
  fc.assert(
    fc.property(basis, fc.constantFrom(...METRICS), (own, metric) => {
      const { level, up, down } = whatIf(metric, own)
      for (const [step, isUp] of [
        [up, true],
        [down, false],
      ] as const) {
        if (step === null) continue
        expect(outcomeOf(metric, applied(own, step.change)).level).toBe(step.level)
        if (level !== null) expect(isUp ? isBetter(step.level, level) : isBetter(level, step.level)).toBe(true)
        const less = outcomeOf(metric, applied(own, oneLess(step.change))).level
        if (less !== null && level !== null) expect(isUp ? isBetter(less, level) : isBetter(level, less)).toBe(false)
        else expect(less).toBe(level)
      }
      if (up === null && level !== null) expect(level).toBe('elite')
    }),
    { numRuns: 500 },
  )
})

it('says it in words', () => {
  const own = {
    days: 30,
    succeeded: 16,
    failures: 2,
    attempts: 18,
    leads: sampleOfValues([]),
    restores: sampleOfValues([]),
  }
  expect(whatIf('changeFailureRate', own).up).toEqual({
    change: { cleanDeployments: 2 },
    level: 'high',
    says: '2 more clean deployments: high',
  })
  expect(whatIf('changeFailureRate', own).down?.says).toBe('1 more failed deployment: low')
})

it('tells a change that is more than chance from one that is not', () => {
  expect(sharesDiffer(2, 100, 30, 100)).toBe(true)
  expect(sharesDiffer(9, 100, 10, 100)).toBe(false)
  expect(sharesDiffer(1, 1, 0, 0)).toBeNull()
  expect(countsDiffer(40, 30, 10, 30)).toBe(true)
  expect(countsDiffer(11, 30, 10, 30)).toBe(false)
  expect(countsDiffer(0, 30, 0, 30)).toBeNull()
  const low = [1, 2, 3, 4, 5, 6, 7]
  expect(
    samplesDiffer(
      low,
      low.map((each) => each + 20),
    ),
  ).toBe(true)
  expect(samplesDiffer(low, low)).toBe(false)
  expect(samplesDiffer([1], low)).toBeNull()
})
