/** The filters that many lists share, as conditions on columns. Values are parameters; `%` and `_` mean themselves. */
import { and, eq, type GetColumnData, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { invalidField } from '../errors.js'
import { UUID } from '../ids.js'
import { escapeLike } from '../store/search.js'

const ID_PREFIX = /^[0-9a-f]{8}[0-9a-f-]{0,27}$/

/** The `id` filter (spec platform 1.11). Undefined for no filter. */
export function idMatches(column: SQLiteColumn, text: string | undefined): SQL | undefined {
  if (text === undefined) return undefined
  const ids = idsOf(text)
  if (ids !== null) return inArray(column, ids)
  const prefix = text.trim()
  if (!ID_PREFIX.test(prefix)) {
    throw invalidField('/query/id', 'is an id, ids with commas between, or the first 8 or more characters of one', 'id')
  }
  return startsWith(column, prefix)
}

/** The whole ids of the `id` filter; null for something else. */
export function idsOf(text: string | undefined): string[] | null {
  const ids = text?.split(',').map((each) => each.trim()) ?? []
  return ids.length > 0 && ids.every((each) => UUID.test(each)) ? ids : null
}

/** Rows whose column has the value. Undefined for no filter. */
export const equals = <C extends SQLiteColumn>(
  column: C,
  value: GetColumnData<C, 'raw'> | undefined,
): SQL | undefined => (value === undefined ? undefined : eq(column, value))

/** Rows from one value to another, both inclusive, each of which may be left open. Undefined for no filter. */
export const within = <C extends SQLiteColumn>(
  column: C,
  from: GetColumnData<C, 'raw'> | undefined,
  to: GetColumnData<C, 'raw'> | undefined,
): SQL | undefined =>
  and(from === undefined ? undefined : gte(column, from), to === undefined ? undefined : lte(column, to))

/** Rows whose text begins so: a range, so that an index serves it. */
export const startsWith = (column: SQLiteColumn, text: string): SQL | undefined =>
  and(gte(column, text), lt(column, `${text}\u{10ffff}`))

/** Rows whose text holds the given one, letters of either case alike. For columns without a search index. */
export const containsText = (column: SQLiteColumn, text: string): SQL =>
  sql`lower(${column}) LIKE ${`%${escapeLike(text.toLowerCase())}%`} ESCAPE '\\'`

/** Any of several columns holds the text. */
export const anyContains = (columns: readonly SQLiteColumn[], text: string | undefined): SQL | undefined =>
  text === undefined ? undefined : or(...columns.map((column) => containsText(column, text)))
