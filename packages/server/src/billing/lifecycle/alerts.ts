/**
 * Checks the alerts of an account whose money changed, and all alerts every hour, because figures also change with
 * time.
 */
import { and, asc, eq, gt, inArray, notExists } from 'drizzle-orm'
import Type from 'typebox'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { ALERTS_KIND } from '../account/alerts.js'
import { openAccount } from '../account/open.js'
import { LIVE } from '../account/subscription.js'
import { checkAlerts } from '../alert/check.js'
import { settlingIn } from '../call/job.js'
import { billingTables } from '../tables.js'
import { AT_ONCE, eachAccount, type Place } from './each-account.js'

const EVERY_MS = 3_600_000

export const alertsJob = defineJob({
  kind: ALERTS_KIND,
  payload: strictObject({ orgId: Type.Optional(Uuid) }),
  audit: none('the message is the record of what was told'),
  concurrency: 1,
  async run(context, payload) {
    if (!context.runtime.settings.BILLING_ENABLED) return
    const settling = settlingIn(context as Parameters<typeof settlingIn>[0])
    const look = (orgId: string) =>
      settling.write(async (writing) => {
        const { inTime, root } = await openAccount(writing, orgId)
        await checkAlerts(inTime, root)
      })
    if (payload.orgId !== undefined) return look(payload.orgId)
    await eachAccount(context, accountsWithAlerts, look)
  },
})

export const alertsSchedule = defineSchedule({ name: ALERTS_KIND, kind: ALERTS_KIND, everyMs: EVERY_MS, payload: {} })

/**
 * Subscriptions whose account has an alert. For an account with a test clock, time passes only when the clock is
 * advanced.
 */
async function accountsWithAlerts(db: Db, after: string): Promise<Place[]> {
  const { billingSubscriptions: s, billingAlerts: a, billingClocks: c } = billingTables(db)
  const alerted = db.select({ orgId: a.orgId }).from(a)
  const clocked = db.select({ id: c.id }).from(c).where(eq(c.orgId, s.orgId))
  return db
    .select({ id: s.id, orgId: s.orgId })
    .from(s)
    .where(and(inArray(s.orgId, alerted), inArray(s.status, [...LIVE]), gt(s.id, after), notExists(clocked)))
    .orderBy(asc(s.id))
    .limit(AT_ONCE)
}
