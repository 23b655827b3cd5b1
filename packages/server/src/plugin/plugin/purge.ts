/** Remove a deleted plugin for good. Source: spec platform 10.1 and 22. */

import { permission, withStepUp } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader } from '../../runtime/operation/operation.js'
import { PurgedAnswer, purgedView } from '../../runtime/records/soft-delete.js'
import { lockPlugins } from '../build-job/lock-plugins.js'
import { checkMayChange, checkUnchanged } from './rights.js'
import { deletedPlugin, onPlugin, purgePlugins } from './tombstone.js'

export const purgePlugin = command({
  name: 'plugin.plugin.purge',
  summary: 'Purge a deleted plugin',
  http: { method: 'post', path: '/plugins/:id/purge' },
  access: withStepUp(permission('plugins:write')),
  tenant: fromHeader,
  audit: ['plugin.delete'],
  input: { path: onPlugin },
  output: PurgedAnswer,
  errors: ['NOT_FOUND', 'INSUFFICIENT_PERMISSIONS', 'CONFLICT'],
  async prepare(context, { path: { id } }) {
    const stored = await context.read((db) => deletedPlugin(db, tenantId(context), id))
    await checkMayChange(context, stored)
    return stored.revision
  },
  async run(context, { path: { id } }, revision) {
    const { tx } = context
    const orgId = tenantId(context)
    await lockPlugins(tx, orgId, [id])
    const stored = await deletedPlugin(tx, orgId, id)
    context.checkRevision(stored.revision)
    checkUnchanged({ revision }, stored)
    await purgePlugins(tx, orgId, [id], context.runtime)
    await context.audit('plugin.delete', {
      targetType: 'plugin',
      targetId: id,
      details: { id, name: stored.name, reason: 'purged' },
    })
    return changed(purgedView(id, `the plugin ${stored.name} ${stored.version}`))
  },
})
