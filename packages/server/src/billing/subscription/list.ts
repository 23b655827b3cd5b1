/** `GET /billing/admin/subscriptions`: the subscriptions of all accounts, the newest first. */
import { and } from 'drizzle-orm'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { presentSubscription, StatusName, SubscriptionView } from '../account/subscription.js'
import { billingTables } from '../tables.js'

const list = listOf({
  key: 'subscriptions',
  item: SubscriptionView,
  filters: { status: Type.Optional(StatusName), orgId: Type.Optional(Uuid) },
  sortBy: ['createdAt'],
})

export const listSubscriptions = query({
  name: 'billing.subscription.list',
  summary: 'List the subscriptions of all accounts',
  http: { method: 'get', path: '/billing/admin/subscriptions' },
  access: systemAdmin(),
  tenant: noTenant,
  input: { query: list.query },
  output: list.output,
  errors: BILLING_ERRORS,
  run: (context, { query: asked }) => page(context, asked),
})

interface Asked extends PageQuery {
  readonly status?: string
  readonly orgId?: string
}

async function page({ runtime, db }: ReadContext, asked: Asked) {
  requireBilling(runtime)
  const { billingSubscriptions: t } = billingTables(db)
  return list.page(db, {
    table: t,
    where: and(equals(t.status, asked.status), equals(t.orgId, asked.orgId)),
    columns: { createdAt: t.createdAtMs },
    id: t.id,
    query: asked,
    present: (row) => presentSubscription(runtime, row),
  })
}
