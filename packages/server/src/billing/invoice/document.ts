/** An invoice as its reader gets it: one model for JSON, the page and the PDF. */
import { formatCents, signedCents } from '@plumbline/billing-core'
import Type, { type Static } from 'typebox'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { isSandbox } from '../account/open.js'
import type { InvoiceRow } from '../tables.js'
import { InvoiceView, presentInvoice } from './record.js'

export const InvoiceDocument = strictObject({
  invoice: InvoiceView,
  issuer: strictObject({ name: nullable(Type.String()), address: nullable(Type.String()) }),
  customer: strictObject({ id: Uuid, name: Type.String() }),
  sandbox: Type.Boolean({ description: 'Created by a test clock: nobody owes it' }),
})
export type InvoiceDocument = Static<typeof InvoiceDocument>

export async function invoiceDocument(context: ReadContext, row: InvoiceRow): Promise<InvoiceDocument> {
  const { settings } = context.runtime
  const orgId = tenantId(context)
  return {
    invoice: presentInvoice(row),
    issuer: { name: settings.BILLING_ISSUER_NAME, address: settings.BILLING_ISSUER_ADDRESS },
    customer: { id: orgId, name: context.authority.org?.name ?? orgId },
    sandbox: await isSandbox(context.db, orgId),
  }
}

export const money = (amount: number): string => formatCents(signedCents(amount)).replace('-', '−')
const day = (iso: string): string => iso.slice(0, 10)

type Pair = readonly [name: string, value: string]
const when = (is: boolean, ...pairs: readonly Pair[]): readonly Pair[] => (is ? pairs : [])

/** The texts that page and PDF write, in order. Both have the same words. */
export function textOf({ invoice, issuer, customer, sandbox }: InvoiceDocument) {
  const { periodStart, periodEnd } = invoice
  const isPaid = invoice.amountPaidCents === invoice.totalCents
  return {
    title: sandbox ? 'Test invoice' : 'Invoice',
    issuer: [issuer.name, issuer.address].filter((each) => each !== null),
    facts: [
      ...when(true, ['Invoice', invoice.id], ['Customer', customer.name], ['Account', customer.id]),
      ...when(true, ['Date', day(invoice.createdAt)]),
      ...when(periodStart !== null, ['Period', `${day(periodStart ?? '')} to ${day(periodEnd ?? '')}, without it`]),
      ...when(true, ['Status', invoice.status]),
    ],
    lines: invoice.lines.map(({ label, quantity, reason, cents }) => ({
      label: quantity === 1 ? label : `${label} × ${quantity}`,
      reason,
      amount: money(cents),
    })),
    sums: [
      ...when(true, ['Subtotal', money(invoice.subtotalCents)]),
      ...when(invoice.creditCents > 0, ['Credit used', money(-invoice.creditCents)]),
      ...when(invoice.taxCents > 0, ['Tax', money(invoice.taxCents)]),
      ...when(true, ['Total, US dollars', money(invoice.totalCents)]),
      ...when(!isPaid, ['Paid', money(invoice.amountPaidCents)]),
      ...when(invoice.carriedCents > 0, ['Given back as credit', money(invoice.carriedCents)]),
    ],
  }
}
