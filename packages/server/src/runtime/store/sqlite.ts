/**
 * The store on one SQLite file: one writer connection with group commit, and separate readers. WAL with
 * `synchronous=FULL`: an acknowledged write survives a power failure.
 */

import { closeSync, fsyncSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'
import type { Maybe } from '../maybe.js'
import { type Checkpointer, checkpointBeside } from './checkpointer.js'
import { readError } from './database-error.js'
import type { Db, Store, StoreScope, Tx } from './db.js'
import { type CommitCounts, groupCommit } from './group-commit.js'
import { nestingGuard } from './nesting-guard.js'
import type { OnSlowWrite } from './slow-write.js'
import { snapshotReaders } from './snapshot-readers.js'
import { LOG_PAGES_MAX, openConnection, sqliteConnection } from './sqlite-connection.js'
import { readsOfTurn } from './turn-reads.js'

export interface SqliteStore extends Store {
  readonly database: 'sqlite'
  readonly commits: Readonly<CommitCounts>
  /** The writer connection, for migrations, backup and the maintenance procedures. */
  readonly writer: Database.Database
}

export interface SqliteOptions {
  /** Called for a write that has been open for 50 ms. */
  readonly onSlowWrite?: OnSlowWrite
  /** Checkpoints the log on a separate thread, for processes that serve requests. */
  readonly checkpointsBeside?: boolean
}

/** The thread costs start-up time and memory, which a short-lived process can avoid. */
const CHECKPOINTS_AFTER_MS = 1000

/**
 * Starts the thread when the process has run for a while. While it runs, a commit checkpoints only at four times the
 * size of the log.
 */
function checkpointsOf(file: string, writer: Database.Database): Checkpointer {
  const own = () => void writer.pragma(`wal_autocheckpoint = ${LOG_PAGES_MAX}`)
  let running: Checkpointer | null = null
  const timer = setTimeout(() => {
    running = checkpointBeside(file, own)
    writer.pragma(`wal_autocheckpoint = ${4 * LOG_PAGES_MAX}`)
  }, CHECKPOINTS_AFTER_MS).unref()
  return {
    async close() {
      clearTimeout(timer)
      await running?.close()
    },
  }
}

/** Makes the names of new files durable: after a power failure, a file whose folder was not synced may be missing. */
function syncFolder(file: string): void {
  const folder = openSync(dirname(file), 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

/**
 * What a report over a large organization reads again and again, and not more, because there are up to eight of these
 * connections. With 2 MiB, delivery metrics of ten million runs read each page four times.
 */
const SNAPSHOT_PAGES_KIB = 16_384

export function openSqlite(file: string, options: SqliteOptions = {}): SqliteStore {
  const { onSlowWrite, checkpointsBeside = false } = options
  const writer = sqliteConnection(openConnection(file, 'write'), 'write')
  const reader = sqliteConnection(openConnection(file, 'read'), 'read')
  syncFolder(file)
  const snapshots = snapshotReaders(() => sqliteConnection(openConnection(file, 'read', SNAPSHOT_PAGES_KIB), 'read'))
  const nesting = nestingGuard()
  const commits = groupCommit(writer, { onSlowWrite })
  const checkpoints = checkpointsBeside ? checkpointsOf(file, writer.driver) : null

  const scope: StoreScope = {
    read: readsOfTurn(reader, nesting.isWriting),
    async snapshot(run) {
      try {
        return await snapshots.use(run)
      } catch (error) {
        throw readError(error)
      }
    },
    async write<T>(run: (tx: Tx) => Maybe<T>, operation = 'unnamed'): Promise<T> {
      nesting.check()
      const after: (() => void)[] = []
      // A view of its own on the shared connection, because `afterCommit` belongs to one operation.
      const tx: Tx = Object.assign(Object.create(writer.db) as Db, {
        afterCommit: (callback: () => void) => void after.push(callback),
        withCommit: async (statement: () => Maybe<unknown>) => void (await statement()),
      })
      const value = await commits.submit(operation, () => nesting.run(() => run(tx)))
      for (const callback of after) callback()
      return value
    },
  }

  return {
    database: 'sqlite',
    commits: commits.counts,
    writer: writer.driver,
    system: scope,
    tenant: () => scope,
    async ping() {
      reader.driver.prepare('SELECT 1').get()
    },
    async close() {
      await commits.close()
      await checkpoints?.close()
      await snapshots.close()
      reader.driver.close()
      writer.driver.close()
    },
  }
}
