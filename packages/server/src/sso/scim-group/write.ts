/** Stores a directory's data about a group. The Roles of the affected people follow in the same transaction. */
import { and, eq, inArray, ne } from 'drizzle-orm'
import { FOLLOWING, followGroups, type GroupRow, provisioningTables } from '../../identity/index.js'
import { Refusal } from '../../runtime/errors.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { scimRefusal, taken } from '../scim/dialect.js'
import { checkFeature, lockForDirectory } from '../scim/directory.js'
import type { ProviderRow } from '../tables.js'
import type { GroupFacts, Step } from './facts.js'
import { findGroup } from './record.js'

export const GROUPING = ['scim.group.create', 'scim.group.update', 'scim.group.delete', ...FOLLOWING] as const
export type Grouping = WriteContext<(typeof GROUPING)[number]>

const GROUPS_MAX = 5000
const AT_ONCE = 500

/** @returns its id. @throws Refusal 409 `uniqueness` */
export async function createGroup(context: Grouping, provider: ProviderRow, facts: GroupFacts): Promise<string> {
  const { tx, runtime, nowMs } = context
  const { id: providerId, orgId } = provider
  checkFeature(context)
  await lockForDirectory(context, orgId)
  const { idpGroups: t } = provisioningTables(tx)
  if ((await tx.$count(t, and(eq(t.orgId, orgId), eq(t.providerId, providerId)))) >= GROUPS_MAX) {
    throw new Refusal('CONFLICT', `the directory has ${GROUPS_MAX} groups: delete some, or send fewer`)
  }
  await checkUnique(tx, provider, facts, null)
  const mapped = await mappedAlone(tx, provider, facts.displayName)
  const id = mapped?.id ?? runtime.ids.next()
  const row: GroupRow = {
    id,
    orgId,
    providerId,
    name: facts.displayName,
    nameKey: nameKey(facts.displayName),
    externalId: facts.externalId,
    isScim: true,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
  const touched = new Set<string>()
  if (mapped === null) {
    await tx.insert(t).values(row)
  } else {
    // The directory takes over a group that only a mapping named.
    await tx
      .update(t)
      .set(row)
      .where(and(eq(t.orgId, orgId), eq(t.id, id)))
    await takeAll(tx, { orgId, id }, touched)
  }
  await putMembers(context, { orgId, id }, await peopleOf(tx, orgId, facts.members ?? [], true), touched)
  await follow(context, provider, id, touched)
  await context.audit('scim.group.create', {
    targetType: 'group',
    targetId: id,
    details: { id, name: facts.displayName, idpId: providerId, members: touched.size },
  })
  return id
}

/** @returns false when nothing changes. */
export async function changeGroup(
  context: Grouping,
  provider: ProviderRow,
  id: string,
  steps: readonly Step[],
): Promise<boolean> {
  const { tx, nowMs } = context
  const { orgId } = provider
  await lockForDirectory(context, orgId)
  const before = await findGroup(tx, { orgId, providerId: provider.id }, id)
  const after = { name: before.name, externalId: before.externalId }
  const touched = new Set<string>()
  for (const step of steps) {
    if (step.kind === 'name') after.name = step.displayName
    else if (step.kind === 'external') after.externalId = step.externalId
    else await changeMembers(context, { orgId, id }, step, touched)
  }
  const changed = (['name', 'externalId'] as const).filter((key) => after[key] !== before[key])
  if (changed.length === 0 && touched.size === 0) return false
  const { idpGroups: t } = provisioningTables(tx)
  await checkUnique(tx, provider, { displayName: after.name, externalId: after.externalId }, id)
  if (changed.includes('name')) await absorb(tx, provider, after.name, id, touched)
  await tx
    .update(t)
    .set({ ...after, nameKey: nameKey(after.name), updatedAtMs: nowMs })
    .where(and(eq(t.orgId, orgId), eq(t.id, id)))
  await follow(context, provider, id, touched)
  await context.audit('scim.group.update', {
    targetType: 'group',
    targetId: id,
    details: { id, name: after.name, changed, idpId: provider.id, members: touched.size },
  })
  return true
}

export async function removeGroup(context: Grouping, provider: ProviderRow, id: string): Promise<void> {
  const { tx, runtime, nowMs } = context
  const { id: providerId, orgId } = provider
  await lockForDirectory(context, orgId)
  const row = await findGroup(tx, { orgId, providerId }, id)
  const { idpGroups: t, groupRoles } = provisioningTables(tx)
  const touched = new Set<string>()
  await takeAll(tx, { orgId, id }, touched)
  await tx.delete(t).where(and(eq(t.orgId, orgId), eq(t.id, id)))
  const isOfGroup = and(eq(groupRoles.orgId, orgId), eq(groupRoles.groupId, id))
  if ((await tx.$count(groupRoles, isOfGroup)) > 0) {
    // The mapping is kept for a new group of that name. It gets a new id, because an id is never reused.
    const heir = { ...row, id: runtime.ids.next(), externalId: null, isScim: false, updatedAtMs: nowMs }
    await tx.insert(t).values(heir)
    await tx.update(groupRoles).set({ groupId: heir.id }).where(isOfGroup)
    await followGroups(context, provider, [...touched])
  }
  await context.audit('scim.group.delete', {
    targetType: 'group',
    targetId: id,
    details: { id, name: row.name, idpId: providerId },
  })
}

interface Of {
  readonly orgId: string
  readonly id: string
}

async function changeMembers(
  context: Grouping,
  group: Of,
  { kind, members }: Extract<Step, { members: readonly string[] }>,
  touched: Set<string>,
): Promise<void> {
  const { tx } = context
  // A removal ignores people who do not exist any more, instead of being refused.
  const people = await peopleOf(tx, group.orgId, members, kind !== 'remove')
  if (kind === 'remove') return takeMembers(tx, group, people, touched)
  if (kind === 'replace') {
    const wanted = new Set(people)
    const now = await membersNow(tx, group)
    const left = now.filter((userId) => !wanted.has(userId))
    await takeMembers(tx, group, left, touched)
  }
  await putMembers(context, group, people, touched)
}

/** The accounts of people of the directory. @throws Refusal 400 `invalidValue` for an unknown id */
async function peopleOf(db: Db, orgId: string, ids: readonly string[], areAll: boolean): Promise<string[]> {
  const { scimUsers: t } = provisioningTables(db)
  const found = new Map<string, string>()
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    // guard: members-of-a-group-are-of-the-own-directory
    const rows = await db
      .select({ id: t.id, userId: t.userId })
      .from(t)
      .where(and(eq(t.orgId, orgId), inArray(t.id, ids.slice(at, at + AT_ONCE))))
    for (const { id, userId } of rows) found.set(id, userId)
  }
  const missing = ids.filter((id) => !found.has(id))
  if (areAll && missing.length > 0) {
    throw scimRefusal('invalidValue', 'members', `has unknown users: ${missing.slice(0, 3).join(', ')}`)
  }
  return [...found.values()]
}

