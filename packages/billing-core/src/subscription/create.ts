/** A new subscription. Its first period starts when it is created, and anchors all later periods. */
import type { SoldTier } from '../catalogue/vocabulary.js'
import type { SubscriptionStatus } from '../entitlements/entitlement.js'
import type { Instant } from '../period/instant.js'
import type { Interval } from '../period/interval.js'
import { periodEnd } from '../period/period.js'
import { accept, type Result, refuse } from '../refusal/refusal.js'
import type { PeriodBounds, Subscription, SubscriptionEffect } from './types.js'

export interface CreateSubscription {
  readonly id: string
  readonly orgId: string
  readonly planId: SoldTier
  readonly interval: Interval
  /** The provider's status, mapped to ours. */
  readonly status: SubscriptionStatus
  /** The first period of the provider, or the period of the trial. */
  readonly period?: PeriodBounds
  /** The status of the account's current subscription; null when it has none. */
  readonly existing: SubscriptionStatus | null
}

export interface CreatedSubscription {
  readonly subscription: Subscription
  readonly effects: readonly SubscriptionEffect[]
  /** True when the existing subscription was never paid for. The caller cancels it in the same transaction. */
  readonly supersedes: boolean
}

export function createSubscription(command: CreateSubscription, now: Instant): Result<CreatedSubscription> {
  const { existing, interval, status, planId } = command
  if (existing === 'active' || existing === 'trialing' || existing === 'past_due') {
    return refuse('DUPLICATE_ENTRY', `the account has a subscription already; it is ${existing}`, { field: 'orgId' })
  }
  const start = command.period?.start ?? now
  const subscription: Subscription = {
    id: command.id,
    orgId: command.orgId,
    planId,
    interval,
    status,
    periodAnchor: start,
    currentPeriodStart: start,
    currentPeriodEnd: command.period?.end ?? periodEnd(start, interval),
    cancelAtPeriodEnd: false,
    canceledAt: status === 'canceled' ? now : null,
    addons: [],
    recurringDiscount: null,
    failedPaymentAttempts: 0,
    countedFailures: [],
    firstFailedAt: null,
    graceEndsAt: null,
    graceDowngradedAt: null,
    reversal: null,
  }
  const entitled = status === 'active' || status === 'trialing'
  return accept({
    subscription,
    effects: [
      ...(entitled ? [{ kind: 'entitle', to: 'plan' } as const] : []),
      { kind: 'event', type: 'subscription_created', details: { planId, interval, status } },
    ],
    supersedes: existing === 'incomplete',
  })
}
