/** `GET /billing/invoices`: what was drawn, the newest first. */
import { listOfAccount } from '../newest-first.js'
import { billingTables } from '../tables.js'
import { InvoiceView, presentInvoice } from './record.js'

export const listInvoices = listOfAccount({
  name: 'billing.invoice.list',
  summary: 'List the invoices of the account',
  path: '/billing/invoices',
  key: 'invoices',
  item: InvoiceView,
  rows(db) {
    const { billingInvoices: t } = billingTables(db)
    return { table: t, id: t.id, createdAt: t.createdAtMs, orgId: t.orgId }
  },
  present: presentInvoice,
})
