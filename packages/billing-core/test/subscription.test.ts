import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  createSubscription,
  instant,
  isEntitled,
  renderSteps,
  type Subscription,
  type SubscriptionEffect,
  type SubscriptionEvent,
  standingRule,
  subscriptionStatuses,
  transition,
} from '../src/index.js'
import { discount, NOW, ok } from './support/build.js'

const created = ok(
  createSubscription(
    { id: 'sub_1', orgId: 'org_a', planId: 'team', interval: 'monthly', status: 'active', existing: null },
    instant('2026-01-31T00:00:00.000Z'),
  ),
)
const active = created.subscription
const in3Days = instant('2026-03-18T12:00:00.000Z')
const in7Days = instant('2026-03-22T12:00:00.000Z')

const step = (state: Subscription, event: SubscriptionEvent, now = NOW) => ok(transition(state, event, now))
const kinds = (effects: readonly SubscriptionEffect[]): string[] =>
  effects.map((effect) =>
    effect.kind === 'event' ? effect.type : effect.kind === 'entitle' ? `entitle ${effect.to}` : effect.kind,
  )

describe('creation', () => {
  test('anchors the period at its start and entitles when active', () => {
    expect(active).toMatchObject({
      currentPeriodEnd: '2026-02-28T00:00:00.000Z',
      periodAnchor: '2026-01-31T00:00:00.000Z',
    })
    expect(kinds(created.effects)).toEqual(['entitle plan', 'subscription_created'])
  })

  test.each(['active', 'trialing', 'past_due'] as const)('a second one beside an %s one is a duplicate', (existing) => {
    const command = { id: 's', orgId: 'o', planId: 'pro', interval: 'monthly', status: 'active', existing } as const
    expect(createSubscription(command, NOW)).toMatchObject({ refusal: { code: 'DUPLICATE_ENTRY', status: 409 } })
  })

  test('it supersedes an incomplete one, and an incomplete one entitles nobody', () => {
    const command = {
      id: 's',
      orgId: 'o',
      planId: 'pro',
      interval: 'monthly',
      status: 'incomplete',
      existing: 'incomplete',
    } as const
    const result = ok(createSubscription(command, NOW))
    expect(result.supersedes).toBe(true)
    expect(kinds(result.effects)).toEqual(['subscription_created'])
  })
})

