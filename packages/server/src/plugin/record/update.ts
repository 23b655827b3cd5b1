/** `PUT /plugins/:id` and `PUT /plugins/bulk/update`. */
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission, withFeature } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { itemRefusal } from '../../runtime/records/bulk.js'
import { announceEntity } from '../../runtime/records/entity.js'
import { lockRow, lockRows } from '../../runtime/store/postgres.js'
import type { PluginRow } from '../tables.js'
import { PLUGIN_CHANGE, type PluginChange, type PreparedChange, prepareChange } from './change.js'
import { checkUnchanged } from './rights.js'
import { updatePlugin } from './save.js'
import { PluginRecord, pluginView, SERVER_OWNED } from './view.js'
import { ownPlugin, ownPlugins } from './visible.js'
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

async function write(context: WriteContext, stored: PluginRow, { next, changed: names, revision }: PreparedChange) {
  checkUnchanged({ revision }, stored)
  if (names.length === 0) return stored
  const row = stamped(context, { ...next, isDefault: next.isDefault, wantsDefault: next.isDefault })
  await updatePlugin(context.tx, row)
  await announceEntity(context, row.orgId, { target: 'plugin', entityId: row.id, eventType: 'updated' })
  return row
}

export const updatePluginOperation = command({
  name: 'plugin.plugin.update',
  summary: 'Update a plugin',
  description: 'What an image was built from does not change: upload a new version for that.',
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
    await lockRow(context.tx, 'plugins', id)
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

const { isActive, category, description, keywords, accessModifier, lifecycle, criticality, labels } = PLUGIN_CHANGE
const BulkData = strictObject(
  {
    isActive,
    isDefault: Type.Optional(
      Type.Unsafe<false>({
        type: 'boolean',
        const: false,
        'x-says': 'is set for one plugin at a time, by its own update: a name has one default',
        description: 'There is one default a name: set it singly',
      }),
    ),
    category,
    description,
    keywords,
    accessModifier,
    lifecycle,
    criticality,
    labels,
  },
  { minProperties: 1 },
)
export const BulkIds = Type.Array(Uuid, { minItems: 1, maxItems: 100, uniqueItems: true })
export const BulkItem = strictObject({
  id: Uuid,
  status: Type.Unsafe<'updated' | 'deleted' | 'failed'>({ type: 'string', enum: ['updated', 'deleted', 'failed'] }),
  code: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
})

type Prepared = { readonly id: string; readonly change?: PreparedChange; readonly refusal?: Refusal }

export const bulkUpdatePlugins = command({
  name: 'plugin.plugin.bulk-update',
  summary: 'Update several plugins',
  description: 'Each as `PUT /plugins/:id` would; one that is refused is reported, and with `atomic=true` refuses all.',
  http: { method: 'put', path: '/plugins/bulk/update' },
  access: withFeature('bulk_operations', permission('plugins:write')),
  tenant: fromHeader,
  audit: ['plugin.bulk.update'],
  input: {
    query: Type.Object({ atomic: Type.Optional(Type.Boolean({ description: 'All or nothing' })) }),
    body: strictObject({ ids: BulkIds, data: BulkData }),
  },
  output: strictObject({ updated: Type.Integer(), failed: Type.Integer(), items: Type.Array(BulkItem) }),
  errors: [...CHANGE_ERRORS],
  async prepare(context, { query: { atomic }, body: { ids, data } }) {
    const rows = new Map(
      (await context.read((db) => ownPlugins(db, tenantId(context), ids))).map((row) => [row.id, row]),
    )
    const prepared: Prepared[] = []
    for (const id of ids) {
      try {
        const stored = rows.get(id)
        if (stored === undefined) throw notFound('Plugin')
        prepared.push({ id, change: await prepareChange(context, stored, data as PluginChange) })
      } catch (error) {
        if (atomic === true) throw error
        prepared.push({ id, refusal: itemRefusal(error) })
      }
    }
    return prepared
  },
  async run(context, { query: { atomic } }, prepared) {
    const { tx } = context
    await lockRows(
      tx,
      'plugins',
      prepared.map(({ id }) => id),
    )
    const rows = new Map(
      (
        await ownPlugins(
          tx,
          tenantId(context),
          prepared.map(({ id }) => id),
        )
      ).map((row) => [row.id, row]),
    )
    const items: { id: string; status: 'updated' | 'failed'; code?: string; message?: string }[] = []
    for (const { id, change, refusal } of prepared) {
      const stored = rows.get(id)
      const failure =
        refusal ??
        (stored === undefined
          ? notFound('Plugin')
          : stored.revision === change?.revision
            ? undefined
            : new Refusal('CONFLICT', 'the plugin changed while it was checked'))
      if (failure === undefined && stored !== undefined && change !== undefined) {
        await write(context, stored, change)
        items.push({ id, status: 'updated' })
      } else if (failure !== undefined) {
        if (atomic === true) throw failure
        items.push({ id, status: 'failed', code: failure.code, message: failure.message })
      }
    }
    const updated = items.filter(({ status }) => status === 'updated').length
    const data = { updated, failed: items.length - updated, items }
    if (updated === 0) return unchanged(data)
    await context.audit('plugin.bulk.update', { targetType: 'plugin', details: { reason: `${updated} plugins` } })
    return changed(data)
  },
})
