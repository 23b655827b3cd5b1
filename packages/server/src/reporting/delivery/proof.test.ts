/**
 * Deliveries prove the secret of their own source. Truncated, changed, late, or signed for another source, they prove
 * nothing.
 */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SOURCE_FORMATS } from '../formats.js'
import { isProven } from './proof.js'

const NOW = Date.parse('2026-03-01T12:00:00Z')
const SECONDS = NOW / 1000
const key = fc
  .uint8Array({ minLength: 24, maxLength: 32 })
  .map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`)
const body = fc.uint8Array({ minLength: 2, maxLength: 200 }).map((bytes) => Buffer.from(bytes))

type Headers = Readonly<Record<string, string>>
const hex = (secret: string, bytes: Buffer) => createHmac('sha256', secret).update(bytes).digest('hex')
const bearer = (secret: string): Headers => ({ authorization: `Bearer ${secret}` })
const standard = (secret: string, bytes: Buffer, seconds = SECONDS): Headers => ({
  'webhook-id': 'msg_1',
  'webhook-timestamp': String(seconds),
  'webhook-signature': `v1,${createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
    .update(`msg_1.${seconds}.`)
    .update(bytes)
    .digest('base64')}`,
})
/** What senders of each format send, implemented a second time. */
const WAYS: Readonly<Record<(typeof SOURCE_FORMATS)[number], readonly ((secret: string, bytes: Buffer) => Headers)[]>> =
  {
    github: [(secret, bytes) => ({ 'x-hub-signature-256': `sha256=${hex(secret, bytes)}` })],
    gitlab: [(secret) => ({ 'x-gitlab-token': secret }), standard],
    cdevents: [bearer, standard],
    otlp: [bearer],
    alertmanager: [bearer],
    pagerduty: [(secret, bytes) => ({ 'x-pagerduty-signature': `v1=${hex(secret, bytes)}` }), bearer],
    datadog: [bearer],
    opsgenie: [bearer],
  }
const sent = fc
  .constantFrom(...SOURCE_FORMATS)
  .chain((format) => fc.tuple(fc.constant(format), fc.nat(WAYS[format].length - 1)))

const prove = (
  format: (typeof SOURCE_FORMATS)[number],
  secrets: string[],
  bytes: Buffer,
  headers: Headers,
  nowMs = NOW,
) => isProven(format, secrets, { bytes, headers: new Headers(headers) }, nowMs)

it('is proven by the secret of the source, the one before too, and by nothing else', () => {
  fc.assert(
    fc.property(sent, key, key, body, fc.nat(), ([format, way], secret, other, bytes, place) => {
      fc.pre(secret !== other)
      const make = WAYS[format][way] as (secret: string, bytes: Buffer) => Headers
      const good = make(secret, bytes)
      expect(prove(format, [secret], bytes, good)).toBe(true)
      expect(prove(format, [other, secret], bytes, good)).toBe(true)
      expect(prove(format, [], bytes, good)).toBe(false)
      expect(prove(format, [other], bytes, good)).toBe(false)
      expect(prove(format, [secret], bytes, {})).toBe(false)
      const name = Object.keys(good).at(-1) as string
      const value = good[name] as string
      const at = place % value.length
      const forged = [
        value.slice(0, -1),
        value.slice(1),
        '',
        value.slice(0, at) + (value[at] === 'x' ? 'y' : 'x') + value.slice(at + 1),
        value.replace(/^(sha256|v1)[=,]/, ''),
        make(other, bytes)[name] as string,
      ].filter((each) => each !== value && each !== value.replace(/^bearer/i, 'Bearer'))
      for (const each of forged)
        expect([each, prove(format, [secret], bytes, { ...good, [name]: each })]).toEqual([each, false])
      for (const elsewhere of SOURCE_FORMATS) {
        const isTaken = WAYS[elsewhere].some((each) => each(secret, bytes)[name] === value)
        expect([elsewhere, prove(elsewhere, [secret], bytes, good)]).toEqual([elsewhere, isTaken])
      }
      if (/signature/.test(name)) {
        const changed = Buffer.from(bytes)
        changed[place % changed.length] = (changed[place % changed.length] as number) ^ 1
        expect(prove(format, [secret], changed, good)).toBe(false)
        expect(prove(format, [secret], Buffer.concat([bytes, Buffer.from(' ')]), good)).toBe(false)
      }
    }),
    { numRuns: 200 },
  )
})

it('is not proven by a delivery of Standard Webhooks that is old, early, or of another instant', () => {
  fc.assert(
    fc.property(key, body, fc.integer({ min: -900, max: 900 }), (secret, bytes, offset) => {
      const told = standard(secret, bytes, SECONDS + offset)
      expect(prove('cdevents', [secret], bytes, told)).toBe(Math.abs(offset) <= 300)
      const moved = { ...told, 'webhook-timestamp': String(SECONDS + offset + 1) }
      expect(prove('cdevents', [secret], bytes, moved)).toBe(false)
      expect(prove('cdevents', [secret], bytes, { ...told, 'webhook-id': 'msg_2' })).toBe(false)
    }),
    { numRuns: 100 },
  )
})
