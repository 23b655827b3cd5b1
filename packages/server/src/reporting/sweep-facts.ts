/** Deletes events and facts after their account's retention; facts by whole days, in UTC. */
import { and, asc, eq, gt, inArray, isNotNull, lt, min, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { DAY_MS } from '../runtime/clock.js'
import type { Runtime } from '../runtime/operation/context.js'
import type { Db, Tx } from '../runtime/store/db.js'
import { groupBy } from './group.js'
import { dayStart } from './metric/bucket.js'
import { removeSome } from './registration.js'
import { keptFrom, retentionOfOrg, WINDOW_DAYS_MAX } from './retention.js'
import { markDays } from './rollup/mark.js'
import { daysOfDeployments } from './rollup/mark-deployments.js'
import { addSwept } from './rollup/rebuild.js'
import { sweptUntil } from './rollup/swept.js'
import { LATE_MS, leaveRuns, lockSwept } from './rollup/swept-runs.js'
import { reportingTables } from './tables.js'
import { laneOf, takeTurns } from './turns.js'

/** The organizations with rows to sweep, each found by a seek along the index of its table. */
export async function organizationsWithFacts(db: Db): Promise<string[]> {
  const { reportEvents: e, reportSteps: s, reportSweptRuns: r } = reportingTables(db)
  const found = new Set<string>()
  for (const table of [e, s, r]) {
    let after = ''
    for (;;) {
      const [row] = await db
        .select({ orgId: min(table.orgId) })
        .from(table)
        .where(gt(table.orgId, after))
      if (row?.orgId == null) break
      found.add(row.orgId)
      after = row.orgId
    }
  }
  return [...found].sort()
}

/** Deletes at most `rowsMax` rows of each table of one organization. @returns the largest number of one table. */
export async function sweepFacts(
  tx: Tx,
  runtime: Runtime,
  orgId: string,
  nowMs: number,
  rowsMax: number,
): Promise<number> {
  const { eventDays, factDays } = await retentionOfOrg(tx, runtime, orgId, nowMs)
  const t = reportingTables(tx)
  const gone: number[] = []
  const remove = async (table: SQLiteTable, key: readonly SQLiteColumn[], time: SQLiteColumn, untilMs: number) => {
    const where = and(eq(key[0] as SQLiteColumn, orgId), isNotNull(time), lt(time, untilMs))
    gone.push(await removeSome(tx, table, key, where, rowsMax))
  }
  if (eventDays !== -1) {
    const { reportEvents: e } = t
    await remove(e, [e.orgId, e.pipelineId, e.key], e.occurredMs, dayStart(keptFrom(eventDays, nowMs)))
  }
  if (factDays !== -1) {
    const untilMs = dayStart(keptFrom(factDays, nowMs))
    const { reportSteps: s, reportOutcomes: o, reportIncidents: i } = t
    const runs = await sweepRuns(tx, orgId, untilMs, rowsMax)
    gone.push(runs)
    // The steps of a run go after it, because what is left of it is made of them.
    if (runs < rowsMax)
      await remove(s, [s.orgId, s.pipelineId, s.executionId, s.attempt, s.stage, s.action], s.startedMs, untilMs)
    gone.push(await sweepDeployments(tx, orgId, untilMs, rowsMax))
    await remove(o, [o.orgId, o.pipelineId, o.executionId, o.environment, o.outcome], o.atMs, untilMs)
    const { reportDailyRuns: r } = t
    const long = dayStart(keptFrom(WINDOW_DAYS_MAX, nowMs) - 31 * DAY_MS)
    await remove(r, [r.orgId, r.pipelineId, r.part, r.dayMs], r.dayMs, long)
    // An open incident is kept, because it says that something is broken now.
    await remove(i, [i.orgId, i.incidentId], i.resolvedMs, untilMs)
  }
  const { reportSweptRuns: l } = t
  const closedMs = Math.max(await sweptUntil(tx, orgId), factDays === -1 ? 0 : dayStart(keptFrom(factDays, nowMs)))
  await remove(l, [l.orgId, l.pipelineId, l.executionId], l.startedMs, closedMs - LATE_MS)
  return Math.max(0, ...gone)
}

/**
 * Marks the days whose deployments are deleted, and the days that depended on them: delivery metrics reach back only as
 * far as the facts.
 */
async function sweepDeployments(tx: Tx, orgId: string, untilMs: number, rowsMax: number): Promise<number> {
  const { reportDeployments: d } = reportingTables(tx)
  const key = sql.join([d.pipelineId, d.executionId, d.attempt, d.environment], sql`, `)
  const old = and(eq(d.orgId, orgId), lt(d.startedMs, untilMs))
  const gone = await tx
    .delete(d)
    .where(and(eq(d.orgId, orgId), sql`(${key}) IN (SELECT ${key} FROM ${d} WHERE ${old} LIMIT ${rowsMax})`))
    .returning()
  await markDays(tx, orgId, await daysOfDeployments(tx, orgId, gone, []))
  return gone.length
}

/** Deleted runs leave their sums, so the totals of their day do not change. */
async function sweepRuns(tx: Tx, orgId: string, untilMs: number, rowsMax: number): Promise<number> {
  const { reportExecutions: e } = reportingTables(tx)
  const old = and(eq(e.orgId, orgId), lt(e.startedMs, untilMs))
  const found = await tx
    .select({ pipelineId: e.pipelineId })
    .from(e)
    .where(old)
    .orderBy(asc(e.startedMs))
    .limit(rowsMax)
  if (found.length === 0) return 0
  const ids = [...new Set(found.map(({ pipelineId }) => pipelineId))]
  // What is told of these pipelines meanwhile waits, and then finds what is left of the runs.
  await takeTurns(
    tx,
    ids.map((id) => laneOf(orgId, id)),
  )
  await lockSwept(tx, orgId)
  const facts = await tx
    .select({
      pipelineId: e.pipelineId,
      executionId: e.executionId,
      status: e.status,
      startedMs: e.startedMs,
      durationMs: e.durationMs,
    })
    .from(e)
    .where(and(old, inArray(e.pipelineId, ids)))
    .orderBy(asc(e.startedMs))
    .limit(rowsMax)
  if (facts.length === 0) return found.length
  await markDays(tx, orgId, facts)
  // guard: a-run-that-is-removed-leaves-its-sums
  await addSwept(tx, orgId, facts)
  await leaveRuns(tx, orgId, facts, untilMs)
  for (const [pipelineId, own] of groupBy(facts, (fact) => fact.pipelineId)) {
    const ids = own.map(({ executionId }) => executionId)
    await tx.delete(e).where(and(eq(e.orgId, orgId), eq(e.pipelineId, pipelineId), inArray(e.executionId, ids)))
  }
  return found.length
}
