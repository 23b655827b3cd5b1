/** Granting across the existing base: who is eligible for a backfill, whether a promotion can be activated, the cost. */
import { add } from '../money/arithmetic.js'
import { type Cents, ZERO } from '../money/cents.js'
import type { Instant } from '../period/instant.js'
import { accept, type Result, refuse } from '../refusal/refusal.js'
import { isInWindow, isLive, meetsConditions } from './match.js'
import { promotionValue } from './reserve.js'
import type { Promotion, PromotionAccount } from './types.js'

/** One-time promotions in their window, except referrals. */
export function checkActivation(promotion: Promotion, now: Instant): Result<Promotion> {
  if (!promotion.isActive) return refuse('PROMOTION_INACTIVE', 'the promotion is not active')
  if (promotion.trigger.type === 'referral') {
    return refuse('PROMOTION_NOT_ACTIVATABLE', 'a referral promotion is granted by referrals alone')
  }
  if (promotion.kind === 'recurring') {
    return refuse('PROMOTION_NOT_ACTIVATABLE', 'a recurring promotion is granted by the roll of periods alone')
  }
  if (!isInWindow(promotion, now)) return refuse('PROMOTION_NOT_ACTIVATABLE', 'the promotion is not in its window now')
  return accept(promotion)
}

/**
 * Whether the backfill grants the promotion to the account: one-time promotions on `subscription_created` whose window
 * the subscription began in, or, once activated, the whole eligible base.
 */
export function isBackfillEligible(promotion: Promotion, account: PromotionAccount, now: Instant): boolean {
  if (!isLive(promotion, now) || promotion.kind === 'recurring' || !account.isEntitled) return false
  if (promotion.activatedAt !== undefined) {
    return promotion.trigger.type !== 'referral' && meetsConditions(promotion, account)
  }
  return (
    promotion.trigger.type === 'subscription_created' &&
    isInWindow(promotion, account.subscriptionStartedAt) &&
    meetsConditions(promotion, account)
  )
}

export interface PromotionProjection {
  readonly eligibleOrgs: number
  /** What granting to all of them would cost, budget left aside. */
  readonly projectedCents: Cents
  readonly remainingBudgetCents: Cents
}

/**
 * How many of the accounts would be granted it and what that costs in cents, beside the budget that is left. Nothing is
 * capped by the budget here.
 */
export function projectPromotion(
  promotion: Promotion,
  accounts: Iterable<PromotionAccount>,
  remainingBudgetCents: Cents,
): PromotionProjection {
  let eligibleOrgs = 0
  let projectedCents: Cents = ZERO
  for (const account of accounts) {
    if (!account.isEntitled || !meetsConditions(promotion, account)) continue
    eligibleOrgs++
    projectedCents = add(projectedCents, promotionValue(promotion, account.planPriceCents).cents)
  }
  return { eligibleOrgs, projectedCents, remainingBudgetCents }
}
