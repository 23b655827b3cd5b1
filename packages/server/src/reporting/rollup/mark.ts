/** Marks the days of pipelines whose sums are outdated, in the transaction that changes the facts. */
import type { Tx } from '../../runtime/store/db.js'
import { insertNew } from '../../runtime/store/prepared.js'
import { dayStart } from '../metric/bucket.js'
import { reportingTables } from '../tables.js'
import { takeTurns } from '../turns.js'

const ROWS_AT_ONCE = 500

export interface Began {
  readonly pipelineId: string
  readonly startedMs: number
}

/** Marks in one order, so that two batches cannot deadlock. */
export async function markDays(tx: Tx, orgId: string, runs: readonly Began[]): Promise<void> {
  const days = new Map<string, { readonly orgId: string; readonly dayMs: number; readonly pipelineId: string }>()
  for (const { pipelineId, startedMs } of runs) {
    const dayMs = dayStart(startedMs)
    days.set(`${String(dayMs).padStart(16, '0')} ${pipelineId}`, { orgId, dayMs, pipelineId })
  }
  const rows = [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  const { reportDirty } = reportingTables(tx)
  if (tx.database === 'sqlite') {
    for (const row of rows) await insertNew(tx, reportDirty, row)
    return
  }
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    // An existing mark is updated too, so that the job that takes it waits for this transaction and then sees its
    // facts.
    // guard: a-mark-stays-until-its-write-is-there
    await tx
      .insert(reportDirty)
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .onConflictDoUpdate({
        target: [reportDirty.orgId, reportDirty.dayMs, reportDirty.pipelineId],
        set: { orgId },
      })
  }
}

/** The lock of the transactions that build sums, or change the settings that sums depend on. */
export const lockSums = (tx: Tx, orgId: string): Promise<void> => takeTurns(tx, [`sums ${orgId}`])
