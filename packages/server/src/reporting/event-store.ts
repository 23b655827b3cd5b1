/**
 * Writes events and the facts that follow from them, in one transaction. What is written depends on the set of events alone.
 *
 * INVARIANT: a key holds the greatest event (by instant, then hash) that came under it; a step is the fold of its events.
 */
import { and, eq, getTableColumns, inArray, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db, Tx } from '../runtime/store/db.js'
import { groupBy } from './group.js'
import { instantOf, type RunEvent } from './ingest/event.js'
import { deploymentsOf, executionOf } from './ingest/facts.js'
import { beginOf, durationOf, foldEvents, type Step, stepKey } from './ingest/fold.js'
import { type Began, markDays } from './rollup/mark.js'
import { reportingTables } from './tables.js'

export interface Stored {
  readonly inserted: number
  readonly duplicates: number
  /** Came under a key that another event has; the greater one stays. */
  readonly conflicts: number
}

export interface Storing {
  readonly orgId: string
  readonly nowMs: number
  /** Events before this instant may have been removed already: their executions are not folded again from the start. */
  readonly keptFromMs: number
}

type Keyed = Pick<RunEvent, 'pipelineId' | 'key'>
const identity = ({ pipelineId, key }: Keyed): string => `${pipelineId} ${key}`
type Run = Pick<RunEvent, 'pipelineId' | 'executionId'>
const runOf = ({ pipelineId, executionId }: Run): string => JSON.stringify([pipelineId, executionId])

/** Of two events of one key: the later one, then the one with the greater hash. */
const isGreater = (one: RunEvent, other: RunEvent): boolean =>
  instantOf(one) === instantOf(other) ? one.hash > other.hash : instantOf(one) > instantOf(other)

export async function storeEvents(tx: Tx, events: readonly RunEvent[], storing: Storing): Promise<Stored> {
  if (events.length === 0) return { inserted: 0, duplicates: 0, conflicts: 0 }
  const { orgId } = storing
  await lockRuns(tx, orgId, events)
  const unique = new Map<string, RunEvent>()
  let conflicts = 0
  for (const event of events) {
    const known = unique.get(identity(event))
    if (known !== undefined && known.hash !== event.hash) conflicts++
    // guard: of-one-key-the-greater-event-stays
    if (known === undefined || isGreater(event, known)) unique.set(identity(event), event)
  }
  const { fresh, replacing, clashes } = await insertEvents(tx, [...unique.values()], storing)
  await tellFacts(tx, [...fresh, ...replacing], replacing, storing)
  await noteCommits(tx, orgId, events)
  conflicts += clashes
  return { inserted: fresh.length, duplicates: events.length - fresh.length - conflicts, conflicts }
}

