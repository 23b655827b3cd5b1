/**
 * The rows of the credit ledger, and the results of operations.
 *
 * INVARIANT: of a row, only `remainingCents`, `reversedCents`, `state` and (once) `fulfillmentRef` ever change. The
 * first three are a cache: replaying the other columns reproduces them.
 */
import type { Step } from '../explain/step.js'
import type { Cents, SignedCents } from '../money/cents.js'
import type { Instant } from '../period/instant.js'

export const entryTypes = ['grant', 'consume', 'clawback', 'forfeit', 'adjust'] as const
export type EntryType = (typeof entryTypes)[number]

/** `pending`: the provider does not know the row yet. `reversed`: what was unspent of it was taken back. */
export type EntryState = 'pending' | 'posted' | 'reversed'

/** Where the credit was realised: the provider's reference, or `local` when no provider is notified. */
export interface FulfillmentRef {
  readonly kind: string
  readonly ref: string
}

export interface LedgerFacts {
  readonly id: string
  readonly orgId: string
  readonly subscriptionId: string
  /** 1, 2, 3 and so on within the subscription. */
  readonly seq: number
  readonly type: EntryType
  readonly sourceId: string
  /** Above 0 for a grant, either sign for an adjustment, otherwise 0 or below. */
  readonly cents: SignedCents
  readonly dedupeKey: string
  readonly grantedAt: Instant
  readonly actorId: string | null
  readonly details: Readonly<Record<string, unknown>> | null
}

export interface LedgerRow extends LedgerFacts {
  /** What is left of a grant or of a positive adjustment; 0 for every other row. */
  readonly remainingCents: Cents
  /** What a reversal took back. */
  readonly reversedCents: Cents
  readonly state: EntryState
  /** Null until the provider accepted the row; written once. */
  readonly fulfillmentRef: FulfillmentRef | null
}

/** Credit that is set aside for an hour of metering whose report is not settled. No other drain may use it. */
export interface Hold {
  readonly key: string
  readonly subscriptionId: string
  readonly cents: Cents
}

/** New values of the columns of a stored row that may change. */
export interface CachedColumns {
  readonly id: string
  readonly dedupeKey: string
  readonly remainingCents: Cents
  readonly reversedCents: Cents
  readonly state: EntryState
  readonly fulfillmentRef: FulfillmentRef | null
}

export type LedgerEvent =
  | {
      readonly type: 'credit_applied'
      readonly subscriptionId: string
      readonly sourceId: string
      readonly dedupeKey: string
      readonly cents: Cents
    }
  | {
      readonly type: 'credit_consumed'
      readonly subscriptionId: string
      readonly dedupeKey: string
      readonly consumedCents: Cents
    }
  | { readonly type: 'credit_exhausted'; readonly subscriptionId: string; readonly previousCents: Cents }
  | {
      readonly type: 'promotion_clawback'
      readonly subscriptionId: string
      readonly promotionId: string
      readonly grantedCents: Cents
      readonly recoveredCents: Cents
    }

/** What an operation would do. Nothing changes until `apply`. */
export interface LedgerOutcome {
  readonly orgId: string
  readonly subscriptionId: string
  /** The version of the state that the outcome was computed from. Applying it to another version is a conflict. */
  readonly version: number
  readonly rows: readonly LedgerRow[]
  readonly updates: readonly CachedColumns[]
  readonly hold: { readonly set: Hold } | { readonly release: string } | null
  readonly events: readonly LedgerEvent[]
  /** The balance of the subscription afterwards. */
  readonly balanceCents: Cents
  readonly steps: readonly Step[]
}

/** The fields of every command that writes a row. */
export interface RowCommand {
  /** The id of the new row. */
  readonly id: string
  readonly subscriptionId: string
  readonly at: Instant
  readonly actorId?: string | null
  readonly details?: Readonly<Record<string, unknown>>
}
