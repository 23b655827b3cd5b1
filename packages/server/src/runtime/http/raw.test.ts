/** Bytes are taken as they come, within their size, and what they prove decides; who delivers well is never in the way of limits. */
import { createHash } from 'node:crypto'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { type Floor, floor } from '../../../test/support/http.js'
import { testSettings } from '../../../test/support/settings.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { heldClock } from '../clock.js'
import { Refusal } from '../errors.js'
import { anyone } from '../operation/access.js'
import { bucketsOf, tierFactors } from '../operation/buckets.js'
import { changed } from '../operation/context.js'
import { none, noTenant, rawCommand } from '../operation/operation.js'
import type { Store } from '../store/db.js'
import { createLimiter, memoryRateStore } from './rate-limit.js'

let during: () => Promise<void> = async () => undefined

const deliver = rawCommand({
  name: 'test.delivery.receive',
  summary: 'Receive a delivery',
  http: { method: 'post', path: '/deliveries/:from' },
  access: anyone(),
  tenant: noTenant,
  input: { path: Type.Object({ from: Type.String() }) },
  output: Type.Object({ sha256: Type.String(), mediaType: Type.String(), bytes: Type.Integer() }),
  errors: ['TOKEN_INVALID', 'CONFLICT'],
  audit: none('a test'),
  raw: {
    bytesMax: 1_048_576,
    atOnceMax: 2,
    atOnceEach: { parameter: 'from', max: 1 },
    refusedIn: 'raw-refused',
    description: 'Bytes',
    mediaType: 'application/octet-stream',
  },
  prepare: async (_context, _input, { headers }) => {
    await during()
    return headers.get('x-signature')
  },
  run: async (_context, _input, signature, { bytes, mediaType }) => {
    if (signature === 'busy') throw new Refusal('CONFLICT', 'it is handled elsewhere')
    if (signature !== 'good') throw new Refusal('TOKEN_INVALID', 'the signature is not right')
    return changed({ sha256: createHash('sha256').update(bytes).digest('hex'), mediaType, bytes: bytes.length })
  },
})

let store: Store
let http: Floor
beforeAll(async () => {
  store = await sqliteStore()
})
afterAll(() => store.close())
beforeEach(() => {
  during = async () => undefined
  const settings = testSettings()
  const limiter = createLimiter({
    clock: heldClock(Date.parse('2026-11-21T10:00:00.000Z')),
    store: memoryRateStore(),
    buckets: bucketsOf(settings),
    tierFactors: tierFactors(settings),
  })
  http = floor(store, [deliver], { limiter })
})

const send = (
  body: string | Uint8Array | ReadableStream | undefined,
  {
    signature = 'good',
    headers = {},
    ip = '192.0.2.1',
    from = 'a',
  }: { signature?: string; headers?: object; ip?: string; from?: string } = {},
) => {
  const init = {
    method: 'POST',
    headers: { 'x-signature': signature, ...headers },
    ...(body && { body, duplex: 'half' }),
  }
  return http.app.request(`/api/deliveries/${from}`, init as RequestInit, {
    incoming: { socket: { remoteAddress: ip } },
  })
}
const statusOf = async (answer: Response | Promise<Response>) => (await answer).status

it('hands on the bytes as they are, whatever type they claim to be', async () => {
  const bytes = new Uint8Array(70_000).map((_, n) => (n * 7919) % 256)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  for (const [type, mediaType] of [
    ['application/json', 'application/json'],
    ['Text/Plain; charset=UTF-8', 'text/plain'],
    ['nonsense', 'nonsense'],
  ] as const) {
    const answer = await send(bytes, { headers: { 'content-type': type } })
    expect(await answer.json()).toMatchObject({ data: { sha256, mediaType, bytes: 70_000 } })
  }
  expect(await (await send(undefined)).json()).toMatchObject({ data: { bytes: 0, mediaType: '' } })
})

it('takes a mebibyte and not one byte more, announced or not', async () => {
  const streamed = (size: number) =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(size - 1))
        controller.enqueue(new Uint8Array(1))
        controller.close()
      },
    })
  expect(await statusOf(send(new Uint8Array(1_048_576)))).toBe(200)
  expect(await statusOf(send(new Uint8Array(1_048_577)))).toBe(413)
  expect(await statusOf(send(undefined, { headers: { 'content-length': '1048577' } }))).toBe(413)
  expect(await statusOf(send(streamed(1_048_576)))).toBe(200)
  expect(await statusOf(send(streamed(1_048_577)))).toBe(413)
})

it('counts what it refuses by address, and what is good or busy in nothing', async () => {
  for (let n = 0; n < 150; n++) expect(await statusOf(send('x'))).toBe(200)
  for (let n = 0; n < 70; n++) expect(await statusOf(send('x', { signature: 'busy' }))).toBe(409)
  const bad = await Promise.all(['a', 'b'].map((from) => send('x', { signature: 'bad', from })))
  expect(bad.map(({ status }) => status)).toEqual([401, 401])
  for (let n = 0; n < 58; n++) await send('x', { signature: 'bad' })
  const over = await send('x', { signature: 'bad' })
  expect([over.status, over.headers.get('retry-after')]).toEqual([429, '61'])
  // The sender of good ones behind the same address goes on, and others may still be wrong.
  expect(await statusOf(send('x'))).toBe(200)
  expect(await statusOf(send('x', { signature: 'bad', ip: '192.0.2.2' }))).toBe(401)
})

it('has so many in hand at once, and asks for the rest again', async () => {
  let free = () => {}
  const wait = new Promise<void>((resolve) => {
    free = resolve
  })
  let inHand = 0
  during = () => {
    inHand += 1
    return wait
  }
  const one = send('x')
  await vi.waitFor(() => expect(inHand).toBe(1), { timeout: 60_000, interval: 2 })
  // The share of one sender.
  expect(await statusOf(send('x'))).toBe(503)
  const two = [one, send('x', { from: 'b' })]
  await vi.waitFor(() => expect(inHand).toBe(2), { timeout: 60_000, interval: 2 })
  const third = await send('x', { from: 'c' })
  expect([third.status, third.headers.get('retry-after')]).toEqual([503, '1'])
  free()
  expect(await Promise.all(two.map(statusOf))).toEqual([200, 200])
  during = async () => undefined
  expect(await statusOf(send('x'))).toBe(200)
})

it('reads small bodies while as many large ones as it takes drip in', async () => {
  const ends: (() => void)[] = []
  const dripping = () =>
    new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new Uint8Array(100_000))
        ends.push(() => controller.close())
      },
    })
  const slow = [send(dripping(), { from: 'a' }), send(dripping(), { from: 'b' })]
  await vi.waitFor(() => expect(ends).toHaveLength(2), { timeout: 60_000, interval: 2 })
  expect(await statusOf(send(new Uint8Array(100_000), { from: 'c' }))).toBe(503)
  expect(await statusOf(send('x', { from: 'c', headers: { 'content-length': '1' } }))).toBe(200)
  for (const end of ends) end()
  expect(await Promise.all(slow.map(statusOf))).toEqual([200, 200])
})
