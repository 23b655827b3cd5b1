/** `GET /billing/invoices`: what was drawn, the newest first. */
import { eq } from 'drizzle-orm'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { listOf } from '../../runtime/operation/list.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { billingTables } from '../tables.js'
import { InvoiceView, presentInvoice } from './record.js'

const list = listOf({ key: 'invoices', item: InvoiceView, sortBy: ['createdAt'] })

export const listInvoices = query({
  name: 'billing.invoice.list',
  summary: 'List the invoices of the account',
  http: { method: 'get', path: '/billing/invoices' },
  access: permission('billing:read'),
  tenant: fromAccount,
  input: { query: list.query },
  output: list.output,
  errors: BILLING_ERRORS,
  async run(context, { query: asked }) {
    requireBilling(context.runtime)
    const { billingInvoices: t } = billingTables(context.db)
    return list.page(context.db, {
      table: t,
      where: eq(t.orgId, tenantId(context)),
      columns: { createdAt: t.createdAtMs },
      id: t.id,
      query: asked,
      present: presentInvoice,
    })
  },
})
