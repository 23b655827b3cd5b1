/** The delivery metrics compared with an oracle, and the effect of each planted bug. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { metricsOf, type OracleWorld, unitsOf } from '../../../proof/reports/oracle.js'
import { worlds } from '../../../proof/reports/world.js'
import { groupBy } from '../group.js'
import { type RunEvent, readEvent } from '../ingest/event.js'
import { deploymentsOf } from '../ingest/facts.js'
import { foldEvents } from '../ingest/fold.js'
import { DEFAULT_DORA_SETTINGS, type Deployment, type DoraSettings, type History } from '../model.js'
import { detailsOf, environmentMetrics, headlineOf, overallLevel, restoreMetrics, type Scope } from './compute.js'
import { explainEnvironment } from './explain.js'
import { judge } from './judge.js'
import { suggestionsOf } from './rollback.js'

const NOW = Date.parse('2026-11-21T10:00:00Z')
const DAY = 86_400_000
const ORG = 'org'
const PIPELINES = ['0190a1b2-0000-7000-8000-00000000000a', '0190a1b2-0000-7000-8000-00000000000b']
const SCOPE: Scope = { pipelines: 2, hasEvents: true, parked: 0, isClamped: false, nowMs: NOW }
const WINDOW = { fromMs: NOW - 3 * DAY, toMs: NOW - DAY / 2 }

/** The history that the server would derive from a world. */
function historyOf(world: OracleWorld, settings: Partial<DoraSettings> = {}): History {
  const events = world.events.map((event) => readEvent(event as never, '', NOW) as RunEvent)
  const commits = new Map<string, number>()
  for (const { sha, committedAtMs } of events) {
    if (sha !== null && committedAtMs !== null)
      commits.set(sha, Math.min(committedAtMs, commits.get(sha) ?? committedAtMs))
  }
  const runs = groupBy(events, ({ pipelineId, executionId }) => `${pipelineId} ${executionId}`)
  const units = [...runs.values()].flatMap((own) => deploymentsOf([...foldEvents(new Map(), own).values()]))
  return {
    deployments: units.map((unit): Deployment => {
      const known = unit.sha === null ? undefined : commits.get(unit.sha)
      const committedAtMs = known === undefined ? unit.committedAtMs : Math.min(known, unit.committedAtMs ?? known)
      return { orgId: ORG, ...unit, committedAtMs }
    }),
    marks: world.marks.map(({ at, ...mark }) => ({ ...mark, atMs: Date.parse(at) })),
    incidents: world.incidents.map(({ incidentId, environment, openedAt, resolvedAt }) => ({
      orgId: ORG,
      incidentId,
      environment,
      openedAtMs: Date.parse(openedAt),
      resolvedAtMs: resolvedAt == null ? null : Date.parse(resolvedAt),
      pipelineId: null,
      sha: null,
    })),
    links: world.links.map((link) => ({ orgId: ORG, ...link })),
    settings: { ...DEFAULT_DORA_SETTINGS, ...settings },
  }
}

const EMPTY: OracleWorld = { events: [], incidents: [], marks: [], links: [] }
let count = 0
const at = (hoursAgo: number) => new Date(NOW - hoursAgo * 3_600_000).toISOString()
const deploy = (hoursAgo: number, more: object = {}) => ({
  pipelineId: PIPELINES[0] as string,
  executionId: `run-${++count}`,
  eventType: 'STAGE',
  stageName: 'Deploy',
  status: 'SUCCEEDED',
  environment: 'production',
  startedAt: at(hoursAgo + 0.1),
  completedAt: at(hoursAgo),
  ...more,
})
const metrics = (
  world: Partial<OracleWorld>,
  settings: Partial<DoraSettings> = {},
  window = { fromMs: NOW - 30 * DAY, toMs: NOW },
) => environmentMetrics(judge(historyOf({ ...EMPTY, ...world }, settings)), 'production', window, SCOPE)

