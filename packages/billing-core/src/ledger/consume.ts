/** Uses credit, oldest first: for a settled invoice, or for the hour of metering that the credit was held for. */
import type { Step } from '../explain/step.js'
import { negate } from '../money/arithmetic.js'
import { type Cents, cents } from '../money/cents.js'
import { accept, invalid, type Result, show } from '../refusal/refusal.js'
import type { LedgerState } from './book.js'
import {
  available,
  begin,
  checkRow,
  drainSteps,
  drainUpdates,
  isPositive,
  isRefused,
  local,
  newOutcome,
  newRow,
  planDrain,
} from './outcome.js'
import type { LedgerEvent, LedgerOutcome, RowCommand } from './types.js'

export interface ConsumeCommand extends RowCommand {
  readonly orgId: string
  readonly sourceId: 'provider' | 'metering'
  readonly cents: Cents
  readonly dedupeKey: string
  /** `exact` (default) refuses an amount above what is available. `upTo` takes what is available. */
  readonly mode?: 'exact' | 'upTo'
  /** The key of the hold to settle. Its credit may be used, and the hold ends. */
  readonly holdKey?: string
}

export function consume(state: LedgerState, command: ConsumeCommand): Result<LedgerOutcome> {
  const malformed = checkRow(command)
  if (malformed !== null) return malformed
  const begun = begin(state, command.orgId, command.subscriptionId, command.dedupeKey)
  if (isRefused(begun)) return begun
  const { book, account } = begun
  if (!isPositive(command.cents)) return invalid('cents', `cents must be whole and above 0, not ${show(command.cents)}`)
  const most = available(book, account, command.holdKey)
  if (command.cents > most && command.mode !== 'upTo') {
    return invalid('cents', `cents must be at most ${most}, the credit available, not ${command.cents}`)
  }
  const consumed = cents(Math.min(command.cents, most))
  const hold = command.holdKey === undefined ? null : { release: command.holdKey }
  if (consumed === 0) {
    const steps: readonly Step[] = [{ kind: 'note', text: 'there is no credit to use' }]
    return accept(newOutcome(state, command.orgId, account, { hold, steps }))
  }
  const takes = planDrain(account, consumed)
  const { sourceId, dedupeKey, subscriptionId } = command
  const row = newRow(command.orgId, account, command, {
    type: 'consume',
    sourceId,
    cents: negate(consumed),
    dedupeKey,
    // The provider used the credit itself, or learned of it from the metering report.
    fulfillmentRef: local(command.id),
  })
  const events: LedgerEvent[] = [{ type: 'credit_consumed', subscriptionId, dedupeKey, consumedCents: consumed }]
  if (consumed === account.balance) {
    events.push({ type: 'credit_exhausted', subscriptionId, previousCents: cents(account.balance) })
  }
  return accept(
    newOutcome(state, command.orgId, account, {
      rows: [row],
      updates: drainUpdates(takes),
      hold,
      events,
      steps: drainSteps(takes),
    }),
  )
}
