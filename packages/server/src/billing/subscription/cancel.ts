/** `POST …/cancel` and `…/reactivate`: whether the subscription ends with the period. */
import { permission, withStepUp } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { command } from '../../runtime/operation/operation.js'
import { decideEnd, endOf } from './end.js'

export const cancelSubscription = command({
  ...endOf,
  name: 'billing.subscription.cancel',
  summary: 'End the subscription with its period',
  description: 'Until then nothing changes, and the subscription can be reactivated.',
  http: { method: 'post', path: '/billing/subscriptions/:id/cancel' },
  access: withStepUp(permission('billing:manage'), 'except-services'),
  run: (context, { path: { id } }) => decideEnd(context, tenantId(context), id, 'cancel'),
})
