/**
 * Writes events and the facts derived from them, in one transaction. The result depends only on the set of events, not
 * on their order.
 *
 * INVARIANT: a key holds its greatest event (by instant, then hash); a step is the fold of its events.
 */
import { and, eq, inArray, or, type Placeholder, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import type { Db, Tx } from '../runtime/store/db.js'
import { insertNew, prepared, upsertRows } from '../runtime/store/prepared.js'
import { groupBy } from './group.js'
import { instantOf, type RunEvent } from './ingest/event.js'
import { deploymentsOf, executionOf } from './ingest/facts.js'
import { beginOf, durationOf, foldEvents, type Step, stepKey } from './ingest/fold.js'
import { eventOf, keptEvent, keptFold, stepOf } from './ingest/stored-form.js'
import { type Began, markDays } from './rollup/mark.js'
import { daysOfCommits, daysOfDeployments } from './rollup/mark-deployments.js'
import { leftRuns, type Run, runOf, type Settled, settleRuns } from './rollup/swept-runs.js'
import { type ReportingTables, reportingTables } from './tables.js'
import { laneOf, takeTurns } from './turns.js'

export interface Stored {
  readonly inserted: number
  readonly duplicates: number
  /** Events whose key another event already has; the greater event is kept. */
  readonly conflicts: number
}

export interface Storing {
  readonly orgId: string
  readonly nowMs: number
  /** Events before this instant may have been deleted, so their executions are not folded again from the start. */
  readonly keptFromMs: number
}

type Keyed = Pick<RunEvent, 'pipelineId' | 'key'>
const identity = ({ pipelineId, key }: Keyed): string => `${pipelineId} ${key}`

/** Orders two events of one key: by instant, then by hash. */
const isGreater = (one: RunEvent, other: RunEvent): boolean =>
  instantOf(one) === instantOf(other) ? one.hash > other.hash : instantOf(one) > instantOf(other)

export async function storeEvents(tx: Tx, events: readonly RunEvent[], storing: Storing): Promise<Stored> {
  if (events.length === 0) return { inserted: 0, duplicates: 0, conflicts: 0 }
  const { orgId } = storing
  await lockLanes(tx, orgId, events)
  const unique = new Map<string, RunEvent>()
  let conflicts = 0
  for (const event of events) {
    const known = unique.get(identity(event))
    if (known !== undefined && known.hash !== event.hash) conflicts++
    // guard: of-one-key-the-greater-event-stays
    if (known === undefined || isGreater(event, known)) unique.set(identity(event), event)
  }
  const { fresh, replacing, clashes } = await insertEvents(tx, [...unique.values()], storing)
  const touched = await tellFacts(tx, [...fresh, ...replacing], replacing, storing)
  await markDays(tx, orgId, [...touched, ...(await keepCommits(tx, orgId, events))])
  conflicts += clashes
  return { inserted: fresh.length, duplicates: events.length - fresh.length - conflicts, conflicts }
}

/**
 * Locks the pipelines and commits of a batch, so that two batches about the same one are serialized: each sees the
 * other's writes and marks the days that it changes.
 */
async function lockLanes(
  tx: Tx,
  orgId: string,
  told: readonly { readonly pipelineId?: string; readonly sha: string | null }[],
): Promise<void> {
  const keys = told.flatMap(({ pipelineId, sha }) => [
    ...(pipelineId === undefined ? [] : [laneOf(orgId, pipelineId)]),
    ...(sha === null ? [] : [`commit ${orgId} ${sha}`]),
  ])
  await takeTurns(tx, keys)
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
    event: keptEvent(event),
  }))
  const isNew = new Set((await insertedOf(tx, rows)).map(identity))
  const fresh = events.filter((event) => isNew.has(identity(event)))
  const known = events.filter((event) => !isNew.has(identity(event)))
  if (known.length === 0) return { fresh, replacing: [], clashes: 0 }
  const keys = sql.join(
    known.map(({ pipelineId, key }) => sql`(${pipelineId}, ${key})`),
    sql`, `,
  )
  const stored = await tx
    .select(eventColumns(t))
    .from(t)
    .where(
      and(
        eq(t.orgId, orgId),
        sql`(${t.pipelineId}, ${t.key}) IN (${tx.database === 'pg' ? keys : sql`VALUES ${keys}`})`,
      ),
    )
  const byKey = new Map(stored.map((row) => [identity(row), eventOf(row)]))
  const clashing = known.filter((event) => byKey.get(identity(event))?.hash !== event.hash)
  const replacing = clashing.filter((event) => isGreater(event, byKey.get(identity(event)) as RunEvent))
  for (const event of replacing) {
    await tx
      .update(t)
      .set({
        executionId: event.executionId,
        hash: event.hash,
        occurredMs: instantOf(event),
        event: keptEvent(event),
      })
      .where(and(eq(t.orgId, orgId), eq(t.pipelineId, event.pipelineId), eq(t.key, event.key)))
  }
  const moved = replacing.map((event) => byKey.get(identity(event)) as RunEvent)
  return {
    fresh: [...fresh],
    replacing: [...replacing, ...moved.filter((old) => !replacing.some((event) => runOf(event) === runOf(old)))],
    clashes: clashing.length,
  }
}

