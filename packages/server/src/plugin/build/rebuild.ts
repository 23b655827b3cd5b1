/** Builds a plugin again after a failed build: the plugin is checked and counted again, as when it was uploaded. */
import { and, eq } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import type { PrepareContext, WriteContext } from '../../runtime/operation/context.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { requireCompliance } from '../../runtime/records/compliance.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { enqueueBuild } from '../build-job/enqueue.js'
import { pluginAttributes } from '../plugin/attributes.js'
import { checkMayChange } from '../plugin/rights.js'
import { stamped } from '../plugin/update.js'
import { ownPlugin } from '../plugin/visible.js'
import { type BuildJobRow, type PluginRow, pluginTables } from '../tables.js'
import { jobOf } from './visible.js'

export const AGAIN_ERRORS = [
  'NOT_FOUND',
  'CONFLICT',
  'QUOTA_EXCEEDED',
  'VALIDATION_ERROR',
  'INSUFFICIENT_PERMISSIONS',
  'COMPLIANCE_VIOLATION',
  'COMPLIANCE_SERVICE_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
] as const

type Rebuilding = Pick<
  WriteContext<'plugin.build.cancel'>,
  'tx' | 'runtime' | 'nowMs' | 'actor' | 'authority' | 'audit'
>

/** @throws Refusal when the state of the job does not allow it. */
type CheckState = (job: BuildJobRow, plugin: PluginRow) => void

/** @returns the revision of the plugin that was checked against the rules. */
export async function prepareAgain(context: PrepareContext, jobId: string, check: CheckState): Promise<number> {
  const plugin = await context.read(async (db) => {
    const job = await jobOf(context, db, jobId)
    const found = await ownPlugin(db, job.orgId, job.pluginId)
    check(job, found)
    return found
  })
  await checkMayChange(context, plugin)
  await requireCompliance(context, {
    target: 'plugin',
    action: 'upload',
    attributes: pluginAttributes(plugin),
    entityId: plugin.id,
    entityName: plugin.name,
  })
  return plugin.revision
}

export async function buildAgain(
  context: Rebuilding,
  jobId: string,
  revision: number,
  check: CheckState,
): Promise<{ readonly newJobId: string; readonly plugin: PluginRow }> {
  const { tx, runtime } = context
  await lockRow(tx, 'build_jobs', jobId)
  const job = await jobOf(context, tx, jobId)
  await lockRow(tx, 'plugins', job.pluginId)
  const plugin = await ownPlugin(tx, job.orgId, job.pluginId)
  // guard: a-dead-letter-is-replayed-once
  check(job, plugin)
  if (plugin.revision !== revision) throw new Refusal('CONFLICT', 'the plugin changed while it was checked: try again')
  // A plugin whose build failed for good does not count towards the capacity.
  // guard: a-replay-takes-the-place-again
  if (plugin.buildStatus === 'failed') await capacityOf(runtime).take(tx, job.orgId, 'plugins', 1)
  const newJobId = await enqueueBuild(context, plugin)
  const { plugins } = pluginTables(tx)
  const { revision: next, updatedAtMs, updatedBy } = stamped(context, plugin)
  await tx
    .update(plugins)
    .set({ buildStatus: 'queued', revision: next, updatedAtMs, updatedBy })
    .where(and(eq(plugins.id, plugin.id), eq(plugins.orgId, plugin.orgId)))
  return { newJobId, plugin }
}
