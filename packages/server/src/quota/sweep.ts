/**
 * Deletes outdated rows: idempotency keys of increments after a day, counters and marks of periods that began more than
 * a year ago.
 */
import { and, gt, lt, type SQL, sql } from 'drizzle-orm'
import type { SQLiteColumn, SQLiteTable } from 'drizzle-orm/sqlite-core'
import { DAY_MS, HOUR_MS } from '../runtime/clock.js'
import { defineJob, defineSchedule } from '../runtime/jobs/define.js'
import { none } from '../runtime/operation/operation.js'
import { strictObject } from '../runtime/operation/schema.js'
import type { Tx } from '../runtime/store/db.js'
import { quotaTables } from './tables.js'

const PERIODS_KEPT_MS = 400 * DAY_MS
const BATCH = 500
const KIND = 'quota.sweep'

export const sweepQuotasJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: none('what is removed had ended by itself'),
  concurrency: 1,
  async run(context) {
    for (;;) {
      const removed = await context.write(({ tx, nowMs }) => sweepQuotas(tx, nowMs, BATCH))
      if (removed < BATCH) return
    }
  },
})

export const sweepQuotasSchedule = defineSchedule({ name: KIND, kind: KIND, everyMs: HOUR_MS, payload: {} })

/**
 * Deletes at most `rowsMax` rows of each table. @returns the largest of the numbers: below `rowsMax`, nothing is left
 * to delete.
 */
export async function sweepQuotas(tx: Tx, nowMs: number, rowsMax: number): Promise<number> {
  const { quotaIncrements, quotaPools, quotaCounters, quotaNotices } = quotaTables(tx)
  const old = nowMs - PERIODS_KEPT_MS
  const keys = [quotaIncrements.orgId, quotaIncrements.key]
  const counts = [await removeSome(tx, quotaIncrements, keys, lt(quotaIncrements.createdAtMs, nowMs - DAY_MS), rowsMax)]
  for (const table of [quotaPools, quotaCounters, quotaNotices]) {
    const { orgId, type, periodStartMs } = table
    // Stored bytes have no period and are kept.
    const isOld = and(gt(periodStartMs, 0), lt(periodStartMs, old))
    counts.push(await removeSome(tx, table, [orgId, type, periodStartMs], isOld, rowsMax))
  }
  return Math.max(...counts)
}

async function removeSome(
  tx: Tx,
  table: SQLiteTable,
  key: readonly SQLiteColumn[],
  isOver: SQL | undefined,
  rowsMax: number,
): Promise<number> {
  const columns = sql.join([...key], sql`, `)
  const some = sql`SELECT ${columns} FROM ${table} WHERE ${isOver} LIMIT ${rowsMax}`
  return (
    await tx
      .delete(table)
      .where(sql`(${columns}) IN (${some})`)
      .returning({ key: key[0] as SQLiteColumn })
  ).length
}
