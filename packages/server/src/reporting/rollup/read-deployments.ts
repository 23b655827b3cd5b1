/**
 * Reads the deployments of a window as sums: the rows of complete days whose sums are current, and sums computed from
 * facts for the rest.
 *
 * INVARIANT: the result equals that of all facts.
 */
import { and, eq, gt, gte, inArray, lt, ne, notInArray, or, type SQL, sql } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import type { Db } from '../../runtime/store/db.js'
import { rowsAtOnce } from '../../runtime/store/prepared.js'
import { EXACT_MAX, type SamplePart } from '../metric/sample.js'
import type { Window } from '../model.js'
import { canDeploy, covers, type ReportScope, type ScopeQuery } from '../report/scope.js'
import { reportingTables } from '../tables.js'
import { briefReading, type DeploymentSums, type Lists, readingOf, sumsOfUnits, type Table } from './deployment-sums.js'
import { nextTurn } from './next-turn.js'
import { type Behind, dayOf, daysOf, stretchesOf, wholeDaysOf } from './plan.js'
import { type Stretch, unitsIn } from './units.js'

export interface AskingSums {
  readonly db: Db
  readonly scope: ReportScope
  readonly query: ScopeQuery
  readonly window: Window
  readonly nowMs: number
  readonly reworkRefs: readonly string[]
  /** Returns the sums of each pipeline, even when all are requested. */
  readonly byPipeline?: boolean
  /** Returns outcomes and lead times, but not rework and repairs. */
  readonly isBrief?: boolean
}

/** With more periods of marked days than this, those days are read for all pipelines together. */
const STRETCHES_MAX = 200
/** Days per query, of all pipelines together and of each; between queries the event loop runs other work. */
const DAYS_AT_ONCE = { all: 90, each: 30 }

export async function deploymentSumsIn(asking: AskingSums): Promise<DeploymentSums[]> {
  const { db, scope, window, nowMs } = asking
  const whole = wholeDaysOf(window, nowMs)
  const behind = whole.fromMs < whole.toMs ? await marksIn(asking, whole) : []
  const edges =
    whole.fromMs < whole.toMs
      ? [
          { fromMs: window.fromMs, toMs: whole.fromMs },
          { fromMs: whole.toMs, toMs: window.toMs },
        ].filter(({ fromMs, toMs }) => fromMs < toMs)
      : [window]
  const isByPipeline = scope.isNarrowed || asking.byPipeline === true
  const own = stretchesOf(behind)
  const isMuch = own.length > STRETCHES_MAX
  const days = daysOf(behind)
  const found: DeploymentSums[] = []
  const facts: Stretch[] = isMuch ? [...edges, ...days.map(dayOf)] : [...edges, ...own]
  for (const some of isMuch ? facts.map((each) => [each]) : [facts]) {
    const lanes = await unitsIn(db, asked(asking), some)
    found.push(...sumsOfUnits(lanes.filter(([unit]) => unit !== undefined && covers(scope, unit.pipelineId))))
    if (isMuch) await nextTurn()
  }
  if (whole.fromMs >= whole.toMs) return found
  const marked = { days, isMuch, isByPipeline }
  if (isByPipeline) {
    const lists = asking.isBrief === true ? 'brief' : ({ leadValues: true, repairValues: true } as const)
    return [...found, ...(await rowsIn(asking, whole, marked, lists))]
  }
  return [...found, ...(await withValues(asking, whole, marked, found, await rowsIn(asking, whole, marked, {})))]
}

const asked = ({ scope: { orgIds }, query: { environment }, reworkRefs, isBrief }: AskingSums) => ({
  orgIds,
  environment,
  reworkRefs,
  isBrief,
})

async function marksIn({ db, scope: { orgIds }, query }: AskingSums, { fromMs, toMs }: Window): Promise<Behind[]> {
  const { reportDirty: d } = reportingTables(db)
  return db
    .select({ pipelineId: d.pipelineId, dayMs: d.dayMs })
    .from(d)
    .where(
      and(
        inArray(d.orgId, [...orgIds]),
        gte(d.dayMs, fromMs),
        lt(d.dayMs, toMs),
        query.pipelineId === undefined ? undefined : eq(d.pipelineId, query.pipelineId),
      ),
    )
}