describe('the metrics', () => {
  it('are those of the oracle', () => {
    fc.assert(
      fc.property(worlds({ pipelines: PIPELINES, untilMs: NOW, runsMax: 14 }), (world) => {
        const judged = judge(historyOf(world))
        for (const environment of ['production', 'staging']) {
          const own = environmentMetrics(judged, environment, WINDOW, SCOPE)
          const wanted = metricsOf(world, environment, WINDOW.fromMs, WINDOW.toMs)
          const restore = restoreMetrics(judged, new Set([environment]), WINDOW, NOW)
          expect({
            deployments: own.deploymentFrequency.numerator,
            failures: own.changeFailureRate.numerator,
            attempts: own.changeFailureRate.denominator,
            postDeployFailures: own.strictRate.numerator,
            perDay: own.deploymentFrequency.value,
            rate: own.changeFailureRate.value,
            lead: own.leadTime.value,
            restore: restore.metric.value,
            recovery: own.failedDeploymentRecovery.value,
            rework: own.reworkRate.value,
          }).toEqual(wanted)
        }
      }),
      { numRuns: 300 },
    )
  })

  it('have one reason each where they are null, and an interval that holds them where they are not', () => {
    fc.assert(
      fc.property(worlds({ pipelines: PIPELINES, untilMs: NOW, runsMax: 10 }), (world) => {
        const judged = judge(historyOf(world))
        const {
          tally: _,
          environment: __,
          openRecoveries: ___,
          ...all
        } = environmentMetrics(judged, 'production', WINDOW, SCOPE)
        for (const each of Object.values(all)) {
          expect(each.value === null).toBe(each.why !== null)
          if (each.value === null || each.interval === null) continue
          expect(each.interval.low <= each.value && each.value <= each.interval.high).toBe(true)
        }
        const rate = all.changeFailureRate.value
        expect(rate === null || (rate >= 0 && rate <= 100)).toBe(true)
      }),
      { numRuns: 100 },
    )
  })

  it('count or drop each candidate, and nothing else', () => {
    fc.assert(
      fc.property(worlds({ pipelines: PIPELINES, untilMs: NOW, runsMax: 14 }), (world) => {
        const judged = judge(historyOf(world))
        const details = detailsOf(judged, 'production', WINDOW, NOW)
        const own = unitsOf(world).filter(
          ({ environment, end }) => environment === 'production' && end >= WINDOW.fromMs && end < WINDOW.toMs,
        )
        const succeeded = own.filter(({ state }) => state === 'ok').length
        const { leadTime, ...others } = explainEnvironment(judged, details)
        for (const { candidates, counted, dropped } of [leadTime, ...Object.values(others)]) {
          expect(counted + dropped.reduce((sum, each) => sum + each.count, 0)).toBe(candidates)
          for (const { count: of, samples } of dropped) expect(samples).toHaveLength(Math.min(of, 5))
        }
        expect(Object.values(others).map(({ candidates }) => candidates)).toEqual(Array(3).fill(own.length))
        expect(leadTime.candidates).toBe(succeeded)
        expect(others.deploymentFrequency.counted).toBe(succeeded)
      }),
      { numRuns: 500 },
    )
  })

  it('are sure only where the whole interval lies in one band', () => {
    const few = metrics({ events: [deploy(9, { status: 'FAILED' }), deploy(8), deploy(7), deploy(6), deploy(5)] })
    expect(few.changeFailureRate).toMatchObject({ value: 20, level: 'low', levelRange: ['elite', 'low'], sure: false })
    const many = Array.from({ length: 300 }, (_, n) => deploy(1 + n, n < 60 ? { status: 'FAILED' } : {}))
    expect(metrics({ events: many }).changeFailureRate).toMatchObject({ value: 20, level: 'low', sure: true })
  })
})

describe('a planted bug', () => {
  it('canceled deployments in the denominator are found', () => {
    const { changeFailureRate } = metrics({
      events: [deploy(5, { status: 'FAILED' }), deploy(4, { status: 'CANCELED' })],
    })
    expect(changeFailureRate).toMatchObject({ numerator: 1, denominator: 1 })
  })
  it('incidents counted in place of deployments are found', () => {
    const incidents = [1, 2, 3].map((n) => ({ incidentId: `i${n}`, environment: 'production', openedAt: at(4) }))
    expect(metrics({ events: [deploy(5)], incidents }).changeFailureRate.value).toBe(100)
  })
  it('a link across environments is found', () => {
    const incidents = [{ incidentId: 'i', environment: 'staging', openedAt: at(4) }]
    expect(metrics({ events: [deploy(5)], incidents }).changeFailureRate.value).toBe(0)
  })
  it('a redeploy in the lead time is found', () => {
    const commit = { commitSha: 'abcdef0', commitTimestamp: at(10) }
    expect(metrics({ events: [deploy(9, commit), deploy(1, commit)] }).leadTime).toMatchObject({
      value: 3600,
      numerator: 1,
    })
  })
  it('a success that ends nothing is not rework', () => {
    const events = [deploy(9), deploy(8, { status: 'FAILED' }), deploy(7), deploy(6)]
    expect(metrics({ events }).reworkRate).toMatchObject({ numerator: 1, denominator: 3 })
  })
  it('a mark on an incident of the same deployment counts once', () => {
    const event = deploy(5)
    const { pipelineId, executionId } = event
    const mark = { pipelineId, executionId, environment: 'production', outcome: 'failed' as const, at: at(4) }
    const incidents = [{ incidentId: 'i', environment: 'production', openedAt: at(4), resolvedAt: at(3) }]
    const own = metrics({ events: [event], incidents, marks: [mark, { ...mark, outcome: 'restored', at: at(2) }] })
    expect(own.changeFailureRate).toMatchObject({ numerator: 1, denominator: 1 })
    expect(own.failedDeploymentRecovery).toMatchObject({ value: 3600, numerator: 1 })
  })
})

