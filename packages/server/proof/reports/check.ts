/** Sends a random history to a server and holds every report to what the oracle says of it. */
import { causeOf, metricsOf, type OracleWorld, runsOf, stagesOf, unitsOf } from './oracle.js'

export interface Api {
  /** @returns the `data` of the answer. @throws Error for an answer that is not a success. */
  send(path: string, body: unknown): Promise<unknown>
  /** As a person who may read reports. */
  get(path: string): Promise<unknown>
  /** As a person who may write them. */
  put(path: string, body: unknown): Promise<unknown>
  post(path: string, body: unknown): Promise<unknown>
}

interface Json {
  readonly [key: string]: Json
}

/** Sends the events in an order and in batches that depend on the seed. */
export async function tell(api: Api, world: OracleWorld, seed: number): Promise<void> {
  const shuffled = world.events
    .map((event, index) => ({
      event: { eventSource: 'generic', ...event },
      key: ((index + 1) * 7919 * (seed + 1)) % 10_007,
    }))
    .sort((a, b) => a.key - b.key)
    .map(({ event }) => event)
  const size = 1 + (seed % 20)
  for (let from = 0; from < shuffled.length; from += size) {
    const batch = shuffled.slice(from, from + size)
    await api.send('/reports/events', { events: from % 3 === 0 ? [...batch, ...batch].slice(0, 100) : batch })
  }
  for (const incident of world.incidents) await api.send('/reports/incidents', incident)
  for (const { executionId, ...mark } of world.marks)
    await api.post(`/reports/deployments/${executionId}/outcome`, mark)
  for (const { incidentId, ...link } of world.links) await api.put(`/reports/incidents/${incidentId}/link`, link)
}

const half = (value: number | null, places: number): number | null =>
  value === null ? null : Math.floor(value * 10 ** places + 0.5 + 1e-9) / 10 ** places

/** A list of differences, and what adds to it. */
export function withDifferences(): {
  readonly found: string[]
  same(what: string, got: unknown, wanted: unknown): void
} {
  const found: string[] = []
  return {
    found,
    same(what, got, wanted) {
      const [one, other] = [JSON.stringify(got) ?? '', JSON.stringify(wanted) ?? '']
      if (one === other) return
      const at = Math.max(0, [...one].findIndex((each, place) => each !== other[place]) - 100)
      found.push(`${what}: ${one.slice(at, at + 200)}, and not ${other.slice(at, at + 200)}`)
    },
  }
}

/** @returns what differs, in words; empty when nothing does. */
export async function differences(api: Api, world: OracleWorld, fromMs: number, toMs: number): Promise<string[]> {
  const window = `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`
  const { found, same } = withDifferences()
  for (const environment of ['production', 'staging']) {
    const { dora } = (await api.get(`/reports/execution/dora?environment=${environment}&${window}`)) as { dora: Json }
    const row = (dora['environments'] as unknown as Json[])[0] as Json
    const wanted = metricsOf(world, environment, fromMs, toMs)
    const of = (metric: string, field: string) => (row[metric] as Json)[field]
    same(`${environment} deployments`, of('deploymentFrequency', 'deployments'), wanted.deployments)
    same(`${environment} per day`, of('deploymentFrequency', 'perDay'), half(wanted.perDay, 2))
    same(`${environment} attempts`, of('changeFailureRate', 'attempts'), wanted.attempts)
    same(`${environment} failed later`, of('changeFailureRate', 'postDeployFailures'), wanted.postDeployFailures)
    same(`${environment} failure rate`, of('changeFailureRate', 'rate'), half(wanted.rate, 1))
    same(`${environment} lead time`, of('leadTime', 'medianSeconds'), half(wanted.lead, 1))
    same(`${environment} recovery`, of('failedDeploymentRecovery', 'medianSeconds'), half(wanted.recovery, 1))
    same(`${environment} rework`, of('reworkRate', 'rate'), half(wanted.rework, 1))
    same(`${environment} restore`, (dora['meanTimeToRestore'] as Json)['medianSeconds'], half(wanted.restore, 1))
    await compareUnits(api, world, environment, { window, fromMs, toMs, same })
  }
  found.push(...(await lawsBroken(api, window)))
  await compareWays(api, world, { window, fromMs, toMs, same })
  await compareRuns(api, world, { window, fromMs, toMs, same })
  await compareLists(api, world, { window, fromMs, toMs, same })
  await compareStages(api, world, { window, fromMs, toMs, same })
  await compareFilters(api, world, { window, fromMs, toMs, same })
  return found
}

