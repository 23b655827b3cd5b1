/** `GET /compliance/notification-log`: every attempt to notify the organization (spec compliance 14). */
import { and, eq, inArray, type SQL } from 'drizzle-orm'
import Type, { type Static } from 'typebox'
import { toIso, toIsoOrNull } from '../../runtime/clock.js'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { equals, within } from '../../runtime/operation/filters.js'
import { countRows, listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromHeader, query } from '../../runtime/operation/operation.js'
import { Begin, End, periodOf } from '../../runtime/operation/period.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { EVENTS } from '../../runtime/records/notification.js'
import type { Db } from '../../runtime/store/db.js'
import { CHANNELS, STATUSES } from '../delivery/attempt.js'
import { type AttemptRow, type NotificationRow, notificationTables } from '../tables.js'

const Event = Type.Enum([...EVENTS])
const Channel = Type.Enum([...CHANNELS])
const Status = Type.Enum([...STATUSES])

export const LogEntry = strictObject({
  id: Uuid,
  orgId: Uuid,
  eventId: Type.String({ description: '`id` in the payload' }),
  deliveryId: Type.String({ description: 'The same in every attempt of a delivery; webhooks send it to receivers' }),
  event: Event,
  channel: Channel,
  status: Status,
  attempt: Type.Integer({ minimum: 1 }),
  payload: Type.Record(Type.String(), Type.Unknown()),
  responseCode: nullable(Type.Integer()),
  error: nullable(Type.String()),
  nextRetryAt: nullable(Instant),
  relatedAuditId: nullable(Type.String({ description: 'The entry of the check log' })),
  createdAt: Instant,
})
export type LogEntry = Static<typeof LogEntry>

interface Joined {
  readonly attempt: AttemptRow
  readonly payload: NotificationRow['payload']
  readonly relatedCheckId: string | null
}

export const logEntry = ({ attempt, payload, relatedCheckId }: Joined): LogEntry => {
  const { notificationId, nextRetryAtMs, createdAtMs, ...row } = attempt
  return {
    ...row,
    event: row.event as LogEntry['event'],
    channel: row.channel as LogEntry['channel'],
    status: row.status as LogEntry['status'],
    eventId: notificationId,
    payload: { ...payload },
    nextRetryAt: toIsoOrNull(nextRetryAtMs),
    relatedAuditId: relatedCheckId,
    createdAt: toIso(createdAtMs),
  }
}

/** Attempts with the payload of their notification. */
export function selectLog(db: Db) {
  const { attempts: t, notifications } = notificationTables(db)
  return db
    .select({ attempt: t, payload: notifications.payload, relatedCheckId: notifications.relatedCheckId })
    .from(t)
    .innerJoin(notifications, and(eq(notifications.id, t.notificationId), eq(notifications.orgId, t.orgId)))
}

const Filters = Type.Object({
  event: Type.Optional(Event),
  channel: Type.Optional(Channel),
  status: Type.Optional(Status),
  eventId: Type.Optional(Uuid),
  deliveryId: Type.Optional(Uuid),
  relatedAuditId: Type.Optional(Uuid),
  dateFrom: Type.Optional(Begin),
  dateTo: Type.Optional(End),
})
type Filters = Static<typeof Filters>

const list = listOf({ key: 'entries', item: LogEntry, sortBy: ['createdAt'], filters: Filters.properties })

export const listNotificationLog = query({
  name: 'notification.notification-log.list',
  summary: 'List the attempts to notify the organization, the newest first',
  description:
    'An attempt of status `pending` is running; one of channel `digest` waits for its window. `retrying` failed and is retried at `nextRetryAt`.',
  http: { method: 'get', path: '/compliance/notification-log' },
  access: permission('compliance:read'),
  tenant: fromHeader,
  snapshot: true,
  input: { query: list.query },
  output: list.output,
  errors: ['VALIDATION_ERROR'],
  async run({ db, ...context }, { query: asked }) {
    const wanted: Filters & PageQuery = asked
    const { attempts: t } = notificationTables(db)
    const orgId = tenantId(context)
    // guard: the-log-of-the-own-organization
    const where = and(eq(t.orgId, orgId), ...conditions(db, orgId, wanted))
    return list.rows({
      columns: { createdAt: t.createdAtMs },
      id: t.id,
      query: wanted,
      fetch: ({ after, orderBy, limit, offset }) =>
        selectLog(db)
          .where(and(where, after))
          .orderBy(...orderBy)
          .limit(limit)
          .offset(offset),
      count: (atMost) => countRows(db, t, where, atMost),
      place: ({ attempt }) => ({ value: attempt.createdAtMs, id: attempt.id }),
      present: logEntry,
    })
  },
})

function conditions(db: Db, orgId: string, wanted: Filters): (SQL | undefined)[] {
  const { attempts: t, notifications } = notificationTables(db)
  const { from, to } = periodOf(wanted, 'dateFrom', 'dateTo')
  const { relatedAuditId } = wanted
  return [
    equals(t.event, wanted.event),
    equals(t.channel, wanted.channel),
    equals(t.status, wanted.status),
    equals(t.notificationId, wanted.eventId),
    equals(t.deliveryId, wanted.deliveryId),
    relatedAuditId === undefined
      ? undefined
      : inArray(
          t.notificationId,
          db
            .select({ id: notifications.id })
            .from(notifications)
            .where(and(eq(notifications.orgId, orgId), eq(notifications.relatedCheckId, relatedAuditId))),
        ),
    within(t.createdAtMs, from, to),
  ]
}
