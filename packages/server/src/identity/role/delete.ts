/** `DELETE /organization/:id/roles/:roleId`: also takes the Role from all its holders. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, fromPath } from '../../runtime/operation/operation.js'
import { organizationPath } from '../paths.js'
import { provisioningTables } from '../provisioning-tables.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { checkCeiling } from './ceiling.js'
import { holderIds } from './record.js'
import { lockCustomRole } from './update.js'

export const deleteRole = command({
  name: 'identity.role.delete',
  summary: 'Delete a Role and take it from its holders',
  http: { method: 'delete', ...organizationPath('/:id/roles/:roleId'), status: 204 },
  access: permission('roles:manage'),
  tenant: fromPath('id'),
  audit: ['org.role.delete'],
  input: {
    path: Type.Object({ id: Type.String(), roleId: Type.String() }),
    query: Type.Object({ ifUnused: Type.Optional(Type.Boolean()) }),
  },
  output: null,
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS', 'NOT_FOUND', 'SYSTEM_ROLE_IMMUTABLE'],
  async run(context, { path, query: { ifUnused } }) {
    const { tx, authority } = context
    const row = await lockCustomRole(context, path.roleId)
    context.checkRevision(row.revision)
    checkCeiling(authority, row.permissions)
    const holders = await holderIds(tx, row.orgId, row.id)
    if (ifUnused === true && holders.length > 0) {
      throw new Refusal('CONFLICT', `${holders.length} people have the Role: take it from them first`)
    }
    const { roles, roleAssignments } = identityTables(tx)
    await tx
      .delete(roleAssignments)
      .where(and(eq(roleAssignments.orgId, row.orgId), eq(roleAssignments.roleId, row.id)))
    const { groupRoles } = provisioningTables(tx)
    await tx.delete(groupRoles).where(and(eq(groupRoles.orgId, row.orgId), eq(groupRoles.roleId, row.id)))
    await tx.delete(roles).where(and(eq(roles.id, row.id), eq(roles.orgId, row.orgId)))
    dropStale(context, ...holders.map((userId) => ({ userId })))
    await context.audit('org.role.delete', { targetType: 'role', targetId: row.id, details: { name: row.name } })
    return changed(null)
  },
})
