/**
 * A job that one process queues starts in another without a sweep, over Redis and over PostgreSQL's notifications; with the
 * bus cut it starts with the next sweep; and after the bus has come back, without one again. Each runs once.
 */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import Type from 'typebox'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { createBackground } from '../src/runtime/background.js'
import { heldClock } from '../src/runtime/clock.js'
import { createIds } from '../src/runtime/ids.js'
import { defineJob } from '../src/runtime/jobs/define.js'
import { enqueue } from '../src/runtime/jobs/enqueue.js'
import { tenantAlone } from '../src/runtime/jobs/run-job.js'
import { jobTables } from '../src/runtime/jobs/tables.js'
import { busWakeUps } from '../src/runtime/jobs/wake-ups.js'
import { silentLog } from '../src/runtime/log/log.js'
import { createMetrics } from '../src/runtime/metrics/metrics.js'
import type { Runtime } from '../src/runtime/operation/context.js'
import { none } from '../src/runtime/operation/operation.js'
import { type Bus, connectRedis, localBus } from '../src/runtime/redis/redis.js'
import type { Store } from '../src/runtime/store/db.js'
import { postgresBus } from '../src/runtime/store/postgres-bus.js'
import { testSettings } from './support/settings.js'
import { postgresMissing, postgresStore, REDIS_URL, redisMissing, sqliteStore } from './support/stores.js'

const START_MS = Date.UTC(2026, 10, 21, 10)
/** Far beyond what it takes; the guarantees here do not depend on time. */
const PATIENCE = { timeout: 120_000, interval: 20 }

const noPostgres = await postgresMissing()
const noRedis = await redisMissing()

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

/** Two processes over one database: one queues, the other works and never sweeps by itself. */
function pairOver(store: Store, sending: Bus, receiving: Bus) {
  const clock = heldClock(START_MS)
  const wakeUps = { sending: busWakeUps(sending, clock), receiving: busWakeUps(receiving, clock) }
  const runtime: Runtime = {
    clock,
    ids: createIds(clock),
    store,
    settings: testSettings(),
    domains: [],
    wake: (job) => wakeUps.sending.announce(job),
  }
  const ran: number[] = []
  const job = defineJob({
    kind: 'counted',
    payload: Type.Object({ n: Type.Integer() }),
    audit: none('a test'),
    run: ({ finish }, { n }) => finish(async ({ tx }) => tx.afterCommit(() => void ran.push(n))),
  })
  const { worker } = createBackground({
    runtime,
    jobs: [job],
    schedules: [],
    services: [],
    wakeUps: wakeUps.receiving,
    metrics: createMetrics(),
    random: () => 0,
    tenantOf: tenantAlone,
    log: silentLog,
  })
  wakeUps.receiving.listen(() => worker.wake())
  const add = (n: number) => store.system.write((tx) => enqueue(tx, runtime, { kind: 'counted', payload: { n } }))
  const untilRan = (count: number) =>
    vi.waitFor(
      () => expect([...ran].sort((x, y) => x - y)).toEqual(Array.from({ length: count }, (_, n) => n)),
      PATIENCE,
    )
  return { worker, ran, add, untilRan, clock }
}

interface Buses {
  readonly store: Store
  readonly open: () => Bus
  /** Cuts every connection of the buses; they come back by themselves. */
  cut(): Promise<void>
}

async function overRedis(): Promise<Buses> {
  const store = await sqliteStore()
  const prefix = `test-${randomUUID()}`
  const links: ReturnType<typeof connectRedis>[] = []
  closing.push(
    () => store.close(),
    () => Promise.all(links.map((link) => link.close())),
  )
  return {
    store,
    open() {
      const link = connectRedis(REDIS_URL, silentLog, prefix)
      links.push(link)
      return link.bus
    },
    async cut() {
      for (const { redis } of links) redis.disconnect(true)
    },
  }
}

