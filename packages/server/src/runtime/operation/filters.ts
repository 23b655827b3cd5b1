/**
 * Filters that many lists share, as conditions on columns. Values are parameters; `%` and `_` have no special meaning.
 */
import { and, eq, type GetColumnData, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core'
import { invalidField } from '../errors.js'
import { UUID } from '../ids.js'
import { escapeLike } from '../store/search.js'
import { nameKey } from './name.js'

const ID_PREFIX = /^[0-9a-f]{8}[0-9a-f-]{0,27}$/

/** The `id` filter (spec platform 1.11). Undefined for no filter. */
export function idMatches(column: SQLiteColumn, text: string | undefined): SQL | undefined {
  if (text === undefined) return undefined
  const ids = idsOf(text)
  if (ids !== null) return inArray(column, ids)
  const prefix = text.trim()
  if (!ID_PREFIX.test(prefix)) {
    throw invalidField('/query/id', 'is an id, ids separated by commas, or the first 8 or more characters of one', 'id')
  }
  return startsWith(column, prefix)
}

/** Returns the complete ids of the `id` filter; null for anything else. */
export function idsOf(text: string | undefined): string[] | null {
  const ids = text?.split(',').map((each) => each.trim()) ?? []
  return ids.length > 0 && ids.every((each) => UUID.test(each)) ? ids : null
}

/** Rows whose column has the value. Undefined for no filter. */
export const equals = <C extends SQLiteColumn>(
  column: C,
  value: GetColumnData<C, 'raw'> | undefined,
): SQL | undefined => (value === undefined ? undefined : eq(column, value))

/** Rows between two values, both inclusive. Each may be left open. Undefined for no filter. */
export const within = <C extends SQLiteColumn>(
  column: C,
  from: GetColumnData<C, 'raw'> | undefined,
  to: GetColumnData<C, 'raw'> | undefined,
): SQL | undefined =>
  and(from === undefined ? undefined : gte(column, from), to === undefined ? undefined : lte(column, to))

/** Rows whose text begins with a prefix. The condition is a range, so that an index serves it. */
export const startsWith = (column: SQLiteColumn, text: string): SQL | undefined =>
  and(gte(column, text), lt(column, `${text}\u{10ffff}`))

/** Rows whose name contains the given text, case-insensitively. The column holds names in the form of `nameKey`. */
export const containsName = (key: SQLiteColumn, text: string): SQL => isLike(sql`${key}`, nameKey(text))

/** Any of several names holds the text. The columns hold names in the form of `nameKey`. */
export const anyNameContains = (keys: readonly SQLiteColumn[], text: string | undefined): SQL | undefined =>
  text === undefined ? undefined : or(...keys.map((key) => containsName(key, text)))

/**
 * Rows whose text contains the given text, for columns without a folded form or a search index. In SQL, both databases
 * fold ASCII letters alone. So any other letter is compared as it was sent, in lower case and in upper case.
 */
export function containsText(column: SQLiteColumn, text: string): SQL | undefined {
  const forms = new Set([text, text.toLowerCase(), text.toUpperCase()].map(foldAscii))
  return or(...[...forms].map((form) => isLike(sql`lower(${column})`, form)))
}

const foldAscii = (text: string): string => text.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())

const isLike = (column: SQL, part: string): SQL => sql`${column} LIKE ${`%${escapeLike(part)}%`} ESCAPE '\\'`
