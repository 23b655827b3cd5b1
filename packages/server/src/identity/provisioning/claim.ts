/** What a sign-in says of the groups of a person. */
import { and, eq, inArray } from 'drizzle-orm'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { provisioningTables } from '../provisioning-tables.js'
import { type Following, followGroups, type Provider } from './follow.js'

/**
 * Puts the person into the groups that the provider names, of those that a mapping knows, and takes them out of the others.
 * Groups that the directory keeps by SCIM stay as the directory says.
 * @param names null where the provider says nothing about groups: then nothing changes.
 */
export async function claimGroups(
  context: Following,
  provider: Provider,
  userId: string,
  names: readonly string[] | null,
): Promise<void> {
  // guard: a-claim-that-is-absent-is-no-empty-list
  if (names === null) return
  const { tx, runtime, nowMs } = context
  await lockRow(tx, 'organizations', provider.orgId)
  const { idpGroups, idpGroupMembers: members } = provisioningTables(tx)
  const known = await tx
    .select({ id: idpGroups.id, name: idpGroups.name })
    .from(idpGroups)
    .where(and(eq(idpGroups.orgId, provider.orgId), eq(idpGroups.providerId, provider.id), eq(idpGroups.isScim, false)))
  const said = new Set(names)
  for (const { id: groupId, name } of known) {
    if (!said.has(name)) continue
    const row = { id: runtime.ids.next(), orgId: provider.orgId, groupId, userId, createdAtMs: nowMs }
    await insertNew(tx, members, row)
  }
  const left = known.filter(({ name }) => !said.has(name)).map(({ id }) => id)
  if (left.length > 0) {
    await tx
      .delete(members)
      .where(and(eq(members.orgId, provider.orgId), eq(members.userId, userId), inArray(members.groupId, left)))
  }
  await followGroups(context, provider, [userId])
}
