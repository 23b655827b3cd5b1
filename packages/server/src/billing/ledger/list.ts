/** `GET /billing/ledger`: the credit of the account, row by row, the newest first. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { billingTables } from '../tables.js'
import { LedgerRowView, presentEntry } from './record.js'

const list = listOf({
  key: 'entries',
  item: LedgerRowView,
  filters: { subscriptionId: Type.Optional(Uuid) },
  sortBy: ['createdAt'],
})

export const listLedger = query({
  name: 'billing.ledger.list',
  summary: 'List the credit ledger of the account',
  description: 'Rows are never changed or deleted: the sum of their cents is the balance.',
  http: { method: 'get', path: '/billing/ledger' },
  access: permission('billing:read'),
  tenant: fromAccount,
  input: { query: list.query },
  output: list.output,
  errors: BILLING_ERRORS,
  run: (context, { query: asked }) => page(context, asked),
})

interface Asked extends PageQuery {
  readonly subscriptionId?: string
}

async function page(context: ReadContext, asked: Asked) {
  requireBilling(context.runtime)
  const { billingCreditEntries: t } = billingTables(context.db)
  return list.page(context.db, {
    table: t,
    where: and(eq(t.orgId, tenantId(context)), equals(t.subscriptionId, asked.subscriptionId)),
    columns: { createdAt: t.grantedAtMs },
    id: t.id,
    query: asked,
    present: presentEntry,
  })
}
