/**
 * Queries of hot paths, built once for each connection and then only given values. Building a query with drizzle costs
 * more than running it: a point read of SQLite built for each call is about a third as fast.
 *
 *     const roleById = prepared((db, value) => {
 *       const { roles } = identityTables(db)
 *       return db.select().from(roles).where(and(eq(roles.orgId, value('orgId')), eq(roles.id, value('id'))))
 *     })
 *     const [role] = await roleById(context.db, { orgId: tenantId(context), id })
 */
import { getTableColumns, type Placeholder, sql, type Table } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Maybe } from '../maybe.js'
import type { Db } from './db.js'
import { statementName } from './named-statements.js'
import { runnerOf } from './prepared-sqlite.js'

/** What drizzle's builders of both databases have in common. PostgreSQL's take a name, under which the session keeps the statement. */
interface Preparable<R> {
  toSQL(): { sql: string }
  prepare(name?: string): { execute(values?: Record<string, unknown>): PromiseLike<R> | R | { sync(): R } }
}

type RowsOf<Q> = Q extends { prepare(name?: string): { execute(values?: Record<string, unknown>): infer R } }
  ? Awaited<R>
  : never

/**
 * @param build makes the query; `value('name')` stands for the value of that name.
 * @returns runs it on the connection of `db` with the values; SQLite answers at once.
 */
export function prepared<Names extends string, Q extends Preparable<unknown>>(
  build: (db: Db, value: (name: Names) => Placeholder) => Q,
): (db: Db, values: Readonly<Record<Names, unknown>>) => Maybe<RowsOf<Q>> {
  const bySession = new WeakMap<object, (values: Readonly<Record<Names, unknown>>) => unknown>()
  return (db, values) => {
    let run = bySession.get(db.preparedFor)
    if (run === undefined) {
      const built = build(db, (name) => sql.placeholder(name))
      const query = db.database === 'pg' ? built.prepare(statementName(built.toSQL().sql)) : built.prepare()
      const own = db.database === 'sqlite' ? runnerOf(query) : null
      run = own ?? (async (given) => query.execute(given))
      bySession.set(db.preparedFor, run)
    }
    return run(values) as Maybe<RowsOf<Q>>
  }
}

/** Runs a query that is built for this call. On SQLite its rows are read as those of `prepared`: drizzle takes longer for a row than the database. */
export async function rowsAtOnce<Q extends Preparable<unknown>>(db: Db, query: Q): Promise<RowsOf<Q>> {
  const built = query.prepare()
  const own = db.database === 'sqlite' ? runnerOf(built) : null
  return (own === null ? await built.execute() : own({})) as RowsOf<Q>
}

/** A placeholder for every column of the table, named as its field: the values of an insert of whole rows. */
export function placeholders<T extends Table>(
  table: T,
  value: (name: keyof T['$inferSelect'] & string) => Placeholder,
): Record<keyof T['$inferSelect'] & string, Placeholder> {
  return Object.fromEntries(
    Object.keys(getTableColumns(table)).map((field) => [field, value(field as keyof T['$inferSelect'] & string)]),
  ) as Record<keyof T['$inferSelect'] & string, Placeholder>
}

type Insert = (db: Db, values: Readonly<Record<string, unknown>>) => Maybe<unknown>
const inserts = new WeakMap<Table, Insert>()

const newInserts = new WeakMap<Table, Insert>()

/** Inserts a row of the table, all its fields given. @returns false where a row with one of its keys is there: nothing was written. */
export async function insertNew<T extends SQLiteTable>(db: Db, table: T, row: T['$inferSelect']): Promise<boolean> {
  let insert = newInserts.get(table)
  if (insert === undefined) {
    insert = prepared((own, value: (name: string) => Placeholder) => {
      const unlessThere = own
        .insert(table)
        .values(placeholders(table, value) as never)
        .onConflictDoNothing()
      // SQLite tells how many rows changed; for `RETURNING` it would open a table beside at each execution.
      return own.database === 'sqlite' ? unlessThere : unlessThere.returning({ one: sql`1` })
    })
    newInserts.set(table, insert)
  }
  const outcome = (await insert(db, row)) as { readonly changes: number } | readonly unknown[]
  return ('changes' in outcome ? outcome.changes : outcome.length) > 0
}

/** Inserts rows of the table, all their fields given: SQLite runs one prepared statement for each, PostgreSQL is asked once. */
export async function insertRows<T extends SQLiteTable>(
  db: Db,
  table: T,
  rows: readonly T['$inferSelect'][],
): Promise<void> {
  if (rows.length === 0) return
  if (db.database === 'pg') {
    await db.insert(table).values([...rows])
    return
  }
  let insert = inserts.get(table)
  if (insert === undefined) {
    insert = prepared((own, value: (name: string) => Placeholder) =>
      own.insert(table).values(placeholders(table, value) as never),
    )
    inserts.set(table, insert)
  }
  for (const row of rows) {
    // Without a wait: SQLite has done it.
    const done = insert(db, row)
    if (done instanceof Promise) await done
  }
}