async function overPostgres(): Promise<Buses> {
  const store = await postgresStore()
  const buses: Bus[] = []
  closing.push(
    () => store.close(),
    () => Promise.all(buses.map((bus) => bus.close())),
  )
  return {
    store,
    open() {
      const bus = postgresBus(store.url, silentLog)
      buses.push(bus)
      return bus
    },
    async cut() {
      const client = new pg.Client({ connectionString: store.url })
      await client.connect()
      await client.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'plumbline bus'`,
      )
      await client.end()
    },
  }
}

describe.each([
  { name: 'Redis', missing: noRedis, make: overRedis },
  { name: 'notifications of PostgreSQL', missing: noPostgres, make: overPostgres },
])('wake-ups over $name', ({ missing, make }) => {
  it.skipIf(missing !== null)(
    `start jobs at once, lose none, and come back${missing ? ` (${missing})` : ''}`,
    async () => {
      const { store, open, cut } = await make()
      const [sending, receiving] = [open(), open()]
      const shared = () =>
        vi.waitFor(() => expect([sending.isShared(), receiving.isShared()]).toEqual([true, true]), PATIENCE)
      await shared()
      const { worker, ran, add, untilRan } = pairOver(store, sending, receiving)

      // A listener hears nothing until its subscription has arrived: what it missed the sweep finds.
      for (let n = 0; n < 10; n++) await add(n)
      await worker.sweep()
      await untilRan(10)

      // From here on without a sweep, as soon as it listens.
      let next = 10
      const untilWoken = () =>
        vi.waitFor(async () => {
          await add(next++)
          await vi.waitFor(() => expect(ran.length).toBe(next), { timeout: 1000, interval: 5 })
        }, PATIENCE)
      await untilWoken()

      await cut()
      await vi.waitFor(() => expect(sending.isShared() && receiving.isShared()).toBe(false), PATIENCE)
      await add(next++)
      await shared()
      await worker.sweep()
      await untilRan(next)

      await untilWoken()
      await worker.settle()
      const rows = await store.system.read((db) => db.select().from(jobTables(db).jobs))
      const counted = rows.filter(({ kind }) => kind === 'counted')
      expect(counted.map(({ state, attempts }) => [state, attempts])).toEqual(Array(next).fill(['done', 1]))
      expect(new Set(ran).size).toBe(next)
    },
  )
})

describe('wake-ups of one process', () => {
  it('are heard at once, and not before the job is due', async () => {
    const store = await sqliteStore()
    closing.push(() => store.close())
    const clock = heldClock(START_MS)
    const wakeUps = busWakeUps(localBus(), clock)
    const wake = vi.fn()
    wakeUps.listen(wake)
    wakeUps.announce({ id: 'a', kind: 'counted', runAtMs: START_MS + 1 })
    expect(wake).not.toHaveBeenCalled()
    clock.advance(1)
    wakeUps.announce({ id: 'b', kind: 'counted', runAtMs: START_MS + 1 })
    expect(wake).toHaveBeenCalledTimes(1)
  })

  it('tell the others once, however many jobs come together, and do not answer themselves', async () => {
    const clock = heldClock(START_MS)
    const told: unknown[] = []
    const local = localBus()
    const bus: Bus = {
      ...local,
      isShared: () => true,
      publish(channel, message) {
        told.push(message)
        local.publish(channel, message)
      },
    }
    const [mine, theirs] = [busWakeUps(bus, clock), busWakeUps(bus, clock)]
    const [heardHere, heardThere] = [vi.fn(), vi.fn()]
    mine.listen(heardHere)
    theirs.listen(heardThere)
    for (let n = 0; n < 100; n++) mine.announce({ id: String(n), kind: 'counted', runAtMs: START_MS })
    await vi.waitFor(() => expect(told).toHaveLength(1), PATIENCE)
    expect(heardHere).toHaveBeenCalledTimes(100)
    expect(heardThere).toHaveBeenCalledTimes(1)
  })
})
