/** The credit ledger: the cost of one operation as it grows, and replay from zero. */
import {
  apply,
  cents,
  checkLedger,
  consume,
  grant,
  instant,
  type LedgerRow,
  type LedgerState,
  ledgerRows,
  openLedger,
} from '@plumbline/billing-core'
import { type BenchOptions, type BenchTable, formatRate, median, time } from '../harness.js'

const OWNER = { orgId: 'org_a', subscriptionId: 'sub_1' }
const AT = instant('2026-03-01T00:00:00.000Z')

export function ledgerTable(options: BenchOptions): BenchTable {
  const sizes = options.quick ? [1_000, 10_000] : [1_000, 10_000, 100_000]
  return {
    title: 'One ledger operation (planned and applied) as the ledger grows',
    unit: 'operations/s',
    columns: ['open grants', 'grant', 'consume (part of one)', 'consume (empties ten)'],
    rows: sizes.map((size) => measure(size, options)),
    note: 'Cost is O(log n) for look-up and append, plus the grants that a drain empties.',
  }
}

function measure(size: number, options: BenchOptions): readonly string[] {
  const rounds = options.quick ? 3 : 7
  const count = 1_000
  const figures: number[][] = [[], [], []]
  for (let round = 0; round < rounds; round++) {
    const state = withGrants(size + count * 10)
    let id = 0
    const timed = (column: number, run: () => void): void => {
      const start = performance.now()
      for (let index = 0; index < count; index++) run()
      figures[column]?.push((count / (performance.now() - start)) * 1000)
    }
    timed(0, () => give(state, `new_${id++}`, 100))
    timed(1, () => use(state, `part_${id++}`, 1))
    timed(2, () => use(state, `ten_${id++}`, 1_000))
  }
  return [size.toLocaleString('en-US'), ...figures.map((each) => formatRate(median(each)))]
}

export function replayTable(options: BenchOptions): BenchTable {
  const size = options.quick ? 10_000 : 100_000
  const state = withGrants(Math.round(size * 0.6))
  for (let index = 0; index < size * 0.4; index++) use(state, `inv_${index}`, 130)
  const rows: readonly LedgerRow[] = ledgerRows(state)
  if (checkLedger(rows).length > 0) throw new Error('the ledger is not sound')
  const ms = time(() => {
    if (!openLedger(rows).ok) throw new Error('the ledger does not open')
  }, options)
  return {
    title: 'Replay from zero, every invariant checked',
    unit: 'ms',
    columns: ['rows', 'ms', 'rows/s'],
    rows: [[rows.length.toLocaleString('en-US'), ms.toFixed(0), formatRate((rows.length / ms) * 1000)]],
    note: 'Six grants to four consumptions. Required: 100,000 rows within 200 ms.',
  }
}

function withGrants(count: number): LedgerState {
  const opened = openLedger([])
  if (!opened.ok) throw new Error('an empty ledger opens')
  for (let index = 0; index < count; index++) give(opened.state, `grant_${index}`, 100)
  return opened.state
}

function give(state: LedgerState, key: string, amount: number): void {
  const outcome = grant(state, { ...OWNER, id: key, at: AT, sourceId: 'disc_1', cents: cents(amount), dedupeKey: key })
  if (!outcome.ok || !apply(state, outcome.value).ok) throw new Error(`grant ${key} failed`)
}

function use(state: LedgerState, key: string, amount: number): void {
  const outcome = consume(state, {
    ...OWNER,
    id: key,
    at: AT,
    sourceId: 'provider',
    cents: cents(amount),
    dedupeKey: key,
  })
  if (!outcome.ok || !apply(state, outcome.value).ok) throw new Error(`consumption ${key} failed`)
}
