/**
 * The open ledger of one account (all its subscriptions), and `apply`, the only function that changes it.
 *
 * Outside this folder the state is opaque: operations read it, and `apply` applies one outcome to it.
 */
import { type Cents, cents } from '../money/cents.js'
import { accept, type Result, refuse } from '../refusal/refusal.js'
import type { Entry } from './entry.js'
import { OpenGrants } from './open-grants.js'
import type { CachedColumns, EntryState, Hold, LedgerOutcome, LedgerRow } from './types.js'

declare const ledgerState: unique symbol

/** An open ledger. `openLedger` or `resumeLedger` makes it, and `apply` changes it. */
export interface LedgerState {
  readonly [ledgerState]: true
}

export interface Account {
  readonly subscriptionId: string
  lastSeq: number
  balance: number
  held: number
  /** The number of rows that the provider does not know yet. */
  pending: number
  /**
   * Every source that ever granted credit here, reversed grants included. A resumed ledger contains only the sources
   * that were asked for.
   */
  readonly sources: Set<string>
  readonly open: OpenGrants
}

export interface Book {
  /** Null until the first row or hold sets it. */
  orgId: string | null
  version: number
  readonly entries: Entry[]
  readonly byKey: Map<string, Entry>
  readonly accounts: Map<string, Account>
  readonly holds: Map<string, Hold>
  /** What a resumed ledger was asked for. Null when the ledger was replayed and contains everything. */
  readonly asked: Asked | null
}

export interface Asked {
  readonly subscriptionId: string
  readonly keys: ReadonlySet<string>
  readonly sources: ReadonlySet<string>
}

export function newBook(asked: Asked | null = null): Book {
  return { orgId: null, version: 0, entries: [], byKey: new Map(), accounts: new Map(), holds: new Map(), asked }
}

/**
 * Returns the entry of a key; undefined when there is none.
 *
 * @throws {TypeError} for a key that a resumed ledger was not asked for, because a row that was not loaded may exist.
 */
export function entryOf(book: Book, dedupeKey: string): Entry | undefined {
  const entry = book.byKey.get(dedupeKey)
  if (entry === undefined && book.asked !== null && !book.asked.keys.has(dedupeKey)) {
    throw new TypeError(`the ledger was resumed without the row of ${dedupeKey}; ask for that key`)
  }
  return entry
}

export function toState(book: Book): LedgerState {
  return book as unknown as LedgerState
}

export function toBook(state: LedgerState): Book {
  return state as unknown as Book
}

export function accountOf(book: Book, subscriptionId: string): Account {
  if (book.asked !== null && subscriptionId !== book.asked.subscriptionId) {
    throw new TypeError(`the ledger was resumed for ${book.asked.subscriptionId}, not for ${subscriptionId}`)
  }
  return book.accounts.get(subscriptionId) ?? newAccount(subscriptionId)
}

/** Returns the account to write to. It is created with its first row or hold. */
export function openAccount(book: Book, subscriptionId: string): Account {
  let account = book.accounts.get(subscriptionId)
  if (account === undefined) {
    account = newAccount(subscriptionId)
    book.accounts.set(subscriptionId, account)
  }
  return account
}

function newAccount(subscriptionId: string): Account {
  return { subscriptionId, lastSeq: 0, balance: 0, held: 0, pending: 0, sources: new Set(), open: new OpenGrants() }
}

/** Applies an outcome to the state. An outcome that was computed from another version is refused; compute it again. */
export function apply(state: LedgerState, outcome: LedgerOutcome): Result<LedgerState> {
  const book = toBook(state)
  if (outcome.version !== book.version || (book.orgId !== null && outcome.orgId !== book.orgId)) {
    return refuse('CONFLICT', 'the ledger changed after this outcome was computed; compute it again')
  }
  book.version++
  book.orgId = outcome.orgId
  const account = openAccount(book, outcome.subscriptionId)
  for (const update of outcome.updates) updateEntry(book, update)
  for (const row of outcome.rows) addEntry(book, account, toEntry(row))
  account.open.dropEmpty()
  if (outcome.hold !== null) changeHold(book, account, outcome.hold)
  return accept(state)
}

