import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { proveLedger } from '../proof/ledger.js'
import { LedgerPair, type Operation } from '../proof/ledger-model.js'
import {
  adjust,
  apply,
  availableOf,
  balanceOf,
  cents,
  checkLedger,
  clawback,
  compactLedger,
  confirmPush,
  consume,
  findRow,
  forfeit,
  grant,
  type Hold,
  hasGrantOf,
  hold,
  instant,
  type LedgerRow,
  type LedgerState,
  ledgerHolds,
  ledgerKey,
  ledgerRows,
  openLedger,
  refusePush,
  release,
  renderSteps,
  resumeLedger,
  type StoredLedger,
  signedCents,
} from '../src/index.js'
import { hasGrantFrom, hasPendingRow } from '../src/ledger/book.js'
import { emptyLedger, NOW, ok, perform } from './support/build.js'

const OWNER = { orgId: 'org_a', subscriptionId: 'sub_1' }
let ids = 0
const row = () => ({ id: `cr_${++ids}`, ...OWNER, at: NOW })

function give(state: LedgerState, key: string, amount: number, day = 1, sourceId = 'promo:p1', push = false) {
  return perform(
    state,
    grant(state, {
      ...row(),
      at: instant(`2026-03-${String(day).padStart(2, '0')}T00:00:00.000Z`),
      sourceId,
      cents: cents(amount),
      dedupeKey: key,
      ...(push ? { fulfillment: 'push' as const } : {}),
    }),
  )
}

const use = (state: LedgerState, amount: number, dedupeKey: string) =>
  consume(state, { ...row(), sourceId: 'provider', cents: cents(amount), dedupeKey })

describe('drain', () => {
  test('oldest credit goes first, by grantedAt and then by sequence, not by the order of writing', () => {
    const state = emptyLedger()
    give(state, 'late', 100, 20)
    give(state, 'early', 100, 10)
    give(state, 'early_too', 100, 10)
    perform(state, use(state, 150, 'inv:1'))
    const left = ledgerRows(state).map((each) => [each.dedupeKey, each.remainingCents])
    expect(left).toEqual([
      ['late', 100],
      ['early', 0],
      ['early_too', 50],
      ['inv:1', 0],
    ])
  })

  test('more than there is is refused with the figure, or taken up to what there is', () => {
    const state = emptyLedger()
    give(state, 'g', 100)
    expect(use(state, 101, 'inv:1')).toMatchObject({
      ok: false,
      refusal: { code: 'VALIDATION_ERROR', field: 'cents', message: expect.stringContaining('at most 100') },
    })
    const outcome = perform(
      state,
      consume(state, { ...row(), sourceId: 'provider', cents: cents(500), dedupeKey: 'inv:1', mode: 'upTo' }),
    )
    expect(outcome.events).toEqual([
      { type: 'credit_consumed', subscriptionId: 'sub_1', dedupeKey: 'inv:1', consumedCents: 100 },
      { type: 'credit_exhausted', subscriptionId: 'sub_1', previousCents: 100 },
    ])
  })

  test('planning changes nothing; only apply does, and only once', () => {
    const state = emptyLedger()
    give(state, 'g', 100)
    const outcome = ok(use(state, 60, 'inv:1'))
    expect(balanceOf(state, 'sub_1')).toBe(100)
    expect(apply(state, outcome).ok).toBe(true)
    expect(apply(state, outcome)).toMatchObject({ ok: false, refusal: { code: 'CONFLICT' } })
    expect(balanceOf(state, 'sub_1')).toBe(40)
  })

  test('two outcomes of one version: the second is a conflict, as with an optimistic lock', () => {
    const state = emptyLedger()
    give(state, 'g', 100)
    const [first, second] = [ok(use(state, 60, 'inv:1')), ok(use(state, 60, 'inv:2'))]
    expect(apply(state, first).ok).toBe(true)
    expect(apply(state, second).ok).toBe(false)
    expect(use(state, 60, 'inv:2').ok).toBe(false)
  })
})

