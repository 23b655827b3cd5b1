/** `GET /billing/clocks`: the test clock of the account, if it has one. */
import { eq } from 'drizzle-orm'
import { permission } from '../../runtime/operation/access.js'
import { type ReadContext, tenantId } from '../../runtime/operation/context.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { BILLING_ERRORS } from '../account/gate.js'
import { billingTables } from '../tables.js'
import { ClockView, presentClock, requireClocks } from './record.js'

const list = listOf({ key: 'clocks', item: ClockView, sortBy: ['createdAt'] })

export const listClocks = query({
  name: 'billing.clock.list',
  summary: 'List the test clocks of the account',
  http: { method: 'get', path: '/billing/clocks' },
  access: permission('billing:read'),
  tenant: fromAccount,
  input: { query: list.query },
  output: list.output,
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  run: (context, { query: asked }) => page(context, asked),
})

async function page(context: ReadContext, asked: PageQuery) {
  requireClocks(context.runtime)
  const { billingClocks: t } = billingTables(context.db)
  const columns = { createdAt: t.createdAtMs }
  const where = eq(t.orgId, tenantId(context))
  return list.page(context.db, { table: t, where, columns, id: t.id, query: asked, present: presentClock })
}
