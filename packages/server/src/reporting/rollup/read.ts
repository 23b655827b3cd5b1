/**
 * Reads the runs of a window: sums for complete days whose sums are current, facts for the rest.
 *
 * INVARIANT: together they equal the result of all facts, including the deleted ones.
 */
import { and, eq, gte, inArray, lt, ne, notInArray, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../runtime/store/db.js'
import { rowsAtOnce } from '../../runtime/store/prepared.js'
import type { Window } from '../model.js'
import { type RunSums, runSumsWhere, STALE_MS, type SummedBy } from '../report/facts.js'
import { covers, type ReportScope, type ScopeQuery } from '../report/scope.js'
import { reportingTables } from '../tables.js'
import { nextTurn } from './next-turn.js'
import { type Behind, dayOf, daysOf, type Plan, planOf, stretchesOf, wholeDaysOf } from './plan.js'

export interface Asking {
  readonly db: Db
  readonly scope: ReportScope
  readonly query: ScopeQuery
  readonly window: Window
  readonly nowMs: number
}

/** With more marked periods than this, their days are read for all pipelines together. */
const STRETCHES_MAX = 200

export interface Source {
  readonly plan: Plan
  /** Runs that the sums do not cover. */
  readonly facts: readonly RunSums[]
  /** Complete days on which some pipeline's sums are outdated. */
  readonly behind: readonly number[]
  /** Whether there are many marks; then no sums of these days are used. */
  readonly isMuch: boolean
  /**
   * The usable sums per pipeline, of the plan's days, and of its months when `months` is set. Each part is one range of
   * an index. Null for a report that reads only facts.
   */
  readonly rows: ((months: boolean) => readonly SQL[]) | null
}

/** Decides where the runs of the window are read from. @param by what the runs without sums are summed by. */
export async function sourceOf(asking: Asking, by: SummedBy): Promise<Source> {
  const { db, scope, query, window, nowMs } = asking
  const { reportDailyRuns: t } = reportingTables(db)
  const own = and(inArray(t.orgId, [...scope.orgIds]), ofPipeline(t.pipelineId, query))
  if (query.environment !== undefined) {
    const facts = await runSumsWhere(asking, [window], by)
    return {
      plan: planOf(window, { fromMs: window.fromMs, toMs: window.fromMs }, []),
      facts,
      behind: [],
      isMuch: false,
      rows: null,
    }
  }
  const whole = wholeDaysOf(window, nowMs)
  const behind = await behindIn(db, scope, query, whole, nowMs)
  const stretches = stretchesOf(behind)
  const days = daysOf(behind)
  const isMuch = stretches.length > STRETCHES_MAX
  const plan = planOf(window, whole, behind)
  const facts = await factsOf(asking, plan.edges, { by, stretches: isMuch ? null : stretches, days })
  // guard: marked-days-are-read-as-facts-alone
  const notBehind = isMuch ? notInArray(t.dayMs, days) : behind.length === 0 ? undefined : notMarked(t, db, nowMs)
  const each = ne(t.pipelineId, '')
  return {
    plan,
    facts,
    behind: days,
    isMuch,
    rows(months) {
      const daily = (months ? plan.days : [whole]).flatMap(({ fromMs, toMs }) => {
        const within = and(gte(t.dayMs, fromMs), lt(t.dayMs, toMs))
        return [and(eq(t.part, 'swept'), within), and(eq(t.part, 'day'), within, notBehind)]
      })
      const monthly = months && plan.months.length > 0 ? [inMonths(t, plan.months)] : []
      return [...daily, ...monthly].map((which) => and(own, each, which) as SQL)
    },
  }
}

const inMonths = (t: Runs, months: readonly number[]) => and(eq(t.part, 'month'), inArray(t.dayMs, [...months]))

interface FactsAsked {
  readonly by: SummedBy
  /** The periods whose sums are outdated; null when there are so many that their whole days are read one by one. */
  readonly stretches: readonly Window[] | null
  readonly days: readonly number[]
}

async function factsOf(
  asking: Asking,
  edges: readonly Window[],
  { by, stretches, days }: FactsAsked,
): Promise<RunSums[]> {
  const found = await runSumsWhere(asking, [...edges, ...(stretches ?? [])], by)
  if (stretches !== null) return found
  for (const dayMs of days) {
    for (const row of await runSumsWhere(asking, [dayOf(dayMs)], by)) found.push(row)
    await nextTurn()
  }
  return found
}

const ofPipeline = (column: SQLiteColumn, { pipelineId }: ScopeQuery): SQL | undefined =>
  pipelineId === undefined ? undefined : eq(column, pipelineId)

type Runs = ReturnType<typeof reportingTables>['reportDailyRuns']

/**
 * Runs that were open when the day was summed may have become stale since; until that is settled, the day is read from
 * facts.
 */
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
        ne(t.pipelineId, ''),
        gte(t.dayMs, Math.max(fromMs, nowMs - 2 * STALE_MS)),
        lt(t.dayMs, toMs),
        unsettled(t, nowMs),
        ofPipeline(t.pipelineId, query),
      ),
    )
  return [...marked, ...open]
}

interface PipelineRow {
  readonly orgId: string
  readonly pipelineId: string
}

interface PipelineSums extends PipelineRow {
  readonly succeeded: number
  readonly failed: number
  readonly canceled: number
  /** Open runs of past days, which are all stale. */
  readonly open: number
  readonly firstMs: number
  readonly lastMs: number
}

export interface TimedSums extends PipelineRow {
  readonly timed: number
  readonly sumMs: number
  readonly minMs: number | null
  readonly maxMs: number | null
  /** The flat lists of bins of all its durations, as one text. */
  readonly bins: string
}

