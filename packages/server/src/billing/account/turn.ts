/**
 * Serialises the changes of one account in this process. Each change needs the account's row, and a change that waits
 * for it in the database holds a connection. Without turns, a burst of deliveries for one account could occupy all
 * connections.
 */
import type { Runtime } from '../../runtime/operation/context.js'
import { perRuntime } from '../../runtime/per-runtime.js'

/** By account: the end of the last change. */
const turnsOf = perRuntime(() => new Map<string, Promise<unknown>>())

/**
 * Runs after every change of the account that was requested before, whether or not that change succeeded. A change must
 * not call this again.
 */
export async function inTurn<T>(runtime: Runtime, rootOrgId: string, change: () => Promise<T>): Promise<T> {
  const turns = turnsOf(runtime)
  // guard: changes-of-an-account-take-turns
  const mine = (turns.get(rootOrgId) ?? Promise.resolve()).then(change)
  const ended = mine.then(
    () => undefined,
    () => undefined,
  )
  turns.set(rootOrgId, ended)
  try {
    return await mine
  } finally {
    if (turns.get(rootOrgId) === ended) turns.delete(rootOrgId)
  }
}
