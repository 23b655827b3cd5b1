/** `GET /billing/admin/events`: what happened to the subscriptions of all accounts, the newest first. */
import Type from 'typebox'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { listForOperators } from '../newest-first.js'
import { billingTables } from '../tables.js'
import { EventTypeName, EventView, presentEvent } from './view.js'

export const listAllEvents = listForOperators({
  name: 'billing.event.list-all',
  summary: 'List what happened to the subscriptions of all accounts',
  path: '/billing/admin/events',
  key: 'events',
  item: strictObject({ orgId: Uuid, ...EventView.properties }),
  filters: { type: Type.Optional(EventTypeName), orgId: Type.Optional(Uuid) },
  rows(db) {
    const { billingEvents: t } = billingTables(db)
    return { table: t, id: t.id, createdAt: t.createdAtMs, filters: { type: t.type, orgId: t.orgId } }
  },
  present: (row) => ({ orgId: row.orgId, ...presentEvent(row) }),
})