describe('table of transitions', () => {
  test('incomplete that the provider calls active is entitled', () => {
    const result = step({ ...active, status: 'incomplete' }, { type: 'provider_status', status: 'active' })
    expect(result.subscription.status).toBe('active')
    expect(kinds(result.effects)).toContain('entitle plan')
  })

  test('incomplete that the provider calls past due follows it and is still not entitled, until it is paid', () => {
    const incomplete = { ...active, status: 'incomplete' as const }
    const told = step(incomplete, { type: 'provider_status', status: 'past_due' })
    expect(told.subscription.status).toBe('past_due')
    expect(isEntitled(told.subscription, NOW)).toBe(false)
    expect(kinds(told.effects)).toEqual(['subscription_updated'])
    expect(step(told.subscription, { type: 'grace_check' }, in7Days).effects).toEqual([])
    const failed = step(told.subscription, { type: 'payment_failed', invoiceId: 'in_1', attempt: 1 }, in3Days)
    expect(isEntitled(failed.subscription, in3Days)).toBe(false)
    const paid = step(failed.subscription, { type: 'payment_succeeded' }, in7Days)
    expect(isEntitled(paid.subscription, in7Days)).toBe(true)
    expect(kinds(paid.effects)).toContain('entitle plan')
  })

  test('a failed payment starts the grace period once; the tier stays', () => {
    const first = step(active, { type: 'payment_failed', invoiceId: 'in_1', attempt: 1 })
    expect(first.subscription).toMatchObject({
      status: 'past_due',
      failedPaymentAttempts: 1,
      firstFailedAt: NOW,
      graceEndsAt: in7Days,
    })
    expect(kinds(first.effects)).toEqual(['subscription_updated', 'payment_failed'])
    const second = step(first.subscription, { type: 'payment_failed', invoiceId: 'in_1', attempt: 2 }, in3Days)
    expect(second.subscription).toMatchObject({ failedPaymentAttempts: 2, firstFailedAt: NOW, graceEndsAt: in7Days })
    const told = step(active, { type: 'provider_status', status: 'past_due' })
    expect(told.subscription).toMatchObject({ status: 'past_due', failedPaymentAttempts: 0, graceEndsAt: in7Days })
  })

  test('when grace is over the baseline follows, once', () => {
    const { subscription } = step(active, { type: 'payment_failed', invoiceId: 'in_1', attempt: 1 })
    expect(step(subscription, { type: 'grace_check' }, in3Days).effects).toEqual([])
    const over = step(subscription, { type: 'grace_check' }, in7Days)
    expect(kinds(over.effects)).toEqual(['entitle baseline', 'subscription_updated'])
    expect(over.effects.at(-1)).toMatchObject({ details: { reason: 'grace_period_expired' } })
    expect(over.subscription).toMatchObject({ status: 'past_due', graceDowngradedAt: in7Days })
    expect(step(over.subscription, { type: 'grace_check' }, in7Days).effects).toEqual([])
  })

  test('a payment restores plan and add-ons and clears clock and reversal', () => {
    const { subscription } = step(active, { type: 'payment_failed', invoiceId: 'in_1', attempt: 1 })
    const late = {
      ...subscription,
      graceDowngradedAt: in7Days,
      reversal: { reason: 'refunded', invoiceId: 'in_1', at: NOW } as const,
    }
    const paid = step(late, { type: 'payment_succeeded' })
    expect(paid.subscription).toMatchObject({
      status: 'active',
      failedPaymentAttempts: 0,
      firstFailedAt: null,
      graceEndsAt: null,
      graceDowngradedAt: null,
      reversal: null,
    })
    expect(kinds(paid.effects)).toEqual(['entitle plan', 'payment_succeeded'])
  })

  test('an invoice that opens a period moves it and rolls grants; an old one does not turn it back', () => {
    const period = { start: instant('2026-02-28T00:00:00.000Z'), end: instant('2026-03-31T00:00:00.000Z') }
    const rolled = step(active, { type: 'payment_succeeded', period })
    expect(rolled.subscription.currentPeriodStart).toBe(period.start)
    expect(rolled.effects).toContainEqual({ kind: 'roll_period', periodStart: period.start })
    const old = { start: instant('2025-12-31T00:00:00.000Z'), end: instant('2026-01-31T00:00:00.000Z') }
    expect(step(active, { type: 'payment_succeeded', period: old }).subscription.currentPeriodStart).toBe(
      active.currentPeriodStart,
    )
  })

  test.each([
    { type: 'ended' },
    { type: 'provider_status', status: 'canceled' },
    { type: 'admin_update', status: 'canceled' },
  ] as const)('%o ends it: baseline, rule cleared, clawback, forfeit', (event) => {
    const withRule = { ...active, recurringDiscount: standingRule(discount, NOW) }
    const ended = step(withRule, event)
    expect(ended.subscription).toMatchObject({ status: 'canceled', canceledAt: NOW, recurringDiscount: null })
    expect(kinds(ended.effects)).toEqual([
      'entitle baseline',
      'clear_standing_rule',
      'clawback',
      'forfeit',
      'subscription_canceled',
    ])
  })

  test('cancelling keeps the tier to the period’s end, claws back now, and happens once', () => {
    const asked = step(active, { type: 'cancel_requested' })
    expect(asked.subscription).toMatchObject({ status: 'active', cancelAtPeriodEnd: true })
    expect(kinds(asked.effects)).toEqual(['tell_provider', 'clawback', 'subscription_canceled'])
    expect(step(asked.subscription, { type: 'cancel_requested' }).effects).toEqual([])
    const back = step(asked.subscription, { type: 'reactivate_requested' })
    expect(back.subscription.cancelAtPeriodEnd).toBe(false)
    expect(kinds(back.effects)).toEqual(['tell_provider', 'subscription_reactivated'])
  })

  test('the hourly look at an ended period follows the provider’s view', () => {
    const look = (provider: Extract<SubscriptionEvent, { type: 'period_check' }>['provider'], state = active) =>
      step(state, { type: 'period_check', provider })
    expect(look({ view: 'gone' }).subscription.status).toBe('canceled')
    expect(look({ view: 'unknown' })).toMatchObject({
      subscription: { status: 'active' },
      effects: [{ details: { reason: 'period_end_passed_without_renewal' } }],
    })
    const period = { start: instant('2026-02-28T00:00:00.000Z'), end: instant('2026-03-31T00:00:00.000Z') }
    expect(look({ view: 'renewed', period }).subscription.currentPeriodEnd).toBe(period.end)
    expect(look({ view: 'local' }).subscription).toMatchObject({
      currentPeriodStart: '2026-02-28T00:00:00.000Z',
      currentPeriodEnd: '2026-03-31T00:00:00.000Z',
    })
    expect(look({ view: 'local' }, { ...active, cancelAtPeriodEnd: true }).subscription.status).toBe('canceled')
    expect(
      step(active, { type: 'period_check', provider: { view: 'gone' } }, instant('2026-02-27T00:00:00.000Z')).effects,
    ).toEqual([])
  })

  test('a refund, dispute, void or write-off is remembered and claws back; status is left alone', () => {
    const reversed = step(active, { type: 'reversed', reason: 'disputed', invoiceId: 'in_1' })
    expect(reversed.subscription).toMatchObject({
      status: 'active',
      reversal: { reason: 'disputed', invoiceId: 'in_1', at: NOW },
    })
    expect(kinds(reversed.effects)).toEqual(['clawback', 'subscription_updated'])
  })

  test('an operator may set anything, and entitlements follow any change of entitled-ness', () => {
    const { subscription } = step(active, { type: 'ended' })
    const revived = step(subscription, { type: 'admin_update', status: 'active' })
    expect(revived.subscription).toMatchObject({ status: 'active', canceledAt: null })
    expect(kinds(revived.effects)).toContain('entitle plan')
    const moved = step(active, { type: 'admin_update', planId: 'pro', interval: 'annual' })
    expect(kinds(moved.effects)).toEqual(['entitle plan', 'plan_changed', 'interval_changed', 'subscription_updated'])
    expect(transition(active, { type: 'admin_update' }, NOW)).toMatchObject({
      refusal: { code: 'VALIDATION_ERROR', field: 'body' },
    })
  })

  test.each([
    { type: 'provider_status', status: 'active' },
    { type: 'payment_succeeded' },
    { type: 'payment_failed', invoiceId: 'in_1', attempt: 1 },
    { type: 'grace_check' },
    { type: 'ended' },
  ] as const)('nothing revives a canceled one: %o', (event) => {
    const canceled = step(active, { type: 'ended' }).subscription
    const { steps, ...moved } = step(canceled, event)
    expect(moved).toEqual({ subscription: canceled, effects: [] })
    expect(renderSteps(steps)).toBe(`${event.type}: the subscription stays canceled`)
  })

  test.each(['cancel_requested', 'reactivate_requested'] as const)('%s on a canceled one is not found', (type) => {
    const canceled = step(active, { type: 'ended' }).subscription
    expect(transition(canceled, { type }, NOW)).toMatchObject({ refusal: { code: 'NOT_FOUND' } })
  })
})

