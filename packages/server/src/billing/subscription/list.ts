/** `GET /billing/admin/subscriptions`: the subscriptions of all accounts, the newest first. */
import Type from 'typebox'
import { Uuid } from '../../runtime/operation/schema.js'
import { presentSubscription, StatusName, SubscriptionView } from '../account/subscription.js'
import { listForOperators } from '../newest-first.js'
import { billingTables } from '../tables.js'

export const listSubscriptions = listForOperators({
  name: 'billing.subscription.list',
  summary: 'List the subscriptions of all accounts',
  path: '/billing/admin/subscriptions',
  key: 'subscriptions',
  item: SubscriptionView,
  filters: { status: Type.Optional(StatusName), orgId: Type.Optional(Uuid) },
  rows(db) {
    const { billingSubscriptions: t } = billingTables(db)
    return { table: t, id: t.id, createdAt: t.createdAtMs, filters: { status: t.status, orgId: t.orgId } }
  },
  present: (row, runtime) => presentSubscription(runtime, row),
})
