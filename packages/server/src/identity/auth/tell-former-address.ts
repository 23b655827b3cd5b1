/**
 * Notifies the address that an account leaves, with a link that takes the account back. Only a proved address is
 * notified: the owner of a mistyped address is a stranger, and the link would give them the account.
 */
import { sendMail } from '../../runtime/mail/send.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import { issueOneTimeToken } from '../credential/one-time-tokens.js'
import { appUrl } from '../links.js'
import type { emailChangeAskedMail, emailChangedMail } from '../mail/templates.js'
import type { UserRow } from '../new-user.js'

export async function tellFormerAddress(
  context: WriteContext,
  user: UserRow,
  about: {
    readonly template: typeof emailChangeAskedMail | typeof emailChangedMail
    /** The new address. */
    readonly email: string
    /** When the person requested the change. */
    readonly sinceMs: number
  },
): Promise<void> {
  // guard: only-a-proved-address-is-given-the-way-back
  if (user.emailVerifiedAtMs === null) return
  const { tx, runtime, nowMs } = context
  const { template, email, sinceMs } = about
  const token = await issueOneTimeToken(tx, 'restore-email', { userId: user.id, email: user.email, nowMs, sinceMs })
  const link = `${appUrl(runtime)}/restore-email?token=${token}`
  await sendMail(context, user.email, template, { username: user.username, email, link })
}
