/** What the billing domain gives to exports, purges and erasures, and what it holds. */
import { and, eq, inArray, like, sql } from 'drizzle-orm'
import { toIso } from '../runtime/clock.js'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import { exportOf, ownRows } from '../runtime/records/export.js'
import type { Tx } from '../runtime/store/db.js'
import { findLive } from './account/subscription.js'
import { creditTables } from './credit-tables.js'
import { presentInvoice } from './invoice/record.js'
import { providerTables } from './provider-tables.js'
import { billingTables } from './tables.js'

export const billingRegistration: DomainRegistration = {
  name: 'billing',
  ...exportOf(
    {
      'billing.subscriptions': async (db, orgId, after) =>
        (await ownRows(db, billingTables(db).billingSubscriptions, orgId, after)).map((row) => {
          const { id, planId, interval, status, addons, pendingChange, cancelAtPeriodEnd, balanceCents } = row
          const times = { createdAt: toIso(row.createdAtMs), currentPeriodEnd: toIso(row.currentPeriodEndMs) }
          const record = { id, planId, interval, status, addons, pendingChange, cancelAtPeriodEnd, ...times }
          return { key: id, row: { ...record, creditBalanceCents: balanceCents } }
        }),
      'billing.invoices': async (db, orgId, after) =>
        (await ownRows(db, billingTables(db).billingInvoices, orgId, after)).map((row) => ({
          key: row.id,
          row: presentInvoice(row),
        })),
      'billing.credits': async (db, orgId, after) =>
        (await ownRows(db, billingTables(db).billingCreditEntries, orgId, after)).map((row) => {
          const { id, subscriptionId, seq, type, sourceId, cents, remainingCents, reversedCents, state, dedupeKey } =
            row
          const amounts = { cents, remainingCents, reversedCents }
          const facts = { id, subscriptionId, seq, type, sourceId, ...amounts, state, dedupeKey }
          return { key: id, row: { ...facts, grantedAt: toIso(row.grantedAtMs) } }
        }),
      'billing.events': async (db, orgId, after) =>
        (await ownRows(db, billingTables(db).billingEvents, orgId, after)).map(({ createdAtMs, ...row }) => ({
          key: row.id,
          row: { ...row, createdAt: toIso(createdAtMs) },
        })),
    },
    {
      'billing.subscriptions': 'billing:read',
      'billing.invoices': 'billing:read',
      'billing.credits': 'billing:read',
      'billing.events': 'billing:read',
    },
  ),
  async purge(tx, orgId, rowsMax) {
    await closeSpend(tx, orgId)
    const t = { ...billingTables(tx), ...creditTables(tx), ...providerTables(tx) }
    const { billingReferrals } = t
    await tx.delete(billingReferrals).where(eq(billingReferrals.refereeOrgId, orgId))
    for (const table of [
      t.billingProviderCalls,
      t.billingProviderLinks,
      t.billingEvents,
      t.billingRedemptions,
      t.billingClocks,
      t.billingCreditEntries,
      t.billingInvoices,
      t.billingPeriodRolls,
      t.billingSubscriptions,
    ]) {
      const some = tx.select({ id: table.id }).from(table).where(eq(table.orgId, orgId)).limit(rowsMax)
      const gone = await tx.delete(table).where(inArray(table.id, some)).returning({ id: table.id })
      if (gone.length > 0) return gone.length
    }
    const { billingAccounts, billingProviderCustomers: customers } = t
    await tx.delete(customers).where(eq(customers.orgId, orgId))
    return (await tx.delete(billingAccounts).where(eq(billingAccounts.orgId, orgId)).returning()).length
  },
  async erase(tx, userId) {
    const { billingEvents, billingCreditEntries } = billingTables(tx)
    const { billingDiscounts, billingPromotions } = creditTables(tx)
    const { billingProviderCalls: calls } = providerTables(tx)
    await tx.update(calls).set({ actorId: null }).where(eq(calls.actorId, userId))
    await tx.update(billingDiscounts).set({ createdBy: null }).where(eq(billingDiscounts.createdBy, userId))
    await tx.update(billingPromotions).set({ createdBy: null }).where(eq(billingPromotions.createdBy, userId))
    await tx.update(billingEvents).set({ actorId: null }).where(eq(billingEvents.actorId, userId))
    await tx.update(billingCreditEntries).set({ actorId: null }).where(eq(billingCreditEntries.actorId, userId))
  },
  usage: {},
  async *blobs() {},
  async holdsTier(db, rootOrgId) {
    if ((await findLive(db, rootOrgId)) === null) return null
    return 'the account has a subscription, which says its tier: change the subscription'
  },
  async holdsOrganization(db, orgId) {
    const row = await findLive(db, orgId)
    if (row === null || row.planId === 'developer') return null
    return row.cancelAtPeriodEnd ? 'its subscription runs until the end of the period' : 'it has a paid subscription'
  },
}

/** What a purged account was granted stays spent: the sums are kept, its rows go. Once they are gone this adds nothing. */
async function closeSpend(tx: Tx, orgId: string): Promise<void> {
  const { billingCreditEntries: entries } = billingTables(tx)
  const { billingPromotionClosed: closed } = creditTables(tx)
  const rows = await tx
    .delete(entries)
    .where(and(eq(entries.orgId, orgId), eq(entries.type, 'grant'), like(entries.sourceId, 'promo:%')))
    .returning()
  for (const { sourceId, cents, reversedCents } of rows) {
    const kept = cents - reversedCents
    const grants = kept > 0 ? 1 : 0
    await tx
      .insert(closed)
      .values({ promotionId: sourceId.slice('promo:'.length), spentCents: kept, grantsCount: grants })
      .onConflictDoUpdate({
        target: closed.promotionId,
        set: { spentCents: sql`${closed.spentCents} + ${kept}`, grantsCount: sql`${closed.grantsCount} + ${grants}` },
      })
  }
}
