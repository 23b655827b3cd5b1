/** `POST /billing/subscriptions/:id/discounts`: the account redeems a token or an alias. */
import Type from 'typebox'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { Uuid } from '../../runtime/operation/schema.js'
import { lookAtAlerts } from '../account/alerts.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { requireLive } from '../account/subscription.js'
import { requireDiscounts } from './record.js'
import {
  checkDiscount,
  findByCode,
  grantRedemption,
  presentRedemption,
  REDEMPTION_ERRORS,
  RedeemBody,
  RedemptionView,
} from './redemption.js'

export const redeemDiscount = command({
  name: 'billing.discount.redeem',
  summary: 'Redeem a discount code',
  description:
    'The code is a token or an alias. The next invoice uses the credit; a recurring discount renews it in each period.',
  http: { method: 'post', path: '/billing/subscriptions/:id/discounts' },
  access: permission('billing:manage'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  rateLimit: 'billing-redeem',
  audit: ['billing.discount.apply', 'billing.credit.consumed', 'billing.credit.exhausted'],
  input: { path: Type.Object({ id: Uuid }), body: RedeemBody },
  output: RedemptionView,
  errors: [...BILLING_ERRORS, ...REDEMPTION_ERRORS, 'DISCOUNT_NOT_FOUND', 'NOT_FOUND'],
  async run(context, { path: { id }, body }) {
    const { runtime } = context
    requireBilling(runtime)
    requireDiscounts(runtime)
    const { inTime, root, sandbox } = await openAccount(context, tenantId(context))
    const { tx, nowMs } = inTime
    const row = await requireLive(tx, root.id, id)
    const discount = await findByCode(tx, runtime, body.code)
    const checked = await checkDiscount(tx, runtime, { discount, row, sandbox, nowMs })
    const via = body.code.includes('.') ? 'token' : 'alias'
    const next = await grantRedemption(inTime, row, checked, via)
    await lookAtAlerts(inTime, root.id)
    return changed(presentRedemption(runtime, next, checked, next.balanceCents))
  },
})
