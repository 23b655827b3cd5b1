/** Reads the facts for reports. */
import { and, eq, gte, inArray, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import type { Db } from '../../runtime/store/db.js'
import { rowsAtOnce } from '../../runtime/store/prepared.js'
import type { Window } from '../model.js'
import { type ExecutionRow, reportingTables } from '../tables.js'
import { covers, type ReportScope, type ScopeQuery } from './scope.js'

export const STALE_MS = 24 * 3_600_000
export const isStale = ({ status, startedMs }: Pick<ExecutionRow, 'status' | 'startedMs'>, nowMs: number): boolean =>
  status === 'started' && startedMs <= nowMs - STALE_MS

/** A run as reports count it. An index has these columns, so that no row of the table is read. */
export type Execution = Pick<ExecutionRow, 'orgId' | 'pipelineId' | 'status' | 'startedMs' | 'durationMs'>

export type ListedExecution = Execution & Pick<ExecutionRow, 'executionId' | 'attempt' | 'completedMs'>

const keyOf = ({
  orgId,
  pipelineId,
  executionId,
}: Pick<ExecutionRow, 'orgId' | 'pipelineId' | 'executionId'>): string => `${orgId} ${pipelineId} ${executionId}`

/** A period, of one pipeline if it names one. */
type Stretch = Window & { readonly pipelineId?: string }
const STRETCHES_AT_ONCE = 100

/** The sums of some runs: of one pipeline, or of one day. */
export interface RunSums {
  /** That of one of the runs. */
  readonly orgId: string
  readonly pipelineId: string
  readonly succeeded: number
  readonly failed: number
  /** Includes superseded runs. */
  readonly canceled: number
  readonly inProgress: number
  readonly stale: number
  /** When the first and the last of them began. */
  readonly firstMs: number
  readonly lastMs: number
  /** How long each took that succeeded or failed, where that is known; empty where it was not asked for. */
  readonly durations: readonly number[]
}

/** What a report needs the runs by; `timed`: by pipeline, with their durations. */
export type SummedBy = 'pipeline' | 'timed' | 'day'

interface Summing {
  readonly db: Db
  readonly scope: ReportScope
  readonly query: ScopeQuery
  readonly nowMs: number
}

/** The runs that started in one of these periods, which must not overlap. There can be several sums of one pipeline. */
export async function runSumsWhere(
  { db, scope, query, nowMs }: Summing,
  stretches: readonly Stretch[],
  by: SummedBy,
): Promise<RunSums[]> {
  const found: RunSums[] = []
  for (const some of atOnce(stretches)) {
    const read =
      query.environment === undefined
        ? await summedIn({ db, scope, query, nowMs }, some, by)
        : (await listedIn(db, scope, query, some)).map((each) => sumOfOne(each, nowMs))
    // Appended one by one: so many rows cannot be arguments of one call.
    for (const row of read) found.push(row)
  }
  return found
}

/** A period of all pipelines alone, because a database reads one range faster than either of two. */
function atOnce(stretches: readonly Stretch[]): (readonly Stretch[])[] {
  const own = stretches.filter(({ pipelineId }) => pipelineId !== undefined)
  const groups = stretches.filter(({ pipelineId }) => pipelineId === undefined).map((each) => [each])
  for (let at = 0; at < own.length; at += STRETCHES_AT_ONCE) groups.push(own.slice(at, at + STRETCHES_AT_ONCE))
  return groups
}

function sumOfOne(run: Execution, nowMs: number): RunSums {
  const { orgId, pipelineId, status, startedMs, durationMs } = run
  const isOver = status === 'succeeded' || status === 'failed'
  return {
    orgId,
    pipelineId,
    succeeded: status === 'succeeded' ? 1 : 0,
    failed: status === 'failed' ? 1 : 0,
    canceled: isOver || status === 'started' ? 0 : 1,
    inProgress: status === 'started' && !isStale(run, nowMs) ? 1 : 0,
    stale: isStale(run, nowMs) ? 1 : 0,
    firstMs: startedMs,
    lastMs: startedMs,
    durations: isOver && durationMs !== null ? [durationMs] : [],
  }
}

/**
 * The database adds the runs up, because a row of a result costs more than its content. It sorts by what it groups by,
 * so that is one short value where one suffices.
 */
async function summedIn(
  { db, scope, query, nowMs }: Summing,
  stretches: readonly Stretch[],
  by: SummedBy,
): Promise<readonly RunSums[]> {
  const { reportExecutions: t } = reportingTables(db)
  const [orgId = '', ...others] = scope.orgIds
  const runs = (where: SQL) => sql<number>`COUNT(*) FILTER (WHERE ${where})`.mapWith(Number)
  const isOver = sql`${t.status} IN ('succeeded', 'failed')`
  const isOld = sql`${t.startedMs} <= ${nowMs - STALE_MS}`
  const day = sql`${t.startedMs} / ${sql.raw(String(DAY_MS))}`
  const list = db.database === 'pg' ? sql`STRING_AGG(${t.durationMs}::text, ',')` : sql`GROUP_CONCAT(${t.durationMs})`
  const rows = await rowsAtOnce(
    db,
    db
      .select({
        // Of one organization it is known: the database then sorts less.
        orgId: others.length === 0 ? sql<string>`''` : sql<string>`MIN(${t.orgId})`,
        pipelineId: sql<string>`MIN(${t.pipelineId})`,
        succeeded: runs(sql`${t.status} = 'succeeded'`),
        failed: runs(sql`${t.status} = 'failed'`),
        canceled: runs(sql`${t.status} NOT IN ('succeeded', 'failed', 'started')`),
        inProgress: runs(sql`${t.status} = 'started' AND NOT (${isOld})`),
        stale: runs(sql`${t.status} = 'started' AND ${isOld}`),
        firstMs: sql<number>`MIN(${t.startedMs})`.mapWith(Number),
        lastMs: sql<number>`MAX(${t.startedMs})`.mapWith(Number),
        durations:
          by !== 'timed'
            ? sql<readonly number[] | null>`NULL`
            : sql<readonly number[] | null>`${list} FILTER (WHERE ${isOver})`.mapWith((text: string) =>
                JSON.parse(`[${text}]`),
              ),
      })
      .from(t)
      .where(startedIn(t, scope, query, stretches))
      .groupBy(...(by !== 'day' ? [t.pipelineId] : scope.isNarrowed ? [day, t.pipelineId] : [day])),
  )
  return rows
    .filter(({ pipelineId }) => covers(scope, pipelineId))
    .map((row) => ({ ...row, orgId: row.orgId || orgId, durations: row.durations ?? [] }))
}

/** The executions that started in the window, with what a list shows. */
export const executionsIn = (
  db: Db,
  scope: ReportScope,
  query: ScopeQuery,
  window: Window,
): Promise<ListedExecution[]> => listedIn(db, scope, query, [window])

export interface Timed {
  readonly orgId: string
  readonly pipelineId: string
  readonly durationMs: number
}

/** The durations of executions that started in the window and succeeded or failed; a covering index answers it. */
export async function timedIn(db: Db, scope: ReportScope, query: ScopeQuery, window: Window): Promise<Timed[]> {
  if (query.environment !== undefined) {
    return (await executionsIn(db, scope, query, window)).flatMap(({ orgId, pipelineId, status, durationMs }) =>
      (status === 'succeeded' || status === 'failed') && durationMs !== null ? [{ orgId, pipelineId, durationMs }] : [],
    )
  }
  const { reportExecutions: t } = reportingTables(db)
  const rows = await rowsAtOnce(
    db,
    db
      .select({ orgId: t.orgId, pipelineId: t.pipelineId, durationMs: t.durationMs })
      .from(t)
      .where(
        and(
          inArray(t.orgId, [...scope.orgIds]),
          ofPipeline(t, query),
          gte(t.startedMs, window.fromMs),
          lt(t.startedMs, window.toMs),
          inArray(t.status, ['succeeded', 'failed']),
          isNotNull(t.durationMs),
        ),
      ),
  )
  return (rows as Timed[]).filter(({ pipelineId }) => covers(scope, pipelineId))
}

async function listedIn(
  db: Db,
  scope: ReportScope,
  query: ScopeQuery,
  stretches: readonly Stretch[],
): Promise<ListedExecution[]> {
  const { reportExecutions: t } = reportingTables(db)
  const listed = { ...counted(t), executionId: t.executionId, attempt: t.attempt, completedMs: t.completedMs }
  const rows = await rowsAtOnce(
    db,
    db
      .select(listed)
      .from(t)
      .where(startedIn(t, scope, query, stretches)),
  )
  const found = rows.filter(({ pipelineId }) => covers(scope, pipelineId))
  if (query.environment === undefined) return found
  const there = await deployedTo(db, scope, query.environment)
  return found.filter((row) => there.has(keyOf(row)))
}

type Executions = ReturnType<typeof reportingTables>['reportExecutions']

const counted = (t: Executions) => ({
  orgId: t.orgId,
  pipelineId: t.pipelineId,
  status: t.status,
  startedMs: t.startedMs,
  durationMs: t.durationMs,
})

const startedIn = (t: Executions, scope: ReportScope, query: ScopeQuery, stretches: readonly Stretch[]) =>
  and(
    inArray(t.orgId, [...scope.orgIds]),
    ofPipeline(t, query),
    or(
      ...stretches.map(({ pipelineId, fromMs, toMs }) =>
        and(
          pipelineId === undefined ? undefined : eq(t.pipelineId, pipelineId),
          gte(t.startedMs, fromMs),
          lt(t.startedMs, toMs),
        ),
      ),
    ),
  )

const ofPipeline = (
  t: { readonly pipelineId: ReturnType<typeof reportingTables>['reportExecutions']['pipelineId'] },
  { pipelineId }: ScopeQuery,
): SQL | undefined => (pipelineId === undefined ? undefined : eq(t.pipelineId, pipelineId))

async function deployedTo(db: Db, { orgIds }: ReportScope, environment: string): Promise<ReadonlySet<string>> {
  const { reportDeployments: t } = reportingTables(db)
  const rows = await db
    .select({ orgId: t.orgId, pipelineId: t.pipelineId, executionId: t.executionId })
    .from(t)
    .where(and(inArray(t.orgId, [...orgIds]), eq(t.environment, environment)))
  return new Set(rows.map(keyOf))
}

export interface StepFact {
  readonly orgId: string
  readonly pipelineId: string
  readonly executionId: string
  readonly stage: string
  readonly action: string
  readonly status: ExecutionRow['status']
  readonly startedMs: number
  readonly durationMs: number | null
  readonly error: string | null
}

/** Stages and actions that started in the window, without the runs themselves. */
export async function stepsIn(db: Db, scope: ReportScope, query: ScopeQuery, window: Window): Promise<StepFact[]> {
  const { reportSteps: t } = reportingTables(db)
  const rows = await rowsAtOnce(
    db,
    db
      .select({
        orgId: t.orgId,
        pipelineId: t.pipelineId,
        executionId: t.executionId,
        stage: t.stage,
        action: t.action,
        status: t.status,
        startedMs: t.startedMs,
        durationMs: t.durationMs,
        error: t.error,
      })
      .from(t)
      .where(
        and(
          inArray(t.orgId, [...scope.orgIds]),
          ofPipeline(t as never, query),
          gte(t.startedMs, window.fromMs),
          lt(t.startedMs, window.toMs),
        ),
      ),
  )
  const own = rows.filter(({ pipelineId }) => covers(scope, pipelineId))
  if (query.environment === undefined) return own
  const there = await deployedTo(db, scope, query.environment)
  return own.filter((row) => there.has(keyOf(row)))
}
