/** The lines of an invoice, each with the reason for its amount. What is stored is what was shown. */
import {
  cents,
  type DrawnInvoice,
  formatCents,
  type InvoiceLine,
  prorationReason,
  prorationStep,
} from '@plumbline/billing-core'
import Type from 'typebox'
import { strictObject } from '../../runtime/operation/schema.js'
import { MoneyCents } from '../account/subscription.js'
import { InvoiceLineView, type StoredLine } from '../invoice-line.js'

export const totalsOf = {
  subtotalCents: MoneyCents,
  creditCents: Type.Integer({ minimum: 0, description: 'US cents of credit that the invoice uses' }),
  carriedCents: Type.Integer({
    minimum: 0,
    description: 'US cents of refunds beyond the charges: they become credit',
  }),
  totalCents: MoneyCents,
  currency: Type.Literal('usd'),
}

export const DrawnInvoiceView = strictObject({ lines: Type.Array(InvoiceLineView), ...totalsOf })

export const linesOf = (lines: readonly InvoiceLine[]): StoredLine[] =>
  lines.map((line) => ({
    kind: line.kind,
    id: line.kind === 'credit' ? null : line.id,
    label: line.label,
    quantity: line.quantity,
    cents: line.cents,
    reason: reasonOf(line),
  }))

export const presentDrawn = (drawn: DrawnInvoice) => ({
  lines: linesOf(drawn.lines),
  subtotalCents: drawn.subtotalCents,
  creditCents: drawn.creditUsedCents,
  carriedCents: drawn.carriedCents,
  totalCents: drawn.totalCents,
  currency: 'usd' as const,
})

/** The whole price of an add-on: the same text in previews and on invoices. */
export function addonReason({ cents: whole, quantity }: { readonly cents: number; readonly quantity: number }): string {
  return `${formatCents(cents(whole))} = ${quantity} × ${formatCents(cents(whole / quantity))} for one period`
}

function reasonOf(line: InvoiceLine): string {
  switch (line.kind) {
    case 'plan':
      return 'the plan for one period'
    case 'addon':
      return addonReason(line)
    case 'proration':
      return prorationReason(prorationStep(line))
    case 'credit':
      return line.cents < 0 ? `${formatCents(line.cents)} of the credit` : 'given back beyond what is charged'
  }
}
