/** Sends a link to set a new password. The answer is the same whether or not the address has an account. */
import { and, eq, gt } from 'drizzle-orm'
import Type from 'typebox'
import { requireMail, sendMail } from '../../runtime/mail/send.js'
import { anyone } from '../../runtime/operation/access.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { issueOneTimeToken } from '../credential/one-time-tokens.js'
import { credentialTables } from '../credential/tables.js'
import { appUrl } from '../links.js'
import { resetPasswordMail } from '../mail/templates.js'
import { identityTables } from '../tables.js'
import { Email, foldKey } from './insert-user.js'

/** One mail a minute: nobody's mailbox is filled through us. */
const PAUSE_MS = 60_000

export const Accepted = strictObject({ accepted: Type.Literal(true) })
export const accepted = { accepted: true as const }

export const forgotPassword = command({
  name: 'identity.auth.forgot-password',
  summary: 'Ask for a link to set a new password',
  http: { method: 'post', path: '/auth/password/forgot', status: 202 },
  access: anyone(),
  tenant: noTenant,
  rateLimit: 'auth',
  audit: none('nothing changes before the link is used, which is recorded'),
  input: { body: strictObject({ email: Email }) },
  output: Accepted,
  errors: ['EMAIL_NOT_CONFIGURED'],
  async prepare({ runtime }) {
    requireMail(runtime.settings)
  },
  async run(context, { body }) {
    const { tx, runtime, nowMs } = context
    const { users } = identityTables(tx)
    const { oneTimeTokens } = credentialTables(tx)
    const [user] = await tx
      .select()
      .from(users)
      .where(eq(users.emailKey, foldKey(body.email)))
    if (!user?.isActive) return unchanged(accepted)
    const [recent] = await tx
      .select({ hash: oneTimeTokens.tokenHash })
      .from(oneTimeTokens)
      .where(
        and(
          eq(oneTimeTokens.userId, user.id),
          eq(oneTimeTokens.kind, 'reset-password'),
          gt(oneTimeTokens.createdAtMs, nowMs - PAUSE_MS),
        ),
      )
    if (recent !== undefined) return unchanged(accepted)
    const token = await issueOneTimeToken(tx, 'reset-password', { userId: user.id, email: user.email, nowMs })
    const link = `${appUrl(runtime)}/reset-password?token=${token}`
    await sendMail(context, user.email, resetPasswordMail, { username: user.username, link })
    return unchanged(accepted)
  },
})
