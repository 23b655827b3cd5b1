import { and, eq, inArray } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { type PluginRow, pluginTables } from '../tables.js'

/** The states of a build that may still change its plugin, or be woken again. */
export const UNFINISHED = ['waiting', 'delayed', 'active', 'dead'] as const

/** Cancels the unfinished builds of the plugin. A builder that holds one finds its fence outdated. */
export async function cancelBuilds(
  tx: Tx,
  { id, orgId }: Pick<PluginRow, 'id' | 'orgId'>,
  nowMs: number,
): Promise<void> {
  const { buildJobs } = pluginTables(tx)
  await tx
    .update(buildJobs)
    .set({
      state: 'cancelled',
      phase: null,
      logTail: null,
      secretsGiven: null,
      leaseUntilMs: null,
      finishedAtMs: nowMs,
    })
    .where(and(eq(buildJobs.orgId, orgId), eq(buildJobs.pluginId, id), inArray(buildJobs.state, [...UNFINISHED])))
}
