/** Random histories: attempts, stages, environments, commits that come back, incidents, marks and links. */
import fc from 'fast-check'
import type { OracleEvent, OracleWorld } from './oracle.js'

export interface Given {
  readonly pipelines: readonly string[]
  /** The newest instant of an event. */
  readonly untilMs: number
  readonly runsMax: number
}

const MINUTE = 60_000
const ENVIRONMENTS = ['production', 'staging'] as const

const picked = fc.nat(999)

const runs = (pipelines: readonly string[]) =>
  fc.record({
    pipelineId: fc.constantFrom(...pipelines),
    attempt: fc.constantFrom(1, 1, 1, 2),
    minutesAgo: fc.integer({ min: 60, max: 6 * 1440 }),
    length: fc.integer({ min: 1, max: 50 }),
    status: fc.constantFrom('SUCCEEDED', 'SUCCEEDED', 'SUCCEEDED', 'FAILED', 'CANCELED', 'SUPERSEDED', 'STARTED'),
    environment: fc.constantFrom(...ENVIRONMENTS),
    commit: fc.constantFrom(undefined, 'aaaaaaa', 'bbbbbbb', 'ccccccc', 'ddddddd'),
    age: fc.constantFrom(undefined, 10, 300, 3000),
    ref: fc.constantFrom(undefined, 'main', 'hotfix/1', 'revert-2'),
    isBack: fc.constantFrom(undefined, undefined, true),
    isSplit: fc.boolean(),
    error: fc.constantFrom(undefined, 'connection refused', 'no such image'),
  })

const incidents = fc.record({
  environment: fc.constantFrom(...ENVIRONMENTS),
  minutesAgo: fc.integer({ min: 30, max: 6 * 1440 }),
  length: fc.option(fc.integer({ min: 0, max: 2000 })),
})

const marks = fc.record({
  run: picked,
  after: fc.integer({ min: 1, max: 100 }),
  length: fc.option(fc.integer({ min: 0, max: 100 })),
})

type Of<A> = A extends fc.Arbitrary<infer T> ? T : never
type At = (minutes: number) => string
type Named = Of<ReturnType<typeof runs>> & { readonly executionId: string }

export function worlds({ pipelines, untilMs, runsMax }: Given): fc.Arbitrary<OracleWorld> {
  const at: At = (minutes) => new Date(untilMs - minutes * MINUTE).toISOString()
  return fc
    .tuple(
      fc.array(runs(pipelines), { minLength: 1, maxLength: runsMax }),
      fc.array(incidents, { maxLength: 4 }),
      fc.array(marks, { maxLength: 3 }),
      fc.array(fc.tuple(picked, picked), { maxLength: 1 }),
    )
    .map(([drawn, opened, marked, linked]) => {
      // The first run is run again by none before it: of two events of one key only the greater one stays.
      const ran = drawn.map((each, index) => (index === 0 ? { ...each, attempt: 1 as const } : each))
      const events = ran.flatMap((each, index) => eventsOf(each, `run-${each.attempt === 2 ? index - 1 : index}`, at))
      const made = opened.map(({ environment, minutesAgo, length }, index) => ({
        incidentId: `inc-${index}`,
        environment,
        openedAt: at(minutesAgo),
        resolvedAt: length === null ? null : at(Math.max(0, minutesAgo - length)),
      }))
      const good = ran
        .map((each, index) => ({ ...each, executionId: `run-${index}`, isRunAgain: ran[index + 1]?.attempt === 2 }))
        // What is said of a deployment is about its last success: one that is run again has a later one.
        .filter(({ status, attempt, isRunAgain }) => status === 'SUCCEEDED' && attempt === 1 && !isRunAgain)
      return { events, incidents: made, marks: marksOf(good, marked, at), links: linksOf(good, made, linked) }
    })
}

/** Of deployments that succeeded, each at most once. */
function marksOf(good: readonly Named[], marked: readonly Of<typeof marks>[], at: At): OracleWorld['marks'] {
  const chosen = [...new Set(marked.map((each) => good[each.run % Math.max(1, good.length)]))]
  return chosen.flatMap((unit, index) => {
    const { length } = marked[index] as (typeof marked)[number]
    if (unit === undefined) return []
    const { pipelineId, executionId, environment, minutesAgo } = unit
    const ended = minutesAgo - unit.length
    const failed = { pipelineId, executionId, environment, outcome: 'failed' as const, at: at(Math.max(0, ended)) }
    if (length === null) return [failed]
    return [failed, { ...failed, outcome: 'restored' as const, at: at(Math.max(0, ended - length)) }]
  })
}

function linksOf(
  good: readonly Named[],
  made: OracleWorld['incidents'],
  linked: readonly (readonly [number, number])[],
): OracleWorld['links'] {
  return linked.flatMap(([one, other]) => {
    const of = made[one % Math.max(1, made.length)]
    const there = good.filter(({ environment }) => environment === of?.environment)
    const to = there[other % Math.max(1, there.length)]
    if (of === undefined || to === undefined) return []
    return [{ incidentId: of.incidentId, pipelineId: to.pipelineId, executionId: to.executionId }]
  })
}

interface Run {
  readonly pipelineId: string
  readonly attempt: number
  readonly minutesAgo: number
  readonly length: number
  readonly status: string
  readonly environment: string
  readonly commit: string | undefined
  readonly age: number | undefined
  readonly ref: string | undefined
  readonly isBack: boolean | undefined
  readonly isSplit: boolean
  readonly error: string | undefined
}

function eventsOf(run: Run, executionId: string, at: (minutes: number) => string): OracleEvent[] {
  const { pipelineId, attempt, minutesAgo, length, status, environment, commit, age, ref, isBack, isSplit, error } = run
  const common = { pipelineId, executionId, attempt, startedAt: at(minutesAgo) }
  const ended = status === 'STARTED' ? {} : { completedAt: at(minutesAgo - length) }
  const deploy: OracleEvent = {
    ...common,
    eventType: 'STAGE',
    stageName: 'Deploy',
    status,
    environment,
    ...ended,
    ...(commit === undefined ? {} : { commitSha: commit }),
    ...(commit === undefined || age === undefined ? {} : { commitTimestamp: at(minutesAgo + age) }),
    ...(ref === undefined ? {} : { commitRef: ref }),
    ...(isBack === undefined ? {} : { rollback: isBack }),
    ...(error === undefined || status !== 'FAILED' ? {} : { errorMessage: error }),
  }
  const whole: OracleEvent = { ...common, eventType: 'PIPELINE', status, ...ended }
  if (!isSplit) return [whole, deploy]
  return [
    { ...common, eventType: 'PIPELINE', status: 'STARTED' },
    { ...deploy, stageName: 'Prepare', status: 'SUCCEEDED', completedAt: at(minutesAgo - length) },
    deploy,
    whole,
  ]
}
