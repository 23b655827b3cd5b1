/** Every proof of the package by name, each with the size it has in CI; `main.ts` runs them, larger on request. */
import { nobleCrypto } from '../src/index.js'
import { nodeCrypto } from '../src/node.js'
import { proveCombos } from './combos.js'
import { proveInvoices } from './invoices.js'
import { proveLedger } from './ledger.js'
import { proveMeteringMonth } from './metering.js'
import { proveAllocation, provePercent } from './percent.js'
import { provePeriods } from './periods.js'
import { provePromotions } from './promotions.js'
import { proveProrations } from './prorations.js'
import { Random } from './random.js'
import { proveTokens } from './tokens.js'

export interface Sizes {
  /** Random ledger operations. */
  readonly ops: number
  readonly catalogues: number
  readonly seed: number
}

export interface Check {
  readonly name: string
  readonly guarantee: string
  /** Runs and says what it did; throws at the first thing that is wrong. */
  readonly run: (sizes: Sizes) => string
}

const count = (value: number): string => value.toLocaleString('en-US')

export const checks: readonly Check[] = [
  {
    name: 'ledger',
    guarantee: 'equals a naive BigInt ledger after every operation, replayed and resumed; balances, keys, budgets hold',
    run: ({ ops, seed }) => `${count(proveLedger(ops, seed))} operations`,
  },
  {
    name: 'promotions',
    guarantee: 'a budget shared by many accounts is never exceeded and never refused wrongly',
    run: ({ ops, seed }) => `${count(provePromotions(Math.ceil(ops / 100), seed))} grants and clawbacks`,
  },
  {
    name: 'combos',
    guarantee: 'packing equals brute force, members are disjoint, holding more never saves less',
    run: ({ catalogues, seed }) => `${count(proveCombos(catalogues, seed))} catalogues`,
  },
  {
    name: 'percent',
    guarantee: 'percent equals exact rational arithmetic, half a cent up; every plan price × 1 to 100 %',
    run: ({ catalogues, seed }) => `${count(provePercent(catalogues * 20, seed))} pairs`,
  },
  {
    name: 'allocation',
    guarantee: 'showback shares are those of largest remainder and sum to the bill',
    run: ({ catalogues, seed }) => `${count(proveAllocation(catalogues, seed))} bills`,
  },
  {
    name: 'metering',
    guarantee:
      'over months with outages and crashes, withheld = debited, billed + withheld = units, no hour ends early',
    run: ({ ops, seed }) => {
      const random = new Random(seed)
      const months = Math.max(2, Math.ceil(ops / 20_000))
      let [crashes, late, lapsed] = [0, 0, 0]
      for (let month = 0; month < months; month++) {
        const totals = proveMeteringMonth(random)
        crashes += totals.crashes
        late += totals.late
        lapsed += totals.lapsed
      }
      return `${count(months)} months, ${count(crashes)} crashes, ${count(late)} hours settled late, ${count(lapsed)} lapsed`
    },
  },
  {
    name: 'prorations',
    guarantee: 'each line is half-up and at most its price; there and back costs nothing, a detour nothing more',
    run: ({ catalogues, seed }) => `${count(proveProrations(catalogues, seed))} changes`,
  },
  {
    name: 'invoices',
    guarantee: 'the next invoice shown is the one that the roll draws, over two years an account',
    run: ({ catalogues, seed }) => `${count(proveInvoices(Math.ceil(catalogues / 10), seed))} invoices`,
  },
  {
    name: 'periods',
    guarantee: 'anchors 28 to 31, every month, 20 years, both intervals equal a day-by-day calendar',
    run: ({ ops }) => `${count(provePeriods(ops >= 20_000 ? 20 : 3))} days`,
  },
  {
    name: 'tokens',
    guarantee: 'every bit flip, other spelling, key and version is refused, by both crypto ports',
    run: ({ ops, seed }) =>
      `${count(proveTokens([nodeCrypto, nobleCrypto], Math.max(2, Math.ceil(ops / 5_000)), seed))} attacks`,
  },
]