async function membersNow(db: Db, { orgId, id }: Of): Promise<string[]> {
  const { idpGroupMembers: t } = provisioningTables(db)
  const rows = await db
    .select({ userId: t.userId })
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.groupId, id)))
  return rows.map(({ userId }) => userId)
}

async function putMembers(
  { tx, runtime, nowMs }: Grouping,
  { orgId, id: groupId }: Of,
  userIds: readonly string[],
  touched: Set<string>,
): Promise<void> {
  const { idpGroupMembers: t } = provisioningTables(tx)
  for (let at = 0; at < userIds.length; at += AT_ONCE) {
    const rows = userIds
      .slice(at, at + AT_ONCE)
      .map((userId) => ({ id: runtime.ids.next(), orgId, groupId, userId, createdAtMs: nowMs }))
    const put = await tx.insert(t).values(rows).onConflictDoNothing().returning({ userId: t.userId })
    for (const { userId } of put) touched.add(userId)
  }
}

async function takeMembers(tx: Tx, { orgId, id }: Of, userIds: readonly string[], touched: Set<string>): Promise<void> {
  const { idpGroupMembers: t } = provisioningTables(tx)
  for (let at = 0; at < userIds.length; at += AT_ONCE) {
    const gone = await tx
      .delete(t)
      .where(and(eq(t.orgId, orgId), eq(t.groupId, id), inArray(t.userId, userIds.slice(at, at + AT_ONCE))))
      .returning({ userId: t.userId })
    for (const { userId } of gone) touched.add(userId)
  }
}

