/** People as system administrators see them. */
import { and, asc, eq, inArray } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import type { UserRow } from '../new-user.js'
import { identityTables } from '../tables.js'

const fields = {
  id: Uuid,
  username: Type.String(),
  email: Type.String(),
  isEmailVerified: Type.Boolean(),
  isActive: Type.Boolean(),
  isSuperAdmin: Type.Boolean(),
  mustChangePassword: Type.Boolean(),
  hasPassword: Type.Boolean(),
  features: Type.Record(Type.String(), Type.Boolean(), { description: 'Switched on or off for this person' }),
  createdAt: Instant,
  updatedAt: Instant,
  lastActiveAt: nullable(Instant),
  revision: Type.Integer(),
}

export const UserRecord = strictObject(fields)
export const UserWithMemberships = strictObject({
  ...fields,
  memberships: Type.Array(
    strictObject({
      orgId: Uuid,
      name: Type.String(),
      slug: Type.String(),
      isOwner: Type.Boolean(),
      isActive: Type.Boolean(),
    }),
  ),
})

export const SERVER_OWNED = [
  'id',
  'isEmailVerified',
  'isSuperAdmin',
  'mustChangePassword',
  'hasPassword',
  'features',
  'createdAt',
  'updatedAt',
  'lastActiveAt',
  'revision',
] as const

export function userRecord(row: UserRow, isSuperAdmin: boolean): Static<typeof UserRecord> {
  return {
    id: row.id,
    username: row.username,
    email: row.email,
    isEmailVerified: row.emailVerifiedAtMs !== null,
    isActive: row.isActive,
    isSuperAdmin,
    mustChangePassword: row.mustChangePassword,
    hasPassword: row.passwordHash !== null,
    features: row.featureOverrides,
    createdAt: toIso(row.createdAtMs),
    updatedAt: toIso(row.updatedAtMs),
    lastActiveAt: toIsoOrNull(row.lastActiveAtMs),
    revision: row.revision,
  }
}

/** @throws Refusal 404. */
export async function findUser(db: Db, id: string): Promise<UserRow> {
  const { users } = identityTables(db)
  const [row] = await db.select().from(users).where(eq(users.id, id))
  if (row === undefined) throw notFound('User')
  return row
}

/** Those of these people who are system administrators now. */
export async function superAdminsAmong(db: Db, userIds: readonly string[]): Promise<ReadonlySet<string>> {
  if (userIds.length === 0) return new Set()
  const { roleAssignments, roles, memberships } = identityTables(db)
  const rows = await db
    .select({ userId: roleAssignments.userId })
    .from(roleAssignments)
    .innerJoin(roles, and(eq(roles.id, roleAssignments.roleId), eq(roles.orgId, SYSTEM_ORG_ID)))
    .innerJoin(memberships, and(eq(memberships.orgId, SYSTEM_ORG_ID), eq(memberships.userId, roleAssignments.userId)))
    .where(
      and(
        eq(roleAssignments.orgId, SYSTEM_ORG_ID),
        eq(roles.grantsLevel, 'superadmin'),
        eq(memberships.isActive, true),
        inArray(roleAssignments.userId, [...userIds]),
      ),
    )
  return new Set(rows.map(({ userId }) => userId))
}

export async function membershipsOf(db: Db, userId: string) {
  const { memberships, organizations } = identityTables(db)
  const rows = await db
    .select({
      orgId: organizations.id,
      name: organizations.name,
      slug: organizations.slug,
      ownerId: organizations.ownerId,
      isActive: memberships.isActive,
    })
    .from(memberships)
    .innerJoin(organizations, eq(organizations.id, memberships.orgId))
    .where(eq(memberships.userId, userId))
    .orderBy(asc(organizations.slug))
  return rows.map(({ ownerId, ...row }) => ({ ...row, isOwner: ownerId === userId }))
}
