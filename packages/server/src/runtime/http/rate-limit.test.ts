/** Every limit at its default, in memory and in Redis; who counts where; what a refused client is told. */
import { randomUUID } from 'node:crypto'
import { Redis } from 'ioredis'
import Type from 'typebox'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { floor, ORG_A } from '../../../test/support/http.js'
import { testSettings } from '../../../test/support/settings.js'
import { REDIS_URL, redisMissing, sqliteStore } from '../../../test/support/stores.js'
import { heldClock } from '../clock.js'
import { Refusal } from '../errors.js'
import { anyone, member, scope, signedIn } from '../operation/access.js'
import {
  BUCKET_NAMES,
  type BucketName,
  bucketsOf,
  type Limiter,
  type Taken,
  tierFactors,
} from '../operation/buckets.js'
import { changed } from '../operation/context.js'
import { command, fromHeader, none, noTenant, type Operation, query } from '../operation/operation.js'
import type { Store } from '../store/db.js'
import { createLimiter, type LimiterOptions, memoryRateStore, type RateStore } from './rate-limit.js'
import { redisRateStore } from './rate-limit-redis.js'
import { addressKey } from './request-limits.js'

const missing = await redisMissing()

/** The figures of the specification, written down once more: a changed default must be changed here too. */
const DEFAULTS: readonly (readonly [BucketName, string | undefined, number, number])[] = [
  ['anonymous', undefined, 100, 900],
  ['authenticated', 'developer', 1000, 900],
  ['authenticated', 'pro', 2500, 900],
  ['authenticated', 'team', 5000, 900],
  ['authenticated', 'enterprise', 10_000, 900],
  ['authenticated', 'unlimited', 20_000, 900],
  ['authenticated', 'a tier that does not exist', 1000, 900],
  ['auth', undefined, 20, 900],
  ['config', undefined, 600, 60],
  ['refresh', undefined, 20, 900],
  ['step-up', undefined, 5, 60],
  ['message-send', undefined, 60, 60],
  ['message-attachment', undefined, 30, 60],
  ['plugin-upload', undefined, 30, 3600],
  ['ai', undefined, 20, 60],
  ['sso-setup', undefined, 60, 60],
  ['raw-refused', undefined, 60, 60],
  ['invitations', undefined, 50, 86_400],
  ['billing-resolve', undefined, 20, 60],
  ['billing-claim', undefined, 10, 60],
  ['billing-portal', undefined, 10, 60],
  ['billing-redeem', undefined, 10, 60],
  ['notification-test', undefined, 10, 60],
  ['notification-replay', undefined, 60, 60],
  ['billing-export', undefined, 20, 3600],
  ['billing-preview', undefined, 60, 60],
  ['registry-token', undefined, 600, 60],
  ['registry-refused', undefined, 20, 60],
  ['ingest', undefined, 600, 60],
  ['report-ingest', undefined, 600, 60],
  ['export', undefined, 2, 3600],
  ['audit-export', undefined, 20, 3600],
]

/** With the figures of these settings; the defaults of all others. */
function limiterOf(
  parts: Pick<LimiterOptions, 'clock' | 'store'>,
  values: Readonly<Record<string, string>> = {},
): Limiter {
  const settings = testSettings(values)
  return createLimiter({ ...parts, buckets: bucketsOf(settings), tierFactors: tierFactors(settings) })
}

const START_MS = Date.parse('2026-11-21T10:00:00.000Z')

