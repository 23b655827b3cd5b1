/** A call to the provider in the API. */
import Type from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import type { CallRow } from '../provider-tables.js'
import { CALL_KINDS, CALL_STATES, type CallKind, type CallState, sentKey } from './wish.js'

export const CallStateName = Type.Enum([...CALL_STATES])

export const CallView = strictObject({
  id: Uuid,
  orgId: Uuid,
  subscriptionId: Uuid,
  kind: Type.Enum([...CALL_KINDS]),
  state: CallStateName,
  key: Type.String({ description: 'Its current idempotency key' }),
  attempts: Type.Integer({ minimum: 0 }),
  answer: nullable(strictObject({ code: Type.String(), message: Type.String() })),
  createdAt: Instant,
  firstSentAt: nullable(Instant),
  nextAt: Instant,
})

export const presentCall = (row: CallRow) => ({
  id: row.id,
  orgId: row.orgId,
  subscriptionId: row.subscriptionId,
  kind: row.kind as CallKind,
  state: row.state as CallState,
  key: sentKey(row),
  attempts: row.attempts,
  answer: row.answer === null ? null : { code: row.answer.code, message: row.answer.message },
  createdAt: toIso(row.createdAtMs),
  firstSentAt: toIsoOrNull(row.firstSentAtMs),
  nextAt: toIso(row.nextAtMs),
})
