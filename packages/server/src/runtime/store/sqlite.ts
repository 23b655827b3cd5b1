/**
 * The store on one SQLite file: one writer connection behind group commit, readers beside it. WAL with
 * `synchronous=FULL`: an acknowledged write survives a power cut.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import Database from 'better-sqlite3'
import type { SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import type { Db, Store, StoreScope, Tx } from './db.js'
import { type CommitCounts, groupCommit } from './group-commit.js'

export interface SqliteStore extends Store {
  readonly database: 'sqlite'
  readonly commits: Readonly<CommitCounts>
  /** The writer connection, for migrations, backup and the maintenance procedures. */
  readonly writer: Database.Database
}

function openConnection(file: string, readonly: boolean): Database.Database {
  const connection = new Database(file, { readonly })
  connection.pragma('busy_timeout = 5000')
  connection.pragma('foreign_keys = ON')
  if (!readonly) {
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
  }
  return connection
}

function dbOver(connection: Database.Database): Db {
  const builders = drizzle(connection)
  return Object.assign(builders as unknown as Omit<Db, 'database' | 'rows'>, {
    database: 'sqlite' as const,
    rows: <T extends Record<string, unknown>>(query: SQL) => Promise.resolve(builders.all<T>(query)),
  })
}

export function openSqlite(file: string): SqliteStore {
  const writer = openConnection(file, false)
  const reader = openConnection(file, true)
  const writing = new AsyncLocalStorage<true>()
  const commits = groupCommit(writer)
  const readDb = dbOver(reader)
  const writeDb = dbOver(writer)

  const scope: StoreScope = {
    read: (run) => run(readDb),
    async snapshot(run) {
      // A connection of its own: statements of other reads must not fall into this one's transaction.
      const connection = openConnection(file, true)
      try {
        connection.exec('BEGIN')
        return await run(dbOver(connection))
      } finally {
        connection.close()
      }
    },
    async write<T>(run: (tx: Tx) => Promise<T>): Promise<T> {
      if (writing.getStore()) throw new Error('a write inside a write would wait for itself')
      const after: (() => void)[] = []
      // A view of its own on the shared connection, because `afterCommit` belongs to one operation.
      const tx: Tx = Object.assign(Object.create(writeDb) as Db, {
        afterCommit: (callback: () => void) => void after.push(callback),
      })
      const value = await commits.submit(() => writing.run(true, () => run(tx)))
      for (const callback of after) callback()
      return value
    },
  }

  return {
    database: 'sqlite',
    commits: commits.counts,
    writer,
    system: scope,
    tenant: () => scope,
    async ping() {
      reader.prepare('SELECT 1').get()
    },
    async close() {
      await commits.close()
      reader.close()
      writer.close()
    },
  }
}
