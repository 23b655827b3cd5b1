/** Which organizations can have their own single sign-on. */
import { insufficient, Refusal } from '../runtime/errors.js'
import type { OrgSummary } from '../runtime/operation/context.js'

/** @throws Refusal 409 for a team, and 403 for the system organization. */
export function checkPlace(org: OrgSummary): void {
  // guard: the-system-organization-has-no-provider
  if (org.isSystem) throw insufficient('permission', 'the system organization has no identity provider')
  if (org.parentOrgId !== null) {
    throw new Refusal('CONFLICT', 'single sign-on is set up in the root organization: it applies to its teams')
  }
}
