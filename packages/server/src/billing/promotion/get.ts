/** `GET /billing/admin/promotions/:id`. */
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { PromotionView, presentPromotion, requirePromotion, requirePromotions } from './record.js'

export const getPromotion = query({
  name: 'billing.promotion.get',
  summary: 'Read a promotion',
  http: { method: 'get', path: '/billing/admin/promotions/:id' },
  access: systemAdmin(),
  tenant: noTenant,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ promotion: PromotionView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run({ runtime, db }, { path: { id } }) {
    requireBilling(runtime)
    requirePromotions(runtime)
    return { promotion: presentPromotion(await requirePromotion(db, id)) }
  },
})
