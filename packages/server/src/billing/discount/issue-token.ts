/**
 * `POST /billing/admin/discounts/:id/token`: returns a token that redeems the discount. It is sealed, and different for
 * each request.
 */
import { randomBytes } from 'node:crypto'
import { IV_BYTES, sealToken } from '@plumbline/billing-core'
import { nodeCrypto } from '@plumbline/billing-core/node'
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, granted, requireBilling } from '../account/gate.js'
import { recordForTarget } from './create.js'
import { factsOf, requireDiscount, requireDiscounts, toDiscount } from './record.js'

export const issueDiscountToken = command({
  name: 'billing.discount.issue-token',
  summary: 'Issue a token that redeems a discount',
  description: 'Only this answer shows the token. All tokens of a discount share one count of redemptions.',
  http: { method: 'post', path: '/billing/admin/discounts/:id/token' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['billing.discount.issue'],
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ token: Type.String() }),
  secretOutput: true,
  errors: [...BILLING_ERRORS, 'DISCOUNT_INACTIVE', 'NOT_FOUND', 'SIGNING_NOT_CONFIGURED'],
  async run(context, { path: { id } }) {
    const { tx, runtime } = context
    requireBilling(runtime)
    requireDiscounts(runtime)
    const row = await requireDiscount(tx, id)
    if (!row.isActive) throw new Refusal('DISCOUNT_INACTIVE', 'the discount is not active; make it active first')
    const discount = toDiscount(row)
    const token = granted(
      sealToken(nodeCrypto, runtime.settings.BILLING_DISCOUNT_KEYS, discount, randomBytes(IV_BYTES)),
    )
    await recordForTarget(context, row, 'discount_issued')
    await context.audit('billing.discount.issue', {
      targetType: 'discount',
      targetId: id,
      ...(row.targetOrgId === null ? {} : { affectedOrgId: row.targetOrgId }),
      details: factsOf(row),
    })
    return changed({ token })
  },
})
