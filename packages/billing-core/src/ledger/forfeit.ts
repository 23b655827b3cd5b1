/** Ends a subscription's credit: one row brings the available credit to 0. The balance at the provider is not changed. */
import type { Step } from '../explain/step.js'
import { negate } from '../money/arithmetic.js'
import { cents } from '../money/cents.js'
import { accept, invalid, type Result } from '../refusal/refusal.js'
import { accountOf, type LedgerState, toBook } from './book.js'
import { ledgerKey } from './keys.js'
import { available, checkRow, drainSteps, drainUpdates, local, newOutcome, newRow, planDrain } from './outcome.js'
import type { LedgerOutcome, RowCommand } from './types.js'

export interface ForfeitCommand extends RowCommand {
  readonly orgId: string
}

/** Forfeits what is available. When there is nothing to forfeit, the outcome has no rows. */
export function forfeit(state: LedgerState, command: ForfeitCommand): Result<LedgerOutcome> {
  const malformed = checkRow(command)
  if (malformed !== null) return malformed
  const book = toBook(state)
  if (book.orgId !== null && book.orgId !== command.orgId) {
    return invalid('orgId', `orgId must be ${book.orgId}, whose ledger this is`)
  }
  const account = accountOf(book, command.subscriptionId)
  const amount = cents(available(book, account))
  if (amount === 0) {
    const steps: readonly Step[] = [{ kind: 'note', text: 'there is no credit to forfeit' }]
    return accept(newOutcome(state, command.orgId, account, { steps }))
  }
  const takes = planDrain(account, amount)
  const row = newRow(command.orgId, account, command, {
    type: 'forfeit',
    sourceId: 'provider',
    cents: negate(amount),
    dedupeKey: ledgerKey.forfeit(command.subscriptionId, account.lastSeq + 1),
    fulfillmentRef: local(command.id),
  })
  return accept(
    newOutcome(state, command.orgId, account, {
      rows: [row],
      updates: drainUpdates(takes),
      steps: drainSteps(takes),
    }),
  )
}
