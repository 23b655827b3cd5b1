/**
 * Opens a ledger by replaying its rows from the first one. The derived columns are computed again and never taken from
 * the rows. Everything that breaks an invariant is a finding, and a ledger with findings does not open.
 */
import { isInstant } from '../period/instant.js'
import { show } from '../refusal/refusal.js'
import {
  type Account,
  addEntry,
  type Book,
  isPending,
  type LedgerState,
  newBook,
  openAccount,
  stateOf,
  toState,
} from './book.js'
import type { Entry } from './entry.js'
import { reversalTarget } from './keys.js'
import { entryTypes, type Hold, type LedgerRow } from './types.js'

export type FindingCode =
  | 'malformed'
  | 'several_accounts'
  | 'sequence_gap'
  | 'duplicate_key'
  | 'wrong_sign'
  | 'overdrawn'
  | 'balance_overflow'
  | 'bad_reversal'
  | 'remaining_differs'
  | 'reversed_differs'
  | 'state_differs'
  | 'held_beyond_balance'
  | 'balance_differs'

export interface LedgerFinding {
  readonly code: FindingCode
  /** The id of the row that is wrong, or null when no single row is. */
  readonly rowId: string | null
  readonly subscriptionId: string | null
  readonly seq: number | null
  readonly message: string
}

export type OpenedLedger =
  | { readonly ok: true; readonly state: LedgerState }
  | { readonly ok: false; readonly findings: readonly LedgerFinding[] }

/**
 * Opens the ledger of one account. Its rows may be in any order. `holds` are those of the metering hours that are not
 * settled yet.
 */
export function openLedger(rows: readonly LedgerRow[], holds: readonly Hold[] = []): OpenedLedger {
  const { book, findings } = replay(rows, holds)
  return findings.length === 0 ? { ok: true, state: toState(book) } : { ok: false, findings }
}

/**
 * Returns every finding of a stored ledger: the invariants as a function. An empty list means that the ledger is sound.
 */
export function checkLedger(rows: readonly LedgerRow[], holds: readonly Hold[] = []): readonly LedgerFinding[] {
  return replay(rows, holds).findings
}

function replay(rows: readonly LedgerRow[], holds: readonly Hold[]): { book: Book; findings: LedgerFinding[] } {
  const book = newBook()
  const findings: LedgerFinding[] = []
  const report = reportTo(findings)
  // Row i of `stored` is the row that entry i of the book was read from.
  const stored: LedgerRow[] = []
  for (const row of inSequence(rows.filter((each) => isWellFormed(each, report)))) {
    book.orgId ??= row.orgId
    if (row.orgId !== book.orgId) {
      report('several_accounts', row, `row belongs to account ${row.orgId}, the ledger to ${book.orgId}`)
      continue
    }
    const account = openAccount(book, row.subscriptionId)
    const wanted = account.lastSeq + 1
    if (row.seq !== wanted) report('sequence_gap', row, `seq is ${row.seq} where ${wanted} is due`)
    if (book.byKey.has(row.dedupeKey)) {
      report('duplicate_key', row, `dedupeKey ${row.dedupeKey} stands already`)
      account.lastSeq = row.seq
      continue
    }
    if (!Number.isSafeInteger(account.balance + row.cents)) {
      report('balance_overflow', row, 'row brings the balance above 2^53 - 1')
      account.lastSeq = row.seq
      continue
    }
    stored.push(row)
    replayRow(book, account, row, report)
  }
  stored.forEach((row, index) => {
    compareColumns(book.entries[index] as Entry, row, report)
  })
  replayHolds(book, holds, report)
  return { book, findings }
}

export type Report = (code: FindingCode, row: LedgerRow | null, message: string) => void

/** Returns a report function that appends to the list. */
export function reportTo(findings: LedgerFinding[]): Report {
  return (code, row, message) => {
    findings.push({
      code,
      rowId: row?.id ?? null,
      subscriptionId: row?.subscriptionId ?? null,
      seq: row?.seq ?? null,
      message,
    })
  }
}

/**
 * Well-formed rows: subscriptions in order of first appearance, and the rows of each by seq. Invariants depend on the
 * order of writing.
 */
function inSequence(rows: readonly LedgerRow[]): readonly LedgerRow[] {
  let sorted = true
  let previous: LedgerRow | null = null
  const last = new Map<string, number>()
  for (const row of rows) {
    // The rows of a subscription mostly follow each other, so the map is used only when the subscription changes.
    if (previous?.subscriptionId !== row.subscriptionId) {
      if (previous !== null) last.set(previous.subscriptionId, previous.seq)
      if (row.seq < (last.get(row.subscriptionId) ?? Number.NEGATIVE_INFINITY)) sorted = false
    } else if (row.seq < previous.seq) sorted = false
    previous = row
  }
  if (previous !== null) last.set(previous.subscriptionId, previous.seq)
  if (sorted) return rows
  const order = new Map([...last.keys()].map((id, index) => [id, index]))
  return [...rows].sort(
    (a, b) => (order.get(a.subscriptionId) ?? 0) - (order.get(b.subscriptionId) ?? 0) || a.seq - b.seq,
  )
}

