/** Shared by the routes by which system administrators manage users. */
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { mailLeaves, sendMail } from '../../runtime/mail/send.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import { issueOneTimeToken } from '../credential/one-time-tokens.js'
import { appUrl } from '../links.js'
import { resetPasswordMail } from '../mail/templates.js'
import type { UserRow } from '../new-user.js'

export const onUser = Type.Object({ id: Type.String() })

/** Sends a link to set a password: by e-mail, or, on a server without e-mail, shown to the administrator once. */
export async function inviteToSetPassword(
  context: WriteContext,
  user: Pick<UserRow, 'id' | 'email' | 'username'>,
): Promise<{ emailSent: boolean; resetUrl?: string }> {
  const { tx, runtime, nowMs } = context
  const isMailed = mailLeaves(runtime.settings)
  // A link that the administrator saw proves nothing about the mailbox.
  // guard: a-link-that-an-administrator-saw
  const email = isMailed ? user.email : null
  const token = await issueOneTimeToken(tx, 'reset-password', { userId: user.id, email, nowMs })
  const link = `${appUrl(runtime)}/reset-password?token=${token}`
  await sendMail(context, user.email, resetPasswordMail, { username: user.username, link, at: toIso(nowMs) })
  return isMailed ? { emailSent: true } : { emailSent: false, resetUrl: link }
}

export const Sent = {
  emailSent: Type.Boolean(),
  resetUrl: Type.Optional(Type.String({ description: 'Shown once, when the server sends no e-mail' })),
}
