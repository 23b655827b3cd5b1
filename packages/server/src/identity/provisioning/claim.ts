/** The group claims of a sign-in. */
import { and, eq, inArray } from 'drizzle-orm'
import { lockRow } from '../../runtime/store/postgres.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { provisioningTables } from '../provisioning-tables.js'
import { type Following, followGroups, type Provider } from './follow.js'

/**
 * Adds the person to the groups that the provider names, if a mapping knows them, and removes the person from the
 * others. Groups that the directory manages by SCIM are not changed.
 * @param names null when the provider sends no groups; then nothing changes.
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
