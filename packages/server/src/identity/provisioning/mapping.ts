/** The Roles that the members of a group get: reads and replaces mappings, and removes them with the provider. */
import { and, asc, eq, inArray } from 'drizzle-orm'
import { tenantId, type WriteContext } from '../../runtime/operation/context.js'
import { nameKey } from '../../runtime/operation/name.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { provisioningTables } from '../provisioning-tables.js'
import { checkRemainingRoles, grantableRoles } from '../role/ceiling.js'
import { dropStale } from '../stale.js'
import { readStanding } from '../standing.js'
import { identityTables, MANUAL } from '../tables.js'
import { type Following, followGroups, type Provider } from './follow.js'

export interface GroupMapping {
  readonly id: string
  readonly name: string
  readonly externalId: string | null
  readonly from: 'claim' | 'scim'
  readonly members: number
  readonly roles: { readonly id: string; readonly name: string; readonly inForce: boolean }[]
}

interface Wanted {
  readonly name: string
  readonly roleIds: readonly string[]
}

const UNMAPPED_SHOWN = 200

type Reading = Pick<WriteContext, 'runtime'> & { readonly db: Db }

/** The mapped groups by name, and the unmapped groups that the directory sent, limited to the first by name. */
export async function mappingOf(
  { db, runtime }: Reading,
  { id, orgId }: Provider,
): Promise<{ groups: GroupMapping[]; unmapped: string[] }> {
  const { idpGroups, idpGroupMembers, groupRoles } = provisioningTables(db)
  const { roles } = identityTables(db)
  const rows = await db
    .select({
      group: idpGroups,
      roleId: roles.id,
      roleName: roles.name,
      permissions: roles.permissions,
      authorId: groupRoles.authorId,
    })
    .from(groupRoles)
    .innerJoin(idpGroups, eq(idpGroups.id, groupRoles.groupId))
    .innerJoin(roles, and(eq(roles.id, groupRoles.roleId), eq(roles.orgId, orgId)))
    .where(and(eq(groupRoles.orgId, orgId), eq(groupRoles.providerId, id)))
    .orderBy(asc(idpGroups.name), asc(roles.nameKey))
  const groups = new Map<string, GroupMapping>()
  for (const { group, roleId, roleName, permissions, authorId } of rows) {
    const members = idpGroupMembers
    const known = groups.get(group.id) ?? {
      id: group.id,
      name: group.name,
      externalId: group.externalId,
      from: group.isScim ? ('scim' as const) : ('claim' as const),
      members: await db.$count(members, and(eq(members.orgId, orgId), eq(members.groupId, group.id))),
      roles: [],
    }
    const may = (await readStanding(db, runtime.settings, authorId, orgId))?.permissions
    const inForce = permissions.every((name) => (may as ReadonlySet<string> | undefined)?.has(name) === true)
    known.roles.push({ id: roleId, name: roleName, inForce })
    groups.set(group.id, known)
  }
  const others = await db
    .select({ id: idpGroups.id, name: idpGroups.name })
    .from(idpGroups)
    .where(and(eq(idpGroups.orgId, orgId), eq(idpGroups.providerId, id)))
    .orderBy(asc(idpGroups.nameKey), asc(idpGroups.name))
    .limit(UNMAPPED_SHOWN + groups.size)
  const unmapped = others.filter((other) => !groups.has(other.id)).map(({ name }) => name)
  return { groups: [...groups.values()], unmapped: unmapped.slice(0, UNMAPPED_SHOWN) }
}

/**
 * Replaces the mappings of the provider's groups. The actor needs the right to give every Role that is mapped or
 * removed.
 * @returns whether anything changed.
 */
