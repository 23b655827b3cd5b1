/**
 * Roles follow groups: a person has the Roles that the mappings of their groups give, and keeps the Roles that were
 * given manually. A mapping gives a Role to more people only while its author may give it. The last administrator keeps
 * Admin, and the administrators are notified.
 *
 * INVARIANT: the caller holds the lock of the organization's row, as every operation does that gives or takes a Role.
 */
import type { ActionName } from '@plumbline/audit-chain'
import { and, eq, inArray } from 'drizzle-orm'
import { sendMail } from '../../runtime/mail/send.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import { lastAdministratorMail } from '../mail/sign-on.js'
import { mailRecipients } from '../member/mail-recipients.js'
import { otherActiveHolders } from '../membership/privilege.js'
import { provisioningTables } from '../provisioning-tables.js'
import { dropStale } from '../stale.js'
import { readStanding } from '../standing.js'
import { identityTables, MANUAL } from '../tables.js'

export type Following = WriteContext<'org.role.member.add' | 'org.role.member.remove'>
export const FOLLOWING = ['org.role.member.add', 'org.role.member.remove'] as const satisfies readonly ActionName[]

export interface Provider {
  readonly id: string
  readonly orgId: string
}

interface Pair {
  readonly userId: string
  readonly roleId: string
}

interface Given extends Pair {
  readonly authorIds: Set<string>
}

interface Role {
  readonly id: string
  readonly name: string
  readonly permissions: readonly string[]
  readonly grantsLevel: string
}

const PEOPLE_AT_ONCE = 500
const keyOf = ({ userId, roleId }: Pair): string => `${userId} ${roleId}`

/** Gives and takes Roles to match the groups of these people. @returns how many Roles were given and taken. */
export async function followGroups(
  context: Following,
  provider: Provider,
  userIds: readonly string[],
): Promise<number> {
  let changes = 0
  for (let at = 0; at < userIds.length; at += PEOPLE_AT_ONCE) {
    changes += await followSome(context, provider, userIds.slice(at, at + PEOPLE_AT_ONCE))
  }
  return changes
}

async function followSome(context: Following, provider: Provider, userIds: readonly string[]): Promise<number> {
  const { tx } = context
  const held = await heldBy(tx, provider, userIds)
  const given = await givenTo(tx, provider, userIds)
  const roles = await rolesOf(tx, provider.orgId, [...given.values(), ...held.values()])
  const mays = new Map<string, ReadonlySet<string>>()
  const adding: Pair[] = []
  for (const [key, pair] of given) {
    const role = roles.get(pair.roleId)
    if (held.has(key) || role === undefined) continue
    if (await mayGive(context, provider.orgId, pair.authorIds, role, mays)) adding.push(pair)
  }
  for (const pair of adding) await give(context, provider, pair, roles.get(pair.roleId) as Role)
  let taken = 0
  for (const [key, pair] of held) {
    const role = roles.get(pair.roleId)
    if (!given.has(key) && (await take(context, provider, pair, role))) taken += 1
  }
  return adding.length + taken
}

async function heldBy(db: Db, { id, orgId }: Provider, userIds: readonly string[]): Promise<Map<string, Pair>> {
  const { roleAssignments: t } = identityTables(db)
  const rows = await db
    .select({ userId: t.userId, roleId: t.roleId })
    .from(t)
    .where(and(eq(t.orgId, orgId), inArray(t.userId, [...userIds]), eq(t.source, id)))
  return new Map(rows.map((row) => [keyOf(row), row]))
}

async function givenTo(db: Db, { id, orgId }: Provider, userIds: readonly string[]): Promise<Map<string, Given>> {
  const { groupRoles, idpGroupMembers: members } = provisioningTables(db)
  const { memberships } = identityTables(db)
  const rows = await db
    .select({ userId: members.userId, roleId: groupRoles.roleId, authorId: groupRoles.authorId })
    .from(members)
    .innerJoin(groupRoles, and(eq(groupRoles.orgId, orgId), eq(groupRoles.groupId, members.groupId)))
    .innerJoin(memberships, and(eq(memberships.orgId, orgId), eq(memberships.userId, members.userId)))
    .where(and(eq(members.orgId, orgId), inArray(members.userId, [...userIds]), eq(groupRoles.providerId, id)))
  const given = new Map<string, Given>()
  for (const { authorId, ...pair } of rows) {
    const known = given.get(keyOf(pair)) ?? { ...pair, authorIds: new Set<string>() }
    known.authorIds.add(authorId)
    given.set(keyOf(pair), known)
  }
  return given
}

