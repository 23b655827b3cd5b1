/**
 * `POST /billing/admin/promotions/dry-run`: what a draft would grant if it were created and activated now. Nothing is
 * stored.
 */
import { systemAdmin } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { DraftBody, toRow } from './draft.js'
import { requirePromotions, toPromotion } from './record.js'
import { ProjectionView } from './view.js'
import { dryRun } from './walk.js'

export const dryRunPromotion = query({
  name: 'billing.promotion.dry-run',
  summary: 'Preview which accounts a draft of a promotion would grant credit to',
  http: { method: 'post', path: '/billing/admin/promotions/dry-run' },
  access: systemAdmin(),
  tenant: noTenant,
  snapshot: true,
  input: { body: DraftBody },
  output: strictObject({ projection: ProjectionView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND', 'VALIDATION_ERROR'],
  async run({ runtime, db, nowMs, actor }, { body }) {
    requireBilling(runtime)
    requirePromotions(runtime)
    const row = toRow(runtime, body, { nowMs, actorId: actor.id })
    return { projection: await dryRun(db, runtime, { promotion: toPromotion(row), sandbox: row.sandbox, nowMs }) }
  },
})
