/** Restores a deleted plugin. Source: spec platform 10.1 and 22. */

import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, type PrepareContext, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import { requireCompliance } from '../../runtime/records/compliance.js'
import { announceEntity } from '../../runtime/records/entity.js'
import { NOT_DELETED } from '../../runtime/records/soft-delete.js'
import { enqueueBuild } from '../build-job/enqueue.js'
import { publicCopiesOf } from '../build-job/image-messages.js'
import { lockPlugins } from '../build-job/lock-plugins.js'
import { pluginAttributes } from './attributes.js'
import { checkMayChange, checkUnchanged } from './rights.js'
import { savePlugin } from './save.js'
import { deletedPlugin, onPlugin } from './tombstone.js'
import { stamped } from './update.js'
import { PluginRecord, pluginView } from './view.js'
import { pluginOfVersion } from './visible.js'
import { ComplianceWarnings } from './warnings.js'

async function prepareRestore(context: PrepareContext, id: string) {
  const orgId = tenantId(context)
  const stored = await context.read((db) => deletedPlugin(db, orgId, id))
  await checkMayChange(context, stored)
  await context.read(async (db) => {
    const capacity = capacityOf(context.runtime)
    if (stored.buildStatus !== 'failed') await capacity.checkHeadroom(db, orgId, 'plugins', 1)
    if (stored.archiveBytes > 0) await capacity.checkHeadroom(db, orgId, 'storageBytes', stored.archiveBytes)
  })
  const verdict = await requireCompliance(context, {
    target: 'plugin',
    action: 'restore',
    attributes: pluginAttributes(stored),
    entityId: id,
    entityName: stored.name,
  })
  return { revision: stored.revision, complianceWarnings: verdict.warnings }
}

export const restorePlugin = command({
  name: 'plugin.plugin.restore',
  summary: 'Restore a deleted plugin',
  description: 'It is checked and takes quota like a new plugin. It does not become the default again.',
  http: { method: 'post', path: '/plugins/:id/restore' },
  access: withStepUp(permission('plugins:write')),
  tenant: fromHeader,
  acrossOrganizations: 'places are those of the account',
  audit: ['plugin.update', 'plugin.build.cancel'],
  input: { path: onPlugin },
  output: strictObject({
    plugin: PluginRecord,
    jobId: Type.Optional(
      Type.String({ description: 'The build that starts again, if the plugin was deleted before its image was built' }),
    ),
    complianceWarnings: ComplianceWarnings,
  }),
  errors: [
    'NOT_FOUND',
    'DUPLICATE_ENTRY',
    'CONFLICT',
    'QUOTA_EXCEEDED',
    'INSUFFICIENT_PERMISSIONS',
    'VALIDATION_ERROR',
    'COMPLIANCE_VIOLATION',
    'COMPLIANCE_SERVICE_UNAVAILABLE',
    'SERVICE_UNAVAILABLE',
  ],
  prepare: (context, { path: { id } }) => prepareRestore(context, id),
  async run(context, { path: { id } }, prepared) {
    const { tx, runtime } = context
    const orgId = tenantId(context)
    await lockPlugins(tx, orgId, [id])
    const stored = await deletedPlugin(tx, orgId, id)
    context.checkRevision(stored.revision)
    checkUnchanged(prepared, stored)
    // guard: a-version-that-is-there-again
    if ((await pluginOfVersion(tx, orgId, stored.name, stored.version)) !== null) {
      throw new Refusal(
        'DUPLICATE_ENTRY',
        `${stored.name} ${stored.version} was uploaded again after it was deleted: delete that one first`,
        {
          details: { field: 'version' },
        },
      )
    }
    const capacity = capacityOf(runtime)
    // A plugin whose build failed for good does not count towards the capacity.
    if (stored.buildStatus !== 'failed') await capacity.take(tx, orgId, 'plugins', 1)
    if (stored.archiveBytes > 0) await capacity.take(tx, orgId, 'storageBytes', stored.archiveBytes)
    // The deletion cancelled its build, so it is queued again.
    const isUnbuilt = stored.buildStatus === 'queued' || stored.buildStatus === 'building'
    const row = stamped(context, { ...stored, ...NOT_DELETED, ...(isUnbuilt && { buildStatus: 'queued' }) })
    await savePlugin(tx, row)
    if (row.imageDigest !== null) await context.enqueue(publicCopiesOf(row))
    const jobId = isUnbuilt ? await enqueueBuild(context, row) : null
    await announceEntity(context, orgId, { target: 'plugin', entityId: id, eventType: 'restored' })
    await context.audit('plugin.update', {
      targetType: 'plugin',
      targetId: id,
      details: { id, name: row.name, reason: 'restored' },
    })
    return changed({
      plugin: pluginView(row),
      ...(jobId !== null && { jobId }),
      complianceWarnings: [...prepared.complianceWarnings],
    })
  },
})
