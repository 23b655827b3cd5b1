/** What a promotion really cost: the sums of the ledger and of purged accounts, compared with the counters. */
import { cents, type PromotionSpend, signedCents, spendOf } from '@plumbline/billing-core'
import { and, eq } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import { creditTables, type PromotionRow } from '../credit-tables.js'
import { toLedgerRow } from '../ledger/store.js'
import { billingTables } from '../tables.js'
import { toPromotion } from './record.js'

export async function readSpend(db: Db, row: PromotionRow): Promise<PromotionSpend> {
  const { billingCreditEntries: t } = billingTables(db)
  const { billingPromotionClosed: closed } = creditTables(db)
  const rows = await db
    .select()
    .from(t)
    .where(and(eq(t.type, 'grant'), eq(t.sourceId, `promo:${row.id}`)))
  const [gone] = await db.select().from(closed).where(eq(closed.promotionId, row.id))
  const spend = spendOf(toPromotion(row), rows.map(toLedgerRow))
  const committed = spend.committedCents + (gone?.spentCents ?? 0)
  return {
    ...spend,
    committedCents: cents(committed),
    committedGrants: spend.committedGrants + (gone?.grantsCount ?? 0),
    remainingBudgetCents: cents(Math.max(0, row.budgetCents - committed)),
    driftCents: signedCents(row.spentCents - committed),
  }
}
