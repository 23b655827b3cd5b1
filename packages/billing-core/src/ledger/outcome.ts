/** How operations build their outcomes: the new row, the planned drain, and the columns that the drain changes. */
import type { Step } from '../explain/step.js'
import { cents, type SignedCents, ZERO } from '../money/cents.js'
import { parseInstant } from '../period/instant.js'
import { invalid, type Refused, refuse, show } from '../refusal/refusal.js'
import { type Account, accountOf, type Book, entryOf, type LedgerState, stateOf, toBook } from './book.js'
import type { Entry } from './entry.js'
import { reversalTarget } from './keys.js'
import type { CachedColumns, FulfillmentRef, LedgerEvent, LedgerOutcome, LedgerRow, RowCommand } from './types.js'

/** One part of a drain. */
export interface Take {
  readonly entry: Entry
  readonly cents: number
}

/**
 * Plans a drain, first in first out over the open grants, up to `amount`. The caller must have verified that enough is
 * available.
 */
export function planDrain(account: Account, amount: number): Take[] {
  const first = account.open.first()
  // Most drains need only the first grant.
  if (amount > 0 && first !== undefined && first.remaining >= amount) return [{ entry: first, cents: amount }]
  const takes: Take[] = []
  let left = amount
  if (left === 0) return takes
  for (const entry of account.open.inOrder()) {
    if (entry.remaining === 0) continue
    const part = Math.min(entry.remaining, left)
    takes.push({ entry, cents: part })
    left -= part
    if (left === 0) break
  }
  if (left > 0) throw new RangeError(`the open grants hold ${amount - left} of ${amount} cents`)
  return takes
}

export function drainUpdates(takes: readonly Take[]): CachedColumns[] {
  return takes.map(({ entry, cents: part }) => columnsOf(entry, { remaining: entry.remaining - part }))
}

export function drainSteps(takes: readonly Take[]): Step[] {
  return takes.map(({ entry, cents: part }) => ({
    kind: 'drained',
    grant: entry.facts.dedupeKey,
    cents: cents(part),
    left: cents(entry.remaining - part),
  }))
}

export function columnsOf(entry: Entry, change: Partial<Omit<Entry, 'facts'>>): CachedColumns {
  const next = { ...entry, ...change }
  return {
    id: entry.facts.id,
    dedupeKey: entry.facts.dedupeKey,
    remainingCents: cents(next.remaining),
    reversedCents: cents(next.reversed),
    state: stateOf(next),
    fulfillmentRef: next.fulfillmentRef,
  }
}

interface RowParts {
  readonly type: LedgerRow['type']
  readonly sourceId: string
  readonly cents: SignedCents
  readonly dedupeKey: string
  readonly fulfillmentRef: FulfillmentRef | null
}

export function newRow(orgId: string, account: Account, command: RowCommand, parts: RowParts): LedgerRow {
  return {
    id: command.id,
    orgId,
    subscriptionId: command.subscriptionId,
    seq: account.lastSeq + 1,
    type: parts.type,
    sourceId: parts.sourceId,
    cents: parts.cents,
    dedupeKey: parts.dedupeKey,
    grantedAt: command.at,
    actorId: command.actorId ?? null,
    details: command.details ?? null,
    remainingCents: parts.cents > 0 ? cents(parts.cents) : ZERO,
    reversedCents: ZERO,
    state: parts.fulfillmentRef === null ? 'pending' : 'posted',
    fulfillmentRef: parts.fulfillmentRef,
  }
}

interface OutcomeParts {
  readonly rows?: readonly LedgerRow[]
  readonly updates?: readonly CachedColumns[]
  readonly hold?: LedgerOutcome['hold']
  readonly events?: readonly LedgerEvent[]
  readonly steps?: readonly Step[]
}

export function newOutcome(state: LedgerState, orgId: string, account: Account, parts: OutcomeParts): LedgerOutcome {
  const rows = parts.rows ?? []
  return {
    orgId,
    subscriptionId: account.subscriptionId,
    version: toBook(state).version,
    rows,
    updates: parts.updates ?? [],
    hold: parts.hold ?? null,
    events: parts.events ?? [],
    balanceCents: cents(rows.reduce((balance, row) => balance + row.cents, account.balance)),
    steps: parts.steps ?? [],
  }
}

/** Credit that is realised locally: no provider is notified. */
export function local(id: string): FulfillmentRef {
  return { kind: 'local', ref: id }
}

/** Checks what a row would be stored with. A row that replay would call malformed is refused before it is written. */
export function checkRow(command: RowCommand & { readonly sourceId?: string }): Refused | null {
  const texts = { id: command.id, subscriptionId: command.subscriptionId, sourceId: command.sourceId ?? 'provider' }
  for (const [field, text] of Object.entries(texts)) {
    if (typeof text !== 'string' || text === '') return invalid(field, `${field} must be a text, not ${show(text)}`)
  }
  const at = parseInstant(command.at, 'at')
  return at.ok ? null : at
}

/** The checks that every command on a key starts with. */
export function begin(
  state: LedgerState,
  orgId: string,
  subscriptionId: string,
  dedupeKey: string,
): { readonly book: Book; readonly account: Account } | Refused {
  const book = toBook(state)
  if (book.orgId !== null && book.orgId !== orgId) {
    return invalid('orgId', `orgId must be ${book.orgId}, whose ledger this is`)
  }
  if (typeof orgId !== 'string' || orgId === '') return invalid('orgId', `orgId must be a text, not ${show(orgId)}`)
  if (typeof dedupeKey !== 'string' || dedupeKey === '') {
    return invalid('dedupeKey', `dedupeKey must be a text, not ${show(dedupeKey)}`)
  }
  if (reversalTarget(dedupeKey) !== null) {
    return invalid('dedupeKey', 'dedupeKey must not begin with clawback: or refused:, which name reversals')
  }
  if (entryOf(book, dedupeKey) !== undefined) {
    return refuse('DUPLICATE_ENTRY', `the ledger has a row ${dedupeKey} already`, { field: 'dedupeKey' })
  }
  return { book, account: accountOf(book, subscriptionId) }
}

/** Checked at run time too, because a caller without types may pass a fraction or NaN. */
export function isPositive(amount: number): boolean {
  return Number.isSafeInteger(amount) && amount > 0
}

export function isRefused(value: object): value is Refused {
  return 'ok' in value
}

/** The balance less what is held, except what is held under `exceptHold`. */
export function available(book: Book, account: Account, exceptHold?: string): number {
  const own = exceptHold === undefined ? undefined : book.holds.get(exceptHold)
  const mine = own?.subscriptionId === account.subscriptionId ? own.cents : 0
  return account.balance - (account.held - mine)
}