describe('why a metric is null', () => {
  const scope = (more: Partial<Scope>) =>
    environmentMetrics(judge(historyOf(EMPTY)), 'production', WINDOW, { ...SCOPE, ...more }).deploymentFrequency.why
  const of = (events: OracleWorld['events'], window = { fromMs: NOW - DAY, toMs: NOW }) =>
    metrics({ events }, {}, window)
  it.each([
    ['no_pipelines', () => scope({ pipelines: 0, hasEvents: false })],
    ['parked', () => scope({ hasEvents: false, parked: 3 })],
    ['no_events', () => scope({ hasEvents: false })],
    ['no_environment', () => of([deploy(5, { environment: 'staging' })]).deploymentFrequency.why],
    ['not_in_range', () => of([deploy(50)]).deploymentFrequency.why],
    ['still_running', () => of([deploy(5, { status: 'STARTED', completedAt: undefined })]).changeFailureRate.why],
    ['all_canceled', () => of([deploy(5, { status: 'CANCELED' })]).changeFailureRate.why],
    ['no_deployments', () => of([deploy(5, { status: 'FAILED' })]).deploymentFrequency.why],
    ['no_commit_time', () => of([deploy(5)]).leadTime.why],
    ['only_redeploys', () => of([deploy(5, { rollback: true })]).leadTime.why],
    ['no_recovery', () => of([deploy(5)]).failedDeploymentRecovery.why],
    ['retention', () => scope({ isClamped: true })],
    [
      'no_link',
      () =>
        metrics({ incidents: [{ incidentId: 'i', environment: 'production', openedAt: at(4), resolvedAt: at(3) }] })
          .failedDeploymentRecovery.why,
    ],
    [
      'unresolved_only',
      () =>
        metrics({ events: [deploy(5)], incidents: [{ incidentId: 'i', environment: 'production', openedAt: at(4) }] })
          .failedDeploymentRecovery.why,
    ],
  ])('is %s', (why, found) => expect(found()).toBe(why))
})

it('is not sure of a time to restore that an open incident alone makes worse', () => {
  const incidents = [1, 2, 3, 4, 5, 6].map((n) => ({
    incidentId: `i${n}`,
    environment: 'production',
    openedAt: at(100 + n),
    resolvedAt: at(99.9 + n),
  }))
  const metric = (more: OracleWorld['incidents']) =>
    restoreMetrics(
      judge(historyOf({ ...EMPTY, incidents: [...incidents, ...more] })),
      new Set(['production']),
      { fromMs: NOW - 30 * DAY, toMs: NOW },
      NOW,
    ).metric
  expect(metric([])).toMatchObject({ level: 'elite', sure: true })
  const open = Array.from({ length: 7 }, (_, n) => ({
    incidentId: `o${n}`,
    environment: 'production',
    openedAt: at(50),
  }))
  expect(metric(open)).toMatchObject({ level: 'elite', sure: false })
})

it('suggests that an older commit brought back means a failure, and counts it where the settings say so', () => {
  const events = [
    deploy(9, { commitSha: 'aaaaaaa' }),
    deploy(8, { commitSha: 'bbbbbbb' }),
    deploy(7, { commitSha: 'aaaaaaa' }),
  ]
  const history = historyOf({ ...EMPTY, events })
  expect(suggestionsOf(history.deployments).map(({ replaced }) => replaced.sha)).toEqual(['bbbbbbb'])
  expect(metrics({ events }).changeFailureRate.numerator).toBe(0)
  expect(metrics({ events }, { rollbackFails: true }).changeFailureRate.numerator).toBe(1)
})

it('takes what a forge calls production for the headline, and the worst band overall', () => {
  const history = historyOf({ ...EMPTY, events: [deploy(5, { environment: 'eu', environmentTier: 'production' })] })
  expect([...headlineOf([{ name: 'eu', isProduction: true }], history.settings)]).toEqual(['production', 'eu'])
  const own = environmentMetrics(judge(history), 'eu', WINDOW, SCOPE)
  expect(overallLevel([own], own.leadTime)).toBeNull()
})
