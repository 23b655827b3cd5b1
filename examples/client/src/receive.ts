/**
 * `WEBHOOK_SECRET=… HOOK_PORT=… EVENT=compliance.block tsx src/receive.ts`: shows each signed delivery, and ends after
 * the first one of that event. Other deliveries may come before it, such as the end of a scan.
 */
import { createReceiver } from './receiver.js'

const { WEBHOOK_SECRET: secret = '', HOOK_PORT: port = '4000', EVENT: awaited = 'compliance.block' } = process.env
if (secret === '') throw new Error('WEBHOOK_SECRET is empty: give the secret that the preferences were given')

const receiver = createReceiver(secret, ({ event, deliveryId, payload }) => {
  const { entityName } = payload
  console.log(`${event}${typeof entityName === 'string' ? ` ${entityName}` : ''}, delivery ${deliveryId}`)
  if (event === awaited) receiver.close()
})
receiver.listen(Number(port), '127.0.0.1')
