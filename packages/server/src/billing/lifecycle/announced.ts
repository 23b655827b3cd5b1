/**
 * Grants the credit of periods whose invoices the provider has announced, to one account or to all, when they earned some
 * since the announcement. What an announced invoice uses of credit must be at the provider before it is drawn.
 */
import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import Type from 'typebox'
import { defineJob } from '../../runtime/jobs/define.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { ANNOUNCED_KIND } from '../account/announced.js'
import { openAccount } from '../account/open.js'
import { findLive, LIVE } from '../account/subscription.js'
import { SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { checkAlerts } from '../alert/check.js'
import { settlingIn } from '../call/job.js'
import { grantAnnounced } from '../follow/period.js'
import { findLink } from '../provider/link.js'
import { providerTables } from '../provider-tables.js'
import { billingTables } from '../tables.js'
import { AT_ONCE, eachAccount, type Place } from './each-account.js'

export const announcedJob = defineJob({
  kind: ANNOUNCED_KIND,
  payload: strictObject({ orgId: Type.Optional(Uuid) }),
  audit: SUBSCRIPTION_ACTIONS,
  concurrency: 1,
  async run(context, { orgId: only }) {
    if (!context.runtime.settings.BILLING_ENABLED) return
    const settling = settlingIn(context)
    const credit = (orgId: string) =>
      settling.write(async (writing) => {
        const { inTime, root } = await openAccount(writing, orgId)
        const row = await findLive(inTime.tx, root.id)
        const link = row === null ? null : await findLink(inTime.tx, row.id)
        if (row === null || link === null) return
        const next = await grantAnnounced(inTime, row, link)
        if (next !== row) await checkAlerts(inTime, root)
      })
    if (only !== undefined) return credit(only)
    const { nowMs } = context
    await eachAccount(context, (db, after) => announcedAccounts(db, after, nowMs), credit)
  },
})

async function announcedAccounts(db: Db, after: string, nowMs: number): Promise<Place[]> {
  const { billingSubscriptions: s } = billingTables(db)
  const { billingProviderLinks: l } = providerTables(db)
  return db
    .select({ id: s.id, orgId: s.orgId })
    .from(s)
    .innerJoin(l, eq(l.id, s.id))
    .where(and(inArray(s.status, [...LIVE]), gt(l.announcedPeriodStartMs, nowMs), gt(s.id, after)))
    .orderBy(asc(s.id))
    .limit(AT_ONCE)
}
