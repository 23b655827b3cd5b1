/** Whether a delivery proves that its sender knows the secret of the source. Pure. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { SourceFormat } from '../formats.js'

export interface Signed {
  readonly bytes: Buffer
  readonly headers: Pick<Headers, 'get'>
}

const TOLERANCE_MS = 300_000

type Proof = (secret: string, signed: Signed, nowMs: number) => boolean

const bearer: Proof = (secret, { headers }) => {
  const [, given] = /^Bearer (\S{1,200})$/i.exec(headers.get('authorization') ?? '') ?? []
  return given !== undefined && isSame(given, secret)
}

const header =
  (name: string, prefix: string): Proof =>
  (secret, { bytes, headers }) => {
    const wanted = prefix + createHmac('sha256', secret).update(bytes).digest('hex')
    return (headers.get(name) ?? '')
      .slice(0, 1000)
      .split(',')
      .some((given) => isSame(given.trim(), wanted))
  }

/** Standard Webhooks: the signature covers id, time and body, with the key bytes after `whsec_`. */
const standard: Proof = (secret, { bytes, headers }, nowMs) => {
  const id = headers.get('webhook-id') ?? ''
  const stamp = headers.get('webhook-timestamp') ?? ''
  if (id === '' || !/^\d{1,12}$/.test(stamp)) return false
  // guard: an-old-delivery-proves-nothing
  if (Math.abs(nowMs - Number(stamp) * 1000) > TOLERANCE_MS) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const wanted = `v1,${createHmac('sha256', key).update(`${id}.${stamp}.`).update(bytes).digest('base64')}`
  return (headers.get('webhook-signature') ?? '')
    .slice(0, 1000)
    .split(' ')
    .some((given) => isSame(given, wanted))
}

const token =
  (name: string): Proof =>
  (secret, { headers }) =>
    isSame(headers.get(name) ?? '', secret)

const PROOFS: Readonly<Record<SourceFormat, readonly Proof[]>> = {
  github: [header('x-hub-signature-256', 'sha256=')],
  gitlab: [token('x-gitlab-token'), standard],
  cdevents: [bearer, standard],
  otlp: [bearer],
  alertmanager: [bearer],
  pagerduty: [header('x-pagerduty-signature', 'v1='), bearer],
  datadog: [bearer],
  opsgenie: [bearer],
}

export const isProven = (format: SourceFormat, secrets: readonly string[], signed: Signed, nowMs: number): boolean =>
  secrets.some((secret) => PROOFS[format].some((proves) => proves(secret, signed, nowMs)))

/** What a sender of each format has to send, for the refusal of a delivery without it. */
export const WANTED: Readonly<Record<SourceFormat, string>> = {
  github: 'X-Hub-Signature-256 with the secret of this source',
  gitlab: 'X-Gitlab-Token with the secret of this source',
  cdevents: 'Authorization: Bearer with the secret of this source, or webhook-signature by Standard Webhooks',
  otlp: 'Authorization: Bearer with the secret of this source',
  alertmanager: 'Authorization: Bearer with the secret of this source',
  pagerduty: 'X-PagerDuty-Signature with the secret of this source',
  datadog: 'Authorization: Bearer with the secret of this source',
  opsgenie: 'Authorization: Bearer with the secret of this source',
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
/** Compares in constant time. */
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other))
