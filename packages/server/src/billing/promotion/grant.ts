/** `POST /billing/admin/promotions/:id/grant`: an operator grants a promotion to an account. */
import { checkManualGrant } from '@plumbline/billing-core'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { choice, nullable, strictObject, Uuid } from '../../runtime/operation/schema.js'
import { lookAtAlerts } from '../account/alerts.js'
import { creditAnnounced } from '../account/announced.js'
import { requireRoot } from '../account/find.js'
import { BILLING_ERRORS, granted, requireBilling } from '../account/gate.js'
import { openAccount } from '../account/open.js'
import { at, findLive, MoneyCents } from '../account/subscription.js'
import { bumpVersion } from '../account/writing.js'
import { evidenceOf } from './draft.js'
import { givePromotion } from './give.js'
import { requirePromotion, requirePromotions, toPromotion } from './record.js'

export const REASONS = ['granted', 'already_granted', 'budget_exhausted', 'unrealizable', 'zero', 'ineligible'] as const

export const grantPromotion = command({
  name: 'billing.promotion.grant',
  summary: 'Give a promotion to an account',
  description: 'Ignores trigger and conditions; dates, budget and "once per account" apply.',
  http: { method: 'post', path: '/billing/admin/promotions/:id/grant' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['billing.promotion.grant', 'billing.credit.consumed', 'billing.credit.exhausted'],
  input: { path: Type.Object({ id: Uuid }), body: strictObject({ targetOrgId: Uuid }) },
  output: strictObject({
    promotionId: Uuid,
    granted: Type.Boolean(),
    cents: nullable(MoneyCents),
    reason: choice(REASONS),
  }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND', 'PROMOTION_INACTIVE', 'VALIDATION_ERROR'],
  async run(context, { path: { id }, body }) {
    requireBilling(context.runtime)
    requirePromotions(context.runtime)
    const target = await requireRoot(context.tx, body.targetOrgId, '/body/targetOrgId')
    const { inTime, root } = await openAccount(context, target.id)
    const { tx, nowMs } = inTime
    const promotion = await requirePromotion(tx, id)
    granted(checkManualGrant(toPromotion(promotion), at(nowMs)))
    const row = await findLive(tx, root.id)
    if (row === null) return unchanged({ promotionId: id, granted: false, cents: null, reason: 'ineligible' as const })
    const given = await givePromotion(inTime, row, promotion, 'manual')
    const answer = { promotionId: id, granted: given.granted, cents: given.cents, reason: given.reason }
    if (!given.granted) return unchanged(answer)
    await bumpVersion(inTime, root.id)
    const { details, ...evidence } = evidenceOf(promotion)
    await inTime.audit('billing.promotion.grant', {
      ...evidence,
      affectedOrgId: root.id,
      details: { ...details, cents: given.cents, subscriptionId: row.id },
    })
    // guard: a-promotion-by-hand-counts-for-an-announced-invoice
    if (promotion.kind === 'recurring') await creditAnnounced(inTime, root.id)
    await lookAtAlerts(inTime, root.id)
    return changed(answer)
  },
})