test('a transition explains itself: the status, then every effect', () => {
  expect(renderSteps(step(active, { type: 'ended' }).steps).split('\n')).toEqual([
    'ended: the subscription goes from active to canceled',
    'entitlements of the developer baseline',
    'promotion grants inside the window are pulled back',
    'what is left of the credit is forfeited',
    'event subscription_canceled',
  ])
})

test('events and statuses that no type vouched for are refused by name', () => {
  const event = { type: 'constructor' } as unknown as SubscriptionEvent
  expect(transition(active, event, NOW)).toMatchObject({ refusal: { code: 'VALIDATION_ERROR', field: 'type' } })
  const status = { type: 'provider_status', status: '__proto__' } as unknown as SubscriptionEvent
  expect(transition(active, status, NOW)).toMatchObject({ refusal: { code: 'VALIDATION_ERROR', field: 'status' } })
})

describe('failed payments', () => {
  const failed = (invoiceId: string, attempt: number): SubscriptionEvent => ({
    type: 'payment_failed',
    invoiceId,
    attempt,
  })

  test('two events that tell of one failure count once', () => {
    const once = step(active, failed('in_1', 1)).subscription
    const { subscription, effects } = step(once, failed('in_1', 1), in3Days)
    expect(subscription).toEqual(once)
    expect(effects).toEqual([])
    expect(step(once, failed('in_1', 2), in3Days).subscription.failedPaymentAttempts).toBe(2)
    expect(step(once, failed('in_2', 1), in3Days).subscription.failedPaymentAttempts).toBe(2)
  })

  test('a failure that is told again after the payment does not start the clock again', () => {
    const once = step(active, failed('in_1', 1)).subscription
    const paid = step(once, { type: 'payment_succeeded' }).subscription
    expect(step(paid, failed('in_1', 1), in3Days)).toMatchObject({ subscription: paid, effects: [] })
  })

  test.each([
    [failed('', 1), 'invoiceId'],
    [failed('in_1', 0), 'attempt'],
    [failed('in_1', 1.5), 'attempt'],
  ])('%o is refused at %s', (event, field) => {
    expect(transition(active, event, NOW)).toMatchObject({ refusal: { code: 'VALIDATION_ERROR', field } })
  })

  test('law: the order and number of deliveries do not matter to the count', () => {
    const deliveries = fc.array(fc.tuple(fc.constantFrom('in_1', 'in_2', 'in_3'), fc.integer({ min: 1, max: 4 })), {
      maxLength: 30,
    })
    fc.assert(
      fc.property(deliveries, (told) => {
        const end = told.reduce((state, [id, attempt]) => step(state, failed(id, attempt)).subscription, active)
        expect(end.failedPaymentAttempts).toBe(new Set(told.map(([id, attempt]) => `${id} ${attempt}`)).size)
      }),
    )
  })

  test('what is remembered is bounded', () => {
    let state = active
    for (let attempt = 1; attempt <= 100; attempt++) state = step(state, failed('in_1', attempt)).subscription
    expect(state.countedFailures).toHaveLength(64)
    expect(state.failedPaymentAttempts).toBe(100)
  })
})