/** Two batches about one execution take turns: each folds what the other wrote. SQLite has one writer anyway. */
async function lockRuns(tx: Tx, orgId: string, events: readonly RunEvent[]): Promise<void> {
  if (tx.database !== 'pg') return
  for (const run of [...new Set(events.map(runOf))].sort()) {
    await tx.rows(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`report ${orgId} ${run}`}, 0))`)
  }
}

interface Inserted {
  readonly fresh: readonly RunEvent[]
  readonly replacing: readonly RunEvent[]
  readonly clashes: number
}

async function insertEvents(tx: Tx, events: readonly RunEvent[], { orgId, nowMs }: Storing): Promise<Inserted> {
  const { reportEvents: t } = reportingTables(tx)
  const rows = events.map((event) => ({
    orgId,
    pipelineId: event.pipelineId,
    executionId: event.executionId,
    key: event.key,
    hash: event.hash,
    occurredMs: instantOf(event),
    receivedMs: nowMs,
    event,
  }))
  const written = await tx
    .insert(t)
    .values(rows)
    .onConflictDoNothing()
    .returning({ pipelineId: t.pipelineId, key: t.key })
  const isNew = new Set(written.map(identity))
  const fresh = events.filter((event) => isNew.has(identity(event)))
  const known = events.filter((event) => !isNew.has(identity(event)))
  if (known.length === 0) return { fresh, replacing: [], clashes: 0 }
  const keys = sql.join(
    known.map(({ pipelineId, key }) => sql`(${pipelineId}, ${key})`),
    sql`, `,
  )
  const stored = await tx
    .select({ event: t.event })
    .from(t)
    .where(
      and(
        eq(t.orgId, orgId),
        sql`(${t.pipelineId}, ${t.key}) IN (${tx.database === 'pg' ? keys : sql`VALUES ${keys}`})`,
      ),
    )
  const byKey = new Map(stored.map(({ event }) => [identity(event), event]))
  const clashing = known.filter((event) => byKey.get(identity(event))?.hash !== event.hash)
  const replacing = clashing.filter((event) => isGreater(event, byKey.get(identity(event)) as RunEvent))
  for (const event of replacing) {
    await tx
      .update(t)
      .set({ executionId: event.executionId, hash: event.hash, occurredMs: instantOf(event), event })
      .where(and(eq(t.orgId, orgId), eq(t.pipelineId, event.pipelineId), eq(t.key, event.key)))
  }
  const moved = replacing.map((event) => byKey.get(identity(event)) as RunEvent)
  return {
    fresh: [...fresh],
    replacing: [...replacing, ...moved.filter((old) => !replacing.some((event) => runOf(event) === runOf(old)))],
    clashes: clashing.length,
  }
}

const ofRuns = (columns: readonly [SQLiteColumn, SQLiteColumn], runs: readonly Run[]): SQL | undefined => {
  const byPipeline = new Map<string, string[]>()
  for (const { pipelineId, executionId } of runs) {
    byPipeline.set(pipelineId, [...(byPipeline.get(pipelineId) ?? []), executionId])
  }
  return or(...[...byPipeline].map(([pipelineId, ids]) => and(eq(columns[0], pipelineId), inArray(columns[1], ids))))
}

/** The facts of every execution that the events are about. */
async function tellFacts(
  tx: Tx,
  events: readonly RunEvent[],
  replacing: readonly RunEvent[],
  { orgId, keptFromMs }: Storing,
): Promise<void> {
  if (events.length === 0) return
  const byRun = groupBy(events, runOf)
  const runs = [...byRun.values()].map(([first]) => first as RunEvent)
  const stored = groupBy(await stepsOf(tx, orgId, runs), runOf)
  // What a replaced event told is taken back by folding the others again.
  const again = new Set(replacing.filter((event) => instantOf(event) >= keptFromMs).map(runOf))
  const all =
    again.size === 0
      ? new Map<string, RunEvent[]>()
      : groupBy(
          await eventsOf(
            tx,
            orgId,
            runs.filter((run) => again.has(runOf(run))),
          ),
          runOf,
        )
  const changed: Step[][] = []
  for (const [run, own] of byRun) {
    const before = again.has(run) ? [] : (stored.get(run) ?? [])
    const steps = foldEvents(
      new Map(before.map((step) => [stepKey(step), step])),
      again.has(run) ? (all.get(run) ?? []) : own,
    )
    changed.push([...steps.values()])
  }
  const begun = await begunOf(tx, orgId, runs)
  if (again.size > 0)
    await dropSteps(
      tx,
      orgId,
      runs.filter((run) => again.has(runOf(run))),
    )
  const executions = await writeFacts(tx, orgId, runs, changed)
  await markDays(tx, orgId, [...begun, ...executions])
}

async function stepsOf(db: Db, orgId: string, runs: readonly Run[]): Promise<Step[]> {
  const { reportSteps: t } = reportingTables(db)
  const rows = await db
    .select({ fold: t.fold })
    .from(t)
    .where(and(eq(t.orgId, orgId), ofRuns([t.pipelineId, t.executionId], runs)))
  return rows.map(({ fold }) => fold)
}

/** When the executions began as far as was known: their days lose them when they turn out to have begun before. */
async function begunOf(db: Db, orgId: string, runs: readonly Run[]) {
  const { reportExecutions: t } = reportingTables(db)
  return db
    .select({ pipelineId: t.pipelineId, startedMs: t.startedMs })
    .from(t)
    .where(and(eq(t.orgId, orgId), ofRuns([t.pipelineId, t.executionId], runs)))
}

async function eventsOf(db: Db, orgId: string, runs: readonly Run[]): Promise<RunEvent[]> {
  const { reportEvents: t } = reportingTables(db)
  const rows = await db
    .select({ event: t.event })
    .from(t)
    .where(and(eq(t.orgId, orgId), ofRuns([t.pipelineId, t.executionId], runs)))
  return rows.map(({ event }) => event)
}

async function dropSteps(tx: Tx, orgId: string, runs: readonly Run[]): Promise<void> {
  const { reportSteps: steps, reportExecutions: executions } = reportingTables(tx)
  for (const t of [steps, executions]) {
    await tx.delete(t).where(and(eq(t.orgId, orgId), ofRuns([t.pipelineId, t.executionId], runs)))
  }
}

async function writeFacts(
  tx: Tx,
  orgId: string,
  runs: readonly Run[],
  steps: readonly (readonly Step[])[],
): Promise<Began[]> {
  const { reportSteps, reportExecutions, reportDeployments: d } = reportingTables(tx)
  await upsert(
    tx,
    reportSteps,
    steps.flat().map((step) => ({
      orgId,
      pipelineId: step.pipelineId,
      executionId: step.executionId,
      attempt: step.attempt,
      stage: step.stage,
      action: step.action,
      status: step.status ?? 'started',
      startedMs: beginOf(step),
      durationMs: step.status === 'started' ? null : durationOf(step),
      error: step.error ?? null,
      fold: step,
    })),
    [
      reportSteps.orgId,
      reportSteps.pipelineId,
      reportSteps.executionId,
      reportSteps.attempt,
      reportSteps.stage,
      reportSteps.action,
    ],
  )
  const executions = steps.flatMap((own) => executionOf(own) ?? [])
  await upsert(
    tx,
    reportExecutions,
    executions.map(({ startedAtMs, completedAtMs, committedAtMs, ...rest }) => ({
      orgId,
      ...rest,
      startedMs: startedAtMs,
      completedMs: completedAtMs,
      committedMs: committedAtMs,
    })),
    [reportExecutions.orgId, reportExecutions.pipelineId, reportExecutions.executionId],
  )
  await tx.delete(d).where(and(eq(d.orgId, orgId), ofRuns([d.pipelineId, d.executionId], runs)))
  const units = steps.flatMap(deploymentsOf).map(({ startedAtMs, completedAtMs, committedAtMs, ...rest }) => ({
    orgId,
    ...rest,
    startedMs: startedAtMs,
    completedMs: completedAtMs,
    committedMs: committedAtMs,
  }))
  if (units.length > 0) await tx.insert(d).values(units)
  return executions.map(({ pipelineId, startedAtMs }) => ({ pipelineId, startedMs: startedAtMs }))
}

const ROWS_AT_ONCE = 500

/** Inserts rows, all their fields given, or replaces those with the same key. */
async function upsert<T extends SQLiteTable>(
  tx: Tx,
  table: T,
  rows: readonly T['$inferSelect'][],
  key: SQLiteColumn[],
): Promise<void> {
  const set = Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(([, column]) => !key.includes(column as SQLiteColumn))
      .map(([field, column]) => [field, sql.raw(`excluded."${column.name}"`)]),
  )
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    await tx
      .insert(table)
      .values(rows.slice(at, at + ROWS_AT_ONCE) as never)
      .onConflictDoUpdate({ target: key, set: set as never })
  }
}

/** The earliest time that anybody told of each commit. */
export async function noteCommits(
  tx: Tx,
  orgId: string,
  commits: readonly Pick<RunEvent, 'sha' | 'committedAtMs'>[],
): Promise<void> {
  const earliest = new Map<string, number>()
  for (const { sha, committedAtMs } of commits) {
    if (sha === null || committedAtMs === null) continue
    earliest.set(sha, Math.min(committedAtMs, earliest.get(sha) ?? committedAtMs))
  }
  if (earliest.size === 0) return
  const { reportCommits: t } = reportingTables(tx)
  const least = tx.database === 'pg' ? sql.raw('LEAST') : sql.raw('min')
  await tx
    .insert(t)
    .values(
      [...earliest].sort(([a], [b]) => (a < b ? -1 : 1)).map(([sha, committedMs]) => ({ orgId, sha, committedMs })),
    )
    .onConflictDoUpdate({
      target: [t.orgId, t.sha],
      set: { committedMs: sql`${least}(${t.committedMs}, excluded.committed_ms)` },
    })
}
