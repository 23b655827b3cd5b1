/** A refusal of a social account: evidence for the operator. What the person can do about it is said, since it is about them alone. */
import { Refusal } from '../../runtime/errors.js'
import { type Outcome, refused, type WriteContext } from '../../runtime/operation/context.js'
import type { SignInRefused } from '../oidc/reasons.js'

const WHY: Partial<Record<SignInRefused['reason'], string>> = {
  'no-email':
    'the provider does not say that your address is verified: open an account with a password, then link this one in your settings',
  inactive: 'the account is not active',
  session: 'the session that began this has ended, or the account there belongs to another person',
  'auth-time': 'the provider did not ask you again: confirm by your password or second factor',
}

export async function refuseSocial(
  context: WriteContext<'identity.sso.refused'>,
  provider: string,
  { reason, detail }: SignInRefused,
): Promise<Outcome<never>> {
  await context.audit('identity.sso.refused', {
    orgId: null,
    targetType: 'identity-provider',
    targetId: provider,
    outcome: 'failure',
    details: { idpId: provider, reason: detail === null ? reason : `${reason}: ${detail}` },
  })
  return refused(socialRefused(reason), { changed: true })
}

export const socialRefused = (reason?: SignInRefused['reason']): Refusal =>
  new Refusal(
    'SSO_REFUSED',
    (reason === undefined ? undefined : WHY[reason]) ?? 'the sign-in did not work: begin it again',
  )
