/**
 * Reports computed a second way: from the whole list of events, by plain loops, without SQL, rollups or any code of the server.
 * What it answers is what every report must answer.
 */
export interface OracleEvent {
  readonly pipelineId: string
  readonly executionId: string
  readonly attempt?: number
  readonly eventType: string
  readonly stageName?: string
  readonly status: string
  readonly startedAt: string
  readonly completedAt?: string
  readonly environment?: string
  readonly commitSha?: string
  readonly commitTimestamp?: string
  readonly commitRef?: string
  readonly rollback?: boolean
  readonly rework?: boolean
  readonly errorMessage?: string
}
export interface OracleIncident {
  readonly incidentId: string
  /** Where it was told, as in `orgs`. */
  readonly org?: string
  readonly environment: string
  readonly openedAt: string
  readonly resolvedAt?: string | null
}
export interface OracleMark {
  readonly pipelineId: string
  readonly executionId: string
  readonly environment: string
  readonly outcome: 'failed' | 'restored'
  readonly at: string
}
export interface OracleWorld {
  readonly events: readonly OracleEvent[]
  readonly incidents: readonly OracleIncident[]
  readonly marks: readonly OracleMark[]
  /** The organization of each pipeline, where there are several. */
  readonly orgs?: Readonly<Record<string, string>>
  /** Incident to execution, set by a person. */
  readonly links: readonly { readonly incidentId: string; readonly pipelineId: string; readonly executionId: string }[]
}

const HOUR = 3_600_000
const ms = (text: string) => Date.parse(text)
const word = (status: string) =>
  ({ SUCCEEDED: 'ok', FAILED: 'bad', CANCELED: 'off', SUPERSEDED: 'off' })[status] ?? 'open'

/** Of several events about one thing the one that counts: an end before a beginning, the later, the worse. */
function last(events: readonly OracleEvent[]): OracleEvent {
  const severity = ['STARTED', 'SUCCEEDED', 'SUPERSEDED', 'CANCELED', 'FAILED']
  const keys = (e: OracleEvent) => [
    word(e.status) === 'open' ? 0 : 1,
    ms(e.completedAt !== undefined && word(e.status) !== 'open' ? e.completedAt : e.startedAt),
    severity.indexOf(e.status),
  ]
  return events.reduce((best, each) => {
    const [a, b] = [keys(best), keys(each)]
    for (const at of [0, 1, 2]) if (a[at] !== b[at]) return (a[at] as number) > (b[at] as number) ? best : each
    return best
  })
}

function groups<T>(items: readonly T[], key: (item: T) => string): T[][] {
  const found: Record<string, T[]> = {}
  for (const item of items) found[key(item)] = [...(found[key(item)] ?? []), item]
  return Object.values(found)
}

export interface OracleRun {
  readonly pipelineId: string
  readonly executionId: string
  readonly state: string
  readonly start: number
  readonly end: number | null
}

/** The executions: of each the highest attempt. */
export function runsOf(world: OracleWorld): OracleRun[] {
  const runs = world.events.filter((e) => e.eventType === 'PIPELINE')
  return groups(runs, (e) => `${e.pipelineId} ${e.executionId}`).map((all) => {
    const attempt = Math.max(...all.map((e) => e.attempt ?? 1))
    const own = all.filter((e) => (e.attempt ?? 1) === attempt)
    const top = last(own)
    const state = word(top.status)
    const ends = own.filter((e) => word(e.status) !== 'open' && e.completedAt !== undefined)
    return {
      pipelineId: top.pipelineId,
      executionId: top.executionId,
      state,
      start: Math.min(...own.map((e) => ms(e.startedAt))),
      end: state === 'open' ? null : ms(last(ends).completedAt as string),
    }
  })
}

export interface OracleUnit {
  readonly pipelineId: string
  readonly executionId: string
  readonly attempt: number
  readonly environment: string
  readonly state: string
  readonly end: number
  readonly sha: string | null
  readonly ref: string
  readonly committed: number | null
  readonly isBack: boolean
  readonly isRework: boolean
}

/** What the events of one attempt say of each stage. */
function stepsOf(world: OracleWorld) {
  const stages = groups(
    world.events.filter((e) => e.eventType === 'STAGE'),
    (e) => `${e.pipelineId} ${e.executionId} ${e.attempt ?? 1} ${e.stageName}`,
  )
  return stages.map((own) => {
    const ends = own.filter((e) => word(e.status) !== 'open' && e.completedAt !== undefined)
    return {
      own,
      environment: tellsLast(own, 'environment'),
      state: word(last(own).status),
      start: Math.min(...own.map((e) => ms(e.startedAt))),
      end: ends.length === 0 ? 0 : ms(last(ends).completedAt as string),
    }
  })
}

