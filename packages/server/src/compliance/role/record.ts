/** A compliance role as the API shows it, and who may grant one. */
import Type from 'typebox'
import { COMPLIANCE_ROLES, type ComplianceRoleRow } from '../../identity/index.js'
import { toIso } from '../../runtime/clock.js'
import { insufficient } from '../../runtime/errors.js'
import type { Authority } from '../../runtime/operation/context.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'

export const Role = Type.Enum([...COMPLIANCE_ROLES])

export const RoleRecord = strictObject({
  id: Uuid,
  orgId: Uuid,
  userId: Uuid,
  role: Role,
  grantedBy: nullable(Type.String()),
  createdAt: Instant,
  updatedAt: Instant,
})

export const roleRecord = ({ createdAtMs, updatedAtMs, role, ...row }: ComplianceRoleRow) => ({
  ...row,
  role: role as (typeof COMPLIANCE_ROLES)[number],
  createdAt: toIso(createdAtMs),
  updatedAt: toIso(updatedAtMs),
})

/** @throws Refusal 403 for anyone who neither administers the organization nor its compliance. */
export function requireComplianceAdmin({ managesCompliance }: Pick<Authority, 'managesCompliance'>): void {
  // guard: who-administers-compliance
  if (managesCompliance === true) return
  throw insufficient('owner', 'this is for owner and administrators, and for the compliance role `admin`')
}

export const ofPerson = Type.Object({ userId: Uuid })
