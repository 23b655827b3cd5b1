/**
 * Somebody's webhook: on loopback, in a process of its own that is never killed. It says what it got, a line of JSON a request,
 * before it answers; some requests it refuses, answers late, or never. Told `calm` it takes everything.
 *
 * Arguments: the secret and a seed.
 */
import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '../world/random.js'

/** A request, as it came. */
export interface Received {
  readonly deliveryId: string
  /** Of the body. */
  readonly hash: string
  /** The notification that the body says it is. */
  readonly notificationId: string
  readonly path: string
  readonly isSigned: boolean
  /** The status that it is answered with, or null for none. */
  readonly answer: number | null
}

/** So that a process is often killed between the request and its answer. */
const LATE_MS_MAX = 100

const [secret = '', seed = '1'] = process.argv.slice(2)
const random = createRandom(Number(seed))
let isCalm = false
process.stdin.on('data', () => {
  isCalm = true
})
process.stdin.on('end', () => process.exit(0))

function chooseAnswer(): number | null {
  const at = isCalm ? 0 : random.next()
  if (at < 0.8) return 200
  if (at < 0.9) return 500
  if (at < 0.93) return 429
  return at < 0.96 ? 410 : null
}

function isSigned({ headers }: IncomingMessage, body: string): boolean {
  const id = headers['webhook-id']
  const mac = (content: string) => createHmac('sha256', secret).update(content)
  return (
    headers['x-platform-delivery'] === id &&
    headers['x-platform-signature'] === `sha256=${mac(body).digest('hex')}` &&
    headers['webhook-signature'] === `v1,${mac(`${id}.${headers['webhook-timestamp']}.${body}`).digest('base64')}`
  )
}

const server = createServer(async (request, response) => {
  try {
    const body = await text(request)
    const answer = chooseAnswer()
    const received: Received = {
      deliveryId: String(request.headers['webhook-id']),
      hash: createHash('sha256').update(body).digest('hex'),
      notificationId: (JSON.parse(body) as { id: string }).id,
      path: request.url ?? '',
      isSigned: isSigned(request, body),
      answer,
    }
    process.stdout.write(`${JSON.stringify(received)}\n`)
    if (!isCalm) await sleep(random.next() * LATE_MS_MAX)
    if (answer === null) request.socket.destroy()
    else response.writeHead(answer).end()
  } catch {
    // The sender is gone before the end of the body: nothing was received.
    request.socket.destroy()
  }
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`)
})
