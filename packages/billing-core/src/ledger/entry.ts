/** A row of the ledger in memory. */
import type { FulfillmentRef, LedgerFacts } from './types.js'

/**
 * A row as the book keeps it: the facts, and the derived columns as plain fields. `facts` may be a whole row; its own
 * derived columns are those of the moment it was written, and nobody reads them (the type hides them).
 */
export interface Entry {
  readonly facts: LedgerFacts
  remaining: number
  reversed: number
  isReversed: boolean
  fulfillmentRef: FulfillmentRef | null
}
