/** A delivery in the API. It never contains the text. */
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { Instant, nullable, strictObject } from '../../runtime/operation/schema.js'
import type { DeliveryRow } from '../provider-tables.js'
import { DELIVERY_STATES, type DeliveryState } from './delivery.js'

export const DeliveryStateName = Type.Enum([...DELIVERY_STATES])

export const DeliveryView = strictObject({
  source: Type.String(),
  eventId: Type.String(),
  type: Type.String(),
  objectId: Type.String(),
  state: DeliveryStateName,
  effect: nullable(Type.String({ description: 'What it did, why it did nothing, or how it failed' })),
  attempts: Type.Integer({ minimum: 1 }),
  canReplay: Type.Boolean({ description: 'Its text is kept for 30 days' }),
  sentAt: Instant,
  receivedAt: Instant,
  doneAt: nullable(Instant),
})

export const presentDelivery = (row: DeliveryRow) => ({
  source: row.source,
  eventId: row.eventId,
  type: row.type,
  objectId: row.objectId,
  state: row.state as DeliveryState,
  effect: row.effect,
  attempts: row.attempts,
  canReplay: row.payload !== null,
  sentAt: toIso(row.sentAtMs),
  receivedAt: toIso(row.receivedAtMs),
  doneAt: toIsoOrNull(row.doneAtMs),
})
