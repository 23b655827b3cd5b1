/**
 * Verifies a webhook (Standard Webhooks): that the sender has the secret, that the request is fresh, and which delivery
 * it is. Runs wherever there is Web Crypto.
 */

export interface WebhookRequest {
  /** Headers of the request: `Headers`, or those of Node's `IncomingMessage`. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>
  /** The raw body, before anything parses it. */
  readonly body: string | Uint8Array
}

export interface WebhookOptions {
  /** The secret of the notification preferences. While a secret is rotated, both the old and the new one. */
  readonly secret: string | readonly string[]
  /** How far the timestamp of the request may differ from the clock, in seconds; 300 by default. */
  readonly toleranceSeconds?: number
  /** The clock, in ms since the epoch. */
  readonly now?: () => number
}

export interface Webhook<T = Readonly<Record<string, unknown>>> {
  /**
   * Id of the delivery, the same for each attempt. Store the ids that were processed, and answer 200 to a repeated one.
   */
  readonly deliveryId: string
  /** The type of the event, such as `compliance.block`. */
  readonly event: string
  readonly sentAt: Date
  readonly payload: T
}

export type WebhookProblem = 'missing_header' | 'bad_timestamp' | 'too_old' | 'bad_signature' | 'bad_body'

/** The request cannot be trusted: answer 400 and do nothing. */
export class WebhookError extends Error {
  readonly code: WebhookProblem
  constructor(code: WebhookProblem, message: string) {
    super(message)
    this.name = 'WebhookError'
    this.code = code
  }
}

const TOLERANCE_SECONDS = 300
const STANDARD_PREFIX = 'whsec_'
const SIGNATURES_MAX = 10

/**
 * @throws WebhookError for a request that is not signed with the secret, or whose timestamp is outside of the
 * tolerance.
 */
export async function verifyWebhook<T = Readonly<Record<string, unknown>>>(
  { headers, body }: WebhookRequest,
  { secret, toleranceSeconds = TOLERANCE_SECONDS, now = Date.now }: WebhookOptions,
): Promise<Webhook<T>> {
  const deliveryId = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signature = headerOf(headers, 'webhook-signature')
  if (!/^[0-9]{1,12}$/.test(timestamp)) throw new WebhookError('bad_timestamp', '`webhook-timestamp` is not a time')
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = join(new TextEncoder().encode(`${deliveryId}.${timestamp}.`), bytes)
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (!(await isSigned(signed, signature, secrets))) {
    throw new WebhookError('bad_signature', 'no signature in `webhook-signature` was made with the secret')
  }
  // Checked after the signature, so that a sender without the secret learns nothing about the clock.
  const ageSeconds = now() / 1000 - Number(timestamp)
  if (Math.abs(ageSeconds) > toleranceSeconds)
    throw new WebhookError('too_old', 'the request is too old, or its time is in the future')
  const payload = parse(bytes)
  return {
    deliveryId,
    event: String(payload['event']),
    sentAt: new Date(Number(timestamp) * 1000),
    payload: payload as T,
  }
}

function headerOf(headers: WebhookRequest['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name]
  if (typeof value !== 'string' || value === '')
    throw new WebhookError('missing_header', `the header \`${name}\` is missing`)
  return value
}

/** Web Crypto compares in constant time, wherever two signatures differ. */
async function isSigned(signed: Uint8Array, header: string, secrets: readonly string[]): Promise<boolean> {
  const given = header.split(' ').slice(0, SIGNATURES_MAX)
  let found = false
  for (const secret of secrets) {
    const algorithm = { name: 'HMAC', hash: 'SHA-256' }
    const key = await crypto.subtle.importKey('raw', buffer(keyOf(secret)), algorithm, false, ['verify'])
    for (const each of given) {
      const [version, text = ''] = each.split(',')
      const mac = version === 'v1' ? fromBase64(text) : null
      if (mac !== null && (await crypto.subtle.verify('HMAC', key, buffer(mac), buffer(signed)))) found = true
    }
  }
  return found
}

function keyOf(secret: string): Uint8Array {
  const key = secret.startsWith(STANDARD_PREFIX)
    ? fromBase64(secret.slice(STANDARD_PREFIX.length))
    : new TextEncoder().encode(secret)
  if (key === null || key.length === 0)
    throw new TypeError('the secret of the webhook is empty, or not Base64 after `whsec_`')
  return key
}

function fromBase64(text: string): Uint8Array | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

/** A copy in its own buffer, because a view may be backed by shared memory. */
const buffer = (bytes: Uint8Array): ArrayBuffer => new Uint8Array(bytes).buffer as ArrayBuffer

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

function parse(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // The error below covers this.
  }
  throw new WebhookError('bad_body', 'the body is not a JSON object')
}
