/** `GET /billing/admin/calls`: the calls to the provider, newest first. */
import Type from 'typebox'
import { Uuid } from '../../runtime/operation/schema.js'
import { listForOperators } from '../newest-first.js'
import { providerTables } from '../provider-tables.js'
import { CallStateName, CallView, presentCall } from './record.js'

export const listCalls = listForOperators({
  name: 'billing.call.list',
  summary: 'List the calls to the provider',
  path: '/billing/admin/calls',
  key: 'calls',
  item: CallView,
  filters: { state: Type.Optional(CallStateName), orgId: Type.Optional(Uuid) },
  rows(db) {
    const { billingProviderCalls: t } = providerTables(db)
    return { table: t, id: t.id, createdAt: t.createdAtMs, filters: { state: t.state, orgId: t.orgId } }
  },
  present: presentCall,
})
