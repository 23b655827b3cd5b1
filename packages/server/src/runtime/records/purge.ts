/** How the rows of a domain are deleted with their organization: in batches, so that no transaction is long. */
import { eq, inArray } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Tx } from '../store/db.js'

/**
 * Deletes at most `rowsMax` rows of the organization, from the first table that has any.
 *
 * @returns The number of deleted rows; 0 when no table has any.
 */
export async function purgeRows(
  tx: Tx,
  tables: readonly (SQLiteTable & { readonly id: SQLiteColumn; readonly orgId: SQLiteColumn })[],
  orgId: string,
  rowsMax: number,
): Promise<number> {
  for (const table of tables) {
    const due = tx.select({ id: table.id }).from(table).where(eq(table.orgId, orgId)).limit(rowsMax)
    const gone = await tx.delete(table).where(inArray(table.id, due)).returning({ id: table.id })
    if (gone.length > 0) return gone.length
  }
  return 0
}
