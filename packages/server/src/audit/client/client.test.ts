/** Goal: an emitter never fails and loses no event that its spool can hold; the server stores each event once. */
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { ORG_A, runtimeOver } from '../../../test/support/audit/evidence.js'
import { admin, auditHttp, service } from '../../../test/support/audit/http.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { systemClock } from '../../runtime/clock.js'
import type { Sequencer } from '../../runtime/jobs/sequencer.js'
import { type Metrics, noMetrics } from '../../runtime/metrics/port.js'
import type { Store } from '../../runtime/store/db.js'
import { auditSequencer } from '../chain/start-sequencer.js'
import { type AuditClient, type AuditClientOptions, createAuditClient } from './client.js'
import { fileSpool } from './file-spool.js'
import { redisSpool } from './redis-spool.js'
import type { Spool } from './spool.js'

const REDIS_URL = process.env['PLUMBLINE_TEST_REDIS_URL'] ?? 'redis://127.0.0.1:6379'
const redis = await connected()

async function connected(): Promise<Redis | null> {
  const candidate = new Redis(REDIS_URL, { lazyConnect: true, retryStrategy: () => null })
  candidate.on('error', () => undefined)
  try {
    await candidate.connect()
    return candidate
  } catch (error) {
    if (process.env['PLUMBLINE_REQUIRE_SERVICES'] === '1') throw error
    return null
  }
}

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-spool-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
afterAll(() => redis?.disconnect())

let names = 0
const kinds: { name: string; open: ((service: string, max?: number) => Promise<Spool>) | null }[] = [
  { name: 'a file', open: (name, max) => fileSpool(folder, name, max) },
  {
    name: redis === null ? 'Redis (none answers)' : 'Redis',
    open: redis && (async (name, max) => redisSpool(redis, name, max)),
  },
]

describe.each(kinds)('the spool in $name', ({ open }) => {
  if (open === null) {
    it.skip('needs a Redis: set PLUMBLINE_TEST_REDIS_URL', () => undefined)
    return
  }
  const texts = async (spool: Spool, count = 100) => (await spool.take(count)).map(({ text }) => text)
  const name = () => `test-${process.pid}-${names++}`
  afterEach(async () => {
    const keys = (await redis?.keys(`plumbline:audit-spool:{test-${process.pid}-*`)) ?? []
    if (keys.length > 0) await redis?.del(...keys)
  })

  it('hands entries out in order and forgets what is acknowledged', async () => {
    const spool = await open(name())
    for (const text of ['1', '2', '3', '4']) await spool.put(text)
    const taken = await spool.take(2)
    expect(taken.map(({ text }) => text)).toEqual(['1', '2'])
    await spool.ack(taken)
    expect(await texts(spool)).toEqual(['3', '4'])
    await spool.close()
  })

  it('puts back at the head, in order', async () => {
    const spool = await open(name())
    for (const text of ['1', '2', '3']) await spool.put(text)
    await spool.requeue(await spool.take(2))
    expect(await texts(spool)).toEqual(['1', '2', '3'])
    await spool.close()
  })

  it('drops the oldest beyond its size, and says how many', async () => {
    const spool = await open(name(), 3)
    const dropped: number[] = []
    for (const text of ['1', '2', '3', '4', '5']) dropped.push(await spool.put(text))
    expect(dropped).toEqual([0, 0, 0, 1, 1])
    expect(await texts(spool)).toEqual(['3', '4', '5'])
    await spool.close()
  })

  it('keeps what is refused among the dead, out of the way', async () => {
    const spool = await open(name())
    await spool.put('bad')
    await spool.put('good')
    await spool.bury(await spool.take(1))
    await spool.buryNew('worse')
    expect(await texts(spool)).toEqual(['good'])
    expect(await spool.deadSize()).toBe(2)
    await spool.close()
  })

  it('takes back after a crash what was in flight, and not what was acknowledged', async () => {
    const of = name()
    const before = await open(of)
    for (const text of ['1', '2', '3']) await before.put(text)
    await before.ack(await before.take(1))
    await before.take(1)
    // The process dies here, so nothing is closed.
    const after = await open(of)
    await after.recover()
    expect(await texts(after)).toEqual(['2', '3'])
    await after.close()
    await before.close()
  })
})

