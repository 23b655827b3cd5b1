/** Invoices that are due and not paid. */
import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../runtime/store/db.js'
import type { BillingWriting } from '../account/writing.js'
import { billingTables, type InvoiceRow, type SubscriptionRow } from '../tables.js'
import { tellPaid } from './draw.js'

export async function openInvoices(db: Db, { orgId, id }: SubscriptionRow): Promise<InvoiceRow[]> {
  const { billingInvoices: t } = billingTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.subscriptionId, id), eq(t.status, 'open')))
    .orderBy(asc(t.createdAtMs), asc(t.id))
}

/** @returns whether there was any. */
export async function payInvoices(context: BillingWriting, row: SubscriptionRow): Promise<boolean> {
  const { tx } = context
  const { billingInvoices: t } = billingTables(tx)
  const due = await openInvoices(tx, row)
  for (const { id, totalCents, creditCents } of due) {
    await tx.update(t).set({ status: 'paid', amountPaidCents: totalCents }).where(eq(t.id, id))
    await tellPaid(context, row, { invoiceId: id, totalCents, creditCents })
  }
  return due.length > 0
}

export async function giveUpInvoices({ tx }: Pick<BillingWriting, 'tx'>, row: SubscriptionRow): Promise<void> {
  const { billingInvoices: t } = billingTables(tx)
  for (const { id } of await openInvoices(tx, row)) {
    await tx.update(t).set({ status: 'uncollectible' }).where(eq(t.id, id))
  }
}
