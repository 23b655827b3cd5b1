/** Records that the provider accepted a pending row. The provider's reference is written once. */
import type { Step } from '../explain/step.js'
import { accept, invalid, type Result, refuse } from '../refusal/refusal.js'
import { accountOf, entryOf, type LedgerState, toBook } from './book.js'
import { columnsOf, newOutcome } from './outcome.js'
import type { FulfillmentRef, LedgerOutcome } from './types.js'

export interface ConfirmPushCommand {
  readonly dedupeKey: string
  readonly fulfillmentRef: FulfillmentRef
}

export function confirmPush(state: LedgerState, command: ConfirmPushCommand): Result<LedgerOutcome> {
  const book = toBook(state)
  const entry = entryOf(book, command.dedupeKey)
  if (entry === undefined) {
    return refuse('NOT_FOUND', `the ledger has no row ${command.dedupeKey}`, { field: 'dedupeKey' })
  }
  const { kind, ref } = command.fulfillmentRef
  if (kind === '' || ref === '') return invalid('fulfillmentRef', 'fulfillmentRef must have a kind and a ref')
  if (entry.fulfillmentRef !== null) {
    return refuse('CONFLICT', `${command.dedupeKey} was taken by the provider already`, { field: 'dedupeKey' })
  }
  const account = accountOf(book, entry.facts.subscriptionId)
  const updates = [columnsOf(entry, { fulfillmentRef: command.fulfillmentRef })]
  const steps: readonly Step[] = [
    { kind: 'note', text: `${command.dedupeKey}: taken by the provider as ${kind} ${ref}` },
  ]
  return accept(newOutcome(state, entry.facts.orgId, account, { updates, steps }))
}
