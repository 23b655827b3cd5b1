/**
 * The ceiling: nobody grants what they lack. It is checked before every grant: creating, changing or giving a Role,
 * adding or inviting a member with Roles, transferring ownership. Source: spec platform 5.
 */
import { and, eq, inArray } from 'drizzle-orm'
import { insufficient, invalidField } from '../../runtime/errors.js'
import type { Permission } from '../../runtime/operation/access.js'
import type { Authority } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { ASSIGNABLE_PERMISSIONS } from '../permission/bundles.js'
import { identityTables } from '../tables.js'

/** @throws Refusal `INSUFFICIENT_PERMISSIONS` (ceiling) with the permissions that the actor lacks. */
export function checkCeiling(authority: Pick<Authority, 'permissions'>, granted: readonly string[]): void {
  const exceeds = granted.filter((name) => !authority.permissions.has(name as Permission))
  // guard: nobody-grants-what-they-lack
  if (exceeds.length > 0) {
    throw insufficient('ceiling', `you cannot grant permissions that you lack: ${exceeds.join(', ')}`, { exceeds })
  }
}

/** @throws Refusal `INSUFFICIENT_PERMISSIONS` (not-assignable) for permissions that only Super Admin has. */
export function checkAssignable(permissions: readonly string[]): void {
  const kept = permissions.filter((name) => !ASSIGNABLE_PERMISSIONS.includes(name as Permission))
  // guard: the-ceiling-of-assignable-permissions
  if (kept.length > 0) {
    throw insufficient('not-assignable', `a custom Role cannot hold ${kept.join(', ')}`, { exceeds: kept })
  }
}

export type RoleRow = ReturnType<typeof identityTables>['roles']['$inferSelect']

/**
 * The Roles of the organization with these ids, for a grant by this actor. Super Admin has its own route.
 * @throws Refusal 400 for an id that is not a Role of the organization, and the refusal of the ceiling.
 */
export async function grantableRoles(
  db: Db,
  authority: Authority,
  orgId: string,
  roleIds: readonly string[],
  at = '/body/roleIds',
): Promise<RoleRow[]> {
  const wanted = [...new Set(roleIds)]
  if (wanted.length === 0) return []
  const { roles } = identityTables(db)
  // guard: the-roles-that-are-given-to-a-member
  const rows = await db
    .select()
    .from(roles)
    .where(and(eq(roles.orgId, orgId), inArray(roles.id, wanted)))
  const unknown = wanted.filter((id) => !rows.some((row) => row.id === id))
  if (unknown.length > 0)
    throw invalidField(at, `is not a Role of the organization: ${unknown.join(', ')}`, 'unknown_role')
  for (const row of rows) checkGrant(authority, row)
  return rows
}

/**
 * Checks the ceiling for Roles that were chosen earlier; some may be deleted by now.
 * @throws Refusal of the ceiling.
 */
export async function checkRemainingRoles(
  db: Db,
  authority: Authority,
  orgId: string,
  roleIds: readonly string[],
): Promise<void> {
  if (roleIds.length === 0) return
  const { roles } = identityTables(db)
  const rows = await db
    .select()
    .from(roles)
    .where(and(eq(roles.orgId, orgId), inArray(roles.id, [...roleIds])))
  for (const row of rows) checkGrant(authority, row)
}

/** The combined permissions of these Roles; some may be deleted by now. */
export async function permissionsOf(db: Db, orgId: string, roleIds: readonly string[]): Promise<string[]> {
  if (roleIds.length === 0) return []
  const { roles } = identityTables(db)
  const rows = await db
    .select({ permissions: roles.permissions })
    .from(roles)
    .where(and(eq(roles.orgId, orgId), inArray(roles.id, [...roleIds])))
  return rows.flatMap(({ permissions }) => permissions)
}

/**
 * Checks the ceiling for Roles that a person already holds and that take effect again.
 * @throws Refusal of the ceiling.
 */
export async function checkHeldRoles(db: Db, authority: Authority, orgId: string, userId: string): Promise<void> {
  const { roleAssignments } = identityTables(db)
  const held = await db
    .select({ roleId: roleAssignments.roleId })
    .from(roleAssignments)
    .where(and(eq(roleAssignments.orgId, orgId), eq(roleAssignments.userId, userId)))
  const roleIds = held.map(({ roleId }) => roleId)
  await checkRemainingRoles(db, authority, orgId, roleIds)
}

/** The permissions of the person's Roles in the organization, whether or not the membership is active. */
export async function heldPermissions(db: Db, orgId: string, userId: string): Promise<string[]> {
  const { roles, roleAssignments } = identityTables(db)
  const rows = await db
    .select({ permissions: roles.permissions })
    .from(roleAssignments)
    .innerJoin(roles, and(eq(roles.id, roleAssignments.roleId), eq(roles.orgId, roleAssignments.orgId)))
    .where(and(eq(roleAssignments.orgId, orgId), eq(roleAssignments.userId, userId)))
  return rows.flatMap(({ permissions }) => permissions)
}

/** @throws Refusal when the actor may not give this Role to anyone. */
export function checkGrant(authority: Authority, role: Pick<RoleRow, 'grantsLevel' | 'permissions'>): void {
  // guard: super-admin-is-no-role-to-give
  if (role.grantsLevel === 'superadmin') {
    throw insufficient('not-assignable', 'Super Admin is granted by the user administration only')
  }
  checkCeiling(authority, role.permissions)
}