interface Marked {
  /** The days that have a mark of any pipeline. */
  readonly days: readonly number[]
  /** Whether there are many marks; then no row of these days is used. */
  readonly isMuch: boolean
}

/** Reads the rows that may be used, in batches of days. */
async function rowsIn(
  asking: AskingSums,
  { fromMs, toMs }: Window,
  { days, isMuch, isByPipeline }: Marked & { readonly isByPipeline: boolean },
  lists: Lists | 'brief',
  more?: (t: Table) => SQL | undefined,
): Promise<DeploymentSums[]> {
  const { db, scope, query } = asking
  const { reportDailyDeployments: t, reportDirty: d } = reportingTables(db)
  const marked = sql`EXISTS (SELECT 1 FROM ${d} WHERE ${d.orgId} = ${t.orgId} AND ${d.dayMs} = ${t.dayMs} AND ${d.pipelineId} = ${t.pipelineId})`
  const notOnMarkedDay = days.length === 0 ? undefined : notInArray(t.dayMs, [...days])
  const each = and(ne(t.pipelineId, ''), isMuch || days.length === 0 ? notOnMarkedDay : sql`NOT ${marked}`)
  const all = and(eq(t.pipelineId, ''), notOnMarkedDay)
  const some = days.length === 0 || isMuch ? undefined : and(inArray(t.dayMs, [...days]), each)
  const which = isByPipeline ? each : some === undefined ? all : or(all, some)
  const { columns, toSums } = lists === 'brief' ? briefReading(t) : readingOf(t, lists)
  const found: DeploymentSums[] = []
  const stepMs = (isByPipeline ? DAYS_AT_ONCE.each : DAYS_AT_ONCE.all) * DAY_MS
  for (let at = fromMs; at < toMs; at += stepMs) {
    const rows = await rowsAtOnce(
      db,
      db
        .select(columns as ReturnType<typeof readingOf>['columns'])
        .from(t)
        .where(
          and(
            inArray(t.orgId, [...scope.orgIds]),
            query.pipelineId === undefined ? undefined : eq(t.pipelineId, query.pipelineId),
            gte(t.dayMs, at),
            lt(t.dayMs, Math.min(toMs, at + stepMs)),
            query.environment === undefined ? undefined : eq(t.environment, query.environment),
            which,
            more?.(t),
          ),
        ),
    )
    for (const row of rows) if (row.pipelineId === '' || covers(scope, row.pipelineId)) found.push(toSums(row))
    if (at + stepMs < toMs) await nextTurn()
  }
  return found
}

const KINDS = ['leads', 'repairs'] as const
const NONE: SamplePart = { count: 0, sumMs: 0, values: null, bins: null }
const NO_SAMPLES = { leads: NONE, repairs: NONE }
const NO_COUNTS = { succeeded: 0, failed: 0, canceled: 0, rework: 0, undated: 0, production: 0 }

/**
 * If an environment has few values, each one is read, so that the median is exact; otherwise only the numbers per bin
 * are read.
 *
 * @param counts rows without their values. @returns these rows, plus rows with the values.
 */
async function withValues(
  asking: AskingSums,
  whole: Window,
  marked: Marked,
  found: readonly DeploymentSums[],
  counts: readonly DeploymentSums[],
): Promise<DeploymentSums[]> {
  const made = counts.map((row) => ({ ...row, ...NO_SAMPLES }))
  for (const kind of asking.isBrief === true ? KINDS.slice(0, 1) : KINDS) {
    const totals = new Map<string, number>()
    for (const { environment, [kind]: own } of [...found, ...counts]) {
      totals.set(environment, (totals.get(environment) ?? 0) + own.count)
    }
    const read = async (isMany: boolean, list: 'Values' | 'Bins', more?: (t: Table) => SQL | undefined) => {
      const names = [...totals].filter(([, count]) => count > 0 && count > EXACT_MAX === isMany).map(([name]) => name)
      if (names.length === 0) return
      const lists = kind === 'leads' ? ({ [`lead${list}`]: true } as const) : ({ [`repair${list}`]: true } as const)
      const rows = await rowsIn(asking, whole, { ...marked, isByPipeline: false }, lists, (t) =>
        and(gt(t[kind], 0), inArray(t.environment, names), more?.(t)),
      )
      made.push(...rows.map((row) => ({ ...row, ...NO_COUNTS, ...NO_SAMPLES, [kind]: row[kind] })))
    }
    await read(false, 'Values')
    await read(true, 'Bins', (t) => eq(t.pipelineId, ''))
    // On marked days the rows of single pipelines are used, and these have no bins.
    if (marked.days.length > 0) await read(true, 'Values', (t) => ne(t.pipelineId, ''))
  }
  return made
}

