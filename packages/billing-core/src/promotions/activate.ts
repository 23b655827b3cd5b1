/**
 * Granting a promotion to existing accounts: which accounts a backfill grants it to, whether it can be activated, and
 * what that costs.
 */
import { add } from '../money/arithmetic.js'
import { type Cents, ZERO } from '../money/cents.js'
import type { Instant } from '../period/instant.js'
import { accept, type Result, refuse } from '../refusal/refusal.js'
import { isInWindow, isLive, meetsConditions } from './match.js'
import { promotionValue } from './reserve.js'
import type { Promotion, PromotionAccount } from './types.js'

/**
 * Checks that an operator may activate the promotion: it is active, one-time, not a referral promotion, and inside its
 * window.
 */
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
 * Whether a backfill grants the promotion to the account.
 *
 * Before an activation this is so for a one-time promotion on `subscription_created`, when the subscription began
 * inside its window. After an activation it is so for every account that meets the conditions.
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
  /** The cost of a grant to every eligible account, without regard to the budget. */
  readonly projectedCents: Cents
  readonly remainingBudgetCents: Cents
}

/**
 * Projects how many of the accounts would get the promotion and what that costs in cents. The budget that is left is
 * returned too, but does not limit the projection.
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
