/**
 * Decides whether an account may redeem a discount now. Ten checks run in a fixed order, and the first that fails is
 * the answer. The same ten apply to a redemption and to a direct grant by an operator.
 *
 * INVARIANT: the function is pure. The caller writes the counter and the ledger row in one transaction, and the
 * database repeats checks 3, 4, 7, 8 and 10 as conditions of the statements.
 */
import type { Tier } from '../catalogue/vocabulary.js'
import type { SubscriptionStatus } from '../entitlements/entitlement.js'
import type { Step } from '../explain/step.js'
import type { Cents } from '../money/cents.js'
import type { Instant } from '../period/instant.js'
import type { Interval } from '../period/interval.js'
import { periodKey } from '../period/period.js'
import type { RefusalCode } from '../refusal/codes.js'
import { type Refusal, refuse } from '../refusal/refusal.js'
import { resolveValue } from './resolve.js'
import type { Discount, DiscountKind } from './types.js'

export interface RedemptionContext {
  readonly now: Instant
  readonly orgId: string
  /** True when the account's provider can realise usage credits. */
  readonly creditSupported: boolean
  readonly subscription: {
    readonly status: SubscriptionStatus
    readonly tier: Tier
    readonly interval: Interval
    readonly planPriceCents: Cents
    readonly currentPeriodStart: Instant
    readonly hasRecurringDiscount: boolean
  }
  /** True when the account has redeemed this discount before, on any subscription. */
  readonly hasRedeemed: boolean
}

export interface Redemption {
  readonly discountId: string
  readonly applied: DiscountKind
  readonly cents: Cents
  /** The ledger key of the grant. The key of a recurring discount names the current period. */
  readonly dedupeKey: string
  readonly sourceId: string
  /** True when the discount becomes the standing rule of the subscription. */
  readonly setsStandingRule: boolean
}

export type RedemptionResult =
  | { readonly ok: true; readonly value: Redemption; readonly steps: readonly Step[] }
  | { readonly ok: false; readonly refusal: Refusal; readonly steps: readonly Step[] }

interface Check {
  readonly name: string
  readonly code: RefusalCode
  readonly message: string
  readonly passes: (discount: Discount, context: RedemptionContext, cents: Cents) => boolean
}

/** INVARIANT: the order is part of the contract. When two checks fail, the answer is the code of the earlier one. */
export const redemptionChecks: readonly Check[] = [
  {
    name: 'the provider can realise credit',
    code: 'DISCOUNTS_UNSUPPORTED',
    message: 'the provider of this account cannot realise credits',
    passes: (_, context) => context.creditSupported,
  },
  {
    name: 'the discount is for this account',
    code: 'DISCOUNT_NOT_FOR_ORG',
    message: 'the discount is for another account: sign in to that one, or ask for a code for this one',
    passes: (discount, context) => discount.targetOrgId === undefined || discount.targetOrgId === context.orgId,
  },
  {
    name: 'the discount is active',
    code: 'DISCOUNT_INACTIVE',
    message: 'the discount is not active: ask for another code, or have an operator make it active again',
    passes: (discount) => discount.isActive,
  },
  {
    name: 'the discount has not expired',
    code: 'DISCOUNT_EXPIRED',
    message: 'the discount has expired: ask for another code, or have an operator extend it',
    passes: (discount, context) => discount.redeemBy === undefined || discount.redeemBy >= context.now,
  },
  {
    name: 'the subscription is active or trialing',
    code: 'SUBSCRIPTION_NOT_REDEEMABLE',
    message: 'the subscription must be active or trialing: pay what is due, then try again',
    passes: (_, { subscription }) => subscription.status === 'active' || subscription.status === 'trialing',
  },
  {
    name: 'the tier is listed',
    code: 'DISCOUNT_TIER_MISMATCH',
    message: 'the discount is for other plans: change the plan, or ask for another code',
    passes: (discount, { subscription }) =>
      discount.appliesToTiers === undefined ||
      discount.appliesToTiers.length === 0 ||
      discount.appliesToTiers.includes(subscription.tier),
  },
  {
    name: 'the account has not redeemed it before',
    code: 'ALREADY_REDEEMED',
    message:
      'the account has redeemed this discount already: its credit is in the ledger, and another code can be redeemed',
    passes: (_, context) => !context.hasRedeemed,
  },
  {
    name: 'no recurring discount stands',
    code: 'RECURRING_ALREADY_PRESENT',
    message: 'the subscription has a recurring discount already; remove it first',
    passes: (discount, { subscription }) => discount.kind !== 'recurring' || !subscription.hasRecurringDiscount,
  },
  {
    name: 'the discount is worth something on this plan',
    code: 'DISCOUNT_ZERO_VALUE',
    message: 'the discount is worth nothing on this plan: change the plan, then try again',
    passes: (_discount, _context, cents) => cents > 0,
  },
  {
    name: 'redemptions are left',
    code: 'DISCOUNT_EXHAUSTED',
    message: 'the discount is used up: ask for another code, or have an operator raise how often it can be redeemed',
    passes: (discount) => discount.maxRedemptions === undefined || discount.timesRedeemed < discount.maxRedemptions,
  },
]

/**
 * Returns what the redemption grants, in cents and with its period, or the refusal of the first check that fails.
 * `steps` lists the checks up to that point.
 */
export function checkRedemption(discount: Discount, context: RedemptionContext): RedemptionResult {
  const { subscription } = context
  const { cents, steps: valueSteps } = resolveValue(discount, subscription.planPriceCents)
  const steps: Step[] = [...valueSteps]
  for (const check of redemptionChecks) {
    if (check.passes(discount, context, cents)) {
      steps.push({ kind: 'check', check: check.name, passed: true })
      continue
    }
    steps.push({ kind: 'check', check: check.name, passed: false, code: check.code })
    return { ...refuse(check.code, check.message), steps }
  }
  const recurring = discount.kind === 'recurring'
  const period = periodKey(subscription.currentPeriodStart, subscription.interval)
  return {
    ok: true,
    value: {
      discountId: discount.id,
      applied: discount.kind,
      cents,
      dedupeKey: recurring ? `disc:${discount.id}:${period}` : `disc:${discount.id}`,
      sourceId: discount.id,
      setsStandingRule: recurring,
    },
    steps,
  }
}
