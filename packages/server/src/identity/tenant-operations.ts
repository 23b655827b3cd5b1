/** What is done with organizations, their people and machines, and with the accounts of the server. */
import type { AnyJob, Schedule } from '../runtime/jobs/define.js'
import type { AnyTemplate } from '../runtime/mail/template.js'
import type { Operation } from '../runtime/operation/operation.js'
import { adminSummary, publicConfig } from './admin/summary.js'
import { acceptInvitation, acceptInvitationNew, declineInvitation, viewInvitation } from './invitation/answer.js'
import { INVITATION_TEMPLATES } from './invitation/mail.js'
import { listInvitations, resendInvitation, revokeInvitation } from './invitation/manage.js'
import { sendInvitation } from './invitation/send.js'
import { invitationSchedule, sweepInvitations } from './invitation/sweep.js'
import { addMember, bulkAddMember } from './member/add.js'
import { activateMember, deactivateMember, setMemberRole } from './member/change.js'
import { listMembers, memberExists } from './member/list.js'
import { MEMBER_TEMPLATES } from './member/mail.js'
import { removeMember } from './member/remove.js'
import { activeOrganization } from './organization/active.js'
import { createOrganization } from './organization/create.js'
import { deleteOrganization, restoreOrganization } from './organization/delete.js'
import { exportOrganization } from './organization/export.js'
import { getOrganization } from './organization/get.js'
import { listOrganizations } from './organization/list.js'
import { purgeOrganizations, purgeSchedule } from './organization/purge.js'
import { setSeatLimit, setTier } from './organization/tier.js'
import { transferOwner } from './organization/transfer-owner.js'
import { renameOrganization, updateOrganization, updateSettings } from './organization/update.js'
import { assignRole, unassignRole } from './role/assign.js'
import { createRole } from './role/create.js'
import { listRoles } from './role/list.js'
import { deleteRole, updateRole } from './role/update.js'
import { deleteSecret, listSecrets, setSecret } from './secret/manage.js'
import {
  createServicePrincipal,
  deleteServicePrincipal,
  listServicePrincipals,
  rotateServicePrincipal,
  updateServicePrincipal,
} from './service-principal/manage.js'
import { teams } from './team/list.js'
import { USER_TEMPLATES } from './user/mail.js'
import {
  createUser,
  deleteUser,
  getUser,
  listUsers,
  resetUserPassword,
  setUserFeatures,
  updateUser,
} from './user/manage.js'
import { grantSuperAdminTo, impersonate, revokeSuperAdminFrom } from './user/super-admin.js'

export const TENANT_OPERATIONS: readonly Operation[] = [
  activeOrganization,
  createOrganization,
  listOrganizations,
  getOrganization,
  updateOrganization,
  renameOrganization,
  updateSettings,
  setTier,
  setSeatLimit,
  transferOwner,
  deleteOrganization,
  restoreOrganization,
  exportOrganization,
  teams,
  listMembers,
  memberExists,
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
  grantSuperAdminTo,
  revokeSuperAdminFrom,
  impersonate,
  adminSummary,
  publicConfig,
]

export const TENANT_JOBS: readonly AnyJob[] = [purgeOrganizations, sweepInvitations]
export const TENANT_SCHEDULES: readonly Schedule[] = [purgeSchedule, invitationSchedule]
export const TENANT_TEMPLATES: readonly AnyTemplate[] = [
  ...INVITATION_TEMPLATES,
  ...MEMBER_TEMPLATES,
  ...USER_TEMPLATES,
]