describe('trials', () => {
  const trialEnd = instant('2026-03-15T00:00:00.000Z')
  const trialing = ok(
    createSubscription(
      {
        id: 'sub_1',
        orgId: 'org_a',
        planId: 'pro',
        interval: 'monthly',
        status: 'trialing',
        existing: null,
        period: { start: instant('2026-03-01T00:00:00.000Z'), end: trialEnd },
      },
      instant('2026-03-01T00:00:00.000Z'),
    ),
  ).subscription

  test('with a payment method it becomes active, and the paid periods are counted from its end', () => {
    const { subscription, effects } = step(trialing, { type: 'trial_ended', hasPaymentMethod: true })
    expect(subscription).toMatchObject({
      status: 'active',
      periodAnchor: trialEnd,
      currentPeriodStart: trialEnd,
      currentPeriodEnd: '2026-04-15T00:00:00.000Z',
    })
    expect(kinds(effects)).toEqual(['subscription_updated', 'roll_period'])
  })

  test('without one it ends', () => {
    const { subscription, effects } = step(trialing, { type: 'trial_ended', hasPaymentMethod: false })
    expect(subscription.status).toBe('canceled')
    expect(kinds(effects)).toContain('entitle baseline')
  })

  test('one that is to be canceled ends too, whatever could be charged', () => {
    const ending = step(trialing, { type: 'cancel_requested' }).subscription
    expect(step(ending, { type: 'trial_ended', hasPaymentMethod: true }).subscription.status).toBe('canceled')
  })

  test('ended early, the paid period begins then', () => {
    const early = instant('2026-03-05T00:00:00.000Z')
    const { subscription } = step(trialing, { type: 'trial_ended', hasPaymentMethod: true }, early)
    expect([subscription.currentPeriodStart, subscription.periodAnchor]).toEqual([early, early])
  })

  test('no roll carries a trial on, and nothing else is a trial that ends', () => {
    const check: SubscriptionEvent = { type: 'period_check', provider: { view: 'local' } }
    expect(step(trialing, check).effects).toEqual([])
    expect(step(active, { type: 'trial_ended', hasPaymentMethod: false }).effects).toEqual([])
  })
})