describe('keys', () => {
  test('are unique in the account for ever: also reversed, also on another subscription', () => {
    const state = emptyLedger()
    give(state, 'promo:p1:org_a', 100)
    perform(state, clawback(state, { id: 'cr_c', grantKey: 'promo:p1:org_a', at: NOW }))
    const again = grant(state, {
      ...row(),
      subscriptionId: 'sub_2',
      sourceId: 'promo:p1',
      cents: cents(100),
      dedupeKey: 'promo:p1:org_a',
    })
    expect(again).toMatchObject({ refusal: { code: 'DUPLICATE_ENTRY', field: 'dedupeKey' } })
  })

  test('differ for different things, whatever the ids hold', () => {
    expect(ledgerKey.promotion('a:b', 'c')).not.toBe(ledgerKey.promotion('a', 'b:c'))
    expect(ledgerKey.invoice('in_1:adjust')).not.toBe(ledgerKey.invoiceAdjustment('in_1'))
    expect(ledgerKey.discount('a%3Ab')).not.toBe(ledgerKey.discount('a:b'))
    const id = fc.string({ unit: fc.constantFrom(':', '%', '3', 'A', 'r', 'e', 'f'), maxLength: 6 })
    fc.assert(
      fc.property(id, id, id, id, (a, b, c, d) => {
        expect(ledgerKey.promotion(a, b) === ledgerKey.promotion(c, d)).toBe(a === c && b === d)
      }),
    )
  })

  test('have the forms of the table', () => {
    expect([
      ledgerKey.discount('disc_1'),
      ledgerKey.discount('disc_1', '2026-03'),
      ledgerKey.combo('team_growth', '2026'),
      ledgerKey.promotion('p1', 'org_a'),
      ledgerKey.promotion('p1', 'org_a', '2026-03'),
      ledgerKey.referrer('p1', 'org_a', 'org_b'),
      ledgerKey.invoice('in_1'),
      ledgerKey.invoiceAdjustment('in_1'),
      ledgerKey.metering('2026-03-15T12'),
      ledgerKey.clawback('promo:p1:org_a'),
    ]).toEqual([
      'disc:disc_1',
      'disc:disc_1:2026-03',
      'combo:team_growth:2026',
      'promo:p1:org_a',
      'promo:p1:org_a:2026-03',
      'promo:p1:org_a:ref:org_b',
      'inv:in_1',
      'inv:in_1:adjust',
      'meter:2026-03-15T12',
      'clawback:promo:p1:org_a',
    ])
  })

  test('nobody but a reversal may take the key of one', () => {
    const state = emptyLedger()
    const forged = grant(state, { ...row(), sourceId: 'x', cents: cents(1), dedupeKey: 'clawback:g' })
    expect(forged).toMatchObject({ refusal: { code: 'VALIDATION_ERROR', field: 'dedupeKey' } })
  })
})