async function takeAll(tx: Tx, group: Of, touched: Set<string>): Promise<void> {
  await takeMembers(tx, group, await membersNow(tx, group), touched)
}

async function follow(context: Grouping, provider: ProviderRow, id: string, touched: Set<string>): Promise<void> {
  const { tx } = context
  const { groupRoles: t } = provisioningTables(tx)
  if (touched.size === 0 || (await tx.$count(t, and(eq(t.orgId, provider.orgId), eq(t.groupId, id)))) === 0) return
  await followGroups(context, provider, [...touched])
}

/** @throws Refusal 409 `uniqueness` */
async function checkUnique(
  db: Db,
  { id: providerId, orgId }: ProviderRow,
  { displayName, externalId }: Pick<GroupFacts, 'displayName' | 'externalId'>,
  id: string | null,
): Promise<void> {
  const { idpGroups: t } = provisioningTables(db)
  const others = and(
    eq(t.orgId, orgId),
    eq(t.providerId, providerId),
    eq(t.isScim, true),
    id === null ? undefined : ne(t.id, id),
  )
  if ((await db.$count(t, and(others, eq(t.name, displayName)))) > 0) {
    throw taken('displayName', `the directory has a group named ${displayName}`)
  }
  if (externalId !== null && (await db.$count(t, and(others, eq(t.externalId, externalId)))) > 0) {
    throw taken('externalId', 'the directory has a group of this `externalId`')
  }
}

/** The group of that name that only a mapping named, and no directory sent. */
async function mappedAlone(db: Db, { id: providerId, orgId }: ProviderRow, name: string): Promise<GroupRow | null> {
  const { idpGroups: t } = provisioningTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.providerId, providerId), eq(t.name, name), eq(t.isScim, false)))
  return row ?? null
}

/** A group that is renamed to the name of a mapping takes over the Roles of that mapping. */
async function absorb(tx: Tx, provider: ProviderRow, name: string, id: string, touched: Set<string>): Promise<void> {
  const { orgId } = provider
  const waiting = await mappedAlone(tx, provider, name)
  if (waiting === null) return
  const { idpGroups, groupRoles } = provisioningTables(tx)
  const own = await tx
    .select({ roleId: groupRoles.roleId })
    .from(groupRoles)
    .where(and(eq(groupRoles.orgId, orgId), eq(groupRoles.groupId, id)))
  const isWaiting = and(eq(groupRoles.orgId, orgId), eq(groupRoles.groupId, waiting.id))
  const known = own.map(({ roleId }) => roleId)
  if (known.length > 0) await tx.delete(groupRoles).where(and(isWaiting, inArray(groupRoles.roleId, known)))
  await tx.update(groupRoles).set({ groupId: id }).where(isWaiting)
  await takeAll(tx, { orgId, id: waiting.id }, touched)
  await tx.delete(idpGroups).where(and(eq(idpGroups.orgId, orgId), eq(idpGroups.id, waiting.id)))
  for (const userId of await membersNow(tx, { orgId, id })) touched.add(userId)
}
