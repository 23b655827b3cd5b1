/**
 * Runs of a window: sums for whole days that are not behind their facts, facts for all else.
 *
 * INVARIANT: what comes of both together is what all facts alone would come to, those that were removed among them.
 */
import { and, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../runtime/store/db.js'
import { rowsAtOnce } from '../../runtime/store/prepared.js'
import type { Window } from '../model.js'
import { type Execution, executionsWhere, STALE_MS } from '../report/facts.js'
import { covers, type ReportScope, type ScopeQuery } from '../report/scope.js'
import { reportingTables } from '../tables.js'
import { type Behind, type Plan, planOf, stretchesOf, wholeDaysOf } from './plan.js'

export interface Asking {
  readonly db: Db
  readonly scope: ReportScope
  readonly query: ScopeQuery
  readonly window: Window
  readonly nowMs: number
}

/** More marked days than this are read with all others, as facts. */
const STRETCHES_MAX = 200

export interface Source {
  readonly plan: Plan
  /** Facts that no sums stand for. */
  readonly facts: readonly Execution[]
  /** The sums that count, of the days of the plan; of its months where `months` is set. Null for a report over facts alone. */
  readonly rows: ((months: boolean) => SQL) | null
}

/** Where the runs of the window are read from. */
export async function sourceOf({ db, scope, query, window, nowMs }: Asking): Promise<Source> {
  const { reportDailyRuns: t } = reportingTables(db)
  const own = and(inArray(t.orgId, [...scope.orgIds]), ofPipeline(t.pipelineId, query))
  if (query.environment !== undefined) {
    const facts = await executionsWhere(db, scope, query, [window])
    return { plan: planOf(window, { fromMs: window.fromMs, toMs: window.fromMs }, []), facts, rows: null }
  }
  const whole = wholeDaysOf(window, nowMs)
  const behind = await behindIn(db, scope, query, whole, nowMs)
  const stretches = stretchesOf(behind)
  const isMuch = stretches.length > STRETCHES_MAX
  const made = planOf(window, whole, behind)
  const plan = isMuch ? { ...made, months: [], days: [whole] } : made
  const facts = await executionsWhere(db, scope, query, isMuch ? [window] : [...plan.edges, ...stretches])
  const within = (ranges: readonly Window[]) =>
    or(sql`false`, ...ranges.map(({ fromMs, toMs }) => and(gte(t.dayMs, fromMs), lt(t.dayMs, toMs))))
  const kept = isMuch ? sql`false` : and(eq(t.part, 'day'), behind.length === 0 ? undefined : notMarked(t, db, nowMs))
  return {
    plan,
    facts,
    rows(months) {
      const days = months ? plan.days : [whole]
      const daily = and(or(eq(t.part, 'swept'), kept), within(days))
      const monthly = and(eq(t.part, 'month'), inArray(t.dayMs, [...plan.months]))
      const rows = months && plan.months.length > 0 ? or(daily, monthly) : daily
      return and(own, rows) as SQL
    },
  }
}

const ofPipeline = (column: SQLiteColumn, { pipelineId }: ScopeQuery): SQL | undefined =>
  pipelineId === undefined ? undefined : eq(column, pipelineId)

type Runs = ReturnType<typeof reportingTables>['reportDailyRuns']

/** Runs that were open when the day was summed may have become stale since: for so long they are looked at. */
const unsettled = (t: Runs, nowMs: number): SQL | undefined =>
  and(sql`${t.open} > 0`, sql`${t.lastMs} > ${nowMs - STALE_MS}`)

function notMarked(t: Runs, db: Db, nowMs: number): SQL {
  const { reportDirty: d } = reportingTables(db)
  const marked = sql`EXISTS (SELECT 1 FROM ${d} WHERE ${d.orgId} = ${t.orgId} AND ${d.dayMs} = ${t.dayMs} AND ${d.pipelineId} = ${t.pipelineId})`
  return sql`NOT ${marked} AND NOT (${unsettled(t, nowMs)})`
}

async function behindIn(
  db: Db,
  { orgIds }: ReportScope,
  query: ScopeQuery,
  { fromMs, toMs }: Window,
  nowMs: number,
): Promise<Behind[]> {
  if (fromMs >= toMs) return []
  const { reportDirty: d, reportDailyRuns: t } = reportingTables(db)
  const marked = await db
    .select({ pipelineId: d.pipelineId, dayMs: d.dayMs })
    .from(d)
    .where(and(inArray(d.orgId, [...orgIds]), gte(d.dayMs, fromMs), lt(d.dayMs, toMs), ofPipeline(d.pipelineId, query)))
  const open = await db
    .select({ pipelineId: t.pipelineId, dayMs: t.dayMs })
    .from(t)
    .where(
      and(
        inArray(t.orgId, [...orgIds]),
        eq(t.part, 'day'),
        gte(t.dayMs, Math.max(fromMs, nowMs - 2 * STALE_MS)),
        lt(t.dayMs, toMs),
        unsettled(t, nowMs),
        ofPipeline(t.pipelineId, query),
      ),
    )
  return [...marked, ...open]
}

export interface PipelineSums {
  readonly orgId: string
  readonly pipelineId: string
  readonly succeeded: number
  readonly failed: number
  readonly canceled: number
  /** Of days long ago: all of them are stale. */
  readonly open: number
  readonly firstMs: number
  readonly lastMs: number
  readonly timed: number
  readonly sumMs: number
  readonly minMs: number | null
  readonly maxMs: number | null
}

const total = (column: SQLiteColumn) => sql<number>`SUM(${column})`.mapWith(Number)
const nullable = (value: SQL) => sql<number | null>`${value}`.mapWith((each) => (each === null ? null : Number(each)))

/** The sums of each pipeline. */
export async function sumsByPipeline({ db, scope }: Asking, { rows }: Source): Promise<PipelineSums[]> {
  if (rows === null) return []
  const { reportDailyRuns: t } = reportingTables(db)
  const found = await rowsAtOnce(
    db,
    db
      .select({
        orgId: t.orgId,
        pipelineId: t.pipelineId,
        succeeded: total(t.succeeded),
        failed: total(t.failed),
        canceled: total(t.canceled),
        open: total(t.open),
        firstMs: sql<number>`MIN(${t.firstMs})`.mapWith(Number),
        lastMs: sql<number>`MAX(${t.lastMs})`.mapWith(Number),
        timed: total(t.timed),
        sumMs: total(t.sumMs),
        minMs: nullable(sql`MIN(${t.minMs})`),
        maxMs: nullable(sql`MAX(${t.maxMs})`),
      })
      .from(t)
      .where(rows(true))
      .groupBy(t.orgId, t.pipelineId),
  )
  return found.filter(({ pipelineId }) => covers(scope, pipelineId))
}

export interface DaySums {
  readonly dayMs: number
  readonly succeeded: number
  readonly failed: number
  readonly canceled: number
}

/** The sums of each day, of all pipelines together. */
export async function sumsByDay({ db, scope }: Asking, { rows }: Source): Promise<DaySums[]> {
  if (rows === null) return []
  const { reportDailyRuns: t } = reportingTables(db)
  const columns = {
    dayMs: t.dayMs,
    succeeded: total(t.succeeded),
    failed: total(t.failed),
    canceled: total(t.canceled),
  }
  if (!scope.isNarrowed) {
    return rowsAtOnce(db, db.select(columns).from(t).where(rows(false)).groupBy(t.dayMs))
  }
  const each = await rowsAtOnce(
    db,
    db
      .select({ ...columns, pipelineId: t.pipelineId })
      .from(t)
      .where(rows(false))
      .groupBy(t.dayMs, t.pipelineId),
  )
  return each.filter(({ pipelineId }) => covers(scope, pipelineId))
}

/** Bins of durations, and what is known of each pipeline's. */
export async function binsByPipeline({ db, scope }: Asking, { rows }: Source) {
  if (rows === null) return []
  const { reportDailyRuns: t } = reportingTables(db)
  const found = await rowsAtOnce(db, db.select({ pipelineId: t.pipelineId, bins: t.bins }).from(t).where(rows(true)))
  return found.filter(({ pipelineId }) => covers(scope, pipelineId))
}

/** Whether facts of the window were removed: then only their sums are left. */
export async function hasSwept({ db, scope: { orgIds } }: Asking, { plan: { whole } }: Source): Promise<boolean> {
  const { reportDailyRuns: t } = reportingTables(db)
  const rows = await db
    .select({ dayMs: t.dayMs })
    .from(t)
    .where(and(inArray(t.orgId, [...orgIds]), eq(t.part, 'swept'), gte(t.dayMs, whole.fromMs), lt(t.dayMs, whole.toMs)))
    .limit(1)
  return rows.length > 0
}
