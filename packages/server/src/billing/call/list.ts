/** `GET /billing/admin/calls`: the calls to the provider, newest first. */
import { and } from 'drizzle-orm'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { equals } from '../../runtime/operation/filters.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { providerTables } from '../provider-tables.js'
import { CallStateName, CallView, presentCall } from './record.js'
import type { CallState } from './wish.js'

const list = listOf({
  key: 'calls',
  item: CallView,
  filters: { state: Type.Optional(CallStateName), orgId: Type.Optional(Uuid) },
  sortBy: ['createdAt'],
})

export const listCalls = query({
  name: 'billing.call.list',
  summary: 'List the calls to the provider',
  http: { method: 'get', path: '/billing/admin/calls' },
  access: systemAdmin(),
  tenant: noTenant,
  input: { query: list.query },
  output: list.output,
  errors: BILLING_ERRORS,
  run: (context, { query: asked }) => page(context, asked),
})

interface Asked extends PageQuery {
  readonly state?: CallState
  readonly orgId?: string
}

async function page({ runtime, db }: ReadContext, asked: Asked) {
  requireBilling(runtime)
  const { billingProviderCalls: t } = providerTables(db)
  return list.page(db, {
    table: t,
    where: and(equals(t.state, asked.state), equals(t.orgId, asked.orgId)),
    columns: { createdAt: t.createdAtMs },
    id: t.id,
    query: asked,
    present: presentCall,
  })
}
