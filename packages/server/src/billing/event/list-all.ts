/** `GET /billing/admin/events`: what happened to the subscriptions of all accounts, the newest first. */
import { and } from 'drizzle-orm'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { billingTables } from '../tables.js'
import type { EventType } from './record.js'
import { EventTypeName, EventView, presentEvent } from './view.js'

const list = listOf({
  key: 'events',
  item: strictObject({ orgId: Uuid, ...EventView.properties }),
  filters: { type: Type.Optional(EventTypeName), orgId: Type.Optional(Uuid) },
  sortBy: ['createdAt'],
})

export const listAllEvents = query({
  name: 'billing.event.list-all',
  summary: 'List what happened to the subscriptions of all accounts',
  http: { method: 'get', path: '/billing/admin/events' },
  access: systemAdmin(),
  tenant: noTenant,
  input: { query: list.query },
  output: list.output,
  errors: BILLING_ERRORS,
  run: (context, { query: asked }) => page(context, asked),
})

interface Asked extends PageQuery {
  readonly type?: EventType
  readonly orgId?: string
}

async function page({ runtime, db }: ReadContext, asked: Asked) {
  requireBilling(runtime)
  const { billingEvents: t } = billingTables(db)
  return list.page(db, {
    table: t,
    where: and(equals(t.orgId, asked.orgId), equals(t.type, asked.type)),
    columns: { createdAt: t.createdAtMs },
    id: t.id,
    query: asked,
    present: (row) => ({ orgId: row.orgId, ...presentEvent(row) }),
  })
}