describe('reversals', () => {
  test('a clawback recovers what is left of its grant and never other credit', () => {
    const state = emptyLedger()
    give(state, 'promo:p1:org_a', 100, 1)
    give(state, 'disc:d', 500, 2, 'disc_d')
    perform(state, use(state, 70, 'inv:1'))
    const outcome = perform(
      state,
      clawback(state, { id: 'cr_c', grantKey: 'promo:p1:org_a', at: NOW, fulfillment: 'push' }),
    )
    expect(outcome).toMatchObject({ grantedCents: 100, recoveredCents: 30, isWhole: false, balanceCents: 500 })
    expect(outcome.events).toEqual([
      { type: 'promotion_clawback', subscriptionId: 'sub_1', promotionId: 'p1', grantedCents: 100, recoveredCents: 30 },
    ])
    expect(outcome.rows[0]).toMatchObject({
      type: 'clawback',
      cents: -30,
      state: 'pending',
      dedupeKey: 'clawback:promo:p1:org_a',
    })
    expect(findRow(state, 'promo:p1:org_a')).toMatchObject({ state: 'reversed', reversedCents: 30, remainingCents: 0 })
    expect(findRow(state, 'disc:d')).toMatchObject({ remainingCents: 500 })
  })

  test('a grant that was all spent is pulled with nothing recovered, once', () => {
    const state = emptyLedger()
    give(state, 'g', 50)
    perform(state, use(state, 50, 'inv:1'))
    const outcome = perform(state, clawback(state, { id: 'cr_c', grantKey: 'g', at: NOW }))
    expect(outcome).toMatchObject({ recoveredCents: 0, isWhole: false })
    expect(Object.is(outcome.rows[0]?.cents, 0)).toBe(true)
    expect(clawback(state, { id: 'cr_d', grantKey: 'g', at: NOW })).toMatchObject({
      refusal: { code: 'DUPLICATE_ENTRY' },
    })
    expect(checkLedger(ledgerRows(state))).toEqual([])
  })

  test('a refused push undoes the grant; one that was taken cannot be refused', () => {
    const state = emptyLedger()
    give(state, 'a', 100, 1, 'disc_a', true)
    give(state, 'b', 100, 1, 'disc_b', true)
    expect(findRow(state, 'a')?.state).toBe('pending')
    perform(state, refusePush(state, { id: 'cr_r', grantKey: 'a', at: NOW }))
    perform(state, confirmPush(state, { dedupeKey: 'b', fulfillmentRef: { kind: 'balance', ref: 'cbt_1' } }))
    expect(findRow(state, 'a')).toMatchObject({ state: 'reversed', remainingCents: 0 })
    expect(findRow(state, 'b')).toMatchObject({ state: 'posted', remainingCents: 100 })
    expect(refusePush(state, { id: 'cr_s', grantKey: 'b', at: NOW })).toMatchObject({ refusal: { code: 'CONFLICT' } })
    expect(confirmPush(state, { dedupeKey: 'b', fulfillmentRef: { kind: 'balance', ref: 'cbt_2' } })).toMatchObject({
      refusal: { code: 'CONFLICT' },
    })
  })

  test.each(['missing', 'inv:1'])('%s is not a grant to claw back', (grantKey) => {
    const state = emptyLedger()
    give(state, 'g', 50)
    perform(state, use(state, 10, 'inv:1'))
    expect(clawback(state, { id: 'cr_c', grantKey, at: NOW }).ok).toBe(false)
  })
})

describe('holds', () => {
  test('credit that is held is nobody else’s until it is settled or released', () => {
    const state = emptyLedger()
    give(state, 'promo:p1:org_a', 100)
    perform(state, hold(state, { ...OWNER, key: 'meter:h', cents: cents(80) }))
    expect(availableOf(state, 'sub_1')).toBe(20)
    expect(use(state, 21, 'inv:1').ok).toBe(false)
    expect(ok(clawback(state, { id: 'cr_c', grantKey: 'promo:p1:org_a', at: NOW })).recoveredCents).toBe(20)
    expect(ok(forfeit(state, row())).rows[0]?.cents).toBe(-20)
    expect(adjust(state, { ...row(), cents: signedCents(-21), dedupeKey: 'inv:1:adjust' }).ok).toBe(false)
    expect(hold(state, { ...OWNER, key: 'meter:h', cents: cents(1) })).toMatchObject({
      refusal: { code: 'DUPLICATE_ENTRY' },
    })
    const settled = {
      ...row(),
      sourceId: 'metering',
      cents: cents(80),
      dedupeKey: 'meter:h',
      holdKey: 'meter:h',
    } as const
    perform(state, consume(state, settled))
    expect([balanceOf(state, 'sub_1'), availableOf(state, 'sub_1')]).toEqual([20, 20])
    expect(hold(state, { ...OWNER, key: 'meter:h', cents: cents(1) })).toMatchObject({
      refusal: { code: 'DUPLICATE_ENTRY' },
    })
  })

  test('a released hold gives its credit back', () => {
    const state = emptyLedger()
    give(state, 'g', 100)
    perform(state, hold(state, { ...OWNER, key: 'meter:h', cents: cents(80) }))
    perform(state, release(state, { orgId: 'org_a', key: 'meter:h' }))
    expect(availableOf(state, 'sub_1')).toBe(100)
    expect(release(state, { orgId: 'org_a', key: 'meter:h' })).toMatchObject({ refusal: { code: 'NOT_FOUND' } })
  })
})