interface Comparing {
  readonly window: string
  readonly fromMs: number
  readonly toMs: number
  same(what: string, got: unknown, wanted: unknown): void
}

/** How many runs there were, how they ended, and how long they took. */
export async function compareRuns(api: Api, world: OracleWorld, comparing: Comparing): Promise<void> {
  const { window, fromMs, toMs, same } = comparing
  const runs = runsOf(world).filter(({ start }) => start >= fromMs && start < toMs)
  const count = (state: string) => runs.filter((run) => run.state === state).length
  const { totals } = (await api.get(`/reports/execution/count?${window}`)) as { totals: Json }
  same(
    'runs',
    [totals['total'], totals['succeeded'], totals['failed'], totals['canceled']],
    [runs.length, count('ok'), count('bad'), count('off')],
  )
  const rate = (await api.get(`/reports/execution/success-rate?${window}`)) as { totals: Json }
  const over = count('ok') + count('bad')
  same('success rate', rate.totals['successPct'], over === 0 ? null : half((100 * count('ok')) / over, 1))
  const { pipelines } = (await api.get(`/reports/execution/duration?${window}`)) as { pipelines: Json[] }
  for (const { id, avgMs } of pipelines as unknown as { id: string; avgMs: number }[]) {
    const own = runs
      .filter((run) => run.pipelineId === id && (run.state === 'ok' || run.state === 'bad'))
      .map((run) => (run.end as number) - run.start)
    same(`duration of ${id}`, avgMs, half(own.reduce((sum, each) => sum + each, 0) / own.length, 1))
  }
  const { timeline } = (await api.get(`/reports/execution/success-rate?interval=day&${window}`)) as {
    timeline: { period: string; succeeded: number; failed: number; canceled: number }[]
  }
  for (const { period, succeeded, failed, canceled } of timeline) {
    const of = (state: string) => runs.filter((run) => run.state === state && dayOf(run.start) === period).length
    same(`runs on ${period}`, [succeeded, failed, canceled], [of('ok'), of('bad'), of('off')])
  }
}

const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10)

/** The trend of an environment, day by day, and the list of its deployments. */
async function compareUnits(api: Api, world: OracleWorld, environment: string, comparing: Comparing): Promise<void> {
  const { window, fromMs, toMs, same } = comparing
  const units = unitsOf(world).filter((u) => u.environment === environment && u.end >= fromMs && u.end < toMs)
  const per = (state: string, period: string) =>
    units.filter((u) => u.state === state && dayOf(u.end) === period).length
  const path = `/reports/execution/dora/trend?interval=day&environment=${environment}&${window}`
  const { trend } = (await api.get(path)) as { trend: { period: string; deployments: number; failed: number }[] }
  for (const { period, deployments, failed } of trend)
    same(`${environment} on ${period}`, [deployments, failed], [per('ok', period), per('bad', period)])
  const covered = trend.reduce((sum, each) => sum + each.deployments + each.failed, 0)
  same(`${environment} in the trend`, covered, units.filter(({ state }) => state === 'ok' || state === 'bad').length)
}

/** Explained, a report is made from each deployment; else from sums of days. Both say the same, whatever is asked for. */
export async function compareWays(api: Api, world: OracleWorld, { window, fromMs, same }: Comparing): Promise<void> {
  const [first] = world.events
  const filters = ['', '&environment=production', `&pipelineId=${first?.pipelineId}`, '&project=two', '&project=none']
  const turn = Math.floor(fromMs / 86_400_000) % filters.length
  for (const filter of ['', filters[turn]]) {
    for (const report of ['dora?', 'dora/trend?interval=week&', 'dora/trend?interval=day&']) {
      const path = `/reports/execution/${report}${window}${filter}`
      const [summed, told] = [await api.get(path), await api.get(`${path}&explain=true`)]
      same(path, without(summed), without(told))
    }
  }
}

