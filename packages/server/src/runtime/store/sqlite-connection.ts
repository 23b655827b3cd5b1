/**
 * One SQLite connection as drizzle sees it. It adds two things to the driver: a statement is compiled once for each
 * text and cached; and on the writer no statement runs outside the transaction that it belongs to.
 *
 * INVARIANT: after an error that ended the transaction (a full disk, an I/O error), the connection refuses statements
 * until the next transaction begins. So an operation that ignores the error cannot continue in autocommit.
 */
import type Database from 'better-sqlite3'
import type { SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { LRUCache } from 'lru-cache'
import { isStorageFailure } from './database-error.js'
import type { Db } from './db.js'
import { sqliteDriver } from './sqlite-driver.js'

/** More than all frequent texts of one server. `IN` lists of many lengths evict each other and not the frequent ones. */
const STATEMENTS_MAX = 1000

/** The size of the log, in pages of 4 KiB, at which a commit checkpoints it. */
export const LOG_PAGES_MAX = 4000

/**
 * The page cache in KiB. Indexes are read and written at random places; with SQLite's default of 2 MB the same pages
 * are read again and again. A reader discards its cache with each commit of the writer.
 */
const PAGES_KIB = 32_768

/** @param pagesKib The size of its page cache in KiB. */
export function openConnection(file: string, access: 'read' | 'write', pagesKib = PAGES_KIB): Database.Database {
  const connection = new (sqliteDriver().Database)(file, { readonly: access === 'read' })
  connection.pragma('busy_timeout = 5000')
  connection.pragma('foreign_keys = ON')
  connection.pragma('temp_store = MEMORY')
  connection.pragma(`cache_size = -${pagesKib}`)
  if (access === 'write') {
    connection.pragma('journal_mode = WAL')
    connection.pragma('synchronous = FULL')
    // The log shrinks to this size after a burst or a long read.
    connection.pragma('journal_size_limit = 67108864')
    // A page that many commits change is copied to the database once in 16 MiB of log, not once in 4.
    connection.pragma(`wal_autocheckpoint = ${LOG_PAGES_MAX}`)
  }
  return connection
}

/** Whether statements may run on the writer now. */
export interface WriterGate {
  open(): void
  close(): void
  /** The error that ended the transaction, if one did. */
  readonly lost: unknown
}

interface Gate extends WriterGate {
  check(): void
  failed(error: unknown): void
}

function writerGate(connection: Database.Database): Gate {
  let isOpen = false
  let lost: unknown = null
  return {
    open() {
      isOpen = true
      lost = null
    },
    close() {
      isOpen = false
    },
    get lost() {
      return lost
    },
    check() {
      if (lost !== null) throw new Error('the transaction has ended with an error', { cause: lost })
      if (!isOpen) throw new Error('a statement outside its write: await every query before the write returns')
    },
    failed(error) {
      if (lost === null && (isStorageFailure(error) || !connection.inTransaction)) lost = error
    },
  }
}

const ALWAYS: Gate = {
  open: () => undefined,
  close: () => undefined,
  lost: null,
  check: () => undefined,
  failed: () => undefined,
}

type Row = unknown

/** The part of the driver's statement that drizzle uses. It is compiled on first use. */
class Statement {
  readonly #connection: Database.Database
  readonly #gate: Gate
  readonly #text: string
  readonly #isRaw: boolean
  #compiled: Database.Statement<unknown[]> | undefined
  #rawTwin: Statement | undefined

  constructor(connection: Database.Database, gate: Gate, text: string, isRaw: boolean) {
    this.#connection = connection
    this.#gate = gate
    this.#text = text
    this.#isRaw = isRaw
  }

  run(...values: unknown[]): Database.RunResult {
    const statement = this.#open()
    try {
      return statement.run(...values)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  get(...values: unknown[]): Row {
    const statement = this.#open()
    try {
      return statement.get(...values)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  all(...values: unknown[]): Row[] {
    const statement = this.#open()
    try {
      return statement.all(...values)
    } catch (error) {
      throw this.#failed(error)
    }
  }

  /**
   * The same statement with rows as arrays. It is a second statement, because the driver stores the mode in the
   * statement.
   */
  raw(): Statement {
    this.#rawTwin ??= new Statement(this.#connection, this.#gate, this.#text, true)
    return this.#rawTwin
  }

  #open(): Database.Statement<unknown[]> {
    this.#gate.check()
    if (this.#compiled !== undefined) return this.#compiled
    try {
      this.#compiled = this.#compile()
      return this.#compiled
    } catch (error) {
      throw this.#failed(error)
    }
  }

  #failed(error: unknown): unknown {
    this.#gate.failed(error)
    return error
  }

  #compile(): Database.Statement<unknown[]> {
    const statement = this.#connection.prepare<unknown[]>(this.#text)
    return this.#isRaw ? statement.raw() : statement
  }
}

/**
 * SQLite compiles a statement again each time a value is bound to a bare `LIMIT ?`, because the value could change its
 * plan. That costs ten times as much as a point read. It does not do this for `LIMIT +?` (ADR 80).
 */
const keptWhenBound = (text: string): string => text.replaceAll(/\blimit \?/gi, 'limit +?')

export interface SqliteConnection {
  readonly driver: Database.Database
  readonly db: Db
  readonly gate: WriterGate
}

/** Wraps an open connection. Statements on a `write` connection run only while its gate is open. */
export function sqliteConnection(driver: Database.Database, access: 'read' | 'write'): SqliteConnection {
  const gate = access === 'write' ? writerGate(driver) : ALWAYS
  const statements = new LRUCache<string, Statement>({ max: STATEMENTS_MAX })
  const client = {
    prepare(text: string): Statement {
      let statement = statements.get(text)
      if (statement === undefined) {
        statement = new Statement(driver, gate, keptWhenBound(text), false)
        statements.set(text, statement)
      }
      return statement
    },
  }
  // drizzle calls only `prepare` of its client, as long as its own transactions are not used. `Db` does not offer them.
  const builders = drizzle(client as unknown as Database.Database)
  const db = Object.assign(builders as unknown as Omit<Db, 'database' | 'rows' | 'preparedFor'>, {
    database: 'sqlite' as const,
    preparedFor: client,
    rows: async <T extends Record<string, unknown>>(query: SQL) => builders.all<T>(query),
  })
  return { driver, db, gate }
}

/**
 * Returns a statement by its text on the connection of `db`, compiled once. It is for writes of many rows, where
 * drizzle's handling of values costs more than the database. Values are bound unchanged.
 */
export function sqliteStatement(db: Db, text: string): { run(...values: unknown[]): { readonly changes: number } } {
  return (db.preparedFor as { prepare(text: string): Statement }).prepare(text)
}
