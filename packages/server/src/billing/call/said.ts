/** What a call needs to run, and its result. */
import type { Runtime } from '../../runtime/operation/context.js'
import type { Db } from '../../runtime/store/db.js'
import type { BillingWriting } from '../account/writing.js'
import type { ProviderSubscription } from '../provider/port.js'

/** How requests and jobs read and write. Each `write` is a transaction of its own. */
export interface Settling {
  readonly runtime: Runtime
  read<T>(run: (db: Db) => Promise<T>): Promise<T>
  write<T>(run: (writing: BillingWriting) => Promise<T>): Promise<T>
}

export type CallOutcome = 'done' | 'refused' | 'open' | 'held'

/** The provider's answer: a subscription for every kind of call except credit. */
export type Said =
  | {
      readonly kind: 'subscription'
      readonly seen: ProviderSubscription
      /** The newest state that was applied when the provider was asked. A newer one makes this answer stale. */
      readonly afterMs: number
    }
  | { readonly kind: 'credit'; readonly ref: string }
