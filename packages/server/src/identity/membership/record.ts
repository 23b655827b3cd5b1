/**
 * Members as the API shows them, and the one query that lists them: the page of members with their label, joined with
 * their Roles. Labels are derived and grant nothing (spec platform 15.3).
 */
import { type AnyColumn, and, asc, desc, eq, or, type SQL, sql } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { notFound } from '../../runtime/errors.js'
import { containsName, equals } from '../../runtime/operation/filters.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import type { Page } from '../paging.js'
import { identityTables } from '../tables.js'

export const MemberRole = Type.Enum(['owner', 'admin', 'member'])

export const MemberRecord = strictObject({
  id: Uuid,
  username: Type.String(),
  email: Type.String(),
  role: MemberRole,
  isEmailVerified: Type.Boolean(),
  isActive: Type.Boolean(),
  isOwner: Type.Boolean(),
  joinedAt: Instant,
  lastActiveAt: nullable(Instant),
  roles: Type.Array(strictObject({ id: Uuid, name: Type.String() })),
})
export type MemberRecord = Static<typeof MemberRecord>

export const MEMBER_SORTS = ['joinedAt', 'role', 'status', 'username', 'email', 'createdAt'] as const

export interface MemberFilter {
  readonly userId?: string | undefined
  readonly search?: string | undefined
  readonly role?: 'owner' | 'admin' | 'member' | undefined
  readonly isActive?: boolean | undefined
  readonly sortBy?: (typeof MEMBER_SORTS)[number] | undefined
  readonly sortOrder?: 'asc' | 'desc' | undefined
}

/** @returns the page, and the total number of matching members. */
export async function selectMembers(
  db: Db,
  org: ListedOrganization,
  filter: MemberFilter,
  { limit, offset }: Page,
): Promise<{ members: MemberRecord[]; total: number }> {
  const { memberships, users, roles, roleAssignments } = identityTables(db)
  const byMember = { joinedAt: memberships.joinedAtMs, status: memberships.isActive }
  const byUser = { username: users.usernameKey, email: users.emailKey }
  const limited = matching(db, org, filter)
    .orderBy(...inOrder(filter, { ...byMember, ...byUser }, memberships.userId))
    .limit(limit)
    .offset(offset)
    .as('page')
  const columns = {
    joinedAt: limited.joinedAtMs,
    status: limited.isActive,
    username: limited.usernameKey,
    email: limited.emailKey,
  }
  const rows = await db
    .select({
      userId: limited.userId,
      username: limited.username,
      email: limited.email,
      verifiedAtMs: limited.verifiedAtMs,
      lastActiveAtMs: limited.lastActiveAtMs,
      isActive: limited.isActive,
      joinedAtMs: limited.joinedAtMs,
      rank: limited.rank,
      total: limited.total,
      roleId: roles.id,
      roleName: roles.name,
    })
    .from(limited)
    .leftJoin(roleAssignments, and(eq(roleAssignments.orgId, org.id), eq(roleAssignments.userId, limited.userId)))
    .leftJoin(roles, and(eq(roles.id, roleAssignments.roleId), eq(roles.orgId, org.id)))
    .orderBy(...inOrder(filter, columns, limited.userId), asc(roles.nameKey))
  const [first] = rows
  if (first !== undefined) return { members: membersOf(rows), total: Number(first.total) }
  if (offset === 0) return { members: [], total: 0 }
  // A page beyond the end has no row that carries the total.
  const { total } = await selectMembers(db, org, filter, { limit: 1, offset: 0 })
  return { members: [], total }
}

interface ListedOrganization {
  readonly id: string
  readonly ownerId: string | null
}

