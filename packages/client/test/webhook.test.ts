/** Goal: only what is signed with the secret and fresh is believed, and the libraries of Standard Webhooks agree. */
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { webhookHeaders } from '../../server/src/notification/delivery/signature.js'
import { verifyWebhook, type WebhookError } from '../src/webhook.js'

const NOW_MS = 1_674_087_231_000
const now = () => NOW_MS
const BODY = '{"event":"compliance.block","id":"e1"}'
const signed = (secret: string, body = BODY, nowMs = NOW_MS, deliveryId = 'd1') =>
  webhookHeaders({ deliveryId, event: 'compliance.block', body, nowMs, secret })
const lower = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
const problem = (promise: Promise<unknown>) =>
  promise.then(
    () => 'believed',
    (error: WebhookError) => error.code,
  )

describe('a webhook', () => {
  it('is believed with the secret that signed it, whatever the form of the headers and the body', async () => {
    for (const secret of ['a secret of ours', `whsec_${Buffer.from('32 bytes of a secret').toString('base64')}`]) {
      const headers = signed(secret)
      for (const form of [new Headers(headers), lower(headers)]) {
        for (const body of [BODY, new TextEncoder().encode(BODY)]) {
          expect(await verifyWebhook({ headers: form, body }, { secret, now })).toEqual({
            deliveryId: 'd1',
            event: 'compliance.block',
            sentAt: new Date(NOW_MS),
            payload: JSON.parse(BODY),
          })
        }
      }
    }
  })

  it('agrees with the example of the Standard Webhooks specification', async () => {
    const key = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
    const body = '{"test": 2432232314}'
    const [id, timestamp] = ['msg_p5jXN8AQM9LWM0D4loKWxJek', '1614265330']
    const mac = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
    expect(mac).toBe('g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
    const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${mac}` }
    const options = { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', now: () => 1_614_265_330_000 }
    expect(await verifyWebhook({ headers, body }, options)).toMatchObject({
      deliveryId: id,
      payload: { test: 2432232314 },
    })
  })

  it('is not believed when any bit of it is another', async () => {
    const secret = 'a secret of ours'
    const headers = lower(signed(secret))
    const named = fc.constantFrom('webhook-id', 'webhook-timestamp', 'webhook-signature', 'body')
    await fc.assert(
      fc.asyncProperty(named, fc.nat(), fc.integer({ min: 1, max: 127 }), async (name, at, flip) => {
        const text = name === 'body' ? BODY : (headers[name] ?? '')
        const index = at % text.length
        const changed =
          text.slice(0, index) + String.fromCharCode(text.charCodeAt(index) ^ flip) + text.slice(index + 1)
        const request =
          name === 'body' ? { headers, body: changed } : { headers: { ...headers, [name]: changed }, body: BODY }
        // The last character of Base64 has bits that stand for nothing.
        if (
          name === 'webhook-signature' &&
          Buffer.from(changed.slice(3), 'base64').equals(Buffer.from(text.slice(3), 'base64'))
        )
          return
        expect(await problem(verifyWebhook(request, { secret, now }))).not.toBe('believed')
      }),
      { numRuns: 300 },
    )
  })

  it('is not believed long after or before its time, without its headers, with another secret, or with no object in it', async () => {
    const secret = 'a secret of ours'
    const options = { secret, now }
    const at = (nowMs: number) =>
      problem(verifyWebhook({ headers: lower(signed(secret, BODY, nowMs)), body: BODY }, options))
    expect(await at(NOW_MS - 300_000)).toBe('believed')
    expect(await at(NOW_MS - 301_000)).toBe('too_old')
    expect(await at(NOW_MS + 301_000)).toBe('too_old')
    const headers = lower(signed(secret))
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      const { [name]: _gone, ...rest } = headers
      expect(await problem(verifyWebhook({ headers: rest, body: BODY }, options))).toBe('missing_header')
    }
    expect(await problem(verifyWebhook({ headers, body: BODY }, { secret: 'another', now }))).toBe('bad_signature')
    for (const body of ['[]', 'x', 'null']) {
      expect(await problem(verifyWebhook({ headers: lower(signed(secret, body)), body }, options))).toBe('bad_body')
    }
    await expect(verifyWebhook({ headers, body: BODY }, { secret: '', now })).rejects.toThrow('empty')
  })

  it('takes either of two secrets while one is exchanged for the other', async () => {
    const request = { headers: lower(signed('the new one')), body: BODY }
    expect(await problem(verifyWebhook(request, { secret: ['the old one', 'the new one'], now }))).toBe('believed')
    expect(await problem(verifyWebhook(request, { secret: ['the old one'], now }))).toBe('bad_signature')
  })
})
