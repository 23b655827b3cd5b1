import { describe, expect, test } from 'vitest'
import { proveMeteringMonth } from '../proof/metering.js'
import { Random } from '../proof/random.js'
import {
  adjust,
  balanceOf,
  batchRecords,
  bundlePrice,
  cents,
  consumedCredit,
  countsAsFailure,
  creditSupport,
  defaultCatalogue,
  entitledPlan,
  findPrice,
  grant,
  type Invoice,
  ingestInvoice,
  instant,
  isEntitledValue,
  lapseHour,
  lapsesAt,
  ledgerHolds,
  type MeteringInput,
  type MeteringPlan,
  markInvoice,
  nobleCrypto,
  openHour,
  orderSubscriptionEvent,
  parseBundleDimensionMap,
  parseDimensionPriceMap,
  parsePlanDimensionMap,
  parsePriceMap,
  planMetering,
  planPrice,
  reconcileBalance,
  refundInvoice,
  renderSteps,
  settleHour,
  showback,
  signDelivery,
  signedCents,
  statusFromProvider,
  verifySignature,
} from '../src/index.js'
import { nodeCrypto } from '../src/node.js'
import { emptyLedger, NOW, ok, perform } from './support/build.js'

const catalogue = defaultCatalogue()
const dimensions = ok(parseBundleDimensionMap('listing'))
const prices = ok(parseDimensionPriceMap('listing'))
const metering = (more: Partial<MeteringInput> = {}): MeteringInput => ({
  addons: [
    { bundleId: 'seat_pack', quantity: 3 },
    { bundleId: 'ai_pack', quantity: 1 },
  ],
  dimensions,
  prices,
  creditCents: cents(0),
  ...more,
})

describe('metering plan', () => {
  test('withholds whole units in order of bundle id and carries the rest forward', () => {
    const plan = planMetering(catalogue, metering({ creditCents: cents(13_000) }))
    expect(plan.lines.map((line) => [line.dimension, line.units, line.withheldUnits, line.reportedUnits])).toEqual([
      ['AiPack', 1, 1, 0],
      ['SeatPack', 3, 2, 1],
    ])
    expect(plan).toMatchObject({ consumedCents: 12_500, remainingCents: 500, isUnrealizable: false })
    expect(plan.records).toEqual([{ dimension: 'SeatPack', quantity: 1 }])
  })

  test('a free dimension is reported in full and uses no credit', () => {
    const free = new Map([...prices, ['AiPack', cents(0)] as const])
    const plan = planMetering(catalogue, metering({ prices: free, creditCents: cents(5_000) }))
    expect(plan.lines[0]).toMatchObject({ dimension: 'AiPack', priceCents: 0, withheldUnits: 0, reportedUnits: 1 })
    expect(plan).toMatchObject({ consumedCents: 5_000, remainingCents: 0 })
    expect(plan.records).toEqual([
      { dimension: 'AiPack', quantity: 1 },
      { dimension: 'SeatPack', quantity: 1 },
    ])
  })

  test('bundles of one dimension are one record at the first one’s place', () => {
    const shared = new Map([
      ['seat_pack', 'D'],
      ['ai_pack', 'D'],
    ])
    const plan = planMetering(catalogue, metering({ dimensions: shared, prices: new Map([['D', cents(100)]]) }))
    expect(plan.records).toEqual([{ dimension: 'D', quantity: 4 }])
    expect(plan.lines[0]?.bundles).toEqual(['ai_pack', 'seat_pack'])
  })

  test('what has no price is reported in full, what has no dimension not at all', () => {
    const partial = new Map([['seat_pack', 'SeatPack']])
    const plan = planMetering(
      catalogue,
      metering({ dimensions: partial, prices: new Map(), creditCents: cents(99_999) }),
    )
    expect(plan.records).toEqual([{ dimension: 'SeatPack', quantity: 3 }])
    expect(plan).toMatchObject({ consumedCents: 0, isUnrealizable: true })
  })

  test('a dry run computes the same and reports everything', () => {
    const plan = planMetering(catalogue, metering({ creditCents: cents(13_000), dryRun: true }))
    expect(plan.consumedCents).toBe(12_500)
    expect(plan.records).toEqual([
      { dimension: 'AiPack', quantity: 1 },
      { dimension: 'SeatPack', quantity: 3 },
    ])
  })

  test('records go out in calls of 25', () => {
    const records = Array.from({ length: 51 }, (_, index) => ({ dimension: `D${index}`, quantity: 1 }))
    expect(batchRecords(records).map((batch) => batch.length)).toEqual([25, 25, 1])
  })
})

