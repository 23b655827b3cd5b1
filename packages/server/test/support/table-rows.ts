/** Every row of the tables that a refused request must not change. */
import { complianceTables } from '../../src/compliance/tables.js'
import { jobTables } from '../../src/runtime/jobs/tables.js'
import type { Store } from '../../src/runtime/store/db.js'

/**
 * The rows as text, per table: rules, subscriptions, policies, exemptions, checks, stamps, events in the outbox, queued
 * jobs.
 */
export function complianceRows(store: Store): Promise<Record<string, string>> {
  return store.system.read(async (db) => {
    const { auditOutbox, jobs } = jobTables(db)
    const tables = { ...complianceTables(db), auditOutbox, jobs }
    const found: Record<string, string> = {}
    for (const [name, table] of Object.entries(tables)) {
      const rows = (await db.select().from(table as typeof jobs)) as object[]
      found[name] = rows
        .map((row) => JSON.stringify(row))
        // A refusal is itself recorded, so its events are left out.
        .filter((row) => !row.includes('"action":"authz.denied"'))
        .sort()
        .join('\n')
    }
    return found
  })
}