/** Every member that matches the filter, with the rank for their label and the total number. */
function matching(db: Db, org: ListedOrganization, filter: MemberFilter) {
  const { memberships, users, roles, roleAssignments } = identityTables(db)
  // Compares with the organization itself, not with the membership's column: otherwise PostgreSQL would scan the
  // assignments of all people for many members.
  const holdsAdmin = sql`EXISTS (SELECT 1 FROM ${roleAssignments} JOIN ${roles} ON ${roles.id} = ${roleAssignments.roleId} AND ${roles.orgId} = ${roleAssignments.orgId} WHERE ${roleAssignments.orgId} = ${org.id} AND ${roleAssignments.userId} = ${memberships.userId} AND ${roles.grantsLevel} = 'admin')`
  // 0 owner, 1 admin, 2 member: also the order of `sortBy=role`.
  const rank = sql<number>`CASE WHEN ${memberships.userId} = ${org.ownerId ?? ''} THEN 0 WHEN ${holdsAdmin} THEN 1 ELSE 2 END`
  const conditions: (SQL | undefined)[] = [
    // guard: the-list-of-members
    eq(memberships.orgId, org.id),
    equals(memberships.userId, filter.userId),
    equals(memberships.isActive, filter.isActive),
    filter.role === undefined ? undefined : sql`${rank} = ${LABELS.indexOf(filter.role)}`,
    filter.search === undefined
      ? undefined
      : or(containsName(users.usernameKey, filter.search), containsName(users.emailKey, filter.search)),
  ]
  return db
    .select({
      userId: memberships.userId,
      username: users.username,
      usernameKey: users.usernameKey,
      email: users.email,
      emailKey: users.emailKey,
      verifiedAtMs: users.emailVerifiedAtMs,
      lastActiveAtMs: users.lastActiveAtMs,
      isActive: memberships.isActive,
      joinedAtMs: memberships.joinedAtMs,
      rank: rank.as('rank'),
      total: sql<number>`count(*) OVER ()`.as('total'),
    })
    .from(memberships)
    .innerJoin(users, eq(users.id, memberships.userId))
    .where(and(...conditions))
}

function inOrder(
  { sortBy = 'joinedAt', sortOrder }: MemberFilter,
  columns: Record<'joinedAt' | 'status' | 'username' | 'email', AnyColumn | SQL>,
  id: AnyColumn,
): SQL[] {
  const direction = sortOrder === 'desc' ? desc : asc
  const sorts = { ...columns, createdAt: columns.joinedAt, role: sql`rank` }
  return [direction(sorts[sortBy]), direction(id)]
}

interface MemberRow {
  readonly userId: string
  readonly username: string
  readonly email: string
  readonly verifiedAtMs: number | null
  readonly lastActiveAtMs: number | null
  readonly isActive: boolean
  readonly joinedAtMs: number
  readonly rank: number
  readonly roleId: string | null
  readonly roleName: string | null
}

/** Groups the joined rows by member: a member has one row per Role, or one row without a Role. */
function membersOf(rows: readonly MemberRow[]): MemberRecord[] {
  const members = new Map<string, MemberRecord>()
  for (const { roleId, roleName, ...member } of rows) {
    const role = LABELS[Number(member.rank)] ?? 'member'
    const known = members.get(member.userId) ?? {
      id: member.userId,
      username: member.username,
      email: member.email,
      role,
      isEmailVerified: member.verifiedAtMs !== null,
      isActive: member.isActive,
      isOwner: role === 'owner',
      joinedAt: toIso(member.joinedAtMs),
      lastActiveAt: toIsoOrNull(member.lastActiveAtMs),
      roles: [],
    }
    // A Role that was given both manually and by a group is listed once.
    const isNew = known.roles.every(({ id }) => id !== roleId)
    if (roleId !== null && roleName !== null && isNew) known.roles.push({ id: roleId, name: roleName })
    members.set(member.userId, known)
  }
  return [...members.values()]
}

const LABELS = ['owner', 'admin', 'member'] as const

/** @throws Refusal 404 for a person who is not a member. */
export async function memberRecord(
  db: Db,
  org: { readonly id: string; readonly ownerId: string | null },
  userId: string,
): Promise<MemberRecord> {
  const { members } = await selectMembers(db, org, { userId }, { limit: 1, offset: 0 })
  const [record] = members
  if (record === undefined) throw notFound('Member')
  return record
}
