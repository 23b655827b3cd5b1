/** `GET /billing/events`: what happened to the account's subscription, the newest first. */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { billingTables } from '../tables.js'
import type { EventType } from './record.js'
import { EventTypeName, EventView, presentEvent } from './view.js'

const list = listOf({
  key: 'events',
  item: EventView,
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
    present: presentEvent,
  })
}
