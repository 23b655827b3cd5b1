/**
 * `POST /compliance/notification-preferences/test`: sends a test notification to the webhook. It takes the way of every
 * delivery, so it shows whether the address, the signature and the network path work.
 */
import { requireComplianceAdmin } from '../../identity/index.js'
import { Refusal } from '../../runtime/errors.js'
import { permission } from '../../runtime/operation/access.js'
import { changed, tenantId } from '../../runtime/operation/context.js'
import { command, fromHeader, none } from '../../runtime/operation/operation.js'
import { strictObject, Uuid } from '../../runtime/operation/schema.js'
import { openDelivery } from '../delivery/attempt.js'
import { insertNotification } from '../delivery/notify.js'
import { TEST_EVENT } from '../delivery/text.js'
import { webhookMessage } from '../delivery/webhook.js'
import { findPreference } from '../preference/record.js'

export const testWebhook = command({
  name: 'notification.webhook.test',
  summary: 'Send a test notification to the webhook',
  description:
    'The server sends one request with the event `notification.test`, signed like every delivery, and does not retry it. Read the outcome with `GET /compliance/notification-log?deliveryId=…`.',
  http: { method: 'post', path: '/compliance/notification-preferences/test' },
  access: permission('compliance:write'),
  tenant: fromHeader,
  audit: none('the delivery log is the record of a delivery'),
  rateLimit: 'notification-test',
  input: {},
  output: strictObject({ deliveryId: Uuid }),
  errors: ['CONFLICT', 'INSUFFICIENT_PERMISSIONS'],
  async run(context) {
    const { tx, nowMs, runtime } = context
    requireComplianceAdmin(context.authority)
    const orgId = tenantId(context)
    const preference = await findPreference(tx, orgId)
    if (preference?.webhookUrl == null) {
      throw new Refusal('CONFLICT', 'no webhook is set: set `webhookUrl` in the notification preferences first')
    }
    const notification = await insertNotification(context, orgId, {
      event: TEST_EVENT,
      onceKey: `test:${runtime.ids.next()}`,
      priority: 'normal',
      relatedCheckId: null,
      occurredAtMs: nowMs,
      fields: {},
    })
    if (notification === null) throw new Error('a test notification had the key of another')
    const delivery = await openDelivery(context, notification, 'webhook')
    await context.enqueue(webhookMessage(delivery))
    return changed({ deliveryId: delivery.id })
  },
})
