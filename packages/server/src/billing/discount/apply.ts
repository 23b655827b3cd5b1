/** `POST /billing/admin/discounts/:id/apply`: an operator grants a discount to an account. */
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { lookAtAlerts } from '../account/alerts.js'
import { requireRoot } from '../account/find.js'
import { requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { grantErrors, grantInput, requireRedeemable } from './grant.js'
import { requireDiscount, requireDiscounts } from './record.js'
import { checkDiscount, grantRedemption, presentRedemption, RedemptionView } from './redemption.js'

export const applyDiscount = command({
  name: 'billing.discount.apply',
  summary: 'Give a discount to an account',
  description: 'The same checks as for a code that the account redeems itself.',
  http: { method: 'post', path: '/billing/admin/discounts/:id/apply' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['billing.discount.apply', 'billing.credit.consumed', 'billing.credit.exhausted'],
  input: grantInput,
  output: RedemptionView,
  errors: grantErrors,
  async run(context, { path: { id }, body }) {
    const { tx, runtime } = context
    requireBilling(runtime)
    requireDiscounts(runtime)
    const { inTime, root, sandbox } = await openAccount(
      context,
      (await requireRoot(tx, body.targetOrgId, '/body/targetOrgId')).id,
    )
    const discount = await requireDiscount(tx, id)
    const row = await requireRedeemable(tx, root.id)
    const checked = await checkDiscount(tx, runtime, { discount, row, sandbox, nowMs: inTime.nowMs })
    const next = await grantRedemption(inTime, row, checked, 'operator')
    await lookAtAlerts(inTime, root.id)
    return changed(presentRedemption(runtime, next, checked, next.balanceCents))
  },
})
