/** `GET /billing/admin/webhook-events/:source/:eventId`: one delivery and its result. */
import { systemAdmin } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { DeliveryView, presentDelivery } from '../webhook/record.js'
import { DeliveryPath, requireDelivery } from './path.js'

export const getWebhookEvent = query({
  name: 'billing.webhook-event.get',
  summary: 'Read a delivery and its result',
  http: { method: 'get', path: '/billing/admin/webhook-events/:source/:eventId' },
  access: systemAdmin(),
  tenant: noTenant,
  input: { path: DeliveryPath },
  output: strictObject({ event: DeliveryView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run({ runtime, db }, { path }) {
    requireBilling(runtime)
    return { event: presentDelivery(await requireDelivery(db, path)) }
  },
})