/** Runs of stages that began in a time and ended well or badly: of each execution every stage once. And what failed of what. */
export function stagesOf(world: OracleWorld, from: number, to: number) {
  const steps = stepsOf(world)
    .filter(({ start }) => start >= from && start < to)
    .map((step) => ({ ...step, ...(step.own[0] as OracleEvent), error: tellsLast(step.own, 'errorMessage') }))
  const runs = groups(steps, (e) => `${e.pipelineId} ${e.executionId} ${e.stageName}`).map((own) => ({
    stage: own[0]?.stageName as string,
    pipelineId: own[0]?.pipelineId as string,
    isBad: own.some(({ state }) => state === 'bad'),
    isOver: own.some(({ state }) => state === 'bad' || state === 'ok'),
  }))
  const errors = steps.filter(({ state, error }) => state === 'bad' && error !== undefined)
  return {
    runs: runs.filter(({ isOver }) => isOver),
    errors: groups(errors, ({ error }) => error as string).map((own) => ({
      error: own[0]?.error as string,
      times: new Set(own.map((e) => `${e.pipelineId} ${e.executionId}`)).size,
    })),
  }
}

export function unitsOf(world: OracleWorld): OracleUnit[] {
  const earliest: Record<string, number> = {}
  const inOrg = (pipelineId: string, sha: string) => `${world.orgs?.[pipelineId]} ${sha}`
  for (const { pipelineId, commitSha: sha, commitTimestamp: at } of world.events) {
    if (sha === undefined || at === undefined) continue
    const key = inOrg(pipelineId, sha)
    earliest[key] = Math.min(earliest[key] ?? Number.POSITIVE_INFINITY, ms(at))
  }
  const steps = stepsOf(world)
  const deployed = steps.filter(({ environment }) => environment !== undefined)
  return groups(
    deployed,
    ({ own: [e], environment }) => `${e?.pipelineId} ${e?.executionId} ${e?.attempt ?? 1} ${environment}`,
  ).map((unit) => {
    const first = unit[0]?.own[0] as OracleEvent
    const has = (state: string) => unit.some((each) => each.state === state)
    const state = has('bad') ? 'bad' : has('ok') ? 'ok' : has('open') ? 'open' : 'off'
    const events = unit.flatMap(({ own }) => own)
    const named = [...unit].sort((a, b) => ((a.own[0]?.stageName ?? '') < (b.own[0]?.stageName ?? '') ? -1 : 1))
    const sha = named.map(({ own }) => tellsLast(own, 'commitSha')).find((each) => each !== undefined) ?? null
    const times = events.flatMap((e) => (e.commitTimestamp === undefined ? [] : [ms(e.commitTimestamp)]))
    const known = sha === null ? undefined : earliest[inOrg(first.pipelineId, sha)]
    if (known !== undefined) times.push(known)
    return {
      pipelineId: first.pipelineId,
      executionId: first.executionId,
      attempt: first.attempt ?? 1,
      environment: unit[0]?.environment as string,
      state,
      end:
        state === 'open'
          ? Math.min(...unit.map(({ start }) => start))
          : Math.max(...unit.map((each) => (each.state === 'open' ? 0 : each.end))),
      sha,
      ref: named.map(({ own }) => tellsLast(own, 'commitRef')).find((each) => each !== undefined) ?? '',
      committed: times.length === 0 ? null : Math.min(...times),
      isBack: unit.some(({ own }) => tellsLast(own, 'rollback') === true),
      isRework: unit.some(({ own }) => tellsLast(own, 'rework') === true),
    }
  })
}

function tellsLast<F extends keyof OracleEvent>(events: readonly OracleEvent[], field: F): OracleEvent[F] | undefined {
  const telling = events.filter((e) => e[field] !== undefined)
  return telling.length === 0 ? undefined : last(telling)[field]
}

