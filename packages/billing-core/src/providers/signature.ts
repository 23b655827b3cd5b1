/**
 * The signature of a webhook of the card provider: `t=<unix seconds>,v1=<hex>[,v1=…]`, an HMAC-SHA256 of `<t>.<raw
 * body>`. The body is the bytes as received. Any of several v1 values may match. The timestamp may differ from the
 * clock by the tolerance in either direction.
 */
import type { CryptoPort } from '../crypto/port.js'
import { accept, type Result, refuse } from '../refusal/refusal.js'
import { encodeUtf8 } from '../text/utf8.js'

export const SIGNATURE_TOLERANCE_SECONDS = 300
/** Names of headers that may contain the signature, in order of preference. */
export const signatureHeaders = ['stripe-signature', 'card-provider-signature'] as const

export interface SignedDelivery {
  readonly header: string | null | undefined
  readonly body: Uint8Array
  readonly secret: string
  readonly nowSeconds: number
  readonly toleranceSeconds?: number
}

/** Verifies a signature. Returns the time of signing in Unix seconds. Every failure gets the same refusal. */
export function verifySignature(crypto: CryptoPort, delivery: SignedDelivery): Result<number> {
  const parsed = typeof delivery.header === 'string' ? parseHeader(delivery.header) : null
  const refused = refuse('INVALID_SIGNATURE', 'the signature is missing, malformed, too old or does not match')
  // With an empty secret anyone could make a valid signature.
  if (parsed === null || delivery.secret === '') return refused
  const tolerance = delivery.toleranceSeconds ?? SIGNATURE_TOLERANCE_SECONDS
  // The comparison is negated so that a clock that is NaN is refused too.
  if (!(Math.abs(delivery.nowSeconds - parsed.seconds) <= tolerance)) return refused
  const expected = signatureOf(crypto, delivery.secret, parsed.seconds, delivery.body)
  let matches = false
  for (const given of parsed.signatures) matches = crypto.equal(given, expected) || matches
  return matches ? accept(parsed.seconds) : refused
}

/** Returns the header that a sender would send. Tests of receivers use it. */
export function signDelivery(crypto: CryptoPort, secret: string, seconds: number, body: Uint8Array): string {
  const mac = signatureOf(crypto, secret, seconds, body)
  return `t=${seconds},v1=${[...mac].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`
}

function signatureOf(crypto: CryptoPort, secret: string, seconds: number, body: Uint8Array): Uint8Array {
  const prefix = encodeUtf8(`${seconds}.`)
  const message = new Uint8Array(prefix.length + body.length)
  message.set(prefix)
  message.set(body, prefix.length)
  return crypto.hmacSha256(encodeUtf8(secret), message)
}

const MAX_HEADER_LENGTH = 4_096

function parseHeader(header: string): { readonly seconds: number; readonly signatures: readonly Uint8Array[] } | null {
  if (header.length > MAX_HEADER_LENGTH) return null
  let seconds: number | null = null
  const signatures: Uint8Array[] = []
  for (const part of header.split(',')) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    const value = part.slice(at + 1).trim()
    if (name === 't') {
      if (seconds !== null || !/^[1-9][0-9]{0,11}$/.test(value)) return null
      seconds = Number(value)
    } else if (name === 'v1' && /^[0-9a-f]{64}$/.test(value)) signatures.push(fromHex(value))
  }
  return seconds === null || signatures.length === 0 ? null : { seconds, signatures }
}

function fromHex(text: string): Uint8Array {
  return Uint8Array.from({ length: text.length / 2 }, (_, index) =>
    Number.parseInt(text.slice(index * 2, index * 2 + 2), 16),
  )
}