export async function setMapping(
  context: WriteContext<'org.group-role.update' | 'org.role.member.add' | 'org.role.member.remove'>,
  provider: Provider,
  wanted: readonly Wanted[],
  authorId: string,
): Promise<boolean> {
  const { tx, authority } = context
  const orgId = tenantId(context)
  await lockRow(tx, 'organizations', orgId)
  const roleIds = [...new Set(wanted.flatMap((each) => each.roleIds))].sort()
  for (const roleId of roleIds) await lockRow(tx, 'roles', roleId)
  // guard: nobody-gives-by-a-group-what-they-lack
  await grantableRoles(tx, authority, orgId, roleIds, '/body/groups')
  const { groupRoles } = provisioningTables(tx)
  const before = await mappedNow(tx, provider)
  const gone = before.filter(({ name, roleId }) => !wanted.some((w) => w.name === name && w.roleIds.includes(roleId)))
  // guard: nobody-takes-by-a-mapping-what-they-could-not-give
  await checkRemainingRoles(tx, authority, orgId, [...new Set(gone.map(({ roleId }) => roleId))])
  const touched = new Set<string>()
  let changes = 0
  for (const { name, groupId, roleId } of gone) {
    await tx
      .delete(groupRoles)
      .where(and(eq(groupRoles.orgId, orgId), eq(groupRoles.groupId, groupId), eq(groupRoles.roleId, roleId)))
    touched.add(groupId)
    changes += 1
    await tell(context, provider, name, wanted)
  }
  for (const each of wanted) {
    const isOther = await mapGroup(context, provider, { ...each, before, authorId })
    if (isOther === null) continue
    touched.add(isOther)
    changes += 1
    await tell(context, provider, each.name, wanted)
  }
  await followGroups(context, provider, await membersOf(tx, orgId, [...touched]))
  await sweepGroups(tx, provider)
  return changes > 0
}

async function tell(
  context: WriteContext<'org.group-role.update'>,
  provider: Provider,
  group: string,
  wanted: readonly Wanted[],
): Promise<void> {
  const roleIds = wanted.find(({ name }) => name === group)?.roleIds ?? []
  await context.audit('org.group-role.update', {
    targetType: 'identity-provider',
    targetId: provider.id,
    details: { idpId: provider.id, group, roleIds },
  })
}

interface Mapped {
  readonly name: string
  readonly groupId: string
  readonly roleId: string
  readonly authorId: string
}

async function mappedNow(db: Db, { id, orgId }: Provider): Promise<Mapped[]> {
  const { idpGroups, groupRoles } = provisioningTables(db)
  return db
    .select({
      name: idpGroups.name,
      groupId: groupRoles.groupId,
      roleId: groupRoles.roleId,
      authorId: groupRoles.authorId,
    })
    .from(groupRoles)
    .innerJoin(idpGroups, eq(idpGroups.id, groupRoles.groupId))
    .where(and(eq(groupRoles.orgId, orgId), eq(groupRoles.providerId, id)))
}

/** @returns the group when its Roles or the author changed; null otherwise. */
async function mapGroup(
  context: Following,
  provider: Provider,
  { name, roleIds, before, authorId }: Wanted & { readonly before: readonly Mapped[]; readonly authorId: string },
): Promise<string | null> {
  const { tx, runtime, nowMs } = context
  const { groupRoles } = provisioningTables(tx)
  const { orgId } = provider
  const groupId = await groupNamed(context, provider, name)
  let isOther = false
  for (const roleId of roleIds) {
    const known = before.find((each) => each.groupId === groupId && each.roleId === roleId)
    if (known?.authorId === authorId) continue
    isOther = true
    if (known === undefined) {
      const row = {
        id: runtime.ids.next(),
        orgId,
        providerId: provider.id,
        groupId,
        roleId,
        authorId,
        createdAtMs: nowMs,
      }
      await tx.insert(groupRoles).values(row)
    } else {
      await tx
        .update(groupRoles)
        .set({ authorId })
        .where(and(eq(groupRoles.orgId, orgId), eq(groupRoles.groupId, groupId), eq(groupRoles.roleId, roleId)))
    }
  }
  return isOther ? groupId : null
}