describe.each([
  { name: 'memory', skip: null },
  { name: `Redis${missing ? ` (${missing})` : ''}`, skip: missing },
])('limits in $name', ({ name, skip }) => {
  if (skip !== null) {
    it.skip(skip, () => undefined)
    return
  }
  let redis: Redis | undefined
  let store: RateStore
  const fallbacks: unknown[] = []
  beforeAll(async () => {
    if (name === 'memory') {
      store = memoryRateStore()
      return
    }
    redis = new Redis(REDIS_URL)
    await redis.ping()
    store = redisRateStore({ redis, prefix: `plumbline-test:${randomUUID()}:`, onFallback: (e) => fallbacks.push(e) })
  })
  afterAll(async () => {
    await redis?.quit()
  })

  const take = async (limiter: Limiter, bucket: BucketName, key: string, tier?: string): Promise<Taken> => {
    const taken = await limiter.take(bucket, key, tier)
    if (taken === null) throw new Error('the bucket is off')
    return taken
  }

  it('cover every bucket and tier', () => {
    expect(new Set(DEFAULTS.map(([bucket]) => bucket))).toEqual(new Set(BUCKET_NAMES))
    expect(DEFAULTS.map(([, tier]) => tier)).toEqual(expect.arrayContaining(Object.keys(tierFactors(testSettings()))))
  })

  it.each(DEFAULTS)(
    '%s %s: %i in %i s, and again when they have left the window',
    async (bucket, tier, max, seconds) => {
      const clock = heldClock(START_MS)
      const limiter = limiterOf({ clock, store })
      const key = randomUUID()
      let allowed = 0
      for (let at = 0; at < max; at += 500) {
        const batch = Array.from({ length: Math.min(500, max - at) }, () => take(limiter, bucket, key, tier))
        allowed += (await Promise.all(batch)).filter((taken) => taken.allowed).length
      }
      expect(allowed).toBe(max)
      expect(await take(limiter, bucket, key, tier)).toMatchObject({ allowed: false, limit: max, remaining: 0 })
      clock.advance(seconds * 1000 - 1)
      expect((await take(limiter, bucket, key, tier)).allowed).toBe(false)
      clock.advance(1 + (seconds * 1000) / 60)
      expect(await take(limiter, bucket, key, tier)).toMatchObject({ allowed: true, remaining: max - 1 })
    },
  )

  it('never let more than the limit into any window, wherever it begins', async () => {
    const clock = heldClock(START_MS + 12_345)
    const limiter = limiterOf({ clock, store })
    const key = randomUUID()
    const times: number[] = []
    for (let step = 0; step < 400; step++) {
      if ((await take(limiter, 'step-up', key)).allowed) times.push(clock.now())
      clock.advance(977)
    }
    for (const [n, at] of times.entries()) {
      expect((times[n + 5] ?? Number.POSITIVE_INFINITY) - at).toBeGreaterThan(60_000)
    }
    expect(times.length).toBeGreaterThan(20)
  })

  it('tell when a place is free again, and it is', async () => {
    const clock = heldClock(START_MS + 777)
    const limiter = limiterOf({ clock, store })
    const key = randomUUID()
    await take(limiter, 'export', key)
    await take(limiter, 'export', key)
    const { resetMs } = await take(limiter, 'export', key)
    clock.advance(resetMs)
    expect((await take(limiter, 'export', key)).allowed).toBe(true)
  })

  it('take other sizes, and 0 for off', async () => {
    const clock = heldClock(START_MS)
    const limiter = limiterOf({ clock, store }, { AUTH_LIMITER_MAX: '0', STEP_UP_LIMITER_MAX: '1' })
    expect(await limiter.take('auth', 'x')).toBeNull()
    const key = randomUUID()
    await take(limiter, 'step-up', key)
    expect((await take(limiter, 'step-up', key)).allowed).toBe(false)
  })

  it('let one of two replicas have the last place', async () => {
    // A Redis that paused in a test before this one was done without there.
    fallbacks.length = 0
    const clock = heldClock(START_MS)
    const replicas = [limiterOf({ clock, store }), limiterOf({ clock, store })]
    const key = randomUUID()
    const taken = await Promise.all(Array.from({ length: 40 }, (_, n) => take(replicas[n % 2] as Limiter, 'auth', key)))
    expect(taken.filter(({ allowed }) => allowed).length).toBe(20)
    expect(fallbacks).toEqual([])
  })
})

it('a replica without Redis counts alone, and says so', async () => {
  const redis = new Redis('redis://127.0.0.1:1', { lazyConnect: true, retryStrategy: () => null })
  redis.on('error', () => undefined)
  const seen: unknown[] = []
  const store = redisRateStore({ redis, prefix: 'plumbline-test:', onFallback: (error) => void seen.push(error) })
  const limiter = limiterOf({ clock: heldClock(START_MS), store })
  const taken = [
    await limiter.take('export', 'k'),
    await limiter.take('export', 'k'),
    await limiter.take('export', 'k'),
  ]
  expect(taken.map((each) => each?.allowed)).toEqual([true, true, false])
  expect(seen.length).toBe(3)
  redis.disconnect()
})

it.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
])('an address %s counts as %s', (ip, key) => {
  expect(addressKey(ip)).toBe(key)
})

