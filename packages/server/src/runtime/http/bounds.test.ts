/** What a client may cost: how long its body takes, how many streams it holds, and what HEAD leaves open. */
import { Readable } from 'node:stream'
import fc from 'fast-check'
import Type from 'typebox'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Floor, floor } from '../../../test/support/http.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { anyone, member, withStepUp } from '../operation/access.js'
import { changed } from '../operation/context.js'
import { file } from '../operation/file.js'
import { command, fromHeader, none, noTenant, stream } from '../operation/operation.js'
import { strictObject } from '../operation/schema.js'
import type { Store } from '../store/db.js'
import { tooMuchOf } from './body.js'

const never = () => new Promise<never>(() => undefined)
let opened: Readable[] = []
let signals: AbortSignal[] = []

const take = { input: { body: strictObject({ text: Type.String() }) }, output: null, errors: [], audit: none('a test') }
const operations = [
  command({
    name: 'test.text.take',
    summary: 'Take a text from anyone',
    http: { method: 'post', path: '/take', status: 204 },
    access: anyone(),
    tenant: noTenant,
    ...take,
    run: async () => changed(null),
  }),
  command({
    name: 'test.text.confirm',
    summary: 'Take a text from anyone who confirms who they are',
    http: { method: 'post', path: '/confirm', status: 204 },
    access: withStepUp(member()),
    tenant: fromHeader,
    ...take,
    run: async () => changed(null),
  }),
  stream({
    name: 'test.tick.follow',
    summary: 'Follow nothing',
    http: { method: 'get', path: '/follow' },
    access: member(),
    tenant: fromHeader,
    input: {},
    output: Type.Unknown(),
    errors: [],
    async open({ signal }) {
      signals.push(signal)
      return { [Symbol.asyncIterator]: () => ({ next: never, return: async () => ({ done: true, value: undefined }) }) }
    },
  }),
  file({
    name: 'test.file.get',
    summary: 'Get a file',
    http: { method: 'get', path: '/file' },
    access: member(),
    tenant: fromHeader,
    input: {},
    errors: [],
    async open() {
      const open = async () => {
        const content = Readable.from([Buffer.from('abc')])
        opened.push(content)
        return content
      }
      return { media: 'text/plain', fileName: 'a.txt', bytes: 3, isInline: false, open }
    },
  }),
]

let store: Store
let http: Floor
beforeAll(async () => {
  store = await sqliteStore()
})
afterAll(() => store.close())
beforeEach(() => {
  opened = []
  signals = []
  http = floor(store, operations, { streamsMax: { perCaller: 2, perOrganization: 3, perProcess: 4 } })
})
afterEach(() => void vi.useRealTimers())

const post = (path: string, body: ReadableStream<Uint8Array> | string, headers: Record<string, string> = {}) =>
  http.app.request(`/api${path}`, {
    method: 'POST',
    headers: { authorization: 'Bearer ann', 'content-type': 'application/json', ...headers },
    body,
    duplex: 'half',
  } as RequestInit)

