/** What subscriptions the account had before. */
import { and, eq, isNotNull } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { billingTables } from '../tables.js'

/** Whether the account ever had a subscription. Billing manages only such accounts. */
export async function hadSubscription(db: Db, rootOrgId: string): Promise<boolean> {
  const { billingSubscriptions: t } = billingTables(db)
  const rows = await db.select({ id: t.id }).from(t).where(eq(t.orgId, rootOrgId)).limit(1)
  return rows.length > 0
}

/** Whether one of them was in force. One that was never paid for and was superseded does not count. */
export async function hasBegun(db: Db, rootOrgId: string): Promise<boolean> {
  const { billingSubscriptions: t } = billingTables(db)
  const isOurs = and(eq(t.orgId, rootOrgId), isNotNull(t.begunAtMs))
  return (await db.select({ id: t.id }).from(t).where(isOurs).limit(1)).length > 0
}
