/** What a domain gives to the export of an organization: sections, each read page after page by key. */
import { and, asc, eq, gt } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { DomainRegistration, ExportRow } from '../domain.js'
import type { Db } from '../store/db.js'

const PAGE_ROWS = 500

/** A record as it is exported, with the key that the next page begins after. */
export interface Keyed {
  readonly key: string
  readonly row: ExportRow['row']
}

/** A page of the organization's records whose keys are greater than `after`, in the order of their keys; none at the end. */
export type ReadSection = (db: Db, orgId: string, after: string) => Promise<readonly Keyed[]>

/**
 * The export of a domain with these sections, in their order. What changes between two pages is neither repeated nor
 * skipped, since each goes on after the last key of the one before.
 */
export function exportOf(
  sections: Readonly<Record<string, ReadSection>>,
): Pick<DomainRegistration, 'exportSections' | 'exportRows'> {
  return {
    exportSections: Object.keys(sections),
    async *exportRows(read, orgId, wanted) {
      for (const [section, readSection] of Object.entries(sections)) {
        if (!wanted.has(section)) continue
        for (let after: string | undefined = ''; after !== undefined; ) {
          const at: string = after
          const rows = await read((db) => readSection(db, orgId, at))
          for (const { row } of rows) yield { section, row }
          after = rows.at(-1)?.key
        }
      }
    },
  }
}

/** A page of a table's rows that are the organization's, by id. */
export async function ownRows<T extends SQLiteTable & { readonly id: SQLiteColumn; readonly orgId: SQLiteColumn }>(
  db: Db,
  table: T,
  orgId: string,
  after: string,
  rowsMax = PAGE_ROWS,
): Promise<T['$inferSelect'][]> {
  return await db
    .select()
    .from(table as SQLiteTable)
    .where(and(eq(table.orgId, orgId), gt(table.id, after)))
    .orderBy(asc(table.id))
    .limit(rowsMax)
}
