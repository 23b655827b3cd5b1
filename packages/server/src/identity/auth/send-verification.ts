/**
 * Sends the link that proves the e-mail address again: to the new address while a change is pending, else to the
 * current one.
 */
import { eq } from 'drizzle-orm'
import { requireMail } from '../../runtime/mail/send.js'
import { ownAccount } from '../../runtime/operation/access.js'
import { unchanged } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { sessionOf } from '../authenticator.js'
import { identityTables } from '../tables.js'
import { Accepted, accepted } from './forgot-password.js'
import { sendVerification as send } from './verification-mail.js'

export const sendVerification = command({
  name: 'identity.auth.send-verification',
  summary: 'Request a link to confirm your e-mail address',
  http: { method: 'post', path: '/auth/send-verification', status: 202 },
  access: ownAccount(),
  tenant: noTenant,
  rateLimit: 'auth',
  audit: none('nothing changes before the link is used, which is recorded'),
  input: { body: strictObject({}) },
  output: Accepted,
  errors: ['EMAIL_NOT_CONFIGURED'],
  async prepare({ runtime }) {
    requireMail(runtime.settings)
  },
  async run(context) {
    const { userId } = sessionOf(context.principal)
    const { users } = identityTables(context.tx)
    const [user] = await context.tx.select().from(users).where(eq(users.id, userId))
    if (user === undefined) return unchanged(accepted)
    const email = user.pendingEmail ?? (user.emailVerifiedAtMs === null ? user.email : null)
    if (email !== null) await send(context, { userId, username: user.username, email })
    return unchanged(accepted)
  },
})
