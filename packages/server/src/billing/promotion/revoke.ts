/** `DELETE /billing/admin/promotions/:id`: the promotion grants nothing any more. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { creditTables } from '../credit-tables.js'
import { evidenceOf } from './draft.js'
import { PromotionView, presentPromotion, requirePromotion, requirePromotions } from './record.js'

export const revokePromotion = command({
  name: 'billing.promotion.revoke',
  summary: 'Revoke a promotion',
  description: 'Credit that was granted stays.',
  http: { method: 'delete', path: '/billing/admin/promotions/:id' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['billing.promotion.revoke'],
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ promotion: PromotionView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run(context, { path: { id } }) {
    const { tx, runtime, nowMs } = context
    requireBilling(runtime)
    requirePromotions(runtime)
    await lockRow(tx, 'billing_promotions', id)
    const row = await requirePromotion(tx, id)
    if (!row.isActive) return unchanged({ promotion: presentPromotion(row) })
    const { billingPromotions: t } = creditTables(tx)
    await tx.update(t).set({ isActive: false, updatedAtMs: nowMs }).where(eq(t.id, id))
    await context.audit('billing.promotion.revoke', evidenceOf(row))
    return changed({ promotion: presentPromotion({ ...row, isActive: false, updatedAtMs: nowMs }) })
  },
})
