/**
 * The interface for queries: drizzle's builders, the same on both databases, and raw SQL for what a builder cannot
 * express. A `Db` is valid only inside the read or write that provided it.
 */

import type { SQL } from 'drizzle-orm'
import type { BaseSQLiteDatabase } from 'drizzle-orm/sqlite-core'
import type { Maybe } from '../maybe.js'

type Builders = Pick<
  BaseSQLiteDatabase<'async', unknown>,
  'select' | 'selectDistinct' | 'insert' | 'update' | 'delete' | '$count'
>

export interface Db extends Builders {
  readonly database: 'sqlite' | 'pg'
  /** The owner of prepared statements: the same object for the same connection. */
  readonly preparedFor: object
  /** Rows of a raw query, with the column names as they are in the database. */
  rows<T extends Record<string, unknown>>(query: SQL): Promise<T[]>
}

/** A `Db` inside a write. */
export interface Tx extends Db {
  /** Runs after the commit, and not when the write is rolled back. It must not throw. */
  afterCommit(run: () => void): void
  /**
   * Runs a statement whose answer nothing in the write waits for. On PostgreSQL it is sent last, together with COMMIT; on
   * SQLite it runs at once. When it fails, the write fails.
   */
  withCommit(statement: () => Maybe<unknown>): Maybe<void>
}

/** Whose rows a read or write may touch. */
export interface TenantKey {
  readonly orgId: string
  /** Organizations whose shared rows may be read: the parent, the system organization. */
  readonly readableOrgIds: readonly string[]
}

/** Reads and writes in one scope: that of a tenant, or that of the system. */
export interface StoreScope {
  /** Each statement sees committed data, and may see a newer state than the statement before. */
  read<T>(run: (db: Db) => Maybe<T>): Promise<T>
  /** All statements see one state of the database. */
  snapshot<T>(run: (db: Db) => Maybe<T>): Promise<T>
  /**
   * Runs one transaction, and resolves after its commit is durable.
   *
   * `run` may be started again from the beginning, when the database reports a serialisation conflict or the connection
   * is lost before the commit. So it must do nothing outside the transaction. Once queued it runs to its end, even when
   * the caller has disconnected.
   *
   * @param operation A name for the log of slow writes.
   * @throws Refusal `SERVICE_UNAVAILABLE` when the database cannot commit.
   */
  write<T>(run: (tx: Tx) => Maybe<T>, operation?: string): Promise<T>
}

export interface Store {
  readonly database: 'sqlite' | 'pg'
  /** The rows of one organization. On PostgreSQL the database itself enforces this. */
  tenant(key: TenantKey): StoreScope
  /**
   * All rows. Only sign-in, workers before the organization is known, and operations of system administrators use it. A
   * test lists the files that may.
   */
  readonly system: StoreScope
  /** Fails when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