describe('other operations', () => {
  test('forfeit brings the balance to 0, and an empty one writes nothing', () => {
    const state = emptyLedger()
    give(state, 'g', 70)
    expect(perform(state, forfeit(state, row()))).toMatchObject({ balanceCents: 0, events: [] })
    expect(ok(forfeit(state, row())).rows).toEqual([])
  })

  test('an adjustment upwards is credit that drains like any other', () => {
    const state = emptyLedger()
    perform(state, adjust(state, { ...row(), cents: signedCents(30), dedupeKey: 'inv:1:adjust' }))
    perform(state, use(state, 30, 'inv:2'))
    expect(balanceOf(state, 'sub_1')).toBe(0)
  })

  test('a grant that would pass 2^53 − 1 is refused', () => {
    const state = emptyLedger()
    give(state, 'g', Number.MAX_SAFE_INTEGER)
    const more = grant(state, { ...row(), sourceId: 'x', cents: cents(1), dedupeKey: 'h' })
    expect(more).toMatchObject({ refusal: { field: 'cents' } })
  })

  test('a row of another account is refused', () => {
    const state = emptyLedger()
    give(state, 'g', 1)
    const other = grant(state, { ...row(), orgId: 'org_b', sourceId: 'x', cents: cents(1), dedupeKey: 'h' })
    expect(other).toMatchObject({ refusal: { field: 'orgId' } })
  })
})

describe('check', () => {
  const sound = (): LedgerRow[] => {
    const state = emptyLedger()
    give(state, 'promo:p1:org_a', 100, 1)
    give(state, 'disc:d', 50, 2, 'disc_d')
    perform(state, use(state, 120, 'inv:1'))
    perform(state, clawback(state, { id: 'cr_claw', grantKey: 'disc:d', at: NOW }))
    return [...ledgerRows(state)]
  }
  const alter = (index: number, change: Partial<Record<keyof LedgerRow, unknown>>): LedgerRow[] =>
    sound().map((each, at) => (at === index ? ({ ...each, ...change } as LedgerRow) : each))

  test('a sound ledger has no findings and opens', () => {
    expect(checkLedger(sound())).toEqual([])
    expect(openLedger(sound()).ok).toBe(true)
    expect(openLedger([...sound()].reverse()).ok).toBe(true)
  })

  test.each([
    ['a row deleted', () => sound().filter((_, at) => at !== 1), 'sequence_gap'],
    ['a row repeated', () => [...sound(), sound()[0] as LedgerRow], 'sequence_gap'],
    ['a key taken twice', () => alter(1, { dedupeKey: 'promo:p1:org_a' }), 'duplicate_key'],
    ['another account', () => alter(1, { orgId: 'org_b' }), 'several_accounts'],
    ['a negative grant', () => alter(0, { cents: -100 }), 'wrong_sign'],
    ['a positive consumption', () => alter(2, { cents: 120 }), 'wrong_sign'],
    ['more drained than there was', () => alter(2, { cents: -151 }), 'overdrawn'],
    ['a remaining edited', () => alter(0, { remainingCents: 1 }), 'remaining_differs'],
    ['a reversed edited', () => alter(1, { reversedCents: 0 }), 'reversed_differs'],
    ['a state edited', () => alter(1, { state: 'posted' }), 'state_differs'],
    ['a fulfilment erased', () => alter(0, { fulfillmentRef: null }), 'state_differs'],
    ['an amount edited', () => alter(0, { cents: 101 }), 'remaining_differs'],
    ['an age edited', () => alter(1, { grantedAt: instant('2020-01-01T00:00:00.000Z') }), 'remaining_differs'],
    ['a clawback of nothing', () => alter(3, { dedupeKey: 'clawback:none' }), 'bad_reversal'],
    ['a clawback of too much', () => alter(3, { cents: -31 }), 'bad_reversal'],
    ['a fraction', () => alter(0, { cents: 0.5 }), 'malformed'],
    ['an unknown type', () => alter(0, { type: 'gift' }), 'malformed'],
    ['a bad instant', () => alter(0, { grantedAt: 'yesterday' }), 'malformed'],
    ['no key', () => alter(0, { dedupeKey: '' }), 'malformed'],
    ['an overflow', () => alter(1, { cents: Number.MAX_SAFE_INTEGER }), 'balance_overflow'],
  ])('%s is found as %s', (_name, rows, code) => {
    const findings = checkLedger(rows() as LedgerRow[])
    expect(findings.map((finding) => finding.code)).toContain(code)
    expect(openLedger(rows() as LedgerRow[]).ok).toBe(false)
  })

  test('more held than there is is found', () => {
    const state = emptyLedger()
    give(state, 'g', 10)
    const holds: Hold[] = [{ key: 'meter:h', subscriptionId: 'sub_1', cents: cents(11) }]
    expect(checkLedger(ledgerRows(state), holds).map((finding) => finding.code)).toEqual(['held_beyond_balance'])
  })
})

