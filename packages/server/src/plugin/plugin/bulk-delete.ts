/** Delete several plugins. Source: spec platform 10.1 and 22. */
import Type from 'typebox'
import { notFound, type Refusal } from '../../runtime/errors.js'
import { permission, withFeature } from '../../runtime/operation/access.js'
import { changed, tenantId, unchanged } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { itemRefusal } from '../../runtime/records/bulk.js'
import { lockPlugins } from '../build-job/lock-plugins.js'
import { BulkIds, BulkItem, type BulkResult, bulkId, pluginFailure, validIds } from './bulk-update.js'
import { checkMayChange, checkUnchanged } from './rights.js'
import { bury, checkNotPinned, Force } from './tombstone.js'
import { ownPlugins } from './visible.js'

export const bulkDeletePlugins = command({
  name: 'plugin.plugin.bulk-delete',
  summary: 'Delete several plugins',
  http: { method: 'post', path: '/plugins/bulk/delete' },
  access: withFeature('bulk_operations', permission('plugins:write')),
  tenant: fromHeader,
  audit: ['plugin.bulk.delete', 'plugin.build.cancel'],
  input: { query: Force, body: strictObject({ ids: BulkIds }) },
  output: strictObject({ deleted: Type.Integer(), failed: Type.Integer(), items: Type.Array(BulkItem) }),
  errors: ['INSUFFICIENT_PERMISSIONS'],
  async prepare(context, { body: { ids } }) {
    const rows = await context.read((db) => ownPlugins(db, tenantId(context), validIds(ids)))
    const refusals = new Map<string, Refusal>()
    for (const row of rows) {
      try {
        await checkMayChange(context, row)
      } catch (error) {
        refusals.set(row.id, itemRefusal(error))
      }
    }
    return { refusals, revisions: new Map(rows.map(({ id, revision }) => [id, revision])) }
  },
  async run(context, { query: { force }, body: { ids } }, { refusals, revisions }) {
    const { tx } = context
    const named = validIds(ids)
    await lockPlugins(tx, tenantId(context), named)
    const rows = new Map((await ownPlugins(tx, tenantId(context), named)).map((row) => [row.id, row]))
    const items: BulkResult[] = []
    for (const [index, item] of ids.entries()) {
      try {
        const id = bulkId(ids, index)
        const row = rows.get(id)
        if (row === undefined) throw notFound('Plugin')
        const refusal = refusals.get(id)
        if (refusal !== undefined) throw refusal
        checkUnchanged({ revision: revisions.get(id) ?? 0 }, row)
        if (force !== true) await checkNotPinned(tx, context, row)
        await bury(context, row)
        items.push({ index, id, status: 'deleted' })
      } catch (error) {
        items.push(pluginFailure(index, item, itemRefusal(error)))
      }
    }
    const deleted = items.filter(({ status }) => status === 'deleted').length
    const data = { deleted, failed: items.length - deleted, items }
    if (deleted === 0) return unchanged(data)
    await context.audit('plugin.bulk.delete', {
      targetType: 'plugin',
      details: { reason: deleted === 1 ? '1 plugin' : `${deleted} plugins` },
    })
    return changed(data)
  },
})
