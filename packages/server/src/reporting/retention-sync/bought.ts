/** The retention that an account bought with add-ons. Billing tells it in the transaction of the change. */
import { eq } from 'drizzle-orm'
import type { Runtime } from '../../runtime/operation/context.js'
import type { BoughtRetention, ReportRetentionPort } from '../../runtime/records/report-retention.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import {
  defaultRetention,
  inForce,
  putRetention,
  type Retention,
  type RetentionRow,
  retentionAfter,
} from '../retention.js'
import { reportingTables } from '../tables.js'

export const boughtRetention = (runtime: Runtime): ReportRetentionPort => ({
  follow: (tx, rootOrgId, bought) => follow(tx, runtime, rootOrgId, bought),
  async compare(db, rootOrgId, bought) {
    const stored = await storedOf(db, rootOrgId)
    const expected = wantedOf(runtime, stored, bought) ?? defaultRetention(runtime)
    if (stored === null) return { expected, inForce: defaultRetention(runtime) }
    const { eventDays, factDays, laterEventDays, laterFactDays } = stored
    return { expected, inForce: { eventDays: laterEventDays ?? eventDays, factDays: laterFactDays ?? factDays } }
  },
})

async function storedOf(db: Db, rootOrgId: string): Promise<RetentionRow | null> {
  const { reportRetention: t } = reportingTables(db)
  const [row] = await db.select().from(t).where(eq(t.orgId, rootOrgId))
  return row ?? null
}

/** Null when the days of the settings apply, because there is no add-on, now or before. */
function wantedOf(
  runtime: Runtime,
  before: RetentionRow | null,
  { eventDays, factDays, isExtended }: BoughtRetention,
): Retention | null {
  if (before === null && !isExtended) return null
  const least = defaultRetention(runtime)
  return { eventDays: longer(least.eventDays, eventDays), factDays: longer(least.factDays, factDays) }
}

async function follow(tx: Tx, runtime: Runtime, rootOrgId: string, bought: BoughtRetention): Promise<void> {
  const before = await storedOf(tx, rootOrgId)
  const wanted = wantedOf(runtime, before, bought)
  if (wanted === null) return
  const nowMs = runtime.clock.now()
  const current = before === null ? defaultRetention(runtime) : inForce(before, nowMs)
  const next = retentionAfter(current, before, wanted, nowMs)
  await putRetention(tx, rootOrgId, next, { watermarkMs: Math.max(nowMs, before?.watermarkMs ?? 0), nowMs })
}

const longer = (one: number, other: number): number => (one === -1 || other === -1 ? -1 : Math.max(one, other))