describe('a request', () => {
  let db: Store
  beforeAll(async () => {
    db = await sqliteStore()
  })
  afterAll(() => db.close())

  const get = (name: string, path: string, more: object): Operation =>
    query({
      name: `test.limit.${name}`,
      summary: 'Count',
      http: { method: 'get', path: path as `/${string}` },
      access: member(),
      tenant: fromHeader,
      input: {},
      output: Type.Object({}),
      errors: [],
      run: async () => ({}),
      ...more,
    } as never)
  const operations = [
    get('open', '/open', { access: anyone(), tenant: noTenant }),
    get('login', '/login', { access: anyone(), tenant: noTenant, rateLimit: 'auth' }),
    get('mine', '/mine', {}),
    get('export', '/export', { rateLimit: 'export' }),
    get('confirm', '/confirm', { access: signedIn(), tenant: noTenant, rateLimit: 'step-up' }),
    get('ingest', '/ingest', { access: scope('reporting:ingest'), rateLimit: 'ingest' }),
    command({
      name: 'test.limit.refresh',
      summary: 'Count by the operation itself',
      http: { method: 'post', path: '/refresh' },
      access: anyone(),
      tenant: noTenant,
      input: {},
      output: Type.Object({}),
      errors: ['RATE_LIMIT_EXCEEDED'],
      audit: none('a test'),
      rateLimit: 'refresh',
      run: async ({ runtime }) => {
        const taken = await runtime.limiter?.take('refresh', 'one session')
        if (taken && !taken.allowed) throw new Refusal('RATE_LIMIT_EXCEEDED', 'too many')
        return changed({})
      },
    }),
  ]
  const start = () =>
    floor(db, operations, { limiter: limiterOf({ clock: heldClock(START_MS), store: memoryRateStore() }) })
  const until429 = async (request: () => Promise<Response>, most = 6000) => {
    for (let passed = 0; passed <= most; passed++) if ((await request()).status === 429) return passed
    throw new Error('no limit was met')
  }

  it('is told its bucket, and a refused one when to come back', async () => {
    const http = start()
    const first = await http.call('GET', '/open', { as: null })
    expect(first.headers.get('ratelimit-limit')).toBe('100')
    expect(first.headers.get('ratelimit-remaining')).toBe('99')
    expect(Number(first.headers.get('ratelimit-reset'))).toBeGreaterThanOrEqual(900)
    expect(await until429(() => http.call('GET', '/open', { as: null }))).toBe(99)
    const refused = await http.call('GET', '/open', { as: null })
    expect(await refused.json()).toMatchObject({ statusCode: 429, code: 'RATE_LIMIT_EXCEEDED' })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(900)
    expect(refused.headers.get('ratelimit-remaining')).toBe('0')
  })

  it('without a credential and with a forged one counts by its address', async () => {
    const http = start()
    for (let n = 0; n < 50; n++) await http.call('GET', '/mine', { as: null })
    for (let n = 0; n < 50; n++) expect((await http.call('GET', '/mine', { as: `forged ${n}` })).status).toBe(401)
    expect((await http.call('GET', '/mine', { as: 'forged' })).status).toBe(429)
    expect((await http.call('GET', '/mine', { as: 'forged', ip: '192.0.2.2' })).status).toBe(401)
    expect((await http.call('GET', '/mine', { as: 'ann' })).status).toBe(200)
  })

  it('with a good credential counts by person and organization, with the factor of its tier', async () => {
    const http = start()
    expect((await http.call('GET', '/mine')).headers.get('ratelimit-limit')).toBe('5000')
    expect(await until429(() => http.call('GET', '/mine'))).toBe(4999)
    expect((await http.call('GET', '/mine', { ip: '192.0.2.9' })).status).toBe(429)
    expect((await http.call('GET', '/mine', { as: 'bob' })).status).toBe(200)
    expect((await http.call('GET', '/confirm')).headers.get('ratelimit-limit')).toBe('5')
  })

  it('that tries organizations out counts as well', async () => {
    const http = start()
    const probe = (slug: string) => http.call('GET', '/mine', { as: 'bob', headers: { 'x-org-id': slug } })
    expect((await probe('x')).headers.get('ratelimit-limit')).toBe('1000')
    expect(await until429(() => probe('x'), 1001)).toBe(999)
  })

  it('to sign in counts in the bucket of that by address', async () => {
    const http = start()
    expect(await until429(() => http.call('GET', '/login', { as: null }))).toBe(20)
    expect((await http.call('GET', '/login', { as: null, ip: '192.0.2.2' })).status).toBe(200)
  })

  it.each([
    ['/export', 2, 'bob', 429],
    ['/confirm', 5, 'bob', 200],
  ])('of %s is let through %i times; another member then gets %s', async (path, max, other, status) => {
    const http = start()
    expect(await until429(() => http.call('GET', path))).toBe(max)
    expect((await http.call('GET', path, { as: other })).status).toBe(status)
  })

  it('of a collector counts by its credential', async () => {
    const http = start()
    expect(await until429(() => http.call('GET', '/ingest', { as: 'service', headers: { 'x-org-id': ORG_A } }))).toBe(
      600,
    )
  })

  it('may be counted by the operation, which alone knows the session', async () => {
    const http = start()
    expect(await until429(() => http.call('POST', '/refresh', { as: null }))).toBe(20)
  })

  it('counts by the address that trusted proxies vouch for, and not by what a client writes', async () => {
    const limiter = limiterOf({ clock: heldClock(START_MS), store: memoryRateStore() }, { AUTH_LIMITER_MAX: '1' })
    const direct = floor(db, operations, { limiter })
    const send = (http: typeof direct, forwarded: string) =>
      http.call('GET', '/login', { as: null, headers: { 'x-forwarded-for': forwarded } })
    expect((await send(direct, '203.0.113.1')).status).toBe(200)
    expect((await send(direct, '203.0.113.2')).status).toBe(429)
    const behind = floor(db, operations, { limiter, trustedProxyHops: 1 })
    expect((await send(behind, '203.0.113.1, 198.51.100.7')).status).toBe(200)
    expect((await send(behind, '203.0.113.2, 198.51.100.7')).status).toBe(429)
    expect((await send(behind, '203.0.113.2, 198.51.100.8')).status).toBe(200)
  })
})
