/**
 * `POST /billing/admin/webhook-events/:source/:eventId/replay`: handles a delivery again. For one that is done it is a
 * dry run.
 */
import Type from 'typebox'
import { Refusal } from '../../runtime/errors.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed, type SettleContext } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import { ACCOUNT_WIDE, BILLING_ERRORS, requireBilling } from '../account/gate.js'
import { SUBSCRIPTION_ACTIONS, type SubscriptionAction } from '../account/writing.js'
import { settlingOf } from '../call/settle.js'
import type { DeliveryRow } from '../provider-tables.js'
import { findDelivery } from '../webhook/delivery.js'
import { type Difference, rehearse } from '../webhook/dry-run.js'
import { tryAgain } from '../webhook/job.js'
import { DeliveryView, presentDelivery } from '../webhook/record.js'
import { DeliveryPath, requireDelivery } from './path.js'

const REPLAYS = new WeakMap<object, DeliveryRow>()

export const replayWebhookEvent = command({
  name: 'billing.webhook-event.replay',
  summary: 'Handle a delivery again',
  description:
    'A failed delivery is processed, and repairs what it should have done. A processed delivery runs as a dry run: `difference` lists what it would change, which is normally nothing.',
  http: { method: 'post', path: '/billing/admin/webhook-events/:source/:eventId/replay' },
  access: systemAdmin(),
  tenant: noTenant,
  acrossOrganizations: ACCOUNT_WIDE,
  audit: [...SUBSCRIPTION_ACTIONS, 'billing.webhook.replay'],
  input: { path: DeliveryPath },
  output: strictObject({
    event: DeliveryView,
    dryRun: Type.Boolean(),
    difference: Type.Array(strictObject({ field: Type.String(), from: Type.String(), to: Type.String() })),
  }),
  errors: [...BILLING_ERRORS, 'CONFLICT', 'NOT_FOUND'],
  async run(context, { path }) {
    requireBilling(context.runtime)
    const row = await requireDelivery(context.tx, path)
    if (row.payload === null)
      throw new Refusal('CONFLICT', 'its text was erased after 30 days: compare with the provider instead')
    await context.audit('billing.webhook.replay', {
      targetType: 'webhook-event',
      targetId: row.eventId,
      details: { source: row.source, eventId: row.eventId, eventType: row.type, state: row.state },
    })
    const difference: Difference[] = []
    const data = { event: presentDelivery(row), dryRun: row.state === 'done' || row.state === 'ignored', difference }
    REPLAYS.set(data, row)
    return changed(data)
  },
  async settle(context, data) {
    const row = REPLAYS.get(data)
    if (row === undefined) return data
    const settling = settlingOf(context as unknown as SettleContext<SubscriptionAction>)
    if (data.dryRun) return { ...data, difference: await rehearse(settling, row) }
    await tryAgain(settling, row)
    const after = await context.read((db) => findDelivery(db, row.id))
    return { ...data, event: presentDelivery(after ?? row) }
  },
})
