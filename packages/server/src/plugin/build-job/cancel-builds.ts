/** Ends builds that nobody needs any more: each once, with one event that names the build and who ended it. */
import { and, eq, inArray, type SQL } from 'drizzle-orm'
import type { JobWrite } from '../../runtime/jobs/define.js'
import type { Authority } from '../../runtime/operation/context.js'
import { type BuildJobRow, type PluginRow, pluginTables } from '../tables.js'

/** The states of a build that may still change its plugin, or be woken again. */
export const UNFINISHED = ['waiting', 'delayed', 'active', 'dead'] as const

/** A request or a job that ends builds. */
export type Ending = Pick<JobWrite<'plugin.build.cancel'>, 'tx' | 'nowMs' | 'audit'> & {
  readonly authority?: Pick<Authority, 'org'>
}

/** Why a build was cancelled other than by a request for that. */
export type CancelReason =
  | 'the plugin was deleted'
  | 'the plugin is built again'
  | 'the organization was deleted'
  | 'its dead letter was removed'

/**
 * Cancels the unfinished builds of the plugin. A builder that holds one finds its fence outdated.
 * @param reason why; the build then shows it in place of the error of an earlier attempt. Null for a cancellation that
 * somebody asked for.
 */
export const cancelBuilds = (
  ending: Ending,
  { id, orgId }: Pick<PluginRow, 'id' | 'orgId'>,
  reason: CancelReason | null,
): Promise<BuildJobRow[]> => {
  const { buildJobs: t } = pluginTables(ending.tx)
  return cancelWhere(ending, and(eq(t.orgId, orgId), eq(t.pluginId, id)), reason)
}

/** @returns the builds that ended. */
export async function cancelWhere(
  ending: Ending,
  which: SQL | undefined,
  reason: CancelReason | null,
): Promise<BuildJobRow[]> {
  const { tx, nowMs } = ending
  const { buildJobs: t } = pluginTables(tx)
  const cancelled = {
    state: 'cancelled',
    phase: null,
    logTail: null,
    secretsGiven: null,
    leaseUntilMs: null,
    finishedAtMs: nowMs,
  }
  const isUnfinished = and(which, inArray(t.state, [...UNFINISHED]))
  // A dead letter that no round wakes had its event when it failed.
  // guard: a-build-that-failed-ends-once
  const isUnended = eq(t.isExhausted, false)
  const ended = await tx
    .update(t)
    .set({ ...cancelled, ...(reason === null ? {} : { lastError: reason, category: null }) })
    .where(and(isUnfinished, isUnended))
    .returning()
  await tx.update(t).set(cancelled).where(isUnfinished)
  for (const job of ended) await noteCancelled(ending, job, reason)
  return ended
}

export async function noteCancelled(
  { authority, audit }: Ending,
  { id, orgId, pluginId, pluginName }: Pick<BuildJobRow, 'id' | 'orgId' | 'pluginId' | 'pluginName'>,
  reason: CancelReason | null,
): Promise<void> {
  // guard: a-cancelled-build-leaves-its-event
  await audit('plugin.build.cancel', {
    ...(authority?.org?.id === orgId ? {} : { orgId }),
    targetType: 'plugin',
    targetId: pluginId,
    details: { id, name: pluginName, ...(reason === null ? {} : { reason }) },
  })
}
