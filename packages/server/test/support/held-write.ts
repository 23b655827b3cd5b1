/** A transaction between two moments of a test, for what happens while another one is open. */
import type { Store, Tx } from '../../src/runtime/store/db.js'

/** Runs a transaction up to its commit. @returns what commits it. */
export async function heldWrite(store: Store, run: (tx: Tx) => Promise<unknown>): Promise<() => Promise<void>> {
  let end: () => void = () => undefined
  let held: Promise<void> | undefined
  await new Promise<void>((opened) => {
    held = store.system.write(async (tx) => {
      await run(tx)
      // SQLite refuses a write that begins in the turn of another one.
      setImmediate(opened)
      await new Promise<void>((commit) => {
        end = commit
      })
    })
  })
  return async () => {
    end()
    await held
  }
}
