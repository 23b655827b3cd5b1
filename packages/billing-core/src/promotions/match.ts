/**
 * Which promotions an account gets: they are active, inside their window (both ends included), and all given conditions
 * are met.
 */
import { compareIds } from '../catalogue/lookup.js'
import type { Step } from '../explain/step.js'
import type { Instant } from '../period/instant.js'
import type { Promotion, PromotionAccount, TriggerType } from './types.js'

export interface Match {
  readonly matches: boolean
  readonly steps: readonly Step[]
}

/** True when the promotion is active and inside its window. */
export function isLive(promotion: Promotion, now: Instant): boolean {
  return promotion.isActive && isInWindow(promotion, now)
}

export function isInWindow(promotion: Promotion, at: Instant): boolean {
  return (
    (promotion.startsAt === undefined || promotion.startsAt <= at) &&
    (promotion.endsAt === undefined || at <= promotion.endsAt)
  )
}

/** Checks the conditions alone. An empty list restricts nothing. */
export function meetsConditions(promotion: Promotion, account: PromotionAccount): boolean {
  const { tiers = [], intervals = [], firstSubscriptionOnly = false } = promotion.trigger.conditions ?? {}
  return (
    (tiers.length === 0 || tiers.includes(account.tier)) &&
    (intervals.length === 0 || intervals.includes(account.interval)) &&
    (!firstSubscriptionOnly || account.isFirstSubscription)
  )
}

/** Decides whether this trigger, at this time, earns the account the promotion. */
export function matchPromotion(
  promotion: Promotion,
  trigger: TriggerType,
  account: PromotionAccount,
  now: Instant,
): Match {
  const checks: readonly (readonly [string, boolean])[] = [
    ['the promotion is active', promotion.isActive],
    ['the promotion is in its window', isInWindow(promotion, now)],
    [`the trigger is ${promotion.trigger.type}`, promotion.trigger.type === trigger],
    ['the subscription is active or trialing', account.isEntitled],
    ['the conditions hold', meetsConditions(promotion, account)],
  ]
  const failed = checks.findIndex(([, passed]) => !passed)
  const shown = failed === -1 ? checks : checks.slice(0, failed + 1)
  return { matches: failed === -1, steps: shown.map(([check, passed]) => ({ kind: 'check', check, passed })) }
}

/** Returns all promotions that match, in the order in which they are granted: oldest first, then by id. */
export function matchingPromotions(
  promotions: readonly Promotion[],
  trigger: TriggerType,
  account: PromotionAccount,
  now: Instant,
): readonly Promotion[] {
  return promotions.filter((promotion) => matchPromotion(promotion, trigger, account, now).matches).sort(byAge)
}

export function byAge(a: Promotion, b: Promotion): number {
  return compareIds(a.createdAt, b.createdAt) || compareIds(a.id, b.id)
}
