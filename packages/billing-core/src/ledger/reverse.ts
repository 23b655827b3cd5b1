/**
 * Takes back what is left of one grant, and never more: as a clawback, or because the provider refused the grant for
 * good. The key of the grant stays taken, so it cannot be earned again.
 */
import { negate } from '../money/arithmetic.js'
import { type Cents, cents } from '../money/cents.js'
import { accept, invalid, type Result, refuse } from '../refusal/refusal.js'
import { accountOf, entryOf, type LedgerState, toBook } from './book.js'
import type { Entry } from './entry.js'
import { ledgerKey } from './keys.js'
import { available, checkRow, columnsOf, local, newOutcome, newRow } from './outcome.js'
import type { LedgerEvent, LedgerOutcome, RowCommand } from './types.js'

export interface ReverseCommand extends Omit<RowCommand, 'subscriptionId'> {
  /** The key of the grant. */
  readonly grantKey: string
}

export interface ClawbackCommand extends ReverseCommand {
  /** `push`: the provider has to be debited too. */
  readonly fulfillment?: 'push'
}

export interface ReverseOutcome extends LedgerOutcome {
  readonly grantedCents: Cents
  readonly recoveredCents: Cents
  /** True when nothing of the grant was spent. The caller then releases one grant from the promotion's counters. */
  readonly isWhole: boolean
}

/** Takes back the smaller of what is left of the grant and what is not held for metering. */
export function clawback(state: LedgerState, command: ClawbackCommand): Result<ReverseOutcome> {
  return reverse(state, command, 'clawback', ledgerKey.clawback(command.grantKey), command.fulfillment === 'push')
}

/** Reverses a pending grant that the provider refused for good. */
export function refusePush(state: LedgerState, command: ReverseCommand): Result<ReverseOutcome> {
  const entry = entryOf(toBook(state), command.grantKey)
  if (entry !== undefined && entry.fulfillmentRef !== null) {
    return refuse('CONFLICT', `${command.grantKey} was taken by the provider already`, { field: 'grantKey' })
  }
  return reverse(state, command, 'adjust', ledgerKey.refusedPush(command.grantKey), false)
}

function reverse(
  state: LedgerState,
  command: ReverseCommand,
  type: 'clawback' | 'adjust',
  dedupeKey: string,
  push: boolean,
): Result<ReverseOutcome> {
  const book = toBook(state)
  const entry = entryOf(book, command.grantKey)
  if (entry === undefined) {
    return refuse('NOT_FOUND', `the ledger has no row ${command.grantKey}`, { field: 'grantKey' })
  }
  if (entry.facts.type !== 'grant') return invalid('grantKey', `grantKey ${command.grantKey} must be that of a grant`)
  if (entry.isReversed) {
    return refuse('DUPLICATE_ENTRY', `${command.grantKey} was taken back already`, { field: 'grantKey' })
  }
  const { orgId, subscriptionId, sourceId } = entry.facts
  const malformed = checkRow({ ...command, subscriptionId })
  if (malformed !== null) return malformed
  const account = accountOf(book, subscriptionId)
  const granted = cents(entry.facts.cents)
  const recovered = cents(Math.min(entry.remaining, available(book, account)))
  const row = newRow(
    orgId,
    account,
    { ...command, subscriptionId },
    {
      type,
      sourceId,
      cents: negate(recovered),
      dedupeKey,
      fulfillmentRef: push ? null : local(command.id),
    },
  )
  const outcome = newOutcome(state, orgId, account, {
    rows: [row],
    updates: [columnsOf(entry, { remaining: entry.remaining - recovered, reversed: recovered, isReversed: true })],
    events: type === 'clawback' ? clawbackEvents(entry, recovered) : [],
    steps: [
      {
        kind: 'recovered',
        grant: command.grantKey,
        granted,
        recovered,
        spent: cents(granted - recovered),
      },
    ],
  })
  return accept({ ...outcome, grantedCents: granted, recoveredCents: recovered, isWhole: recovered === granted })
}

function clawbackEvents(entry: Entry, recoveredCents: Cents): LedgerEvent[] {
  const { subscriptionId, sourceId, cents: granted } = entry.facts
  if (!sourceId.startsWith('promo:')) return []
  const promotionId = sourceId.slice('promo:'.length)
  const grantedCents = cents(granted)
  return [{ type: 'promotion_clawback', subscriptionId, promotionId, grantedCents, recoveredCents }]
}
