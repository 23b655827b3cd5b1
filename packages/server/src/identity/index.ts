/** What other parts of the server may use of the identity domain. */
import { authenticatorPort } from '../runtime/http/authenticator.js'
import { tenantKeyPort } from '../runtime/jobs/run-job.js'
import { defineDomain, provide } from '../runtime/manifest.js'
import { callMeterPort } from '../runtime/operation/call-meter.js'
import { ownerPort } from '../runtime/records/owners.js'
import { ruleLibraryPort } from '../runtime/records/rule-library.js'
import { forgotPasswordJob } from './auth/forgot-password.js'
import { sweepCredentialsJob, sweepCredentialsSchedule } from './credential/sweep.js'
import { credentialTables } from './credential/tables.js'
import { identityDeclarations } from './declarations.js'
import { SIGN_IN_TEMPLATES } from './mail/templates.js'
import { IDENTITY_PAGES } from './pages/pages.js'
import { provisioningTables } from './provisioning-tables.js'
import { identityRegistration } from './registration.js'
import { identityOf } from './services.js'
import { SIGN_IN_OPERATIONS } from './sign-in-operations.js'
import { identityTables } from './tables.js'
import { tenantKeyOf } from './tenant-key.js'
import { TENANT_JOBS, TENANT_OPERATIONS, TENANT_SCHEDULES, TENANT_TEMPLATES } from './tenant-operations.js'

export {
  enforcedTier,
  featuresOf,
  seatsAllowed,
} from './account/entitlements.js'
export { lockAccount, lockAccounts } from './account/organizations.js'
export { isReservedName } from './account/reserved-name.js'
export { findOrganization, insertMembership, type OrganizationRow } from './account/row.js'
export {
  createHostUser,
  disableHostMfa,
  disableHostSso,
  grantHostSuperAdmin,
  type Host,
  hostResetLink,
  revokeHostSessions,
  setHostTier,
  verifyHostEmail,
} from './admin/host.js'
export { createHostServicePrincipal, renewHostServicePrincipal } from './admin/host-service-principal.js'
export { rotateHostKeys } from './admin/rotate-keys.js'
export { prepareFirstStart } from './auth/first-start.js'
export { afterFirstFactor, keepAs } from './auth/login.js'
export { DIRECTORY, sessionOf } from './authenticator.js'
export { type BasicCaller, basicCaller } from './basic-caller.js'
export { grantComplianceRole, revokeComplianceRole } from './compliance-role/give.js'
export { lockoutKey } from './credential/lockout.js'
export { newOneTimeToken, newScimToken, tokenHash } from './credential/opaque-token.js'
export { credentialTables } from './credential/tables.js'
export { createDemo, DEMO_USERNAMES, type Demo, type DemoUsername } from './demo/create.js'
export { type DemoKeys, issueDemoToken, openDemo } from './demo/open.js'
export { GONE as INVITATION_GONE, opened as openedInvitation, Token as InvitationToken } from './invitation/open.js'
export { checkPending, checkWay } from './invitation/record.js'
export { Joined, joined, useInvitation } from './invitation/use.js'
export { doorOpenedMail } from './mail/sign-on.js'
export { mailRecipients, permissionHolders } from './member/mail-recipients.js'
export { findMembership, isActiveMember, usernameOf } from './membership/find.js'
export { confirmedFactor } from './mfa/factor.js'
export { foldKey, insertUser, type UserRow } from './new-user.js'
export { applyEntitlement, type EntitlementWriting } from './organization/bought.js'
export { insertOrganization } from './organization/insert.js'
export { refuseOverages, seatOverages } from './organization/overages.js'
export { adoptOrganization, dropOwnerless, insertOwnerless } from './organization/ownerless.js'
export { countSeats, countSeatsOf, hasFreeSeat, type SeatCount, withSeats } from './organization/seats.js'
export { changeTier } from './organization/set-tier.js'
export { isNamed } from './organization/slug.js'
export { requireComplianceAdmin } from './permission/compliance-admin.js'
export {
  COMPLIANCE_ROLES,
  type ComplianceRoleRow,
  complianceRolesOf,
} from './permission/compliance-role.js'
export { claimGroups } from './provisioning/claim.js'
export { FOLLOWING, followGroups } from './provisioning/follow.js'
export { dropGroups, mappingOf, setMapping } from './provisioning/mapping.js'
export { LEAVING, removeMember, setMemberActive } from './provisioning/people.js'
export { type GroupRow, provisioningTables, type ScimTokenRow, type ScimUserRow } from './provisioning-tables.js'
export { stillMay } from './recheck-authority.js'
export { builtInRoleId } from './role/built-in.js'
export { grantableRoles } from './role/ceiling.js'
export { releasedSecret } from './secret/released.js'
export { identityOf } from './services.js'
export { revokeSessions } from './session/end.js'
export { endVouched } from './session/end-vouched.js'
export { giveCookie } from './session/give-cookie.js'
export { openSession, proveSession } from './session/open.js'
export {
  answerTokens,
  forgetCookies as answerSignedOut,
  makeTokenSet,
  SignInMode,
  TokenSet,
  withoutTokens,
} from './session/token-set.js'
export { dropStale } from './stale.js'
export { readStanding } from './standing.js'
export { confirmIdentity } from './step-up/when.js'
export { liveTeamIds } from './team/ids.js'
export { tenantKeyOf } from './tenant-key.js'

export const identity = defineDomain({
  ...identityDeclarations,
  operations: [...SIGN_IN_OPERATIONS, ...TENANT_OPERATIONS],
  jobs: [sweepCredentialsJob, forgotPasswordJob, ...TENANT_JOBS],
  schedules: [sweepCredentialsSchedule, ...TENANT_SCHEDULES],
  mails: [...SIGN_IN_TEMPLATES, ...TENANT_TEMPLATES],
  tables: [identityTables, credentialTables, provisioningTables],
  registration: identityRegistration,
  provides: [
    provide(authenticatorPort, (runtime) => identityOf({ runtime }).authenticator),
    provide(ownerPort, (runtime) => identityOf({ runtime }).owners),
    provide(
      tenantKeyPort,
      ({ store }) =>
        (orgId) =>
          tenantKeyOf(store, orgId),
    ),
  ],
  requires: [ruleLibraryPort, callMeterPort],
  pages: IDENTITY_PAGES,
  close: (runtime) => identityOf({ runtime }).settle(),
})
