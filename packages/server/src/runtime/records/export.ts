/** What a domain contributes to the export of an organization: sections, each read in pages by key. */
import { and, asc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Permission } from '../operation/access.js'
import type { DomainRegistration, ExportRow } from '../operation/registration.js'
import type { Db } from '../store/db.js'

const PAGE_ROWS = 500

/** A record as it is exported, with the key that the next page begins after. */
export interface Keyed {
  readonly key: string
  readonly row: ExportRow['row']
}

/**
 * Returns a page of the organization's records whose keys are greater than `after`, in the order of their keys; empty
 * at the end.
 */
export type ReadSection = (db: Db, orgId: string, after: string) => Promise<readonly Keyed[]>

/**
 * The export of a domain: its sections in order, and the permission that each requires. Each page continues after the
 * last key of the page before, so a change between two pages neither repeats nor skips a record.
 */
export function exportOf<S extends Readonly<Record<string, ReadSection>>>(
  sections: S,
  exportReads: { readonly [section in keyof S & string]: Permission },
): Pick<DomainRegistration, 'exportSections' | 'exportReads' | 'exportRows'> {
  return {
    exportSections: Object.keys(sections),
    exportReads,
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

/** A page of the organization's rows of a table, by id. */
export async function ownRows<T extends SQLiteTable & { readonly id: SQLiteColumn; readonly orgId: SQLiteColumn }>(
  db: Db,
  table: T,
  orgId: string,
  after: string,
  rowsMax = PAGE_ROWS,
): Promise<T['$inferSelect'][]> {
  // guard: rows-in-an-export
  return await db
    .select()
    .from(table as SQLiteTable)
    .where(and(eq(table.orgId, orgId), gt(table.id, after)))
    .orderBy(asc(table.id))
    .limit(rowsMax)
}

type Columns = readonly [SQLiteColumn, ...SQLiteColumn[]]

/**
 * A page of a table that grows without end, along an index over the organization and these columns. By id alone, each
 * page would be searched among all rows of the organization. The last column must make the order total.
 */
export async function ownRowsAlong<T extends SQLiteTable & { readonly orgId: SQLiteColumn }>(
  db: Db,
  table: T,
  columns: Columns,
  { orgId, after, rowsMax = PAGE_ROWS }: { readonly orgId: string; readonly after: string; readonly rowsMax?: number },
): Promise<{ readonly key: string; readonly row: T['$inferSelect'] }[]> {
  const rows = await db
    .select()
    .from(table as SQLiteTable)
    .where(and(eq(table.orgId, orgId), behind(columns, after)))
    .orderBy(...columns.map((column) => asc(column)))
    .limit(rowsMax)
  const fields = fieldsOf(table, columns)
  return rows.map((row) => ({ key: JSON.stringify(fields.map((field) => row[field])), row }))
}

/** Rows after the row with that key. The columns are compared as one tuple, so that the index starts there. */
export function behind(columns: Columns, after: string): SQL | undefined {
  if (after === '') return undefined
  const values = JSON.parse(after) as unknown[]
  const given = columns.map((column, at) => sql.param(values[at], column))
  return sql`(${sql.join([...columns], sql`, `)}) > (${sql.join(given, sql`, `)})`
}

function fieldsOf(table: SQLiteTable, columns: Columns): string[] {
  const all = Object.entries(getTableColumns(table))
  return columns.map((column) => all.find(([, each]) => each === column)?.[0] ?? column.name)
}
