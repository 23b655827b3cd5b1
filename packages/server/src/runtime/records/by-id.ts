/** The `id` filter of a long list: an id, several, or how one begins. Source: spec platform 1.11. */
import { eq } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { idMatches, idsOf } from '../operation/filters.js'
import type { Db } from '../store/db.js'
import { type Narrowing, narrowToIds, narrowWhere } from '../store/narrow.js'

/**
 * What the filter leaves of the organization's records; nothing to narrow without one. Its index is over the organization and
 * the id, so that a beginning that most ids have is not sorted first.
 * @throws Refusal 400 for what is not an id.
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
