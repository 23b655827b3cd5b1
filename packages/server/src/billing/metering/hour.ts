/** An hour of metering as it is stored, and as the rules see it. */
import type { MeteringHour } from '@plumbline/billing-core'
import { and, asc, eq, gt, ne, or } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { type HourRow, marketplaceTables } from '../marketplace-tables.js'
import type { Counted } from './units.js'

export const toHour = (row: HourRow): MeteringHour => ({
  orgId: row.orgId,
  subscriptionId: row.subscriptionId,
  hour: row.hour,
  plan: row.plan,
  outstanding: row.outstanding,
  refused: row.refused,
  status: row.status as MeteringHour['status'],
})

export const startOf = (hour: string): number => Date.parse(`${hour}:00:00.000Z`)

export async function findHour(db: Db, id: string): Promise<HourRow | null> {
  const { billingMeteringHours: t } = marketplaceTables(db)
  const [row] = await db.select().from(t).where(eq(t.id, id))
  return row ?? null
}

/** Returns the next hours for which answers of the marketplace are missing, oldest first. */
export async function openHours(db: Db, after: HourRow | null, count: number): Promise<HourRow[]> {
  const { billingMeteringHours: t } = marketplaceTables(db)
  const isLater =
    after === null ? undefined : or(gt(t.hour, after.hour), and(eq(t.hour, after.hour), gt(t.id, after.id)))
  return db
    .select()
    .from(t)
    .where(and(eq(t.status, 'open'), isLater))
    .orderBy(asc(t.hour), asc(t.id))
    .limit(count)
}

/** What the hours of the period counted. An hour that was refused or lapsed was not billed, so its units count again. */
export async function countedIn(db: Db, customerId: string, periodStartMs: number): Promise<Counted> {
  const { billingMeteringHours: t } = marketplaceTables(db)
  const rows = await db
    .select({ plan: t.plan })
    .from(t)
    .where(
      and(
        eq(t.customerId, customerId),
        eq(t.periodStartMs, periodStartMs),
        ne(t.status, 'refused'),
        ne(t.status, 'lapsed'),
      ),
    )
  const counted = new Map<string, number>()
  for (const { plan } of rows) {
    for (const { dimension, units } of plan.lines) counted.set(dimension, (counted.get(dimension) ?? 0) + units)
  }
  return counted
}
