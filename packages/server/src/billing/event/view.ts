/** An event on the wire. */
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { EventRow } from '../tables.js'
import { EVENT_TYPES, type EventType } from './record.js'

export const EventTypeName = Type.Enum([...EVENT_TYPES])

export const EventView = strictObject({
  id: Uuid,
  subscriptionId: nullable(Uuid),
  type: EventTypeName,
  actorId: nullable(Type.String()),
  details: Type.Record(Type.String(), Type.Unknown()),
  createdAt: Instant,
})

export const presentEvent = ({ id, subscriptionId, type, actorId, details, createdAtMs }: EventRow) => ({
  id,
  subscriptionId,
  type: type as EventType,
  actorId,
  details,
  createdAt: toIso(createdAtMs),
})
