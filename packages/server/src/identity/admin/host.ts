/**
 * The functions behind `plumbline admin`: an operator runs them on the host, on the data directory or the database
 * itself, with or without a running server. Each writes an audit event with the actor `host:<os user>`. A running
 * server notices the change within 5 s. Source: spec platform 4.9.
 */
import type { ActionName } from '@plumbline/audit-chain'
import { isTier, tiers } from '@plumbline/billing-core'
import { eq, or } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID, UUID } from '../../runtime/ids.js'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import { outsideRequest, writeEvidence } from '../../runtime/jobs/evidence.js'
import { sendMail } from '../../runtime/mail/send.js'
import type { AuditEntry, Runtime } from '../../runtime/operation/context.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { lockAccount } from '../account/organizations.js'
import { giveSuperAdmin } from '../auth/bootstrap.js'
import { issueOneTimeToken } from '../credential/one-time-tokens.js'
import { credentialTables } from '../credential/tables.js'
import { appUrl } from '../links.js'
import { doorOpenedMail } from '../mail/sign-on.js'
import { mailRecipients } from '../member/mail-recipients.js'
import { foldKey, insertUser, type UserRow } from '../new-user.js'
import { changeTier } from '../organization/set-tier.js'
import { isNamed } from '../organization/slug.js'
import { revokeAccessTokens, revokePersonalTokens, revokeSessions } from '../session/end.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'

/** The runtime, and the operating system user who runs the command. */
export interface Host {
  readonly runtime: Runtime
  /** The user of the operating system. */
  readonly osUser: string
}

export interface HostWrite {
  readonly tx: Tx
  readonly runtime: Runtime
  readonly nowMs: number
  audit(action: ActionName, entry: AuditEntry): Promise<void>
}

/** Runs the change and writes its audit event in one transaction. */
export async function act<T>({ runtime, osUser }: Host, run: (write: HostWrite) => Promise<T>): Promise<T> {
  const source = outsideRequest(runtime, `host:${osUser}`)
  return runtime.store.system.write(async (tx) => {
    return run({
      tx,
      runtime,
      nowMs: source.nowMs,
      audit: async (action, entry) => {
        await writeEvidence(tx, source, action, entry)
      },
    })
  })
}

/** @throws Refusal 404 when no person has this id, user name or e-mail address. */
async function personOf(db: Db, identifier: string): Promise<UserRow> {
  const { users } = identityTables(db)
  const key = foldKey(identifier)
  const [row] = await db
    .select()
    .from(users)
    .where(UUID.test(key) ? eq(users.id, key) : or(eq(users.usernameKey, key), eq(users.emailKey, key)))
  if (row === undefined) throw new Refusal('NOT_FOUND', `there is no account \`${identifier}\``)
  return row
}

const target = (user: UserRow) => ({ targetType: 'user', targetId: user.id })

/** @returns the account, and a link to set the password that is valid for an hour. */
export function createHostUser(
  host: Host,
  input: { readonly username: string; readonly email: string; readonly verified?: boolean },
): Promise<{ userId: string; resetUrl: string }> {
  return act(host, async (write) => {
    const user = await insertUser(write.tx, write.runtime, {
      username: input.username,
      email: input.email,
      passwordHash: null,
      isEmailVerified: input.verified ?? false,
    })
    await write.audit('admin.user.create', { ...target(user), details: { name: user.username } })
    return { userId: user.id, resetUrl: await resetLink(write, user) }
  })
}

export function verifyHostEmail(host: Host, identifier: string): Promise<void> {
  return act(host, async ({ tx, nowMs, audit }) => {
    const user = await personOf(tx, identifier)
    const { users } = identityTables(tx)
    await tx.update(users).set({ emailVerifiedAtMs: nowMs }).where(eq(users.id, user.id))
    await audit('user.email.verified', { ...target(user), details: { reason: 'by the operator' } })
  })
}

/** @returns a link to set a new password; older links stop working. */
export function hostResetLink(host: Host, identifier: string): Promise<string> {
  return act(host, async (write) => {
    const user = await personOf(write.tx, identifier)
    await write.audit('admin.user.update', { ...target(user), details: { reason: 'a link to set a new password' } })
    return resetLink(write, user)
  })
}

async function resetLink({ tx, runtime, nowMs }: HostWrite, user: UserRow): Promise<string> {
  const token = await issueOneTimeToken(tx, 'reset-password', { userId: user.id, email: user.email, nowMs })
  return `${appUrl(runtime)}/reset-password?token=${token}`
}

