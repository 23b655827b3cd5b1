/** Whether the account ever had a subscription. Billing manages only such accounts. */
import { eq } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { billingTables } from '../tables.js'

export async function hadSubscription(db: Db, rootOrgId: string): Promise<boolean> {
  const { billingSubscriptions: t } = billingTables(db)
  const rows = await db.select({ id: t.id }).from(t).where(eq(t.orgId, rootOrgId)).limit(1)
  return rows.length > 0
}
