/**
 * Whether payments of a sandbox account fail. Its test clock says from when until when. With the provider `stub` no
 * other payment fails.
 */
import { eq } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import { billingTables, type ClockRow } from '../tables.js'

export async function findClock(db: Db, rootOrgId: string): Promise<ClockRow | null> {
  const { billingClocks: t } = billingTables(db)
  const [clock] = await db.select().from(t).where(eq(t.orgId, rootOrgId))
  return clock ?? null
}

export async function paymentsFail(db: Db, rootOrgId: string, atMs: number): Promise<boolean> {
  const clock = await findClock(db, rootOrgId)
  if (clock === null || clock.failFromMs === null || atMs < clock.failFromMs) return false
  return clock.failUntilMs === null || atMs < clock.failUntilMs
}

export const paymentDeclined = (): Refusal =>
  new Refusal('PAYMENT_FAILED', 'the payment was declined by the test clock: nothing was changed', {
    details: { providerCode: 'card_declined' },
  })
