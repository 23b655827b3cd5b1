/** Builds that failed often enough: they wait for their next round, for a person, or for their end. */
import { and, asc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { pluginTables } from '../tables.js'
import { DEAD_PER_ORG_MAX } from './plan.js'

/** Those whose next round is due wait again. */
export async function wakeDead(tx: Tx, nowMs: number): Promise<void> {
  const { buildJobs } = pluginTables(tx)
  await tx
    .update(buildJobs)
    .set({ state: 'waiting', round: sql`${buildJobs.round} + 1`, attempts: 0 })
    .where(and(eq(buildJobs.state, 'dead'), eq(buildJobs.isExhausted, false), lte(buildJobs.runAtMs, nowMs)))
}

/** Beyond the cap of one organization its own oldest exhausted ones go. */
export async function evictDead(tx: Tx, orgId: string): Promise<void> {
  const { buildJobs } = pluginTables(tx)
  const dead = await tx
    .select({ id: buildJobs.id, isExhausted: buildJobs.isExhausted })
    .from(buildJobs)
    .where(and(eq(buildJobs.orgId, orgId), eq(buildJobs.state, 'dead')))
    .orderBy(asc(buildJobs.failedAtMs), asc(buildJobs.id))
  const surplus = dead.length - DEAD_PER_ORG_MAX
  if (surplus <= 0) return
  const ids = dead
    .filter(({ isExhausted }) => isExhausted)
    .slice(0, surplus)
    .map(({ id }) => id)
  if (ids.length > 0) await tx.delete(buildJobs).where(and(eq(buildJobs.orgId, orgId), inArray(buildJobs.id, ids)))
}

/**
 * Takes dead letters away for good. A plugin whose next round was still to come has failed then: nothing builds it any more.
 * @returns how many.
 */
export async function removeDead(tx: Tx, which?: SQL): Promise<number> {
  const { buildJobs, plugins } = pluginTables(tx)
  const isDead = and(eq(buildJobs.state, 'dead'), which)
  const pending = tx
    .select({ id: buildJobs.pluginId })
    .from(buildJobs)
    .where(and(isDead, eq(buildJobs.isExhausted, false)))
  await tx
    .update(plugins)
    .set({ buildStatus: 'failed' })
    .where(and(eq(plugins.buildStatus, 'queued'), inArray(plugins.id, pending)))
  return (await tx.delete(buildJobs).where(isDead).returning({ id: buildJobs.id })).length
}
