/** The retention that an account bought with add-ons. Billing tells it in the transaction of the change. */
import { eq } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { BoughtRetention, ReportRetentionPort } from '../../runtime/records/report-retention.js'
import type { Tx } from '../../runtime/store/db.js'
import { defaultRetention, inForce, putRetention, type Retention, retentionAfter } from '../retention.js'
import { reportingTables } from '../tables.js'

export const boughtRetention = (runtime: Runtime): ReportRetentionPort => ({
  follow: (tx, rootOrgId, bought) => follow(tx, runtime, rootOrgId, bought),
})

async function follow(
  tx: Tx,
  runtime: Runtime,
  rootOrgId: string,
  { eventDays, factDays, isExtended }: BoughtRetention,
): Promise<void> {
  const { reportRetention: t } = reportingTables(tx)
  const [before] = await tx.select().from(t).where(eq(t.orgId, rootOrgId))
  // Without an add-on, now or before, the days of the settings apply.
  if (before === undefined && !isExtended) return
  const nowMs = runtime.clock.now()
  const least = defaultRetention(runtime)
  const wanted: Retention = {
    eventDays: longer(least.eventDays, eventDays),
    factDays: longer(least.factDays, factDays),
  }
  const next = retentionAfter(before === undefined ? least : inForce(before, nowMs), before ?? null, wanted, nowMs)
  await putRetention(tx, rootOrgId, next, { watermarkMs: Math.max(nowMs, before?.watermarkMs ?? 0), nowMs })
}

const longer = (one: number, other: number): number => (one === -1 || other === -1 ? -1 : Math.max(one, other))
