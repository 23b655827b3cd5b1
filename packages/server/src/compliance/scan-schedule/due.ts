/**
 * Starts the scans that are due. Claiming the next run of a schedule and opening its scan are one transaction, and the
 * scan slot is unique in the database. So concurrent workers, or one that was suspended and resumes, start nothing
 * twice. Several missed runs become one. While a scan is running, the slot is skipped (spec compliance 10.1).
 */
import { and, asc, eq, lte } from 'drizzle-orm'
import { findOrganization } from '../../identity/index.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { defineJob, defineSchedule, type JobContext, type JobWrite } from '../../runtime/jobs/define.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Settings } from '../../runtime/settings/load.js'
import { sweepLeftovers } from '../scan/leftovers.js'
import { openScan } from '../scan/open.js'
import type { ScanTarget } from '../scan/record.js'
import { complianceTables, type ScheduleRow } from '../tables.js'
import { nextRunOf } from './record.js'

const KIND = 'compliance.scan-schedules'
const BATCH = 200

type Write = JobWrite<'compliance.scan.create'>
type Job = JobContext<'compliance.scan.create'>

export const dueScansJob = ({ SCAN_LOCK_TTL_MS }: Settings) =>
  defineJob({
    kind: KIND,
    payload: strictObject({}),
    audit: ['compliance.scan.create'],
    concurrency: 1,
    leaseMs: SCAN_LOCK_TTL_MS,
    async run(job) {
      await sweepLeftovers(job)
      for (let found = BATCH; found === BATCH && !job.signal.aborted; ) found = await beginDue(job)
    },
  })

export const dueScansSchedule = ({ SCAN_SCHEDULER_INTERVAL_MS }: Settings) =>
  defineSchedule({ name: KIND, kind: KIND, everyMs: SCAN_SCHEDULER_INTERVAL_MS, payload: {} })

/** @returns how many schedules were due. */
async function beginDue({ runtime, read, write }: Job): Promise<number> {
  const due = await read((db) => {
    const { scanSchedules: t } = complianceTables(db)
    return db
      .select()
      .from(t)
      .where(and(eq(t.isActive, true), lte(t.nextRunAtMs, runtime.clock.now())))
      .orderBy(asc(t.nextRunAtMs), asc(t.id))
      .limit(BATCH)
  })
  for (const schedule of due) await write((each) => beginOne(runtime, each, schedule))
  return due.length
}

/** One transaction for each schedule, because schedules belong to different organizations. */
export async function beginOne(runtime: Job['runtime'], write: Write, schedule: ScheduleRow): Promise<void> {
  const { tx, nowMs } = write
  const { scanSchedules: t } = complianceTables(tx)
  const slotMs = schedule.nextRunAtMs
  if (slotMs === null) return
  const claimed = await tx
    .update(t)
    .set({ nextRunAtMs: nextRunOf(schedule, nowMs) })
    .where(
      and(
        eq(t.id, schedule.id),
        eq(t.isActive, true),
        eq(t.nextRunAtMs, slotMs),
        eq(t.cronExpression, schedule.cronExpression),
        eq(t.target, schedule.target),
      ),
    )
    .returning({ id: t.id })
  if (claimed.length === 0) return
  if (schedule.orgId === SYSTEM_ORG_ID && !runtime.settings.SYSTEM_ORG_SCANS_ENABLED) return
  // The schedule of a deleted organization misses its runs, and goes on when the organization is restored.
  if ((await findOrganization(tx, schedule.orgId))?.deletedAtMs !== null) return
  // guard: a-slot-has-one-scan-also-for-a-look-that-slept
  const scan = await openScan(runtime, write, {
    orgId: schedule.orgId,
    userId: null,
    target: schedule.target as ScanTarget,
    filter: null,
    dryRun: false,
    triggeredBy: 'scheduled',
    slotKey: `${schedule.id}@${slotMs}`,
  })
  if (scan === null) return
  // `lastRunAtMs` is when the scan started, which is later than the slot if slots were missed. A skipped slot is not a
  // run.
  await tx.update(t).set({ lastRunAtMs: nowMs }).where(eq(t.id, schedule.id))
  await write.audit('compliance.scan.create', {
    orgId: scan.orgId,
    targetType: 'scan',
    targetId: scan.id,
    details: { id: scan.id, name: scan.target, reason: 'scheduled' },
  })
}
