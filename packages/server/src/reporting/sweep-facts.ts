/** Removes events and facts that their account keeps no longer; facts by whole days, in UTC. */
import { and, asc, eq, gt, inArray, isNotNull, lt, min } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { DAY_MS } from '../runtime/clock.js'
import type { Runtime } from '../runtime/operation/context.js'
import type { Db, Tx } from '../runtime/store/db.js'
import { groupBy } from './group.js'
import { dayStart } from './metric/bucket.js'
import { removeSome } from './registration.js'
import { keptFrom, retentionOfOrg, WINDOW_DAYS_MAX } from './retention.js'
import { markDays } from './rollup/mark.js'
import { addSwept } from './rollup/rebuild.js'
import { reportingTables } from './tables.js'

/** The organizations that have something to sweep, each found along the index of its table. */
export async function organizationsWithFacts(db: Db): Promise<string[]> {
  const { reportEvents: e, reportSteps: s } = reportingTables(db)
  const found = new Set<string>()
  for (const table of [e, s]) {
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

/** At most `rowsMax` rows of each table of one organization. @returns the largest of their numbers. */
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
    const { reportSteps: s, reportDeployments: d, reportOutcomes: o, reportIncidents: i } = t
    gone.push(await sweepRuns(tx, orgId, untilMs, rowsMax))
    await remove(s, [s.orgId, s.pipelineId, s.executionId, s.attempt, s.stage, s.action], s.startedMs, untilMs)
    await remove(d, [d.orgId, d.pipelineId, d.executionId, d.attempt, d.environment], d.startedMs, untilMs)
    await remove(o, [o.orgId, o.pipelineId, o.executionId, o.environment, o.outcome], o.atMs, untilMs)
    const { reportDailyRuns: r } = t
    const long = dayStart(keptFrom(WINDOW_DAYS_MAX, nowMs) - 31 * DAY_MS)
    await remove(r, [r.orgId, r.pipelineId, r.part, r.dayMs], r.dayMs, long)
    // An incident that is open says that something is broken now.
    await remove(i, [i.orgId, i.incidentId], i.resolvedMs, untilMs)
  }
  return Math.max(0, ...gone)
}

/** Runs leave their sums: what their day came to does not change. */
async function sweepRuns(tx: Tx, orgId: string, untilMs: number, rowsMax: number): Promise<number> {
  const { reportExecutions: e } = reportingTables(tx)
  const facts = await tx
    .select({
      pipelineId: e.pipelineId,
      executionId: e.executionId,
      status: e.status,
      startedMs: e.startedMs,
      durationMs: e.durationMs,
    })
    .from(e)
    .where(and(eq(e.orgId, orgId), lt(e.startedMs, untilMs)))
    .orderBy(asc(e.startedMs))
    .limit(rowsMax)
  if (facts.length === 0) return 0
  await markDays(tx, orgId, facts)
  // guard: a-run-that-is-removed-leaves-its-sums
  await addSwept(tx, orgId, facts)
  for (const [pipelineId, own] of groupBy(facts, (fact) => fact.pipelineId)) {
    const ids = own.map(({ executionId }) => executionId)
    await tx.delete(e).where(and(eq(e.orgId, orgId), eq(e.pipelineId, pipelineId), inArray(e.executionId, ids)))
  }
  return facts.length
}
