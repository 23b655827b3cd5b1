/** How a delivery is named in a path. */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import type { Db } from '../../runtime/store/db.js'
import type { DeliveryRow } from '../provider-tables.js'
import { deliveryId, findDelivery } from '../webhook/delivery.js'

export const DeliveryPath = Type.Object({
  source: Type.String({ maxLength: 40, description: '`card_provider` or `marketplace`' }),
  eventId: Type.String({ maxLength: 255, description: "The provider's id of the event" }),
})

/** @throws Refusal 404 */
export async function requireDelivery(db: Db, path: { source: string; eventId: string }): Promise<DeliveryRow> {
  const row = await findDelivery(db, deliveryId(path.source, path.eventId))
  if (row === null) throw notFound('Webhook event')
  return row
}
