/**
 * Scans without a worker. A scan has failed if its job is a dead letter, or if its worker sent no heartbeat for twice
 * `SCAN_LOCK_TTL_MS`. A pending scan without a job is queued again (spec compliance 10).
 */
import { and, asc, eq, inArray, lt } from 'drizzle-orm'
import type { JobContext } from '../../runtime/jobs/define.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Tx } from '../../runtime/store/db.js'
import { complianceTables } from '../tables.js'
import { failScan } from './fail.js'
import { SCAN_JOB, scanWork } from './open.js'

/** A scan that is still pending after this time may have lost its job. */
const WAITED_MS = 60_000
const BATCH = 500

export async function sweepLeftovers({ runtime, write }: Pick<JobContext<never>, 'runtime' | 'write'>): Promise<void> {
  const silentMs = 2 * runtime.settings.SCAN_LOCK_TTL_MS
  await write(async ({ tx, nowMs, enqueue }) => {
    const { scans: t } = complianceTables(tx)
    const running = await tx
      .select({ id: t.id, orgId: t.orgId, heartbeatAtMs: t.heartbeatAtMs })
      .from(t)
      .where(eq(t.status, 'running'))
      .orderBy(asc(t.heartbeatAtMs))
      .limit(BATCH)
    const worked = running.length === 0 ? new Set() : await scansWithWork(tx)
    const message = `no progress for ${Math.round(silentMs / 1000)} seconds`
    for (const scan of running) {
      // guard: a-scan-that-nobody-works-on-has-failed
      // guard: a-scan-whose-work-was-given-up-has-failed
      if (!worked.has(scan.id))
        await failScan(tx, scan, 'the processes that ran the scan ended too often: start it again', nowMs)
      else if ((scan.heartbeatAtMs ?? 0) < nowMs - silentMs) await failScan(tx, scan, message, nowMs)
    }
    const waiting = await tx
      .select({ id: t.id, orgId: t.orgId })
      .from(t)
      .where(and(eq(t.status, 'pending'), lt(t.createdAtMs, nowMs - WAITED_MS)))
      .orderBy(asc(t.id))
      .limit(BATCH)
    // A job that is already queued is not duplicated: the key of a scan is unique among queued jobs.
    for (const scan of waiting) await enqueue(scanWork(scan))
  })
}

/** Scans whose job is queued or running. A dead-lettered job is not retried by itself. */
async function scansWithWork(tx: Tx): Promise<ReadonlySet<unknown>> {
  const { jobs } = jobTables(tx)
  const rows = await tx
    .select({ payload: jobs.payload })
    .from(jobs)
    .where(and(inArray(jobs.state, ['waiting', 'running']), eq(jobs.kind, SCAN_JOB)))
  return new Set(rows.map(({ payload }) => (payload as { scanId?: string }).scanId))
}
