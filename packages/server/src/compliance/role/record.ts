/** A compliance role as the API shows it. */
import Type from 'typebox'
import { COMPLIANCE_ROLES, type ComplianceRoleRow } from '../../identity/index.js'
import { toIso } from '../../runtime/clock.js'
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

export const ofPerson = Type.Object({ userId: Uuid })
