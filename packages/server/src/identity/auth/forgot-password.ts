/** Sends a link to set a new password. The answer is the same whether or not the address has an account. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { defineJob } from '../../runtime/jobs/define.js'
import { requireMail, sendMail } from '../../runtime/mail/send.js'
import { anyone } from '../../runtime/operation/access.js'
import { unchanged, type WriteContext } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { takeMailTurn } from '../credential/mail-pause.js'
import { issueOneTimeToken } from '../credential/one-time-tokens.js'
import { appUrl } from '../links.js'
import { resetPasswordMail } from '../mail/templates.js'
import { Email, foldKey, type UserRow } from '../new-user.js'
import { identityTables } from '../tables.js'

export const Accepted = strictObject({ accepted: Type.Literal(true) })
export const accepted = { accepted: true as const }

export const forgotPassword = command({
  name: 'identity.auth.forgot-password',
  summary: 'Request a link to set a new password',
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
    const { tx, nowMs, runtime } = context
    const { users } = identityTables(tx)
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(eq(users.emailKey, foldKey(body.email)))
    // The request does the same work for every address, or its duration would reveal which addresses have an account. A
    // job does the rest.
    if (await takeMailTurn(tx, 'reset-password', body.email, nowMs)) {
      await context.enqueue({ kind: FORGOT_JOB, payload: { userId: user?.id ?? runtime.ids.next() }, orgId: null })
    }
    return unchanged(accepted)
  },
})

export const FORGOT_JOB = 'identity.forgot-password'

export const forgotPasswordJob = defineJob({
  kind: FORGOT_JOB,
  payload: Type.Object({ userId: Uuid }),
  audit: none('nothing changes before the link is used, which is recorded'),
  async run(context, { userId }) {
    await context.write(async (write) => {
      const { users } = identityTables(write.tx)
      const [user] = await write.tx.select().from(users).where(eq(users.id, userId))
      if (user?.isActive) await sendResetLink({ ...write, runtime: context.runtime }, user)
    })
  },
})

/** Sends the link to set a new password to the address of the account. */
export async function sendResetLink(
  context: Pick<WriteContext, 'tx' | 'runtime' | 'nowMs' | 'enqueue'>,
  user: Pick<UserRow, 'id' | 'email' | 'username'>,
): Promise<void> {
  const { tx, runtime, nowMs } = context
  const token = await issueOneTimeToken(tx, 'reset-password', { userId: user.id, email: user.email, nowMs })
  const link = `${appUrl(runtime)}/reset-password?token=${token}`
  await sendMail(context, user.email, resetPasswordMail, { username: user.username, link, at: toIso(nowMs) })
}
