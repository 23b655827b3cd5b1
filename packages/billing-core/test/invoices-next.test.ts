import { describe, expect, test } from 'vitest'
import { proveInvoices } from '../proof/invoices.js'
import { proveProrations } from '../proof/prorations.js'
import {
  cents,
  createSubscription,
  defaultCatalogue,
  drawInvoice,
  fractionOf,
  type Holding,
  type InvoiceAccount,
  type InvoiceLine,
  instant,
  nextInvoice,
  percent,
  prorate,
  renderSteps,
  type Subscription,
  transition,
} from '../src/index.js'
import { discount, ok, promotion } from './support/build.js'

const catalogue = defaultCatalogue()
const start = instant('2026-04-01T00:00:00.000Z')
const end = instant('2026-05-01T00:00:00.000Z')
const period = { start, end }
const holding = (planId: Holding['planId'], ...addons: Holding['addons'][number][]): Holding => ({
  planId,
  interval: 'monthly',
  addons,
})
const told = (lines: readonly InvoiceLine[]) => lines.map((line) => [line.kind, line.label, line.cents])

describe('prorate', () => {
  const at = instant('2026-04-06T00:00:00.000Z')

  test('25 of 30 days: the old line is given back, the new one charged, each on its own', () => {
    const result = ok(prorate(catalogue, holding('pro'), holding('team'), period, at))
    expect(result).toMatchObject({ creditCents: 4_083, chargeCents: 12_417, netCents: 8_334 })
    expect(told(result.lines)).toEqual([
      ['proration', 'Unused time of Pro plan', -4_083],
      ['proration', 'Remaining time of Team plan', 12_417],
    ])
    expect(renderSteps(result.steps)).toBe(
      'Unused time of Pro plan: -$40.83 = -$49.00 × 25 of 30 days left\n' +
        'Remaining time of Team plan: $124.17 = $149.00 × 25 of 30 days left',
    )
  })

  test('what stays the same has no line; another quantity is the old line back and the new one charged', () => {
    const before = holding('team', { bundleId: 'seat_pack', quantity: 2 }, { bundleId: 'api_pack', quantity: 1 })
    const after = holding('team', { bundleId: 'seat_pack', quantity: 3 }, { bundleId: 'api_pack', quantity: 1 })
    const result = ok(prorate(catalogue, before, after, period, at))
    expect(result.lines.map((line) => [line.id, line.quantity, line.cents])).toEqual([
      ['seat_pack', 2, -4_167],
      ['seat_pack', 3, 6_250],
    ])
  })

  test('seconds count, milliseconds do not', () => {
    const late = instant('2026-04-30T23:59:58.999Z')
    const [line] = ok(prorate(catalogue, holding('developer'), holding('enterprise'), period, late)).lines
    expect([line?.secondsLeft, line?.secondsTotal, line?.cents]).toEqual([2, 2_592_000, 0])
    const ends = ok(prorate(catalogue, holding('pro'), holding('team'), period, end))
    expect([ends.creditCents, ends.chargeCents]).toEqual([0, 0])
  })

  test.each([
    ['interval', { ...holding('team'), interval: 'annual' as const }, at],
    ['at', holding('team'), instant('2026-03-31T23:59:59.999Z')],
    ['at', holding('team'), instant('2026-05-01T00:00:00.001Z')],
  ])('%s is refused', (field, to, when) => {
    expect(prorate(catalogue, holding('pro'), to, period, when)).toMatchObject({ refusal: { field } })
  })

  test('a period without a second is refused', () => {
    const none = { start, end: instant('2026-04-01T00:00:00.500Z') }
    expect(prorate(catalogue, holding('pro'), holding('team'), none, start)).toMatchObject({
      refusal: { field: 'period' },
    })
  })

  test('law: there and back is nothing, a detour costs the same, half a cent goes up', () => {
    expect(proveProrations(400, 5)).toBe(400)
  })

  test.each([
    [100, 2, 1],
    [100, 0, 0],
    [100, -1, 5],
    [100, 0.5, 5],
    [100, 1, 1.5],
  ])('a fraction of %d by %d / %d is refused', (amount, numerator, denominator) => {
    expect(() => fractionOf(cents(amount), numerator, denominator)).toThrow(/must be/)
  })
})