describe('metering hours', () => {
  const owner = { orgId: 'org_a', subscriptionId: 'sub_1' }
  const withCredit = (amount: number) => {
    const ledger = emptyLedger()
    perform(
      ledger,
      grant(ledger, { ...owner, id: 'cr_1', sourceId: 'disc_1', cents: cents(amount), dedupeKey: 'g', at: NOW }),
    )
    return ledger
  }
  const success = (plan: MeteringPlan) =>
    plan.records.map(({ dimension }) => ({ dimension, status: 'Success' as const }))
  const openFunded = (amount: number) => {
    const ledger = withCredit(amount)
    const plan = planMetering(catalogue, metering({ creditCents: cents(amount) }))
    const opened = ok(openHour(ledger, owner, plan, NOW))
    if (opened.outcome !== null) perform(ledger, { ok: true, value: opened.outcome })
    return { ledger, plan, hour: opened.hour }
  }

  test('a frozen plan survives a crash: the retry reports and debits the same', () => {
    const ledger = withCredit(5_000)
    const plan = planMetering(catalogue, metering({ creditCents: cents(5_000) }))
    const opened = ok(openHour(ledger, owner, plan, NOW))
    perform(ledger, { ok: true, value: opened.outcome as NonNullable<typeof opened.outcome> })
    expect(openHour(ledger, owner, plan, NOW)).toMatchObject({ refusal: { code: 'DUPLICATE_ENTRY' } })
    const settled = ok(settleHour(ledger, opened.hour, { results: success(plan), rowId: 'cr_2' }, NOW))
    const outcome = perform(ledger, { ok: true, value: settled.outcome as NonNullable<typeof settled.outcome> })
    expect(outcome.rows[0]).toMatchObject({ dedupeKey: 'meter:2026-03-15T12', cents: -5_000, sourceId: 'metering' })
    expect(outcome.events.map((event) => event.type)).toEqual(['credit_consumed', 'credit_exhausted'])
    expect(ok(settleHour(ledger, settled.hour, { results: success(plan), rowId: 'cr_3' }, NOW)).outcome).toBeNull()
  })

  test('what was not taken is tried again until the marketplace would refuse it; then nothing is debited', () => {
    const { ledger, plan, hour } = openFunded(5_000)
    const results = success(plan).slice(0, -1)
    const lastMinute = instant('2026-03-16T10:59:59.999Z')
    const waiting = ok(settleHour(ledger, hour, { results, rowId: 'cr_2' }, lastMinute))
    expect(waiting).toMatchObject({ hour: { status: 'open', outstanding: plan.records.slice(-1) }, outcome: null })
    expect(ok(lapseHour(ledger, waiting.hour, lastMinute)).hour.status).toBe('open')
    const lapsed = ok(settleHour(ledger, waiting.hour, { results, rowId: 'cr_2' }, instant('2026-03-16T11:00:00.000Z')))
    expect(lapsed).toMatchObject({ hour: { status: 'lapsed' }, warnings: ['partial'] })
    perform(ledger, { ok: true, value: lapsed.outcome as NonNullable<typeof lapsed.outcome> })
    expect([balanceOf(ledger, 'sub_1'), ledgerHolds(ledger)]).toEqual([5_000, []])
  })

  test('an outage of a night settles late, with what was frozen', () => {
    const { ledger, plan, hour } = openFunded(5_000)
    const morning = instant('2026-03-16T10:30:00.000Z')
    const settled = ok(settleHour(ledger, hour, { results: success(plan), rowId: 'cr_2' }, morning))
    expect(settled.hour.status).toBe('settled')
    expect(settled.outcome?.rows[0]).toMatchObject({
      dedupeKey: 'meter:2026-03-15T12',
      cents: -5_000,
      grantedAt: morning,
    })
  })

  test.each([
    ['2026-03-15T12', '2026-03-16T11:00:00.000Z'],
    ['2026-03-31T06', '2026-04-01T05:00:00.000Z'],
    ['2026-03-31T07', '2026-04-01T05:45:00.000Z'],
    ['2026-12-31T23', '2027-01-01T05:45:00.000Z'],
    ['2028-02-29T23', '2028-03-01T05:45:00.000Z'],
  ])('%s lapses at %s', (hour, at) => {
    expect(lapsesAt(hour)).toBe(at)
  })

  test.each([
    ['CustomerNotSubscribed', 'not_subscribed'],
    ['DuplicateRecord', 'duplicate_record'],
  ] as const)('%s debits nothing and warns: %s', (status, warning) => {
    const { ledger, plan, hour } = openFunded(5_000)
    const [first, ...others] = success(plan)
    const results = [{ dimension: first?.dimension ?? '', status }, ...others]
    const refused = ok(settleHour(ledger, hour, { results, rowId: 'cr_2' }, NOW))
    expect(refused).toMatchObject({
      hour: { status: 'refused', outstanding: [], refused: [{ dimension: first?.dimension, status }] },
      warnings: [warning],
    })
    perform(ledger, { ok: true, value: refused.outcome as NonNullable<typeof refused.outcome> })
    expect([balanceOf(ledger, 'sub_1'), ledgerHolds(ledger)]).toEqual([5_000, []])
  })

  test('a refusal is remembered while other records wait, also where they are taken later', () => {
    const { ledger, plan, hour } = openFunded(100)
    expect(plan.records.length).toBeGreaterThan(1)
    const [first, ...others] = success(plan)
    const results = [{ dimension: first?.dimension ?? '', status: 'DuplicateRecord' as const }]
    const waiting = ok(settleHour(ledger, hour, { results, rowId: 'cr_2' }, NOW))
    expect(waiting).toMatchObject({ hour: { status: 'open' }, outcome: null, warnings: ['duplicate_record'] })
    const ended = ok(settleHour(ledger, waiting.hour, { results: others, rowId: 'cr_2' }, NOW))
    expect(ended).toMatchObject({ hour: { status: 'refused' }, warnings: [] })
  })

  test('a word that the marketplace does not have is refused, an answer for nothing sent is left out', () => {
    const { ledger, plan, hour } = openFunded(5_000)
    const strange = [{ dimension: plan.records[0]?.dimension ?? '', status: 'Throttled' as 'Success' }]
    expect(settleHour(ledger, hour, { results: strange, rowId: 'cr_2' }, NOW)).toMatchObject({
      refusal: { field: 'status' },
    })
    const foreign = [{ dimension: 'Other', status: 'Success' as const }]
    expect(ok(settleHour(ledger, hour, { results: foreign, rowId: 'cr_2' }, NOW)).hour).toEqual(hour)
  })

  test('a dry run leaves the ledger alone', () => {
    const ledger = withCredit(5_000)
    const plan = planMetering(catalogue, metering({ creditCents: cents(5_000), dryRun: true }))
    const opened = ok(openHour(ledger, owner, plan, NOW))
    expect(opened.outcome).toBeNull()
    expect(ok(settleHour(ledger, opened.hour, { results: success(plan), rowId: 'cr_2' }, NOW)).outcome).toBeNull()
  })

  test('credit that can pay for no unit is a warning', () => {
    const ledger = withCredit(5)
    const plan = planMetering(catalogue, metering({ creditCents: cents(5) }))
    expect(ok(openHour(ledger, owner, plan, NOW)).warnings).toEqual(['credit_unrealizable'])
  })

  test('weeks with outages, crashes and retries: withheld equals debited', () => {
    const totals = proveMeteringMonth(new Random(3), 24 * 21)
    expect(totals.late).toBeGreaterThan(5)
    expect(totals.lapsed).toBeGreaterThan(0)
    expect(totals.crashes).toBeGreaterThan(5)
  })
})

