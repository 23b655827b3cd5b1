/**
 * Goal: an emitter that is made from settings alone loses no event that its spool can hold, whatever happens to the server
 * and to itself. Method: a real server with a service principal, stopped and started again under it.
 */
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type AuditEmitter, createAuditEmitter, type Metrics } from '../../src/audit/client/index.js'
import { auditTables } from '../../src/audit/tables.js'
import { createHostServicePrincipal } from '../../src/identity/index.js'
import { jobTables } from '../../src/runtime/jobs/tables.js'
import { type RunningServer, startServer } from '../../src/server.js'
import { ORG_A } from '../support/audit/evidence.js'
import { TEST_ENVIRONMENT } from '../support/settings.js'
import { REDIS_URL, redisMissing } from '../support/stores.js'

const redisIsMissing = await redisMissing()
const data = mkdtempSync(join(tmpdir(), 'plumbline-emitter-'))
const otherKey = `k2:${Buffer.from(Array.from({ length: 32 }, (_, index) => (9 + index * 5) & 255)).toString('base64')}`

let server: RunningServer | null = null
let port = '0'
async function start(more: Record<string, string> = {}): Promise<RunningServer> {
  const environment = { ...TEST_ENVIRONMENT, DATA_DIR: data, PORT: port, SHUTDOWN_DELAY_MS: '0', ...more }
  server = await startServer({ environment, print: () => undefined })
  port = new URL(server.url).port
  return server
}
async function stop(): Promise<void> {
  await server?.stop()
  server = null
}

let credentials: { clientId: string; clientSecret: string }
let folder: string
let emitters: AuditEmitter[] = []
const counts = new Map<string, number>()
const metrics: Metrics = {
  count: (name, labels, by = 1) => {
    const key = [name, ...Object.values(labels ?? {})].join(' ')
    counts.set(key, (counts.get(key) ?? 0) + by)
  },
  gauge: () => undefined,
}

beforeAll(async () => {
  const { app } = await start()
  const host = { runtime: app.runtime, osUser: 'op' }
  credentials = await createHostServicePrincipal(host, { name: 'builder', scopes: ['audit:ingest'] })
})
afterAll(async () => {
  await stop()
  rmSync(data, { recursive: true, force: true })
})
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plumbline-emitter-spool-'))
  counts.clear()
})
afterEach(async () => {
  await Promise.all(emitters.map((emitter) => emitter.close()))
  emitters = []
  rmSync(folder, { recursive: true, force: true })
})

