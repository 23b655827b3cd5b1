/**
 * `POST /compliance/events/entity`: another system reports that a record of an organization changed. The record is
 * checked again at once under the organization of the event, as after a change on this server. A record that is stored
 * here is read again; for any other, the attributes of the event are used. An event counts once, and an event that is
 * older than the last one is dropped. Source: spec compliance 13.1.
 */
import type { Target as TargetName } from '@plumbline/engine'
import Type from 'typebox'
import { tenantKeyOf } from '../../identity/index.js'
import { invalidField } from '../../runtime/errors.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { scope } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { name } from '../../runtime/operation/name.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { CHECK_RESULTS, type CheckResult } from '../check/verdict.js'
import { announceCheck } from '../notice/announce.js'
import { evaluateEvent, recordEvent } from '../recheck/recheck.js'
import { Target } from '../rule/schema.js'

/** How far the clock of the sender may be ahead. An event from further in the future is a fault of the sender. */
const AHEAD_MS_MAX = 300_000

export const takeEvent = command({
  name: 'compliance.event.take',
  summary: 'Check a record of an organization again because it changed elsewhere',
  description:
    'For service principals. The server reads the stored record; it uses `attributes` only for a record that is not stored here. `processed` is false for an event that was processed before or is older than the last one of the record. After an error, the sender sends the event again.',
  http: { method: 'post', path: '/compliance/events/entity' },
  access: scope('compliance:events'),
  tenant: noTenant,
  audit: none('the check log is the record of a check'),
  input: {
    body: strictObject({
      eventId: Uuid,
      entityId: Uuid,
      orgId: Uuid,
      parentOrgId: Type.Optional({ ...nullable(Uuid), description: "Ignored: the organization's own value is used" }),
      target: Target,
      eventType: Type.Enum(['created', 'updated', 'deleted', 'restored']),
      userId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
      timestamp: Instant,
      entityName: Type.Optional(nullable(name(1, 255))),
      attributes: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { description: 'As rules read it' })),
    }),
  },
  output: strictObject({ processed: Type.Boolean(), result: nullable(Type.Enum([...CHECK_RESULTS])) }),
  errors: ['VALIDATION_ERROR'],
  async prepare(context, { body }) {
    const { runtime, nowMs, actor } = context
    const key = await tenantKeyOf(runtime.store, body.orgId)
    if (key === null) throw invalidField('/body/orgId', 'is not an organization', 'unknown_organization')
    const held = {
      orgId: body.orgId,
      parentOrgId: key.readableOrgIds.find((id) => id !== SYSTEM_ORG_ID && id !== body.orgId) ?? null,
    }
    const sentMs = Date.parse(body.timestamp)
    if (sentMs > nowMs + AHEAD_MS_MAX) {
      throw invalidField(
        '/body/timestamp',
        'is more than 5 minutes in the future: correct the clock of the sender',
        'future',
      )
    }
    // A change that this server makes next is newer than this event, even where the clock of the sender is ahead.
    const timestampMs = Math.min(sentMs, nowMs)
    const { eventId, entityId, orgId, eventType, attributes, entityName = null } = body
    const target = body.target as TargetName
    const event = { eventId, orgId, target, entityId, eventType, userId: body.userId ?? actor.id, timestampMs }
    const sent = attributes === undefined ? null : { name: entityName, attributes }
    return context.read((db) => evaluateEvent(db, runtime, held, event, nowMs, sent))
  },
  async run(context, _, rechecked) {
    const { tx, runtime, enqueue, nowMs } = context
    const recorded = await recordEvent(tx, runtime, rechecked, nowMs)
    if (recorded === false) return unchanged({ processed: false, result: null })
    if (recorded.isNews && rechecked.row !== null) {
      const told = await announceCheck(tx, runtime, rechecked.row)
      if (told !== null) await enqueue(told)
    }
    return changed({ processed: true, result: (rechecked.row?.result ?? null) as CheckResult | null })
  },
})
