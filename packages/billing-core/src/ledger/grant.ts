/** Adds credit. The key makes a grant unique for ever: a second grant with the same key is refused as a duplicate. */
import { type Cents, MAX_CENTS } from '../money/cents.js'
import { accept, invalid, type Result, show } from '../refusal/refusal.js'
import type { LedgerState } from './book.js'
import { begin, checkRow, isPositive, isRefused, local, newOutcome, newRow } from './outcome.js'
import type { FulfillmentRef, LedgerOutcome, RowCommand } from './types.js'

export interface GrantCommand extends RowCommand {
  readonly orgId: string
  /** `disc_…`, `combo:<id>` or `promo:<id>`. */
  readonly sourceId: string
  readonly cents: Cents
  readonly dedupeKey: string
  /** `push`: pending until the provider accepted it (`confirmPush`). When absent, the credit is realised locally. */
  readonly fulfillment?: 'push' | FulfillmentRef
}

export function grant(state: LedgerState, command: GrantCommand): Result<LedgerOutcome> {
  const malformed = checkRow(command)
  if (malformed !== null) return malformed
  const begun = begin(state, command.orgId, command.subscriptionId, command.dedupeKey)
  if (isRefused(begun)) return begun
  const { account } = begun
  if (!isPositive(command.cents)) return invalid('cents', `cents must be whole and above 0, not ${show(command.cents)}`)
  if (command.cents > MAX_CENTS - account.balance) {
    return invalid('cents', 'cents must not bring the balance above 2^53 - 1')
  }
  const fulfillmentRef = command.fulfillment === 'push' ? null : (command.fulfillment ?? local(command.id))
  const { sourceId, cents, dedupeKey, subscriptionId } = command
  const row = newRow(command.orgId, account, command, { type: 'grant', sourceId, cents, dedupeKey, fulfillmentRef })
  const outcome = newOutcome(state, command.orgId, account, {
    rows: [row],
    events: [{ type: 'credit_applied', subscriptionId, sourceId, dedupeKey, cents }],
  })
  return accept({
    ...outcome,
    steps: [{ kind: 'granted', key: dedupeKey, cents, balance: outcome.balanceCents }],
  })
}
