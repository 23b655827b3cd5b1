/**
 * A fake card provider for one machine. It implements the API that the real provider's SDK calls, keeps its state, has
 * its own clock, signs its deliveries, and fails on request. It charges nobody.
 */
import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { signDelivery } from '@plumbline/billing-core'
import { nodeCrypto } from '@plumbline/billing-core/node'
import { type Ledger, newId, tick } from './billing.js'
import { answerControl, type Controlled, type Deliveries } from './control.js'
import { type Fault, Faults } from './faults.js'
import { parseForm } from './form.js'
import { answerRoute, WireError } from './routes.js'
import { emptyState, type State, type StoredEvent } from './state.js'
import { eventWire, type Shape } from './wire.js'

export const FAKE_WEBHOOK_SECRET = 'whsec_fake'
const KEPT_SECONDS = 86_400
const BODY_BYTES_MAX = 1_048_576
const TRIES = 4

export interface FakeCardOptions {
  readonly now?: () => number
  readonly shape?: Shape
  readonly webhookUrl?: string | null
  readonly secret?: string
  /** Called with each event instead of sending it over HTTP; for proofs. */
  readonly onEvent?: (event: StoredEvent) => void
}

interface Kept {
  readonly hash: string
  readonly atSeconds: number
  status: number
  body: string
}

export class FakeCard implements Controlled {
  readonly state: State = emptyState()
  readonly faults = new Faults()
  readonly deliveries: Deliveries
  /** Requests that changed something, in order. */
  readonly log: string[] = []
  shape: Shape
  #offsetMs = 0
  readonly #now: () => number
  readonly #secret: string
  readonly #onEvent: FakeCardOptions['onEvent']
  readonly #keys = new Map<string, Kept>()
  #held: StoredEvent[] = []
  #sending: Promise<void> = Promise.resolve()
  #server: Server | null = null

  constructor({
    now = Date.now,
    shape = 'new',
    webhookUrl = null,
    secret = FAKE_WEBHOOK_SECRET,
    onEvent,
  }: FakeCardOptions = {}) {
    this.#now = now
    this.shape = shape
    this.#secret = secret
    this.#onEvent = onEvent
    this.deliveries = { url: webhookUrl, mode: 'send' }
  }

  nowMs(): number {
    return this.#now() + this.#offsetMs
  }

  get ledger(): Ledger {
    return {
      state: this.state,
      shape: this.shape,
      now: () => Math.floor(this.nowMs() / 1000),
      tell: (type, object) => this.#tell(type, object),
    }
  }

  /** Advances the clock; what becomes due happens on the way. */
  advance(ms: number): void {
    const endMs = this.#offsetMs + ms
    const step = 6 * 3_600_000
    while (this.#offsetMs < endMs) {
      this.#offsetMs = Math.min(endMs, this.#offsetMs + step)
      this.tick()
    }
  }

  /** Forgets idempotency keys, as happens after a day. Advancing the clock would change more than that. */
  forgetKeys(): void {
    this.#keys.clear()
  }

  tick(): void {
    while (tick(this.ledger));
  }

  /** Resolves when every delivery was answered or has failed for good. */
  async settled(): Promise<void> {
    let before: Promise<void> | null = null
    while (before !== this.#sending) {
      before = this.#sending
      await before
    }
  }

  /** Sends the deliveries that were held, in this order. */
  release(order: (events: readonly StoredEvent[]) => readonly StoredEvent[] = (events) => events): void {
    const held = this.#held
    this.#held = []
    for (const event of order(held)) this.#send(event)
  }

  /** Sends the event once more, with a current signature. */
  resend(event: StoredEvent): void {
    this.#send(event)
  }

