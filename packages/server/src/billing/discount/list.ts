/** `GET /billing/admin/discounts`: the newest first. */
import Type from 'typebox'
import { Uuid } from '../../runtime/operation/schema.js'
import { creditTables } from '../credit-tables.js'
import { listForOperators } from '../newest-first.js'
import { DiscountView, presentDiscount, requireDiscounts } from './record.js'

export const listDiscounts = listForOperators({
  name: 'billing.discount.list',
  summary: 'List discounts',
  path: '/billing/admin/discounts',
  key: 'discounts',
  item: DiscountView,
  filters: {
    campaign: Type.Optional(Type.String({ maxLength: 64 })),
    active: Type.Optional(Type.Boolean()),
    targetOrgId: Type.Optional(Uuid),
  },
  errors: ['NOT_FOUND'],
  requireOn: requireDiscounts,
  rows(db) {
    const { billingDiscounts: t } = creditTables(db)
    const filters = { campaign: t.campaign, active: t.isActive, targetOrgId: t.targetOrgId }
    return { table: t, id: t.id, createdAt: t.createdAtMs, filters }
  },
  present: presentDiscount,
})
