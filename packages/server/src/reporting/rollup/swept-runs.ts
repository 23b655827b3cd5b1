/**
 * What is left of a deleted run for 30 days: its times and its status. A further attempt or a late end then moves the
 * run, where it would otherwise count once more.
 *
 * INVARIANT: while all runs of a closed day are left here, its `swept` sums are the sums of these.
 */
import { and, eq, gte, inArray, lt, or, type SQL } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { DAY_MS } from '../../runtime/clock.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { upsertRows } from '../../runtime/store/prepared.js'
import { groupBy } from '../group.js'
import { executionOf } from '../ingest/facts.js'
import { beginOf, type Step } from '../ingest/fold.js'
import { keptFold, stepOf } from '../ingest/stored-form.js'
import { dayStart } from '../metric/bucket.js'
import { type ReportingTables, reportingTables } from '../tables.js'
import { takeTurns } from '../turns.js'
import type { Began } from './mark.js'
import { replaceSwept } from './rebuild.js'
import { type RunSums, sumsOf } from './sums.js'
import { sweptUntil } from './swept.js'

/** How long after its day was closed a run can be repeated or end, and still count once. */
export const LATE_MS = 30 * DAY_MS

export interface Run {
  readonly pipelineId: string
  readonly executionId: string
}
type Fact = Run & Pick<SweptRow, 'status' | 'startedMs' | 'durationMs'>
type SweptRow = ReportingTables['reportSweptRuns']['$inferSelect']

export const runOf = ({ pipelineId, executionId }: Run): string => JSON.stringify([pipelineId, executionId])

/** The lock of the transactions that change the sums of closed days. */
export const lockSwept = (tx: Tx, orgId: string): Promise<void> => takeTurns(tx, [`swept ${orgId}`])

const ofRuns = (columns: Readonly<Record<'pipelineId' | 'executionId', SQLiteColumn>>, runs: readonly Run[]) =>
  or(
    ...[...groupBy(runs, ({ pipelineId }) => pipelineId)].map(([pipelineId, own]) =>
      and(
        eq(columns.pipelineId, pipelineId),
        inArray(
          columns.executionId,
          own.map(({ executionId }) => executionId),
        ),
      ),
    ),
  ) as SQL

/** Stages are left out, unless they are open: a late end would otherwise begin them again. */
export async function leaveRuns(tx: Tx, orgId: string, facts: readonly Fact[], untilMs: number): Promise<void> {
  const { reportSteps: s, reportSweptRuns: t } = reportingTables(tx)
  const steps = await tx
    .select({
      pipelineId: s.pipelineId,
      executionId: s.executionId,
      attempt: s.attempt,
      stage: s.stage,
      action: s.action,
      fold: s.fold,
    })
    .from(s)
    .where(
      and(
        eq(s.orgId, orgId),
        ofRuns(s, facts),
        lt(s.startedMs, untilMs),
        or(and(eq(s.stage, ''), eq(s.action, '')), eq(s.status, 'started')),
      ),
    )
  const byRun = groupBy(steps.map(stepOf), runOf)
  const rows = facts.map((fact) => rowOf(orgId, fact, byRun.get(runOf(fact)) ?? []))
  await upsertRows(tx, t, rows, [t.orgId, t.pipelineId, t.executionId])
}

function rowOf(orgId: string, fact: Fact, steps: readonly Step[]): SweptRow {
  const { pipelineId, executionId, status, startedMs, durationMs } = fact
  const kept = steps.map((step) => {
    const { attempt, stage, action } = step
    return { attempt, stage, action, fold: keptFold(timesOf(step)) }
  })
  return { orgId, pipelineId, executionId, status, startedMs, durationMs, steps: kept }
}

/** A step without anything but its times and its status. */
function timesOf({ pipelineId, executionId, attempt, stage, action, startedAtMs, ranks, ...told }: Step): Step {
  const own: Record<string, unknown> = {}
  const ranked: Record<string, unknown> = {}
  for (const field of ['status', 'completedAtMs', 'durationMs'] as const) {
    if (ranks[field] === undefined) continue
    own[field] = told[field]
    ranked[field] = ranks[field]
  }
  const named = { pipelineId, executionId, attempt, stage, action }
  return { ...named, startedAtMs, committedAtMs: null, ...own, ranks: ranked }
}

export interface LeftRun {
  readonly row: SweptRow
  readonly steps: readonly Step[]
}

