/** Every row of the tables that a refused request must leave as they are. */
import { complianceTables } from '../../src/compliance/tables.js'
import { jobTables } from '../../src/runtime/jobs/tables.js'
import type { Store } from '../../src/runtime/store/db.js'

/** As text, table by table: rules, subscriptions, policies, exemptions, checks, stamps, evidence that waits, queued jobs. */
export function complianceRows(store: Store): Promise<Record<string, string>> {
  return store.system.read(async (db) => {
    const { auditOutbox, jobs } = jobTables(db)
    const tables = { ...complianceTables(db), auditOutbox, jobs }
    const found: Record<string, string> = {}
    for (const [name, table] of Object.entries(tables)) {
      const rows = (await db.select().from(table as typeof jobs)) as object[]
      found[name] = rows
        .map((row) => JSON.stringify(row))
        // That somebody was refused is itself worth an entry.
        .filter((row) => !row.includes('"action":"authz.denied"'))
        .sort()
        .join('\n')
    }
    return found
  })
}
