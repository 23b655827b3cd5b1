/**
 * The rows of the credit ledger and what operations answer with.
 * INVARIANT: of a row, only `remainingCents`, `reversedCents`, `state` and (once) `fulfillmentRef` ever change; the
 * first three are a cache that replaying the other columns reproduces.
 */
import type { Step } from '../explain/step.js'
import type { Cents, SignedCents } from '../money/cents.js'
import type { Instant } from '../period/instant.js'

export const entryTypes = ['grant', 'consume', 'clawback', 'forfeit', 'adjust'] as const
export type EntryType = (typeof entryTypes)[number]

/** pending: the provider has yet to learn of it; reversed: pulled back, wholly or as far as it was unspent. */
export type EntryState = 'pending' | 'posted' | 'reversed'

/** Where the credit was realised: the provider's reference, or `local` where no provider is told. */
export interface FulfillmentRef {
  readonly kind: string
  readonly ref: string
}

export interface LedgerFacts {
  readonly id: string
  readonly orgId: string
  readonly subscriptionId: string
  /** 1, 2, 3, … within the subscription. */
  readonly seq: number
  readonly type: EntryType
  readonly sourceId: string
  /** Above 0 for a grant, either for an adjustment, otherwise not above 0. */
  readonly cents: SignedCents
  readonly dedupeKey: string
  readonly grantedAt: Instant
  readonly actorId: string | null
  readonly details: Readonly<Record<string, unknown>> | null
}

export interface LedgerRow extends LedgerFacts {
  /** What is left of a grant or positive adjustment; 0 for every other row. */
  readonly remainingCents: Cents
  /** What a reversal took back. */
  readonly reversedCents: Cents
  readonly state: EntryState
  /** Null until the provider has taken it; written once. */
  readonly fulfillmentRef: FulfillmentRef | null
}

/** Credit set aside for an hour of metering whose report is under way: no other drain may use it. */
export interface Hold {
  readonly key: string
  readonly subscriptionId: string
  readonly cents: Cents
}

/** New values of the changeable columns of a stored row. */
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

/** What an operation would do. Nothing has happened until `apply`. */
export interface LedgerOutcome {
  readonly orgId: string
  readonly subscriptionId: string
  /** The version of the state that it was computed from; applying it to another is a conflict. */
  readonly version: number
  readonly rows: readonly LedgerRow[]
  readonly updates: readonly CachedColumns[]
  readonly hold: { readonly set: Hold } | { readonly release: string } | null
  readonly events: readonly LedgerEvent[]
  /** The subscription's balance afterwards. */
  readonly balanceCents: Cents
  readonly steps: readonly Step[]
}

/** What every command that writes a row says about it. */
export interface RowCommand {
  /** Id of the new row. */
  readonly id: string
  readonly subscriptionId: string
  readonly at: Instant
  readonly actorId?: string | null
  readonly details?: Readonly<Record<string, unknown>>
}