const environment = (more: Record<string, string> = {}) => ({
  AUDIT_SERVICE_URL: `http://127.0.0.1:${port}/api`,
  PLUMBLINE_SERVICE_CLIENT_ID: credentials.clientId,
  PLUMBLINE_SERVICE_CLIENT_SECRET: credentials.clientSecret,
  AUDIT_SPOOL_DIR: folder,
  AUDIT_SPOOL_DRAIN_MS: '3600000',
  ...more,
})
async function emitter(
  settings: Record<string, string> = {},
  more: Partial<Parameters<typeof createAuditEmitter>[0]> = {},
) {
  const base = { service: 'builder', environment: environment(settings), metrics, timeoutMs: 20_000 }
  const made = await createAuditEmitter({ ...base, ...more })
  emitters.push(made)
  return made
}
const event = (targetId: string) => ({ action: 'plugin.upload', actorId: 'usr_bob', orgId: ORG_A, targetId })
const spooled = () =>
  readFileSync(join(folder, 'builder.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => line.includes('"put"')).length

/** What the server holds of these, sealed or not, in order. */
async function stored(prefix: string): Promise<string[]> {
  return (
    (await server?.app.runtime.store.system.read(async (db) => {
      const { auditEvents } = auditTables(db)
      const sealed = await db.select({ target: auditEvents.targetId }).from(auditEvents)
      const waiting = await db.select({ event: jobTables(db).auditOutbox.event }).from(jobTables(db).auditOutbox)
      return [...sealed.map(({ target }) => target), ...waiting.map((row) => String(row.event['targetId']))]
        .filter((target): target is string => target?.startsWith(prefix) === true)
        .sort()
    })) ?? []
  )
}

describe('an emitter', () => {
  it('signs in once and delivers', async () => {
    const asked: string[] = []
    const watched: typeof fetch = (input, init) => {
      asked.push(new URL(String(input)).pathname)
      return fetch(input, init)
    }
    const audit = await emitter({}, { fetch: watched })
    for (let index = 0; index < 5; index++) audit.emit(event(`live-${index}`))
    await audit.settled()
    expect(await stored('live-')).toHaveLength(5)
    expect(asked.filter((path) => path === '/api/auth/token')).toHaveLength(1)
    expect(counts.get('audit_emitted_total builder delivered')).toBe(5)
  })

  it('spools while the server is away, and drains by itself when it is back with other keys', async () => {
    const refused: number[] = []
    const watched: typeof fetch = async (input, init) => {
      const response = await fetch(input, init)
      if (response.status === 401) refused.push(response.status)
      return response
    }
    const audit = await emitter({ AUDIT_SPOOL_DRAIN_MS: '1000' }, { fetch: watched })
    audit.emit(event('away-before'))
    await audit.settled()
    await stop()
    for (let index = 0; index < 120; index++) audit.emit(event(`away-${String(index).padStart(3, '0')}`))
    await audit.settled()
    expect(spooled()).toBe(120)
    expect(counts.get('audit_spool_enqueued_total builder')).toBe(120)
    await start({ JWT_KEYS: otherKey })
    await vi.waitFor(async () => expect(await stored('away-')).toHaveLength(121), { timeout: 120_000, interval: 100 })
    // The token of the old keys was refused, and another one fetched.
    expect(refused.length).toBeGreaterThan(0)
    await vi.waitFor(() => expect(counts.get('audit_spool_redelivered_total builder')).toBe(120), { timeout: 120_000 })
    expect(new Set(await stored('away-')).size).toBe(121)
  })

  it('takes up what a crashed predecessor left', async () => {
    const dead = await emitter({}, { fetch: () => Promise.reject(new TypeError('fetch failed')) })
    for (const name of ['crash-1', 'crash-2']) dead.emit(event(name))
    await dead.settled()
    expect(await stored('crash-')).toEqual([])
    const heir = await emitter()
    await heir.drain()
    expect(await stored('crash-')).toEqual(['crash-1', 'crash-2'])
  })

  it('delivers what it can before it closes, and leaves the rest', async () => {
    let isAway = true
    const weather: typeof fetch = (input, init) =>
      isAway ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init)
    const audit = await emitter({}, { fetch: weather })
    audit.emit(event('flush-1'))
    await audit.settled()
    isAway = false
    await audit.close()
    expect(await stored('flush-')).toEqual(['flush-1'])
    const again = await emitter({}, { fetch: () => Promise.reject(new TypeError('fetch failed')) })
    again.emit(event('flush-2'))
    await again.close()
    expect(spooled()).toBe(1)
  })

  it('drops the oldest beyond AUDIT_SPOOL_MAX, and counts', async () => {
    let isAway = true
    const weather: typeof fetch = (input, init) =>
      isAway ? Promise.reject(new TypeError('fetch failed')) : fetch(input, init)
    const audit = await emitter({ AUDIT_SPOOL_MAX: '3' }, { fetch: weather })
    for (let index = 0; index < 5; index++) {
      audit.emit(event(`full-${index}`))
      await audit.settled()
    }
    expect(counts.get('audit_spool_dropped_total builder')).toBe(2)
    isAway = false
    await audit.drain()
    expect(await stored('full-')).toEqual(['full-2', 'full-3', 'full-4'])
  })

  it('buries what the server refuses for good', async () => {
    const audit = await emitter()
    audit.emit({ ...event('bad'), action: 'user.login' })
    audit.emit(event('good'))
    await audit.settled()
    expect(await stored('bad')).toEqual([])
    expect(await stored('good')).toEqual(['good'])
    expect(counts.get('audit_dropped_total builder refused')).toBe(1)
    expect(readFileSync(join(folder, 'builder.dead.jsonl'), 'utf8')).toContain('"bad"')
  })

  it('keeps events while its credentials are wrong, says so, and does not ask for every event', async () => {
    const told: unknown[] = []
    let signIns = 0
    const watched: typeof fetch = (input, init) => {
      if (String(input).endsWith('/auth/token')) signIns += 1
      return fetch(input, init)
    }
    const secret = { PLUMBLINE_SERVICE_CLIENT_SECRET: 'wrong' }
    const audit = await emitter(secret, { fetch: watched, onError: (error) => void told.push(error) })
    for (const name of ['secret-1', 'secret-2', 'secret-3']) audit.emit(event(name))
    await audit.settled()
    expect(String(told[0])).toMatch(/refused the client credentials \(401 UNAUTHORIZED\)/)
    expect(String(told[0])).not.toContain('wrong')
    expect(signIns).toBe(1)
    expect(spooled()).toBe(3)
  })

  it.skipIf(redisIsMissing !== null)(
    `keeps its spool in Redis where that is set${redisIsMissing === null ? '' : ` (${redisIsMissing})`}`,
    async () => {
      const prefix = `test-${randomUUID()}`
      const settings = { REDIS_URL, REDIS_PREFIX: prefix }
      const dead = await emitter(settings, { fetch: () => Promise.reject(new TypeError('fetch failed')) })
      for (const name of ['redis-1', 'redis-2']) dead.emit(event(name))
      await dead.settled()
      const redis = new Redis(REDIS_URL)
      try {
        const list = (name: string) => `${prefix}:audit-spool:{builder}:${name}`
        expect(await redis.llen(list('ready'))).toBe(2)
        // It died while the first was on its way.
        await redis.lmove(list('ready'), list('in-flight'), 'LEFT', 'RIGHT')
        const heir = await emitter(settings)
        await heir.drain()
        expect(await stored('redis-')).toEqual(['redis-1', 'redis-2'])
        expect(await redis.keys(`${prefix}:*`)).toEqual([])
      } finally {
        redis.disconnect()
      }
    },
  )

  it('names every mistake of its settings, and no value', async () => {
    const wrong = {
      PLUMBLINE_SERVICE_CLIENT_SECRET: 'hidden',
      AUDIT_SERVICE_URL: 'ftp://x',
      AUDIT_SPOOL_MAX: 'many',
    }
    const error = await createAuditEmitter({ service: 'x', environment: wrong }).catch((thrown: Error) => thrown)
    expect(String((error as Error).message).split('\n')).toEqual([
      'AUDIT_SERVICE_URL must be a URL that begins with http: or https:',
      'AUDIT_SPOOL_MAX must be a whole number 1 to 1000000',
      'PLUMBLINE_SERVICE_CLIENT_ID must be set for an emitter of audit events',
    ])
    const unreachable = { ...environment(), REDIS_URL: 'redis://127.0.0.1:1' }
    await expect(createAuditEmitter({ service: 'x', environment: unreachable })).rejects.toThrow('REDIS_URL')
  })
})