const total = (column: SQLiteColumn) => sql<number>`SUM(${column})`.mapWith(Number)
const nullable = (value: SQL) => sql<number | null>`${value}`.mapWith((each) => (each === null ? null : Number(each)))

/**
 * The expression keeps SQLite from using the index for this order, which would scan all rows of the organization; it
 * then finds the rows by day.
 */
const byPipeline = (t: Runs): SQL => sql`${t.pipelineId} || ''`

/** The outcomes of each pipeline. A pipeline can have several entries, which add up. */
export function sumsByPipeline(asking: Asking, source: Source): Promise<PipelineSums[]> {
  const { reportDailyRuns: t } = reportingTables(asking.db)
  return summedRows(asking, source, {
    succeeded: total(t.succeeded),
    failed: total(t.failed),
    canceled: total(t.canceled),
    open: total(t.open),
    firstMs: sql<number>`MIN(${t.firstMs})`.mapWith(Number),
    lastMs: sql<number>`MAX(${t.lastMs})`.mapWith(Number),
  })
}

/** The durations of each pipeline. A pipeline can have several entries, which add up. */
export function timedByPipeline(asking: Asking, source: Source): Promise<TimedSums[]> {
  const { db } = asking
  const { reportDailyRuns: t } = reportingTables(db)
  // The database joins the lists, because a result row per day and pipeline costs more than its content.
  const list = sql`CAST(${t.bins} AS text)`
  return summedRows(asking, source, {
    timed: total(t.timed),
    sumMs: total(t.sumMs),
    minMs: nullable(sql`MIN(${t.minMs})`),
    maxMs: nullable(sql`MAX(${t.maxMs})`),
    bins: db.database === 'pg' ? sql<string>`STRING_AGG(${list}, ',')` : sql<string>`GROUP_CONCAT(${list})`,
  })
}

async function summedRows<T extends Readonly<Record<string, unknown>>>(
  { db, scope }: Asking,
  { rows }: Source,
  columns: { readonly [K in keyof T]: SQL<T[K]> },
): Promise<(PipelineRow & T)[]> {
  const { reportDailyRuns: t } = reportingTables(db)
  const [orgId = '', ...others] = scope.orgIds
  const names = {
    // Of one organization it is known: the database then sorts less.
    orgId: others.length === 0 ? sql<string>`''` : sql<string>`MIN(${t.orgId})`,
    pipelineId: sql<string>`MIN(${t.pipelineId})`,
  }
  const found: (PipelineRow & T)[] = []
  for (const where of rows?.(true) ?? []) {
    const some = await rowsAtOnce(
      db,
      db
        .select({ ...names, ...columns } as Record<string, SQL>)
        .from(t)
        .where(where)
        .groupBy(byPipeline(t)),
    )
    for (const row of some as unknown as (PipelineRow & T)[]) {
      if (covers(scope, row.pipelineId)) found.push({ ...row, orgId: row.orgId || orgId })
    }
    await nextTurn()
  }
  return found
}

export interface DaySums {
  readonly dayMs: number
  readonly succeeded: number
  readonly failed: number
  readonly canceled: number
}

/** The sums of each day over all pipelines. A day can have several entries, which add up. */
export async function sumsByDay(asking: Asking, source: Source): Promise<DaySums[]> {
  const { db, scope } = asking
  if (source.rows === null) return []
  const { reportDailyRuns: t } = reportingTables(db)
  const columns = { dayMs: t.dayMs, succeeded: t.succeeded, failed: t.failed, canceled: t.canceled }
  const found: DaySums[] = []
  if (!scope.isNarrowed) {
    for (const where of ofAll(asking, source)) {
      for (const row of await rowsAtOnce(db, db.select(columns).from(t).where(where))) found.push(row)
    }
    return found
  }
  for (const where of source.rows(false)) {
    const some = await rowsAtOnce(
      db,
      db
        .select({ ...columns, pipelineId: t.pipelineId })
        .from(t)
        .where(where),
    )
    for (const row of some) if (covers(scope, row.pipelineId)) found.push(row)
    await nextTurn()
  }
  return found
}

/** Rows for all pipelines together; for days with outdated sums, the current rows of single pipelines. */
function ofAll({ db, scope: { orgIds }, nowMs }: Asking, { plan: { whole }, behind, isMuch }: Source): SQL[] {
  const { reportDailyRuns: t } = reportingTables(db)
  const own = and(inArray(t.orgId, [...orgIds]), eq(t.pipelineId, ''))
  const within = and(gte(t.dayMs, whole.fromMs), lt(t.dayMs, whole.toMs))
  const good = behind.length === 0 ? undefined : notInArray(t.dayMs, [...behind])
  const together = [and(own, eq(t.part, 'swept'), within), and(own, eq(t.part, 'day'), within, good)] as SQL[]
  if (behind.length === 0 || isMuch) return together
  return [
    ...together,
    and(
      inArray(t.orgId, [...orgIds]),
      ne(t.pipelineId, ''),
      eq(t.part, 'day'),
      inArray(t.dayMs, [...behind]),
      notMarked(t, db, nowMs),
    ) as SQL,
  ]
}

/** Whether facts of the window were deleted, so that only their sums are left. */
export async function hasSwept({ db, scope: { orgIds } }: Asking, { plan: { whole } }: Source): Promise<boolean> {
  const { reportDailyRuns: t } = reportingTables(db)
  const rows = await db
    .select({ dayMs: t.dayMs })
    .from(t)
    .where(and(inArray(t.orgId, [...orgIds]), eq(t.part, 'swept'), gte(t.dayMs, whole.fromMs), lt(t.dayMs, whole.toMs)))
    .limit(1)
  return rows.length > 0
}
