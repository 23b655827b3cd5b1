/**
 * Refuses a write that is asked for inside a write: it would wait for itself, and everything behind it too.
 *
 * A write on SQLite runs to its end in one turn of the event loop, because statements do not wait. So whatever asks for
 * a write in the turn in which another one runs was called by that one. This costs a flag; the async context that would
 * carry the same knowledge costs a hook call for every promise of the process. A write that does wait for something
 * outside the database is beyond the guard after its first turn; it is reported by name as a slow write.
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
      // One for all writes of the turn: nothing but writes runs in the turn of a group.
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