type EventRow = ReportingTables['reportEvents']['$inferSelect']

const eventColumns = ({ pipelineId, executionId, key, hash, event }: ReportingTables['reportEvents']) => ({
  ...{ pipelineId, executionId, key, hash, event },
})

/**
 * Inserts the events whose keys are new. SQLite runs one prepared statement per event, PostgreSQL one statement for
 * all.
 */
async function insertedOf(tx: Tx, rows: readonly EventRow[]): Promise<Pick<EventRow, 'pipelineId' | 'key'>[]> {
  const { reportEvents: t } = reportingTables(tx)
  if (tx.database === 'pg') {
    return tx
      .insert(t)
      .values([...rows])
      .onConflictDoNothing()
      .returning({ pipelineId: t.pipelineId, key: t.key })
  }
  const written: EventRow[] = []
  for (const row of rows) if (await insertNew(tx, t, row)) written.push(row)
  return written
}

const ofRuns = (columns: readonly [SQLiteColumn, SQLiteColumn], runs: readonly Run[]): SQL | undefined => {
  const byPipeline = new Map<string, string[]>()
  for (const { pipelineId, executionId } of runs) {
    byPipeline.set(pipelineId, [...(byPipeline.get(pipelineId) ?? []), executionId])
  }
  return or(...[...byPipeline].map(([pipelineId, ids]) => and(eq(columns[0], pipelineId), inArray(columns[1], ids))))
}

/** Updates the facts of every execution in the events. @returns the days that changed. */
async function tellFacts(
  tx: Tx,
  events: readonly RunEvent[],
  replacing: readonly RunEvent[],
  { orgId, keptFromMs }: Storing,
): Promise<Began[]> {
  if (events.length === 0) return []
  const byRun = groupBy(events, runOf)
  const runs = [...byRun.values()].map(([first]) => first as RunEvent)
  const stored = groupBy(await stepsOf(tx, orgId, runs), runOf)
  // guard: a-deleted-run-that-is-repeated-counts-once
  const left = await leftRuns(tx, orgId, runs)
  // The effect of a replaced event is removed by folding the remaining events of its execution again.
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
    const before = [...(left.get(run)?.steps ?? []), ...(again.has(run) ? [] : (stored.get(run) ?? []))]
    const steps = foldEvents(
      new Map(before.map((step) => [stepKey(step), step])),
      again.has(run) ? (all.get(run) ?? []) : own,
    )
    changed.push([...steps.values()])
  }
  // An execution without a stored step has no other stored facts.
  const known = runs.filter((run) => stored.has(runOf(run)))
  const begun = await begunOf(tx, orgId, known)
  if (again.size > 0)
    await dropSteps(
      tx,
      orgId,
      runs.filter((run) => again.has(runOf(run))),
    )
  const settled = await settleRuns(tx, orgId, left, changed)
  return [...begun, ...settled.began, ...(await writeFacts(tx, orgId, known, settled))]
}

const stepColumns = ({ pipelineId, executionId, attempt, stage, action, fold }: ReportingTables['reportSteps']) => ({
  ...{ pipelineId, executionId, attempt, stage, action, fold },
})

const stepsOfRun = prepared((db, value: (name: 'orgId' | 'pipelineId' | 'executionId') => Placeholder) => {
  const { reportSteps: t } = reportingTables(db)
  const run = and(eq(t.pipelineId, value('pipelineId')), eq(t.executionId, value('executionId')))
  return db
    .select(stepColumns(t))
    .from(t)
    .where(and(eq(t.orgId, value('orgId')), run))
})

/** SQLite runs one prepared statement per run, PostgreSQL one statement for all. */
async function stepsOf(db: Db, orgId: string, runs: readonly Run[]): Promise<Step[]> {
  if (db.database === 'sqlite' || runs.length === 1) {
    const found: Step[] = []
    for (const { pipelineId, executionId } of runs) {
      const rows = stepsOfRun(db, { orgId, pipelineId, executionId })
      for (const row of rows instanceof Promise ? await rows : rows) found.push(stepOf(row))
    }
    return found
  }
  const { reportSteps: t } = reportingTables(db)
  const rows = await db
    .select(stepColumns(t))
    .from(t)
    .where(and(eq(t.orgId, orgId), ofRuns([t.pipelineId, t.executionId], runs)))
  return rows.map(stepOf)
}

/**
 * The previously known starts of the executions: if an execution turns out to have started earlier, its old day loses
 * it.
 */
