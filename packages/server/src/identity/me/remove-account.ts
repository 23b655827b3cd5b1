/**
 * Removes a person: every credential, every membership, and the personal data in the rows of other domains. Audit
 * records stay; they refer to the person by id. Used by the person and by the user administration.
 */
import { and, eq, isNull } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import type { ErasureTools } from '../../runtime/operation/registration.js'
import { announceEntity } from '../../runtime/records/entity.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { lockOrganizations } from '../account/organizations.js'
import { credentialTables } from '../credential/tables.js'
import { isSuperAdmin } from '../directory.js'
import { keepLastHolder } from '../membership/privilege.js'
import type { UserRow } from '../new-user.js'
import { builtInRoleId } from '../role/built-in.js'
import { identityOf } from '../services.js'
import { revokePersonalTokens, revokeSessions } from '../session/end.js'
import { identityTables } from '../tables.js'

/** Locks what the removal of a person changes. @returns the person; null when another request removed them. */
export async function lockedPerson(tx: Tx, userId: string): Promise<UserRow | null> {
  const { users } = identityTables(tx)
  await lockOrganizations(tx, [SYSTEM_ORG_ID, ...(await organizationsOf(tx, userId))])
  await lockRow(tx, 'users', userId)
  const [row] = await tx.select().from(users).where(eq(users.id, userId))
  return row ?? null
}

/**
 * @param userId of somebody whom `lockedPerson` locked.
 * @throws Refusal `OWNER_PROTECTED` for an owner, `LAST_PRIVILEGED_MEMBER` for the last system administrator.
 */
export async function removeAccount(
  context: Pick<WriteContext, 'tx' | 'runtime' | 'nowMs' | 'enqueue' | 'actor'>,
  userId: string,
): Promise<void> {
  const { tx, runtime } = context
  const { users, organizations } = identityTables(tx)
  const owned = await tx
    .select({ id: organizations.id, name: organizations.name })
    .from(organizations)
    .where(and(eq(organizations.ownerId, userId), isNull(organizations.deletedAtMs)))
  if (owned.length > 0) {
    throw new Refusal('OWNER_PROTECTED', 'an owner cannot be deleted: transfer or delete the organizations first', {
      details: { organizations: owned },
    })
  }
  if (await isSuperAdmin(tx, userId)) {
    await keepLastHolder(tx, SYSTEM_ORG_ID, await builtInRoleId(tx, SYSTEM_ORG_ID, 'Super Admin'), userId)
  }
  // A deleted organization that waits for its purge loses its owner, so that owner cannot restore it.
  await tx.update(organizations).set({ ownerId: null }).where(eq(organizations.ownerId, userId))
  await revokeSessions(context, userId)
  await revokePersonalTokens(context, userId, 'all')
  await eraseCredentials(tx, userId)
  // By the system: who deletes the own account must not be named in a check that comes later.
  // guard: an-erased-person-is-in-no-later-check
  const bySystem = { ...context, actor: { ...context.actor, id: 'system' } }
  const recheck: ErasureTools['recheck'] = (orgId, { target, id }) =>
    announceEntity(bySystem, orgId, { target, entityId: id, eventType: 'updated' })
  for (const domain of runtime.domains)
    await domain.erase(tx, userId, { clock: runtime.clock, ids: runtime.ids, store: runtime.store, recheck })
  await tx.delete(users).where(eq(users.id, userId))
  tx.afterCommit(() => identityOf({ runtime }).directory.drop({ userId }))
}

/** The organizations where the person is a member or the owner, including deleted ones that wait for their purge. */
async function organizationsOf(tx: Tx, userId: string): Promise<string[]> {
  const { organizations, memberships } = identityTables(tx)
  const owned = await tx.select({ id: organizations.id }).from(organizations).where(eq(organizations.ownerId, userId))
  const joined = await tx.select({ id: memberships.orgId }).from(memberships).where(eq(memberships.userId, userId))
  return [...owned, ...joined].map(({ id }) => id)
}

/** Deletes every credential of the person. */
export async function eraseCredentials(tx: Tx, userId: string): Promise<void> {
  const {
    sessions,
    spentRefreshTokens,
    sessionProofs,
    personalAccessTokens,
    oneTimeTokens,
    knownNetworks,
    totpFactors,
    recoveryCodes,
    socialLinks,
  } = credentialTables(tx)
  const own = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.userId, userId))
  for (const { id } of own) {
    await tx.delete(spentRefreshTokens).where(eq(spentRefreshTokens.sessionId, id))
    await tx.delete(sessionProofs).where(eq(sessionProofs.sessionId, id))
  }
  for (const table of [
    sessions,
    personalAccessTokens,
    oneTimeTokens,
    knownNetworks,
    totpFactors,
    recoveryCodes,
    socialLinks,
  ]) {
    await tx.delete(table).where(eq(table.userId, userId))
  }
}
