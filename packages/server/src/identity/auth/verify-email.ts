/** Proves an e-mail address by the link that was sent to it. A changed address takes effect only here. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { anyone } from '../../runtime/operation/access.js'
import { changed, type WriteContext } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { brokenUniqueConstraint } from '../../runtime/store/database-error.js'
import type { Tx } from '../../runtime/store/db.js'
import { changeAskedAtMs, dropOneTimeTokens, useOneTimeToken } from '../credential/one-time-tokens.js'
import { emailChangedMail } from '../mail/templates.js'
import { foldKey, type UserRow } from '../new-user.js'
import { identityOf } from '../services.js'
import { revokeSessions } from '../session/end.js'
import { identityTables } from '../tables.js'
import { deadLink } from './reset-password.js'
import { tellFormerAddress } from './tell-former-address.js'

export const verifyEmail = command({
  name: 'identity.auth.verify-email',
  summary: 'Confirm an e-mail address with the token of the e-mail',
  http: { method: 'post', path: '/auth/verify-email', status: 204 },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  audit: ['user.email.verified'],
  input: { body: strictObject({ token: Type.String({ minLength: 1, maxLength: 200 }) }) },
  output: null,
  errors: ['TOKEN_INVALID', 'DUPLICATE_ENTRY'],
  async run(context, { body }) {
    const { tx, nowMs } = context
    const { users } = identityTables(tx)
    const used = await useOneTimeToken(tx, 'verify-email', body.token, nowMs)
    const [before] = used === null ? [] : await tx.select().from(users).where(eq(users.id, used.userId))
    if (!before?.isActive || used?.email == null) throw deadLink()
    const user = await verified(tx, before, used.email, nowMs)
    if (user === null) throw deadLink()
    if (user.emailKey !== before.emailKey) await leaveFormerAddress(context, before, user)
    await context.audit('user.email.verified', {
      actor: { id: user.id, email: user.email, role: null, impersonatorId: null },
      orgId: user.activeOrgId,
      targetType: 'user',
      targetId: user.id,
    })
    tx.afterCommit(() => identityOf(context).directory.drop({ userId: user.id }))
    return changed(null)
  },
})

/**
 * Ends the links to the former mailbox, and every session except the one that requested the change. Notifies the former
 * address.
 */
async function leaveFormerAddress(context: WriteContext, before: UserRow, { email }: UserRow): Promise<void> {
  const { tx, nowMs } = context
  await dropOneTimeTokens(tx, 'reset-password', before.id)
  await revokeSessions(context, before.id, before.pendingSessionId === null ? {} : { except: before.pendingSessionId })
  const sinceMs = (await changeAskedAtMs(tx, before.id, before.email, nowMs)) ?? nowMs
  await tellFormerAddress(context, before, { template: emailChangedMail, email, sinceMs })
}

export const emailTaken = (): Refusal =>
  new Refusal('DUPLICATE_ENTRY', 'the e-mail address is taken', { details: { field: 'email' } })

/** @returns the user's row as it is now; null when the address does not belong to the user any more. */
async function verified(tx: Tx, user: UserRow, email: string, nowMs: number): Promise<UserRow | null> {
  const { users } = identityTables(tx)
  const key = foldKey(email)
  const isPending = user.pendingEmail !== null && foldKey(user.pendingEmail) === key
  if (key !== user.emailKey && !isPending) return null
  if (isPending) {
    const [taken] = await tx.select({ id: users.id }).from(users).where(eq(users.emailKey, key))
    if (taken !== undefined && taken.id !== user.id) throw emailTaken()
  }
  const change = {
    ...(isPending ? { email, emailKey: key, pendingEmail: null, pendingSessionId: null } : {}),
    emailVerifiedAtMs: nowMs,
    revision: user.revision + 1,
    updatedAtMs: nowMs,
  }
  try {
    const [row] = await tx.update(users).set(change).where(eq(users.id, user.id)).returning()
    return row ?? null
  } catch (error) {
    // Another account took the address between the two statements.
    if (brokenUniqueConstraint(error) !== null) throw emailTaken()
    throw error
  }
}
