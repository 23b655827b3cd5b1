/** `PUT /plugins/:id` and `PUT /plugins/bulk/update`. */
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { UUID } from '../../runtime/ids.js'
import { permission, withFeature } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import {
  bulkItem,
  bulkList,
  ITEM_FAILURE,
  type ItemFailure,
  itemFailure,
  itemRefusal,
  refuseRepeated,
} from '../../runtime/records/bulk.js'
import type { ComplianceViolation } from '../../runtime/records/compliance.js'
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
export const BulkIds = bulkList(Uuid, 100)
export const BulkItem = strictObject({
  index: Type.Integer({ minimum: 0 }),
  id: Type.Optional(Uuid),
  status: Type.Unsafe<'updated' | 'deleted' | 'failed'>({ type: 'string', enum: ['updated', 'deleted', 'failed'] }),
  complianceWarnings: Type.Optional(ComplianceWarnings),
  ...ITEM_FAILURE,
})

export type BulkResult =
  | (ItemFailure & { id?: string })
  | { index: number; id: string; status: 'updated' | 'deleted'; complianceWarnings?: ComplianceViolation[] }

/** The failure of the plugin of an id. */
export const pluginFailure = (index: number, item: unknown, refusal: Refusal): BulkResult => ({
  ...itemFailure(index, refusal),
  ...(typeof item === 'string' && UUID.test(item) ? { id: item } : {}),
})

/** The id at a place of the list. @throws Refusal 400 for no id, 409 for one that stands in the list twice. */
export function bulkId(ids: readonly unknown[], index: number): string {
  const id = bulkItem(Uuid, ids[index], `/body/ids/${index}`)
  const keys = ids.map((each) => (typeof each === 'string' ? each : null))
  refuseRepeated(keys, index, 'another item of this request is about the same plugin', 'ids')
  return id
}

/** The ids of a list that can be ones. */
export const validIds = (ids: readonly unknown[]): string[] => [
  ...new Set(ids.filter((id) => typeof id === 'string' && UUID.test(id)) as string[]),
]

type Prepared = { readonly item: unknown } & ({ readonly change: PreparedChange } | { readonly refusal: Refusal })

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
      (await context.read((db) => ownPlugins(db, tenantId(context), validIds(ids)))).map((row) => [row.id, row]),
    )
    const prepared: Prepared[] = []
    for (const [index, item] of ids.entries()) {
      try {
        const stored = rows.get(bulkId(ids, index))
        if (stored === undefined) throw notFound('Plugin')
        prepared.push({ item, change: await prepareChange(context, stored, data as PluginChange) })
      } catch (error) {
        if (atomic === true) throw error
        prepared.push({ item, refusal: itemRefusal(error) })
      }
    }
    return prepared
  },
  async run(context, { query: { atomic }, body: { ids } }, prepared) {
    const { tx } = context
    const named = validIds(ids)
    await lockRows(tx, 'plugins', named)
    const rows = new Map((await ownPlugins(tx, tenantId(context), named)).map((row) => [row.id, row]))
    const items: BulkResult[] = []
    for (const [index, each] of prepared.entries()) {
      try {
        if ('refusal' in each) throw each.refusal
        const stored = rows.get(each.change.next.id)
        if (stored === undefined) throw notFound('Plugin')
        if (stored.revision !== each.change.revision) {
          throw new Refusal('CONFLICT', 'the plugin changed while it was checked')
        }
        await write(context, stored, each.change)
        const complianceWarnings = [...each.change.complianceWarnings]
        items.push({ index, id: stored.id, status: 'updated', complianceWarnings })
      } catch (error) {
        if (atomic === true) throw error
        items.push(pluginFailure(index, each.item, itemRefusal(error)))
      }
    }
    const updated = items.filter(({ status }) => status === 'updated').length
    const data = { updated, failed: items.length - updated, items }
    if (updated === 0) return unchanged(data)
    await context.audit('plugin.bulk.update', { targetType: 'plugin', details: { reason: `${updated} plugins` } })
    return changed(data)
  },
})