const middle = (values: readonly number[]): number | null => {
  if (values.length === 0) return null
  const sorted = [...values].sort((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1
    ? (sorted[half] as number)
    : ((sorted[half - 1] as number) + (sorted[half] as number)) / 2
}

const same = (a: OracleUnit, b: { pipelineId: string; executionId: string; environment: string }) =>
  a.pipelineId === b.pipelineId && a.executionId === b.executionId && a.environment === b.environment
const byEnd = (a: OracleUnit, b: OracleUnit) =>
  a.end - b.end ||
  (`${a.pipelineId}\n${a.executionId}\n${a.environment}\n${a.attempt}` <
  `${b.pipelineId}\n${b.executionId}\n${b.environment}\n${b.attempt}`
    ? -1
    : 1)

/** The deployment that each incident is put down to. */
export function causeOf(world: OracleWorld, incident: OracleIncident): OracleUnit | null {
  const there = unitsOf(world)
    .filter((u) => u.state === 'ok' && u.environment === incident.environment)
    .filter((u) => world.orgs?.[u.pipelineId] === incident.org)
    .sort(byEnd)
  const set = world.links.find(({ incidentId }) => incidentId === incident.incidentId)
  if (set !== undefined)
    return there.filter((u) => same(u, { ...set, environment: incident.environment })).at(-1) ?? null
  const opened = ms(incident.openedAt)
  return there.filter((u) => u.end <= opened && u.end >= opened - 24 * HOUR).at(-1) ?? null
}

/** The five metrics of one environment from one instant to another. */
export function metricsOf(world: OracleWorld, environment: string, from: number, to: number) {
  const inside = (at: number) => at >= from && at < to
  const all = unitsOf(world)
    .filter((u) => u.environment === environment)
    .sort(byEnd)
  const good = all.filter((u) => u.state === 'ok')
  const okay = good.filter((u) => inside(u.end))
  const bad = all.filter((u) => u.state === 'bad' && inside(u.end))
  const incidents = world.incidents.filter((each) => each.environment === environment)
  const causes = incidents.map((incident) => ({ incident, cause: causeOf(world, incident) }))
  const lastOf = (mark: OracleMark) => good.filter((u) => same(u, mark)).at(-1)
  const failedMarks = world.marks.filter((m) => m.outcome === 'failed' && m.environment === environment)
  const flagged = okay.filter(
    (u) =>
      causes.some(({ cause }) => cause === u || (cause !== null && same(cause, u) && cause.attempt === u.attempt)) ||
      failedMarks.some((m) => lastOf(m) === u),
  )
  const before = (u: OracleUnit) => all.filter((each) => each.pipelineId === u.pipelineId && byEnd(each, u) < 0)
  const again = (u: OracleUnit) => u.sha !== null && before(u).some((each) => each.state === 'ok' && each.sha === u.sha)
  const leads = okay
    .filter((u) => !u.isBack && !again(u) && u.committed !== null)
    .map((u) => Math.max(0, u.end - (u.committed as number)) / 1000)
  const ended = (u: OracleUnit) =>
    before(u)
      .filter((each) => each.state === 'ok' || each.state === 'bad')
      .at(-1)?.state === 'bad'
  const rework = okay.filter((u) => u.isRework || u.isBack || ended(u) || /^(?:hotfix\/|revert-)/.test(u.ref))
  const resolved = (i: OracleIncident) => i.resolvedAt != null && inside(ms(i.resolvedAt))
  const lasted = (i: OracleIncident) => (ms(i.resolvedAt as string) - ms(i.openedAt)) / 1000
  const restored = failedMarks.flatMap((failed) => {
    const end = world.marks.find(
      (m) =>
        m.outcome === 'restored' &&
        m.environment === environment &&
        m.pipelineId === failed.pipelineId &&
        m.executionId === failed.executionId,
    )
    const isExplained = causes.some(({ cause }) => cause !== null && same(cause, failed))
    return end === undefined || isExplained || ms(end.at) < ms(failed.at) || !inside(ms(end.at))
      ? []
      : [(ms(end.at) - ms(failed.at)) / 1000]
  })
  const repaired = all
    .filter((u) => u.state === 'bad')
    .flatMap((u) => {
      const next = good.find((each) => each.pipelineId === u.pipelineId && byEnd(each, u) > 0)
      return next !== undefined && inside(next.end) ? [(next.end - u.end) / 1000] : []
    })
  return {
    deployments: okay.length,
    failures: bad.length + flagged.length,
    attempts: okay.length + bad.length,
    postDeployFailures: flagged.length,
    perDay: okay.length === 0 ? null : okay.length / Math.max(1, (to - from) / (24 * HOUR)),
    rate: okay.length + bad.length === 0 ? null : (100 * (bad.length + flagged.length)) / (okay.length + bad.length),
    lead: middle(leads),
    restore: middle([...incidents.filter(resolved).map(lasted), ...restored]),
    recovery: middle([
      ...causes
        .filter(({ incident, cause }) => cause !== null && resolved(incident))
        .map(({ incident }) => lasted(incident)),
      ...restored,
      ...repaired,
    ]),
    rework: okay.length === 0 ? null : (100 * rework.length) / okay.length,
  }
}
