import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { decideEnd, endOf } from './end.js'

export const reactivateSubscription = command({
  ...endOf,
  name: 'billing.subscription.reactivate',
  summary: 'Reactivate a subscription that would end with its period',
  http: { method: 'post', path: '/billing/subscriptions/:id/reactivate' },
  access: permission('billing:manage'),
  statusOf: ({ subscription }) => (subscription.cancelAtPeriodEnd ? 202 : undefined),
  run: (context, { path: { id } }) => decideEnd(context, tenantId(context), id, 'reactivate'),
})
