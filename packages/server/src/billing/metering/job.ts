/** Freezes the hours that began, reports open hours, and deletes hours that are no longer needed. */
import { and, asc, gt, isNotNull, lt, lte } from 'drizzle-orm'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Settings } from '../../runtime/settings/load.js'
import type { Db } from '../../runtime/store/db.js'
import { apart } from '../account/apart.js'
import { lockRoot, SUBSCRIPTION_ACTIONS } from '../account/writing.js'
import { findPurchase } from '../buyer/record.js'
import { settlingIn } from '../call/job.js'
import { marketplaceTables } from '../marketplace-tables.js'
import { freezeHours } from './freeze.js'
import { reportHours } from './report.js'

const KIND = 'billing.metering'
const AT_ONCE = 100
/** Longer than any billing period. */
const KEPT_MS = 400 * 86_400_000

export const meteringJob = defineJob({
  kind: KIND,
  payload: strictObject({}),
  audit: SUBSCRIPTION_ACTIONS,
  concurrency: 1,
  async run(context) {
    const { runtime, read, write, signal } = context
    const { BILLING_ENABLED, BILLING_PROVIDER, BILLING_METERING_ENABLED } = runtime.settings
    if (!BILLING_ENABLED || BILLING_PROVIDER !== 'marketplace' || !BILLING_METERING_ENABLED) return
    const settling = settlingIn(context)
    for (let after = ''; ; ) {
      const due = await read((db) => dueAfter(db, after, runtime.clock.now()))
      for (const { id, orgId } of due) {
        if (signal.aborted) return
        await apart(runtime, orgId, () =>
          settling.write(async (writing) => {
            const root = await lockRoot(writing, orgId)
            const purchase = await findPurchase(writing.tx, id)
            if (purchase !== null && purchase.orgId === orgId) await freezeHours(writing, root, purchase)
          }),
        )
      }
      const last = due.at(-1)
      if (last === undefined || due.length < AT_ONCE) break
      after = last.id
    }
    await reportHours(settling, signal)
    await write(async ({ tx, nowMs }) => {
      const { billingMeteringHours: t } = marketplaceTables(tx)
      await tx.delete(t).where(lt(t.endedAtMs, nowMs - KEPT_MS))
    })
  },
})

export const meteringSchedule = ({ BILLING_METERING_INTERVAL_MS }: Pick<Settings, 'BILLING_METERING_INTERVAL_MS'>) =>
  defineSchedule({ name: KIND, kind: KIND, everyMs: BILLING_METERING_INTERVAL_MS, payload: {} })

async function dueAfter(db: Db, after: string, nowMs: number): Promise<{ id: string; orgId: string }[]> {
  const { billingMarketplaceCustomers: t } = marketplaceTables(db)
  return db
    .select({ id: t.id, orgId: t.orgId })
    .from(t)
    .where(and(gt(t.id, after), isNotNull(t.subscriptionId), lte(t.meteredFromMs, nowMs)))
    .orderBy(asc(t.id))
    .limit(AT_ONCE)
}