  signed(event: StoredEvent): { readonly body: string; readonly signature: string } {
    const body = JSON.stringify(eventWire(event))
    const seconds = Math.floor(this.#now() / 1000)
    return { body, signature: signDelivery(nodeCrypto, this.#secret, seconds, Buffer.from(body)) }
  }

  async listen(port = 0): Promise<string> {
    const server = createServer((request, response) => void this.#serve(request, response))
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    this.state.pagesAt = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    return this.state.pagesAt
  }

  async close(): Promise<void> {
    const server = this.#server
    if (server === null) return
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    this.#server = null
  }

  #tell(type: string, object: object): void {
    const event = { id: newId(this.state, 'evt'), type, created: Math.floor(this.nowMs() / 1000), object }
    this.state.events.push(event)
    const { mode } = this.deliveries
    if (mode === 'drop') return
    if (mode === 'hold') {
      this.#held.push(event)
      return
    }
    this.#send(event)
    if (mode === 'double') this.#send(event)
  }

  #send(event: StoredEvent): void {
    if (this.#onEvent !== undefined) {
      this.#onEvent(event)
      return
    }
    const { url } = this.deliveries
    if (url !== null) this.#sending = this.#sending.then(() => this.#post(url, event))
  }

  async #post(url: string, event: StoredEvent): Promise<void> {
    for (let attempt = 1; attempt <= TRIES; attempt++) {
      const { body, signature } = this.signed(event)
      try {
        const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': signature }
        const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
        await answer.arrayBuffer()
        if (answer.ok) return
      } catch {
        // The receiver is not available: try once more.
      }
      if (attempt < TRIES) await new Promise((resolve) => setTimeout(resolve, 250 * 2 ** attempt))
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake')
    const body = await textOf(request)
    if (url.pathname.startsWith('/_fake')) {
      const { status, type, text } = answerControl(this, request.method ?? 'GET', url, body)
      response.writeHead(status, { 'content-type': type }).end(text)
      return
    }
    const asked = `${request.method} ${url.pathname}`
    const fault = this.faults.take(asked)
    if (fault?.kind === 'lose_request') {
      request.socket.destroy()
      return
    }
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.delayMs ?? 1000))
    const key = request.headers['idempotency-key']
    const { status, text } = this.answer(asked, url.search.slice(1), body, typeof key === 'string' ? key : null, fault)
    if (fault?.kind === 'delay_answer') await new Promise((resolve) => setTimeout(resolve, fault.delayMs ?? 1000))
    if (fault?.kind === 'lose_answer') request.socket.destroy()
    else response.writeHead(status, { 'content-type': 'application/json', 'request-id': 'req_fake' }).end(text)
  }

  /** Answers one request under its key. The first answer is stored with the key, even a failure. */
  answer(
    asked: string,
    query: string,
    body: string,
    key: string | null,
    fault: Fault | null,
  ): { status: number; text: string } {
    if (fault?.kind === 'busy')
      return failed(new WireError(429, 'invalid_request_error', 'rate_limit', 'Too many requests.'))
    if (fault?.kind === 'locked_out')
      return failed(new WireError(401, 'invalid_request_error', 'api_key_invalid', 'Invalid API Key provided.'))
    if (fault?.kind === 'in_use')
      return failed(new WireError(409, 'idempotency_error', 'idempotency_key_in_use', 'The key is in use.'))
    const at = Math.floor(this.nowMs() / 1000)
    const hash = createHash('sha256').update(`${asked}\n${body}`).digest('hex')
    const kept = key === null ? undefined : this.#keys.get(key)
    if (kept !== undefined && at - kept.atSeconds < KEPT_SECONDS) {
      if (kept.hash !== hash)
        return failed(
          new WireError(
            400,
            'idempotency_error',
            'idempotency_error',
            'Keys for idempotent requests can only be used with the same parameters.',
          ),
        )
      return { status: kept.status, text: kept.body }
    }
    const [method = '', path = ''] = asked.split(' ')
    const done = this.#run(method, path, method === 'GET' ? query : body, fault)
    if (method !== 'GET') this.log.push(`${asked} ${done.status}`)
    if (key !== null) this.#keys.set(key, { hash, atSeconds: at, status: done.status, body: done.text })
    return done
  }

  #run(method: string, path: string, form: string, fault: Fault | null): { status: number; text: string } {
    const broken = failed(new WireError(500, 'api_error', 'api_error', 'Something went wrong.'))
    if (fault?.kind === 'fail') return broken
    try {
      const answer = answerRoute(this.ledger, method, path, parseForm(form))
      return fault?.kind === 'fail_done' ? broken : { status: 200, text: JSON.stringify(answer) }
    } catch (error) {
      if (error instanceof WireError) return failed(error)
      throw error
    }
  }
}

const failed = ({ status, type, code, message }: WireError) => ({
  status,
  text: JSON.stringify({
    error: { type, code, message, ...(code === 'card_declined' ? { decline_code: 'generic_decline' } : {}) },
  }),
})

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += (chunk as Buffer).byteLength
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk as Buffer)
  }
  return Buffer.concat(chunks).toString('utf8')
}