describe('a change of interval', () => {
  test('monthly to annual: the year begins where the paid month ends, not at the old anchor', () => {
    const state = step(
      active,
      { type: 'period_check', provider: { view: 'local' } },
      instant('2026-05-02T00:00:00.000Z'),
    )
    const yearly = step(state.subscription, { type: 'admin_update', interval: 'annual' }).subscription
    const after = instant('2026-05-31T00:00:00.000Z')
    const rolled = step(yearly, { type: 'period_check', provider: { view: 'local' } }, after)
    expect(rolled.subscription).toMatchObject({
      currentPeriodStart: after,
      currentPeriodEnd: '2027-05-31T00:00:00.000Z',
    })
    expect(kinds(rolled.effects)).toEqual(['roll_period'])
  })

  test('annual to monthly: months begin where the year ends', () => {
    const year = { ...active, interval: 'annual', currentPeriodEnd: instant('2027-01-31T00:00:00.000Z') } as const
    const monthly = step(year, { type: 'admin_update', interval: 'monthly' }).subscription
    const rolled = step(monthly, { type: 'period_check', provider: { view: 'local' } }, year.currentPeriodEnd)
    expect(rolled.subscription).toMatchObject({
      currentPeriodStart: '2027-01-31T00:00:00.000Z',
      currentPeriodEnd: '2027-02-28T00:00:00.000Z',
    })
  })
})

describe('laws', () => {
  const status = fc.constantFrom(...subscriptionStatuses)
  const events: fc.Arbitrary<SubscriptionEvent> = fc.oneof(
    fc.record({ type: fc.constant('provider_status' as const), status }),
    fc.record({
      type: fc.constant('payment_failed' as const),
      invoiceId: fc.constantFrom('in_1', 'in_2'),
      attempt: fc.integer({ min: 1, max: 3 }),
    }),
    fc.record({ type: fc.constant('trial_ended' as const), hasPaymentMethod: fc.boolean() }),
    fc.constantFrom<SubscriptionEvent>(
      { type: 'payment_succeeded' },
      { type: 'grace_check' },
      { type: 'cancel_requested' },
      { type: 'reactivate_requested' },
      { type: 'ended' },
      { type: 'period_check', provider: { view: 'local' } },
      { type: 'period_check', provider: { view: 'gone' } },
      { type: 'reversed', reason: 'void', invoiceId: 'in_1' },
    ),
    fc.record({ type: fc.constant('admin_update' as const), status }),
  )

  test('every change of entitled-ness has its effect, and the clock runs exactly while past due', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(events, fc.integer({ min: 0, max: 5 })), { maxLength: 25 }), (history) => {
        let state = active
        let day = 0
        for (const [event, days] of history) {
          day += days
          const now = instant(new Date(Date.UTC(2026, 2, 1 + day)).toISOString())
          const result = transition(state, event, now)
          if (!result.ok) continue
          const { subscription, effects } = result.value
          const entitles = effects.filter((effect) => effect.kind === 'entitle')
          if (isEntitled(state, now) !== isEntitled(subscription, now)) {
            expect(entitles).toEqual([{ kind: 'entitle', to: isEntitled(subscription, now) ? 'plan' : 'baseline' }])
          }
          expect(subscription.firstFailedAt !== null).toBe(subscription.status === 'past_due')
          expect(subscription.graceEndsAt !== null).toBe(subscription.status === 'past_due')
          expect(subscription.currentPeriodStart >= state.currentPeriodStart).toBe(true)
          state = subscription
        }
      }),
      { numRuns: 1_000 },
    )
  })
})
