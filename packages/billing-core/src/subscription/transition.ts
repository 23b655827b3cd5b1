/**
 * The state machine of a subscription: it takes one event and returns the next state and the effects to carry out. It
 * is pure, so webhooks, the hourly job and operators use the same rules, and every row of the table is a test.
 *
 * INVARIANT: a canceled subscription stays canceled, unless an operator changes it. Every change of entitlement has an
 * `entitle` effect. A payment clock runs exactly while the status is past_due.
 */
import { isEntitled, subscriptionStatuses } from '../entitlements/entitlement.js'
import type { Step } from '../explain/step.js'
import { addDays, type Instant } from '../period/instant.js'
import { periodContaining, periodEnd } from '../period/period.js'
import { accept, invalid, type Result, refuse, show } from '../refusal/refusal.js'
import type { PaymentFailure, PeriodBounds, Subscription, SubscriptionEffect, SubscriptionEvent } from './types.js'

export interface Transition {
  readonly subscription: Subscription
  readonly effects: readonly SubscriptionEffect[]
  readonly steps: readonly Step[]
}

/** A transition without its explanation. */
type Move = Omit<Transition, 'steps'>

export interface TransitionSettings {
  readonly gracePeriodDays: number
}

export const DEFAULT_GRACE_PERIOD_DAYS = 7

/**
 * Returns the next state, its effects and the steps. An event that changes nothing returns the same state without
 * effects. An unknown status of the provider is refused.
 */
export function transition(
  state: Subscription,
  event: SubscriptionEvent,
  now: Instant,
  settings: TransitionSettings = { gracePeriodDays: DEFAULT_GRACE_PERIOD_DAYS },
): Result<Transition> {
  if (event.type === 'provider_status' && !subscriptionStatuses.includes(event.status)) {
    return invalid('status', `status must be one of ${subscriptionStatuses.join(', ')}, not ${show(event.status)}`)
  }
  const moved = move(state, event, now, settings)
  return moved.ok ? accept({ ...moved.value, steps: explainMove(state, event, moved.value) }) : moved
}

function move(state: Subscription, event: SubscriptionEvent, now: Instant, settings: TransitionSettings): Result<Move> {
  switch (event.type) {
    case 'provider_status':
      return accept(followProvider(state, event.status, now, settings))
    case 'payment_failed':
      return failPayment(state, event, now, settings)
    case 'payment_succeeded':
      return accept(state.status === 'canceled' ? unchanged(state) : receivePayment(state, event.period))
    case 'trial_ended':
      return accept(state.status === 'trialing' ? endTrial(state, event.hasPaymentMethod, now) : unchanged(state))
    case 'grace_check':
      return accept(checkGrace(state, now))
    case 'period_check':
      return accept(checkPeriod(state, event.provider, now))
    case 'cancel_requested':
      return requestCancel(state)
    case 'reactivate_requested':
      return requestReactivate(state)
    case 'ended':
      return accept(state.status === 'canceled' ? unchanged(state) : end(state, now, event.reason ?? 'ended'))
    case 'reversed':
      return accept({
        subscription: { ...state, reversal: { reason: event.reason, invoiceId: event.invoiceId, at: now } },
        effects: [
          { kind: 'clawback' },
          {
            kind: 'event',
            type: 'subscription_updated',
            details: { reason: event.reason, invoiceId: event.invoiceId },
          },
        ],
      })
    case 'admin_update':
      return adminUpdate(state, event, now, settings)
    default: {
      // Only a caller without types can reach this.
      const unknown: never = event
      return invalid(
        'type',
        `type must name an event of subscriptions, not ${show((unknown as { type: unknown }).type)}`,
      )
    }
  }
}

const unchanged = (subscription: Subscription): Move => ({ subscription, effects: [] })

const noClock = { failedPaymentAttempts: 0, firstFailedAt: null, graceEndsAt: null, graceDowngradedAt: null }

