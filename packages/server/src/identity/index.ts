/** What other parts of the server may know of the identity domain. */
import type { Module } from '../runtime/module.js'
import { forgotPasswordJob } from './auth/forgot-password.js'
import { sweepCredentialsJob, sweepCredentialsSchedule } from './credential/sweep.js'
import { SIGN_IN_TEMPLATES } from './mail/templates.js'
import { IDENTITY_PAGES } from './pages/pages.js'
import { identityRegistration } from './registration.js'
import { SIGN_IN_OPERATIONS } from './sign-in-operations.js'
import { TENANT_JOBS, TENANT_OPERATIONS, TENANT_SCHEDULES, TENANT_TEMPLATES } from './tenant-operations.js'

export {
  createHostUser,
  disableHostMfa,
  grantHostSuperAdmin,
  type Host,
  hostResetLink,
  revokeHostSessions,
  setHostTier,
  verifyHostEmail,
} from './admin/host.js'
export { createHostServicePrincipal } from './admin/host-service-principal.js'
export { rotateHostKeys } from './admin/rotate-keys.js'
export { prepareFirstStart } from './auth/first-start.js'
export { grantComplianceRole, revokeComplianceRole } from './compliance-role/give.js'
export {
  COMPLIANCE_ROLES,
  type ComplianceRoleRow,
  complianceRolesOf,
} from './compliance-role/role.js'
export { createDemo, DEMO_USERNAMES, type Demo } from './demo/create.js'
export { isActiveMember, usernameOf } from './member/find.js'
export { mailRecipients } from './member/mail-recipients.js'
export { lockAccount } from './organization/account.js'
export {
  enforcedTier,
  featuresOf,
  seatsAllowed,
} from './organization/entitlements.js'
export { findOrganization, type OrganizationRow } from './organization/insert.js'
export { countSeatsOf, type SeatCount } from './organization/seats.js'
export { changeTier, refuseOverages, seatOverages } from './organization/tier.js'
export { installIdentity } from './services.js'
export { dropStale } from './stale.js'
export { stillMay } from './still-may.js'
export { liveTeamIds } from './team/ids.js'
export { tenantKeyOf } from './tenant-key.js'

export const identityModule: Module = {
  name: 'identity',
  operations: [...SIGN_IN_OPERATIONS, ...TENANT_OPERATIONS],
  jobs: [sweepCredentialsJob, forgotPasswordJob, ...TENANT_JOBS],
  schedules: [sweepCredentialsSchedule, ...TENANT_SCHEDULES],
  templates: [...SIGN_IN_TEMPLATES, ...TENANT_TEMPLATES],
  registration: identityRegistration,
  pages: IDENTITY_PAGES,
}
