/**
 * Sets a new password by the link of an e-mail. The link also proves the address. If the address was not proved before,
 * somebody other than its owner may have registered the account, so every credential from before is removed.
 */
import { and, eq, gt } from 'drizzle-orm'
import Type from 'typebox'
import { invalid, Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed, type WriteContext } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import { signOnPort } from '../../runtime/records/sign-on.js'
import { dropOneTimeTokens, useOneTimeToken } from '../credential/one-time-tokens.js'
import { tokenHash } from '../credential/opaque-token.js'
import { passwordIssues } from '../credential/password-policy.js'
import { dropSocialLinks } from '../credential/social-links.js'
import { credentialTables } from '../credential/tables.js'
import { removeSecondFactor } from '../mfa/delete-totp.js'
import { foldKey, Password } from '../new-user.js'
import { identityOf } from '../services.js'
import { revokeAccessTokens, revokePersonalTokens } from '../session/end.js'
import { identityTables } from '../tables.js'
import { applyBootstrap } from './bootstrap.js'
import { setPassword } from './set-password.js'

export const deadLink = (): Refusal =>
  new Refusal('TOKEN_INVALID', 'the link was used, has expired or was replaced by a newer one: request a new one')

/**
 * Removes every credential except the password, and every link that leads to one. Setting the password ends the
 * sessions.
 */
async function removeWhatWasBefore(context: WriteContext, userId: string): Promise<void> {
  const { tx, runtime } = context
  await revokePersonalTokens(context, userId, 'all')
  await removeSecondFactor(tx, userId)
  await dropSocialLinks(tx, userId)
  await findPort(runtime, signOnPort)?.forgetLinks(tx, userId)
  await dropOneTimeTokens(tx, 'verify-email', userId)
  await dropOneTimeTokens(tx, 'restore-email', userId)
}

export const resetPassword = command({
  name: 'identity.auth.reset-password',
  summary: 'Set a new password with the token of the e-mail',
  http: { method: 'post', path: '/auth/password/reset', status: 204 },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  audit: ['user.password.reset', 'admin.superadmin.grant'],
  input: { body: strictObject({ token: Type.String({ minLength: 1, maxLength: 200 }), password: Password }) },
  output: null,
  errors: ['TOKEN_INVALID', 'SERVICE_UNAVAILABLE'],
  async prepare(context, { body }) {
    // The token is checked before the hash is computed, so that made-up tokens cost nothing. Only `run` uses it up.
    const user = await context.read(async (db) => {
      const { oneTimeTokens } = credentialTables(db)
      const { users } = identityTables(db)
      const [row] = await db
        .select({ username: users.username, email: users.email })
        .from(oneTimeTokens)
        .innerJoin(users, eq(users.id, oneTimeTokens.userId))
        .where(and(eq(oneTimeTokens.tokenHash, tokenHash(body.token)), gt(oneTimeTokens.expiresAtMs, context.nowMs)))
      return row
    })
    if (user === undefined) throw deadLink()
    const { PASSWORD_MIN_LENGTH } = context.runtime.settings
    const issues = passwordIssues(body.password, user, PASSWORD_MIN_LENGTH, '/body/password')
    if (issues.length > 0) throw invalid(issues)
    return {
      passwordHash: await identityOf(context).passwords.hash(body.password, { ip: context.request.ip, isKnown: true }),
    }
  },
  async run(context, { body }, { passwordHash }) {
    const { tx, nowMs } = context
    const { users } = identityTables(tx)
    const used = await useOneTimeToken(tx, 'reset-password', body.token, nowMs)
    const [user] = used === null ? [] : await tx.select().from(users).where(eq(users.id, used.userId))
    if (used === null || !user?.isActive) throw deadLink()
    // The link went to a mailbox that is not the account's address any more.
    // guard: links-to-the-former-mailbox-end-with-the-address
    if (used.email !== null && foldKey(used.email) !== user.emailKey) throw deadLink()
    const isFirstProof = used.email !== null && user.emailVerifiedAtMs === null
    // guard: the-first-proof-of-an-address-removes-what-was-before
    if (isFirstProof) await removeWhatWasBefore(context, user.id)
    const provedKey = used.email === null ? null : user.emailKey
    await setPassword(context, user, passwordHash, { provedKey })
    await revokeAccessTokens(context, user.id)
    if (isFirstProof) {
      await tx
        .update(users)
        .set({ emailVerifiedAtMs: nowMs, pendingEmail: null, pendingSessionId: null })
        .where(eq(users.id, user.id))
    }
    const [now] = await tx.select().from(users).where(eq(users.id, user.id))
    // The owner may have confirmed the address of an account that somebody else registered.
    if (now !== undefined && (await applyBootstrap(context, now))) await removeWhatWasBefore(context, user.id)
    await context.audit('user.password.reset', {
      actor: { id: user.id, email: user.email, role: null, impersonatorId: null },
      orgId: user.activeOrgId,
      targetType: 'user',
      targetId: user.id,
    })
    return changed(null)
  },
})