function followProvider(
  state: Subscription,
  status: Subscription['status'],
  now: Instant,
  settings: TransitionSettings,
): Move {
  if (state.status === 'canceled') return unchanged(state)
  switch (status) {
    case 'canceled':
      return end(state, now, 'provider')
    case 'past_due':
      if (state.status === 'incomplete') return fallDueUnpaid(state, now)
      // The status alone starts the clock. Only a failed payment counts as an attempt.
      return state.status === 'past_due' ? unchanged(state) : startClock(state, now, settings, 0)
    case 'active':
    case 'trialing':
      if (state.status === status) return unchanged(state)
      return {
        subscription: { ...state, ...noClock, status },
        effects: [{ kind: 'entitle', to: 'plan' }, updated({ status })],
      }
    case 'incomplete':
      if (state.status === 'incomplete') return unchanged(state)
      return {
        subscription: { ...state, ...noClock, status },
        effects: [{ kind: 'entitle', to: 'baseline' }, updated({ status })],
      }
  }
}

/** The number of counted failures to remember: more than five times what a provider tries for one invoice. */
const REMEMBERED_FAILURES = 64

function failPayment(
  state: Subscription,
  { invoiceId, attempt }: PaymentFailure,
  now: Instant,
  settings: TransitionSettings,
): Result<Move> {
  if (typeof invoiceId !== 'string' || invoiceId === '') {
    return invalid('invoiceId', `invoiceId must be a text, not ${show(invoiceId)}`)
  }
  if (!Number.isSafeInteger(attempt) || attempt < 1) {
    return invalid('attempt', `attempt must be a whole number from 1, not ${show(attempt)}`)
  }
  const isCounted = state.countedFailures.some((each) => each.invoiceId === invoiceId && each.attempt === attempt)
  if (state.status === 'canceled' || isCounted) return accept(unchanged(state))
  const failed = startClock(state, now, settings, 1)
  const attempts = failed.subscription.failedPaymentAttempts
  const countedFailures = [...state.countedFailures, { invoiceId, attempt }].slice(-REMEMBERED_FAILURES)
  return accept({
    subscription: { ...failed.subscription, countedFailures },
    effects: [...failed.effects, { kind: 'event', type: 'payment_failed', details: { attempts, invoiceId, attempt } }],
  })
}

/** The first paid period begins where the trial ends, and anchors the periods after it. */
function endTrial(state: Subscription, hasPaymentMethod: boolean, now: Instant): Move {
  if (state.cancelAtPeriodEnd) return end(state, now, 'cancel_at_period_end')
  if (!hasPaymentMethod) return end(state, now, 'trial_ended')
  const start = now < state.currentPeriodEnd ? now : state.currentPeriodEnd
  const subscription: Subscription = {
    ...state,
    status: 'active',
    periodAnchor: start,
    currentPeriodStart: start,
    currentPeriodEnd: periodEnd(start, state.interval),
  }
  return {
    subscription,
    effects: [updated({ status: 'active', reason: 'trial_ended' }), { kind: 'roll_period', periodStart: start }],
  }
}

/**
 * The provider reports a subscription as past due that was never paid. Our status becomes past due too, but the grace
 * period is over at once: a failed payment must not entitle an account that never was entitled. A payment ends this.
 */
function fallDueUnpaid(state: Subscription, now: Instant): Move {
  const over = { firstFailedAt: now, graceEndsAt: now, graceDowngradedAt: now }
  return { subscription: { ...state, ...over, status: 'past_due' }, effects: [updated({ status: 'past_due' })] }
}

/**
 * The first failure starts the grace period, and later failures do not move its end. An incomplete subscription was
 * never entitled and gets no grace period.
 */
function startClock(state: Subscription, now: Instant, settings: TransitionSettings, attempts: number): Move {
  const firstFailedAt = state.firstFailedAt ?? now
  const status = state.status === 'incomplete' ? 'incomplete' : 'past_due'
  const clock =
    status === 'incomplete'
      ? {}
      : { firstFailedAt, graceEndsAt: state.graceEndsAt ?? addDays(firstFailedAt, settings.gracePeriodDays) }
  return {
    subscription: {
      ...state,
      ...clock,
      status,
      failedPaymentAttempts: state.failedPaymentAttempts + attempts,
    },
    effects: status === state.status ? [] : [updated({ status })],
  }
}

