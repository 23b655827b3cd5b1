/** `GET /billing/admin/kept-invoices`: the invoices of purged accounts, newest first. */
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { InvoiceView, presentInvoice } from '../invoice/record.js'
import { keptTables } from '../kept-tables.js'
import { listForOperators } from '../newest-first.js'

export const listKeptInvoices = listForOperators({
  name: 'billing.kept-invoice.list',
  summary: 'List the invoices of deleted accounts',
  description: 'An invoice is kept for ten years after the purge of its organization.',
  path: '/billing/admin/kept-invoices',
  key: 'invoices',
  item: strictObject({
    accountId: Uuid,
    customerName: Type.String(),
    closedAt: Instant,
    keptUntil: Instant,
    invoice: InvoiceView,
  }),
  filters: { accountId: Type.Optional(Uuid) },
  rows(db) {
    const { billingKeptInvoices: t } = keptTables(db)
    return { table: t, id: t.id, createdAt: t.createdAtMs, filters: { accountId: t.accountId } }
  },
  present: (row) => ({
    accountId: row.accountId,
    customerName: row.customerName,
    closedAt: toIso(row.closedAtMs),
    keptUntil: toIso(row.keptUntilMs),
    invoice: presentInvoice({ ...row, orgId: row.accountId }),
  }),
})
