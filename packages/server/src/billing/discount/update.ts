/**
 * `PUT /billing/admin/discounts/:id`: changes how often, until when and for which tiers a discount can be redeemed, and
 * whether it is active.
 */
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { toMs } from '../account/subscription.js'
import { Redemptions, Tiers } from './create.js'
import { DiscountView, requireDiscount, requireDiscounts } from './record.js'
import { saveDiscount } from './save.js'

export const updateDiscount = command({
  name: 'billing.discount.update',
  summary: 'Edit a discount: whether it is active, how often, until when, for which tiers',
  description: 'Its value and its accounts never change. Null removes a limit.',
  http: { method: 'put', path: '/billing/admin/discounts/:id' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['billing.discount.revoke', 'billing.discount.generate'],
  input: {
    path: Type.Object({ id: Uuid }),
    body: strictObject(
      {
        isActive: Type.Optional(Type.Boolean()),
        maxRedemptions: Type.Optional(nullable(Redemptions)),
        redeemBy: Type.Optional(nullable(Instant)),
        appliesToTiers: Type.Optional(nullable(Tiers)),
      },
      { minProperties: 1 },
    ),
  },
  output: strictObject({ discount: DiscountView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path: { id }, body }) {
    const { tx, runtime } = context
    requireBilling(runtime)
    requireDiscounts(runtime)
    await lockRow(tx, 'billing_discounts', id)
    const row = await requireDiscount(tx, id)
    const { maxRedemptions } = body
    if (typeof maxRedemptions === 'number' && maxRedemptions < row.timesRedeemed) {
      throw invalidField(
        '/body/maxRedemptions',
        `must be at least ${row.timesRedeemed}: it was redeemed that many times`,
      )
    }
    const redeemByMs =
      body.redeemBy === undefined ? row.redeemByMs : body.redeemBy === null ? null : toMs(body.redeemBy)
    const next = {
      isActive: body.isActive ?? row.isActive,
      maxRedemptions: maxRedemptions === undefined ? row.maxRedemptions : maxRedemptions,
      redeemByMs,
      appliesToTiers: body.appliesToTiers === undefined ? row.appliesToTiers : body.appliesToTiers,
    }
    return saveDiscount(context, row, next)
  },
})
