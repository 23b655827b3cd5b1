/** Every operation of this domain. */
import type { Operation } from '../runtime/operation/operation.js'
import { listChecks } from './check/list.js'
import { validateOperations } from './check/validate.js'
import { getEntitlements, syncEntitlements } from './entitlement/sync.js'
import { listExemptions } from './exemption/list.js'
import { requestExemption, requestExemptions } from './exemption/request.js'
import { reviewExemption, revokeExemption } from './exemption/review.js'
import { clonePolicy, cloneTemplates } from './policy/clone.js'
import { createPolicy, deletePolicy, purgePolicy, restorePolicy, updatePolicy } from './policy/manage.js'
import { getPolicy, listDeletedPolicies, listPolicies } from './policy/read.js'
import { previewRule, previewRuleImpact } from './preview/preview.js'
import { createRule } from './rule/create.js'
import { deleteRule } from './rule/delete.js'
import { getRule } from './rule/get.js'
import { listRuleHistory } from './rule/history.js'
import { listDeletedRules, listRules } from './rule/list.js'
import { purgeRule, restoreRule } from './rule/restore.js'
import { updateRule } from './rule/update.js'
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
  syncEntitlements,
  getEntitlements,
]
