/**
 * Draws an invoice: its rows, the credit that it uses, and the credit that it gives back. With the provider `stub`
 * nobody charges, and a drawn invoice counts as paid. Payments of a sandbox account fail while its clock says so.
 */
import { adjust, consume, type DrawnInvoice, ledgerKey, type PeriodBounds } from '@plumbline/billing-core'
import { paymentDeclined, paymentsFail } from '../account/decline.js'
import { at, toMs } from '../account/subscription.js'
import type { BillingWriting } from '../account/writing.js'
import { recordEvent } from '../event/record.js'
import { postEntry } from '../ledger/store.js'
import { notePayment } from '../referral/record.js'
import { billingTables, type SubscriptionRow } from '../tables.js'
import { linesOf } from './line.js'

export interface Invoicing {
  readonly drawn: DrawnInvoice
  /** Null for a change within a period. */
  readonly period: PeriodBounds | null
  /** The instant of the invoice: the boundary of a period, however late the roll is. */
  readonly atMs: number
  /** What happens when the payment is declined: the change is refused, or the invoice stays open and is due. */
  readonly whenDeclined: 'refuse' | 'open'
}

/**
 * @returns The subscription with its balance afterwards, the id of the invoice, and whether it is paid.
 * @throws Refusal 402 when the payment is declined and nothing may change then.
 */
export async function drawStubInvoice(
  context: BillingWriting,
  row: SubscriptionRow,
  { drawn, period, atMs, whenDeclined }: Invoicing,
): Promise<{ row: SubscriptionRow; invoiceId: string; isPaid: boolean }> {
  const { tx, runtime, nowMs } = context
  const isPaid = drawn.totalCents === 0 || !(await paymentsFail(tx, row.orgId, atMs))
  if (!isPaid && whenDeclined === 'refuse') throw paymentDeclined()
  const invoiceId = runtime.ids.next()
  const entry = { orgId: row.orgId, subscriptionId: row.id, at: at(atMs) }
  let next = row
  if (drawn.creditUsedCents > 0) {
    const dedupeKey = ledgerKey.invoice(invoiceId)
    const used = {
      ...entry,
      id: runtime.ids.next(),
      sourceId: 'provider',
      cents: drawn.creditUsedCents,
      dedupeKey,
    } as const
    next = await postEntry(context, next, dedupeKey, (ledger) => consume(ledger, used))
  }
  if (drawn.carriedCents > 0) {
    const dedupeKey = ledgerKey.invoiceAdjustment(invoiceId)
    const carried = { ...entry, id: runtime.ids.next(), cents: drawn.carriedCents, dedupeKey }
    next = await postEntry(context, next, dedupeKey, (ledger) => adjust(ledger, carried))
  }
  const { billingInvoices } = billingTables(tx)
  await tx.insert(billingInvoices).values({
    id: invoiceId,
    orgId: row.orgId,
    subscriptionId: row.id,
    source: 'stub',
    externalId: invoiceId,
    periodStartMs: period === null ? null : toMs(period.start),
    periodEndMs: period === null ? null : toMs(period.end),
    lines: linesOf(drawn.lines),
    subtotalCents: drawn.subtotalCents,
    creditCents: drawn.creditUsedCents,
    carriedCents: drawn.carriedCents,
    taxCents: 0,
    totalCents: drawn.totalCents,
    amountPaidCents: isPaid ? drawn.totalCents : 0,
    status: isPaid ? 'paid' : 'open',
    createdAtMs: nowMs,
  })
  if (isPaid)
    await tellPaid(context, row, { invoiceId, totalCents: drawn.totalCents, creditCents: drawn.creditUsedCents })
  return { row: next, invoiceId, isPaid }
}

export async function tellPaid(
  context: BillingWriting,
  { orgId, id: subscriptionId }: SubscriptionRow,
  details: { readonly invoiceId: string; readonly totalCents: number; readonly creditCents: number },
): Promise<void> {
  await recordEvent(context, { orgId, subscriptionId, type: 'payment_succeeded', details })
  await notePayment(context, orgId, details.totalCents)
}
