/** `DELETE /billing/subscriptions/:id/discounts/:discountId`: ends a standing discount. Credit that was granted stays. */
import Type from 'typebox'
import { notFound } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromAccount } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lookAtAlerts } from '../account/alerts.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { requireLive } from '../account/subscription.js'
import { bumpVersion, writeSubscription } from '../account/writing.js'
import { recordEvent } from '../event/record.js'
import { requireDiscounts } from './record.js'

export const removeDiscount = command({
  name: 'billing.discount.remove',
  summary: 'End the standing discount of the subscription',
  http: { method: 'delete', path: '/billing/subscriptions/:id/discounts/:discountId' },
  access: permission('billing:manage'),
  tenant: fromAccount,
  acrossOrganizations: ACCOUNT_WIDE,
  audit: ['billing.discount.remove'],
  input: { path: Type.Object({ id: Uuid, discountId: Uuid }) },
  output: strictObject({ removed: Uuid }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run(context, { path: { id, discountId } }) {
    requireBilling(context.runtime)
    requireDiscounts(context.runtime)
    const { inTime, root } = await openAccount(context, tenantId(context))
    const row = await requireLive(inTime.tx, root.id, id)
    const rule = row.recurringDiscount
    if (rule === null || rule.discountId !== discountId) throw notFound('Discount')
    await writeSubscription(inTime, row, { recurringDiscount: null })
    await bumpVersion(inTime, root.id)
    const details = { discountId, unit: rule.unit, value: rule.value, kind: 'recurring' }
    await recordEvent(inTime, { orgId: root.id, subscriptionId: id, type: 'discount_removed', details })
    await inTime.audit('billing.discount.remove', {
      targetType: 'discount',
      targetId: discountId,
      affectedOrgId: root.id,
      details: { ...details, subscriptionId: id },
    })
    await lookAtAlerts(inTime, root.id)
    return changed({ removed: discountId })
  },
})
