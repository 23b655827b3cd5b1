/**
 * A fake marketplace for one machine. It implements the APIs that the real marketplace's SDKs call, keeps its state,
 * has its own clock, signs its notices, and fails on request. It bills nobody.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Fault, Faults } from '../card/faults.js'
import { newSigningKey, type SigningKey } from './certificate.js'
import { answerControl, type Controlled, type Deliveries } from './control.js'
import { type Action, type Envelope, noticeText, signEnvelope, type Unsigned } from './notice.js'
import { emptyState, nextId, type State, type Subscriber } from './state.js'
import { OPERATIONS, WireError } from './wire.js'

export const FAKE_PRODUCT_CODE = 'plumbline-local'
export const FAKE_TOPIC_ARN = 'arn:aws:sns:us-east-1:000000000000:plumbline-local'
const CERTIFICATE_PATH = '/SimpleNotificationService-local.pem'
const BODY_BYTES_MAX = 1_048_576
const YEARS_10_MS = 3650 * 86_400_000
const TRIES = 4
/** A server that starts on an empty PostgreSQL may take a minute until it answers. */
const CONFIRMATION_TRIES = 40

export interface FakeMarketplaceOptions {
  readonly now?: () => number
  readonly endpoint?: string | null
  readonly version?: '1' | '2'
  /** Called with each notice instead of sending it over HTTP; for tests. */
  readonly onNotice?: (envelope: Envelope) => void
}

export class FakeMarketplace implements Controlled {
  readonly state: State = emptyState(FAKE_PRODUCT_CODE)
  readonly faults = new Faults()
  readonly deliveries: Deliveries = { mode: 'send' }
  /** Calls in their order. */
  readonly log: string[] = []
  readonly notices: Envelope[] = []
  takes = Number.POSITIVE_INFINITY
  version: '1' | '2'
  url = ''
  #offsetMs = 0
  readonly #now: () => number
  readonly #onNotice: FakeMarketplaceOptions['onNotice']
  readonly #firstEndpoint: string | null
  #signing: SigningKey | null = null
  #held: Envelope[] = []
  #sending: Promise<void> = Promise.resolve()
  #server: Server | null = null

  constructor({ now = Date.now, endpoint = null, version = '2', onNotice }: FakeMarketplaceOptions = {}) {
    this.#now = now
    this.version = version
    this.#onNotice = onNotice
    this.#firstEndpoint = endpoint
  }

  nowMs(): number {
    return this.#now() + this.#offsetMs
  }

  advance(ms: number): void {
    this.#offsetMs += ms
  }