async function groupNamed({ tx, runtime, nowMs }: Following, { id, orgId }: Provider, name: string): Promise<string> {
  const { idpGroups: t } = provisioningTables(tx)
  const isIt = and(eq(t.orgId, orgId), eq(t.providerId, id), eq(t.name, name))
  const [known] = await tx.select({ id: t.id }).from(t).where(isIt)
  if (known !== undefined) return known.id
  const row = {
    id: runtime.ids.next(),
    orgId,
    providerId: id,
    name,
    nameKey: nameKey(name),
    externalId: null,
    isScim: false,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  }
  await tx.insert(t).values(row)
  return row.id
}

export async function membersOf(db: Db, orgId: string, groupIds: readonly string[]): Promise<string[]> {
  if (groupIds.length === 0) return []
  const { idpGroupMembers: t } = provisioningTables(db)
  const rows = await db
    .selectDistinct({ userId: t.userId })
    .from(t)
    .where(and(eq(t.orgId, orgId), inArray(t.groupId, [...groupIds])))
  return rows.map(({ userId }) => userId)
}

/** Deletes groups that only a removed mapping named. */
async function sweepGroups(tx: Tx, { id, orgId }: Provider): Promise<void> {
  const { idpGroups, idpGroupMembers, groupRoles } = provisioningTables(tx)
  const mapped = tx.select({ id: groupRoles.groupId }).from(groupRoles).where(eq(groupRoles.orgId, orgId))
  const mine = and(eq(idpGroups.orgId, orgId), eq(idpGroups.providerId, id), eq(idpGroups.isScim, false))
  const kept = new Set((await mapped).map((row) => row.id))
  const groups = await tx.select({ id: idpGroups.id }).from(idpGroups).where(mine)
  const unused = groups.map((row) => row.id).filter((groupId) => !kept.has(groupId))
  if (unused.length === 0) return
  await tx
    .delete(idpGroupMembers)
    .where(and(eq(idpGroupMembers.orgId, orgId), inArray(idpGroupMembers.groupId, unused)))
  await tx.delete(idpGroups).where(and(eq(idpGroups.orgId, orgId), inArray(idpGroups.id, unused)))
}

/**
 * Deletes what belongs to the provider: its groups, the Roles that they gave, the directory's records and its tokens.
 */
export async function dropGroups(context: Following, provider: Provider): Promise<void> {
  const { tx } = context
  const { id, orgId } = provider
  const { idpGroups, idpGroupMembers, groupRoles, scimTokens, scimUsers } = provisioningTables(tx)
  const { roleAssignments } = identityTables(tx)
  await tx.delete(groupRoles).where(and(eq(groupRoles.orgId, orgId), eq(groupRoles.providerId, id)))
  const holders = await tx
    .selectDistinct({ userId: roleAssignments.userId })
    .from(roleAssignments)
    .where(and(eq(roleAssignments.orgId, orgId), eq(roleAssignments.source, id)))
  // guard: roles-of-a-provider-that-is-gone-end
  await followGroups(
    context,
    provider,
    holders.map(({ userId }) => userId),
  )
  // The last administrator keeps Admin; the Role counts as given manually from now on.
  await tx
    .update(roleAssignments)
    .set({ source: MANUAL })
    .where(and(eq(roleAssignments.orgId, orgId), eq(roleAssignments.source, id)))
  const groups = tx
    .select({ id: idpGroups.id })
    .from(idpGroups)
    .where(and(eq(idpGroups.orgId, orgId), eq(idpGroups.providerId, id)))
  await tx
    .delete(idpGroupMembers)
    .where(and(eq(idpGroupMembers.orgId, orgId), inArray(idpGroupMembers.groupId, groups)))
  await tx.delete(idpGroups).where(and(eq(idpGroups.orgId, orgId), eq(idpGroups.providerId, id)))
  await tx.delete(scimUsers).where(and(eq(scimUsers.orgId, orgId), eq(scimUsers.providerId, id)))
  // guard: tokens-of-a-provider-that-is-gone-end
  const tokens = await tx
    .delete(scimTokens)
    .where(and(eq(scimTokens.orgId, orgId), eq(scimTokens.providerId, id)))
    .returning({ tokenHash: scimTokens.tokenHash })
  dropStale(context, ...tokens)
}
