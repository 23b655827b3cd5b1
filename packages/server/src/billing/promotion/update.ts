/** `PUT /billing/admin/promotions/:id`: changes its name, whether it is active, its end and its limits. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { invalidField } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { Instant, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { creditAllAnnounced } from '../account/announced.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { toMs } from '../account/subscription.js'
import { creditTables } from '../credit-tables.js'
import { BudgetCents, evidenceOf, MaxGrants, PromotionName } from './draft.js'
import { PromotionView, presentPromotion, requirePromotion, requirePromotions } from './record.js'

export const updatePromotion = command({
  name: 'billing.promotion.update',
  summary: 'Edit a promotion',
  description: 'Its value and its trigger never change. Null removes an end or a limit of grants.',
  http: { method: 'put', path: '/billing/admin/promotions/:id' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['billing.promotion.update', 'billing.promotion.revoke'],
  input: {
    path: Type.Object({ id: Uuid }),
    body: strictObject(
      {
        name: Type.Optional(PromotionName),
        isActive: Type.Optional(Type.Boolean()),
        endsAt: Type.Optional(nullable(Instant)),
        budgetCents: Type.Optional(BudgetCents),
        maxGrants: Type.Optional(nullable(MaxGrants)),
      },
      { minProperties: 1 },
    ),
  },
  output: strictObject({ promotion: PromotionView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run(context, { path: { id }, body }) {
    const { tx, runtime, nowMs } = context
    requireBilling(runtime)
    requirePromotions(runtime)
    await lockRow(tx, 'billing_promotions', id)
    const row = await requirePromotion(tx, id)
    if (body.budgetCents !== undefined && body.budgetCents < row.spentCents) {
      throw invalidField('/body/budgetCents', `must be at least ${row.spentCents}: this much is spent`)
    }
    if (typeof body.maxGrants === 'number' && body.maxGrants < row.grantsCount) {
      throw invalidField('/body/maxGrants', `must be at least ${row.grantsCount}: it was granted that many times`)
    }
    const columns = {
      name: body.name ?? row.name,
      isActive: body.isActive ?? row.isActive,
      endsAtMs: body.endsAt === undefined ? row.endsAtMs : body.endsAt === null ? null : toMs(body.endsAt),
      budgetCents: body.budgetCents ?? row.budgetCents,
      maxGrants: body.maxGrants === undefined ? row.maxGrants : body.maxGrants,
      updatedAtMs: nowMs,
    }
    const { billingPromotions: t } = creditTables(tx)
    await tx.update(t).set(columns).where(eq(t.id, id))
    const next = { ...row, ...columns }
    const revokes = row.isActive && !next.isActive
    await context.audit(revokes ? 'billing.promotion.revoke' : 'billing.promotion.update', evidenceOf(next))
    // guard: a-promotion-in-force-counts-for-announced-invoices
    if (next.kind === 'recurring' && next.isActive) await creditAllAnnounced(context)
    return changed({ promotion: presentPromotion(next) })
  },
})
