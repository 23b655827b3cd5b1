/** The operations of billing. Literal paths come before `/:id`. */

import type { Operation } from '../runtime/operation/operation.js'
import { previewAddon } from './addon/preview.js'
import { removeAddon } from './addon/remove.js'
import { setAddon } from './addon/set.js'
import { createAlert } from './alert/create.js'
import { deleteAlert } from './alert/delete.js'
import { listAlerts } from './alert/list.js'
import { updateAlert } from './alert/update.js'
import { listBundles } from './bundle/list.js'
import { callsJob } from './call/job.js'
import { listCalls } from './call/list.js'
import { retryCall } from './call/retry.js'
import { advanceClock } from './clock/advance.js'
import { createClock } from './clock/create.js'
import { deleteClock } from './clock/delete.js'
import { failClockPayments } from './clock/fail-payments.js'
import { listClocks } from './clock/list.js'
import { getConfig } from './config/get.js'
import { checkCredit } from './credit/check.js'
import { applyDiscount } from './discount/apply.js'
import { createDiscount } from './discount/create.js'
import { getDiscount } from './discount/get.js'
import { issueDiscountToken } from './discount/issue-token.js'
import { listDiscounts } from './discount/list.js'
import { previewDiscount } from './discount/preview.js'
import { previewDiscountApply } from './discount/preview-apply.js'
import { redeemDiscount } from './discount/redeem.js'
import { removeDiscount } from './discount/remove.js'
import { revokeDiscount } from './discount/revoke.js'
import { updateDiscount } from './discount/update.js'
import { getEntitlement } from './entitlement/get.js'
import { entitlementDriftJob } from './entitlement/job.js'
import { resyncEntitlement } from './entitlement/resync.js'
import { listEvents } from './event/list.js'
import { listAllEvents } from './event/list-all.js'
import { getInvoice } from './invoice/get.js'
import { getNextInvoice } from './invoice/get-next.js'
import { listInvoices } from './invoice/list.js'
import { keptInvoicesJob } from './kept-invoice/job.js'
import { listKeptInvoices } from './kept-invoice/list.js'
import { exportLedger } from './ledger/export.js'
import { listLedger } from './ledger/list.js'
import { ledgerSealJob } from './ledger/seal.js'
import { alertsJob } from './lifecycle/alerts.js'
import { announcedJob } from './lifecycle/announced.js'
import { lifecycleJob } from './lifecycle/job.js'
import { meteringJob } from './metering/job.js'
import { receiveNotification } from './notification/receive.js'
import { getPlan } from './plan/get.js'
import { listPlans } from './plan/list.js'
import { openPortal } from './portal/open.js'
import { activatePromotion } from './promotion/activate.js'
import { backfillPromotion } from './promotion/backfill.js'
import { createPromotion } from './promotion/create.js'
import { dryRunPromotion } from './promotion/dry-run.js'
import { getPromotion } from './promotion/get.js'
import { getPromotionSpend } from './promotion/get-spend.js'
import { grantPromotion } from './promotion/grant.js'
import { backfillJob } from './promotion/job.js'
import { listPromotions } from './promotion/list.js'
import { previewPromotion } from './promotion/preview.js'
import { revokePromotion } from './promotion/revoke.js'
import { updatePromotion } from './promotion/update.js'
import { claimPurchase } from './purchase/claim.js'
import { getPurchase } from './purchase/get.js'
import { entitlementsJob } from './purchase/job.js'
import { resolvePurchase } from './purchase/resolve.js'
import { compareReconcile } from './reconcile/compare.js'
import { reconcileJob } from './reconcile/job.js'
import { referralJob } from './referral/job.js'
import { cancelSubscription } from './subscription/cancel.js'
import { createSubscription } from './subscription/create.js'
import { deleteSubscription } from './subscription/delete.js'
import { dropSubscriptionChange } from './subscription/drop-change.js'
import { getSubscription } from './subscription/get.js'
import { listSubscriptions } from './subscription/list.js'
import { overrideSubscription } from './subscription/override.js'
import { previewSubscription } from './subscription/preview.js'
import { reactivateSubscription } from './subscription/reactivate.js'
import { updateSubscription } from './subscription/update.js'
import { getSummary } from './summary/get.js'
import { getAllSummary } from './summary/get-all.js'
import { getAllocation } from './summary/get-allocation.js'
import { getUsageByTeam } from './summary/get-usage-by-team.js'
import { getUsage } from './usage/get.js'
import { webhooksJob } from './webhook/job.js'
import { receiveWebhook } from './webhook/receive.js'
import { getWebhookEvent } from './webhook-event/get.js'
import { listWebhookEvents } from './webhook-event/list.js'
import { replayWebhookEvent } from './webhook-event/replay.js'

export const BILLING_OPERATIONS: readonly Operation[] = [
  getConfig,
  listPlans,
  getPlan,
  getSubscription,
  createSubscription,
  deleteSubscription,
  previewSubscription,
  updateSubscription,
  cancelSubscription,
  reactivateSubscription,
  dropSubscriptionChange,
  listBundles,
  previewAddon,
  setAddon,
  removeAddon,
  redeemDiscount,
  previewDiscount,
  removeDiscount,
  createDiscount,
  listDiscounts,
  getDiscount,
  updateDiscount,
  revokeDiscount,
  issueDiscountToken,
  applyDiscount,
  previewDiscountApply,
  dryRunPromotion,
  createPromotion,
  listPromotions,
  getPromotion,
  updatePromotion,
  revokePromotion,
  grantPromotion,
  activatePromotion,
  previewPromotion,
  getPromotionSpend,
  listAlerts,
  createAlert,
  updateAlert,
  deleteAlert,
  listClocks,
  createClock,
  advanceClock,
  failClockPayments,
  deleteClock,
  getNextInvoice,
  listInvoices,
  getInvoice,
  listKeptInvoices,
  listSubscriptions,
  overrideSubscription,
  listAllEvents,
  getAllSummary,
  checkCredit,
  getEntitlement,
  resyncEntitlement,
  backfillPromotion,
  listLedger,
  exportLedger,
  getSummary,
  getAllocation,
  getUsageByTeam,
  getUsage,
  listEvents,
  openPortal,
  resolvePurchase,
  claimPurchase,
  getPurchase,
  receiveNotification,
  receiveWebhook,
  listWebhookEvents,
  getWebhookEvent,
  replayWebhookEvent,
  listCalls,
  retryCall,
  compareReconcile,
]

/** The jobs of billing that a schedule or a change queues. */
export const BILLING_JOBS = [
  lifecycleJob,
  alertsJob,
  announcedJob,
  backfillJob,
  referralJob,
  callsJob,
  webhooksJob,
  reconcileJob,
  entitlementDriftJob,
  entitlementsJob,
  meteringJob,
  keptInvoicesJob,
  ledgerSealJob,
] as const
