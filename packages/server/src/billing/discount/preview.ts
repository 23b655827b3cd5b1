/** `POST /billing/subscriptions/:id/discounts/preview`: the value of a code for the account. Nothing is redeemed. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { tenantId } from '../../runtime/operation/context.js'
import { fromAccount, query } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { accountTime } from '../account/open.js'
import { requireLive } from '../account/subscription.js'
import { requireDiscounts } from './record.js'
import {
  checkDiscount,
  findByCode,
  presentRedemption,
  REDEMPTION_ERRORS,
  RedeemBody,
  RedemptionView,
} from './redemption.js'

export const previewDiscount = query({
  name: 'billing.discount.preview',
  summary: 'Preview a discount code',
  http: { method: 'post', path: '/billing/subscriptions/:id/discounts/preview' },
  access: permission('billing:manage'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  rateLimit: 'billing-redeem',
  input: { path: Type.Object({ id: Uuid }), body: RedeemBody },
  output: RedemptionView,
  errors: [...BILLING_ERRORS, ...REDEMPTION_ERRORS, 'DISCOUNT_NOT_FOUND', 'NOT_FOUND'],
  async run(context, { path: { id }, body }) {
    const { runtime, db } = context
    requireBilling(runtime)
    requireDiscounts(runtime)
    const rootOrgId = tenantId(context)
    const { nowMs, sandbox } = await accountTime(db, rootOrgId, context.nowMs)
    const row = await requireLive(db, rootOrgId, id)
    const discount = await findByCode(db, runtime, body.code)
    const checked = await checkDiscount(db, runtime, { discount, row, sandbox, nowMs })
    return presentRedemption(runtime, row, checked, row.balanceCents + checked.redemption.cents)
  },
})