function receivePayment(state: Subscription, period: PeriodBounds | undefined): Move {
  const wasEntitled = state.status === 'active' || state.status === 'trialing'
  const moved = period === undefined ? state : movePeriod(state, period)
  const subscription: Subscription = {
    ...moved,
    ...noClock,
    status: state.status === 'trialing' ? 'trialing' : 'active',
    reversal: null,
  }
  const effects: SubscriptionEffect[] = wasEntitled ? [] : [{ kind: 'entitle', to: 'plan' }]
  effects.push({ kind: 'event', type: 'payment_succeeded', details: { status: subscription.status } })
  if (period !== undefined) effects.push({ kind: 'roll_period', periodStart: subscription.currentPeriodStart })
  return { subscription, effects }
}

/** Periods only move forward: the late payment of an old invoice does not move the period back. */
function movePeriod(state: Subscription, { start, end }: PeriodBounds): Subscription {
  if (start < state.currentPeriodStart) return state
  return { ...state, currentPeriodStart: start, currentPeriodEnd: end }
}

function checkGrace(state: Subscription, now: Instant): Move {
  const isOver = state.status === 'past_due' && state.graceEndsAt !== null && state.graceEndsAt <= now
  if (!isOver || state.graceDowngradedAt !== null) return unchanged(state)
  return {
    subscription: { ...state, graceDowngradedAt: now },
    effects: [{ kind: 'entitle', to: 'baseline' }, updated({ reason: 'grace_period_expired' })],
  }
}

function checkPeriod(
  state: Subscription,
  provider: Extract<SubscriptionEvent, { type: 'period_check' }>['provider'],
  now: Instant,
): Move {
  if (state.status === 'canceled' || state.status === 'incomplete' || now < state.currentPeriodEnd)
    return unchanged(state)
  switch (provider.view) {
    case 'gone':
      return end(state, now, 'provider')
    case 'local': {
      if (state.cancelAtPeriodEnd) return end(state, now, 'cancel_at_period_end')
      // The event `trial_ended` ends a trial, because it knows whether there is a payment method.
      return state.status === 'trialing' ? unchanged(state) : rollLocally(state, now)
    }
    case 'renewed':
      return roll(state, provider.period)
    case 'unknown':
      return { subscription: state, effects: [updated({ reason: 'period_end_passed_without_renewal' })] }
  }
}

function rollLocally(state: Subscription, now: Instant): Move {
  const { anchor, ...period } = nextPeriod(state, now)
  return roll({ ...state, periodAnchor: anchor }, period)
}

/**
 * Returns the period that a roll at that instant opens, when there is no provider to ask: the period that contains the
 * instant. When the interval changed, a period counted from the old anchor may overlap the period that is over. The end
 * of that period then becomes the new anchor.
 */
export function nextPeriod(
  state: Pick<Subscription, 'periodAnchor' | 'interval' | 'currentPeriodEnd'>,
  at: Instant,
): PeriodBounds & { readonly anchor: Instant } {
  const now = at < state.currentPeriodEnd ? state.currentPeriodEnd : at
  const { start, end } = periodContaining(state.periodAnchor, state.interval, now)
  if (start >= state.currentPeriodEnd) return { start, end, anchor: state.periodAnchor }
  const anchored = periodContaining(state.currentPeriodEnd, state.interval, now)
  return { start: anchored.start, end: anchored.end, anchor: state.currentPeriodEnd }
}

function roll(state: Subscription, period: PeriodBounds): Move {
  const subscription = movePeriod(state, period)
  if (subscription.currentPeriodStart === state.currentPeriodStart) return unchanged(state)
  return { subscription, effects: [{ kind: 'roll_period', periodStart: subscription.currentPeriodStart }] }
}

function requestCancel(state: Subscription): Result<Move> {
  if (state.status === 'canceled' || state.status === 'incomplete') return notLive(state)
  if (state.cancelAtPeriodEnd) return accept(unchanged(state))
  return accept({
    subscription: { ...state, cancelAtPeriodEnd: true },
    effects: [
      { kind: 'tell_provider', action: 'cancel_at_period_end' },
      { kind: 'clawback' },
      { kind: 'event', type: 'subscription_canceled', details: { cancelAtPeriodEnd: true } },
    ],
  })
}

/** Credit that was taken back when the cancellation was requested is not granted again. */
function requestReactivate(state: Subscription): Result<Move> {
  if (state.status === 'canceled' || state.status === 'incomplete') return notLive(state)
  if (!state.cancelAtPeriodEnd) return accept(unchanged(state))
  return accept({
    subscription: { ...state, cancelAtPeriodEnd: false },
    effects: [
      { kind: 'tell_provider', action: 'reactivate' },
      { kind: 'event', type: 'subscription_reactivated', details: {} },
    ],
  })
}

