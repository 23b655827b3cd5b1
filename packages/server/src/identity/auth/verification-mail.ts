/** Sends the link that proves an e-mail address. */

import { sendMail } from '../../runtime/mail/send.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import { issueOneTimeToken } from '../credential/one-time-tokens.js'
import { appUrl } from '../links.js'
import { verifyEmailMail } from '../mail/templates.js'

export async function sendVerification(
  context: WriteContext,
  { userId, username, email }: { readonly userId: string; readonly username: string; readonly email: string },
): Promise<void> {
  const token = await issueOneTimeToken(context.tx, 'verify-email', { userId, email, nowMs: context.nowMs })
  const link = `${appUrl(context.runtime)}/verify-email?token=${token}`
  await sendMail(context, email, verifyEmailMail, { username, link })
}
