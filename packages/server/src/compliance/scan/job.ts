/**
 * The job `compliance.scan`. It runs under the tenant of the scan and continues after the last committed batch, no
 * matter which worker ran it before. An error that prevents a verdict is retried; after the last attempt the scan has
 * failed, with the reason.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { defineJob, type JobContext, LeaseLost, PermanentFailure } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { heldByJob } from '../recheck/job.js'
import type { Held } from '../rule-stamp.js'
import { sourceOf } from '../sources.js'
import { complianceTables, type ScanRow } from '../tables.js'
import { Overtaken } from './batch.js'
import { failScan } from './fail.js'
import { FREED, SCAN_JOB } from './open.js'
import { targetsOf } from './record.js'
import { scanSummary } from './summary.js'
import { ScanFailure, sweep } from './sweep.js'

/** Attempts of one scan that ended with an error; attempts that ended because the process died are not counted here. */
const TRIES_MAX = 3
const ATTEMPTS_MAX = 20
const BACKOFF_MS = 2000

type Job = JobContext<never>

export const scanJob = defineJob({
  kind: SCAN_JOB,
  payload: strictObject({ scanId: Type.String() }),
  audit: none('that it was asked for is in the trail, and the check log is the record of its checks'),
  concurrency: 2,
  attemptsMax: ATTEMPTS_MAX,
  backoffMs: BACKOFF_MS,
  async run(context, { scanId }) {
    const orgId = context.job.orgId ?? SYSTEM_ORG_ID
    try {
      const held: Held = { ...(await heldByJob(context.runtime, orgId)), isSystemScan: orgId === SYSTEM_ORG_ID }
      const scan = await claim(context, orgId, scanId)
      if (scan !== null) await complete(context, await sweep(context, scan, held))
    } catch (error) {
      if (error instanceof Overtaken) return
      const isOurs = !(error instanceof LeaseLost) && !context.signal.aborted
      // guard: a-scan-that-could-not-look-has-failed
      if (!isOurs || context.job.attempt < TRIES_MAX) throw error
      await fail(context, orgId, scanId, error)
    }
  },
})

/** Changes pending to running. A running scan is continued. Null for a scan that has ended. */
async function claim({ runtime, read, write }: Job, orgId: string, scanId: string): Promise<ScanRow | null> {
  const known = await read((db) => readScan(db, orgId, scanId))
  if (known === null || known.status === 'running') return known
  if (known.status !== 'pending') return null
  const totalEntities = await read((db) => countInventory(db, known)).catch((cause: unknown) => {
    throw new ScanFailure('the records could not be counted', cause)
  })
  return write(async ({ tx, nowMs }) => {
    const { scans: t } = complianceTables(tx)
    const [row] = await tx
      .update(t)
      .set({ status: 'running', totalEntities, startedAtMs: nowMs, heartbeatAtMs: nowMs })
      .where(and(eq(t.id, scanId), eq(t.orgId, orgId), eq(t.status, 'pending')))
      .returning()
    return row ?? null
  })

  async function countInventory(db: Db, { filter, ...scan }: ScanRow): Promise<number> {
    let total = 0
    for (const target of targetsOf(scan)) {
      total += await sourceOf(runtime, target).count(db, orgId, filter ?? undefined)
    }
    return total
  }
}

async function readScan(db: Db, orgId: string, scanId: string): Promise<ScanRow | null> {
  const { scans: t } = complianceTables(db)
  const [row] = await db
    .select()
    .from(t)
    .where(and(eq(t.id, scanId), eq(t.orgId, orgId)))
  return row ?? null
}

/** The end of the scan, its single notification and the completion of the job are committed together. */
async function complete({ finish }: Job, scan: ScanRow): Promise<void> {
  await finish(async ({ tx, nowMs, enqueue }) => {
    const { scans: t } = complianceTables(tx)
    const [row] = await tx
      .update(t)
      .set({ status: 'completed', completedAtMs: nowMs, heartbeatAtMs: nowMs, ...FREED })
      .where(
        and(
          eq(t.id, scan.id),
          eq(t.orgId, scan.orgId),
          eq(t.status, 'running'),
          eq(t.processedEntities, scan.processedEntities),
        ),
      )
      .returning()
    const summary = row === undefined ? null : await scanSummary(tx, row, nowMs)
    if (summary !== null) await enqueue(summary)
  })
}

/** The scan has a short reason; the details are in the dead letter of the job and in the log. */
async function fail({ write }: Job, orgId: string, scanId: string, error: unknown): Promise<never> {
  const errorMessage = error instanceof ScanFailure ? error.message : 'an unexpected error ended the scan'
  await write(({ tx, nowMs }) => failScan(tx, { id: scanId, orgId }, errorMessage, nowMs))
  throw new PermanentFailure(errorMessage, error)
}
