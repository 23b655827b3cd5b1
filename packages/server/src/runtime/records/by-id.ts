/** The `id` filter of a long list: one id, several ids, or the beginning of one. Source: spec platform 1.11. */
import { eq } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { idMatches, idsOf } from '../operation/filters.js'
import type { Db } from '../store/db.js'
import { type Narrowing, narrowToIds, narrowWhere } from '../store/index-table-filters.js'

/**
 * Returns what narrows the list to the records that the filter matches; nothing without a filter. The index is over the
 * organization and the id, so that a prefix that most ids share is not sorted first.
 *
 * @throws Refusal 400 for a text that is not an id.
 */
export async function narrowedById(
  db: Db,
  table: SQLiteTable & Record<'id' | 'orgId', SQLiteColumn>,
  orgId: string,
  text: string | undefined,
): Promise<Narrowing[]> {
  const ids = idsOf(text)
  if (ids !== null) return [narrowToIds(db, table.id, ids)]
  const is = idMatches(table.id, text)
  if (is === undefined) return []
  return [await narrowWhere(db, { table, id: table.id, among: eq(table.orgId, orgId), is })]
}
