/** `PUT /plugins/:id`. */

import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { announceEntity } from '../../runtime/records/entity.js'
import { publicCopiesOf } from '../build-job/image-messages.js'
import { lockPlugins } from '../build-job/lock-plugins.js'
import type { PluginRow } from '../tables.js'
import { PLUGIN_CHANGE, type PluginChange, type PreparedChange, prepareChange } from './change.js'
import { checkUnchanged } from './rights.js'
import { savePlugin } from './save.js'
import { PluginRecord, pluginView, SERVER_OWNED } from './view.js'
import { ownPlugin } from './visible.js'
import { ComplianceWarnings } from './warnings.js'

export const CHANGE_ERRORS = [
  'NOT_FOUND',
  'VALIDATION_ERROR',
  'INSUFFICIENT_PERMISSIONS',
  'CONFLICT',
  'COMPLIANCE_VIOLATION',
  'COMPLIANCE_SERVICE_UNAVAILABLE',
  'TEMPLATE_PARSE_ERROR',
  'TEMPLATE_UNKNOWN_PATH',
  'TEMPLATE_SECRETS_RESERVED',
  'TEMPLATE_TYPE_MISMATCH',
  'TEMPLATE_CONTRACT_VIOLATION',
  'TEMPLATE_SIZE_EXCEEDED',
  'TEMPLATE_VALIDATION_FAILED',
] as const

/** The row after the write. */
export const stamped = ({ nowMs, actor }: Pick<WriteContext, 'nowMs' | 'actor'>, row: PluginRow): PluginRow => ({
  ...row,
  revision: row.revision + 1,
  updatedAtMs: nowMs,
  updatedBy: actor.id,
})

export async function write(
  context: WriteContext,
  stored: PluginRow,
  { values, changed: names, revision }: PreparedChange,
) {
  checkUnchanged({ revision }, stored)
  if (names.length === 0) return stored
  // guard: an-update-writes-what-it-changes
  const written = { ...stored, ...values }
  const row = stamped(context, {
    ...written,
    wantsDefault: values.isDefault === undefined ? stored.wantsDefault : values.isDefault,
  })
  await savePlugin(context.tx, row)
  if (row.imageDigest !== null && names.includes('accessModifier')) await context.enqueue(publicCopiesOf(row))
  await announceEntity(context, row.orgId, { target: 'plugin', entityId: row.id, eventType: 'updated' })
  return row
}

export const updatePlugin = command({
  name: 'plugin.plugin.update',
  summary: 'Update a plugin',
  description: 'The content of an image cannot change: upload a new version for that.',
  http: { method: 'put', path: '/plugins/:id' },
  access: permission('plugins:write'),
  tenant: fromHeader,
  audit: ['plugin.update'],
  serverOwned: SERVER_OWNED,
  input: { path: Type.Object({ id: Uuid }), body: strictObject(PLUGIN_CHANGE) },
  output: strictObject({ plugin: PluginRecord, complianceWarnings: ComplianceWarnings }),
  errors: [...CHANGE_ERRORS],
  async prepare(context, { path: { id }, body }) {
    const stored = await context.read((db) => ownPlugin(db, tenantId(context), id))
    return prepareChange(context, stored, body as PluginChange)
  },
  async run(context, { path: { id } }, prepared) {
    await lockPlugins(context.tx, tenantId(context), [id])
    const stored = await ownPlugin(context.tx, tenantId(context), id)
    context.checkRevision(stored.revision)
    context.checkServerOwned(pluginView(stored))
    const row = await write(context, stored, prepared)
    const data = { plugin: pluginView(row), complianceWarnings: [...prepared.complianceWarnings] }
    if (prepared.changed.length === 0) return unchanged(data)
    await context.audit('plugin.update', {
      targetType: 'plugin',
      targetId: id,
      details: { id, name: row.name, changed: [...prepared.changed] },
    })
    return changed(data)
  },
})
