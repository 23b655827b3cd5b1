/**
 * What a query sees: drizzle's builders, the same on both databases, and raw SQL where a builder cannot say it. A `Db`
 * is good only inside the read or write that handed it out.
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
  /** What prepared statements belong to: the same object for the same connection. */
  readonly preparedFor: object
  /** Rows of a raw query, with the column names as they are in the database. */
  rows<T extends Record<string, unknown>>(query: SQL): Promise<T[]>
}

/** A `Db` inside a write. */
export interface Tx extends Db {
  /** Runs after the commit, and not at all when the write is rolled back. Must not throw. */
  afterCommit(run: () => void): void
}

/** Whose rows a read or write may touch. */
export interface TenantKey {
  readonly orgId: string
  /** Organizations whose shared rows may be read: the parent, the system organization. */
  readonly readableOrgIds: readonly string[]
}

/** Reads and writes under one authority: one tenant's, or the system's. */
export interface StoreScope {
  /** Statements see committed data; each may see a newer state than the one before. */
  read<T>(run: (db: Db) => Maybe<T>): Promise<T>
  /** All statements see one state of the database. */
  snapshot<T>(run: (db: Db) => Maybe<T>): Promise<T>
  /**
   * One transaction; its answer leaves after the commit is durable. `run` may be started again from the beginning when the
   * database reports a serialisation conflict or the connection is lost before the commit, so it does nothing outside the
   * transaction. Once queued it runs to its end, also when the caller has gone away.
   * @param operation a name for the log of slow writes.
   * @throws Refusal `SERVICE_UNAVAILABLE` when the database cannot commit.
   */
  write<T>(run: (tx: Tx) => Maybe<T>, operation?: string): Promise<T>
}

export interface Store {
  readonly database: 'sqlite' | 'pg'
  /** Rows of one organization. On PostgreSQL the database itself enforces it. */
  tenant(key: TenantKey): StoreScope
  /**
   * Every row. Only sign-in, workers before the organization is known, and operations of system administrators use it; a
   * test holds the list of files that do.
   */
  readonly system: StoreScope
  /** Fails when the database does not answer. */
  ping(): Promise<void>
  close(): Promise<void>
}
