/**
 * The headers of a webhook: those of the specification, and those of Standard Webhooks with id and time, so that any of
 * its libraries can verify a delivery. `verifyWebhook` of `@plumbline/client` is the counterpart.
 */
import { createHmac } from 'node:crypto'
import { STANDARD_PREFIX } from '../standard-prefix.js'

export interface Signed {
  readonly deliveryId: string
  readonly event: string
  readonly body: string
  readonly nowMs: number
  /** Null for a webhook without a secret; the delivery is not signed then. */
  readonly secret: string | null
}

/** Standard Webhooks encodes keys in Base64 after a prefix; any other secret is used as the key directly. */
const standardKey = (secret: string): Buffer =>
  secret.startsWith(STANDARD_PREFIX) ? Buffer.from(secret.slice(STANDARD_PREFIX.length), 'base64') : Buffer.from(secret)

export function webhookHeaders({ deliveryId, event, body, nowMs, secret }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(nowMs / 1000))
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Plumbline-Webhook/1',
    'X-Platform-Event': event,
    'X-Platform-Delivery': deliveryId,
    'Webhook-Id': deliveryId,
    'Webhook-Timestamp': timestamp,
  }
  if (secret === null) return headers
  const signed = createHmac('sha256', standardKey(secret)).update(`${deliveryId}.${timestamp}.${body}`).digest('base64')
  return {
    ...headers,
    'X-Platform-Signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    'Webhook-Signature': `v1,${signed}`,
  }
}
