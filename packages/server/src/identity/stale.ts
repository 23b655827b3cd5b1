/**
 * Invalidates cached authentication records of something that changed, after the commit, here and in other processes.
 */
import type { Runtime } from '../runtime/operation/context.js'
import type { Tx } from '../runtime/store/db.js'
import type { Stale } from './directory.js'
import { identityOf } from './services.js'

export interface Writing {
  readonly tx: Tx
  readonly runtime: Runtime
}

export function dropStale({ tx, runtime }: Writing, ...stale: readonly Stale[]): void {
  tx.afterCommit(() => {
    for (const each of stale) identityOf({ runtime }).directory.drop(each)
  })
}
