import { and, eq } from 'drizzle-orm'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { changed, type Runtime, unchanged } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { deleteMembership } from '../member/delete.js'
import { keepLastHolder } from '../membership/privilege.js'
import { builtInRoleId } from '../role/built-in.js'
import { takeRole } from '../role/give.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'
import { findUser } from '../user/record.js'
import { inEvidence, onSuperAdmin } from './change.js'

export const revokeSuperAdmin = command({
  name: 'identity.super-admin.revoke',
  summary: 'Take system administration from a person',
  http: { method: 'delete', path: '/admin/users/:id/superadmin' },
  ...onSuperAdmin,
  audit: ['admin.superadmin.revoke'],
  errors: ['LAST_PRIVILEGED_MEMBER', 'NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx } = context
    await lockRow(tx, 'organizations', SYSTEM_ORG_ID)
    const user = await findUser(tx, id)
    if (!(await takeSuperAdmin(context, id))) return unchanged({ id, isSuperAdmin: false })
    await context.audit('admin.superadmin.revoke', inEvidence(user))
    return changed({ id, isSuperAdmin: false })
  },
})

/**
 * The caller holds the lock of the system organization.
 * @returns false when the person was not a system administrator.
 * @throws Refusal `LAST_PRIVILEGED_MEMBER`.
 */
async function takeSuperAdmin(context: { tx: Tx; runtime: Runtime }, userId: string): Promise<boolean> {
  const { tx } = context
  const roleId = await builtInRoleId(tx, SYSTEM_ORG_ID, 'Super Admin')
  if (!(await takeRole(tx, { orgId: SYSTEM_ORG_ID, roleId, userId }))) return false
  await keepLastHolder(tx, SYSTEM_ORG_ID, roleId, userId)
  const { roleAssignments } = identityTables(tx)
  const rest = await tx.$count(
    roleAssignments,
    and(eq(roleAssignments.orgId, SYSTEM_ORG_ID), eq(roleAssignments.userId, userId)),
  )
  // A member of the system organization without a Role would still see its members.
  if (rest === 0) await deleteMembership(tx, SYSTEM_ORG_ID, userId)
  dropStale(context, { userId })
  return true
}
