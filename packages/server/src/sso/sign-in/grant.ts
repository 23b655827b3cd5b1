/** Grants that a sign-in waits for: the confirmation from an account's mailbox, or the program that started it. */
import { newOneTimeToken, tokenHash } from '../../identity/index.js'
import { sendMail } from '../../runtime/mail/send.js'
import { joinByMailMail } from '../mail.js'
import type { Identity } from '../oidc/judge.js'
import { ownUrl } from '../own-url.js'
import { type FlowRow, type GrantRow, type ProviderRow, ssoTables } from '../tables.js'
import type { Entering } from './enter.js'

const CONFIRM_MS = 3_600_000
const PROGRAM_MS = 60_000

interface Granting {
  readonly flow: FlowRow
  readonly provider: ProviderRow
  readonly identity: Identity
}

async function insertGrant(
  { tx, nowMs }: Entering,
  { flow, provider, identity }: Granting,
  more: Pick<GrantRow, 'kind' | 'userId' | 'boundHash'> & { readonly ms: number },
): Promise<string> {
  const token = newOneTimeToken()
  const { ms, ...rest } = more
  const row: GrantRow = {
    ...rest,
    tokenHash: tokenHash(token),
    orgId: provider.orgId,
    providerId: provider.id,
    revision: provider.revision,
    issuer: identity.issuer,
    subject: identity.subject,
    sid: identity.sid,
    groups: identity.groups,
    returnTo: flow.returnTo,
    expiresAtMs: nowMs + ms,
  }
  await tx.insert(ssoTables(tx).authGrants).values(row)
  return token
}

/** The mailbox proves who owns the account, and the link works only in the same browser. */
export async function mailConfirmation(
  context: Entering,
  granting: Granting & { readonly to: { readonly userId: string; readonly email: string } },
): Promise<void> {
  const { userId, email } = granting.to
  const token = await insertGrant(context, granting, {
    kind: 'confirm',
    userId,
    boundHash: granting.flow.browserHash,
    ms: CONFIRM_MS,
  })
  const link = `${ownUrl(context.runtime)}/sso/confirm?token=${encodeURIComponent(token)}`
  await sendMail(context, email, joinByMailMail, { link, provider: granting.provider.issuer })
}

/** @returns the address to which the browser takes the grant. The program exchanges it for tokens with its verifier. */
export async function grantProgram(
  context: Entering,
  granting: Granting & { readonly userId: string },
): Promise<string> {
  const { flow, userId } = granting
  const token = await insertGrant(context, granting, {
    kind: 'program',
    userId,
    boundHash: flow.challenge ?? '',
    ms: PROGRAM_MS,
  })
  return `${flow.loopback ?? ''}?grant=${encodeURIComponent(token)}`
}