const without = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer, (key, value) => (key === 'explain' ? undefined : value)))

/** Null exactly where there is a reason, counted and dropped make up the candidates, a rate lies within its interval. */
async function lawsBroken(api: Api, window: string): Promise<string[]> {
  const { dora } = (await api.get(`/reports/execution/dora?explain=true&${window}`)) as { dora: Json }
  const rows = (dora['environments'] as unknown as Json[]).flatMap((row) =>
    ['deploymentFrequency', 'changeFailureRate', 'leadTime', 'failedDeploymentRecovery', 'reworkRate'].map(
      (name) => [`${row['environment']} ${name}`, row[name] as Json] as const,
    ),
  )
  const broken: string[] = []
  for (const [name, metric] of [...rows, ['restore', dora['meanTimeToRestore'] as Json] as const]) {
    const of = metric as unknown as Law
    const shown = of.perDay !== undefined ? of.perDay : of.rate !== undefined ? of.rate : of.medianSeconds
    if ((shown === null) !== (of.why !== null)) broken.push(`${name} is ${shown}, and the reason ${of.why}`)
    if ((of.why === null) !== (of.nextStep === null)) broken.push(`${name}: ${of.why} has the next step ${of.nextStep}`)
    if (of.explain !== undefined) {
      const dropped = of.explain.dropped.reduce((sum, each) => sum + each.count, 0)
      if (of.explain.counted + dropped !== of.explain.candidates) broken.push(`${name}: ${JSON.stringify(of.explain)}`)
    }
    const { interval } = of
    if (interval !== null && shown != null && (shown < interval.low - 0.1 || shown > interval.high + 0.1))
      broken.push(`${name} ${shown} is outside of ${JSON.stringify(interval)}`)
  }
  return broken
}

interface Law {
  readonly perDay?: number | null
  readonly rate?: number | null
  readonly medianSeconds?: number | null
  readonly why: string | null
  readonly nextStep: string | null
  readonly interval: { readonly low: number; readonly high: number } | null
  readonly explain?: {
    readonly candidates: number
    readonly counted: number
    readonly dropped: readonly { readonly count: number }[]
  }
}

async function compareLists(api: Api, world: OracleWorld, comparing: Comparing): Promise<void> {
  const { window, fromMs, toMs, same } = comparing
  const runs = runsOf(world).filter(({ start }) => start >= fromMs && start < toMs)
  const list = (await api.get(`/reports/execution/list?limit=100&${window}`)) as {
    executions: { executionId: string; pipelineId: string }[]
  }
  same(
    'listed runs',
    list.executions.map(({ pipelineId, executionId }) => `${pipelineId} ${executionId}`).sort(),
    runs.map(({ pipelineId, executionId }) => `${pipelineId} ${executionId}`).sort(),
  )
  const { incidents } = (await api.get('/reports/incidents?limit=100')) as {
    incidents: { incidentId: string; link: { deployment: { executionId: string } | null } | null }[]
  }
  for (const { incidentId, link } of incidents) {
    const incident = world.incidents.find((each) => each.incidentId === incidentId)
    if (incident === undefined) continue
    same(`cause of ${incidentId}`, link?.deployment?.executionId ?? null, causeOf(world, incident)?.executionId ?? null)
  }
}

const sorted = (rows: readonly unknown[]): string[] => rows.map((row) => JSON.stringify(row)).sort()

