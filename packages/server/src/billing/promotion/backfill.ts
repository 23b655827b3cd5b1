/**
 * `POST /billing/admin/backfill`: makes grants that were missed because of a restart, without waiting for the hourly
 * job.
 */
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed } from '../../runtime/operation/context.js'
import { command, none, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { BACKFILL_KIND } from './job.js'
import { requirePromotions } from './record.js'

export const backfillPromotion = command({
  name: 'billing.promotion.backfill',
  summary: 'Grant promotions that were missed, and repair their counters',
  description: 'Starts the hourly job now. An account gets a promotion only once, so nothing is granted twice.',
  http: { method: 'post', path: '/billing/admin/backfill', status: 202 },
  access: systemAdmin(),
  tenant: noTenant,
  audit: none('each grant is an event of its account, and the activation is the evidence'),
  input: {},
  output: strictObject({ queued: Type.Boolean() }),
  errors: [...BILLING_ERRORS, 'NOT_FOUND'],
  async run(context) {
    requireBilling(context.runtime)
    requirePromotions(context.runtime)
    await context.enqueue({ kind: BACKFILL_KIND, payload: {}, uniqueKey: 'now' })
    return changed({ queued: true })
  },
})
