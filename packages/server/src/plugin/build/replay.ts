/** `POST /plugins/queue/dlq/:jobId/replay`. Source: platform decisions 11. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { requireCompliance } from '../../runtime/records/compliance.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { pluginAttributes } from '../record/attributes.js'
import { checkMayChange } from '../record/rights.js'
import { stamped } from '../record/update.js'
import { ownPlugin } from '../record/visible.js'
import { type BuildJobRow, pluginTables } from '../tables.js'
import { enqueueBuild } from './enqueue.js'
import { jobOf } from './seen.js'

export const replayBuild = command({
  name: 'plugin.dlq.replay',
  summary: 'Build a dead letter again',
  description: 'The plugin is checked and takes its place again, as when it was uploaded.',
  http: { method: 'post', path: '/plugins/queue/dlq/:jobId/replay', status: 202 },
  access: permission('plugins:write', 'plugins:publish'),
  tenant: fromHeader,
  acrossOrganizations: 'places are those of the account',
  audit: ['plugin.dlq.replay'],
  input: { path: Type.Object({ jobId: Uuid }) },
  output: strictObject({ replayed: Type.Boolean(), dlqJobId: Uuid, newJobId: Uuid }),
  errors: [
    'NOT_FOUND',
    'CONFLICT',
    'QUOTA_EXCEEDED',
    'VALIDATION_ERROR',
    'INSUFFICIENT_PERMISSIONS',
    'COMPLIANCE_VIOLATION',
    'COMPLIANCE_SERVICE_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
  ],
  async prepare(context, { path: { jobId } }) {
    const plugin = await context.read(async (db) => {
      const job = await jobOf(context, db, jobId)
      if (job.state !== 'dead') throw notDead(job)
      return ownPlugin(db, job.orgId, job.pluginId)
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
  },
  async run(context, { path: { jobId } }, revision) {
    const { tx, runtime } = context
    await lockRow(tx, 'build_jobs', jobId)
    const job = await jobOf(context, tx, jobId)
    if (job.state !== 'dead') throw notDead(job)
    const plugin = await ownPlugin(tx, job.orgId, job.pluginId)
    if (plugin.revision !== revision) throw new Refusal('CONFLICT', 'the plugin changed while it was checked')
    // A plugin whose build failed for good holds no place.
    if (plugin.buildStatus === 'failed') await capacityOf(runtime).take(tx, job.orgId, 'plugins', 1)
    const newJobId = await enqueueBuild(context, plugin)
    const { plugins } = pluginTables(tx)
    const { revision: next, updatedAtMs, updatedBy } = stamped(context, plugin)
    await tx
      .update(plugins)
      .set({ buildStatus: 'queued', revision: next, updatedAtMs, updatedBy })
      .where(and(eq(plugins.id, plugin.id), eq(plugins.orgId, plugin.orgId)))
    await context.audit('plugin.dlq.replay', {
      targetType: 'plugin',
      targetId: plugin.id,
      details: { id: jobId, name: plugin.name },
    })
    return changed({ replayed: true, dlqJobId: jobId, newJobId })
  },
})

const notDead = ({ state }: BuildJobRow): Refusal =>
  new Refusal('CONFLICT', `the build is ${state}: only a dead letter is replayed`)
