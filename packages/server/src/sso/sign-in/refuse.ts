/** Audits a refusal for the administrators of the organization, without revealing the reason to the caller. */
import { type Outcome, refused } from '../../runtime/operation/context.js'
import type { SignInRefused } from '../oidc/reasons.js'
import { ssoRefused } from './answer.js'
import type { Entering } from './enter.js'

/** Commits the audit event, with what was written before it. */
export async function refuse(
  context: Entering,
  { orgId, providerId }: { readonly orgId: string; readonly providerId: string },
  { reason, detail }: SignInRefused,
): Promise<Outcome<never>> {
  await context.audit('identity.sso.refused', {
    orgId,
    targetType: 'identity-provider',
    targetId: providerId,
    outcome: 'failure',
    details: { idpId: providerId, reason: detail === null ? reason : `${reason}: ${detail}` },
  })
  return refused(ssoRefused(), { changed: true })
}