describe('nextInvoice', () => {
  const subscription: Subscription = {
    ...ok(
      createSubscription(
        { id: 'sub_1', orgId: 'org_a', planId: 'pro', interval: 'monthly', status: 'active', existing: null },
        start,
      ),
    ).subscription,
    addons: [
      { bundleId: 'compliance_advanced', quantity: 1 },
      { bundleId: 'compliance_standard', quantity: 1 },
    ],
  }
  const account = (more: Partial<InvoiceAccount> = {}): InvoiceAccount => ({
    subscription,
    pendingChange: null,
    prorations: [],
    availableCents: cents(0),
    lastGrantedPeriodStart: start,
    discount: null,
    promotions: [],
    isFirstSubscription: true,
    subscriptionStartedAt: start,
    creditSupported: true,
    hasPaymentMethod: true,
    ...more,
  })

  test('lines at full price, the combo as the grant that the roll makes, then the drain', () => {
    const invoice = nextInvoice(catalogue, account(), start)
    expect(invoice).toMatchObject({
      dueAt: end,
      period: { start: end, end: '2026-06-01T00:00:00.000Z' },
      subtotalCents: 17_880,
      creditUsedCents: 3_894,
      totalCents: 13_986,
      grants: [{ source: 'combo', dedupeKey: 'combo:compliance_suite:2026-05', cents: 3_894 }],
    })
    expect(told(invoice?.lines ?? [])).toEqual([
      ['plan', 'Pro plan', 4_900],
      ['addon', 'Compliance standard', 2_990],
      ['addon', 'Compliance advanced', 9_990],
      ['credit', 'Credit', -3_894],
    ])
  })

  test('a combo that was announced and is given up is taken back, unless the change leaves it', () => {
    const announced = [
      {
        sourceId: 'combo:compliance_suite',
        dedupeKey: 'combo:compliance_suite:2026-05',
        cents: cents(3_894),
        openCents: cents(3_894),
      },
    ]
    const known = { announced, grantedKeys: new Set(['combo:compliance_suite:2026-05']), availableCents: cents(5_000) }
    const kept = nextInvoice(catalogue, account(known), start)
    expect(kept).toMatchObject({ grants: [], takenBack: [], creditUsedCents: 5_000 })
    const without = { ...known, pendingChange: holding('pro') }
    expect(nextInvoice(catalogue, account(without), start)).toMatchObject({ takenBack: [], creditUsedCents: 4_900 })
    expect(nextInvoice(catalogue, account({ ...without, takesBack: true }), start)).toMatchObject({
      takenBack: announced,
      creditUsedCents: 1_106,
      creditRemainingCents: 0,
      totalCents: 4_900 - 1_106,
    })
  })

  test('discount, combo and promotion are granted once each, on the plan of the coming period', () => {
    const recurringDiscount = { unit: 'percent', value: percent(10), discountId: 'disc_1', appliedAt: start } as const
    const monthly = { ...promotion, kind: 'recurring' } as const
    const invoice = nextInvoice(
      catalogue,
      account({
        subscription: { ...subscription, recurringDiscount },
        discount: { ...discount, kind: 'recurring' },
        promotions: [monthly],
        pendingChange: holding('team'),
      }),
      start,
    )
    expect(invoice?.grants.map((grant) => [grant.source, grant.cents])).toEqual([
      ['discount', 1_490],
      ['promotion', 1_000],
    ])
    expect(invoice?.totalCents).toBe(14_900 - 2_490)
  })

  test('prorations that give back more than is charged become credit', () => {
    const change = ok(prorate(catalogue, holding('enterprise'), holding('developer'), period, start))
    const drawn = drawInvoice(change.lines, cents(500))
    expect(drawn).toMatchObject({ subtotalCents: 0, totalCents: 0, carriedCents: 59_900, creditRemainingCents: 60_400 })
    expect(drawn.lines.reduce((total, line) => total + line.cents, 0)).toBe(0)
  })

  test.each(['canceled', 'incomplete'] as const)('none comes for one that is %s', (status) => {
    expect(nextInvoice(catalogue, account({ subscription: { ...subscription, status } }), start)).toBeNull()
  })

  test('one that is to be canceled pays for what was prorated and for no period', () => {
    const ending = { ...subscription, cancelAtPeriodEnd: true }
    expect(nextInvoice(catalogue, account({ subscription: ending }), start)).toBeNull()
    const { lines } = ok(prorate(catalogue, holding('pro'), holding('team'), period, start))
    const left = nextInvoice(catalogue, account({ subscription: ending, prorations: lines }), start)
    expect(left).toMatchObject({ period: null, totalCents: 10_000, grants: [] })
  })

  test('a trial is followed by the first period that is paid for, or by nothing', () => {
    const trialing: Subscription = {
      ...subscription,
      status: 'trialing',
      currentPeriodEnd: instant('2026-04-15T00:00:00.000Z'),
    }
    expect(nextInvoice(catalogue, account({ subscription: trialing }), start)).toMatchObject({
      period: { start: '2026-04-15T00:00:00.000Z', end: '2026-05-15T00:00:00.000Z' },
    })
    expect(nextInvoice(catalogue, account({ subscription: trialing, hasPaymentMethod: false }), start)).toBeNull()
  })

  test('the period is that which the roll opens, a late roll and a change of interval included', () => {
    for (const [at, interval] of [
      [start, 'monthly'],
      [instant('2026-07-20T00:00:00.000Z'), 'monthly'],
      [start, 'annual'],
    ] as const) {
      const changed = { ...subscription, interval }
      const now = [at, end].sort()[1] ?? end
      const rolled = ok(transition(changed, { type: 'period_check', provider: { view: 'local' } }, now)).subscription
      expect(nextInvoice(catalogue, account({ subscription: changed }), at)?.period).toEqual({
        start: rolled.currentPeriodStart,
        end: rolled.currentPeriodEnd,
      })
    }
  })

  test('law: what is shown is what grants and drain do to the ledger', () => {
    expect(proveInvoices(150, 9)).toBeGreaterThan(500)
  })
})