describe('dimension maps', () => {
  test.each([
    ['plan', parsePlanDimensionMap('{"Gold": "unlimited"}')],
    ['plan', parsePlanDimensionMap('{"Gold": 5}')],
    ['plan', parsePlanDimensionMap('[]')],
    ['bundle', parseBundleDimensionMap('{"seats_pack": "S"}')],
    ['bundle', parseBundleDimensionMap('{"seat_pack": ""}')],
    ['bundle', parseBundleDimensionMap('not json')],
    ['price', parseDimensionPriceMap('{"S": 1.5}')],
    ['price', parseDimensionPriceMap('{"S": 0}')],
    ['price', parseDimensionPriceMap('{"S": "5"}')],
    ['price', parseDimensionPriceMap('null')],
  ])('a malformed %s map is refused, case %#', (_name, result) => {
    expect(result).toMatchObject({
      ok: false,
      refusal: { code: 'VALIDATION_ERROR', field: expect.stringMatching(/^MARKETPLACE_/) },
    })
  })

  test('a key named __proto__ is a key like any other', () => {
    const map = parseDimensionPriceMap('{"__proto__": 5}')
    expect(ok(map).get('__proto__')).toBe(5)
  })
})

test('a map with several mistakes names them all', () => {
  const message = (result: { readonly ok: boolean } & object) =>
    'refusal' in result ? (result.refusal as { message: string }).message : ''
  expect(message(parseDimensionPriceMap('{"A": 0, "B": 5, "C": 1.5}'))).toBe(
    'MARKETPLACE_DIMENSION_PRICE_MAP must map "A" to whole cents from 1, not 0; must map "C" to whole cents from 1, not 1.5',
  )
  expect(message(parseBundleDimensionMap('{"seatpack": "S", "sso": ""}'))).toMatch(
    /seatpack.*did you mean seat_pack.*sso/,
  )
  expect(message(parsePlanDimensionMap('{"a": "gold", "b": "pro", "c": "unlimited"}'))).toMatch(/gold.*unlimited/)
})

