/** The check for changes of an organization's compliance settings: notification preferences and compliance roles. */
import { insufficient } from '../../runtime/errors.js'
import type { Authority } from '../../runtime/operation/context.js'

/** @throws Refusal 403 unless the caller administers the organization or its compliance. */
export function requireComplianceAdmin({ managesCompliance }: Pick<Authority, 'managesCompliance'>): void {
  // guard: who-administers-compliance
  if (managesCompliance === true) return
  throw insufficient('owner', 'this is for owner and administrators, and for the compliance role `admin`')
}
