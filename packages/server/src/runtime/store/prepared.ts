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
import { eq, getTableColumns, type Placeholder, type SQL, sql, type Table } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Maybe } from '../maybe.js'
import type { Db } from './db.js'
import { statementName } from './named-statements.js'
import { runnerOf } from './prepared-sqlite.js'

/**
 * What drizzle's builders of both databases have in common. Those of PostgreSQL take a name under which the session
 * stores the statement.
 */
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

/**
 * Runs a query that is built for this call. On SQLite its rows are read as those of `prepared`, because drizzle takes
 * longer for a row than the database.
 */
export async function rowsAtOnce<Q extends Preparable<unknown>>(db: Db, query: Q): Promise<RowsOf<Q>> {
  const built = query.prepare()
  const own = db.database === 'sqlite' ? runnerOf(built) : null
  return (own === null ? await built.execute() : own({})) as RowsOf<Q>
}

/** A placeholder for every column of the table, named like its field: the values for inserting whole rows. */
export function placeholders<T extends Table>(
  table: T,
  value: (name: keyof T['$inferSelect'] & string) => Placeholder,
): Record<keyof T['$inferSelect'] & string, Placeholder> {
  return Object.fromEntries(
    Object.keys(getTableColumns(table)).map((field) => [field, value(field as keyof T['$inferSelect'] & string)]),
  ) as Record<keyof T['$inferSelect'] & string, Placeholder>
}

/** A statement of PostgreSQL may have at most 65,535 values. */
const ROWS_AT_ONCE = 500

type Insert = (db: Db, values: Readonly<Record<string, unknown>>) => Maybe<unknown>
const inserts = new WeakMap<Table, Insert>()

const newInserts = new WeakMap<Table, Insert>()

/**
 * Inserts a row with all its fields.
 *
 * @returns False when a row with one of its keys exists. Nothing was written then.
 */
export async function insertNew<T extends SQLiteTable>(db: Db, table: T, row: T['$inferSelect']): Promise<boolean> {
  let insert = newInserts.get(table)
  if (insert === undefined) {
    insert = prepared((own, value: (name: string) => Placeholder) => {
      const unlessThere = own
        .insert(table)
        .values(placeholders(table, value) as never)
        .onConflictDoNothing()
      // SQLite returns how many rows changed. For `RETURNING` it would open an extra table at each execution.
      return own.database === 'sqlite' ? unlessThere : unlessThere.returning({ one: sql`1` })
    })
    newInserts.set(table, insert)
  }
  const outcome = (await insert(db, row)) as { readonly changes: number } | readonly unknown[]
  return ('changes' in outcome ? outcome.changes : outcome.length) > 0
}

/**
 * Inserts rows with all their fields. SQLite runs one prepared statement for each row; PostgreSQL gets one statement
 * for many, which is prepared when it is for one row.
 */
export async function insertRows<T extends SQLiteTable>(
  db: Db,
  table: T,
  rows: readonly T['$inferSelect'][],
): Promise<void> {
  if (rows.length === 0) return
  if (db.database === 'pg' && rows.length > 1) {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      await db.insert(table).values(rows.slice(at, at + ROWS_AT_ONCE))
    }
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
    // Synchronous: SQLite has finished.
    const done = insert(db, row)
    if (done instanceof Promise) await done
  }
}

/** What becomes of a stored row with the same key. A constant of its module, because the statement is kept by it. */
export interface OnConflict<T extends SQLiteTable> {
  set(table: T): Record<string, SQL>
  /** Rows for which it is false stay as they are. */
  where?(table: T): SQL
}

const REPLACED: OnConflict<SQLiteTable> = {
  set: (table) => excludedOf(table, Object.keys(getTableColumns(table))),
}

/** Values of the row that was to be inserted, for these fields. */
export function excludedOf<T extends SQLiteTable>(
  table: T,
  fields: readonly (keyof T['$inferSelect'] & string)[],
): Record<string, SQL> {
  const columns = getTableColumns(table) as Record<string, SQLiteColumn>
  return Object.fromEntries(fields.map((field) => [field, sql.raw(`excluded."${columns[field]?.name}"`)]))
}

const upserts = new WeakMap<object, Insert>()

/** Inserts rows with all their fields, or replaces rows with the same key. Otherwise like `insertRows`. */
export async function upsertRows<T extends SQLiteTable>(
  db: Db,
  table: T,
  rows: readonly T['$inferSelect'][],
  key: readonly SQLiteColumn[],
  onConflict: OnConflict<T> = REPLACED,
): Promise<void> {
  if (rows.length === 0) return
  const conflict = () => {
    const set = Object.entries(onConflict.set(table)).filter(
      ([field]) => !key.includes((getTableColumns(table) as Record<string, SQLiteColumn>)[field] as SQLiteColumn),
    )
    const setWhere = onConflict.where?.(table)
    return { target: [...key], set: Object.fromEntries(set) as never, ...(setWhere === undefined ? {} : { setWhere }) }
  }
  if (db.database === 'pg') {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      await db
        .insert(table)
        .values(rows.slice(at, at + ROWS_AT_ONCE) as never)
        .onConflictDoUpdate(conflict())
    }
    return
  }
  const kept = onConflict === REPLACED ? table : onConflict
  let upsert = upserts.get(kept)
  if (upsert === undefined) {
    upsert = prepared((own, value: (name: string) => Placeholder) =>
      own
        .insert(table)
        .values(placeholders(table, value) as never)
        .onConflictDoUpdate(conflict()),
    )
    upserts.set(kept, upsert)
  }
  for (const row of rows) {
    const done = upsert(db, row)
    if (done instanceof Promise) await done
  }
}

type Update = (db: Db, values: Readonly<Record<string, unknown>>) => Maybe<unknown>
/** By table: the statements by the columns that they set. */
const updates = new WeakMap<Table, Map<string, Update>>()
/** The placeholder of the row's id. No field has such a name. */
const ROW_ID = '#id'

/**
 * Sets columns of the row with this `id`. A statement is built once for each set of columns; columns that are undefined
 * stay as they are.
 */
export async function updateRow<T extends SQLiteTable & { readonly id: SQLiteColumn }>(
  db: Db,
  table: T,
  id: string,
  columns: Partial<T['$inferSelect']>,
): Promise<void> {
  const known = getTableColumns(table) as Record<string, SQLiteColumn>
  const names = Object.keys(columns)
    .filter((name) => known[name] !== undefined && columns[name as keyof typeof columns] !== undefined)
    .sort()
  if (names.length === 0) return
  let byColumns = updates.get(table)
  if (byColumns === undefined) {
    byColumns = new Map()
    updates.set(table, byColumns)
  }
  let update = byColumns.get(names.join())
  if (update === undefined) {
    update = prepared((own, value: (name: string) => Placeholder) =>
      own
        .update(table)
        .set(Object.fromEntries(names.map((name) => [name, sql`${sql.param(value(name), known[name])}`])) as never)
        .where(eq(table.id, value(ROW_ID))),
    )
    byColumns.set(names.join(), update)
  }
  const done = update(db, { ...columns, [ROW_ID]: id })
  if (done instanceof Promise) await done
}