describe('marketplace plan', () => {
  const map = ok(parsePlanDimensionMap(undefined))
  const later = (days: number) => instant(new Date(Date.UTC(2026, 2, 15, 12) + days * 86_400_000).toISOString())

  test('the highest entitled plan wins; none is developer', () => {
    const entitlements = [
      { dimension: 'team', value: 1 },
      { dimension: 'enterprise', value: 0 },
      { dimension: 'pro', value: true },
    ]
    const best = ok(entitledPlan(entitlements, map, NOW))
    expect(best).toMatchObject({ planId: 'team', interval: 'monthly', dimension: 'team' })
    expect(renderSteps(best.steps)).toMatch(/^dimension team entitles to plan team .*: billed as monthly$/)
    expect(ok(entitledPlan([], map, NOW))).toMatchObject({ planId: 'developer', dimension: null })
  })

  test.each([
    [1, true],
    [true, true],
    ['Enabled', true],
    [0, false],
    [1.5, false],
    [-1, false],
    [false, false],
    ['enabled', false],
    [null, false],
    [Number.NaN, false],
  ])('the value %j entitles: %s', (value, entitled) => {
    expect(isEntitledValue(value)).toBe(entitled)
  })

  test('a dimension that maps to no plan is a mistake of the deployment, never an upgrade', () => {
    expect(entitledPlan([{ dimension: 'unlimited', value: 1 }], map, NOW)).toMatchObject({
      ok: false,
      refusal: { field: 'MARKETPLACE_DIMENSION_MAP' },
    })
  })

  test('an expiry more than 180 days ahead is annual, and annual stays annual', () => {
    const at = (days: number) => [{ dimension: 'pro', value: 1, expiresAt: later(days) }]
    expect(ok(entitledPlan(at(180), map, NOW)).interval).toBe('monthly')
    expect(ok(entitledPlan(at(181), map, NOW)).interval).toBe('annual')
    expect(ok(entitledPlan(at(10), map, NOW, 'annual')).interval).toBe('annual')
  })
})

