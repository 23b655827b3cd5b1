/**
 * Restores the former e-mail address by the link that was sent to it. The person who changed the address knew the
 * password or held a session, so every credential ends. The owner signs in again by a link that is sent to the restored
 * address.
 */
import { and, eq, gte } from 'drizzle-orm'
import Type from 'typebox'
import { anyone } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { findPort } from '../../runtime/port.js'
import { signOnPort } from '../../runtime/records/sign-on.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { forgetNetworks } from '../credential/known-networks.js'
import { dropOneTimeTokens, dropRestoreTokens, useOneTimeToken } from '../credential/one-time-tokens.js'
import { dropSocialLinks } from '../credential/social-links.js'
import { credentialTables } from '../credential/tables.js'
import { removeSecondFactor } from '../mfa/delete-totp.js'
import { foldKey } from '../new-user.js'
import { revokeAccessTokens, revokePersonalTokens, revokeSessions } from '../session/end.js'
import { identityTables } from '../tables.js'
import { sendResetLink } from './forgot-password.js'
import { deadLink } from './reset-password.js'
import { emailTaken } from './verify-email.js'

export const restoreEmail = command({
  name: 'identity.auth.restore-email',
  summary: 'Restore the former e-mail address with the token of the e-mail',
  description:
    'Ends every session, access token, personal access token and linked account, the current password, and a second factor that was added since. The server sends a link to set a new password to the restored address.',
  http: { method: 'post', path: '/auth/email/restore', status: 204 },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  audit: ['user.profile.update'],
  input: { body: strictObject({ token: Type.String({ minLength: 1, maxLength: 200 }) }) },
  output: null,
  errors: ['TOKEN_INVALID', 'DUPLICATE_ENTRY'],
  async run(context, { body }) {
    const { tx, nowMs } = context
    const { users } = identityTables(tx)
    const used = await useOneTimeToken(tx, 'restore-email', body.token, nowMs)
    if (used?.email == null) throw deadLink()
    await lockRow(tx, 'users', used.userId)
    const [user] = await tx.select().from(users).where(eq(users.id, used.userId))
    const emailKey = foldKey(used.email)
    // The change was withdrawn, so there is nothing to restore.
    if (!user?.isActive || (user.emailKey === emailKey && user.pendingEmail === null)) throw deadLink()
    const restored = {
      email: used.email,
      emailKey,
      emailVerifiedAtMs: nowMs,
      pendingEmail: null,
      pendingSessionId: null,
      passwordHash: null,
      passwordProvedKey: null,
      revision: user.revision + 1,
      updatedAtMs: nowMs,
    }
    try {
      await tx.update(users).set(restored).where(eq(users.id, user.id))
    } catch (error) {
      if (brokenUniqueConstraint(error) !== null) throw emailTaken()
      throw error
    }
    await revokeSessions(context, user.id)
    await revokeAccessTokens(context, user.id)
    await revokePersonalTokens(context, user.id, 'all')
    // guard: a-restored-address-ends-accounts-elsewhere
    await dropSocialLinks(tx, user.id)
    await findPort(context.runtime, signOnPort)?.forgetLinks(tx, user.id)
    await forgetNetworks(tx, user.id, { ip: null })
    await dropOneTimeTokens(tx, 'reset-password', user.id)
    await dropOneTimeTokens(tx, 'verify-email', user.id)
    // Links of later changes end. A link of an earlier change stays, or a person who changed the address twice would
    // keep the account.
    await dropRestoreTokens(tx, user.id, used.createdAtMs)
    const { totpFactors } = credentialTables(tx)
    const [added] = await tx
      .select({ userId: totpFactors.userId })
      .from(totpFactors)
      .where(and(eq(totpFactors.userId, user.id), gte(totpFactors.createdAtMs, used.createdAtMs)))
    if (added !== undefined) await removeSecondFactor(tx, user.id)
    await context.audit('user.profile.update', {
      actor: { id: user.id, email: used.email, role: null, impersonatorId: null },
      orgId: user.activeOrgId,
      targetType: 'user',
      targetId: user.id,
      details: { changed: ['email'], reason: 'taken back by the former address' },
    })
    await sendResetLink(context, { ...user, email: used.email })
    return changed(null)
  },
})
