/** The receiver of a webhook: a server that believes what is signed, takes each delivery once, and nothing else. */
import { createServer, type Server } from 'node:http'
import { verifyWebhook, type Webhook, WebhookError } from '@plumbline/client'

const BODY_BYTES_MAX = 1_048_576

/** Listens once `listen` is called on it; `onWebhook` gets each delivery that is signed with the secret. */
export function createReceiver(secret: string, onWebhook: (webhook: Webhook) => void): Server {
  // A delivery may come twice: its id says so. A real receiver keeps the ids where they survive it.
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
      response.writeHead(204).end()
      if (seen.has(webhook.deliveryId)) return
      seen.add(webhook.deliveryId)
      onWebhook(webhook)
    } catch (error) {
      response.writeHead(error instanceof WebhookError ? 400 : 500).end()
    }
  })
}
