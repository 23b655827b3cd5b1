/** What services send to `POST /audit/events` (spec billing-audit 24). */
import Type, { type Static } from 'typebox'
import { Instant, strictObject } from '../../runtime/operation/schema.js'

const Text = (max: number) => Type.Optional(Type.String({ minLength: 1, maxLength: max }))

export const RemoteEvent = strictObject({
  action: Type.String({ minLength: 1, maxLength: 100, description: 'One of the actions that services may emit' }),
  actorId: Type.String({ minLength: 1, maxLength: 200 }),
  actorEmail: Text(320),
  orgId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: "The actor's organization" })),
  affectedOrgId: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'The organization acted on' })),
  targetType: Text(100),
  targetId: Text(500),
  groupId: Text(200),
  details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  ip: Text(64),
  userAgent: Text(1000),
  requestId: Text(128),
  traceId: Text(64),
  outcome: Type.Optional(Type.Enum(['success', 'failure'])),
  occurredAt: Type.Optional(Instant),
  idempotencyKey: Text(128),
  actorRole: Type.Optional(
    Type.String({ maxLength: 100, description: 'Accepted and ignored: a remote service cannot vouch for it' }),
  ),
  impersonatorId: Type.Optional(Type.String({ maxLength: 200, description: 'Accepted and ignored' })),
})
export type RemoteEvent = Static<typeof RemoteEvent>

export const BATCH_MAX = 100
export const RemoteBatch = strictObject({ events: Type.Array(RemoteEvent, { minItems: 1, maxItems: BATCH_MAX }) })

const seq = Type.Union([Type.Integer({ minimum: 1 }), Type.Null()], {
  description: 'Its number in the chain; null when it was not sealed within 2 s. The event is durable in both cases',
})

const dropped = Type.Array(Type.String(), {
  description: 'Keys of `details` that the action does not allow; they were not stored',
})

export const Accepted = strictObject({ id: Type.String(), seq, duplicate: Type.Boolean(), dropped })
export const BatchItem = strictObject({
  status: Type.Integer({ description: 'The status that a request with this event only would have had' }),
  id: Type.Optional(Type.String()),
  seq: Type.Optional(seq),
  duplicate: Type.Optional(Type.Boolean()),
  dropped: Type.Optional(dropped),
  code: Type.Optional(Type.String()),
  message: Type.Optional(Type.String()),
})
export const IngestAnswer = Type.Union([Accepted, strictObject({ results: Type.Array(BatchItem) })])
export type IngestAnswer = Static<typeof IngestAnswer>
