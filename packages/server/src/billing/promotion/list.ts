/** `GET /billing/admin/promotions`: the newest first. */
import Type from 'typebox'
import { creditTables } from '../credit-tables.js'
import { listForOperators } from '../newest-first.js'
import { PromotionView, presentPromotion, requirePromotions } from './record.js'

export const listPromotions = listForOperators({
  name: 'billing.promotion.list',
  summary: 'List promotions',
  path: '/billing/admin/promotions',
  key: 'promotions',
  item: PromotionView,
  filters: { campaign: Type.Optional(Type.String({ maxLength: 64 })), active: Type.Optional(Type.Boolean()) },
  errors: ['NOT_FOUND'],
  requireOn: requirePromotions,
  rows(db) {
    const { billingPromotions: t } = creditTables(db)
    return { table: t, id: t.id, createdAt: t.createdAtMs, filters: { campaign: t.campaign, active: t.isActive } }
  },
  present: presentPromotion,
})
