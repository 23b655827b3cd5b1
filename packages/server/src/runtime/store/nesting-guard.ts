/**
 * Refuses a write that is started inside another write, because it would wait for itself and block every later write.
 *
 * On SQLite a write runs to its end in one turn of the event loop, because its statements do not wait. So code that
 * starts a write in the turn in which another one runs was called by that one. This check costs one flag; async context
 * would cost a hook call for every promise of the process. The guard cannot detect a write that waits for something
 * outside the database after its first turn; such a write is reported by name as a slow write.
 */
import type { Maybe } from '../maybe.js'

export interface NestingGuard {
  /** @throws Error inside a write. */
  check(): void
  /** True inside a write. */
  isWriting(): boolean
  /** Runs a write. Writes run one after another. */
  run<T>(write: () => Maybe<T>): Promise<T>
}

export function nestingGuard(): NestingGuard {
  let isWriting = false
  let isEndArranged = false
  /** Runs when the promises of this turn are settled. */
  const endOfTurn = () => {
    isWriting = false
    isEndArranged = false
  }
  return {
    check() {
      if (isWriting) throw new Error('a write inside a write would wait for itself')
    },
    isWriting: () => isWriting,
    async run(write) {
      isWriting = true
      // One callback for all writes of the turn, because only writes run in the turn of a group.
      if (!isEndArranged) {
        isEndArranged = true
        process.nextTick(endOfTurn)
      }
      try {
        return await write()
      } finally {
        isWriting = false
      }
    },
  }
}
