/**
 * Filters whose answer stands in a table beside the list's own: labels, references, the search index. Few matches are read
 * first, and their rows are taken by id; many are met soon enough when the list is walked in its own order, with a look
 * at the side table for each row. Neither reads more than a bounded part of the list.
 */
import { and, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Db } from './db.js'
import { lately, questionOf } from './lately.js'
import { rowsAtOnce } from './prepared.js'

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
  /** The same matches with what a list is in the order of: what a deep page is sorted from. */
  readonly ranked?: Ranked
}

/** Rows beside the records that have no index in the order of the list, but are few enough to be sorted. */
export interface Ranked {
  readonly table: SQLiteTable
  /** The tenant and what is looked for. */
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
  /** The tenant and what is looked for, on columns of the side table that an index leads with. */
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

/** Questions with many answers: which way is taken changes no answer. */
const many = lately<true>()

/**
 * @param matches gives the `entity_id` of those that match, up to one more than few; `exists` decides for a row when there are
 * more.
 */
export async function narrowTo(db: Db, id: SQLiteColumn, matches: SQL, exists: SQL): Promise<Narrowing> {
  // As one text: nothing here looks at the ids.
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

/** A condition on the records' own columns, with an index behind the organization. */
export interface OwnCondition {
  readonly table: SQLiteTable
  readonly id: SQLiteColumn
  /** The records among which is looked: of the organization, and what its index leaves out. */
  readonly among: SQL | undefined
  readonly is: SQL
}

/** The records for which it is true: few by their ids, many by the way. */
export function narrowWhere(db: Db, { table, id, among, is }: OwnCondition): Promise<Narrowing> {
  const matches = sql`SELECT ${id} AS entity_id FROM ${table} WHERE ${and(among, is)} LIMIT ${FEW_MAX + 1}`
  return narrowTo(db, id, matches, residual(db, is))
}

/** Records that are known by their ids. */
export const narrowToIds = (db: Db, id: SQLiteColumn, ids: readonly string[]): Narrowing => ({
  where: isAmong(db, id, JSON.stringify(ids)),
  isFew: true,
})

/** One parameter, whatever the number of ids: the statement stays the same. */
const isAmong = (db: Db, id: SQLiteColumn, ids: string): SQL =>
  db.database === 'sqlite'
    ? sql`${id} IN (SELECT value FROM json_each(${ids}))`
    : sql`${id} IN (SELECT jsonb_array_elements_text(${ids}::jsonb))`

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