  get signingKey(): SigningKey {
    this.#signing ??= newSigningKey('sns.local', {
      fromMs: this.#now() - 365 * 86_400_000,
      untilMs: this.#now() + YEARS_10_MS,
    })
    return this.#signing
  }

  get certificateUrl(): string {
    return `${this.url}${CERTIFICATE_PATH}`
  }

  signed(unsigned: Unsigned): Envelope {
    const signing = { key: this.signingKey.key, certificateUrl: this.certificateUrl, version: this.version }
    return signEnvelope(signing, FAKE_TOPIC_ARN, this.nowMs(), unsigned)
  }

  /** Sends a notice about a subscriber. */
  tell(subscriber: Subscriber, action: Action): Envelope {
    const text = noticeText(subscriber, this.state.productCode, action, this.nowMs())
    const envelope = this.signed({ Type: 'Notification', Message: text })
    this.notices.push(envelope)
    const { mode } = this.deliveries
    if (mode === 'drop') return envelope
    if (mode === 'hold') this.#held.push(envelope)
    else this.send(envelope)
    if (mode === 'double') this.send(envelope)
    return envelope
  }

  release(order: (held: readonly Envelope[]) => readonly Envelope[] = (held) => held): void {
    const held = this.#held
    this.#held = []
    for (const envelope of order(held)) this.send(envelope)
  }

  send(envelope: Envelope): void {
    if (this.#onNotice !== undefined) {
      this.#onNotice(envelope)
      return
    }
    for (const [url, { confirmed }] of this.state.endpoints) if (confirmed) this.#queue(url, envelope)
  }

  /** Asks an endpoint whether it wants the notices. It confirms by calling the address that it is given. */
  subscribe(endpoint: string): Envelope {
    const token = `confirm-${nextId(this.state)}`
    this.state.endpoints.set(endpoint, { token, confirmed: false })
    const envelope = this.signed({
      Type: 'SubscriptionConfirmation',
      Message: `You have chosen to subscribe to the topic ${FAKE_TOPIC_ARN}.`,
      Token: token,
      SubscribeURL: `${this.url}/?Action=ConfirmSubscription&TopicArn=${FAKE_TOPIC_ARN}&Token=${token}`,
    })
    if (this.#onNotice !== undefined) this.#onNotice(envelope)
    else this.#queue(endpoint, envelope, CONFIRMATION_TRIES)
    return envelope
  }

  /** Resolves when every notice was answered or has failed for good. */
  async settled(): Promise<void> {
    let before: Promise<void> | null = null
    while (before !== this.#sending) {
      before = this.#sending
      await before
    }
  }

  async listen(port = 0): Promise<string> {
    const server = createServer((request, response) => void this.#serve(request, response))
    this.#server = server
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', resolve)
    })
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    if (this.#firstEndpoint !== null) this.subscribe(this.#firstEndpoint)
    return this.url
  }

  async close(): Promise<void> {
    const server = this.#server
    if (server === null) return
    server.closeAllConnections()
    await new Promise<void>((resolve) => server.close(() => resolve()))
    this.#server = null
  }

  #queue(url: string, envelope: Envelope, tries = TRIES): void {
    this.#sending = this.#sending.then(() => this.#post(url, envelope, tries))
  }

  async #post(url: string, envelope: Envelope, tries: number): Promise<void> {
    for (let attempt = 1; attempt <= tries; attempt++) {
      try {
        const headers = { 'content-type': 'text/plain; charset=UTF-8', 'x-amz-sns-message-type': envelope.Type }
        const body = JSON.stringify(envelope)
        const answer = await fetch(url, { method: 'POST', headers, body, signal: AbortSignal.timeout(10_000) })
        await answer.arrayBuffer()
        // A receiver that refused is not asked again.
        if (answer.status < 500 && answer.status !== 429) return
      } catch {
        // The receiver is not available: try once more.
      }
      if (attempt < tries) await new Promise((resolve) => setTimeout(resolve, Math.min(500 * 2 ** attempt, 4000)))
    }
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake')
    const body = await textOf(request)
    if (url.pathname.startsWith('/_fake')) {
      const { status, text } = answerControl(this, request.method ?? 'GET', url, body)
      response.writeHead(status, { 'content-type': 'application/json' }).end(text)
      return
    }
    if (request.method === 'GET') {
      const { status, text } = this.#page(url)
      response.writeHead(status, { 'content-type': 'text/plain' }).end(text)
      return
    }
    const target = String(request.headers['x-amz-target'] ?? '')
    const fault = this.faults.take(target)
    if (fault?.kind === 'lose_request') {
      request.socket.destroy()
      return
    }
    if (fault?.kind === 'delay') await new Promise((resolve) => setTimeout(resolve, fault.delayMs ?? 1000))
    const { status, text } = this.answer(target, body, fault)
    if (fault?.kind === 'delay_answer') await new Promise((resolve) => setTimeout(resolve, fault.delayMs ?? 1000))
    if (fault?.kind === 'lose_answer') request.socket.destroy()
    else
      response
        .writeHead(status, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': 'local' })
        .end(text)
  }

  /** Serves the certificate, and the address by which an endpoint confirms. */
  #page(url: URL): { status: number; text: string } {
    if (url.pathname === CERTIFICATE_PATH) return { status: 200, text: this.signingKey.certificatePem }
    const wanted = [...this.state.endpoints].find(([, { token }]) => token === url.searchParams.get('Token'))
    if (url.searchParams.get('Action') !== 'ConfirmSubscription' || wanted === undefined) {
      return { status: 404, text: 'there is no such page' }
    }
    wanted[1].confirmed = true
    return { status: 200, text: '<ConfirmSubscriptionResponse/>' }
  }

  /** One call. */
  answer(target: string, body: string, fault: Fault | null = null): { status: number; text: string } {
    const operation = OPERATIONS[target]
    if (operation === undefined) return failed(new WireError(400, 'UnknownOperationException', `${target} is unknown`))
    if (fault?.kind === 'busy') return failed(new WireError(400, 'ThrottlingException', 'Too many requests.'))
    if (fault?.kind === 'locked_out')
      return failed(new WireError(400, 'UnrecognizedClientException', 'The security token is invalid.'))
    const broken = failed(new WireError(500, 'InternalServiceErrorException', 'Something went wrong.'))
    if (fault?.kind === 'fail') return broken
    this.log.push(target)
    try {
      const serving = { state: this.state, nowMs: this.nowMs(), takes: this.takes }
      const answer = operation(serving, JSON.parse(body) as never)
      return fault?.kind === 'fail_done' ? broken : { status: 200, text: JSON.stringify(answer) }
    } catch (error) {
      if (error instanceof WireError) return failed(error)
      throw error
    }
  }
}

const failed = ({ status, type, message }: WireError) => ({
  status,
  text: JSON.stringify({ __type: type, message }),
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
