/** Every operation of this domain. */
import type { Operation } from '../runtime/operation/operation.js'
import { exportBundle } from './bundle/export.js'
import { getCheck } from './check/get.js'
import { listChecks } from './check/list.js'
import { getEntitlements } from './entitlement/get.js'
import { syncEntitlements } from './entitlement/sync.js'
import { takeEvent } from './event/take.js'
import { bulkRequestExemptions } from './exemption/bulk-request.js'
import { getExemption } from './exemption/get.js'
import { listExemptions } from './exemption/list.js'
import { requestExemption } from './exemption/request.js'
import { reviewExemption } from './exemption/review.js'
import { revokeExemption } from './exemption/revoke.js'
import { exportFindings } from './finding/export.js'
import { exportCheckFindings } from './finding/export-check.js'
import { exportScanFindings } from './finding/export-scan.js'
import { getFinding } from './finding/get.js'
import { getFindingFacets } from './finding/get-facets.js'
import { listFindings } from './finding/list.js'
import { listInventory } from './inventory/list.js'
import { validatePipeline } from './pipeline/validate.js'
import { validatePipelineDryRun } from './pipeline/validate-dry-run.js'
import { validatePlugin } from './plugin/validate.js'
import { validatePluginDryRun } from './plugin/validate-dry-run.js'
import { clonePolicy } from './policy/clone.js'
import { createPolicy } from './policy/create.js'
import { deletePolicy } from './policy/delete.js'
import { diffPolicy } from './policy/diff.js'
import { getPolicy } from './policy/get.js'
import { listPolicies } from './policy/list.js'
import { listDeletedPolicies } from './policy/list-deleted.js'
import { listPolicyVersions } from './policy/list-versions.js'
import { purgePolicy } from './policy/purge.js'
import { restorePolicy } from './policy/restore.js'
import { updatePolicy } from './policy/update.js'
import { runPreview } from './preview/run.js'
import { runPreviewImpact } from './preview/run-impact.js'
import { runPreviewSetImpact } from './preview/run-set-impact.js'
import { listPublishedRules } from './published-rule/list.js'
import { grantRole } from './role/grant.js'
import { listRoles } from './role/list.js'
import { revokeRole } from './role/revoke.js'
import { createRule } from './rule/create.js'
import { deleteRule } from './rule/delete.js'
import { getRule } from './rule/get.js'
import { listRules } from './rule/list.js'
import { listDeletedRules } from './rule/list-deleted.js'
import { listRuleHistory } from './rule/list-history.js'
import { purgeRule } from './rule/purge.js'
import { restoreRule } from './rule/restore.js'
import { updateRule } from './rule/update.js'
import { getRuleCoverage } from './rule-coverage/get.js'
import { cancelScan } from './scan/cancel.js'
import { createScan } from './scan/create.js'
import { followScan } from './scan/follow.js'
import { getScan } from './scan/get.js'
import { listScans } from './scan/list.js'
import { activateSchedule } from './scan-schedule/activate.js'
import { createSchedule } from './scan-schedule/create.js'
import { deleteSchedule } from './scan-schedule/delete.js'
import { getSchedule } from './scan-schedule/get.js'
import { listSchedules } from './scan-schedule/list.js'
import { updateSchedule } from './scan-schedule/update.js'
import { exportCheckLog } from './seal/export.js'
import { activateSubscription } from './subscription/activate.js'
import { autoCreateSubscriptions } from './subscription/auto-create.js'
import { bulkActivateSubscriptions } from './subscription/bulk-activate.js'
import { cloneSubscription } from './subscription/clone.js'
import { createSubscription } from './subscription/create.js'
import { deleteSubscription } from './subscription/delete.js'
import { listSubscriptions } from './subscription/list.js'
import { listEnforcedSubscriptions } from './subscription/list-enforced.js'
import { pinSubscription } from './subscription/pin.js'
import { unpinSubscription } from './subscription/unpin.js'
import { getSummary } from './summary/get.js'
import { applyTemplates } from './template/apply.js'
import { cloneTemplates } from './template/clone.js'
import { listTemplates } from './template/list.js'

export const complianceOperations: readonly Operation[] = [
  listRules,
  listDeletedRules,
  getRuleCoverage,
  createRule,
  getRule,
  updateRule,
  deleteRule,
  listRuleHistory,
  restoreRule,
  purgeRule,
  validatePlugin,
  validatePluginDryRun,
  validatePipeline,
  validatePipelineDryRun,
  listChecks,
  exportCheckLog,
  getCheck,
  exportCheckFindings,
  listFindings,
  getFindingFacets,
  exportFindings,
  getFinding,
  getSummary,
  listInventory,
  exportBundle,
  listPublishedRules,
  listSubscriptions,
  listEnforcedSubscriptions,
  createSubscription,
  deleteSubscription,
  activateSubscription,
  bulkActivateSubscriptions,
  pinSubscription,
  unpinSubscription,
  autoCreateSubscriptions,
  cloneSubscription,
  runPreview,
  runPreviewImpact,
  runPreviewSetImpact,
  listPolicies,
  listDeletedPolicies,
  getPolicy,
  listPolicyVersions,
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
  getExemption,
  bulkRequestExemptions,
  reviewExemption,
  revokeExemption,
  listRoles,
  grantRole,
  revokeRole,
  syncEntitlements,
  takeEvent,
  getEntitlements,
  listScans,
  createScan,
  getScan,
  cancelScan,
  followScan,
  exportScanFindings,
  listSchedules,
  createSchedule,
  getSchedule,
  updateSchedule,
  activateSchedule,
  deleteSchedule,
]
