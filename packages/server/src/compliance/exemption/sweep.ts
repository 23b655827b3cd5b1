/** Stores the end of exemptions whose expiry has passed. */
import { and, inArray, isNotNull, lte } from 'drizzle-orm'
import { HOUR_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { complianceTables } from '../tables.js'

const BATCH = 1000

export const expireExemptionsJob = defineJob({
  kind: 'compliance.expire-exemptions',
  payload: strictObject({}),
  audit: none('the end was decided when the exemption was approved, which is in the trail'),
  concurrency: 1,
  async run({ nowMs, signal, write }) {
    for (let ended = BATCH; ended === BATCH && !signal.aborted; ) {
      ended = await write(async ({ tx }) => {
        const { exemptions: t } = complianceTables(tx)
        const due = tx
          .select({ id: t.id })
          .from(t)
          .where(and(isNotNull(t.openKey), lte(t.expiresAtMs, nowMs)))
          .limit(BATCH)
        const rows = await tx
          .update(t)
          .set({ status: 'expired', openKey: null, updatedAtMs: nowMs })
          .where(inArray(t.id, due))
          .returning({ id: t.id })
        return rows.length
      })
    }
  },
})

export const expireExemptionsSchedule = defineSchedule({
  name: expireExemptionsJob.kind,
  kind: expireExemptionsJob.kind,
  everyMs: HOUR_MS,
  payload: {},
})
