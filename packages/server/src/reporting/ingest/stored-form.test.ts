/** The stored form of events and steps: they read back equal in either form, and equal steps serialize equally. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RunEvent, STATUSES } from './event.js'
import { foldEvents } from './fold.js'
import { eventOf, keptEvent, keptFold, stepOf } from './stored-form.js'

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary)
const instants = fc.integer({ min: 1, max: 9 })

/** Events of one step with few keys, so that one or several events set its fields. */
const events: fc.Arbitrary<RunEvent> = fc.record({
  key: fc.constantFrom('a', 'b', 'c'),
  hash: fc.constantFrom('x', 'y', 'z'),
  pipelineId: fc.constant('p'),
  executionId: fc.constant('e'),
  attempt: fc.constant(1),
  source: fc.constant('generic'),
  type: fc.constant('STAGE'),
  stage: fc.constant('Deploy'),
  action: fc.constant(''),
  status: fc.constantFrom(...STATUSES),
  startedAtMs: maybe(instants),
  completedAtMs: maybe(instants),
  durationMs: maybe(fc.nat(9)),
  environment: maybe(fc.constantFrom('production', '')),
  tier: maybe(fc.constant('production')),
  sha: maybe(fc.constantFrom('aaaaaaa', 'bbbbbbb')),
  ref: maybe(fc.constantFrom('main', '')),
  committedAtMs: maybe(instants),
  commitCount: maybe(fc.nat(3)),
  error: maybe(fc.string()),
  isRollback: maybe(fc.boolean()),
  isRework: maybe(fc.boolean()),
})

const throughJson = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

describe('what is stored', () => {
  it('of an event comes back equal, and says nothing that its columns say', () => {
    fc.assert(
      fc.property(events, (event) => {
        const { pipelineId, executionId, key, hash } = event
        const columns = { pipelineId, executionId, key, hash }
        const kept = throughJson(keptEvent(event))
        expect(Object.keys(kept)).not.toEqual(expect.arrayContaining(['key']))
        expect(eventOf({ ...columns, event: kept })).toEqual(event)
        // In the older form, as a whole.
        expect(eventOf({ ...columns, event: throughJson(event) })).toEqual(event)
      }),
      { numRuns: 300 },
    )
  })

  it('of a step comes back equal, with each rank once', () => {
    fc.assert(
      fc.property(fc.array(events, { minLength: 1, maxLength: 6 }), (told) => {
        const [step] = [...foldEvents(new Map(), told).values()]
        if (step === undefined) throw new Error('no step was folded')
        const { pipelineId, executionId, attempt, stage, action } = step
        const columns = { pipelineId, executionId, attempt, stage, action }
        const kept = throughJson(keptFold(step))
        expect(stepOf({ ...columns, fold: kept })).toEqual(step)
        expect(new Set(kept.ranks.map((rank) => JSON.stringify(rank))).size).toBe(kept.ranks.length)
        expect(stepOf({ ...columns, fold: throughJson(step) })).toEqual(step)
        // Reading and storing again gives the same text.
        expect(JSON.stringify(keptFold(stepOf({ ...columns, fold: kept })))).toBe(JSON.stringify(kept))
      }),
      { numRuns: 300 },
    )
  })
})
