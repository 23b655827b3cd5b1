/** `POST /billing/admin/promotions/:id/preview`: what activating the promotion now would grant, and to which accounts. */
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { noTenant, query } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { requirePromotion, requirePromotions, toPromotion } from './record.js'
import { ProjectionView } from './view.js'
import { dryRun } from './walk.js'

export const previewPromotion = query({
  name: 'billing.promotion.preview',
  summary: 'Preview which accounts a promotion would grant credit to',
  http: { method: 'post', path: '/billing/admin/promotions/:id/preview' },
  access: systemAdmin(),
  tenant: noTenant,
  snapshot: true,
  input: { path: Type.Object({ id: Uuid }) },
  output: strictObject({ projection: ProjectionView }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run({ runtime, db, nowMs }, { path: { id } }) {
    requireBilling(runtime)
    requirePromotions(runtime)
    const row = await requirePromotion(db, id)
    return { projection: await dryRun(db, runtime, { promotion: toPromotion(row), sandbox: row.sandbox, nowMs }) }
  },
})
