/** `DELETE /billing/admin/discounts/:id`: the discount can no longer be redeemed. */
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { DiscountView, requireDiscount, requireDiscounts } from './record.js'
import { saveDiscount } from './save.js'

export const revokeDiscount = command({
  name: 'billing.discount.revoke',
  summary: 'Revoke a discount and all of its tokens',
  description: 'Credit that was granted stays. A standing discount ends with the next period.',
  http: { method: 'delete', path: '/billing/admin/discounts/:id' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['billing.discount.revoke'],
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ discount: DiscountView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run(context, { path: { id } }) {
    requireBilling(context.runtime)
    requireDiscounts(context.runtime)
    await lockRow(context.tx, 'billing_discounts', id)
    const row = await requireDiscount(context.tx, id)
    return saveDiscount(context as Parameters<typeof saveDiscount>[0], row, { isActive: false })
  },
})
