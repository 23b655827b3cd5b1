/** `GET /billing/admin/webhook-events`: what providers delivered, the newest first. */
import Type from 'typebox'
import { listForOperators } from '../newest-first.js'
import { providerTables } from '../provider-tables.js'
import { DeliveryStateName, DeliveryView, presentDelivery } from '../webhook/record.js'

export const listWebhookEvents = listForOperators({
  name: 'billing.webhook-event.list',
  summary: 'List what providers delivered',
  path: '/billing/admin/webhook-events',
  key: 'events',
  item: DeliveryView,
  filters: {
    state: Type.Optional(DeliveryStateName),
    type: Type.Optional(Type.String({ maxLength: 100, description: 'Such as `invoice.paid`' })),
    objectId: Type.Optional(
      Type.String({ maxLength: 100, description: "The provider's id of the object of the event" }),
    ),
  },
  rows(db) {
    const { billingWebhookEvents: t } = providerTables(db)
    const filters = { state: t.state, type: t.type, objectId: t.objectId }
    return { table: t, id: t.id, createdAt: t.receivedAtMs, filters }
  },
  present: presentDelivery,
})