describe('compaction', () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({
    sourceId: index % 3 === 0 ? 'combo:a' : 'disc_1',
    dedupeKey: index % 7 === 6 ? null : `k${index}`,
    cents: signedCents(index % 5 === 4 ? -index : index + 1),
  }))
  const total = (list: readonly { cents: number }[]) => list.reduce((sum, each) => sum + each.cents, 0)

  test('keeps the newest keyed rows of a source and folds the older ones into one', () => {
    const compacted = compactLedger(rows, 4)
    expect(total(compacted)).toBe(total(rows))
    expect(compacted.filter((each) => each.dedupeKey === null)).toEqual(rows.filter((each) => each.dedupeKey === null))
    const carry = compacted.find((each) => each.dedupeKey === 'compacted:combo:a')
    expect(carry).toMatchObject({ sourceId: 'combo:a', grantCount: 4 })
    expect(compacted.indexOf(carry as (typeof compacted)[number])).toBe(0)
  })

  test('is idempotent and goes on from an earlier carry', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 15 }), fc.integer({ min: 0, max: 30 }), (keep, split) => {
        const once = compactLedger(rows, keep)
        expect(compactLedger(once, keep)).toEqual(once)
        const late = compactLedger([...compactLedger(rows.slice(0, split), keep), ...rows.slice(split)], keep)
        expect(total(late)).toBe(total(rows))
      }),
    )
  })
})

