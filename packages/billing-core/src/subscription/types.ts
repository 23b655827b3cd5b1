/** Types of the state machine: the subscription, the events that change it, and the effects of an event. */
import type { Addon } from '../catalogue/types.js'
import type { SoldTier } from '../catalogue/vocabulary.js'
import type { StandingRule } from '../discounts/standing.js'
import type { SubscriptionStatus } from '../entitlements/entitlement.js'
import type { Instant } from '../period/instant.js'
import type { Interval } from '../period/interval.js'

export interface Reversal {
  readonly reason: 'refunded' | 'disputed' | 'void' | 'uncollectible'
  readonly invoiceId: string
  readonly at: Instant
}

export interface Subscription {
  readonly id: string
  readonly orgId: string
  readonly planId: SoldTier
  readonly interval: Interval
  readonly status: SubscriptionStatus
  /** The start of the first period. Every boundary is counted from it. */
  readonly periodAnchor: Instant
  readonly currentPeriodStart: Instant
  readonly currentPeriodEnd: Instant
  readonly cancelAtPeriodEnd: boolean
  readonly canceledAt: Instant | null
  readonly addons: readonly Addon[]
  readonly recurringDiscount: StandingRule | null
  readonly failedPaymentAttempts: number
  /** The failures that were counted, newest last, at most 64. They let a failure that is reported twice count once. */
  readonly countedFailures: readonly PaymentFailure[]
  readonly firstFailedAt: Instant | null
  readonly graceEndsAt: Instant | null
  readonly graceDowngradedAt: Instant | null
  readonly reversal: Reversal | null
}

export interface PaymentFailure {
  readonly invoiceId: string
  /** 1 for the first attempt to charge the invoice. */
  readonly attempt: number
}

export interface PeriodBounds {
  readonly start: Instant
  readonly end: Instant
}

export type SubscriptionEvent =
  | { readonly type: 'provider_status'; readonly status: SubscriptionStatus }
  /** Several events of a provider may report one failure: `attempt` of `invoiceId` counts once. */
  | ({ readonly type: 'payment_failed' } & PaymentFailure)
  /** A trial is over. Without a payment method the subscription ends. */
  | { readonly type: 'trial_ended'; readonly hasPaymentMethod: boolean }
  /** `period` is set only for an invoice that opens a period, not for prorations or manual invoices. */
  | { readonly type: 'payment_succeeded'; readonly period?: PeriodBounds }
  /** The hourly check of grace periods. */
  | { readonly type: 'grace_check' }
  /** The hourly check of a period that is over. `local`: there is no provider to ask. */
  | {
      readonly type: 'period_check'
      readonly provider:
        | { readonly view: 'gone' | 'unknown' | 'local' }
        | { readonly view: 'renewed'; readonly period: PeriodBounds }
    }
  | { readonly type: 'cancel_requested' }
  | { readonly type: 'reactivate_requested' }
  /** The provider or marketplace ended it. `unpaid`: nothing was paid until the grace period and the period were over. */
  | { readonly type: 'ended'; readonly reason?: 'unpaid' | 'marketplace' | 'claimed' }
  | { readonly type: 'reversed'; readonly reason: Reversal['reason']; readonly invoiceId: string }
  | {
      readonly type: 'admin_update'
      readonly planId?: SoldTier
      readonly interval?: Interval
      readonly status?: SubscriptionStatus
      readonly cancelAtPeriodEnd?: boolean
    }

export type SubscriptionEffect =
  /** Synchronise entitlements: with the plan and its add-ons, or with the baseline. */
  | { readonly kind: 'entitle'; readonly to: 'plan' | 'baseline' }
  | { readonly kind: 'tell_provider'; readonly action: 'cancel_at_period_end' | 'reactivate' }
  /** Take back promotion grants that are inside the window. */
  | { readonly kind: 'clawback' }
  /** Bring the local balance to 0. */
  | { readonly kind: 'forfeit' }
  | { readonly kind: 'clear_standing_rule' }
  /** Make the grants of the period that begins. */
  | { readonly kind: 'roll_period'; readonly periodStart: Instant }
  | {
      readonly kind: 'event'
      readonly type:
        | 'subscription_created'
        | 'subscription_updated'
        | 'subscription_canceled'
        | 'subscription_reactivated'
        | 'plan_changed'
        | 'interval_changed'
        | 'payment_succeeded'
        | 'payment_failed'
      readonly details: Readonly<Record<string, string | boolean | number>>
    }
