/**
 * Sends the link that proves an e-mail address. A listed bootstrap address is proved by setting a password instead: a
 * plain confirmation would give system administration to the person who registered the address.
 */
import { toIso } from '../../runtime/clock.js'
import { sendMail } from '../../runtime/mail/send.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import { takeMailTurn } from '../credential/mail-pause.js'
import { issueOneTimeToken } from '../credential/one-time-tokens.js'
import { appUrl } from '../links.js'
import { claimAddressMail, verifyEmailMail } from '../mail/templates.js'
import { isListed } from './bootstrap.js'

/** @returns false when the address got such an e-mail within the last minute, so none was sent. */
export async function sendVerification(
  context: WriteContext,
  { userId, username, email }: { readonly userId: string; readonly username: string; readonly email: string },
): Promise<boolean> {
  const { tx, runtime, nowMs } = context
  if (!(await takeMailTurn(tx, 'verify-email', email, nowMs))) return false
  const at = toIso(nowMs)
  if (isListed(runtime.settings, email)) {
    const token = await issueOneTimeToken(tx, 'reset-password', { userId, email, nowMs })
    await sendMail(context, email, claimAddressMail, {
      username,
      link: `${appUrl(runtime)}/reset-password?token=${token}`,
      at,
    })
    return true
  }
  const token = await issueOneTimeToken(tx, 'verify-email', { userId, email, nowMs })
  const link = `${appUrl(runtime)}/verify-email?token=${token}`
  await sendMail(context, email, verifyEmailMail, { username, link, at })
  return true
}
