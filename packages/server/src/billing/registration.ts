/** What the billing domain provides for exports, purges and erasures. */

import { eq } from 'drizzle-orm'
import { toIso } from '../runtime/clock.js'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import { exportOf, ownRows } from '../runtime/records/export.js'
import { findLive, toCore } from './account/subscription.js'
import { isPurchased } from './buyer/record.js'
import { creditTables } from './credit-tables.js'
import { presentInvoice } from './invoice/record.js'
import { purgeAccount } from './kept-invoice/purge-account.js'
import { marketplaceTables } from './marketplace-tables.js'
import { isFree } from './provider/things.js'
import { providerTables } from './provider-tables.js'
import { holdsPurge } from './subscription/leave-provider.js'
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
      'billing.purchases': async (db, orgId, after) =>
        (await ownRows(db, marketplaceTables(db).billingMarketplaceCustomers, orgId, after)).map((row) => {
          const { id, subscriptionId, productCode, customerIdentifier, licenseArn, entitlements } = row
          const facts = { id, subscriptionId, productCode, customerIdentifier, licenseArn, entitlements }
          return { key: id, row: { ...facts, createdAt: toIso(row.createdAtMs) } }
        }),
      'billing.metering': async (db, orgId, after) =>
        (await ownRows(db, marketplaceTables(db).billingMeteringHours, orgId, after)).map((row) => {
          const { id, subscriptionId, hour, status, plan, refused } = row
          const lines = plan.lines.map(({ dimension, units, withheldUnits, reportedUnits }) => ({
            ...{ dimension, units, withheldUnits, reportedUnits },
          }))
          return { key: id, row: { id, subscriptionId, hour, status, lines, refused } }
        }),
      'billing.alerts': async (db, orgId, after) =>
        (await ownRows(db, billingTables(db).billingAlerts, orgId, after)).map(
          ({ id, kind, thresholdCents, createdAtMs }) => ({
            key: id,
            row: { id, kind, thresholdCents, createdAt: toIso(createdAtMs) },
          }),
        ),
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
      'billing.purchases': 'billing:read',
      'billing.metering': 'billing:read',
      'billing.alerts': 'billing:read',
      'billing.events': 'billing:read',
    },
  ),
  purge: purgeAccount,
  holdsPurge,
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
    return 'the subscription of the account sets its tier: change the subscription'
  },
  async holdsOrganization(db, orgId) {
    if (await isPurchased(db, orgId)) return 'it has a purchase at the marketplace, which its buyer ends there'
    const row = await findLive(db, orgId)
    if (row === null || isFree(toCore(row))) return null
    return row.cancelAtPeriodEnd ? 'its subscription runs until the end of the period' : 'it has a paid subscription'
  },
}