describe('a body', () => {
  it.each([{}, { 'content-length': '100000' }])('that drips in is cut: %o', async (headers) => {
    vi.useFakeTimers()
    let cancelled = false
    const drip = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(Buffer.from('{"text":"')),
      pull: never,
      cancel: () => {
        cancelled = true
      },
    })
    const answering = post('/take', drip, headers)
    await vi.advanceTimersByTimeAsync(100_000)
    const response = await answering
    expect(await response.json()).toMatchObject({ statusCode: 408, code: 'REQUEST_TIMEOUT' })
    expect(response.headers.get('connection')).toBe('close')
    expect(vi.getTimerCount()).toBe(0)
    if (!('content-length' in headers)) expect(cancelled).toBe(true)
  })

  it.each([{}, { 'content-length': '100' }])(
    'that the client breaks off is not an error of ours: %o',
    async (headers) => {
      const broken = new ReadableStream<Uint8Array>({
        pull: (controller) => controller.error(new Error('aborted')),
      })
      expect(await (await post('/take', broken, headers)).json()).toMatchObject({
        statusCode: 400,
        details: { issues: [{ path: '/body', message: 'ended early' }] },
      })
      expect(http.errors).toEqual([])
    },
  )

  it('of more values than its size may hold is not parsed, nor an object of too many keys', async () => {
    const numbers = (count: number) => `{"text":[${Array(count).fill(0).join()}]}`
    expect((await post('/take', numbers(60_000))).status).toBe(400)
    expect(await (await post('/take', numbers(70_000))).json()).toMatchObject({
      statusCode: 413,
      code: 'PAYLOAD_TOO_LARGE',
      message: 'the body contains more than 65536 values',
    })
    const keys = (count: number) => JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [n, n])))
    expect((await post('/take', keys(10_000))).status).toBe(400)
    expect(await (await post('/take', keys(10_001))).json()).toMatchObject({
      statusCode: 413,
      message: 'the body contains more than 10000 keys in one object',
    })
    // Commas and brackets within a text are a text.
    expect((await post('/take', JSON.stringify({ text: '[{,"\\'.repeat(100_000) }))).status).toBe(204)
  })

  it('has the values that a walk over it counts', () => {
    const countOf = (value: unknown): number => {
      if (typeof value !== 'object' || value === null) return 0
      const inner = Object.values(value)
      return Math.max(1, inner.length) + inner.reduce((sum: number, each) => sum + countOf(each), 0)
    }
    fc.assert(
      fc.property(fc.json({ depthSize: 'large' }), fc.nat(40), (text, most) => {
        const isMore = 1 + countOf(JSON.parse(text)) > most
        expect(tooMuchOf(text, most), text).toBe(isMore && text.length > 2 * most ? `${most} values` : null)
      }),
    )
  })

  it('beyond 64 KiB is read once the caller has confirmed who they are', async () => {
    const large = JSON.stringify({ text: 'a'.repeat(70_000), wrong: 1 })
    const inPieces = () => new Blob([large]).stream() as ReadableStream<Uint8Array>
    const announced = { 'content-length': String(large.length) }
    expect((await post('/confirm', large, announced)).status).toBe(401)
    expect((await post('/confirm', inPieces())).status).toBe(401)
    expect((await post('/confirm', large, { ...announced, 'x-step-up-token': 'one' })).status).toBe(400)
    // A small one that is wrong uses up no confirmation.
    expect((await post('/confirm', '{"wrong":1}', { 'x-step-up-token': 'two' })).status).toBe(400)
    expect((await post('/confirm', '{"text":"a"}', { 'x-step-up-token': 'two' })).status).toBe(204)
    // One that was asked for on the way is not asked for again.
    const right = JSON.stringify({ text: 'a'.repeat(70_000) })
    const headers = { 'content-length': String(right.length), 'x-step-up-token': 'three' }
    expect((await post('/confirm', right, headers)).status).toBe(204)
  })
})

describe('HEAD', () => {
  it('closes the file that GET would send', async () => {
    const response = await http.call('HEAD', '/file')
    expect([response.status, response.headers.get('content-length'), await response.text()]).toEqual([200, '3', ''])
    expect(opened.map(({ destroyed }) => destroyed)).toEqual([true])
  })

  it('ends the stream that GET would follow, and keeps no place', async () => {
    for (let n = 0; n < 5; n++) expect((await http.call('HEAD', '/follow')).status).toBe(200)
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true, true, true, true])
  })
})

describe('open streams', () => {
  const follow = async (as: string, headers: Record<string, string> = {}) => {
    const response = await http.call('GET', '/follow', { as, headers })
    return { status: response.status, response }
  }
  const statuses = async (...callers: string[]) => {
    const all: number[] = []
    for (const as of callers) all.push((await follow(as)).status)
    return all
  }

  it('are so many a person, by whatever credential', async () => {
    expect(await statuses('ann', 'annOfAnotherSession', 'ann')).toEqual([200, 200, 429])
    const { response } = await follow('ann')
    expect(response.headers.get('retry-after')).toBe('30')
    expect(await response.json()).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED', details: { limit: 2 } })
    expect(await statuses('bob')).toEqual([200])
  })

  it('are so many an organization', async () => {
    expect(await statuses('ann', 'ann', 'bob', 'bob')).toEqual([200, 200, 200, 429])
  })

  it('are so many in the process', async () => {
    http = floor(store, operations, { streamsMax: { perCaller: 9, perOrganization: 9, perProcess: 2 } })
    expect(await statuses('ann', 'bob', 'reader')).toEqual([200, 200, 429])
  })

  it('that end make room, once each', async () => {
    const first = await follow('ann')
    await follow('ann')
    expect((await follow('ann')).status).toBe(429)
    await first.response.body?.cancel()
    await first.response.body?.cancel()
    expect(await statuses('ann', 'ann')).toEqual([200, 429])
  })
})