/** The deleted runs among these that can still change. Locks the sums of closed days if there are any. */
export async function leftRuns(tx: Tx, orgId: string, runs: readonly Run[]): Promise<ReadonlyMap<string, LeftRun>> {
  const found = new Map<string, LeftRun>()
  if ((await sweptUntil(tx, orgId)) === Number.NEGATIVE_INFINITY) return found
  const { reportSweptRuns: t } = reportingTables(tx)
  const where = and(eq(t.orgId, orgId), ofRuns(t, runs))
  const some = await tx.select({ key: t.pipelineId }).from(t).where(where).limit(1)
  if (some.length === 0) return found
  await lockSwept(tx, orgId)
  const rows = await tx.select().from(t).where(where)
  for (const own of groupBy(rows, dayAndPipeline).values()) {
    // guard: a-day-that-is-forgotten-in-part-keeps-its-sums
    if (!(await isWhole(tx, own[0] as SweptRow))) continue
    for (const row of own) {
      const { pipelineId, executionId } = row
      found.set(runOf(row), { row, steps: row.steps.map((step) => stepOf({ pipelineId, executionId, ...step })) })
    }
  }
  return found
}

const dayAndPipeline = ({ pipelineId, startedMs }: Began): string => `${dayStart(startedMs)} ${pipelineId}`

const runsIn = ({ runs }: { runs: RunSums | null }): number =>
  runs === null ? 0 : runs.succeeded + runs.failed + runs.canceled + runs.open

/** Whether no run of the pipeline's day was forgotten yet. */
async function isWhole(tx: Tx, { orgId, pipelineId, startedMs }: SweptRow): Promise<boolean> {
  const { reportDailyRuns: t } = reportingTables(tx)
  const dayMs = dayStart(startedMs)
  const [sums] = await tx
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.pipelineId, pipelineId), eq(t.part, 'swept'), eq(t.dayMs, dayMs)))
  const left = sumsOf(await leftOn(tx, orgId, pipelineId, dayMs))
  return runsIn({ runs: sums ?? null }) === runsIn({ runs: left })
}

async function leftOn(db: Db, orgId: string, pipelineId: string, dayMs: number) {
  const { reportSweptRuns: t } = reportingTables(db)
  return db
    .select({ status: t.status, startedMs: t.startedMs, durationMs: t.durationMs })
    .from(t)
    .where(
      and(eq(t.orgId, orgId), eq(t.pipelineId, pipelineId), gte(t.startedMs, dayMs), lt(t.startedMs, dayMs + DAY_MS)),
    )
}

export interface Settled {
  /** The steps to store of each run. */
  readonly steps: readonly (readonly Step[])[]
  /** The runs that stay deleted. */
  readonly gone: ReadonlySet<string>
  /** Their days before, and those whose sums changed. */
  readonly began: readonly Began[]
}

/**
 * Puts each deleted run on the day that it began on by everything that is known now: off its closed day, or with its
 * new end on the same one.
 */
export async function settleRuns(
  tx: Tx,
  orgId: string,
  left: ReadonlyMap<string, LeftRun>,
  changed: readonly (readonly Step[])[],
): Promise<Settled> {
  if (left.size === 0) return { steps: changed, gone: new Set(), began: [] }
  const { reportSweptRuns: t } = reportingTables(tx)
  const closedMs = await sweptUntil(tx, orgId)
  const gone = new Set<string>()
  const began: Began[] = []
  const steps: Step[][] = []
  for (const own of changed) {
    const known = own[0] && left.get(runOf(own[0]))
    if (known === undefined) {
      steps.push([...own])
      continue
    }
    steps.push(own.filter((step) => beginOf(step) >= closedMs))
    const fact = executionOf(own)
    const is = and(eq(t.orgId, orgId), eq(t.pipelineId, known.row.pipelineId), eq(t.executionId, known.row.executionId))
    await tx.delete(t).where(is)
    began.push(known.row)
    if (fact !== null && fact.startedAtMs >= closedMs) continue
    gone.add(runOf(known.row))
    const now = fact === null ? known.row : { ...fact, startedMs: fact.startedAtMs }
    const row = rowOf(
      orgId,
      now,
      own.filter((step) => beginOf(step) < closedMs),
    )
    began.push(row)
    await tx.insert(t).values(row)
  }
  await sumAgain(tx, orgId, began)
  return { steps, gone, began }
}

async function sumAgain(tx: Tx, orgId: string, began: readonly Began[]): Promise<void> {
  for (const [dayMs, own] of groupBy(began, ({ startedMs }) => dayStart(startedMs))) {
    const sums = new Map<string, RunSums | null>()
    for (const { pipelineId } of own) sums.set(pipelineId, sumsOf(await leftOn(tx, orgId, pipelineId, dayMs)))
    await replaceSwept(tx, orgId, dayMs, sums)
  }
}
