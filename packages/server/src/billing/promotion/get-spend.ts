/** `GET /billing/admin/promotions/:id/spend`. */
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { MoneyCents } from '../account/subscription.js'
import { FAILED, requirePromotion, requirePromotions } from './record.js'
import { readSpend } from './spend.js'

export const getPromotionSpend = query({
  name: 'billing.promotion.get-spend',
  summary: 'Read what a promotion cost, by the ledger and by its counters',
  http: { method: 'get', path: '/billing/admin/promotions/:id/spend' },
  access: systemAdmin(),
  tenant: noTenant,
  snapshot: true,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({
    spend: strictObject({
      budgetCents: MoneyCents,
      committedCents: MoneyCents,
      committedGrants: Type.Integer({ minimum: 0 }),
      cachedSpentCents: MoneyCents,
      cachedGrantsCount: Type.Integer({ minimum: 0 }),
      remainingBudgetCents: MoneyCents,
      driftCents: Type.Integer({ description: 'Counters less ledger' }),
      failedAccounts: Type.Integer({ minimum: 0, description: FAILED }),
    }),
  }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run({ runtime, db }, { path: { id } }) {
    requireBilling(runtime)
    requirePromotions(runtime)
    const row = await requirePromotion(db, id)
    return { spend: { ...(await readSpend(db, row)), failedAccounts: row.failedAccounts } }
  },
})
