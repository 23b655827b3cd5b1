/** Update several plugins. */
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { UUID } from '../../runtime/ids.js'
import { permission, withFeature } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
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
import { lockPlugins } from '../build-job/lock-plugins.js'
import { PLUGIN_CHANGE, type PluginChange, type PreparedChange, prepareChange } from './change.js'
import { CHANGE_ERRORS, write } from './update.js'
import { ownPlugins } from './visible.js'
import { ComplianceWarnings } from './warnings.js'

const { isActive, category, description, keywords, accessModifier, lifecycle, criticality, labels } = PLUGIN_CHANGE

const BulkData = strictObject(
  {
    isActive,
    isDefault: Type.Optional(
      Type.Unsafe<false>({
        type: 'boolean',
        const: false,
        'x-says': 'can be set for one plugin at a time, by its own update: a name has one default',
        description: 'A name has one default: set it for one plugin',
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

/** The failure of one item of the list, with its id if that is valid. */
export const pluginFailure = (index: number, item: unknown, refusal: Refusal): BulkResult => ({
  ...itemFailure(index, refusal),
  ...(typeof item === 'string' && UUID.test(item) ? { id: item } : {}),
})

/** The id at an index of the list. @throws Refusal 400 for an invalid id, 409 for one that the list contains twice. */
export function bulkId(ids: readonly unknown[], index: number): string {
  const id = bulkItem(Uuid, ids[index], `/body/ids/${index}`)
  const keys = ids.map((each) => (typeof each === 'string' ? each : null))
  refuseRepeated(keys, index, 'another item of this request changes the same plugin', 'ids')
  return id
}

/** The valid ids of a list, each once. */
export const validIds = (ids: readonly unknown[]): string[] => [
  ...new Set(ids.filter((id) => typeof id === 'string' && UUID.test(id)) as string[]),
]

type Prepared = { readonly item: unknown } & ({ readonly change: PreparedChange } | { readonly refusal: Refusal })

export const bulkUpdatePlugins = command({
  name: 'plugin.plugin.bulk-update',
  summary: 'Update several plugins',
  description: 'Each like `PUT /plugins/:id`; an item that is refused is reported, and with `atomic=true` refuses all.',
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
    await lockPlugins(tx, tenantId(context), named)
    const rows = new Map((await ownPlugins(tx, tenantId(context), named)).map((row) => [row.id, row]))
    const items: BulkResult[] = []
    for (const [index, each] of prepared.entries()) {
      try {
        if ('refusal' in each) throw each.refusal
        const stored = rows.get(each.change.next.id)
        if (stored === undefined) throw notFound('Plugin')
        if (stored.revision !== each.change.revision) {
          throw new Refusal('CONFLICT', 'the plugin changed while it was checked: try again')
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
    await context.audit('plugin.bulk.update', {
      targetType: 'plugin',
      details: { reason: updated === 1 ? '1 plugin' : `${updated} plugins` },
    })
    return changed(data)
  },
})
