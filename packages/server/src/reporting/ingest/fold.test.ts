/** Facts of an execution are a fold of a set of events: order, duplicates and batches have no effect. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { categoryOf, patternOf } from './error.js'
import { clean, type RunEvent, readEvent } from './event.js'
import { deploymentsOf, executionOf } from './facts.js'
import { durationOf, foldEvents, type Step, stepKey } from './fold.js'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const PIPELINE = '0190a1b2-0000-7000-8000-00000000000a'

const sent = (more: object = {}) => ({
  pipelineId: PIPELINE,
  eventSource: 'generic' as const,
  eventType: 'STAGE' as const,
  status: 'SUCCEEDED',
  executionId: 'run-1',
  stageName: 'Deploy',
  environment: 'production',
  startedAt: '2026-11-21T08:00:00Z',
  completedAt: '2026-11-21T08:05:00Z',
  ...more,
})
const event = (more: object = {}) => readEvent(sent(more), '/events/0', NOW) as RunEvent
const fold = (events: readonly RunEvent[], from: ReadonlyMap<string, Step> = new Map()) => foldEvents(from, events)
const facts = (steps: ReadonlyMap<string, Step>) => {
  const list = [...steps.values()]
  return {
    execution: executionOf(list),
    deployments: deploymentsOf(list)
      .map((each) => JSON.stringify(each))
      .sort(),
  }
}

describe('an event', () => {
  it.each([
    ['an unknown status', { status: 'DONE' }, '/events/0/status', 'status'],
    ['an end before its beginning', { completedAt: '2026-11-21T07:00:00Z' }, '/events/0/completedAt', 'date_order'],
    ['a time in the future', { completedAt: '2026-11-21T10:05:01Z' }, '/events/0/completedAt', 'future'],
    ['no time', { startedAt: undefined, completedAt: undefined }, '/events/0/startedAt', 'required'],
  ])('with %s is refused', (_, more, path, code) => expect(event(more)).toMatchObject({ path, code }))

  it('five minutes ahead is taken', () => expect(event({ completedAt: '2026-11-21T10:05:00Z' })).toHaveProperty('key'))

  it('keeps no account number and no credential', () => {
    const error = clean(
      'arn:aws:iam::123456789012:role/x AKIAIOSFODNN7EXAMPLE DB_PASSWORD=hunter22 https://a:b3cret@h ghp_0123456789abcdefghijABCD',
    )
    for (const secret of ['123456789012', 'AKIAIOSFODNN7EXAMPLE', 'hunter22', 'b3cret', 'ghp_0123']) {
      expect(error).not.toContain(secret)
    }
  })

  it('ends its duration after its beginning, where it says no end', () => {
    expect(event({ completedAt: undefined, durationMs: 1000 }).completedAtMs).toBe(Date.parse('2026-11-21T08:00:01Z'))
  })
})

describe('a fold', () => {
  it('takes completed before in_progress for the same', () => {
    const events = [
      event(),
      event({ status: 'IN_PROGRESS', completedAt: undefined, startedAt: '2026-11-21T07:59:00Z' }),
    ]
    expect(facts(fold(events))).toEqual(facts(fold([...events].reverse())))
    expect(durationOf([...fold(events).values()][0] as Step)).toBe(6 * 60_000)
  })

  it('lets the highest attempt win, in whatever order', () => {
    const run = { eventType: 'PIPELINE', stageName: undefined, environment: undefined }
    const events = [event({ ...run, attempt: 2 }), event({ ...run, attempt: 1, status: 'FAILED' })]
    for (const each of [events, [...events].reverse()]) {
      expect(facts(fold(each)).execution).toMatchObject({ attempt: 2, status: 'succeeded' })
    }
  })

  it('counts each attempt as a deployment of its own', () => {
    const units = deploymentsOf([...fold([event({ status: 'FAILED' }), event({ attempt: 2 })]).values()])
    expect(units.map(({ attempt, status }) => [attempt, status])).toEqual([
      [1, 'failed'],
      [2, 'succeeded'],
    ])
  })

  it('fails a deployment of which one stage failed', () => {
    const units = deploymentsOf([...fold([event(), event({ stageName: 'Migrate', status: 'FAILED' })]).values()])
    expect(units.map(({ status }) => status)).toEqual(['failed'])
  })
})

const minutes = fc.integer({ min: 0, max: 120 })
const at = (ms: number) => new Date(NOW - 7_200_000 + ms * 60_000).toISOString()
const anyEvent: fc.Arbitrary<RunEvent> = fc
  .record({
    eventType: fc.constantFrom('PIPELINE', 'STAGE', 'ACTION'),
    status: fc.constantFrom('STARTED', 'SUCCEEDED', 'FAILED', 'CANCELED', 'SUPERSEDED'),
    attempt: fc.integer({ min: 1, max: 3 }),
    stageName: fc.constantFrom('Build', 'Deploy'),
    environment: fc.constantFrom(undefined, 'production', 'staging'),
    commitSha: fc.constantFrom(undefined, 'abcdef0', 'abcdef1'),
    errorMessage: fc.constantFrom(undefined, 'a', 'b'),
    start: minutes,
    length: minutes,
  })
  .map(({ start, length, ...more }) =>
    event({ ...more, startedAt: at(start), completedAt: at(Math.min(120, start + length)) }),
  )

describe('any set of events', () => {
  it('gives the same facts permuted, doubled and in batches', () => {
    fc.assert(
      fc.property(
        fc
          .array(anyEvent, { minLength: 1, maxLength: 12 })
          .chain((events) =>
            fc.tuple(
              fc.constant(events),
              fc.shuffledSubarray([...events, ...events], { minLength: 2 * events.length }),
              fc.nat(2 * events.length),
            ),
          ),
        ([events, shuffled, cut]) => {
          const once = fold(events)
          const inBatches = fold(shuffled.slice(cut), fold(shuffled.slice(0, cut)))
          expect(facts(inBatches)).toEqual(facts(once))
          for (const [key, step] of once) expect(inBatches.get(key)).toEqual(step)
        },
      ),
    )
  })

  it('has the earliest beginning and the greatest status that one of them tells', () => {
    fc.assert(
      fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 12 }), (events) => {
        for (const [key, step] of fold(events)) {
          const own = events.filter((each) => stepKey(each) === key)
          expect(step.startedAtMs).toBe(
            Math.min(...own.map(({ startedAtMs }) => startedAtMs ?? Number.POSITIVE_INFINITY)),
          )
          const isOver = own.some(({ status }) => status !== 'started')
          expect(step.status !== 'started').toBe(isOver)
        }
      }),
    )
  })
})

it('finds what errors have in common', () => {
  const [one, other] = [
    '/home/a/b.ts:12 failed for 0190a1b2-0000-7000-8000-00000000000a',
    '/srv/x/y.ts:7 failed for deadbee1',
  ]
  expect(patternOf(one)).toBe(patternOf(other))
  expect(categoryOf('Operation timed out after 30 s')).toBe('timeout')
  expect([categoryOf(null), categoryOf('boom')]).toEqual(['unknown', 'other'])
})
