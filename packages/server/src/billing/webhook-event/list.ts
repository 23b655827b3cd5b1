/** `GET /billing/admin/webhook-events`: what providers delivered, the newest first. */
import { and } from 'drizzle-orm'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { providerTables } from '../provider-tables.js'
import type { DeliveryState } from '../webhook/delivery.js'
import { DeliveryStateName, DeliveryView, presentDelivery } from '../webhook/record.js'

const list = listOf({
  key: 'events',
  item: DeliveryView,
  filters: {
    state: Type.Optional(DeliveryStateName),
    type: Type.Optional(Type.String({ maxLength: 100, description: 'Such as `invoice.paid`' })),
    objectId: Type.Optional(
      Type.String({ maxLength: 100, description: "The provider's id of the object of the event" }),
    ),
  },
  sortBy: ['createdAt'],
})

export const listWebhookEvents = query({
  name: 'billing.webhook-event.list',
  summary: 'List what providers delivered',
  http: { method: 'get', path: '/billing/admin/webhook-events' },
  access: systemAdmin(),
  tenant: noTenant,
  input: { query: list.query },
  output: list.output,
  errors: BILLING_ERRORS,
  run: (context, { query: asked }) => page(context, asked),
})

interface Asked extends PageQuery {
  readonly state?: DeliveryState
  readonly type?: string
  readonly objectId?: string
}

async function page({ runtime, db }: ReadContext, asked: Asked) {
  requireBilling(runtime)
  const { billingWebhookEvents: t } = providerTables(db)
  const { state, type, objectId } = asked
  return list.page(db, {
    table: t,
    where: and(equals(t.state, state), equals(t.type, type), equals(t.objectId, objectId)),
    columns: { createdAt: t.receivedAtMs },
    id: t.id,
    query: asked,
    present: presentDelivery,
  })
}
