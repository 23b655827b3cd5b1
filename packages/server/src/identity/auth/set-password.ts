/**
 * Sets a password, with what every new password entails: other sessions end, tokens bound to the password end, lockouts
 * are cleared, and the person is notified.
 */
import { eq } from 'drizzle-orm'
import { sendMail } from '../../runtime/mail/send.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import { forgetNetworks, rememberNetwork } from '../credential/known-networks.js'
import { clearFailures, lockoutKey } from '../credential/lockout.js'
import { dropOneTimeTokens } from '../credential/one-time-tokens.js'
import { passwordChangedMail } from '../mail/templates.js'
import type { UserRow } from '../new-user.js'
import { revokePersonalTokens, revokeSessions } from '../session/end.js'
import { dropStale } from '../stale.js'
import { identityTables } from '../tables.js'

/**
 * @param keepSessionId the session that continues; without one, all sessions end.
 * @param provedKey the folded address whose link sets the password. Absent where an earlier proof by mailbox still
 *   holds.
 */
export async function setPassword(
  context: WriteContext,
  user: UserRow,
  passwordHash: string,
  { keepSessionId, provedKey }: { readonly keepSessionId?: string; readonly provedKey?: string | null },
): Promise<void> {
  const { tx, nowMs, request } = context
  const { users } = identityTables(tx)
  await tx
    .update(users)
    .set({
      passwordHash,
      ...(provedKey === undefined ? {} : { passwordProvedKey: provedKey }),
      mustChangePassword: false,
      revision: user.revision + 1,
      updatedAtMs: nowMs,
    })
    .where(eq(users.id, user.id))
  // The cached account still says that the password must be changed.
  dropStale(context, { userId: user.id })
  await revokeSessions(context, user.id, keepSessionId === undefined ? {} : { except: keepSessionId })
  await revokePersonalTokens(context, user.id, 'bound-to-password')
  await dropOneTimeTokens(tx, 'reset-password', user.id)
  // guard: a-sign-in-link-ends-with-the-password
  await dropOneTimeTokens(tx, 'sign-in', user.id)
  await clearFailures(tx, lockoutKey('login-user', user.id))
  await forgetNetworks(tx, user.id, request)
  // The person proved who they are, so a stranger's failed guesses do not lock them out from this network.
  await rememberNetwork(tx, user.id, { ip: request.ip, nowMs })
  await sendMail(context, user.email, passwordChangedMail, { username: user.username })
}
