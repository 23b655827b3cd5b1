/**
 * A webhook from its setting to its receipt: a blocked record is reported, and a delivery with another signature is
 * refused.
 */
import { randomBytes } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { createClient, unwrap, type Webhook } from '@plumbline/client'
import { startDemoServer } from './demo-server.js'
import { createReceiver } from './receiver.js'

const secret = `whsec_${randomBytes(24).toString('base64')}`
let deliveries = 0
let arrived: (webhook: Webhook) => void = () => {}
const receiver = createReceiver(secret, (webhook) => {
  deliveries += 1
  arrived(webhook)
})
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`

// Webhooks only go to public https addresses, except for origins that the operator allows.
const server = await startDemoServer({ COMPLIANCE_WEBHOOK_ALLOWED_ORIGINS: origin })
try {
  const client = createClient({ url: server.url, token: server.token })
  await unwrap(
    client.PUT('/compliance/notification-preferences', { body: { webhookUrl: `${origin}/in`, webhookSecret: secret } }),
  )
  await unwrap(
    client.POST('/compliance/rules', {
      body: { name: 'no-latest', target: 'plugin', field: 'version', operator: 'neq', value: 'latest' },
    }),
  )
  const told = new Promise<Webhook>((resolve) => {
    arrived = resolve
  })
  await unwrap(
    client.POST('/compliance/validate/plugin', { body: { attributes: { version: 'latest' }, entityName: 'web' } }),
  )
  const { event, deliveryId, payload } = await told
  console.log(`${event}: ${String(payload.target)} ${String(payload.entityName)}, delivery ${deliveryId}`)

  const forged = await fetch(`${origin}/in`, {
    method: 'POST',
    body: JSON.stringify(payload),
    headers: {
      'webhook-id': 'forged',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': `v1,${randomBytes(32).toString('base64')}`,
    },
  })
  console.log(`the same body with another signature: ${forged.status}`)
  if (event !== 'compliance.block' || forged.status !== 400 || deliveries !== 1) process.exitCode = 1
} finally {
  await server.stop()
  receiver.close()
}
