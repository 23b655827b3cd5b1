/** Deleting plugins,. Source: platform decisions 10.1 and 22. */
import { and, eq, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { notFound, Refusal } from '../../runtime/errors.js'
import { permission, withFeature } from '../../runtime/operation/access.js'
import { changed, type ReadContext, tenantId, unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { itemRefusal } from '../../runtime/records/bulk.js'
import { announceEntity } from '../../runtime/records/entity.js'
import { buried, Deleted, deletedView } from '../../runtime/records/tombstone.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockRow, lockRows } from '../../runtime/store/postgres.js'
import { cancelBuilds } from '../build/cancel.js'
import { type PluginRow, pluginTables } from '../tables.js'
import { checkMayChange, checkUnchanged } from './rights.js'
import { dropBeside, updatePlugin } from './save.js'
import { BulkIds, BulkItem, type BulkResult, bulkId, pluginFailure, stamped, validIds } from './update.js'
import { ownPlugin, ownPlugins } from './visible.js'

const onPlugin = Type.Object({ id: Uuid })
const Force = Type.Object({
  force: Type.Optional(Type.Boolean({ description: 'Also while pipelines name exactly this version' })),
})
const PINNING_SHOWN = 20

/** @throws Refusal 409 that names pipelines which would lose their plugin. */
async function checkNotPinned(db: Db, { runtime }: Pick<ReadContext, 'runtime'>, row: PluginRow): Promise<void> {
  const pipelines = (await runtime.pluginReferences?.pinning(db, row.orgId, row, PINNING_SHOWN)) ?? []
  if (pipelines.length === 0) return
  throw new Refusal(
    'CONFLICT',
    `${row.name} ${row.version} is named by pipelines: change them, or send \`?force=true\``,
    {
      details: { pipelines },
    },
  )
}

async function bury(context: WriteContext, row: PluginRow) {
  const tombstone = buried(context)
  const { tx } = context
  await updatePlugin(tx, stamped(context, { ...row, ...tombstone, isDefault: false }))
  await cancelBuilds(tx, row, context.nowMs)
  await announceEntity(context, row.orgId, { target: 'plugin', entityId: row.id, eventType: 'deleted' })
  return deletedView(row.id, tombstone)
}

export const deletePlugin = command({
  name: 'plugin.plugin.delete',
  summary: 'Delete a plugin',
  description: 'It can be restored for a while. Its place is free at once.',
  http: { method: 'delete', path: '/plugins/:id' },
  access: permission('plugins:write'),
  tenant: fromHeader,
  audit: ['plugin.delete'],
  input: { path: onPlugin, query: Force },
  output: Deleted,
  errors: ['NOT_FOUND', 'CONFLICT', 'INSUFFICIENT_PERMISSIONS'],
  async prepare(context, { path: { id } }) {
    const stored = await context.read((db) => ownPlugin(db, tenantId(context), id))
    await checkMayChange(context, stored)
    return stored.revision
  },
  async run(context, { path: { id }, query: { force } }, revision) {
    const { tx } = context
    await lockRow(tx, 'plugins', id)
    const stored = await ownPlugin(tx, tenantId(context), id)
    context.checkRevision(stored.revision)
    checkUnchanged({ revision }, stored)
    if (force !== true) await checkNotPinned(tx, context, stored)
    const data = await bury(context, stored)
    await context.audit('plugin.delete', { targetType: 'plugin', targetId: id, details: { id, name: stored.name } })
    return changed(data)
  },
})

export const bulkDeletePlugins = command({
  name: 'plugin.plugin.bulk-delete',
  summary: 'Delete several plugins',
  http: { method: 'post', path: '/plugins/bulk/delete' },
  access: withFeature('bulk_operations', permission('plugins:write')),
  tenant: fromHeader,
  audit: ['plugin.bulk.delete'],
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
    await lockRows(tx, 'plugins', named)
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
    await context.audit('plugin.bulk.delete', { targetType: 'plugin', details: { reason: `${deleted} plugins` } })
    return changed(data)
  },
})

/** Removes plugins with everything that hangs on them; their archives are taken by the sweep of blobs. */
export async function purgePlugins(tx: Tx, orgId: string, ids: readonly string[]): Promise<void> {
  const { plugins, buildJobs } = pluginTables(tx)
  await dropBeside(tx, orgId, ids)
  await tx.delete(buildJobs).where(and(eq(buildJobs.orgId, orgId), inArray(buildJobs.pluginId, [...ids])))
  await tx.delete(plugins).where(and(eq(plugins.orgId, orgId), inArray(plugins.id, [...ids])))
}
