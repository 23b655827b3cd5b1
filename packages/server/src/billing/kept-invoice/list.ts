/** `GET /billing/admin/kept-invoices`: the invoices of purged accounts, newest first. */
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { Instant, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { InvoiceView, presentInvoice } from '../invoice/record.js'
import { type KeptInvoiceRow, keptTables } from '../kept-tables.js'

const list = listOf({
  key: 'invoices',
  item: strictObject({
    accountId: Uuid,
    customerName: Type.String(),
    closedAt: Instant,
    keptUntil: Instant,
    invoice: InvoiceView,
  }),
  filters: { accountId: Type.Optional(Uuid) },
  sortBy: ['createdAt'],
})

export const listKeptInvoices = query({
  name: 'billing.kept-invoice.list',
  summary: 'List the invoices of deleted accounts',
  description: 'An invoice is kept for ten years after the purge of its organization.',
  http: { method: 'get', path: '/billing/admin/kept-invoices' },
  access: systemAdmin(),
  tenant: noTenant,
  input: { query: list.query },
  output: list.output,
  errors: BILLING_ERRORS,
  run: (context, { query: asked }) => page(context, asked),
})

interface Asked extends PageQuery {
  readonly accountId?: string
}

async function page({ runtime, db }: ReadContext, asked: Asked) {
  requireBilling(runtime)
  const { billingKeptInvoices: t } = keptTables(db)
  return list.page(db, {
    table: t,
    where: equals(t.accountId, asked.accountId),
    columns: { createdAt: t.createdAtMs },
    id: t.id,
    query: asked,
    present,
  })
}

const present = (row: KeptInvoiceRow) => ({
  accountId: row.accountId,
  customerName: row.customerName,
  closedAt: toIso(row.closedAtMs),
  keptUntil: toIso(row.keptUntilMs),
  invoice: presentInvoice({ ...row, orgId: row.accountId }),
})
