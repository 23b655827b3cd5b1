/**
 * Reads that are asked for in one turn of the event loop run together at its end, in one transaction of SQLite: one lock of
 * the log instead of one each, and each step of many requests after another instead of each request from end to end, which
 * more than halves what a request costs under load (ADR 44).
 *
 * INVARIANT: the transaction begins after every read of it was asked for, and has ended before anybody is answered. A read
 * sees all that was committed before it was asked for; its later statements, which run behind a promise, see newer states.
 */
import type { Maybe } from '../maybe.js'
import { readError } from './database-error.js'
import type { Db } from './db.js'
import type { SqliteConnection } from './sqlite-connection.js'

/** After this long the rest waits for the next turn, so that sockets and timers have theirs. */
const GROUP_MS_MAX = 5

type Read = <T>(run: (db: Db) => Maybe<T>) => Promise<T>

/**
 * @param isWriting true while a write runs, which must not be kept waiting for the end of a turn.
 * @param now in milliseconds, for how long a group runs.
 */
export function readsOfTurn(
  { driver, db }: SqliteConnection,
  isWriting: () => boolean,
  now = () => performance.now(),
): Read {
  let waiting: (() => void)[] = []
  const begin = driver.prepare('BEGIN')
  const commit = driver.prepare('COMMIT')

  function startAll(): void {
    const group = waiting
    waiting = []
    if (group.length > 1) together(begin)
    const untilMs = now() + GROUP_MS_MAX
    let started = 0
    do group[started++]?.()
    while (started < group.length && now() < untilMs)
    if (driver.inTransaction) together(commit)
    if (started === group.length) return
    if (waiting.length === 0) setImmediate(startAll)
    waiting = [...group.slice(started), ...waiting]
  }

  /** A database that cannot be read says so to each read itself. */
  function together(statement: { run(): unknown }): void {
    try {
      statement.run()
    } catch {
      if (driver.inTransaction) driver.exec('ROLLBACK')
    }
  }

  return <T>(run: (db: Db) => Maybe<T>) =>
    new Promise<T>((resolve, reject) => {
      const refuse = (error: unknown) => reject(readError(error))
      /** Never throws. */
      const start = () => {
        try {
          const value = run(db)
          if (value instanceof Promise) value.then(resolve, refuse)
          else resolve(value)
        } catch (error) {
          refuse(error)
        }
      }
      if (isWriting()) return start()
      if (waiting.length === 0) setImmediate(startAll)
      waiting.push(start)
    })
}
