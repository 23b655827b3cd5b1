/** Every row of every table that the server may read, as text: for what must leave no trace in the database. */
import { sql } from 'drizzle-orm'
import type { Store } from '../../src/runtime/store/db.js'

export async function everyRow(store: Store): Promise<Record<string, string[]>> {
  return store.system.snapshot(async (db) => {
    const names = await db.rows<{ name: string }>(
      store.database === 'pg'
        ? sql`SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND has_table_privilege(format('%I.%I', schemaname, tablename), 'SELECT')`
        : sql`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
    )
    const tables: Record<string, string[]> = {}
    for (const { name } of names) {
      const rows = await db.rows(sql`SELECT * FROM ${sql.identifier(name)}`)
      tables[name] = rows.map((row) => JSON.stringify(row)).sort()
    }
    return tables
  })
}
