/** Sets the clock of an account. */
import { eq } from 'drizzle-orm'
import type { Tx } from '../../runtime/store/db.js'
import { billingTables } from '../tables.js'

export async function attachClock(tx: Tx, rootOrgId: string, clockId: string): Promise<void> {
  const { billingAccounts: t } = billingTables(tx)
  await tx.update(t).set({ clockId }).where(eq(t.orgId, rootOrgId))
}
