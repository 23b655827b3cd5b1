/** `WEBHOOK_SECRET=… HOOK_PORT=… tsx src/receive.ts`: waits for one signed delivery, shows it and ends. */
import { createReceiver } from './receiver.js'

const { WEBHOOK_SECRET: secret = '', HOOK_PORT: port = '4000' } = process.env
if (secret === '') throw new Error('WEBHOOK_SECRET is empty: give the secret that the preferences were given')

const receiver = createReceiver(secret, ({ event, deliveryId, payload }) => {
  console.log(`${event} ${String(payload.entityName)}, delivery ${deliveryId}`)
  receiver.close()
})
receiver.listen(Number(port), '127.0.0.1')