export interface KnownEnvironment {
  readonly name: string
  readonly isProduction: boolean
  /** When its first deployment started. */
  readonly firstMs: number
}

/** All environments that ever had a deployment. */
export async function environmentsOf(asking: AskingSums): Promise<KnownEnvironment[]> {
  return [...(await knownEnvironments(asking, () => '')).values()].flat()
}

/** The environments of each pipeline. */
export const environmentsByPipeline = (asking: AskingSums): Promise<Map<string, KnownEnvironment[]>> =>
  knownEnvironments({ ...asking, scope: { ...asking.scope, isNarrowed: true } }, (pipelineId) => pipelineId)

async function knownEnvironments(
  asking: AskingSums,
  groupOf: (pipelineId: string) => string,
): Promise<Map<string, KnownEnvironment[]>> {
  const { db, scope, query, nowMs } = asking
  const found = new Map<string, Map<string, KnownEnvironment>>()
  const add = ({ pipelineId, name, production, firstMs }: EnvironmentSeen): void => {
    const group = groupOf(pipelineId)
    const own = found.get(group) ?? new Map<string, KnownEnvironment>()
    const before = own.get(name)
    const isProduction = before?.isProduction === true || production > 0
    found.set(group, own.set(name, { name, isProduction, firstMs: Math.min(before?.firstMs ?? firstMs, firstMs) }))
  }
  const marks = await marksIn({ db, scope, query } as AskingSums, { fromMs: 0, toMs: nowMs + 2 * DAY_MS })
  const stretches = stretchesOf(marks)
  const isMuch = stretches.length > STRETCHES_MAX
  for (const seen of await seenInFacts(asking, isMuch ? null : stretches)) {
    if (covers(scope, seen.pipelineId)) add(seen)
  }
  if (!isMuch) {
    const days = [...new Set(marks.map(({ dayMs }) => dayMs))]
    for (const seen of await seenInSums(asking, days)) {
      if (seen.pipelineId === '' || covers(scope, seen.pipelineId)) add(seen)
    }
  }
  return new Map([...found].map(([group, own]) => [group, [...own.values()]]))
}

interface EnvironmentSeen {
  readonly pipelineId: string
  readonly name: string
  readonly production: number
  readonly firstMs: number
}

/** @param stretches the periods whose sums are outdated; null reads all facts. */
function seenInFacts({ db, scope }: AskingSums, stretches: ReturnType<typeof stretchesOf> | null) {
  const { reportDeployments: f } = reportingTables(db)
  const ended = stretches?.map(({ pipelineId, fromMs, toMs }) =>
    and(eq(f.pipelineId, pipelineId), gte(f.completedMs, fromMs), lt(f.completedMs, toMs)),
  )
  return rowsAtOnce(
    db,
    db
      .select({
        pipelineId: f.pipelineId,
        name: f.environment,
        production: sql<number>`SUM(CASE WHEN ${f.tier} = 'production' THEN 1 ELSE 0 END)`.mapWith(Number),
        firstMs: sql<number>`MIN(${f.startedMs})`.mapWith(Number),
      })
      .from(f)
      .where(
        and(
          inArray(f.orgId, [...scope.orgIds]),
          ended === undefined ? undefined : or(sql`${f.completedMs} IS NULL`, ...ended),
        ),
      )
      .groupBy(f.pipelineId, f.environment),
  )
}