export function addEntry(book: Book, account: Account, entry: Entry): void {
  book.entries.push(entry)
  book.byKey.set(entry.facts.dedupeKey, entry)
  account.lastSeq = entry.facts.seq
  account.balance += entry.facts.cents
  if (isPending(entry)) account.pending++
  if (entry.facts.type === 'grant') account.sources.add(entry.facts.sourceId)
  if (entry.remaining > 0) account.open.add(entry)
}

function updateEntry(book: Book, update: CachedColumns): void {
  const entry = book.byKey.get(update.dedupeKey)
  if (entry === undefined) throw new TypeError(`no ledger row ${update.dedupeKey} to update`)
  if (isPending(entry) && update.state !== 'pending') accountOf(book, entry.facts.subscriptionId).pending--
  entry.remaining = update.remainingCents
  entry.reversed = update.reversedCents
  entry.isReversed = update.state === 'reversed'
  entry.fulfillmentRef = update.fulfillmentRef
}

function changeHold(book: Book, account: Account, change: NonNullable<LedgerOutcome['hold']>): void {
  if ('set' in change) {
    book.holds.set(change.set.key, change.set)
    account.held += change.set.cents
    return
  }
  const hold = book.holds.get(change.release)
  if (hold === undefined) return
  book.holds.delete(change.release)
  account.held -= hold.cents
}

/** INVARIANT: the state follows from the facts and the provider's reference alone; nothing else is stored about a row. */
export function stateOf(entry: Pick<Entry, 'isReversed' | 'fulfillmentRef'>): EntryState {
  if (entry.isReversed) return 'reversed'
  return entry.fulfillmentRef === null ? 'pending' : 'posted'
}

export function isPending(entry: Entry): boolean {
  return stateOf(entry) === 'pending'
}

export function toEntry(row: LedgerRow): Entry {
  return {
    facts: row,
    remaining: row.remainingCents,
    reversed: row.reversedCents,
    isReversed: row.state === 'reversed',
    fulfillmentRef: row.fulfillmentRef,
  }
}

export function toRow(entry: Entry): LedgerRow {
  return {
    ...entry.facts,
    remainingCents: cents(entry.remaining),
    reversedCents: cents(entry.reversed),
    state: stateOf(entry),
    fulfillmentRef: entry.fulfillmentRef,
  }
}

/**
 * Returns every row with its derived columns, in the order in which they were appended.
 *
 * @throws {TypeError} for a resumed ledger, which does not have every row.
 */
export function ledgerRows(state: LedgerState): readonly LedgerRow[] {
  const { entries, asked } = toBook(state)
  if (asked !== null) throw new TypeError('a resumed ledger does not hold every row; read them where they are stored')
  return entries.map(toRow)
}

/** True when the provider does not know a row of the subscription yet. O(1). */
export function hasPendingRow(state: LedgerState, subscriptionId: string): boolean {
  return accountOf(toBook(state), subscriptionId).pending > 0
}

/**
 * True when the source ever granted credit to the subscription, even if it was taken back. O(1).
 *
 * @throws {TypeError} for a source that a resumed ledger was not asked for.
 */
export function hasGrantFrom(state: LedgerState, subscriptionId: string, sourceId: string): boolean {
  const book = toBook(state)
  const { sources } = accountOf(book, subscriptionId)
  if (!sources.has(sourceId) && book.asked !== null && !book.asked.sources.has(sourceId)) {
    throw new TypeError(`the ledger was resumed without the source ${sourceId}; ask for it`)
  }
  return sources.has(sourceId)
}

/**
 * Returns the row of a key, or null. O(1).
 *
 * @throws {TypeError} for a key that a resumed ledger was not asked for.
 */
export function findRow(state: LedgerState, dedupeKey: string): LedgerRow | null {
  const entry = entryOf(toBook(state), dedupeKey)
  return entry === undefined ? null : toRow(entry)
}

/**
 * Returns the credit that is left of a subscription's grants, in cents, including what is held for metering; 0 when it
 * has no rows.
 */
export function balanceOf(state: LedgerState, subscriptionId: string): Cents {
  return cents(accountOf(toBook(state), subscriptionId).balance)
}

/** Returns the balance less what is held for metering, in cents. */
export function availableOf(state: LedgerState, subscriptionId: string): Cents {
  const account = accountOf(toBook(state), subscriptionId)
  return cents(account.balance - account.held)
}

/** Returns the holds of all subscriptions that are neither settled nor released. */
export function ledgerHolds(state: LedgerState): readonly Hold[] {
  return [...toBook(state).holds.values()]
}
