/** `GET /billing/events`: what happened to the account's subscription, the newest first. */
import Type from 'typebox'
import { listOfAccount } from '../newest-first.js'
import { billingTables } from '../tables.js'
import { EventTypeName, EventView, presentEvent } from './view.js'

export const listEvents = listOfAccount({
  name: 'billing.event.list',
  summary: 'List what happened to the subscription of the account',
  path: '/billing/events',
  key: 'events',
  item: EventView,
  filters: { type: Type.Optional(EventTypeName) },
  rows(db) {
    const { billingEvents: t } = billingTables(db)
    return { table: t, id: t.id, createdAt: t.createdAtMs, orgId: t.orgId, filters: { type: t.type } }
  },
  present: presentEvent,
})
