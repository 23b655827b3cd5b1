/**
 * Dead letters: builds that failed as often as a round allows. They wait for their next round, for a person, or for
 * deletion.
 */
import { and, asc, eq, inArray, lte, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { type Ending, noteCancelled } from '../build-job/cancel-builds.js'
import { deleteJobs } from '../build-job/log-rows.js'
import { pluginTables } from '../tables.js'
import { DEAD_PER_ORG_MAX } from './plan.js'

/** Dead letters whose next round is due wait for a builder again. */
export async function wakeDead(tx: Tx, nowMs: number): Promise<void> {
  const { buildJobs } = pluginTables(tx)
  await tx
    .update(buildJobs)
    .set({ state: 'waiting', round: sql`${buildJobs.round} + 1`, attempts: 0 })
    .where(and(eq(buildJobs.state, 'dead'), eq(buildJobs.isExhausted, false), lte(buildJobs.runAtMs, nowMs)))
}

/** Above the cap of an organization, its own oldest exhausted dead letters are deleted. */
export async function evictDead(tx: Tx, orgId: string): Promise<void> {
  const { buildJobs } = pluginTables(tx)
  // guard: an-organization-loses-its-own-dead-letters-alone
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
  await deleteJobs(tx, orgId, ids)
}

/**
 * Deletes dead letters. A plugin whose next round was still due is marked as failed, because nothing builds it now, and
 * the removal is the end of the build.
 * @returns how many dead letters were deleted.
 */
export async function removeDead(ending: Ending, which?: SQL): Promise<number> {
  const { tx } = ending
  const { buildJobs, buildLogs, plugins } = pluginTables(tx)
  const isDead = and(eq(buildJobs.state, 'dead'), which)
  const pending = tx
    .select({ id: buildJobs.pluginId })
    .from(buildJobs)
    .where(and(isDead, eq(buildJobs.isExhausted, false)))
  // guard: a-plugin-whose-round-was-purged-has-failed
  await tx
    .update(plugins)
    .set({ buildStatus: 'failed' })
    .where(and(eq(plugins.buildStatus, 'queued'), inArray(plugins.id, pending)))
  const dead = tx.select({ id: buildJobs.id }).from(buildJobs).where(isDead)
  await tx.delete(buildLogs).where(inArray(buildLogs.jobId, dead))
  const { id, orgId, pluginId, pluginName, isExhausted } = buildJobs
  const gone = await tx.delete(buildJobs).where(isDead).returning({ id, orgId, pluginId, pluginName, isExhausted })
  for (const job of gone) if (!job.isExhausted) await noteCancelled(ending, job, 'its dead letter was removed')
  return gone.length
}
