/** A row of the ledger in memory. */
import type { FulfillmentRef, LedgerFacts } from './types.js'

/**
 * A row as the ledger keeps it in memory: the facts, and the derived columns as plain fields. `facts` may be a whole
 * row. The derived columns in it are outdated and must not be read; the type hides them.
 */
export interface Entry {
  readonly facts: LedgerFacts
  remaining: number
  reversed: number
  isReversed: boolean
  fulfillmentRef: FulfillmentRef | null
}