describe('model', () => {
  test('random operations agree with the naive ledger after every one', () => {
    expect(proveLedger(3_000, 11)).toBe(3_000)
  })

  const amount = fc.integer({ min: 0, max: 60 })
  const sub = fc.integer({ min: 0, max: 1 })
  const key = fc.integer({ min: 0, max: 5 })
  const kinds: fc.Arbitrary<Operation>[] = [
    fc.record({
      kind: fc.constant('grant'),
      sub,
      key,
      cents: amount,
      day: fc.integer({ min: 1, max: 9 }),
      push: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('consume'), sub, key, cents: amount, upTo: fc.boolean() }),
    fc.record({ kind: fc.constant('adjust'), sub, key, cents: fc.integer({ min: -60, max: 60 }) }),
    fc.record({ kind: fc.constant('forfeit'), sub }),
    fc.record({ kind: fc.constantFrom('clawback', 'refuse'), key, push: fc.boolean() }),
    fc.record({ kind: fc.constant('confirm'), key }),
    fc.record({ kind: fc.constant('hold'), sub, key, cents: amount }),
    fc.record({ kind: fc.constant('release'), key }),
    fc.record({ kind: fc.constant('settle'), key, cents: amount }),
    fc.record({ kind: fc.constantFrom('promote', 'demote'), promotion: fc.integer({ min: 0, max: 2 }), sub }),
    fc.record({ kind: fc.constant('redeem'), discount: fc.integer({ min: 0, max: 1 }) }),
    fc.record({ kind: fc.constant('reopen') }),
  ]

  class Command implements fc.Command<object, LedgerPair> {
    constructor(private readonly operation: Operation) {}
    check(): boolean {
      return true
    }
    run(_model: object, pair: LedgerPair): void {
      pair.run(this.operation)
    }
    toString(): string {
      return JSON.stringify(this.operation)
    }
  }

  test('the same as commands that shrink to the shortest history', () => {
    const commands = fc.commands(
      kinds.map((kind) => kind.map((operation) => new Command(operation))),
      { maxCommands: 40 },
    )
    fc.assert(
      fc.property(commands, (history) => {
        fc.modelRun(() => ({ model: {}, real: new LedgerPair() }), history)
      }),
      { numRuns: 100 },
    )
  })

  test('what is stored opens as the same ledger, holds included', () => {
    const state = emptyLedger()
    give(state, 'g', 100)
    perform(state, hold(state, { ...OWNER, key: 'meter:h', cents: cents(30) }))
    const opened = openLedger(ledgerRows(state), ledgerHolds(state))
    expect(opened.ok && availableOf(opened.state, 'sub_1')).toBe(70)
  })
})

describe('values that no type vouched for', () => {
  const state = emptyLedger()
  const command = { ...row(), sourceId: 'disc_1', cents: cents(100), dedupeKey: 'disc:disc_1' }
  const bad: readonly (readonly [string, object])[] = [
    ...[0.5, -1, 0, Number.NaN, 2 ** 53, '100', undefined].map((value) => ['cents', { cents: value }] as const),
    ['at', { at: 'yesterday' }],
    ['at', { at: '2026-02-30T00:00:00.000Z' }],
    ['id', { id: '' }],
    ['subscriptionId', { subscriptionId: undefined }],
    ['sourceId', { sourceId: '' }],
    ['orgId', { orgId: '' }],
    ['dedupeKey', { dedupeKey: undefined }],
  ]

  test.each(bad)('a grant whose %s is %j is refused by that name', (field, change) => {
    const given = { ...command, ...change } as typeof command
    expect(grant(state, given)).toMatchObject({ refusal: { code: 'VALIDATION_ERROR', field } })
  })

  test.each([0.5, Number.NaN, 2 ** 53])('%d cents are neither consumed, adjusted nor held', (value) => {
    const funded = emptyLedger()
    give(funded, 'a', 500)
    const amount = value as ReturnType<typeof cents>
    const refusal = { refusal: { code: 'VALIDATION_ERROR', field: 'cents' } }
    expect(consume(funded, { ...row(), sourceId: 'provider', cents: amount, dedupeKey: 'inv:1' })).toMatchObject(
      refusal,
    )
    expect(adjust(funded, { ...row(), cents: amount, dedupeKey: 'inv:1:adjust' })).toMatchObject(refusal)
    expect(hold(funded, { ...OWNER, key: 'meter:h', cents: amount })).toMatchObject(refusal)
  })

  test('clawback and forfeit refuse a time that is none', () => {
    const funded = emptyLedger()
    give(funded, 'a', 500)
    const at = 'now' as typeof NOW
    expect(clawback(funded, { id: 'x', grantKey: 'a', at })).toMatchObject({ refusal: { field: 'at' } })
    expect(forfeit(funded, { ...row(), at })).toMatchObject({ refusal: { field: 'at' } })
  })

  test.each([null, 5, 'row', {}, { orgId: 'a' }])('a stored row %j is a finding, not a crash', (stored) => {
    expect(checkLedger([stored as unknown as LedgerRow]).map((finding) => finding.code)).toEqual(['malformed'])
  })
})

