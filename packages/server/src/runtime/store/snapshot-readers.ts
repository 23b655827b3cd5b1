/**
 * Connections for reads that must see one state of the file. Each read has its own connection, because statements of
 * other reads must not run in its transaction. Connections are reused, and only a few are open at once, because an open
 * snapshot prevents a checkpoint of the log.
 */
import type { Maybe } from '../maybe.js'
import type { Db } from './db.js'
import type { SqliteConnection } from './sqlite-connection.js'

const CONNECTIONS_MAX = 8

export interface SnapshotReaders {
  use<T>(run: (db: Db) => Maybe<T>): Promise<T>
  /** Waits for open snapshots. */
  close(): Promise<void>
}

export function snapshotReaders(open: () => SqliteConnection): SnapshotReaders {
  const idle: SqliteConnection[] = []
  const waiting: ((connection: SqliteConnection | null) => void)[] = []
  const active = new Set<Promise<unknown>>()
  let count = 0

  async function take(): Promise<SqliteConnection> {
    const kept = idle.pop()
    if (kept !== undefined) return kept
    if (count >= CONNECTIONS_MAX) {
      const handed = await new Promise<SqliteConnection | null>((resolve) => void waiting.push(resolve))
      if (handed !== null) return handed
    } else count += 1
    try {
      return open()
    } catch (error) {
      leave()
      throw error
    }
  }

  /** Gives the place of a closed connection to the next read in the queue. */
  function leave(): void {
    const next = waiting.shift()
    if (next === undefined) count -= 1
    else setImmediate(next, null)
  }

  function give(connection: SqliteConnection): void {
    const next = waiting.shift()
    if (next === undefined) idle.push(connection)
    // In a turn of its own. Snapshots that run directly after one another would delay every socket and timer until the
    // last one ends.
    else setImmediate(next, connection)
  }

  async function useOne<T>(run: (db: Db) => Maybe<T>): Promise<T> {
    const connection = await take()
    try {
      connection.driver.exec('BEGIN')
      return await run(connection.db)
    } finally {
      try {
        if (connection.driver.inTransaction) connection.driver.exec('ROLLBACK')
        give(connection)
      } catch {
        connection.driver.close()
        leave()
      }
    }
  }

  return {
    use(run) {
      const used = useOne(run)
      active.add(used)
      const done = () => void active.delete(used)
      used.then(done, done)
      return used
    },
    async close() {
      await Promise.allSettled(active)
      for (const connection of idle.splice(0)) connection.driver.close()
    },
  }
}
