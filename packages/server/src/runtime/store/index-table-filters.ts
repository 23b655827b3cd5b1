/**
 * Filters whose matches are in an index table: labels, references, the search index.
 *
 * When there are few matches, they are read first and their rows are read by id. When there are many, the list is read
 * in its own order, with a look-up in the index table for each row. Neither way reads more than a bounded part of the
 * list.
 */
import { and, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './db.js'
import { lately, questionOf } from './minute-cache.js'
import { rowsAtOnce } from './prepared.js'

/**
 * The most matches that are read by id. Reading that many rows costs about as much as reading a page among as many
 * matches.
 */
export const FEW_MAX = 4000

export interface Narrowing {
  readonly where: SQL
  /** The rows are read by id, so the list's own conditions are compared with few rows only. */
  readonly isFew: boolean
  /**
   * A subquery of the matching records' `entity_id`, for a count. It is used when there are too many matches to read by
   * id, but few compared with the rows that a full pass over the list would read.
   */
  readonly matches?: SQL
  /** The same matches with the column of the list's order. A deep page is sorted from them. */
  readonly ranked?: Ranked
}

/** Rows of an index table without an index in the order of the list, but few enough to be sorted. */
export interface Ranked {
  readonly table: SQLiteTable
  /** Conditions on the tenant and on the wanted value. */
  readonly where: SQL | undefined
  /** The column that names the record. */
  readonly id: SQLiteColumn
  /** When the record was created. */
  readonly sortedBy: SQLiteColumn
  readonly isActive: SQLiteColumn
  readonly isShared: SQLiteColumn
}

export interface SideTable {
  readonly table: SQLiteTable
  /** Conditions on the tenant and on the wanted value, on columns with which an index of the side table begins. */
  readonly where: SQL | undefined
  /** The column of the side table that names the record. */
  readonly entityId: SQLiteColumn
  /** The id of the list's records. */
  readonly id: SQLiteColumn
}

export const narrowBy = (db: Db, { table, where, entityId, id }: SideTable): Promise<Narrowing> =>
  narrowTo(
    db,
    id,
    sql`SELECT ${entityId} AS entity_id FROM ${table} WHERE ${where} LIMIT ${FEW_MAX + 1}`,
    sql`EXISTS (SELECT 1 FROM ${table} WHERE ${and(where, sql`${entityId} = ${id}`)})`,
  )

/** Queries with many matches. The way that is chosen does not change the result. */
const many = lately<true>()

/**
 * @param matches Returns the `entity_id` of the matches, up to one more than `FEW_MAX`. When there are more, `exists`
 * decides for each row.
 */
export async function narrowTo(db: Db, id: SQLiteColumn, matches: SQL, exists: SQL): Promise<Narrowing> {
  // As one text, because nothing here reads the ids.
  const list = db.database === 'sqlite' ? sql`json_group_array(entity_id)` : sql`json_agg(entity_id)`
  const query = db
    .select({ found: sql<number | string>`count(*)`, ids: sql<string | null>`CAST(${list} AS text)` })
    .from(sql`(${matches}) AS matched`)
  const question = questionOf(query)
  if (many.get(db, question) === undefined) {
    const [row] = await rowsAtOnce(db, query)
    if (Number(row?.found) <= FEW_MAX) return { where: isAmong(db, id, row?.ids ?? '[]'), isFew: true }
    many.set(db, question, true)
  }
  return { where: exists, isFew: false }
}

/** A condition on the records' own columns, with an index that begins with the organization. */
export interface OwnCondition {
  readonly table: SQLiteTable
  readonly id: SQLiteColumn
  /** The records that are searched: those of the organization, without those that the index leaves out. */
  readonly among: SQL | undefined
  readonly is: SQL
}

/** Narrows a list to records for which the condition is true: few are read by their ids, many while the list is read. */
export function narrowWhere(db: Db, { table, id, among, is }: OwnCondition): Promise<Narrowing> {
  const matches = sql`SELECT ${id} AS entity_id FROM ${table} WHERE ${and(among, is)} LIMIT ${FEW_MAX + 1}`
  return narrowTo(db, id, matches, residual(db, is))
}

/** Records that are known by their ids. */
export const narrowToIds = (db: Db, id: SQLiteColumn, ids: readonly string[]): Narrowing => ({
  where: isAmong(db, id, JSON.stringify(ids)),
  isFew: true,
})

/** One parameter for any number of ids, so the statement stays the same. */
const isAmong = (db: Db, id: SQLiteColumn, ids: string): SQL =>
  db.database === 'sqlite'
    ? sql`${id} IN (SELECT value FROM json_each(${ids}))`
    : sql`${id} IN (SELECT jsonb_array_elements_text(${ids}::jsonb))`

/** All conditions of a list: those on its own columns, and those that narrow it. */
export function narrowed(db: Db, own: SQL | undefined, by: readonly Narrowing[]): SQL | undefined {
  const isFew = by.some((each) => each.isFew)
  return and(isFew && own !== undefined ? residual(db, own) : own, ...by.map(({ where }) => where))
}

/**
 * A condition that is compared with each row and does not select an index. SQLite has no statistics here and would
 * prefer an index of the list's order to the ids.
 */
export const residual = (db: Db, condition: SQL): SQL =>
  db.database === 'sqlite' ? sql`((${condition}) IS TRUE)` : condition
