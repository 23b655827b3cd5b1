/**
 * Changes of privilege. A change of Roles takes effect at the next request, also for tokens in use. A removal or
 * deactivation ends the person's access tokens. An organization never loses its last administrator.
 */
import { and, eq, inArray, ne, sql } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Db } from '../../runtime/store/db.js'
import { lockRows } from '../../runtime/store/postgres.js'
import { dropStale, type Writing } from '../stale.js'
import { identityTables } from '../tables.js'

/**
 * Ends every access token of these people: at once in this process, and within the 5 s of the authority cache in
 * others.
 */
export async function endAccessTokens(writing: Writing, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  const { tx } = writing
  const { users } = identityTables(tx)
  const ids = [...new Set(userIds)]
  // An update of several rows does not lock them in a defined order.
  if (ids.length > 1) await lockRows(tx, 'users', ids)
  await tx
    .update(users)
    .set({ tokenVersion: sql`${users.tokenVersion} + 1` })
    .where(inArray(users.id, ids))
  dropStale(writing, ...userIds.map((userId) => ({ userId })))
}

/** How many people other than `userId` hold the Role and can use it: the membership and the account are active. */
export async function otherActiveHolders(db: Db, orgId: string, roleId: string, userId: string): Promise<number> {
  const { roleAssignments, memberships, users } = identityTables(db)
  const rows = await db
    .select({ userId: roleAssignments.userId })
    .from(roleAssignments)
    .innerJoin(memberships, and(eq(memberships.orgId, orgId), eq(memberships.userId, roleAssignments.userId)))
    .innerJoin(users, eq(users.id, roleAssignments.userId))
    .where(
      and(
        eq(roleAssignments.orgId, orgId),
        eq(roleAssignments.roleId, roleId),
        ne(roleAssignments.userId, userId),
        eq(memberships.isActive, true),
        eq(users.isActive, true),
      ),
    )
    .limit(1)
  return rows.length
}

/**
 * Refuses to take an administrator Role from its last active holder. The caller holds the lock of the organization's
 * row; otherwise two administrators could remove each other at the same time.
 */
export async function keepLastHolder(db: Db, orgId: string, roleId: string, userId: string): Promise<void> {
  // guard: the-last-administrator
  if ((await otherActiveHolders(db, orgId, roleId, userId)) === 0) {
    throw new Refusal('LAST_PRIVILEGED_MEMBER', 'this is the last administrator: give the Role to another member first')
  }
}

/**
 * The user administration takes Super Admin away, with a step-up. Only the holder can leave the system organization.
 * @throws Refusal `CONFLICT` when another person would end Super Admin by ending the membership.
 */
export async function keepSuperAdmin(db: Db, orgId: string, userId: string, actorId: string | null): Promise<void> {
  if (orgId !== SYSTEM_ORG_ID || userId === actorId) return
  const { roles, roleAssignments } = identityTables(db)
  const held = await db
    .select({ id: roles.id })
    .from(roleAssignments)
    .innerJoin(roles, eq(roles.id, roleAssignments.roleId))
    .where(
      and(eq(roleAssignments.orgId, orgId), eq(roleAssignments.userId, userId), eq(roles.grantsLevel, 'superadmin')),
    )
  // guard: the-membership-of-a-system-administrator
  if (held.length > 0) {
    throw new Refusal('CONFLICT', 'the person is a system administrator: take Super Admin from them first', {
      details: { hint: 'DELETE /admin/users/:id/superadmin' },
    })
  }
}

/** Calls `keepLastHolder` for each administrator Role that the person holds in the organization. */
export async function keepAdministrators(db: Db, orgId: string, userId: string): Promise<void> {
  const { roles, roleAssignments, memberships } = identityTables(db)
  const held = await db
    .select({ id: roles.id })
    .from(roleAssignments)
    .innerJoin(roles, and(eq(roles.id, roleAssignments.roleId), eq(roles.orgId, roleAssignments.orgId)))
    .innerJoin(memberships, and(eq(memberships.orgId, orgId), eq(memberships.userId, userId)))
    .where(
      and(
        eq(roleAssignments.orgId, orgId),
        eq(roleAssignments.userId, userId),
        inArray(roles.grantsLevel, ['admin', 'superadmin']),
        eq(memberships.isActive, true),
      ),
    )
  for (const { id } of held) await keepLastHolder(db, orgId, id, userId)
}
