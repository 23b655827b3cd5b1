/**
 * Makes a token for an invitation and brings it to the invited person: by e-mail after the commit, or, on a server
 * without e-mail, as a link that the inviter sees once. Only the token's hash is stored.
 */
import { toIso } from '../../runtime/clock.js'
import { mailLeaves, sendMail } from '../../runtime/mail/send.js'
import type { WriteContext } from '../../runtime/operation/context.js'
import { newOneTimeToken, tokenHash } from '../credential/opaque-token.js'
import { appUrl } from '../links.js'
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

/** @returns the part of the answer that says how the link left. */
export async function deliver(
  context: WriteContext,
  { token, sentByMail }: FreshToken,
  to: {
    readonly email: string
    readonly organization: string
    readonly role: string
    readonly expiresAtMs: number
    readonly message: string
  },
): Promise<{ emailSent: boolean; acceptUrl?: string }> {
  const link = `${appUrl(context.runtime)}/invite/accept?token=${token}`
  // Without e-mail a development server writes the text to its terminal, and production drops it.
  await sendMail(context, to.email, invitationMail, {
    organization: to.organization,
    role: to.role,
    link,
    expiresAt: toIso(to.expiresAtMs),
    message: to.message,
  })
  return sentByMail ? { emailSent: true } : { emailSent: false, acceptUrl: link }
}
