/**
 * Notifications are kept as long as the check log. Each day the older ones are deleted, except those that wait for a
 * digest.
 */
import { and, inArray, lt, ne, notInArray, or } from 'drizzle-orm'
import { DAY_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { notificationTables } from '../tables.js'

const BATCH = 2000

export const pruneNotificationsJob = defineJob({
  kind: 'compliance.prune-notifications',
  payload: strictObject({}),
  audit: none('retention is a setting of the operator'),
  concurrency: 1,
  async run({ runtime, nowMs, signal, write }) {
    const beforeMs = nowMs - runtime.settings.COMPLIANCE_AUDIT_RETENTION_DAYS * DAY_MS
    for (let gone = BATCH; gone === BATCH && !signal.aborted; ) {
      gone = await write(async ({ tx }) => {
        const { notifications, deliveries, attempts } = notificationTables(tx)
        // An old delivery that was replayed, or is still pending, keeps its notification.
        const due = await tx
          .select({ id: deliveries.id })
          .from(deliveries)
          .where(
            and(
              lt(deliveries.updatedAtMs, beforeMs),
              or(ne(deliveries.channel, 'digest'), ne(deliveries.state, 'pending')),
            ),
          )
          .limit(BATCH)
        const ids = due.map(({ id }) => id)
        if (ids.length === 0) return 0
        await tx.delete(attempts).where(inArray(attempts.deliveryId, ids))
        await tx.delete(deliveries).where(inArray(deliveries.id, ids))
        const kept = tx.select({ id: deliveries.notificationId }).from(deliveries)
        const orphans = tx
          .select({ id: notifications.id })
          .from(notifications)
          .where(and(lt(notifications.createdAtMs, beforeMs), notInArray(notifications.id, kept)))
          .limit(BATCH)
        await tx.delete(notifications).where(inArray(notifications.id, orphans))
        return ids.length
      })
    }
  },
})

export const pruneNotificationsSchedule = defineSchedule({
  name: pruneNotificationsJob.kind,
  kind: pruneNotificationsJob.kind,
  everyMs: DAY_MS,
  payload: {},
})
