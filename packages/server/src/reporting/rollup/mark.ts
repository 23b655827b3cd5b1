/** Marks days of pipelines whose sums are behind their facts, in the transaction that changes the facts. */
import type { Tx } from '../../runtime/store/db.js'
import { dayStart } from '../metric/bucket.js'
import { reportingTables } from '../tables.js'

const ROWS_AT_ONCE = 500

export interface Began {
  readonly pipelineId: string
  readonly startedMs: number
}

/** In one order everywhere, so that two batches never wait for each other in a circle. */
export async function markDays(tx: Tx, orgId: string, runs: readonly Began[]): Promise<void> {
  const days = new Map<string, { readonly orgId: string; readonly dayMs: number; readonly pipelineId: string }>()
  for (const { pipelineId, startedMs } of runs) {
    const dayMs = dayStart(startedMs)
    days.set(`${String(dayMs).padStart(16, '0')} ${pipelineId}`, { orgId, dayMs, pipelineId })
  }
  const rows = [...days].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row)
  const { reportDirty } = reportingTables(tx)
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    // A mark that is there is written again: the job that takes it waits for this transaction, and sees its facts.
    await tx
      .insert(reportDirty)
      .values(rows.slice(at, at + ROWS_AT_ONCE))
      .onConflictDoUpdate({
        target: [reportDirty.orgId, reportDirty.dayMs, reportDirty.pipelineId],
        set: { orgId },
      })
  }
}
