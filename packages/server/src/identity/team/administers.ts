/** Whether a person administers an organization: owner or active holder of its built-in Admin Role (spec platform 3.6). */
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import type { OrganizationRow } from '../account/row.js'
import { identityTables } from '../tables.js'

export async function administers(
  db: Db,
  org: Pick<OrganizationRow, 'id' | 'ownerId'>,
  userId: string,
): Promise<'administrator' | 'member' | 'stranger'> {
  const { memberships, roleAssignments, roles } = identityTables(db)
  const rows = await db
    .select({ level: roles.grantsLevel })
    .from(memberships)
    .leftJoin(
      roleAssignments,
      and(eq(roleAssignments.orgId, memberships.orgId), eq(roleAssignments.userId, memberships.userId)),
    )
    .leftJoin(roles, and(eq(roles.id, roleAssignments.roleId), eq(roles.orgId, memberships.orgId)))
    .where(and(eq(memberships.orgId, org.id), eq(memberships.userId, userId), eq(memberships.isActive, true)))
  if (rows.length === 0) return 'stranger'
  return org.ownerId === userId || rows.some(({ level }) => level === 'admin') ? 'administrator' : 'member'
}
