/**
 * Filters whose answer stands in a table beside the list's own: labels, references, the search index. Few matches are read
 * first, and their rows are taken by id; many are met soon enough when the list is walked in its own order, with a look
 * at the side table for each row. Neither reads more than a bounded part of the list.
 */
import { and, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './db.js'

/** Matches that are taken by id: reading so many rows costs about as much as walking to a page among as many. */
export const FEW_MAX = 4000

export interface Narrowing {
  readonly where: SQL
  /** The rows are taken by id, so that the list's own conditions are compared with few rows. */
  readonly isFew: boolean
  /**
   * A subquery of the matching records' `entity_id`, for a count that begins there: where they are too many to be taken by id,
   * and few beside the rows that the list would be walked through to its end for.
   */
  readonly matches?: SQL
}

export interface SideTable {
  readonly table: SQLiteTable
  /** The tenant and what is looked for, on columns of the side table that an index leads with. */
  readonly where: SQL | undefined
  /** The column of the side table that names the record. */
  readonly entityId: SQLiteColumn
  /** The id of the list's records. */
  readonly id: SQLiteColumn
}

export async function narrowBy(db: Db, { table, where, entityId, id }: SideTable): Promise<Narrowing> {
  const found = await db
    .select({ id: entityId })
    .from(table)
    .where(where)
    .limit(FEW_MAX + 1)
  return narrowTo(
    db,
    id,
    found.map((row) => row.id as string),
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${and(where, sql`${entityId} = ${id}`)})`,
  )
}

/** @param ids those that match, up to one more than few; `exists` decides for a row when there are more. */
export const narrowTo = (db: Db, id: SQLiteColumn, ids: readonly string[], exists: SQL): Narrowing =>
  ids.length > FEW_MAX ? { where: exists, isFew: false } : { where: isAmong(db, id, ids), isFew: true }

/** One parameter, whatever the number of ids: the statement stays the same. */
const isAmong = (db: Db, id: SQLiteColumn, ids: readonly string[]): SQL =>
  db.database === 'sqlite'
    ? sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`
    : sql`${id} IN (SELECT jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))`

/** The conditions of a list together: those on its own columns, and what narrows it. */
export function narrowed(db: Db, own: SQL | undefined, by: readonly Narrowing[]): SQL | undefined {
  const isFew = by.some((each) => each.isFew)
  return and(isFew && own !== undefined ? residual(db, own) : own, ...by.map(({ where }) => where))
}

/**
 * A condition that is compared with each row and leads to none. SQLite keeps no statistics: it would take an index of the
 * list's order before the ids.
 */
export const residual = (db: Db, condition: SQL): SQL =>
  db.database === 'sqlite' ? sql`((${condition}) IS TRUE)` : condition
