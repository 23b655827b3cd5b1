/**
 * Passes rows of values to a query as a table: one JSON value, because an SQL parameter per value costs more than the
 * query.
 */
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'

type Kind = 'text' | 'bigint' | 'integer'

/** @returns the table `v` with `column1`, `column2` and so on, of these kinds. */
export function rowsAsTable(
  db: Pick<Db, 'database'>,
  kinds: readonly Kind[],
  rows: readonly (readonly unknown[])[],
): SQL {
  const isPg = db.database === 'pg'
  const columns = kinds.map((kind, at) => {
    const value = isPg ? `CAST(value->>${at} AS ${kind})` : `json_extract(value, '$[${at}]')`
    return `${value} AS column${at + 1}`
  })
  const json = wellFormed(JSON.stringify(rows))
  // The limit keeps SQLite from taking each value out of the JSON again wherever the query names its column.
  const each = isPg ? sql`json_array_elements(CAST(${json} AS json))` : sql`json_each(${json}) LIMIT -1`
  return sql`(SELECT ${sql.raw(columns.join(', '))} FROM ${each}) v`
}

/** Replaces lone surrogates with U+FFFD; the databases would otherwise store or refuse them. */
const wellFormed = (json: string): string =>
  json.includes('\\ud')
    ? json.replace(/\\(?:u(d[89a-f][0-9a-f]{2})|.)/gs, (whole, half?: string) =>
        half === undefined ? whole : '\uFFFD',
      )
    : json
