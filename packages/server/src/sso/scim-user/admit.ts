/**
 * Decides which account a new resource means: a new account, an existing member, or an account that only its owner can
 * bring into the organization.
 */
import { and, eq, ne } from 'drizzle-orm'
import {
  credentialTables,
  findMembership,
  foldKey,
  insertUser,
  lockAccount,
  provisioningTables,
  setMemberActive,
  type UserRow,
  withSeats,
} from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import type { Tx } from '../../runtime/store/db.js'
import { freeUsername } from '../free-username.js'
import { taken } from '../scim/dialect.js'
import { join, takeAddress } from '../sign-in/enter.js'
import { type ProviderRow, ssoTables } from '../tables.js'
import type { Provisioning } from './actions.js'
import type { Facts } from './facts.js'

/** @returns the account. @throws Refusal 409 `uniqueness`, 403 `SEAT_LIMIT` */
export async function admit(context: Provisioning, provider: ProviderRow, facts: Facts): Promise<string> {
  const { tx, runtime } = context
  const { orgId } = provider
  await lockAccount(tx, orgId)
  const { users } = identityTables(tx)
  const [account] = await tx
    .select()
    .from(users)
    .where(eq(users.emailKey, foldKey(facts.email)))
  // guard: an-account-that-never-proved-its-address-is-not-provisioned
  if (account === undefined || account.emailVerifiedAtMs === null) {
    if (account !== undefined) await takeAddress(context, provider, account.id)
    const user = await insertUser(tx, runtime, {
      username: await freeUsername(tx, facts.email),
      email: facts.email,
      passwordHash: null,
      isEmailVerified: true,
    })
    await tx.update(users).set({ activeOrgId: orgId }).where(eq(users.id, user.id))
    await joinAs(context, provider, user.id, facts.active)
    return user.id
  }
  if (!account.isActive) throw taken('userName', 'the account of this address is deactivated on this server')
  const membership = await findMembership(tx, orgId, account.id)
  if (membership !== null) {
    const { scimUsers: t } = provisioningTables(tx)
    if ((await tx.$count(t, and(eq(t.orgId, orgId), eq(t.userId, account.id)))) > 0) {
      throw taken('emails', 'the directory has a user of this address')
    }
    if (membership.isActive !== facts.active)
      await setMemberActive(context, { orgId, userId: account.id }, facts.active)
    return account.id
  }
  // guard: nobody-is-pulled-into-an-organization-by-a-directory
  if ((await isThePersonsOwn(tx, account)) || (await isElsewhere(tx, account.id, orgId))) {
    throw taken(
      'emails',
      'the address belongs to an account that is not a member: invite it, and send the user again after it joined',
    )
  }
  await joinAs(context, provider, account.id, facts.active)
  return account.id
}

/** Whether the person signs in without any organization: by a password, or by a social account. */
export async function isThePersonsOwn(tx: Tx, { id, passwordHash }: UserRow): Promise<boolean> {
  const { socialLinks: t } = credentialTables(tx)
  // guard: who-signs-in-by-a-social-account-owns-the-account
  return passwordHash !== null || (await tx.$count(t, eq(t.userId, id))) > 0
}

/** Whether the account has more than what this organization gave it. */
async function isElsewhere(tx: Tx, userId: string, orgId: string): Promise<boolean> {
  const { memberships } = identityTables(tx)
  const { identityLinks } = ssoTables(tx)
  if ((await tx.$count(memberships, eq(memberships.userId, userId))) > 0) return true
  return (await tx.$count(identityLinks, and(eq(identityLinks.userId, userId), ne(identityLinks.orgId, orgId)))) > 0
}

async function joinAs(context: Provisioning, provider: ProviderRow, userId: string, active: boolean): Promise<void> {
  const { tx, runtime, nowMs } = context
  const { orgId } = provider
  await withSeats(tx, { rootOrgId: orgId, settings: runtime.settings, nowMs }, async () => {
    await join(context, provider, userId)
    if (active) return
    const { memberships: t } = identityTables(tx)
    await tx
      .update(t)
      .set({ isActive: false })
      .where(and(eq(t.orgId, orgId), eq(t.userId, userId)))
  })
}
