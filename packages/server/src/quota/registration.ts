/** What the quota domain registers for exports, purges, erasures and usage (spec platform 27). */
import { and, asc, eq, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { toIso } from '../runtime/clock.js'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import { countLive } from '../runtime/records/capacity.js'
import type { Tx } from '../runtime/store/db.js'
import { quotaTables } from './tables.js'

export const quotaRegistration: DomainRegistration = {
  name: 'quota',
  exportSections: ['quota.limits', 'quota.counters'],
  exportReads: { 'quota.limits': 'quotas:read', 'quota.counters': 'quotas:read' },
  async *exportRows(read, orgId, sections) {
    if (sections.has('quota.limits')) {
      const rows = await read((db) => {
        const { quotaLimits: t } = quotaTables(db)
        return db.select().from(t).where(eq(t.orgId, orgId)).orderBy(asc(t.type))
      })
      for (const { type, override, granted, updatedAtMs } of rows) {
        yield { section: 'quota.limits', row: { type, override, granted, updatedAt: toIso(updatedAtMs) } }
      }
    }
    if (sections.has('quota.counters')) {
      // At most two rows per period, and old periods are swept.
      const rows = await read((db) => {
        const { quotaCounters: t } = quotaTables(db)
        return db.select().from(t).where(eq(t.orgId, orgId)).orderBy(asc(t.periodStartMs), asc(t.type))
      })
      for (const { type, periodStartMs, used } of rows) {
        yield { section: 'quota.counters', row: { type, periodStart: toIso(periodStartMs), used } }
      }
    }
  },
  async purge(tx, orgId, rowsMax) {
    const t = quotaTables(tx)
    const steps: readonly [SQLiteTable, SQLiteColumn, SQLiteColumn[]][] = [
      [t.quotaIncrements, t.quotaIncrements.orgId, [t.quotaIncrements.key]],
      [
        t.quotaNotices,
        t.quotaNotices.orgId,
        [t.quotaNotices.type, t.quotaNotices.periodStartMs, t.quotaNotices.threshold],
      ],
      [t.quotaCounters, t.quotaCounters.orgId, [t.quotaCounters.type, t.quotaCounters.periodStartMs]],
      [t.quotaPools, t.quotaPools.orgId, [t.quotaPools.type, t.quotaPools.periodStartMs]],
      [t.quotaLimits, t.quotaLimits.orgId, [t.quotaLimits.type]],
    ]
    for (const [table, org, key] of steps) {
      const gone = await purgeSome(tx, table, org, key, orgId, rowsMax)
      if (gone > 0) return gone
    }
    return 0
  },
  // These tables name no person.
  async erase() {},
  usage: {
    // Bytes that other services measured and reported; the bytes of attachments are counted by their own domain.
    storageBytes: countLive((db) => {
      const { quotaCounters: t } = quotaTables(db)
      return { table: t, orgId: t.orgId, where: eq(t.type, 'storageBytes'), amount: t.used }
    }),
  },
  async *blobs() {},
}

async function purgeSome(
  tx: Tx,
  table: SQLiteTable,
  org: SQLiteColumn,
  key: readonly SQLiteColumn[],
  orgId: string,
  rowsMax: number,
): Promise<number> {
  const columns = sql.join([...key], sql`, `)
  const some = sql`SELECT ${columns} FROM ${table} WHERE ${eq(org, orgId)} LIMIT ${rowsMax}`
  const gone = await tx
    .delete(table)
    .where(and(eq(org, orgId), sql`(${columns}) IN (${some})`))
    .returning({ org })
  return gone.length
}