test('every operation explains itself, also when there is nothing to do', () => {
  const state = emptyLedger()
  const told = (result: Parameters<typeof perform>[1]) => renderSteps(perform(state, result).steps)
  expect(told(forfeit(state, row()))).toBe('there is no credit to forfeit')
  const nothing = { ...row(), sourceId: 'provider', cents: cents(1), dedupeKey: 'inv:0', mode: 'upTo' } as const
  expect(told(consume(state, nothing))).toBe('there is no credit to use')
  expect(told(adjust(state, { ...row(), cents: signedCents(900), dedupeKey: 'up' }))).toBe(
    'granted $9.00 as up, balance $9.00',
  )
  expect(told(adjust(state, { ...row(), cents: signedCents(-100), dedupeKey: 'down' }))).toContain('took $1.00 from up')
  expect(told(hold(state, { ...OWNER, key: 'meter:h', cents: cents(300) }))).toBe(
    '$3.00 held as meter:h, $5.00 left to use',
  )
  expect(told(release(state, { orgId: 'org_a', key: 'meter:h' }))).toBe('$3.00 held as meter:h can be used again')
  give(state, 'push', 100, 1, 'disc_1', true)
  expect(told(confirmPush(state, { dedupeKey: 'push', fulfillmentRef: { kind: 'balance', ref: 't1' } }))).toBe(
    'push: taken by the provider as balance t1',
  )
})

describe('what is known without reading every row', () => {
  test('pending rows are counted through push, confirmation, refusal and replay', () => {
    const state = emptyLedger()
    const isPendingNow = () => [hasPendingRow(state, 'sub_1'), hasPendingRow(reopen(state), 'sub_1')]
    give(state, 'a', 100, 1, 'promo:p1', true)
    give(state, 'b', 100, 2, 'promo:p2', true)
    expect(isPendingNow()).toEqual([true, true])
    perform(state, confirmPush(state, { dedupeKey: 'a', fulfillmentRef: { kind: 'balance', ref: 't1' } }))
    expect(isPendingNow()).toEqual([true, true])
    perform(state, refusePush(state, { id: 'x', grantKey: 'b', at: NOW }))
    expect(isPendingNow()).toEqual([false, false])
    perform(state, clawback(state, { id: 'y', grantKey: 'a', at: NOW, fulfillment: 'push' }))
    expect(isPendingNow()).toEqual([true, true])
    perform(state, confirmPush(state, { dedupeKey: 'clawback:a', fulfillmentRef: { kind: 'balance', ref: 't2' } }))
    expect(isPendingNow()).toEqual([false, false])
    expect(hasPendingRow(state, 'sub_2')).toBe(false)
  })

  test('a source that granted is remembered for its subscription alone, reversed or not', () => {
    const state = emptyLedger()
    give(state, 'a', 100, 1, 'promo:p1')
    perform(state, clawback(state, { id: 'x', grantKey: 'a', at: NOW }))
    perform(state, adjust(state, { ...row(), cents: signedCents(5), dedupeKey: 'z', sourceId: 'promo:p9' }))
    for (const each of [state, reopen(state)]) {
      expect(hasGrantOf(each, 'p1', 'sub_1')).toBe(true)
      expect(hasGrantOf(each, 'p1', 'sub_2')).toBe(false)
      expect(hasGrantOf(each, 'p9', 'sub_1')).toBe(false)
    }
  })
})

function reopen(state: LedgerState): LedgerState {
  const opened = openLedger(ledgerRows(state))
  if (!opened.ok) throw new Error('an open ledger reopens')
  return opened.state
}

