/** `GET /billing/events`: what happened to the account's subscription, the newest first. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { toIso } from '../../runtime/clock.js'
import { permission } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { billingTables, type EventRow } from '../tables.js'
import { EVENT_TYPES, type EventType } from './record.js'

const EventTypeName = Type.Enum([...EVENT_TYPES])
const list = listOf({
  key: 'events',
  item: strictObject({
    id: Uuid,
    subscriptionId: nullable(Uuid),
    type: EventTypeName,
    actorId: nullable(Type.String()),
    details: Type.Record(Type.String(), Type.Unknown()),
    createdAt: Instant,
  }),
  filters: { type: Type.Optional(EventTypeName) },
  sortBy: ['createdAt'],
})

export const listEvents = query({
  name: 'billing.event.list',
  summary: 'List what happened to the subscription of the account',
  http: { method: 'get', path: '/billing/events' },
  access: permission('billing:read'),
  tenant: fromAccount,
  input: { query: list.query },
  output: list.output,
  errors: BILLING_ERRORS,
  run: (context, { query: asked }) => page(context, asked),
})

interface Asked extends PageQuery {
  readonly type?: EventType
}

async function page(context: ReadContext, asked: Asked) {
  requireBilling(context.runtime)
  const { billingEvents: t } = billingTables(context.db)
  const own = eq(t.orgId, tenantId(context))
  return list.page(context.db, {
    table: t,
    where: asked.type === undefined ? own : and(own, eq(t.type, asked.type)),
    columns: { createdAt: t.createdAtMs },
    id: t.id,
    query: asked,
    present,
  })
}

const present = ({ id, subscriptionId, type, actorId, details, createdAtMs }: EventRow) => ({
  id,
  subscriptionId,
  type: type as EventType,
  actorId,
  details,
  createdAt: toIso(createdAtMs),
})
