/** Roles as the API shows them (spec platform 15.2). */
import { and, asc, eq, inArray, sql } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { PERMISSIONS } from '../../runtime/operation/access.js'
import { name } from '../../runtime/operation/name.js'
import { choice, Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'
import type { RoleRow } from './ceiling.js'

export const RoleName = name(2, 60)
export const RoleDescription = Type.String({ maxLength: 200 })
export const RolePermissions = Type.Array(choice(PERMISSIONS), {
  minItems: 1,
  maxItems: PERMISSIONS.length,
  uniqueItems: true,
})

const RoleMember = strictObject({ id: Uuid, username: Type.String(), email: Type.String() })

const fields = {
  id: Uuid,
  orgId: Uuid,
  name: Type.String(),
  description: Type.String(),
  permissions: Type.Array(Type.String()),
  builtIn: Type.Boolean(),
  grantsLevel: Type.Enum(['superadmin', 'admin', 'member']),
  memberCount: Type.Integer({ minimum: 0 }),
  createdAt: Instant,
  updatedAt: Instant,
  revision: Type.Integer(),
}
export const RoleRecord = strictObject(fields)
export const RoleWithMembers = strictObject({ ...fields, members: Type.Array(RoleMember) })

/** The fields that the server sets; an update may send them back unchanged. */
export const SERVER_OWNED = [
  'id',
  'orgId',
  'builtIn',
  'grantsLevel',
  'memberCount',
  'createdAt',
  'updatedAt',
  'revision',
] as const

export function roleRecord(row: RoleRow, memberCount: number): Static<typeof RoleRecord> {
  return {
    id: row.id,
    orgId: row.orgId,
    name: row.name,
    description: row.description,
    permissions: row.permissions,
    builtIn: row.builtIn,
    grantsLevel: row.grantsLevel as 'superadmin' | 'admin' | 'member',
    memberCount,
    createdAt: toIso(row.createdAtMs),
    updatedAt: toIso(row.updatedAtMs),
    revision: row.revision,
  }
}

/** @throws Refusal 404 for an id that is not a Role of the organization. */
export async function findRole(db: Db, orgId: string, roleId: string): Promise<RoleRow> {
  const { roles } = identityTables(db)
  // guard: a-role-by-id
  const [row] = await db
    .select()
    .from(roles)
    .where(and(eq(roles.id, roleId), eq(roles.orgId, orgId)))
  if (row === undefined) throw notFound('Role')
  return row
}

export async function holderIds(db: Db, orgId: string, roleId: string): Promise<string[]> {
  const { roleAssignments } = identityTables(db)
  const rows = await db
    .selectDistinct({ userId: roleAssignments.userId })
    .from(roleAssignments)
    .where(and(eq(roleAssignments.orgId, orgId), eq(roleAssignments.roleId, roleId)))
  return rows.map(({ userId }) => userId)
}

const MEMBERS_SHOWN = 50

/** The first holders of each Role, by user name, and the number of holders. One query for all Roles. */
export async function holdersOf(
  db: Db,
  orgId: string,
  roleIds: readonly string[],
): Promise<ReadonlyMap<string, { count: number; members: Static<typeof RoleMember>[] }>> {
  const holders = new Map<string, { count: number; members: Static<typeof RoleMember>[] }>()
  if (roleIds.length === 0) return holders
  const { roleAssignments, users } = identityTables(db)
  // A person who got the Role both manually and by a group is one holder.
  const held = db
    .selectDistinct({ roleId: roleAssignments.roleId, userId: roleAssignments.userId })
    .from(roleAssignments)
    .where(and(eq(roleAssignments.orgId, orgId), inArray(roleAssignments.roleId, [...roleIds])))
    .as('held')
  const ranked = db
    .select({
      roleId: held.roleId,
      id: users.id,
      username: users.username,
      usernameKey: users.usernameKey,
      email: users.email,
      rank: sql<number>`row_number() OVER (PARTITION BY ${held.roleId} ORDER BY ${users.usernameKey})`.as(
        'holder_rank',
      ),
      count: sql<number>`count(*) OVER (PARTITION BY ${held.roleId})`.as('holder_count'),
    })
    .from(held)
    .innerJoin(users, eq(users.id, held.userId))
    .as('ranked')
  const rows = await db
    .select()
    .from(ranked)
    .where(sql`${ranked.rank} <= ${MEMBERS_SHOWN}`)
    .orderBy(asc(ranked.roleId), asc(ranked.usernameKey))
  for (const { roleId, id, username, email, count } of rows) {
    const entry = holders.get(roleId) ?? { count: Number(count), members: [] }
    entry.members.push({ id, username, email })
    holders.set(roleId, entry)
  }
  return holders
}