async function rolesOf(db: Db, orgId: string, pairs: readonly Pair[]): Promise<Map<string, Role>> {
  const ids = [...new Set(pairs.map(({ roleId }) => roleId))]
  if (ids.length === 0) return new Map()
  const { roles: t } = identityTables(db)
  const rows = await db
    .select({ id: t.id, name: t.name, permissions: t.permissions, grantsLevel: t.grantsLevel })
    .from(t)
    .where(and(eq(t.orgId, orgId), inArray(t.id, ids)))
  return new Map(rows.map((row) => [row.id, row]))
}

/** Whether one of the authors may give the Role now. */
async function mayGive(
  { tx, runtime }: Following,
  orgId: string,
  authorIds: Iterable<string>,
  role: Role,
  mays: Map<string, ReadonlySet<string>>,
): Promise<boolean> {
  if (role.grantsLevel === 'superadmin') return false
  for (const authorId of authorIds) {
    let may = mays.get(authorId)
    if (may === undefined) {
      may = (await readStanding(tx, runtime.settings, authorId, orgId))?.permissions ?? new Set()
      mays.set(authorId, may)
    }
    // guard: a-mapping-gives-what-its-author-holds-now
    if (role.permissions.every((name) => may.has(name))) return true
  }
  return false
}

async function give(context: Following, { id, orgId }: Provider, { userId, roleId }: Pair, role: Role): Promise<void> {
  const { tx, runtime, nowMs } = context
  const { roleAssignments } = identityTables(tx)
  const row = { id: runtime.ids.next(), orgId, roleId, userId, source: id, createdAtMs: nowMs }
  await tx.insert(roleAssignments).values(row)
  dropStale(context, { userId })
  await context.audit('org.role.member.add', {
    orgId,
    targetType: 'user',
    targetId: userId,
    details: { id: roleId, name: role.name, idpId: id },
  })
}

/** @returns false when the person is the last administrator and keeps Admin. */
async function take(context: Following, provider: Provider, pair: Pair, role: Role | undefined): Promise<boolean> {
  const { tx } = context
  const { id, orgId } = provider
  const { userId, roleId } = pair
  if (role?.grantsLevel === 'admin' && (await isLastHolder(tx, orgId, pair))) {
    await tellLast(context, orgId, userId)
    return false
  }
  const { roleAssignments: t } = identityTables(tx)
  await tx.delete(t).where(and(eq(t.orgId, orgId), eq(t.roleId, roleId), eq(t.userId, userId), eq(t.source, id)))
  dropStale(context, { userId })
  await context.audit('org.role.member.remove', {
    orgId,
    targetType: 'user',
    targetId: userId,
    details: { id: roleId, name: role?.name ?? roleId, idpId: id },
  })
  return true
}

async function isLastHolder(db: Db, orgId: string, { userId, roleId }: Pair): Promise<boolean> {
  const { roleAssignments: t, memberships } = identityTables(db)
  const byHand = and(eq(t.orgId, orgId), eq(t.roleId, roleId), eq(t.userId, userId), eq(t.source, MANUAL))
  if ((await db.$count(t, byHand)) > 0) return false
  const isActive = and(eq(memberships.orgId, orgId), eq(memberships.userId, userId), eq(memberships.isActive, true))
  if ((await db.$count(memberships, isActive)) === 0) return false
  // guard: the-last-administrator-stays-though-the-group-is-left
  return (await otherActiveHolders(db, orgId, roleId, userId)) === 0
}

async function tellLast(context: Following, orgId: string, userId: string): Promise<void> {
  const { tx } = context
  const { users, organizations } = identityTables(tx)
  const [person] = await tx.select({ username: users.username }).from(users).where(eq(users.id, userId))
  const [org] = await tx
    .select({ name: organizations.displayName })
    .from(organizations)
    .where(eq(organizations.id, orgId))
  const values = { username: person?.username ?? userId, organization: org?.name ?? orgId }
  for (const address of await mailRecipients(tx, orgId, null)) {
    await sendMail(context, address, lastAdministratorMail, values)
  }
}
