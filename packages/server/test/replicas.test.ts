/**
 * Several processes on one database: what one changes, the others notice; what they count, they count together. The clock stands still, so that only what a test moves can have an effect.
 */
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type App, createApp } from '../src/app.js'
import { prepareFirstStart } from '../src/identity/index.js'
import { identityOf } from '../src/identity/services.js'
import { heldClock } from '../src/runtime/clock.js'
import { silentLog } from '../src/runtime/log/log.js'
import { connectRedis, type RedisLink } from '../src/runtime/redis/redis.js'
import type { Store } from '../src/runtime/store/db.js'
import { testSettings } from './support/settings.js'
import { PASSWORD } from './support/sign-in.js'
import { postgresMissing, postgresStore, REDIS_URL, redisMissing, sqliteStore } from './support/stores.js'

const START_MS = Date.UTC(2026, 10, 21, 10)
/** Far beyond what it takes; the guarantees here do not depend on time. */
const PATIENCE = { timeout: 120_000, interval: 20 }

const noPostgres = await postgresMissing()
const noRedis = await redisMissing()

/** A database of Redis that nobody else uses, so that it can be flushed. */
const redisUrl = (() => {
  const url = new URL(REDIS_URL)
  url.pathname = '/13'
  return url.href
})()

const apps: App[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

function replicas(store: Store, values: Record<string, string> = {}) {
  const clock = heldClock(START_MS)
  const make = () => createApp({ store, settings: testSettings(values), log: silentLog, clock })
  const pair = [make(), make()] as const
  apps.push(...pair)
  return { clock, a: pair[0], b: pair[1] }
}

async function call(app: App, method: string, path: string, more: { token?: string; body?: unknown } = {}) {
  const { token, body } = more
  const headers: Record<string, string> = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const peer = { incoming: { socket: { remoteAddress: '192.0.2.7' } } }
  const response = await app.http.fetch(new Request(`http://plumbline.test/api${path}`, init), peer)
  const text = await response.text()
  return { status: response.status, data: text === '' ? undefined : JSON.parse(text).data }
}

/** A new person, signed in. */
async function person(app: App): Promise<string> {
  await prepareFirstStart(app.runtime)
  const username = `u${randomUUID().slice(0, 8)}`
  const account = { username, email: `${username}@plumbline.test`, password: PASSWORD, organizationName: username }
  expect(await call(app, 'POST', '/auth/register', { body: account })).toMatchObject({ status: 201 })
  const signedIn = await call(app, 'POST', '/auth/login', { body: { identifier: username, password: PASSWORD } })
  return signedIn.data.accessToken
}

describe.each([
  { name: 'SQLite', open: sqliteStore as () => Promise<Store>, skip: null },
  {
    name: `PostgreSQL${noPostgres ? ` (${noPostgres})` : ''}`,
    open: postgresStore as () => Promise<Store>,
    skip: noPostgres,
  },
])('two replicas without Redis on $name', ({ open, skip }) => {
  if (skip !== null) {
    it.skip(skip, () => undefined)
    return
  }
  let store: Store
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())

  it('notice within two seconds that the other one ended a session', async () => {
    const { a, b, clock } = replicas(store)
    const token = await person(a)
    await identityOf(a).directory.settle()
    expect(await call(b, 'GET', '/auth/me', { token })).toMatchObject({ status: 200 })
    expect((await call(a, 'POST', '/auth/logout', { token, body: {} })).status).toBeLessThan(300)
    await identityOf(a).directory.settle()
    clock.advance(1999)
    // Remembered: this replica reads the database's mark every two seconds, and no oftener.
    expect(await call(b, 'GET', '/auth/me', { token })).toMatchObject({ status: 200 })
    clock.advance(1)
    expect(await call(b, 'GET', '/auth/me', { token })).toMatchObject({ status: 401 })
  })

  it('keep what they remember while nobody else changes anything', async () => {
    const { a, b, clock } = replicas(store)
    const token = await person(a)
    await identityOf(a).directory.settle()
    expect(await call(b, 'GET', '/auth/me', { token })).toMatchObject({ status: 200 })
    const account = vi.spyOn(store.system, 'read')
    clock.advance(2000)
    expect(await call(b, 'GET', '/auth/me', { token })).toMatchObject({ status: 200 })
    const looked = account.mock.calls.length
    account.mockClear()
    expect(await call(b, 'GET', '/auth/me', { token })).toMatchObject({ status: 200 })
    // The first of the two read the marks besides what the operation itself reads, and nothing of the person.
    expect(looked - account.mock.calls.length).toBe(1)
    account.mockRestore()
  })
})

describe.skipIf(noRedis !== null)(`two replicas with Redis${noRedis ? ` (${noRedis})` : ''}`, () => {
  let store: Store
  let redis: Redis
  let prefix: string
  let values: Record<string, string>
  const links: RedisLink[] = []
  beforeAll(async () => {
    store = await sqliteStore()
    redis = new Redis(redisUrl)
    prefix = `test-${randomUUID()}`
    values = { REDIS_URL: redisUrl, REDIS_PREFIX: prefix }
  })
  afterEach(async () => {
    for (const each of links.splice(0)) await each.close()
  })
  afterAll(async () => {
    await redis.flushdb()
    await redis.quit()
    await store.close()
  })

  /** Until each replica has its connections. */
  async function connected(under: string, ...all: App[]): Promise<void> {
    for (const app of all) {
      await vi.waitFor(async () => expect((await app.health.readiness()).checks['redis']).toBe('ok'), PATIENCE)
    }
    const channel = `${under}:bus:identity.stale`
    await vi.waitFor(async () => expect(await redis.pubsub('NUMSUB', channel)).toEqual([channel, all.length]), PATIENCE)
  }

  it('notice at once that the other one ended a session', async () => {
    const { a, b } = replicas(store, values)
    await connected(prefix, a, b)
    const token = await person(a)
    expect(await call(b, 'GET', '/auth/me', { token })).toMatchObject({ status: 200 })
    expect((await call(a, 'POST', '/auth/logout', { token, body: {} })).status).toBeLessThan(300)
    // The clock stands: what is remembered does not grow old, and the marks in the database are not read again.
    await vi.waitFor(async () => expect((await call(b, 'GET', '/auth/me', { token })).status).toBe(401), PATIENCE)
  })

  it('hear nothing of a server with another prefix', async () => {
    const [mine, other] = [prefix, `${prefix}-other`].map((each) => connectRedis(redisUrl, silentLog, each))
    if (mine === undefined || other === undefined) throw new Error('two links were made')
    links.push(mine, other)
    const heard: unknown[] = []
    mine.bus.subscribe('c', (message) => heard.push(message))
    await vi.waitFor(
      async () => expect(await redis.pubsub('NUMSUB', `${prefix}:bus:c`)).toEqual([`${prefix}:bus:c`, 1]),
      PATIENCE,
    )
    await Promise.all([mine, other].map((link) => vi.waitFor(() => link.ping(), PATIENCE)))
    other.bus.publish('c', 'theirs')
    mine.bus.publish('c', 'ours')
    await vi.waitFor(() => expect(heard).toContain('ours'), PATIENCE)
    expect(heard).toEqual(['ours'])
  })

  it('count the requests of an address together', async () => {
    const own = `${prefix}-l`
    const { a, b } = replicas(store, { REDIS_URL: redisUrl, REDIS_PREFIX: own, LIMITER_MAX: '5' })
    await connected(own, a, b)
    const statuses: number[] = []
    for (let n = 0; n < 8; n++) statuses.push((await call(n % 2 === 0 ? a : b, 'GET', '/auth/jwks')).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429, 429, 429])
  })
})
