/** The receiver of a webhook: a server that accepts only signed deliveries, and each of them once. */
import { createServer, type Server } from 'node:http'
import { verifyWebhook, type Webhook, WebhookError } from '@plumbline/client'

const BODY_BYTES_MAX = 1_048_576

/** Starts to listen when `listen` is called. `onWebhook` receives each delivery that is signed with the secret. */
export function createReceiver(secret: string, onWebhook: (webhook: Webhook) => void): Server {
  // A delivery may arrive twice with the same id. A real receiver stores the ids persistently.
  const seen = new Set<string>()
  return createServer(async (request, response) => {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of request as AsyncIterable<Buffer>) {
      bytes += part.length
      if (bytes > BODY_BYTES_MAX) {
        response.writeHead(413).end()
        return
      }
      parts.push(part)
    }
    try {
      const webhook = await verifyWebhook({ headers: request.headers, body: Buffer.concat(parts) }, { secret })
      if (!seen.has(webhook.deliveryId)) {
        onWebhook(webhook)
        seen.add(webhook.deliveryId)
      }
      // Last: a delivery that failed here is answered with 500, and the server sends it again.
      response.writeHead(204).end()
    } catch (error) {
      response.writeHead(error instanceof WebhookError ? 400 : 500).end()
    }
  })
}
