/** `POST /billing/admin/discounts/:id/preview`: what a discount is worth to an account. */
import { systemAdmin } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { requireRoot } from '../account/find.js'
import { requireBilling } from '../account/gate.js'
import { accountTime } from '../account/open.js'
import { grantErrors, grantInput, requireRedeemable } from './grant.js'
import { requireDiscount, requireDiscounts } from './record.js'
import { checkDiscount, presentRedemption, RedemptionView } from './redemption.js'

export const previewDiscountApply = query({
  name: 'billing.discount.preview-apply',
  summary: 'Preview what a discount is worth to an account',
  http: { method: 'post', path: '/billing/admin/discounts/:id/preview' },
  access: systemAdmin(),
  tenant: noTenant,
  input: grantInput,
  output: RedemptionView,
  errors: grantErrors,
  async run({ runtime, db, nowMs: realMs }, { path: { id }, body }) {
    requireBilling(runtime)
    requireDiscounts(runtime)
    const root = await requireRoot(db, body.targetOrgId, '/body/targetOrgId')
    const { nowMs, sandbox } = await accountTime(db, root.id, realMs)
    const discount = await requireDiscount(db, id)
    const row = await requireRedeemable(db, root.id)
    const checked = await checkDiscount(db, runtime, { discount, row, sandbox, nowMs })
    return presentRedemption(runtime, row, checked, row.balanceCents + checked.redemption.cents)
  },
})