describe('price map', () => {
  test('every mistake is reported at once', () => {
    const parsed = parsePriceMap(
      '{"pro_monthly": "p1", "pro_anual": "p2", "sso_monthly": "p1", "team_monthly": 5, "nothing": "p3"}',
    )
    expect(parsed.ok).toBe(false)
    if (parsed.ok) return
    expect(parsed.issues).toHaveLength(4)
    expect(parsed.issues.map((issue) => issue.message).join('\n')).toContain('did you mean pro_annual')
  })

  test('a missing plan price is a warning at start and a refusal when it is bought', () => {
    const parsed = parsePriceMap('{"pro_monthly": "p1", "api_pack_annual": "p2"}')
    if (!parsed.ok) throw new Error('the map is good')
    expect(parsed.warnings).toHaveLength(5)
    expect(ok(planPrice(parsed.value, 'pro', 'monthly'))).toBe('p1')
    expect(planPrice(parsed.value, 'team', 'annual')).toMatchObject({
      refusal: { code: 'PRICE_NOT_CONFIGURED', message: expect.stringContaining('plan team has no annual price') },
    })
    expect(bundlePrice(parsed.value, 'api_pack', 'annual')).toEqual({ ok: true, value: 'p2' })
    expect(bundlePrice(parsed.value, 'sso', 'annual')).toMatchObject({
      refusal: { code: 'PRICE_NOT_CONFIGURED', details: { bundleId: 'sso', interval: 'annual' } },
    })
    expect(findPrice(parsed.value, 'p2')).toEqual({ id: 'api_pack', interval: 'annual' })
    expect(findPrice(parsed.value, 'constructor')).toBeNull()
  })
})

describe('provider status', () => {
  test.each([
    ['active', 'active'],
    ['trialing', 'trialing'],
    ['past_due', 'past_due'],
    ['canceled', 'canceled'],
    ['unpaid', 'canceled'],
    ['incomplete', 'incomplete'],
    ['incomplete_expired', 'incomplete'],
    ['paused', 'incomplete'],
    ['constructor', 'incomplete'],
    ['__proto__', 'incomplete'],
    [undefined, 'incomplete'],
  ])('%s becomes %s', (theirs, ours) => {
    expect(statusFromProvider(theirs)).toBe(ours)
  })

  test('credit is realised against a balance, by metering, or not at all', () => {
    const on = { discountsEnabled: true, meteringEnabled: true, hasPriceMap: true }
    expect(creditSupport('stub', { ...on, meteringEnabled: false })).toBe('balance')
    expect(creditSupport('marketplace', on)).toBe('metered')
    for (const off of ['discountsEnabled', 'meteringEnabled', 'hasPriceMap'] as const) {
      expect(creditSupport('marketplace', { ...on, [off]: false })).toBe('none')
    }
  })
})

