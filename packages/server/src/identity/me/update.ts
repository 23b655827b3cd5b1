/**
 * Changes the person's own user name or e-mail address. A new address is pending until the link sent to it is opened;
 * until then the current one stays in force. The change needs a step-up, and the current address is notified, because a
 * person who has the mailbox of an account can set its password. Source: spec platform 4.3.
 */
import { and, eq, ne, or } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { ownAccount, withStepUpWhen } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import type { Tx } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { tellFormerAddress } from '../auth/tell-former-address.js'
import { sendVerification } from '../auth/verification-mail.js'
import { sessionOf } from '../authenticator.js'
import { mailedAlready } from '../credential/mail-pause.js'
import { dropOneTimeTokens } from '../credential/one-time-tokens.js'
import { emailChangeAskedMail } from '../mail/templates.js'
import { confirmedFactor } from '../mfa/factor.js'
import { Email, foldKey, Username } from '../new-user.js'
import { identityOf } from '../services.js'
import { confirmIdentity } from '../step-up/when.js'
import { identityTables } from '../tables.js'
import { MeUser, meUser } from './get.js'

export const updateMe = command({
  name: 'identity.me.update',
  summary: 'Change your user name or e-mail address',
  http: { method: 'patch', path: '/auth/me' },
  access: withStepUpWhen('the e-mail address changes', ownAccount()),
  tenant: noTenant,
  rateLimit: 'auth',
  audit: ['user.profile.update'],
  input: {
    body: strictObject({ username: Type.Optional(Username), email: Type.Optional(Email) }, { minProperties: 1 }),
  },
  output: strictObject({ user: MeUser }),
  errors: ['DUPLICATE_ENTRY', 'TOKEN_REVOKED'],
  async prepare(context, { body }) {
    const { userId } = sessionOf(context.principal)
    if (body.email === undefined) return
    const { email } = body
    const isNew = await context.read(async (db) => {
      const { users } = identityTables(db)
      const [user] = await db.select().from(users).where(eq(users.id, userId))
      return user !== undefined && foldKey(email) !== user.emailKey && email.trim() !== user.pendingEmail
    })
    // Withdrawing a pending change needs no step-up.
    // guard: a-confirmation-of-identity-for-a-new-address
    if (isNew) await confirmIdentity(context, 'identity.me.update')
  },
  async run(context, { body }) {
    const { tx, nowMs, authority } = context
    const { userId, sessionId } = sessionOf(context.principal)
    const { users } = identityTables(tx)
    await lockRow(tx, 'users', userId)
    const [user] = await tx.select().from(users).where(eq(users.id, userId))
    if (user === undefined) throw new Refusal('TOKEN_REVOKED', 'the account was deleted')
    const newName = body.username !== undefined && body.username !== user.username ? body.username : null
    // Sending the current address withdraws a pending change.
    const pendingEmail =
      body.email === undefined ? user.pendingEmail : foldKey(body.email) === user.emailKey ? null : body.email.trim()
    const isMailChanged = pendingEmail !== user.pendingEmail
    const factor = await confirmedFactor(tx, userId)
    const view = (row: typeof user) => ({ user: meUser(row, factor !== null, authority.isSuperAdmin) })
    if (newName === null && !isMailChanged) return unchanged(view(user))
    await refuseTaken(tx, userId, newName, isMailChanged ? pendingEmail : null)
    try {
      const [row] = await tx
        .update(users)
        .set({
          ...(newName === null ? {} : { username: newName, usernameKey: foldKey(newName) }),
          pendingEmail,
          ...(isMailChanged ? { pendingSessionId: pendingEmail === null ? null : sessionId } : {}),
          revision: user.revision + 1,
          updatedAtMs: nowMs,
        })
        .where(eq(users.id, userId))
        .returning()
      if (isMailChanged && pendingEmail !== null) {
        const named = { userId, username: newName ?? user.username, email: pendingEmail }
        if (!(await sendVerification(context, named))) throw mailedAlready()
        await dropOneTimeTokens(tx, 'reset-password', userId)
        await tellFormerAddress(context, user, { template: emailChangeAskedMail, email: pendingEmail, sinceMs: nowMs })
      }
      await context.audit('user.profile.update', {
        targetType: 'user',
        targetId: userId,
        details: { changed: [...(newName === null ? [] : ['username']), ...(isMailChanged ? ['email'] : [])] },
      })
      tx.afterCommit(() => identityOf(context).directory.drop({ userId }))
      return changed(view(row ?? user))
    } catch (error) {
      if (brokenUniqueConstraint(error) !== null) throw taken('username')
      throw error
    }
  },
})

const taken = (field: 'username' | 'email'): Refusal =>
  new Refusal('DUPLICATE_ENTRY', `the ${field === 'email' ? 'e-mail address' : 'user name'} is taken`, {
    details: { field },
  })

async function refuseTaken(tx: Tx, userId: string, username: string | null, email: string | null): Promise<void> {
  const { users } = identityTables(tx)
  const same = [
    ...(username === null ? [] : [eq(users.usernameKey, foldKey(username))]),
    ...(email === null ? [] : [eq(users.emailKey, foldKey(email))]),
  ]
  if (same.length === 0) return
  const [row] = await tx
    .select({ usernameKey: users.usernameKey })
    .from(users)
    .where(and(ne(users.id, userId), or(...same)))
  if (row === undefined) return
  throw taken(username !== null && row.usernameKey === foldKey(username) ? 'username' : 'email')
}
