/** What a call is run with, and what comes of it. */
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import type { BillingWriting } from '../account/writing.js'
import type { ProviderSubscription } from '../provider/port.js'

/** How a request and a job both read and write: each `write` is a transaction of its own. */
export interface Settling {
  readonly runtime: Runtime
  read<T>(run: (db: Db) => Promise<T>): Promise<T>
  write<T>(run: (writing: BillingWriting) => Promise<T>): Promise<T>
}

export type CallOutcome = 'done' | 'refused' | 'open' | 'held'

/** What the provider said; a subscription for all kinds but credit. */
export type Said =
  | {
      readonly kind: 'subscription'
      readonly seen: ProviderSubscription
      /** What had been applied when it was asked for; something newer makes it old. */
      readonly afterMs: number
    }
  | { readonly kind: 'credit'; readonly ref: string }
