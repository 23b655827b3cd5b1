/**
 * Exact billing in integer cents: what an account may do, what it pays, what credit it has, and why.
 *
 * Every function is pure: it uses no clock, no randomness and no I/O. Instants, ids and random bytes are arguments.
 */

export { type Cascade, cascade } from './addons/cascade.js'
export { normaliseAddons, parseAddons, quantityOf } from './addons/list.js'
export { type PrunedAddon, type PruneReason, type Pruning, pruneForTier } from './addons/prune.js'
export { type Alert, type AlertFigures, type AlertKind, alertFigure, alertKinds } from './alerts/alert.js'
// Catalogue: tiers, plans, bundles, combos.
export { defaultBundles, MAX_QUANTITY } from './catalogue/bundles.js'
export { defaultCombos, MAX_ACTIVE_COMBOS } from './catalogue/combos.js'
export { createCatalogue, defaultCatalogue, defaultDefinition } from './catalogue/create.js'
export { loadCatalogue, overrideNames } from './catalogue/load.js'
export { bundlesFor, combosFor, findBundle, findCombo, findPlan, type OfferedCombo } from './catalogue/lookup.js'
export { defaultPlans } from './catalogue/plans.js'
export { defaultTiers } from './catalogue/tiers.js'
export type {
  Addon,
  Bundle,
  Catalogue,
  CatalogueDefinition,
  CatalogueIssue,
  Combo,
  ComboMember,
  Plan,
  Prices,
  TierBaseline,
} from './catalogue/types.js'
export {
  type BundleId,
  type ComboId,
  type Feature,
  features,
  isSoldTier,
  isTier,
  type LimitField,
  type Limits,
  limitFields,
  type QuotaType,
  quotaTypes,
  rankOf,
  type SoldTier,
  soldTiers,
  type Tier,
  tiers,
  UNLIMITED,
} from './catalogue/vocabulary.js'
export { type AppliedCombo, compareCombos, type Packing, pack } from './combos/pack.js'
// Explanations, refusals, cryptography.
export { nobleCrypto } from './crypto/noble.js'
export { type CryptoPort, IV_BYTES, KEY_BYTES, TAG_BYTES } from './crypto/port.js'
// Discounts and tokens.
export { MAX_CODE_LENGTH, parseAlias, type RedemptionCode, readRedemptionCode } from './discounts/alias.js'
export { checkCeilings, type DiscountCeilings, parseDiscount, printDiscount } from './discounts/parse.js'
export {
  checkRedemption,
  type Redemption,
  type RedemptionContext,
  type RedemptionResult,
  redemptionChecks,
} from './discounts/redeem.js'
export { type ResolvedValue, resolveValue } from './discounts/resolve.js'
export { type StandingRule, type StandingRuleEnd, standingRule, standingRuleEnd } from './discounts/standing.js'
export {
  type Discount,
  type DiscountKind,
  type DiscountTerms,
  type DiscountValue,
  discountKinds,
} from './discounts/types.js'
export {
  type CappedField,
  type ComplianceSet,
  complianceSets,
  type Entitlement,
  type EntitlementInput,
  entitle,
  isEntitled,
  MAX_RETENTION_DAYS,
  type Overage,
  overages,
  type ReportingRetention,
  reportingRetention,
  type SubscriptionStatus,
  subscriptionStatuses,
  type Usage,
} from './entitlements/entitlement.js'
export { prorationReason, renderStep, renderSteps } from './explain/render.js'
export type { Addend, Step } from './explain/step.js'
// Promotions, referrals, period grants.
export { type AnnouncedGrant, type AnnouncedPlan, planAnnounced } from './grants/announced.js'
export { type PeriodGrant, type PeriodRoll, planPeriodRoll, type RollInput } from './grants/roll.js'
// Subscriptions and invoices.
export {
  addMeteredCredit,
  consumedCredit,
  type Invoice,
  type InvoiceStatus,
  ingestInvoice,
  markInvoice,
  type ReconcileCommand,
  reconcileBalance,
  refundInvoice,
} from './invoices/mirror.js'
export {
  type DrawnInvoice,
  drawInvoice,
  type InvoiceAccount,
  type InvoiceLine,
  type NextInvoice,
  nextInvoice,
} from './invoices/next.js'
export {
  type BilledDay,
  type BilledInvoice,
  type BilledMonth,
  type BillingSummary,
  summarizeDays,
  summarizeInvoices,
} from './invoices/summary.js'
// Credit ledger.
export { type AdjustCommand, adjust } from './ledger/adjust.js'
export {
  apply,
  availableOf,
  balanceOf,
  findRow,
  type LedgerState,
  ledgerHolds,
  ledgerRows,
} from './ledger/book.js'
export { type CompactableRow, type CompactedRow, compactLedger } from './ledger/compact.js'
export { type ConfirmPushCommand, confirmPush } from './ledger/confirm.js'
export { type ConsumeCommand, consume } from './ledger/consume.js'
export { type ForfeitCommand, forfeit } from './ledger/forfeit.js'
export { type GrantCommand, grant } from './ledger/grant.js'
export { type HoldCommand, hold, release } from './ledger/hold.js'
export { isGrantedAgain, ledgerKey, reversalTarget } from './ledger/keys.js'
export { checkLedger, type FindingCode, type LedgerFinding, type OpenedLedger, openLedger } from './ledger/replay.js'
export { resumeLedger, type StoredLedger } from './ledger/resume.js'
export {
  type ClawbackCommand,
  clawback,
  type ReverseCommand,
  type ReverseOutcome,
  refusePush,
} from './ledger/reverse.js'
export {
  type CachedColumns,
  type EntryState,
  type EntryType,
  entryTypes,
  type FulfillmentRef,
  type Hold,
  type LedgerEvent,
  type LedgerFacts,
  type LedgerOutcome,
  type LedgerRow,
  type RowCommand,
} from './ledger/types.js'
export { type EffectiveLimits, effectiveLimits } from './limits/effective.js'
// Settings.
export { type BillingSettings, loadBillingSettings } from './load-settings.js'
// Marketplace, metering, providers.
export {
  type EntitledPlan,
  entitledPlan,
  isEntitledValue,
  type MarketplaceEntitlement,
} from './marketplace/entitled-plan.js'
export {
  type BundleDimensionMap,
  type DimensionPriceMap,
  listingDimension,
  type PlanDimensionMap,
  parseBundleDimensionMap,
  parseDimensionPriceMap,
  parsePlanDimensionMap,
} from './metering/dimensions.js'
export {
  lapseHour,
  lapsesAt,
  type MeteringHour,
  type MeteringStep,
  type MeteringWarning,
  openHour,
  type RecordResult,
  type RecordStatus,
  type RefusedRecord,
  recordStatuses,
  settleHour,
} from './metering/hour.js'
export {
  batchRecords,
  type MeteringInput,
  type MeteringLine,
  type MeteringPlan,
  type MeteringRecord,
  planMetering,
  RECORDS_PER_CALL,
} from './metering/plan.js'
// Money and periods.
export { type Allocation, allocate } from './money/allocate.js'
export { add, negate, smaller, subtract, subtractToZero, sum, sumSigned, times } from './money/arithmetic.js'
export {
  type Cents,
  cents,
  dollars,
  MAX_CENTS,
  parseCents,
  parseSignedCents,
  type SignedCents,
  signedCents,
  ZERO,
} from './money/cents.js'
export { formatCents } from './money/format.js'
export { fractionOf } from './money/fraction.js'
export { type Percent, parsePercent, percent, percentOf } from './money/percent.js'
export { addMonths } from './period/add-months.js'
export { addDays, addMilliseconds, type Instant, instant, parseInstant, toMilliseconds } from './period/instant.js'
export { type Interval, intervals, parseInterval } from './period/interval.js'
export { hourKey, type Period, periodAt, periodContaining, periodEnd, periodKey } from './period/period.js'
export {
  checkActivation,
  isBackfillEligible,
  type PromotionProjection,
  projectPromotion,
} from './promotions/activate.js'
export { clawbackCandidates, DEFAULT_CLAWBACK_WINDOW_MS } from './promotions/clawback.js'
export {
  checkManualGrant,
  grantPromotion,
  type PromotionGrant,
  type PromotionGrantCommand,
  type PromotionGrantReason,
} from './promotions/grant.js'
export { isLive, type Match, matchingPromotions, matchPromotion, meetsConditions } from './promotions/match.js'
export { fitsBudget, promotionValue, releaseGrant, reserveGrant } from './promotions/reserve.js'
export { hasGrantOf, healCounters, type PromotionSpend, spendOf } from './promotions/spend.js'
export {
  type Promotion,
  type PromotionAccount,
  type PromotionConditions,
  type TriggerType,
  triggerTypes,
} from './promotions/types.js'
export { type Holding, type Proration, type ProrationLine, prorate, prorationStep } from './proration/prorate.js'
export { type CreditSupport, creditSupport, type ProviderKind, providerKinds } from './providers/credit-support.js'
export {
  type AppliedEvents,
  countsAsFailure,
  type EventDecision,
  type InvoiceFailure,
  orderSubscriptionEvent,
  type PaidInvoices,
  type SubscriptionEventOrder,
} from './providers/order.js'
export {
  bundlePrice,
  findPrice,
  type PricedThing,
  type PriceMap,
  parsePriceMap,
  planPrice,
  pricedPlans,
} from './providers/price-map.js'
export {
  SIGNATURE_TOLERANCE_SECONDS,
  type SignedDelivery,
  signatureHeaders,
  signDelivery,
  verifySignature,
} from './providers/signature.js'
export { statusFromProvider } from './providers/status.js'
export {
  addonBreakdown,
  creditBreakdown,
  type PriceLine,
  priceLines,
  type Quote,
  type QuoteInput,
  type QuoteLine,
  quote,
} from './quote/quote.js'
export { type Qualification, type QualifyInput, qualifyReferral, withRefereeGrant } from './referrals/qualify.js'
export {
  parseReferralCode,
  type Referral,
  type ReferralIgnored,
  type ReferralInput,
  type ReferralRecording,
  recordReferral,
} from './referrals/record.js'
export { type RefusalCode, refusalCodes, statusOf } from './refusal/codes.js'
export { type Accepted, type Refusal, type Refused, RefusedError, type Result } from './refusal/refusal.js'
export { didYouMean } from './settings/nearest.js'
export type { Loaded, SettingIssue, SettingValues } from './settings/read.js'
export { renderSettingsReference } from './settings/reference.js'
export { catalogueSettings, type SettingSpec, scalarSettings } from './settings/table.js'
export { type Showback, type ShowbackShare, showback } from './showback/allocate.js'
export { type Agenda, type Due, type DueKind, nextDue, TRIAL_NOTICE_DAYS } from './subscription/agenda.js'
// Limits, entitlements, add-ons, combos, quote.
export {
  type AddonChange,
  type AddonContext,
  type AddonHolder,
  type ComboChange,
  loweredOverages,
  removeAddon,
  setAddon,
} from './subscription/change-addons.js'
export { changePlan, type PlanChange } from './subscription/change-plan.js'
export { type CreatedSubscription, type CreateSubscription, createSubscription } from './subscription/create.js'
export {
  DEFAULT_GRACE_PERIOD_DAYS,
  nextPeriod,
  type Transition,
  type TransitionSettings,
  transition,
} from './subscription/transition.js'
export type {
  PaymentFailure,
  PeriodBounds,
  Reversal,
  Subscription,
  SubscriptionEffect,
  SubscriptionEvent,
} from './subscription/types.js'
export { type KeyRing, parseKeyRing } from './tokens/key-ring.js'
export { matchesDiscount, openToken } from './tokens/open.js'
export { MAX_TOKEN_LENGTH, sealToken, type TokenPayload } from './tokens/seal.js'