export function grantHostSuperAdmin(host: Host, identifier: string): Promise<void> {
  return act(host, async ({ tx, runtime, audit }) => {
    const user = await personOf(tx, identifier)
    if (!user.isActive) throw new Refusal('CONFLICT', 'the account is deactivated: activate it first')
    await giveSuperAdmin(tx, runtime, user.id)
    await audit('admin.superadmin.grant', {
      ...target(user),
      affectedOrgId: SYSTEM_ORG_ID,
      details: { name: user.username },
    })
  })
}

/** Ends every session and token of the person. @returns how many sessions and personal tokens there were. */
export function revokeHostSessions(host: Host, identifier: string): Promise<{ sessions: number; tokens: number }> {
  return act(host, async (write) => {
    const user = await personOf(write.tx, identifier)
    const sessions = await revokeSessions(write, user.id)
    const tokens = await revokePersonalTokens(write, user.id, 'all')
    await revokeAccessTokens(write, user.id)
    await write.audit('user.tokens.revoke-all', { ...target(user), details: { reason: 'by the operator' } })
    return { sessions, tokens }
  })
}

/** Removes a lost second factor and its recovery codes, and ends the sessions. @returns false when there was none. */
export function disableHostMfa(host: Host, identifier: string): Promise<boolean> {
  return act(host, async (write) => {
    const { tx } = write
    const user = await personOf(tx, identifier)
    const { totpFactors, recoveryCodes } = credentialTables(tx)
    const gone = await tx
      .delete(totpFactors)
      .where(eq(totpFactors.userId, user.id))
      .returning({ userId: totpFactors.userId })
    if (gone.length === 0) return false
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, user.id))
    await revokeSessions(write, user.id)
    await revokeAccessTokens(write, user.id)
    await write.audit('user.mfa.disable', { ...target(user), details: { reason: 'by the operator' } })
    return true
  })
}

/**
 * Ends the enforced single sign-on of an organization whose members are locked out by it. @returns false when single
 * sign-on was not enforced.
 */
export function disableHostSso(host: Host, organization: string): Promise<boolean> {
  return act(host, async (write) => {
    const { tx, runtime, nowMs, audit } = write
    const { organizations } = identityTables(tx)
    const key = organization.trim().toLowerCase()
    const [org] = await tx.select().from(organizations).where(isNamed(organizations, key))
    if (org === undefined) throw new Refusal('NOT_FOUND', `there is no organization \`${organization}\``)
    const root = await lockAccount(tx, org.rootOrgId)
    if (root.ssoEnforcedAtMs === null) return false
    await tx
      .update(organizations)
      .set({ ssoEnforcedAtMs: null, ssoLostAtMs: null, updatedAtMs: nowMs })
      .where(eq(organizations.id, root.id))
    dropStale({ tx, runtime }, { orgId: root.id })
    await audit('org.idp.enforce', {
      orgId: root.id,
      targetType: 'organization',
      targetId: root.id,
      affectedOrgId: root.id,
      details: { enforced: false, reason: 'by the operator' },
    })
    const values = { organization: root.name, by: 'the operator of the server' }
    for (const to of await mailRecipients(tx, root.id, null)) {
      await sendMail({ runtime, enqueue: (message) => enqueue(tx, runtime, message) }, to, doorOpenedMail, values)
    }
    return true
  })
}

/** @param organization an id or slug; for a team, the tier of its account's root is set. */
export function setHostTier(
  host: Host,
  { organization, tier, force = false }: { organization: string; tier: string; force?: boolean },
): Promise<{ id: string; previousTier: string }> {
  return act(host, async ({ tx, runtime, nowMs, audit }) => {
    if (!isTier(tier))
      throw new Refusal('VALIDATION_ERROR', `there is no tier \`${tier}\`: choose among ${tiers.join(', ')}`)
    const { organizations } = identityTables(tx)
    const key = organization.trim().toLowerCase()
    const [org] = await tx.select().from(organizations).where(isNamed(organizations, key))
    if (org === undefined) throw new Refusal('NOT_FOUND', `there is no organization \`${organization}\``)
    const root = await lockAccount(tx, org.rootOrgId)
    const answer = { id: root.id, previousTier: root.tier }
    if (root.tier === tier) return answer
    await changeTier(tx, runtime, root, tier, { nowMs, force })
    await audit('admin.org.tier.update', {
      targetType: 'organization',
      targetId: root.id,
      affectedOrgId: root.id,
      details: { fromTier: root.tier, toTier: tier, force },
    })
    return answer
  })
}
