/** `GET /billing/admin/discounts/:id`. */
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { DiscountView, presentDiscount, requireDiscount, requireDiscounts } from './record.js'

export const getDiscount = query({
  name: 'billing.discount.get',
  summary: 'Read a discount',
  http: { method: 'get', path: '/billing/admin/discounts/:id' },
  access: systemAdmin(),
  tenant: noTenant,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ discount: DiscountView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run({ runtime, db }, { path: { id } }) {
    requireBilling(runtime)
    requireDiscounts(runtime)
    return { discount: presentDiscount(await requireDiscount(db, id)) }
  },
})
