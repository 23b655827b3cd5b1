/** `GET /billing/admin/promotions`: the newest first. */
import { and, eq, type SQL } from 'drizzle-orm'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import type { ReadContext } from '../../runtime/operation/context.js'
import { listOf, type PageQuery } from '../../runtime/operation/list.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { creditTables } from '../credit-tables.js'
import { PromotionView, presentPromotion, requirePromotions } from './record.js'

const list = listOf({
  key: 'promotions',
  item: PromotionView,
  filters: { campaign: Type.Optional(Type.String({ maxLength: 64 })), active: Type.Optional(Type.Boolean()) },
  sortBy: ['createdAt'],
})

export const listPromotions = query({
  name: 'billing.promotion.list',
  summary: 'List promotions',
  http: { method: 'get', path: '/billing/admin/promotions' },
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
}

async function page({ runtime, db }: Pick<ReadContext, 'runtime' | 'db'>, asked: Asked) {
  requireBilling(runtime)
  requirePromotions(runtime)
  const { billingPromotions: t } = creditTables(db)
  const filters: SQL[] = []
  if (asked.campaign !== undefined) filters.push(eq(t.campaign, asked.campaign))
  if (asked.active !== undefined) filters.push(eq(t.isActive, asked.active))
  const columns = { createdAt: t.createdAtMs }
  return list.page(db, { table: t, where: and(...filters), columns, id: t.id, query: asked, present: presentPromotion })
}
