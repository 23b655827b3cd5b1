/** The operations on organizations, their people and machines, and on the accounts of the server. */
import type { AnyJob, Schedule } from '../runtime/jobs/define.js'
import type { AnyTemplate } from '../runtime/mail/template.js'
import type { Operation } from '../runtime/operation/operation.js'
import { getAdminSummary } from './admin/get-summary.js'
import { followChange } from './change/follow.js'
import { getConfig } from './config/get.js'
import { acceptInvitation } from './invitation/accept.js'
import { acceptInvitationNew } from './invitation/accept-new.js'
import { declineInvitation } from './invitation/decline.js'
import { listInvitations } from './invitation/list.js'
import { INVITATION_TEMPLATES } from './invitation/mail.js'
import { resendInvitation } from './invitation/resend.js'
import { revokeInvitation } from './invitation/revoke.js'
import { sendInvitation } from './invitation/send.js'
import { invitationSchedule, sweepInvitations } from './invitation/sweep.js'
import { viewInvitation } from './invitation/view.js'
import { activateMember } from './member/activate.js'
import { addMember } from './member/add.js'
import { bulkAddMember } from './member/bulk-add.js'
import { deactivateMember } from './member/deactivate.js'
import { listMembers } from './member/list.js'
import { MEMBER_TEMPLATES } from './member/mail.js'
import { probeMember } from './member/probe.js'
import { removeMember } from './member/remove.js'
import { setMemberRole } from './member/set-role.js'
import { createOrganization } from './organization/create.js'
import { deleteOrganization } from './organization/delete.js'
import { exportOrganization } from './organization/export.js'
import { getOrganization } from './organization/get.js'
import { getActiveOrganization } from './organization/get-active.js'
import { listOrganizations } from './organization/list.js'
import { purgeOrganizations, purgeSchedule } from './organization/purge.js'
import { renameOrganization } from './organization/rename.js'
import { restoreOrganization } from './organization/restore.js'
import { setOrganizationSeatLimit } from './organization/set-seat-limit.js'
import { setOrganizationTier } from './organization/set-tier.js'
import { transferOrganizationOwner } from './organization/transfer-owner.js'
import { updateOrganization } from './organization/update.js'
import { updateOrganizationSettings } from './organization/update-settings.js'
import { assignRole } from './role/assign.js'
import { createRole } from './role/create.js'
import { deleteRole } from './role/delete.js'
import { listRoles } from './role/list.js'
import { unassignRole } from './role/unassign.js'
import { updateRole } from './role/update.js'
import { findSearch } from './search/find.js'
import { deleteSecret } from './secret/delete.js'
import { listSecrets } from './secret/list.js'
import { setSecret } from './secret/set.js'
import { createServicePrincipal } from './service-principal/create.js'
import { deleteServicePrincipal } from './service-principal/delete.js'
import { listServicePrincipals } from './service-principal/list.js'
import { rotateServicePrincipal } from './service-principal/rotate.js'
import { updateServicePrincipal } from './service-principal/update.js'
import { grantSuperAdmin } from './super-admin/grant.js'
import { revokeSuperAdmin } from './super-admin/revoke.js'
import { listTeams } from './team/list.js'
import { createUser } from './user/create.js'
import { deleteUser } from './user/delete.js'
import { getUser } from './user/get.js'
import { impersonateUser } from './user/impersonate.js'
import { listUsers } from './user/list.js'
import { USER_TEMPLATES } from './user/mail.js'
import { resetUserPassword } from './user/reset-password.js'
import { setUserFeatures } from './user/set-features.js'
import { updateUser } from './user/update.js'

export const TENANT_OPERATIONS: readonly Operation[] = [
  findSearch,
  followChange,
  getActiveOrganization,
  createOrganization,
  listOrganizations,
  getOrganization,
  updateOrganization,
  renameOrganization,
  updateOrganizationSettings,
  setOrganizationTier,
  setOrganizationSeatLimit,
  transferOrganizationOwner,
  deleteOrganization,
  restoreOrganization,
  exportOrganization,
  listTeams,
  listMembers,
  probeMember,
  addMember,
  bulkAddMember,
  setMemberRole,
  activateMember,
  deactivateMember,
  removeMember,
  listRoles,
  createRole,
  updateRole,
  deleteRole,
  assignRole,
  unassignRole,
  sendInvitation,
  listInvitations,
  resendInvitation,
  revokeInvitation,
  viewInvitation,
  acceptInvitation,
  acceptInvitationNew,
  declineInvitation,
  listServicePrincipals,
  createServicePrincipal,
  updateServicePrincipal,
  rotateServicePrincipal,
  deleteServicePrincipal,
  listSecrets,
  setSecret,
  deleteSecret,
  listUsers,
  createUser,
  getUser,
  updateUser,
  deleteUser,
  resetUserPassword,
  setUserFeatures,
  grantSuperAdmin,
  revokeSuperAdmin,
  impersonateUser,
  getAdminSummary,
  getConfig,
]

export const TENANT_JOBS: readonly AnyJob[] = [purgeOrganizations, sweepInvitations]
export const TENANT_SCHEDULES: readonly Schedule[] = [purgeSchedule, invitationSchedule]
export const TENANT_TEMPLATES: readonly AnyTemplate[] = [
  ...INVITATION_TEMPLATES,
  ...MEMBER_TEMPLATES,
  ...USER_TEMPLATES,
]
