/** `GET /billing/admin/discounts`: the newest first. */
import { and, eq, type SQL } from 'drizzle-orm'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { creditTables } from '../credit-tables.js'
import { DiscountView, presentDiscount, requireDiscounts } from './record.js'

const list = listOf({
  key: 'discounts',
  item: DiscountView,
  filters: {
    campaign: Type.Optional(Type.String({ maxLength: 64 })),
    active: Type.Optional(Type.Boolean()),
    targetOrgId: Type.Optional(Uuid),
  },
  sortBy: ['createdAt'],
})

export const listDiscounts = query({
  name: 'billing.discount.list',
  summary: 'List discounts',
  http: { method: 'get', path: '/billing/admin/discounts' },
  access: systemAdmin(),
  tenant: noTenant,
  input: { query: list.query },
  output: list.output,
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  run: (context, { query: asked }) => page(context, asked),
})

interface Asked extends PageQuery {
  readonly campaign?: string
  readonly active?: boolean
  readonly targetOrgId?: string
}

async function page({ runtime, db }: Pick<ReadContext, 'runtime' | 'db'>, asked: Asked) {
  requireBilling(runtime)
  requireDiscounts(runtime)
  const { billingDiscounts: t } = creditTables(db)
  const { campaign, active, targetOrgId } = asked
  const filters: SQL[] = []
  if (campaign !== undefined) filters.push(eq(t.campaign, campaign))
  if (active !== undefined) filters.push(eq(t.isActive, active))
  if (targetOrgId !== undefined) filters.push(eq(t.targetOrgId, targetOrgId))
  const columns = { createdAt: t.createdAtMs }
  return list.page(db, { table: t, where: and(...filters), columns, id: t.id, query: asked, present: presentDiscount })
}
