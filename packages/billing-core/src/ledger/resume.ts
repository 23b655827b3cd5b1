/**
 * Opens the ledger of one subscription from stored totals and only the rows that are needed. So a command costs the
 * same after ten rows and after a hundred thousand.
 *
 * The ledger does not guess what it was not asked for: a command on another key, source or subscription throws
 * `TypeError`. LAW: a command on the resumed ledger has the same result as on the replayed ledger.
 */
import { type Account, addEntry, type Book, newBook, openAccount, toEntry, toState } from './book.js'
import { isWellFormed, type LedgerFinding, type OpenedLedger, type Report, reportTo } from './replay.js'
import type { Hold, LedgerRow } from './types.js'

export interface StoredLedger {
  readonly orgId: string
  readonly subscriptionId: string
  /** The stored balance: the sum of what is left of the open grants. */
  readonly balanceCents: number
  /** The `seq` of the newest row; 0 before the first row. */
  readonly lastSeq: number
  /** The number of rows that the provider does not know yet. */
  readonly pending: number
  /** Every row of the subscription that has credit left. */
  readonly openGrants: readonly LedgerRow[]
  /** The holds of the account, including those of its other subscriptions, because their keys are taken. */
  readonly holds: readonly Hold[]
  /**
   * The keys that the commands will name. `rows` contains the existing rows of these keys, of any subscription of the
   * account.
   */
  readonly keys: readonly string[]
  readonly rows: readonly LedgerRow[]
  /**
   * By source: whether it ever granted credit to the subscription. Needed for recurring promotions that an operator
   * granted.
   */
  readonly sources?: Readonly<Record<string, boolean>>
}

/**
 * Opens the ledger. The derived columns are taken as stored. Values that do not fit together are findings, and a ledger
 * with findings does not open.
 */
export function resumeLedger(stored: StoredLedger): OpenedLedger {
  const findings: LedgerFinding[] = []
  const report = reportTo(findings)
  const { orgId, subscriptionId } = stored
  const sources = Object.entries(stored.sources ?? {})
  const keys = new Set(stored.keys)
  const book = newBook({ subscriptionId, keys, sources: new Set(sources.map(([source]) => source)) })
  book.orgId = orgId
  const account = openAccount(book, subscriptionId)
  let highest = 0
  for (const row of [...stored.openGrants, ...stored.rows]) {
    if (!isWellFormed(row, report) || book.byKey.has(row.dedupeKey)) continue
    if (row.orgId !== orgId) {
      report('several_accounts', row, `row belongs to account ${row.orgId}, the ledger to ${orgId}`)
    } else if (!(row.remainingCents >= 0 && row.remainingCents + row.reversedCents <= Math.max(0, row.cents))) {
      report('remaining_differs', row, `${row.remainingCents} left and ${row.reversedCents} taken of ${row.cents}`)
    } else if (row.subscriptionId === subscriptionId) {
      addEntry(book, account, toEntry(row))
      highest = Math.max(highest, row.seq)
    } else book.byKey.set(row.dedupeKey, toEntry(row))
  }
  for (const [source, granted] of sources) if (granted) account.sources.add(source)
  checkTotals(account, highest, stored, report)
  account.lastSeq = stored.lastSeq
  account.balance = stored.balanceCents
  account.pending = stored.pending
  resumeHolds(book, account, stored, report)
  return findings.length === 0 ? { ok: true, state: toState(book) } : { ok: false, findings }
}

function checkTotals(account: Account, highest: number, stored: StoredLedger, report: Report): void {
  const left = [...account.open.inOrder()].reduce((total, entry) => total + BigInt(entry.remaining), 0n)
  if (!Number.isSafeInteger(stored.balanceCents) || BigInt(stored.balanceCents) !== left) {
    report('balance_differs', null, `the balance is ${stored.balanceCents}, the open grants have ${left} left`)
  }
  if (!Number.isSafeInteger(stored.lastSeq) || stored.lastSeq < highest) {
    report('sequence_gap', null, `the newest row is ${stored.lastSeq}, but a row has the number ${highest}`)
  }
  if (!Number.isSafeInteger(stored.pending) || stored.pending < account.pending) {
    report('state_differs', null, `${stored.pending} rows are pending, but ${account.pending} of those given are`)
  }
}

function resumeHolds(book: Book, account: Account, stored: StoredLedger, report: Report): void {
  for (const hold of stored.holds) {
    book.holds.set(hold.key, hold)
    if (hold.subscriptionId === account.subscriptionId) account.held += hold.cents
  }
  if (account.held > account.balance) {
    report('held_beyond_balance', null, `${account.held} held of a balance of ${account.balance}`)
  }
}