/** @param markedDays the days on which the sums of some pipeline are outdated. */
function seenInSums({ db, scope, query }: AskingSums, markedDays: readonly number[]) {
  const { reportDailyDeployments: t, reportDirty: d } = reportingTables(db)
  const isMarked = sql`EXISTS (SELECT 1 FROM ${d} WHERE ${d.orgId} = ${t.orgId} AND ${d.dayMs} = ${t.dayMs} AND ${d.pipelineId} = ${t.pipelineId})`
  const on = markedDays.length === 0 ? undefined : inArray(t.dayMs, [...markedDays])
  // Most days bear no mark, so the marks are looked up on the others alone.
  const isGood = on && or(sql`NOT ${on}`, sql`NOT ${isMarked}`)
  const good = scope.isNarrowed
    ? and(query.pipelineId === undefined ? ne(t.pipelineId, '') : eq(t.pipelineId, query.pipelineId), isGood)
    : or(and(eq(t.pipelineId, ''), on && sql`NOT ${on}`), on && and(on, ne(t.pipelineId, ''), sql`NOT ${isMarked}`))
  return rowsAtOnce(
    db,
    db
      .select({
        pipelineId: t.pipelineId,
        name: t.environment,
        production: sql<number>`SUM(${t.production})`.mapWith(Number),
        firstMs: sql<number>`MIN(${t.firstMs})`.mapWith(Number),
      })
      .from(t)
      .where(and(inArray(t.orgId, [...scope.orgIds]), good))
      .groupBy(t.pipelineId, t.environment),
  )
}

/**
 * Pipelines with a deployment that succeeded or failed: registered ones that ever had one, and all that had one on a
 * complete day of the window whose sums are current.
 */
export async function deployingIn({ db, scope, query, window, nowMs }: AskingSums): Promise<{
  readonly ever: number
  readonly within: ReadonlySet<string>
}> {
  let ever = 0
  const within = new Set<string>()
  const { fromMs, toMs } = wholeDaysOf(window, nowMs)
  const over = sql.raw("x.status IN ('succeeded', 'failed')")
  const environment = query.environment === undefined ? sql`` : sql` AND x.environment = ${query.environment}`
  for (const orgId of scope.orgIds) {
    const marked = sql`EXISTS (SELECT 1 FROM report_dirty d WHERE d.org_id = ${orgId} AND d.day_ms = x.day_ms AND d.pipeline_id = x.pipeline_id)`
    const inWindow = sql`EXISTS (SELECT 1 FROM report_daily_deployments x WHERE x.org_id = ${orgId} AND x.pipeline_id = p.id AND x.day_ms >= ${fromMs} AND x.day_ms < ${toMs} AND x.succeeded + x.failed > 0${environment} AND NOT ${marked})`
    const rows = await db.rows<{ id: string; is_ever: number | boolean; is_within: number | boolean }>(
      sql`WITH RECURSIVE p(id) AS (SELECT MIN(pipeline_id) FROM report_deployments WHERE org_id = ${orgId} UNION ALL SELECT (SELECT MIN(n.pipeline_id) FROM report_deployments n WHERE n.org_id = ${orgId} AND n.pipeline_id > p.id) FROM p WHERE p.id IS NOT NULL) SELECT p.id, EXISTS (SELECT 1 FROM report_deployments x WHERE x.org_id = ${orgId} AND x.pipeline_id = p.id AND ${over}) AS is_ever, ${inWindow} AS is_within FROM p WHERE p.id IS NOT NULL`,
    )
    for (const { id, is_ever: isEver, is_within: isWithin } of rows) {
      if (!covers(scope, id)) continue
      // guard: a-deleted-pipeline-is-not-one-of-the-registered
      if (isEver && canDeploy(scope, id)) ever++
      if (isWithin) within.add(id)
    }
  }
  return { ever, within }
}

/** Deployments that have not ended. */
export async function openIn({ db, scope, query }: AskingSums) {
  const { reportDeployments: t } = reportingTables(db)
  const rows = await rowsAtOnce(
    db,
    db
      .select({ pipelineId: t.pipelineId, environment: t.environment, startedMs: t.startedMs })
      .from(t)
      .where(
        and(
          inArray(t.orgId, [...scope.orgIds]),
          sql`${t.completedMs} IS NULL`,
          query.pipelineId === undefined ? undefined : eq(t.pipelineId, query.pipelineId),
        ),
      ),
  )
  return rows.filter(({ pipelineId }) => covers(scope, pipelineId))
}
