/** `POST /billing/admin/promotions`: an operator creates a promotion, as a draft or in force. */
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { creditAllAnnounced } from '../account/announced.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { creditTables } from '../credit-tables.js'
import { DraftBody, evidenceOf, toRow } from './draft.js'
import { PromotionView, presentPromotion, requirePromotions } from './record.js'

export const createPromotion = command({
  name: 'billing.promotion.create',
  summary: 'Make a promotion',
  description:
    'It grants credit on its trigger, within its budget. Only a dry run or an activation considers existing accounts.',
  http: { method: 'post', path: '/billing/admin/promotions', status: 201 },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['billing.promotion.create'],
  idempotent: true,
  input: { body: DraftBody },
  output: strictObject({ promotion: PromotionView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { body }) {
    const { tx, runtime, nowMs, actor } = context
    requireBilling(runtime)
    requirePromotions(runtime)
    const row = toRow(runtime, body, { nowMs, actorId: actor.id })
    await tx.insert(creditTables(tx).billingPromotions).values(row)
    await context.audit('billing.promotion.create', evidenceOf(row))
    // guard: a-new-promotion-counts-for-announced-invoices
    if (row.kind === 'recurring' && row.isActive) await creditAllAnnounced(context)
    return changed({ promotion: presentPromotion(row) })
  },
})
