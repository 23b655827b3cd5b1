/** What a balancer, a scraper and an operator are told: alive, ready or why not, numbers for those who may read them. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { type App, createApp } from '../src/app.js'
import { heldClock } from '../src/runtime/clock.js'
import { Health } from '../src/runtime/health/health.js'
import { putEvidence } from '../src/runtime/jobs/evidence.js'
import { silentLog } from '../src/runtime/log/log.js'
import { METRIC_TABLE } from '../src/runtime/metrics/table.js'
import { driverProblem, hasNodeApi10, nodeProblem } from '../src/runtime/node-version.js'
import type { SqliteStore } from '../src/runtime/store/sqlite.js'
import { sqliteDriver } from '../src/runtime/store/sqlite-driver.js'
import { testSettings } from './support/settings.js'
import { sqliteStore } from './support/stores.js'

let store: SqliteStore
const clock = heldClock(Date.UTC(2026, 10, 21, 10))
const apps: App[] = []
beforeAll(async () => {
  store = await sqliteStore()
})
afterEach(async () => {
  vi.restoreAllMocks()
  for (const app of apps.splice(0)) await app.close()
})
afterAll(() => store.close())

function app(values: Record<string, string> = {}): App {
  const made = createApp({ store, settings: testSettings(values), log: silentLog, clock })
  apps.push(made)
  return made
}

const get = (to: App, path: string, headers: Record<string, string> = {}, peer: string | null = '127.0.0.1') =>
  to.http.fetch(
    new Request(`http://plumbline.test${path}`, { headers }),
    peer === null ? {} : { incoming: { socket: { remoteAddress: peer } } },
  )

describe('/metrics', () => {
  it.each([
    ['127.0.0.1', {}, 200],
    ['::1', {}, 200],
    ['::ffff:127.0.0.1', {}, 200],
    ['192.0.2.1', {}, 404],
    ['127.0.0.1.example', {}, 404],
    [null, {}, 404],
    // A proxy on this machine speaks for somebody else.
    ['127.0.0.1', { 'x-forwarded-for': '192.0.2.1' }, 404],
    ['127.0.0.1', { forwarded: 'for=192.0.2.1' }, 404],
    ['127.0.0.1', { 'x-real-ip': '192.0.2.1' }, 404],
    ['127.0.0.1', { via: '1.1 proxy' }, 404],
  ])('without a token are for loopback alone, where that is set: %s %o', async (peer, headers, status) => {
    const made = app({ METRICS_LOOPBACK: 'true' })
    expect((await get(made, '/metrics', headers as Record<string, string>, peer)).status).toBe(status)
  })

  // A proxy on this machine that adds no header, such as one for TCP, looks like a client on it.
  it('without a token and unless it is set are for nobody', async () => {
    expect((await get(app(), '/metrics')).status).toBe(404)
  })

  it.each([
    ['Bearer the-right-token', 200],
    ['Bearer the-right-toke', 404],
    ['Bearer the-right-token ', 200],
    ['the-right-token', 404],
    ['', 404],
  ])('with a token are for who has it, loopback or not: "%s"', async (authorization, status) => {
    const made = app({ METRICS_TOKEN: 'the-right-token' })
    expect((await get(made, '/metrics', { authorization }, '192.0.2.1')).status).toBe(status)
    expect((await get(made, '/metrics', { authorization })).status).toBe(status)
  })

  it('answer a stranger as any path that does not exist', async () => {
    const made = app()
    const [metrics, absent] = [
      await get(made, '/metrics', {}, '192.0.2.1'),
      await get(made, '/absent', {}, '192.0.2.1'),
    ]
    expect(metrics.status).toBe(absent.status)
    const [a, b] = [(await metrics.json()) as object, (await absent.json()) as object]
    expect({ ...a, requestId: undefined }).toMatchObject({ code: 'NOT_FOUND' })
    expect({ ...b, requestId: undefined }).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('know every metric of the table', async () => {
    const text = await (await get(app({ METRICS_LOOPBACK: 'true' }), '/metrics')).text()
    for (const { name } of METRIC_TABLE) expect(text).toContain(`# TYPE ${name} `)
  })

  it('count the commits of SQLite and the operations that they carried', async () => {
    const made = app({ METRICS_LOOPBACK: 'true' })
    const read = async () => {
      const text = await (await get(made, '/metrics')).text()
      const value = (name: string) => Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1])
      return { groups: value('store_groups_total'), operations: value('store_operations_total') }
    }
    const before = await read()
    await Promise.all(Array.from({ length: 5 }, () => store.system.write(async () => undefined)))
    const after = await read()
    expect(after.operations - before.operations).toBe(5)
    // Neighbours share a commit, unless the machine is so busy that a group took as long as it may.
    expect(after.groups - before.groups).toBeGreaterThanOrEqual(1)
    expect(after.groups - before.groups).toBeLessThan(5)
    expect(after).toEqual({ groups: store.commits.groups, operations: store.commits.operations })
  })
})

describe('/readyz', () => {
  const ready = async (of: App) => {
    const response = await get(of, '/readyz', {}, '192.0.2.1')
    return { status: response.status, body: (await response.json()) as { checks: Record<string, string> } }
  }

  it('names what the process leans on', async () => {
    expect(await ready(app())).toEqual({
      status: 200,
      body: { status: 'ready', checks: { database: 'ok', audit: 'ok', blobs: 'ok' } },
    })
  })

  it('is not ready without its database, and says nothing of what the driver said', async () => {
    const made = app()
    vi.spyOn(store, 'ping').mockRejectedValue(new Error('password of plumbline@db.internal is wrong'))
    const { status, body } = await ready(made)
    expect(status).toBe(503)
    expect(body).toEqual({ status: 'not ready', checks: { database: 'does not answer', audit: 'ok', blobs: 'ok' } })
  })

  it('names a Redis that is gone, and stays ready: the process works without it', async () => {
    const made = app({ REDIS_URL: 'redis://127.0.0.1:1' })
    const { status, body } = await ready(made)
    expect(status).toBe(200)
    expect(body.checks).toEqual({ database: 'ok', redis: 'does not answer', audit: 'ok', blobs: 'ok' })
  })

  it('names evidence that waits for its seal for more than a minute', async () => {
    const made = app()
    const orgId = '11111111-1111-7111-8111-111111111111'
    const event = {
      id: `evt_${made.runtime.ids.next()}`,
      action: 'org.update',
      actorId: 'ann',
      orgId,
      affectedOrgId: orgId,
    }
    await store.system.write((tx) =>
      putEvidence(tx, { ...made.runtime, onEvidence: () => undefined }, event as never, null, clock.now()),
    )
    clock.advance(60_000)
    expect((await ready(made)).body.checks['audit']).toBe('ok')
    clock.advance(1000)
    const { status, body } = await ready(made)
    expect([status, body.checks['audit']]).toEqual([200, '1 events wait to be sealed, the oldest 61 s'])
  })

  it('is not ready once it is told to stop', async () => {
    const made = app()
    made.health.startDraining()
    expect(await ready(made)).toMatchObject({ status: 503, body: { checks: { process: 'shutting down' } } })
  })

  it('does not wait for a check that hangs', async () => {
    vi.useFakeTimers()
    try {
      const readiness = new Health([{ name: 'slow', check: () => new Promise(() => undefined) }]).readiness()
      await vi.advanceTimersByTimeAsync(2000)
      expect(await readiness).toEqual({ ready: false, checks: { slow: 'no answer within 2 s' } })
    } finally {
      vi.useRealTimers()
    }
  })
})

it.each(['/healthz', '/api/health'])('%s answers while the database is gone', async (path) => {
  const made = app()
  vi.spyOn(store, 'ping').mockRejectedValue(new Error('gone'))
  expect((await get(made, path, {}, '192.0.2.1')).status).toBe(200)
})

describe('the version of Node', () => {
  it.each(['18.20.4', '20.18.3'])('%s is refused with the way out', (node) => {
    expect(nodeProblem(node)).toContain('needs Node 20.19')
  })

  it.each(['20.19.0', '22.0.0', '24.21.0', '26.10.0'])('%s is fine', (node) => {
    expect(nodeProblem(node)).toBeNull()
  })

  it.each([
    ['22.13.1', '13.0.0', 'needs Node 22.14'],
    ['20.19.0', '13.0.0', 'needs Node 22.14'],
    ['24.0.0', '12.11.1', 'ends the process at random on Node 24'],
    ['26.10.0', '12.11.1', 'ends the process at random on Node 24'],
  ])('%s with better-sqlite3 %s is refused with the way out', (node, sqlite, problem) => {
    expect(driverProblem(node, sqlite)).toContain(problem)
  })

  it.each([
    ['20.19.0', '12.11.1'],
    ['22.13.1', '12.11.1'],
    ['22.14.0', '13.0.0'],
    ['24.0.0', '13.1.0'],
  ])('%s with better-sqlite3 %s is fine', (node, sqlite) => {
    expect(driverProblem(node, sqlite)).toBeNull()
  })

  it('has the build of the driver that it runs', () => {
    const { version } = sqliteDriver()
    expect(driverProblem(process.versions.node, version)).toBeNull()
    expect(version.startsWith('13.')).toBe(hasNodeApi10(process.versions.node))
  })
})