describe('a resumed ledger', () => {
  const owner = { orgId: 'org_a', subscriptionId: 'sub_1' }
  const history = () => {
    const state = emptyLedger()
    for (const [key, amount] of [
      ['disc:a', 100],
      ['disc:b', 50],
    ] as const) {
      const command = { id: `cr_${key}`, ...owner, sourceId: 'promo:p1', cents: cents(amount), dedupeKey: key, at: NOW }
      perform(state, grant(state, command))
    }
    perform(
      state,
      consume(state, { id: 'cr_c', ...owner, sourceId: 'provider', cents: cents(120), dedupeKey: 'inv:1', at: NOW }),
    )
    return state
  }
  const stored = (more: Partial<StoredLedger> = {}): StoredLedger => {
    const rows = ledgerRows(history())
    return {
      ...owner,
      balanceCents: 30,
      lastSeq: 3,
      pending: 0,
      openGrants: rows.filter((row) => row.remainingCents > 0),
      holds: [],
      keys: ['disc:a', 'inv:2'],
      rows: rows.filter((row) => row.dedupeKey === 'disc:a'),
      ...more,
    }
  }
  const resume = (more: Partial<StoredLedger> = {}) => {
    const opened = resumeLedger(stored(more))
    if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
    return opened.state
  }
  const drain = (dedupeKey: string) =>
    ({ id: 'cr_d', ...owner, sourceId: 'provider', cents: cents(30), dedupeKey, at: NOW }) as const

  test('answers as the replayed one: the next number, the same drain, the same duplicate', () => {
    const [full, resumed] = [history(), resume()]
    expect(ok(consume(resumed, drain('inv:2')))).toEqual({ ...ok(consume(full, drain('inv:2'))), version: 0 })
    expect(consume(resumed, drain('disc:a'))).toEqual(consume(full, drain('disc:a')))
    expect(clawback(resumed, { id: 'cr_x', grantKey: 'disc:a', at: NOW })).toMatchObject({ ok: true })
  })

  test('throws for what it was not told: a key, a source, a subscription, the list of rows', () => {
    const state = resume({ sources: { 'promo:p2': false } })
    expect(() => consume(state, drain('inv:3'))).toThrow(/without the row of inv:3/)
    expect(() => findRow(state, 'inv:3')).toThrow(TypeError)
    expect(hasGrantFrom(state, 'sub_1', 'promo:p2')).toBe(false)
    expect(hasGrantFrom(state, 'sub_1', 'promo:p1')).toBe(true)
    expect(() => hasGrantFrom(state, 'sub_1', 'promo:p3')).toThrow(/without the source/)
    expect(() => balanceOf(state, 'sub_2')).toThrow(/resumed for sub_1/)
    expect(() => ledgerRows(state)).toThrow(/does not hold every row/)
  })

  test.each([
    ['balance_differs', { balanceCents: 31 }],
    ['balance_differs', { openGrants: [] }],
    ['balance_differs', { balanceCents: Number.NaN }],
    ['sequence_gap', { lastSeq: 1 }],
    ['several_accounts', { orgId: 'org_b' }],
    ['held_beyond_balance', { holds: [{ key: 'meter:h', subscriptionId: 'sub_1', cents: cents(31) }] }],
    ['state_differs', { pending: -1 }],
  ] as const)('stored columns that do not fit together do not open: %s', (code, more) => {
    const opened = resumeLedger(stored(more))
    expect(opened.ok ? [] : opened.findings.map((finding) => finding.code)).toContain(code)
  })

  test('a row with more left than granted does not open', () => {
    const openGrants = stored().openGrants.map((row) => ({ ...row, remainingCents: cents(51) }))
    const opened = resumeLedger(stored({ openGrants, balanceCents: 51 }))
    expect(opened.ok ? [] : opened.findings.map((finding) => finding.code)).toContain('remaining_differs')
  })

  test('a hold of another subscription takes its key and none of this credit', () => {
    const state = resume({
      keys: ['meter:h'],
      rows: [],
      holds: [{ key: 'meter:h', subscriptionId: 'sub_2', cents: cents(9) }],
    })
    expect(availableOf(state, 'sub_1')).toBe(30)
    expect(hold(state, { ...owner, key: 'meter:h', cents: cents(1) })).toMatchObject({
      refusal: { code: 'DUPLICATE_ENTRY' },
    })
  })
})