/** Stages, what they fail of, and environments. */
async function compareStages(api: Api, world: OracleWorld, { window, fromMs, toMs, same }: Comparing): Promise<void> {
  const { runs, errors } = stagesOf(world, fromMs, toMs)
  const names = [...new Set(runs.map(({ stage }) => stage))]
  const tally = (of: readonly { readonly isBad: boolean }[]) => [of.filter(({ isBad }) => isBad).length, of.length]
  const { stages, heatmap } = (await api.get(`/reports/execution/stage-failures?interval=day&${window}`)) as {
    stages: { stageName: string; failures: number; total: number; pipelines: number }[]
    heatmap: { stageName: string; failures: number; total: number }[]
  }
  same(
    'stages',
    sorted(stages.map(({ stageName, failures, total, pipelines }) => [stageName, failures, total, pipelines])),
    sorted(
      names.map((name) => {
        const own = runs.filter(({ stage }) => stage === name)
        return [name, ...tally(own), new Set(own.map(({ pipelineId }) => pipelineId)).size]
      }),
    ),
  )
  for (const name of names) {
    const cells = heatmap.filter(({ stageName }) => stageName === name)
    const sum = (key: 'failures' | 'total') => cells.reduce((total, cell) => total + cell[key], 0)
    same(`cells of ${name}`, [sum('failures'), sum('total')], tally(runs.filter(({ stage }) => stage === name)))
  }
  const told = (await api.get(`/reports/execution/errors?${window}`)) as {
    errors: { errorPattern: string; occurrences: number }[]
  }
  same(
    'errors',
    sorted(told.errors.map(({ errorPattern, occurrences }) => [errorPattern, occurrences])),
    sorted(errors.map(({ error, times }) => [error, times])),
  )
  const { environments } = (await api.get(`/reports/execution/environments?${window}`)) as {
    environments: { environment: string; deployments: number; failed: number; pipelines: number }[]
  }
  const units = unitsOf(world)
  same(
    'environments',
    sorted(
      environments.map(({ environment, deployments, failed, pipelines }) => [
        environment,
        deployments,
        failed,
        pipelines,
      ]),
    ),
    sorted(
      [...new Set(units.map(({ environment }) => environment))].map((environment) => {
        const own = units.filter((u) => u.environment === environment)
        const ended = (state: string) => own.filter((u) => u.state === state && u.end >= fromMs && u.end < toMs).length
        return [environment, ended('ok'), ended('bad'), new Set(own.map(({ pipelineId }) => pipelineId)).size]
      }),
    ),
  )
}

/** Of one pipeline, and of one environment: what is left out counts in nothing. */
async function compareFilters(api: Api, world: OracleWorld, { window, fromMs, toMs, same }: Comparing): Promise<void> {
  const id = world.events[0]?.pipelineId as string
  const own = { ...world, events: world.events.filter(({ pipelineId }) => pipelineId === id) }
  const { buildHealth } = (await api.get(`/reports/execution/build-health?pipelineId=${id}&${window}`)) as {
    buildHealth: { stages: { stage: string; runs: number; failures: number }[] }
  }
  const { runs: stages } = stagesOf(own, fromMs, toMs)
  same(
    `stages of ${id}`,
    sorted(buildHealth.stages.map(({ stage, runs, failures }) => [stage, runs, failures])),
    sorted(
      [...new Set(stages.map(({ stage }) => stage))].map((name) => {
        const of = stages.filter(({ stage }) => stage === name)
        return [name, of.length, of.filter(({ isBad }) => isBad).length]
      }),
    ),
  )
  const there = unitsOf(world).filter(({ environment }) => environment === 'staging')
  const kept: readonly (readonly [
    filter: string,
    keeps: (run: { pipelineId: string; executionId: string }) => boolean,
  ])[] = [
    [`pipelineId=${id}`, ({ pipelineId }) => pipelineId === id],
    [
      'environment=staging',
      (run) => there.some((u) => u.pipelineId === run.pipelineId && u.executionId === run.executionId),
    ],
    ['project=none', () => false],
  ]
  for (const [filter, keeps] of kept) {
    const runs = runsOf(world).filter((run) => run.start >= fromMs && run.start < toMs && keeps(run))
    const count = (state: string) => runs.filter((run) => run.state === state).length
    const { totals } = (await api.get(`/reports/execution/count?${filter}&${window}`)) as { totals: Json }
    same(
      `runs with ${filter}`,
      [totals['total'], totals['succeeded'], totals['failed'], totals['canceled']],
      [runs.length, count('ok'), count('bad'), count('off')],
    )
  }
}
