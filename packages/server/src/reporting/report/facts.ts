/** Reads the facts for reports. */
import { and, eq, gte, inArray, isNotNull, lt, or, type SQL } from 'drizzle-orm'
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

/** The executions that started in one of these periods, which must not overlap. */
export async function executionsWhere(
  db: Db,
  scope: ReportScope,
  query: ScopeQuery,
  stretches: readonly Stretch[],
): Promise<Execution[]> {
  const found: Execution[] = []
  for (let at = 0; at < stretches.length; at += STRETCHES_AT_ONCE) {
    // Appended one by one: so many rows cannot be arguments of one call.
    for (const row of await countedIn(db, scope, query, stretches.slice(at, at + STRETCHES_AT_ONCE))) found.push(row)
  }
  return found
}

async function countedIn(
  db: Db,
  scope: ReportScope,
  query: ScopeQuery,
  stretches: readonly Stretch[],
): Promise<readonly Execution[]> {
  if (query.environment !== undefined) return listedIn(db, scope, query, stretches)
  const { reportExecutions: t } = reportingTables(db)
  const rows = await rowsAtOnce(
    db,
    db
      .select(counted(t))
      .from(t)
      .where(startedIn(t, scope, query, stretches)),
  )
  return rows.filter(({ pipelineId }) => covers(scope, pipelineId))
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
