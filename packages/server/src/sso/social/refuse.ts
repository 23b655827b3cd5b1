/**
 * Audits a refusal of a social account for the operator. The person is told what to do, since the reason concerns only
 * them.
 */
import { Refusal } from '../../runtime/errors.js'
import { type Outcome, refused, type WriteContext } from '../../runtime/operation/context.js'
import type { SignInRefused } from '../oidc/reasons.js'

const WHY: Partial<Record<SignInRefused['reason'], string>> = {
  'no-email':
    'the provider does not confirm that your address is verified: create an account with a password, then link this one in your settings',
  'other-address':
    'the invitation is for another address: choose the account of the invited address at the provider, or accept it with a password',
  inactive: 'the account is not active',
  session: 'the session that started this has ended, or the social account belongs to another person',
  'auth-time': 'the provider did not ask you to sign in again: confirm with your password or second factor',
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
  new Refusal('SSO_REFUSED', (reason === undefined ? undefined : WHY[reason]) ?? 'the sign-in failed: start it again')