function notLive(state: Subscription): Result<Move> {
  return refuse('NOT_FOUND', `the subscription is ${state.status}; create a new one`)
}

function end(state: Subscription, now: Instant, reason: string): Move {
  return {
    subscription: {
      ...state,
      ...noClock,
      status: 'canceled',
      canceledAt: now,
      cancelAtPeriodEnd: false,
      recurringDiscount: null,
    },
    effects: [
      { kind: 'entitle', to: 'baseline' },
      ...(state.recurringDiscount === null ? [] : [{ kind: 'clear_standing_rule' } as const]),
      { kind: 'clawback' },
      { kind: 'forfeit' },
      { kind: 'event', type: 'subscription_canceled', details: { reason } },
    ],
  }
}

/** An operator may set any status, and may also reactivate a canceled subscription. */
function adminUpdate(
  state: Subscription,
  event: Extract<SubscriptionEvent, { type: 'admin_update' }>,
  now: Instant,
  settings: TransitionSettings,
): Result<Move> {
  const { planId, interval, status, cancelAtPeriodEnd } = event
  if (planId === undefined && interval === undefined && status === undefined && cancelAtPeriodEnd === undefined) {
    return invalid('body', 'at least one of planId, interval, status and cancelAtPeriodEnd is required')
  }
  if (status === 'canceled' && state.status !== 'canceled') return accept(end(state, now, 'admin'))
  const next: Subscription = {
    ...state,
    planId: planId ?? state.planId,
    interval: interval ?? state.interval,
    cancelAtPeriodEnd: cancelAtPeriodEnd ?? state.cancelAtPeriodEnd,
    ...(status === undefined ? {} : withStatus(state, status, now, settings)),
  }
  const effects: SubscriptionEffect[] = []
  const entitled = isEntitled(next, now)
  if (entitled !== isEntitled(state, now) || (entitled && next.planId !== state.planId)) {
    effects.push({ kind: 'entitle', to: entitled ? 'plan' : 'baseline' })
  }
  if (next.planId !== state.planId) {
    effects.push({ kind: 'event', type: 'plan_changed', details: { from: state.planId, to: next.planId } })
  }
  if (next.interval !== state.interval) {
    effects.push({ kind: 'event', type: 'interval_changed', details: { from: state.interval, to: next.interval } })
  }
  effects.push(updated({ reason: 'admin' }))
  return accept({ subscription: next, effects })
}

function withStatus(
  state: Subscription,
  status: Subscription['status'],
  now: Instant,
  settings: TransitionSettings,
): Partial<Subscription> {
  if (status === 'past_due') {
    return { ...startClock({ ...state, status: 'active' }, now, settings, 0).subscription, canceledAt: null }
  }
  return { ...noClock, status, canceledAt: status === 'canceled' ? state.canceledAt : null }
}

function updated(details: Readonly<Record<string, string | boolean | number>>): SubscriptionEffect {
  return { kind: 'event', type: 'subscription_updated', details }
}

/** Describes the move as steps: the status before and after, then each effect. */
function explainMove(state: Subscription, event: SubscriptionEvent, { subscription, effects }: Move): Step[] {
  const change =
    subscription.status === state.status
      ? `stays ${state.status}`
      : `goes from ${state.status} to ${subscription.status}`
  const texts = [`${event.type}: the subscription ${change}`, ...effects.map(describeEffect)]
  return texts.map((text) => ({ kind: 'note', text }))
}

function describeEffect(effect: SubscriptionEffect): string {
  switch (effect.kind) {
    case 'entitle':
      return effect.to === 'plan' ? 'entitlements of plan and add-ons' : 'entitlements of the developer baseline'
    case 'tell_provider':
      return `the provider is told: ${effect.action}`
    case 'clawback':
      return 'promotion grants inside the window are pulled back'
    case 'forfeit':
      return 'what is left of the credit is forfeited'
    case 'clear_standing_rule':
      return 'the recurring discount ends'
    case 'roll_period':
      return `credit is granted for the period from ${effect.periodStart}`
    case 'event':
      return `event ${effect.type}`
  }
}
