/** The recipients of an e-mail about an organization. */
import { and, eq, inArray, isNotNull, or } from 'drizzle-orm'
import type { Permission } from '../../runtime/operation/access.js'
import type { Db } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'

/** Active members who hold the permission by a Role, and the owner. */
export async function permissionHolders(db: Db, orgId: string, permission: Permission): Promise<readonly string[]> {
  const { organizations, roles, roleAssignments } = identityTables(db)
  const granted = await db
    .select({ userId: roleAssignments.userId, permissions: roles.permissions })
    .from(roleAssignments)
    .innerJoin(roles, and(eq(roles.id, roleAssignments.roleId), eq(roles.orgId, orgId)))
    .where(eq(roleAssignments.orgId, orgId))
  const [owner] = await db
    .select({ userId: organizations.ownerId })
    .from(organizations)
    .where(eq(organizations.id, orgId))
  const holders = granted.filter(({ permissions }) => permissions.includes(permission)).map(({ userId }) => userId)
  return [...new Set([...(owner?.userId == null ? [] : [owner.userId]), ...holders])]
}

/**
 * The confirmed addresses of the named active members; without names, those of the owner and the administrators. If
 * every named person has left or has no confirmed address, owner and administrators get the e-mail, so that no
 * notification is lost.
 * @returns each address once, without people who left meanwhile.
 */
export async function mailRecipients(
  db: Db,
  orgId: string,
  userIds: readonly string[] | null,
): Promise<readonly string[]> {
  const named = userIds === null ? [] : await addressesOf(db, orgId, userIds)
  return named.length > 0 ? named : addressesOf(db, orgId, null)
}

async function addressesOf(db: Db, orgId: string, userIds: readonly string[] | null): Promise<readonly string[]> {
  const { memberships, users, organizations, roles, roleAssignments } = identityTables(db)
  const administrators = db
    .select({ userId: roleAssignments.userId })
    .from(roleAssignments)
    .innerJoin(roles, and(eq(roles.id, roleAssignments.roleId), eq(roles.orgId, orgId)))
    .where(and(eq(roleAssignments.orgId, orgId), inArray(roles.grantsLevel, ['admin', 'superadmin'])))
  const owner = db.select({ userId: organizations.ownerId }).from(organizations).where(eq(organizations.id, orgId))
  const wanted =
    userIds === null
      ? or(inArray(memberships.userId, administrators), inArray(memberships.userId, owner))
      : inArray(memberships.userId, [...userIds])
  const rows = await db
    .select({ email: users.email })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(
      and(
        // guard: e-mails-go-to-members-of-the-organization
        eq(memberships.orgId, orgId),
        eq(memberships.isActive, true),
        eq(users.isActive, true),
        // guard: e-mails-go-to-confirmed-addresses
        isNotNull(users.emailVerifiedAtMs),
        wanted,
      ),
    )
    .orderBy(users.email)
  return [...new Set(rows.map(({ email }) => email))]
}