describe('webhook signature', () => {
  const body = new TextEncoder().encode('{"id":"evt_1"}')
  const delivery = { body, secret: 'whsec_1', nowSeconds: 1_700_000_000 }
  const header = signDelivery(nodeCrypto, 'whsec_1', 1_700_000_000, body)
  const refused = { ok: false, refusal: { code: 'INVALID_SIGNATURE', status: 400 } }

  test('a good one is accepted by both ports, also as one of several', () => {
    for (const crypto of [nodeCrypto, nobleCrypto]) {
      expect(ok(verifySignature(crypto, { ...delivery, header }))).toBe(1_700_000_000)
      const several = header.replace(',v1=', `,v1=${'0'.repeat(64)},v0=abc,v1=`)
      expect(verifySignature(crypto, { ...delivery, header: several }).ok).toBe(true)
    }
  })

  test('300 seconds either way are good, 301 are not', () => {
    for (const [offset, good] of [
      [300, true],
      [-300, true],
      [301, false],
      [-301, false],
    ] as const) {
      expect(verifySignature(nodeCrypto, { ...delivery, header, nowSeconds: 1_700_000_000 + offset }).ok).toBe(good)
    }
  })

  test.each([
    ['missing', null],
    ['empty', ''],
    ['without time', header.replace(/t=\d+,/, '')],
    ['with two times', `t=1700000000,${header}`],
    ['without signature', 't=1700000000'],
    ['upper-case hex', header.replace(/v1=.*/, (hex) => hex.toUpperCase().replace('V1', 'v1'))],
    ['short', header.slice(0, -1)],
    ['time altered', header.replace('t=1700000000', 't=1700000001')],
    ['enormous', `${header}${',v1=0'.repeat(2_000)}`],
  ])('a header that is %s is refused', (_name, each) => {
    expect(verifySignature(nodeCrypto, { ...delivery, header: each })).toMatchObject(refused)
  })

  test('every bit of the body and of the signature counts; another and an empty secret are refused', () => {
    for (let bit = 0; bit < body.length * 8; bit++) {
      const altered = body.slice()
      altered[bit >> 3] = (altered[bit >> 3] ?? 0) ^ (1 << (bit & 7))
      expect(verifySignature(nodeCrypto, { ...delivery, header, body: altered }).ok).toBe(false)
    }
    expect(verifySignature(nodeCrypto, { ...delivery, header, secret: 'whsec_2' })).toMatchObject(refused)
    const anybody = signDelivery(nodeCrypto, '', 1_700_000_000, body)
    expect(verifySignature(nodeCrypto, { ...delivery, header: anybody, secret: '' })).toMatchObject(refused)
  })
})

test('a receiver whose clock is not a number accepts no signature', () => {
  const body = new Uint8Array([1])
  const header = signDelivery(nodeCrypto, 'secret', 1_000, body)
  const delivery = { header, body, secret: 'secret', nowSeconds: Number.NaN }
  expect(verifySignature(nodeCrypto, delivery)).toMatchObject({ refusal: { code: 'INVALID_SIGNATURE' } })
})

describe('event order', () => {
  const applied = { providerEventAt: NOW, externalEnded: false }
  const older = instant('2026-03-15T11:00:00.000Z')
  const newer = instant('2026-03-15T13:00:00.000Z')

  test.each([
    ['apply', { createdAt: newer, isDeletion: false }, applied],
    ['apply', { createdAt: older, isDeletion: false }, { ...applied, providerEventAt: null }],
    ['ignore_older', { createdAt: older, isDeletion: false }, applied],
    ['read_again', { createdAt: NOW, isDeletion: false }, applied],
    ['apply', { createdAt: older, isDeletion: true }, applied],
    ['ignore_ended', { createdAt: newer, isDeletion: false }, { ...applied, externalEnded: true }],
    ['ignore_ended', { createdAt: newer, isDeletion: true }, { ...applied, externalEnded: true }],
  ] as const)('%s, case %#', (decision, event, state) => {
    expect(orderSubscriptionEvent(event, state)).toBe(decision)
  })

  test('a failure counts unless that invoice or a later period was paid', () => {
    const paid = { paidInvoiceIds: new Set(['in_1']), lastPaidPeriodStart: NOW }
    expect(countsAsFailure({ invoiceId: 'in_1', periodStart: newer }, paid)).toBe(false)
    expect(countsAsFailure({ invoiceId: 'in_2', periodStart: older }, paid)).toBe(false)
    expect(countsAsFailure({ invoiceId: 'in_2', periodStart: NOW }, paid)).toBe(true)
    expect(countsAsFailure({ invoiceId: 'in_2', periodStart: older }, { ...paid, lastPaidPeriodStart: null })).toBe(
      true,
    )
  })
})

