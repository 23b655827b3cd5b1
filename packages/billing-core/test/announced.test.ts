/** Credit of a period that its account changes between the announcement of its invoice and its beginning. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AnnouncedGrant,
  cents,
  clawback,
  consume,
  grant,
  instant,
  type LedgerState,
  ledgerKey,
  type PeriodGrant,
  planAnnounced,
} from '../src/index.js'
import { emptyLedger, perform } from './support/build.js'

const comboOf = (id: string, amount: number, period = '2026-05'): PeriodGrant => ({
  source: 'combo',
  sourceId: `combo:${id}`,
  dedupeKey: ledgerKey.combo(id, period),
  cents: cents(amount),
})
const had = (grant: Omit<PeriodGrant, 'source'>, open: number = grant.cents): AnnouncedGrant => ({
  sourceId: grant.sourceId,
  dedupeKey: grant.dedupeKey,
  cents: grant.cents,
  openCents: cents(open),
})

describe('planAnnounced', () => {
  test('nothing is left to do for what was granted already', () => {
    expect(planAnnounced([comboOf('a', 100)], [had(comboOf('a', 100))], true)).toEqual({ grants: [], takenBack: [] })
  })

  test('a combo that is given up is taken back, as far as the change takes back', () => {
    expect(planAnnounced([], [had(comboOf('a', 100), 60)], true).takenBack).toEqual([had(comboOf('a', 100), 60)])
    expect(planAnnounced([], [had(comboOf('a', 100))], false).takenBack).toEqual([])
    expect(planAnnounced([], [had(comboOf('a', 100), 0)], true).takenBack).toEqual([])
  })

  test('what was taken back is granted again under another key', () => {
    const back = { ...had(comboOf('a', 100), 0), cents: cents(0) }
    expect(planAnnounced([comboOf('a', 100)], [back], true).grants).toEqual([
      { ...comboOf('a', 100), dedupeKey: 'combo:a:2026-05:again:1' },
    ])
  })

  test('another interval replaces the credit of the one before', () => {
    const yearly = comboOf('a', 1_000, '2026')
    const plan = planAnnounced([yearly], [had(comboOf('a', 100))], true)
    expect(plan).toEqual({ grants: [{ ...yearly, cents: 900 }], takenBack: [] })
    const monthly = planAnnounced([comboOf('a', 100)], [had(yearly, 950)], true)
    expect(monthly).toEqual({ grants: [{ ...comboOf('a', 100), cents: 50 }], takenBack: [had(yearly, 950)] })
  })

  test('discounts and promotions are granted once a period, and stay', () => {
    const discount: PeriodGrant = {
      ...comboOf('a', 100),
      source: 'discount',
      sourceId: 'disc_1',
      dedupeKey: 'disc:disc_1:2026-05',
    }
    const yearly = { ...discount, dedupeKey: 'disc:disc_1:2026', cents: cents(1_200) }
    expect(planAnnounced([yearly], [had(discount)], true)).toEqual({ grants: [], takenBack: [] })
    expect(planAnnounced([], [had(discount)], true)).toEqual({ grants: [], takenBack: [] })
  })

  test('law: through changes and spending, the ledger has granted what is earned, or what was spent of it', () => {
    const step = fc.oneof(
      fc.record({
        earned: fc.dictionary(fc.constantFrom('a', 'b'), fc.integer({ min: 1, max: 500 })),
        period: fc.constantFrom('2026-05', '2026'),
      }),
      fc.record({ spend: fc.integer({ min: 1, max: 700 }) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), fc.nat({ max: 300 }), (steps, other) => {
        const account = new Announced(other)
        for (const each of steps) {
          if ('spend' in each) account.spend(each.spend)
          else account.change(each.earned, each.period)
        }
      }),
      { numRuns: 400 },
    )
  })
})

/** An account whose ledger does what the plan says, beside its sums. */
class Announced {
  readonly #ledger: LedgerState = emptyLedger()
  readonly #row = { orgId: 'org_a', subscriptionId: 'sub_1' }
  #granted: { sourceId: string; dedupeKey: string; given: number; back: number; spent: number }[] = []
  #others: number
  #ids = 0

  constructor(others: number) {
    this.#others = others
    if (others > 0) this.#grant('disc_0', 'disc:disc_0', others)
  }

  #grant(sourceId: string, dedupeKey: string, amount: number): void {
    const at = instant(`2026-04-${sourceId.startsWith('combo') ? '20' : '10'}T00:00:00.000Z`)
    const row = { ...this.#row, id: `row_${++this.#ids}`, sourceId, dedupeKey, cents: cents(amount), at }
    perform(this.#ledger, grant(this.#ledger, row))
  }

  spend(amount: number): void {
    const command = { ...this.#row, id: `row_${++this.#ids}`, sourceId: 'provider', mode: 'upTo' } as const
    const at = instant('2026-04-25T00:00:00.000Z')
    perform(
      this.#ledger,
      consume(this.#ledger, { ...command, at, cents: cents(amount), dedupeKey: `inv:${this.#ids}` }),
    )
    let due = amount - Math.min(amount, this.#others)
    this.#others -= amount - due
    for (const each of this.#granted) {
      const part = Math.min(due, each.given - each.back - each.spent)
      each.spent += part
      due -= part
    }
  }

  change(earned: Readonly<Record<string, number>>, period: string): void {
    const grants = Object.entries(earned).map(([id, amount]) => comboOf(id, amount, period))
    const known = this.#granted.map(({ given, back, spent, ...of }) => ({
      ...of,
      cents: cents(given - back),
      openCents: cents(given - back - spent),
    }))
    const plan = planAnnounced(grants, known, true)
    for (const { dedupeKey: grantKey, openCents } of plan.takenBack) {
      const at = instant('2026-04-26T00:00:00.000Z')
      const reversed = perform(this.#ledger, clawback(this.#ledger, { id: `row_${++this.#ids}`, grantKey, at }))
      expect(reversed.recoveredCents).toBe(openCents)
      const row = this.#granted.find(({ dedupeKey }) => dedupeKey === grantKey)
      if (row !== undefined) row.back += openCents
    }
    for (const { sourceId, dedupeKey, cents: given } of plan.grants) {
      this.#grant(sourceId, dedupeKey, given)
      this.#granted.push({ sourceId, dedupeKey, given, back: 0, spent: 0 })
    }
    for (const id of ['a', 'b']) {
      const rows = this.#granted.filter(({ sourceId }) => sourceId === `combo:${id}`)
      const [net, spent] = rows.reduce(([n, s], { given, back, spent: used }) => [n + given - back, s + used], [0, 0])
      expect(net).toBe(Math.max(earned[id] ?? 0, spent))
    }
  }
}
