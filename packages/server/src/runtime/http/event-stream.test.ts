/** Event streams: their form, their life, and that nothing of them is left. */
import Type from 'typebox'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { floor } from '../../../test/support/http.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { Refusal } from '../errors.js'
import { jobTables } from '../jobs/tables.js'
import { member } from '../operation/access.js'
import { fromHeader, type StreamEvent, stream } from '../operation/operation.js'
import type { Store } from '../store/db.js'
import { eventStream, formatEvent, HARD_STOP_MS, HEARTBEAT_MS } from './event-stream.js'

afterEach(() => void vi.useRealTimers())

const never = () => new Promise<never>(() => undefined)
const decode = (chunk: Uint8Array | undefined) => new TextDecoder().decode(chunk)

function open(events: AsyncIterable<StreamEvent>, more: { lastData?: string } = {}) {
  const abort = new AbortController()
  const errorEvent = (error: unknown) => ({
    event: 'error',
    data: { code: error instanceof Refusal ? error.code : 'INTERNAL_ERROR' },
  })
  const reader = eventStream({ events, abort, errorEvent, ...more }).getReader()
  return { abort, reader, next: async () => decode((await reader.read()).value) }
}

describe('a stream', () => {
  it('writes an event as lines, and lets none of them break out', () => {
    expect(formatEvent({ id: '7\nevent: forged', event: 'x\r\ndata: forged', data: { text: 'a\nb' } })).toBe(
      'event: x  data: forged\nid: 7 event: forged\ndata: {"text":"a\\nb"}\n\n',
    )
  })

  it('ends with its source and aborts its signal', async () => {
    const { abort, next, reader } = open(
      (async function* () {
        yield { id: '1', event: 'tick', data: 1 }
      })(),
    )
    expect(await next()).toBe(': open\n\n')
    expect(await next()).toBe('event: tick\nid: 1\ndata: 1\n\n')
    expect((await reader.read()).done).toBe(true)
    expect(abort.signal.aborted).toBe(true)
  })

  it('keeps the line open every 15 s and ends after 300 s', async () => {
    vi.useFakeTimers()
    const { abort, next, reader } = open({ [Symbol.asyncIterator]: () => ({ next: never }) })
    await next()
    for (let n = 1; n < HARD_STOP_MS / HEARTBEAT_MS; n++) {
      vi.advanceTimersByTime(HEARTBEAT_MS)
      expect(await next()).toBe(': keep-alive\n\n')
    }
    expect(abort.signal.aborted).toBe(false)
    vi.advanceTimersByTime(HEARTBEAT_MS)
    while (!(await reader.read()).done);
    expect(abort.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(['the client', 'the drain'])('is over at once when %s ends it', async (who) => {
    vi.useFakeTimers()
    let isReturned = false
    const { abort, next, reader } = open({
      [Symbol.asyncIterator]: () => ({
        next: never,
        return: async () => {
          isReturned = true
          return { done: true, value: undefined }
        },
      }),
    })
    await next()
    if (who === 'the client') await reader.cancel()
    else abort.abort()
    expect(isReturned).toBe(true)
    expect(abort.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it.each(['the time', 'the drain'])('that promises a last line keeps to it when %s ends it', async (what) => {
    vi.useFakeTimers()
    const { abort, next, reader } = open({ [Symbol.asyncIterator]: () => ({ next: never }) }, { lastData: '[DONE]' })
    await next()
    if (what === 'the time') vi.advanceTimersByTime(HARD_STOP_MS)
    else abort.abort()
    const lines: string[] = []
    for (let line = await reader.read(); !line.done; line = await reader.read()) lines.push(decode(line.value))
    expect(lines.slice(-2)).toEqual(['event: error\ndata: {"code":"REQUEST_TIMEOUT"}\n\n', 'data: [DONE]\n\n'])
    expect(abort.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('tells of an error in its source and ends', async () => {
    const { next, reader } = open({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('SELECT secret')) }),
    })
    await next()
    expect(await next()).toBe('event: error\ndata: {"code":"INTERNAL_ERROR"}\n\n')
    expect((await reader.read()).done).toBe(true)
  })
})

describe('a stream over HTTP', () => {
  let store: Store
  beforeAll(async () => {
    store = await sqliteStore()
  })
  afterAll(() => store.close())

  const ticks = stream({
    name: 'test.tick.stream',
    summary: 'Stream ticks',
    http: { method: 'get', path: '/ticks' },
    access: member(),
    tenant: fromHeader,
    input: { query: Type.Object({ refuse: Type.Optional(Type.Boolean()) }) },
    output: Type.Object({ n: Type.Integer() }),
    errors: ['CONFLICT'],
    open: async ({ lastEventId }, { query }) => {
      if (query.refuse) throw new Refusal('CONFLICT', 'not now')
      return (async function* () {
        for (let n = Number(lastEventId ?? 0) + 1; n <= 3; n++) yield { id: String(n), event: 'tick', data: { n } }
      })()
    },
  })

  it('resumes behind the last event that the client saw', async () => {
    const http = floor(store, [ticks])
    const response = await http.call('GET', '/ticks', { headers: { 'last-event-id': '1' } })
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache',
      'x-accel-buffering': 'no',
    })
    expect((await response.text()).match(/id: \d/g)).toEqual(['id: 2', 'id: 3'])
  })

  it('refuses like any other operation before it begins', async () => {
    const http = floor(store, [ticks])
    expect((await http.call('GET', '/ticks', { as: null })).status).toBe(401)
    expect(await (await http.call('GET', '/ticks?refuse=true')).json()).toMatchObject({ statusCode: 409 })
  })

  const writing = stream({
    name: 'test.mark.stream',
    summary: 'Write while it streams',
    http: { method: 'post', path: '/marks' },
    access: member(),
    tenant: fromHeader,
    audit: ['user.login'],
    lastData: '[DONE]',
    input: { query: Type.Object({ fails: Type.Optional(Type.Boolean()) }) },
    output: Type.Object({ n: Type.Integer() }),
    errors: [],
    open: async (context, { query }) =>
      (async function* () {
        await context.write(({ audit }) => audit('user.login', { targetId: 'marked' }))
        if (query.fails) throw new Refusal('CONFLICT', 'not now')
        yield { event: 'mark', data: { n: 1 } }
      })(),
  })

  it('leaves evidence of what it writes, and ends with its last line', async () => {
    const http = floor(store, [writing])
    const lines = async (path: string) => (await (await http.call('POST', path)).text()).split('\n\n').slice(1, -1)
    expect(await lines('/marks')).toEqual(['event: mark\ndata: {"n":1}', 'data: [DONE]'])
    expect(await lines('/marks?fails=true')).toEqual([expect.stringContaining('"CONFLICT"'), 'data: [DONE]'])
    const rows = await store.system.read((db) => db.select().from(jobTables(db).auditOutbox))
    expect(rows.map(({ event }) => event['targetId'])).toEqual(['marked', 'marked'])
  })

  it('is closed to a session that may only read, where it writes', async () => {
    const http = floor(store, [writing, ticks])
    const answer = await http.call('POST', '/marks', { as: 'reader' })
    expect(await answer.json()).toMatchObject({ statusCode: 403, code: 'READ_ONLY_SESSION' })
    expect((await http.call('GET', '/ticks', { as: 'reader' })).status).toBe(200)
  })

  it('writes nothing where it declares no evidence', async () => {
    const { audit: _, ...undeclared } = writing
    const http = floor(store, [undeclared as typeof writing])
    expect(await (await http.call('POST', '/marks')).text()).toContain('INTERNAL_ERROR')
    expect(String(http.errors)).toContain('does not say `audit`')
  })
})
