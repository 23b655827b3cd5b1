/** Every operation of this domain. */
import type { Operation } from '../runtime/operation/operation.js'
import { exportBundle } from './bundle/export.js'
import { listChecks } from './check/list.js'
import { validateOperations } from './check/validate.js'
import { getEntitlements, syncEntitlements } from './entitlement/sync.js'
import { listExemptions } from './exemption/list.js'
import { requestExemption, requestExemptions } from './exemption/request.js'
import { reviewExemption, revokeExemption } from './exemption/review.js'
import { exportCheckFindings, exportScanFindings } from './finding/export.js'
import { listNotificationLog } from './notification/log.js'
import { getPreference, updatePreference } from './notification/manage-preference.js'
import { replayDelivery } from './notification/replay.js'
import { clonePolicy, cloneTemplates } from './policy/clone.js'
import { diffPolicy } from './policy/diff.js'
import { createPolicy, deletePolicy, purgePolicy, restorePolicy, updatePolicy } from './policy/manage.js'
import { getPolicy, listDeletedPolicies, listPolicies } from './policy/read.js'
import { previewRuleImpact } from './preview/impact.js'
import { previewRule } from './preview/preview.js'
import { takeEntityEvent } from './recheck/intake.js'
import { grantRole, listComplianceRoles, revokeRole } from './role/manage.js'
import { createRule } from './rule/create.js'
import { deleteRule } from './rule/delete.js'
import { getRule } from './rule/get.js'
import { listRuleHistory } from './rule/history.js'
import { listDeletedRules, listRules } from './rule/list.js'
import { purgeRule, restoreRule } from './rule/restore.js'
import { updateRule } from './rule/update.js'
import { cancelScan } from './scan/cancel.js'
import { createScan } from './scan/create.js'
import { followScan } from './scan/follow.js'
import { getScan, listScans } from './scan/read.js'
import { activateSchedule, createSchedule, deleteSchedule, listSchedules, updateSchedule } from './schedule/manage.js'
import { exportCheckLog } from './seal/export.js'
import { activateSubscription, bulkActivate } from './subscription/activate.js'
import { autoSubscribe } from './subscription/auto-subscribe.js'
import { cloneRule } from './subscription/clone.js'
import { listEnforced, listPublishedRules, listSubscriptions } from './subscription/list.js'
import { pinSubscription, unpinSubscription } from './subscription/pin.js'
import { subscribe, unsubscribe } from './subscription/subscribe.js'
import { applyTemplates, listTemplates } from './template/apply.js'

export const complianceOperations: readonly Operation[] = [
  listRules,
  listDeletedRules,
  createRule,
  getRule,
  updateRule,
  deleteRule,
  listRuleHistory,
  restoreRule,
  purgeRule,
  ...validateOperations,
  listChecks,
  exportCheckLog,
  exportCheckFindings,
  exportBundle,
  listPublishedRules,
  listSubscriptions,
  listEnforced,
  subscribe,
  unsubscribe,
  activateSubscription,
  bulkActivate,
  pinSubscription,
  unpinSubscription,
  autoSubscribe,
  cloneRule,
  previewRule,
  previewRuleImpact,
  listPolicies,
  listDeletedPolicies,
  getPolicy,
  diffPolicy,
  createPolicy,
  updatePolicy,
  deletePolicy,
  restorePolicy,
  purgePolicy,
  clonePolicy,
  listTemplates,
  applyTemplates,
  cloneTemplates,
  listExemptions,
  requestExemption,
  requestExemptions,
  reviewExemption,
  revokeExemption,
  getPreference,
  updatePreference,
  listNotificationLog,
  replayDelivery,
  listComplianceRoles,
  grantRole,
  revokeRole,
  syncEntitlements,
  takeEntityEvent,
  getEntitlements,
  listScans,
  createScan,
  getScan,
  cancelScan,
  followScan,
  exportScanFindings,
  listSchedules,
  createSchedule,
  updateSchedule,
  activateSchedule,
  deleteSchedule,
]