async function begunOf(db: Db, orgId: string, runs: readonly Run[]) {
  if (runs.length === 0) return []
  const { reportExecutions: t } = reportingTables(db)
  return db
    .select({ pipelineId: t.pipelineId, startedMs: t.startedMs })
    .from(t)
    .where(and(eq(t.orgId, orgId), ofRuns([t.pipelineId, t.executionId], runs)))
}

async function eventsOf(db: Db, orgId: string, runs: readonly Run[]): Promise<RunEvent[]> {
  const { reportEvents: t } = reportingTables(db)
  const rows = await db
    .select(eventColumns(t))
    .from(t)
    .where(and(eq(t.orgId, orgId), ofRuns([t.pipelineId, t.executionId], runs)))
  return rows.map(eventOf)
}

async function dropSteps(tx: Tx, orgId: string, runs: readonly Run[]): Promise<void> {
  const { reportSteps: steps, reportExecutions: executions } = reportingTables(tx)
  for (const t of [steps, executions]) {
    await tx.delete(t).where(and(eq(t.orgId, orgId), ofRuns([t.pipelineId, t.executionId], runs)))
  }
}

async function dropDeployments(tx: Tx, orgId: string, runs: readonly Run[]) {
  const { reportDeployments: t } = reportingTables(tx)
  if (runs.length === 0) return []
  return tx
    .delete(t)
    .where(and(eq(t.orgId, orgId), ofRuns([t.pipelineId, t.executionId], runs)))
    .returning()
}

/** @param known the runs that already have stored facts. */
async function writeFacts(tx: Tx, orgId: string, known: readonly Run[], { steps, gone }: Settled): Promise<Began[]> {
  const { reportSteps, reportExecutions, reportDeployments: d } = reportingTables(tx)
  await upsertRows(
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
      fold: keptFold(step),
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
  const executions = steps.flatMap((own) => executionOf(own) ?? []).filter((run) => !gone.has(runOf(run)))
  await upsertRows(
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
  const before = await dropDeployments(tx, orgId, known)
  const units = steps.flatMap(deploymentsOf).map(({ startedAtMs, completedAtMs, committedAtMs, ...rest }) => ({
    orgId,
    ...rest,
    startedMs: startedAtMs,
    completedMs: completedAtMs,
    committedMs: committedAtMs,
  }))
  await upsertRows(tx, d, units, [d.orgId, d.pipelineId, d.executionId, d.attempt, d.environment])
  const began = executions.map(({ pipelineId, startedAtMs }) => ({ pipelineId, startedMs: startedAtMs }))
  return [...began, ...(await daysOfDeployments(tx, orgId, before, units))]
}

type Told = Pick<RunEvent, 'sha' | 'committedAtMs'>

/** Keeps the earliest time that any source reported for each commit. */
export async function noteCommits(tx: Tx, orgId: string, commits: readonly Told[]): Promise<void> {
  await lockLanes(tx, orgId, commits)
  await markDays(tx, orgId, await keepCommits(tx, orgId, commits))
}

const commitBySha = prepared((db, value: (name: 'orgId' | 'sha') => Placeholder) => {
  const { reportCommits: t } = reportingTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.orgId, value('orgId')), eq(t.sha, value('sha'))))
})

async function commitsOf(db: Db, orgId: string, shas: readonly string[]) {
  const [sha = ''] = shas
  if (shas.length === 1) return commitBySha(db, { orgId, sha })
  const { reportCommits: t } = reportingTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), inArray(t.sha, [...shas])))
}

/** @returns the days of deployments whose commit time changed. */
async function keepCommits(tx: Tx, orgId: string, commits: readonly Told[]): Promise<Began[]> {
  const earliest = new Map<string, number>()
  for (const { sha, committedAtMs } of commits) {
    if (sha === null || committedAtMs === null) continue
    earliest.set(sha, Math.min(committedAtMs, earliest.get(sha) ?? committedAtMs))
  }
  if (earliest.size === 0) return []
  const { reportCommits: t } = reportingTables(tx)
  const known = new Map<string, number>()
  for (const { sha, committedMs } of await commitsOf(tx, orgId, [...earliest.keys()])) known.set(sha, committedMs)
  const sooner = [...earliest].filter(([sha, ms]) => ms < (known.get(sha) ?? Number.POSITIVE_INFINITY))
  if (sooner.length === 0) return []
  const least = tx.database === 'pg' ? sql.raw('LEAST') : sql.raw('min')
  await tx
    .insert(t)
    .values(sooner.sort(([a], [b]) => (a < b ? -1 : 1)).map(([sha, committedMs]) => ({ orgId, sha, committedMs })))
    .onConflictDoUpdate({
      target: [t.orgId, t.sha],
      set: { committedMs: sql`${least}(${t.committedMs}, excluded.committed_ms)` },
    })
  // guard: a-commit-told-of-later-changes-the-days-of-its-deployments
  return daysOfCommits(
    tx,
    orgId,
    sooner.map(([sha]) => sha),
  )
}
