/** A missing value has exactly one reason, every reason occurs, and each comes with the command that fixes it. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sampleOfValues } from '../metric/sample.js'
import type { Deployment, Incident } from '../model.js'
import { nextStep } from './advice.js'
import { type Counting, metricsOf, restoreMetrics, type Tally, type Told } from './compute.js'
import { WHYS } from './metric.js'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const DAY = 86_400_000
const WINDOW = { fromMs: NOW - 30 * DAY, toMs: NOW }
const few = fc.constantFrom(0, 0, 1, 3)

const tallies: fc.Arbitrary<Tally> = fc
  .record({
    succeeded: few,
    failed: few,
    canceled: few,
    running: few,
    stale: few,
    dated: few,
    undated: few,
    repaired: few,
  })
  .map(({ succeeded, dated, undated, repaired, ...rest }) => {
    const leads = Math.min(succeeded, dated)
    return {
      ...rest,
      succeeded,
      flagged: Math.min(1, succeeded),
      rework: 0,
      undated: Math.min(undated, succeeded - leads),
      leads: sampleOfValues(Array.from({ length: leads }, (_, at) => at * 60_000)),
      repairs: sampleOfValues(Array.from({ length: succeeded === 0 ? 0 : repaired }, () => 60_000)),
    }
  })
const deployment = { pipelineId: 'p', executionId: 'r', environment: 'production' } as Deployment
const links: fc.Arbitrary<Told> = fc
  .array(fc.record({ isLinked: fc.boolean(), isOpen: fc.boolean(), isEarly: fc.boolean() }), { maxLength: 2 })
  .map((drawn) => ({
    restorations: [],
    links: drawn.map(({ isLinked, isOpen, isEarly }, at) => ({
      incident: {
        incidentId: `i${at}`,
        environment: 'production',
        openedAtMs: NOW - (isEarly ? 90 : 9) * DAY,
        resolvedAtMs: isOpen ? null : NOW - (isEarly ? 80 : 8) * DAY,
      } as Incident,
      deployment: isLinked ? deployment : null,
      kind: isLinked ? ('auto' as const) : null,
      candidates: [],
    })),
  }))
const countings: fc.Arbitrary<Counting> = fc
  .record({
    pipelines: few,
    hasEvents: fc.boolean(),
    parked: few,
    isClamped: fc.boolean(),
    known: fc.constantFrom(0, 1, 2, 2, 2),
  })
  .map(({ known, hasEvents, ...scope }) => ({
    window: WINDOW,
    scope: { ...scope, hasEvents: hasEvents || known > 0, nowMs: NOW },
    isKnown: known === 2,
    isAnyKnown: known > 0,
  }))

it('is one of the known ones exactly where there is no value, and all of them are given', () => {
  const given = new Set<string>()
  fc.assert(
    fc.property(tallies, links, countings, (tally, told, counting) => {
      const {
        environment: _,
        tally: __,
        openRecoveries: ___,
        ...metrics
      } = metricsOf('production', tally, told, counting)
      const restore = restoreMetrics(told, new Set(['production']), WINDOW, NOW).metric
      for (const [name, { value, why }] of Object.entries({ ...metrics, restore })) {
        expect([name, value === null]).toEqual([name, why !== null])
        const step = nextStep(why, 'production', counting.isAnyKnown ? ['productoin'] : [])
        expect([name, typeof step]).toEqual([name, why === null ? 'object' : 'string'])
        if (why !== null) given.add(why)
      }
    }),
    { numRuns: 500, seed: 19 },
  )
  expect([...given].sort()).toEqual([...WHYS].sort())
})