describe('the spool file', () => {
  it('survives a last line that a crash cut', async () => {
    const spool = await fileSpool(folder, 'svc')
    await spool.put('kept')
    await spool.close()
    appendFileSync(join(folder, 'svc.jsonl'), '{"put":"2","te')
    const again = await fileSpool(folder, 'svc')
    expect((await again.take(9)).map(({ text }) => text)).toEqual(['kept'])
    await again.close()
  })
})

describe('the client against a server', () => {
  let store: Store
  let sequencer: Sequencer
  let server: ReturnType<typeof auditHttp>
  let url: string
  let stop: () => Promise<void>
  const counts = new Map<string, number>()
  const metrics: Metrics = {
    count: (name, labels, by = 1) => {
      const key = [name, ...Object.values(labels ?? {})].join(' ')
      counts.set(key, (counts.get(key) ?? 0) + by)
    },
    gauge: () => undefined,
  }

  beforeAll(async () => {
    store = await sqliteStore()
    sequencer = auditSequencer({ store, clock: systemClock, metrics: noMetrics, onError: () => undefined })
    server = auditHttp(
      runtimeOver(store, systemClock, () => sequencer.wake()),
      { svc: service(null), a: admin(ORG_A) },
    )
    const listening = await server.listen()
    url = listening.url
    stop = listening.close
  })
  afterAll(async () => {
    await stop()
    await sequencer.stop()
    await store.close()
  })
  beforeEach(() => counts.clear())

  /** What the network does to a request: `null` lets it through. */
  let weather: (attempt: number) => 'down' | 'lost answer' | number | null = () => null
  async function client(spool: Spool, more: Partial<AuditClientOptions> = {}): Promise<AuditClient> {
    let attempt = 0
    return createAuditClient({
      url,
      token: async () => 'svc',
      service: 'svc',
      spool,
      metrics,
      retryMs: 0,
      timeoutMs: 20_000,
      drainEveryMs: 3_600_000,
      ...more,
      fetch: async (input, init) => {
        const now = weather(attempt++)
        if (now === 'down') throw new TypeError('fetch failed')
        if (typeof now === 'number') return new Response('{}', { status: now })
        const response = await fetch(input, init)
        if (now === 'lost answer') {
          await response.text()
          throw new TypeError('the connection broke')
        }
        return response
      },
    })
  }
  const event = (targetId: string) => ({ action: 'pipeline.create', actorId: 'usr_bob', orgId: ORG_A, targetId })
  const stored = async (part: string) => {
    const { data } = await server.request('a', '/audit?limit=1000')
    return data.events
      .map(({ targetId }: { targetId: string }) => targetId)
      .filter((targetId: string) => targetId.startsWith(part))
      .sort() as string[]
  }

  it('delivers at once while the server is there', async () => {
    weather = () => null
    const emitter = await client(await fileSpool(folder, 'svc'))
    emitter.emit(event('live-1'))
    emitter.emit({ ...event('live-2'), details: { name: 'x', self: globalThis } })
    await emitter.close()
    expect(await stored('live-')).toEqual(['live-1', 'live-2'])
    expect(counts.get('audit_emitted_total svc delivered')).toBe(2)
  })

  it('spools while the server is away, and delivers in order afterwards, each once', async () => {
    weather = () => 'down'
    const spool = await fileSpool(folder, 'svc')
    const emitter = await client(spool)
    for (let index = 0; index < 250; index++) emitter.emit(event(`away-${String(index).padStart(3, '0')}`))
    await emitter.settled()
    expect(await spool.size()).toBe(250)
    await emitter.drain()
    expect(await spool.size()).toBe(250)
    // The first batch arrives, but its answer is lost, so it is sent again.
    let requests = 0
    weather = () => (requests++ === 0 ? 'lost answer' : null)
    await emitter.drain()
    await emitter.drain()
    expect(await spool.size()).toBe(0)
    const targets = await stored('away-')
    expect(targets).toHaveLength(250)
    expect(new Set(targets).size).toBe(250)
    expect(counts.get('audit_spool_enqueued_total svc')).toBe(250)
    expect(counts.get('audit_spool_redelivered_total svc')).toBe(250)
    await emitter.close()
  })

  it('empties the spool before it closes, for as long as it may', async () => {
    for (const [flushMs, left] of [
      [60_000, 0],
      [0, 120],
    ] as const) {
      weather = () => 'down'
      const spool = await fileSpool(folder, `flush${flushMs}`)
      const close = vi.spyOn(spool, 'close').mockResolvedValue()
      const emitter = await client(spool, { flushMs })
      for (let index = 0; index < 120; index++) emitter.emit(event(`flush${flushMs}-${index}`))
      await emitter.settled()
      weather = () => null
      await emitter.close()
      expect(await spool.size()).toBe(left)
      close.mockRestore()
      await spool.close()
    }
  })

  it('tries again for what may pass, and not for what will not', async () => {
    for (const status of [401, 408, 425, 429, 500, 503]) {
      weather = (attempt) => (attempt < 2 ? status : null)
      const emitter = await client(await fileSpool(folder, `s${status}`))
      emitter.emit(event(`again-${status}`))
      await emitter.settled()
      await emitter.close()
    }
    expect(await stored('again-')).toHaveLength(6)
    for (const status of [400, 403, 404, 409, 413]) {
      weather = (attempt) => (attempt === 0 ? status : null)
      const spool = await fileSpool(folder, `s${status}`)
      const emitter = await client(spool)
      emitter.emit(event(`never-${status}`))
      await emitter.settled()
      expect([await spool.size(), await spool.deadSize()]).toEqual([0, 1])
      await emitter.close()
    }
    expect(await stored('never-')).toEqual([])
    expect(counts.get('audit_dropped_total svc refused')).toBe(5)
  })

  it('does not let one bad event block the spool', async () => {
    weather = () => 'down'
    const spool = await fileSpool(folder, 'svc')
    const emitter = await client(spool)
    emitter.emit(event('mixed-1'))
    emitter.emit({ ...event('mixed-2'), action: 'user.login' })
    emitter.emit({ ...event('mixed-3'), unknown: true } as never)
    emitter.emit(event('mixed-4'))
    await emitter.settled()
    weather = () => null
    await emitter.drain()
    expect(await stored('mixed-')).toEqual(['mixed-1', 'mixed-4'])
    expect([await spool.size(), await spool.deadSize()]).toEqual([0, 2])
    await emitter.close()
  })

  it('never throws, whatever it is given and however the spool fails', async () => {
    weather = () => 'down'
    const spool = await fileSpool(folder, 'svc')
    vi.spyOn(spool, 'put').mockRejectedValue(new Error('disk full'))
    const emitter = await client(spool)
    emitter.emit(event('lost'))
    emitter.emit(null as never)
    emitter.emit({
      get action(): string {
        throw new Error('a getter')
      },
    } as never)
    await emitter.settled()
    expect(counts.get('audit_dropped_total svc spool')).toBe(1)
    expect(counts.get('audit_dropped_total svc malformed')).toBe(2)
    await emitter.close()
    weather = () => null
    const other = await fileSpool(folder, 'other')
    vi.spyOn(other, 'size').mockRejectedValue(new Error('unreadable'))
    const delivering = await client(other)
    delivering.emit(event('delivered-once'))
    await delivering.settled()
    await new Promise((resolve) => setTimeout(resolve, 10))
    expect(counts.get('audit_emitted_total svc delivered')).toBe(1)
    expect(counts.get('audit_dropped_total svc spool')).toBe(1)
    await delivering.close()
    emitter.emit(event('late'))
    expect(counts.get('audit_dropped_total svc closed')).toBe(1)
  })
})
