/** Deleting a plugin. Source: spec platform 10.1 and 22. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { Deleted } from '../../runtime/records/soft-delete.js'
import { lockPlugins } from '../build-job/lock-plugins.js'
import { checkMayChange, checkUnchanged } from './rights.js'
import { bury, checkNotPinned, Force } from './tombstone.js'
import { ownPlugin } from './visible.js'

const onPlugin = Type.Object({ id: Uuid })

export const deletePlugin = command({
  name: 'plugin.plugin.delete',
  summary: 'Delete a plugin',
  description: 'It can be restored for a while. Its quota is freed at once.',
  http: { method: 'delete', path: '/plugins/:id' },
  access: permission('plugins:write'),
  tenant: fromHeader,
  audit: ['plugin.delete', 'plugin.build.cancel'],
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
    await lockPlugins(tx, tenantId(context), [id])
    const stored = await ownPlugin(tx, tenantId(context), id)
    context.checkRevision(stored.revision)
    checkUnchanged({ revision }, stored)
    // guard: a-pinned-plugin-stays
    if (force !== true) await checkNotPinned(tx, context, stored)
    const data = await bury(context, stored)
    await context.audit('plugin.delete', { targetType: 'plugin', targetId: id, details: { id, name: stored.name } })
    return changed(data)
  },
})