function replayRow(book: Book, account: Account, row: LedgerRow, report: Report): void {
  const entry: Entry = { facts: row, remaining: 0, reversed: 0, isReversed: false, fulfillmentRef: row.fulfillmentRef }
  const target = row.type === 'clawback' || row.type === 'adjust' ? reversalTarget(row.dedupeKey) : null
  if (target !== null || row.type === 'clawback') reverseTarget(book, account, row, target, report)
  else if (row.cents > 0) entry.remaining = row.cents
  else drain(account, row, report)
  addEntry(book, account, entry)
  account.open.dropEmpty()
}

function reverseTarget(book: Book, account: Account, row: LedgerRow, target: string | null, report: Report): void {
  const entry = target === null ? undefined : book.byKey.get(target)
  const amount = 0 - row.cents
  if (entry === undefined || entry.facts.type !== 'grant' || entry.facts.subscriptionId !== row.subscriptionId) {
    report('bad_reversal', row, `${row.dedupeKey} names no earlier grant of its subscription`)
  } else if (entry.isReversed || amount > entry.remaining) {
    report('bad_reversal', row, `${row.dedupeKey} takes ${amount} of a grant that has ${entry.remaining} left`)
  } else {
    if (isPending(entry)) account.pending--
    entry.remaining -= amount
    entry.reversed = amount
    entry.isReversed = true
  }
}

function drain(account: Account, row: LedgerRow, report: Report): void {
  const amount = 0 - row.cents
  if (amount > account.balance) {
    report('overdrawn', row, `row takes ${amount} of a balance of ${account.balance}`)
    return
  }
  let left = amount
  for (let entry = account.open.first(); left > 0 && entry !== undefined; entry = account.open.first()) {
    const part = Math.min(entry.remaining, left)
    entry.remaining -= part
    left -= part
    account.open.dropEmpty()
  }
}

function compareColumns(entry: Entry, row: LedgerRow, report: Report): void {
  if (row.remainingCents !== entry.remaining) {
    report('remaining_differs', row, `remainingCents is ${row.remainingCents}, replay gives ${entry.remaining}`)
  }
  if (row.reversedCents !== entry.reversed) {
    report('reversed_differs', row, `reversedCents is ${row.reversedCents}, replay gives ${entry.reversed}`)
  }
  const state = stateOf(entry)
  if (row.state !== state) report('state_differs', row, `state is ${row.state}, replay gives ${state}`)
}

function replayHolds(book: Book, holds: readonly Hold[], report: Report): void {
  for (const hold of holds) {
    const account = openAccount(book, hold.subscriptionId)
    book.holds.set(hold.key, hold)
    account.held += hold.cents
    if (account.held > account.balance) {
      report('held_beyond_balance', null, `${hold.key}: ${account.held} held of a balance of ${account.balance}`)
    }
  }
}

/** Checks the shape of a row before anything is computed from it, because rows come from storage or a file. */
export function isWellFormed(row: LedgerRow, report: Report): boolean {
  if (typeof row !== 'object' || row === null) {
    report('malformed', null, `a row must be an object, not ${show(row)}`)
  } else if (
    !isText(row.id) ||
    !isText(row.orgId) ||
    !isText(row.subscriptionId) ||
    !isText(row.sourceId) ||
    !isText(row.dedupeKey)
  ) {
    report('malformed', row, 'id, orgId, subscriptionId, sourceId and dedupeKey must be texts')
  } else if (!Number.isSafeInteger(row.seq)) {
    report('malformed', row, `seq must be a whole number, not ${show(row.seq)}`)
  } else if (!entryTypes.includes(row.type)) {
    report('malformed', row, `type must be one of ${entryTypes.join(', ')}, not ${show(row.type)}`)
  } else if (!Number.isSafeInteger(row.cents)) {
    report('malformed', row, `cents must be a whole number of cents, not ${show(row.cents)}`)
  } else if (!isInstant(row.grantedAt)) {
    report('malformed', row, `grantedAt must be a UTC instant, not ${show(row.grantedAt)}`)
  } else if (row.fulfillmentRef !== null && typeof row.fulfillmentRef !== 'object') {
    report('malformed', row, 'fulfillmentRef must be null or {kind, ref}')
  } else if (!hasRightSign(row)) report('wrong_sign', row, `cents of a ${row.type} must not be ${row.cents}`)
  else return true
  return false
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** A grant adds, other rows take. The reversal of a grant that was spent takes 0. An adjustment has either sign. */
function hasRightSign(row: LedgerRow): boolean {
  switch (row.type) {
    case 'grant':
      return row.cents > 0
    case 'consume':
    case 'forfeit':
      return row.cents < 0
    case 'clawback':
      return row.cents <= 0
    case 'adjust':
      return reversalTarget(row.dedupeKey) === null ? row.cents !== 0 : row.cents <= 0
  }
}
