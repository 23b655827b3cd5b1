/**
 * Makes a token for an invitation and delivers it: by e-mail after the commit, or, on a server without e-mail, as a
 * link that the inviter sees once. Only the token's hash is stored.
 */
import { eq } from 'drizzle-orm'
import { toIso } from '../../runtime/clock.js'
import { insufficient, Refusal } from '../../runtime/errors.js'
import { mailLeaves, sendMail } from '../../runtime/mail/send.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import { actingUser } from '../actor.js'
import { mailedAlready, takeMailTurn } from '../credential/mail-pause.js'
import { newOneTimeToken, tokenHash } from '../credential/opaque-token.js'
import { appUrl } from '../links.js'
import { identityTables } from '../tables.js'
import { invitationMail } from './mail.js'

export interface FreshToken {
  readonly token: string
  readonly tokenHash: string
  readonly sentByMail: boolean
}

export function freshToken({ runtime }: Pick<WriteContext, 'runtime'>): FreshToken {
  const token = newOneTimeToken()
  return { token, tokenHash: tokenHash(token), sentByMail: mailLeaves(runtime.settings) }
}

/**
 * The e-mail address of the inviter. If the invitation leaves by e-mail, the inviter's own address must be proved.
 * Otherwise anyone could register with any address and send their text to strangers.
 * @throws Refusal 403, and 429 for an address that got an invitation within the last minute.
 */
export async function inviterOf(context: WriteContext, fresh: FreshToken, email: string): Promise<string> {
  const { tx, nowMs } = context
  const { users } = identityTables(tx)
  const [user] = await tx
    .select({ email: users.email, verifiedAtMs: users.emailVerifiedAtMs })
    .from(users)
    .where(eq(users.id, actingUser(context)))
  if (user === undefined) throw new Refusal('TOKEN_REVOKED', 'the account was deleted')
  if (!fresh.sentByMail) return user.email
  // guard: strangers-get-no-text-of-an-unproved-account
  if (user.verifiedAtMs === null) {
    throw insufficient('permission', 'confirm your own e-mail address first: POST /auth/send-verification', {
      required: [],
      mode: 'all',
    })
  }
  if (!(await takeMailTurn(tx, 'invitation', email, nowMs))) throw mailedAlready()
  return user.email
}

/** @returns the part of the answer that says how the link was delivered. */
export async function deliver(
  context: WriteContext,
  { token, sentByMail }: FreshToken,
  to: {
    readonly email: string
    readonly organization: string
    readonly inviter: string
    readonly role: string
    readonly expiresAtMs: number
    readonly message: string
  },
): Promise<{ emailSent: boolean; acceptUrl?: string }> {
  const link = `${appUrl(context.runtime)}/invite/accept?token=${token}`
  // Without e-mail a development server writes the text to its terminal, and production drops it.
  await sendMail(context, to.email, invitationMail, {
    organization: to.organization,
    inviter: to.inviter,
    role: to.role,
    link,
    expiresAt: toIso(to.expiresAtMs),
    message: to.message,
  })
  return sentByMail ? { emailSent: true } : { emailSent: false, acceptUrl: link }
}
