/**
 * `POST /billing/admin/promotions/:id/activate`: grants the promotion to existing accounts, a few at a time, within the
 * budget.
 */
import { checkActivation } from '@plumbline/billing-core'
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, granted, requireBilling } from '../account/gate.js'
import { at, MoneyCents } from '../account/subscription.js'
import { creditTables } from '../credit-tables.js'
import { activateForAll } from './activate-all.js'
import { evidenceOf } from './draft.js'
import { requirePromotion, requirePromotions, toPromotion } from './record.js'

const Count = Type.Integer({ minimum: 0 })

export const activatePromotion = command({
  name: 'billing.promotion.activate',
  summary: 'Grant a promotion to all accounts that are eligible now',
  description:
    'Each account gets it once, in the order of their subscriptions, until the budget is spent. The hourly backfill continues after a restart, and tries accounts again that failed.',
  http: { method: 'post', path: '/billing/admin/promotions/:id/activate' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['billing.promotion.activate'],
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({
    promotionId: Uuid,
    total: Count,
    matched: Count,
    granted: Count,
    alreadyGranted: Count,
    skippedBudget: Count,
    failed: Type.Integer({ minimum: 0, description: 'Accounts with a fault; the hourly backfill tries them again' }),
    spentCents: MoneyCents,
  }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND', 'PROMOTION_INACTIVE', 'PROMOTION_NOT_ACTIVATABLE'],
  async run(context, { path: { id } }) {
    const { tx, runtime, nowMs } = context
    requireBilling(runtime)
    requirePromotions(runtime)
    const row = await requirePromotion(tx, id)
    granted(checkActivation(toPromotion(row), at(nowMs)))
    const { billingPromotions: t } = creditTables(tx)
    if (row.activatedAtMs === null) await tx.update(t).set({ activatedAtMs: nowMs }).where(eq(t.id, id))
    await context.audit('billing.promotion.activate', evidenceOf(row))
    const none = { total: 0, matched: 0, granted: 0, alreadyGranted: 0, skippedBudget: 0, failed: 0, spentCents: 0 }
    return changed({ promotionId: id, ...none })
  },
  async settle({ runtime, actor }, data) {
    const { system } = runtime.store
    const granting = {
      runtime,
      actor,
      read: <T>(run: (db: never) => Promise<T>) => system.read((db) => run(db as never)),
      write: <T>(run: (tx: never) => Promise<T>) => system.write((tx) => run(tx as never)),
    }
    return { ...data, ...(await activateForAll(granting as Parameters<typeof activateForAll>[0], data.promotionId)) }
  },
})
