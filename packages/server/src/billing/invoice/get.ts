/** `GET /billing/invoices/:id`: as JSON, as a page or as PDF. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { billingTables } from '../tables.js'
import { InvoiceDocument, invoiceDocument } from './document.js'
import { invoicePage } from './page.js'
import { invoicePdf } from './pdf.js'

export const getInvoice = query({
  name: 'billing.invoice.get',
  summary: 'Read an invoice of the account',
  description:
    'JSON, or depending on `Accept` a page (`text/html`) or a PDF (`application/pdf`), with the same content.',
  http: { method: 'get', path: '/billing/invoices/:id' },
  access: permission('billing:read'),
  tenant: fromAccount,
  input: { path: Type.Object({ id: Uuid }) },
  output: InvoiceDocument,
  forms: { html: invoicePage, pdf: (document) => invoicePdf(document) },
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run(context, { path: { id } }) {
    requireBilling(context.runtime)
    const { billingInvoices: t } = billingTables(context.db)
    const [row] = await context.db
      .select()
      .from(t)
      .where(and(eq(t.orgId, tenantId(context)), eq(t.id, id)))
    if (row === undefined) throw notFound('Invoice')
    return invoiceDocument(context, row)
  },
})
