/** Purges an account: its spend and its invoices are kept, and the rest of its rows is deleted. */

import { and, eq, inArray, like, sql } from 'drizzle-orm'
import { Refusal } from '../../runtime/errors.js'
import type { Enqueue } from '../../runtime/operation/registration.js'
import type { Tx } from '../../runtime/store/db.js'
import { isPurchased } from '../buyer/record.js'
import { creditTables } from '../credit-tables.js'
import { marketplaceTables } from '../marketplace-tables.js'
import { promotionOf } from '../promotion/give.js'
import { providerTables } from '../provider-tables.js'
import { billingTables } from '../tables.js'
import { FORGET_CUSTOMER_KIND } from './forget-customer.js'
import { keepInvoices } from './keep.js'

const ROWS_AT_ONCE = 500

/**
 * Deletes the rows of an account in this transaction. Its customer at the provider stays known, for a later
 * subscription and for the purge; so does its trial, which it gets once.
 *
 * @throws Refusal 409 while a provider would continue to charge for what is deleted here.
 */
export async function forgetAccount(tx: Tx, orgId: string, nowMs: number): Promise<void> {
  const { billingProviderLinks: t } = providerTables(tx)
  const charged = await tx
    .select({ id: t.id })
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.isEnded, false)))
  // guard: what-is-charged-is-not-forgotten
  if (charged.length > 0) {
    throw new Refusal(
      'CONFLICT',
      'a provider charges the account: end its subscription at the provider, or cancel it and wait for its end',
    )
  }
  // guard: what-the-marketplace-charges-is-not-forgotten
  if (await isPurchased(tx, orgId)) {
    throw new Refusal('CONFLICT', 'the marketplace charges the account: its buyer ends the purchase there first')
  }
  const { billingAccounts } = billingTables(tx)
  const [account] = await tx.select().from(billingAccounts).where(eq(billingAccounts.orgId, orgId))
  while ((await purgeRows(tx, orgId, ROWS_AT_ONCE, nowMs)) > 0);
  // guard: a-removed-account-keeps-its-trial
  if (account === undefined || account.trialUsedAtMs === null) return
  await tx.insert(billingAccounts).values({ ...account, clockId: null, version: account.version + 1 })
}

/**
 * Deletes at most about `rowsMax` rows, and the customer at the provider last.
 *
 * @returns The number of deleted rows; 0 when nothing is left.
 */
export async function purgeAccount(
  tx: Tx,
  orgId: string,
  rowsMax: number,
  nowMs: number,
  enqueue: Enqueue,
): Promise<number> {
  const gone = await purgeRows(tx, orgId, rowsMax, nowMs)
  return gone > 0 ? gone : forgetCustomer(tx, orgId, enqueue)
}

/** Queues the deletion of the customer at the provider, which has a name, an address and a card. */
export async function forgetCustomer(tx: Tx, orgId: string, enqueue: Enqueue): Promise<number> {
  const { billingProviderCustomers: t } = providerTables(tx)
  const gone = await tx.delete(t).where(eq(t.orgId, orgId)).returning()
  for (const { provider, customerId } of gone) {
    const payload = { orgId, provider, customerId }
    await enqueue({ kind: FORGET_CUSTOMER_KIND, payload, uniqueKey: customerId })
  }
  return gone.length
}

async function purgeRows(tx: Tx, orgId: string, rowsMax: number, nowMs: number): Promise<number> {
  await closeSpend(tx, orgId)
  const kept = await keepInvoices(tx, orgId, rowsMax, nowMs)
  if (kept > 0) return kept
  const t = { ...billingTables(tx), ...creditTables(tx), ...providerTables(tx), ...marketplaceTables(tx) }
  const { billingReferrals } = t
  await tx.delete(billingReferrals).where(eq(billingReferrals.refereeOrgId, orgId))
  for (const table of [
    t.billingAlertFirings,
    t.billingAlerts,
    t.billingProviderCalls,
    t.billingProviderLinks,
    t.billingCreditHolds,
    t.billingMeteringHours,
    t.billingMarketplaceCustomers,
    t.billingEvents,
    t.billingRedemptions,
    t.billingClocks,
    t.billingCreditEntries,
    t.billingPeriodRolls,
    t.billingSubscriptions,
  ]) {
    const some = tx.select({ id: table.id }).from(table).where(eq(table.orgId, orgId)).limit(rowsMax)
    const gone = await tx.delete(table).where(inArray(table.id, some)).returning({ id: table.id })
    if (gone.length > 0) return gone.length
  }
  const { billingAccounts, billingEntitlementDrift: drift } = t
  await tx.delete(drift).where(eq(drift.orgId, orgId))
  return (await tx.delete(billingAccounts).where(eq(billingAccounts.orgId, orgId)).returning()).length
}

/**
 * What was granted to a purged account stays spent: the sums are kept and its rows are deleted. After that this adds
 * nothing.
 */
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
      .values({ promotionId: promotionOf(sourceId) ?? '', spentCents: kept, grantsCount: grants })
      .onConflictDoUpdate({
        target: closed.promotionId,
        set: { spentCents: sql`${closed.spentCents} + ${kept}`, grantsCount: sql`${closed.grantsCount} + ${grants}` },
      })
  }
}
