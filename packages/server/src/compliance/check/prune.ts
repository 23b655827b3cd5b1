/** The check log is kept for so many days; each day the older rows go, in batches. */
import { inArray, lt } from 'drizzle-orm'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { complianceTables } from '../tables.js'

const DAY_MS = 86_400_000
const BATCH = 5000

export const pruneChecksJob = defineJob({
  kind: 'compliance.prune-checks',
  payload: strictObject({}),
  audit: none('retention is a setting of the operator; the sealed sums of the log stay in the trail'),
  concurrency: 1,
  async run({ runtime, nowMs, signal, write }) {
    const beforeMs = nowMs - runtime.settings.COMPLIANCE_AUDIT_RETENTION_DAYS * DAY_MS
    for (let gone = BATCH; gone === BATCH && !signal.aborted; ) {
      gone = await write(async ({ tx }) => {
        const { checks: t } = complianceTables(tx)
        const due = tx.select({ id: t.id }).from(t).where(lt(t.createdAtMs, beforeMs)).limit(BATCH)
        return (await tx.delete(t).where(inArray(t.id, due)).returning({ id: t.id })).length
      })
    }
  },
})

export const pruneChecksSchedule = defineSchedule({
  name: pruneChecksJob.kind,
  kind: pruneChecksJob.kind,
  everyMs: DAY_MS,
  payload: {},
})