describe('invoice mirror', () => {
  const invoice: Invoice = {
    externalInvoiceId: 'in_1',
    orgId: 'org_a',
    source: 'card_provider',
    periodStart: NOW,
    periodEnd: NOW,
    subtotalCents: cents(4_900),
    discountCents: cents(0),
    creditCents: cents(900),
    taxCents: cents(0),
    totalCents: cents(4_000),
    amountPaidCents: cents(4_000),
    chargedCents: cents(4_000),
    status: 'paid',
  }

  test('refunds are cumulative, so a redelivery changes nothing', () => {
    const once = refundInvoice(invoice, cents(1_500))
    expect(once).toMatchObject({ status: 'refunded', amountPaidCents: 2_500 })
    expect(refundInvoice(once, cents(1_500))).toEqual(once)
    expect(refundInvoice(once, cents(4_000)).amountPaidCents).toBe(0)
  })

  test('a refunded or disputed invoice never becomes paid again', () => {
    for (const final of [refundInvoice(invoice, cents(1_500)), markInvoice(invoice, 'disputed')]) {
      const again = ingestInvoice(final, invoice)
      expect(again.status).toBe(final.status)
      expect(again.amountPaidCents).toBe(final.amountPaidCents)
      expect(markInvoice(final, 'void').status).toBe(final.status)
    }
    expect(ingestInvoice({ ...invoice, status: 'open' }, invoice).status).toBe('paid')
  })

  test('consumed credit is the fall of a negative balance', () => {
    expect(consumedCredit(signedCents(-5_000), signedCents(-2_000))).toBe(3_000)
    expect(consumedCredit(signedCents(-5_000), signedCents(-9_000))).toBe(0)
  })

  test('one row brings our balance to the provider’s, unless a push is under way', () => {
    const ledger = emptyLedger()
    const base = { orgId: 'org_a', subscriptionId: 'sub_1', at: NOW }
    perform(ledger, adjust(ledger, { ...base, id: 'cr_1', cents: signedCents(500), dedupeKey: 'start' }))
    const command = { ...base, id: 'cr_2', invoiceId: 'in_1', providerBalance: signedCents(-800) }
    expect(ok(reconcileBalance(ledger, command))?.rows[0]).toMatchObject({ cents: 300, dedupeKey: 'inv:in_1:adjust' })
    expect(ok(reconcileBalance(ledger, { ...command, providerBalance: signedCents(-500) }))).toBeNull()
    expect(ok(reconcileBalance(ledger, { ...command, providerBalance: signedCents(70) }))?.rows[0]?.cents).toBe(-500)
    perform(
      ledger,
      grant(ledger, { ...base, id: 'cr_3', sourceId: 'disc_1', cents: cents(5), dedupeKey: 'g', fulfillment: 'push' }),
    )
    expect(ok(reconcileBalance(ledger, command))).toBeNull()
  })
})

describe('showback', () => {
  test('shares sum to the bill and say how they came about', () => {
    const result = ok(
      showback(cents(1_000), [
        { name: 'a', weight: 1 },
        { name: 'b', weight: 1 },
        { name: 'c', weight: 1 },
      ]),
    )
    expect(result.shares.map((share) => share.cents)).toEqual([334, 333, 333])
    expect(showback(cents(1), [{ name: 'a', weight: -1 }])).toMatchObject({ refusal: { field: 'weights[0]' } })
  })
})
