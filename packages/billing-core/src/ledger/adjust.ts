/**
 * Corrects a balance to the provider's. An upward correction is credit, like a grant; a downward one drains the oldest
 * credit first.
 */
import type { Step } from '../explain/step.js'
import { cents, MAX_CENTS, type SignedCents } from '../money/cents.js'
import { accept, invalid, type Result, show } from '../refusal/refusal.js'
import type { LedgerState } from './book.js'
import {
  available,
  begin,
  checkRow,
  drainSteps,
  drainUpdates,
  isRefused,
  local,
  newOutcome,
  newRow,
  planDrain,
} from './outcome.js'
import type { LedgerEvent, LedgerOutcome, RowCommand } from './types.js'

export interface AdjustCommand extends RowCommand {
  readonly orgId: string
  readonly cents: SignedCents
  readonly dedupeKey: string
  readonly sourceId?: string
}

export function adjust(state: LedgerState, command: AdjustCommand): Result<LedgerOutcome> {
  const malformed = checkRow(command)
  if (malformed !== null) return malformed
  const begun = begin(state, command.orgId, command.subscriptionId, command.dedupeKey)
  if (isRefused(begun)) return begun
  const { book, account } = begun
  if (!Number.isSafeInteger(command.cents) || command.cents === 0) {
    return invalid('cents', `cents must be whole and not 0, not ${show(command.cents)}`)
  }
  if (command.cents > 0 && command.cents > MAX_CENTS - account.balance) {
    return invalid('cents', 'cents must not bring the balance above 2^53 - 1')
  }
  const down = command.cents < 0 ? cents(0 - command.cents) : cents(0)
  const most = available(book, account)
  if (down > most) return invalid('cents', `cents must take at most ${most}, the credit available, not ${down}`)
  const takes = planDrain(account, down)
  const { subscriptionId, dedupeKey } = command
  const sourceId = command.sourceId ?? 'provider'
  const row = newRow(command.orgId, account, command, {
    type: 'adjust',
    sourceId,
    cents: command.cents,
    dedupeKey,
    fulfillmentRef: local(command.id),
  })
  const events: LedgerEvent[] =
    command.cents > 0
      ? [{ type: 'credit_applied', subscriptionId, sourceId, dedupeKey, cents: cents(command.cents) }]
      : []
  const outcome = newOutcome(state, command.orgId, account, { rows: [row], updates: drainUpdates(takes), events })
  const steps: Step[] =
    command.cents > 0
      ? [{ kind: 'granted', key: dedupeKey, cents: cents(command.cents), balance: outcome.balanceCents }]
      : drainSteps(takes)
  return accept({ ...outcome, steps })
}
