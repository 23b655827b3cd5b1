/** The queue's promises, on every database: nothing lost, no effect twice, turns taken, stale workers refused. */
import { eq } from 'drizzle-orm'
import Type from 'typebox'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { identityTables } from '../src/identity/tables.js'
import { listDeadLetters, replayDeadLetter } from '../src/runtime/jobs/dead-letters.js'
import { defineJob, LeaseLost, PermanentFailure } from '../src/runtime/jobs/define.js'
import { enqueue } from '../src/runtime/jobs/enqueue.js'
import { runJob } from '../src/runtime/jobs/run-job.js'
import { jobTables } from '../src/runtime/jobs/tables.js'
import { none } from '../src/runtime/operation/operation.js'
import type { Store } from '../src/runtime/store/db.js'
import { describeStores, WITH_POSTGRESQL } from './support/describe-stores.js'
import { heldWrite } from './support/held-write.js'
import { jobKit } from './support/job-kit.js'
import { sqliteStore } from './support/stores.js'

const A = '11111111-1111-7111-8111-111111111111'
const B = '22222222-2222-7222-8222-222222222222'
const never = new AbortController().signal

const Nothing = Type.Object({})
const silent = none('a test')

await describeStores('jobs', WITH_POSTGRESQL, (open) => {
  let store: Store
  let kit: ReturnType<typeof jobKit>
  beforeAll(async () => {
    store = await open()
  })
  afterAll(() => store.close())
  beforeEach(async () => {
    kit = jobKit(store)
    await kit.clear()
  })

  const claimOne = async (kind = 'k', leaseMs = 1000) => {
    const [job] = await kit.queue.claim({ kind, leaseMs, jobsMax: 1, afterLane: '' })
    if (job === undefined) throw new Error('nothing was claimed')
    return job
  }

  it('runs what a command queued, under the organization of the row, and completes it with its effect', async () => {
    const seen: unknown[] = []
    const job = defineJob({
      kind: 'k',
      payload: Type.Object({ n: Type.Integer() }),
      audit: silent,
      async run({ job: { orgId }, finish }, { n }) {
        await finish(async ({ tx }) => {
          const { roles } = identityTables(tx)
          await tx.insert(roles).values(role(`r${n}`, orgId ?? ''))
          seen.push(n)
        })
      },
    })
    const { worker } = kit.background([job])
    await kit.add({ kind: 'k', payload: { n: 1 }, orgId: A })
    await worker.settle()
    expect(seen).toEqual([1])
    expect(await kit.rows()).toMatchObject([{ state: 'done', attempts: 1, fence: 1, leaseUntilMs: null }])
    await store.tenant({ orgId: A, readableOrgIds: [] }).write(async (tx) => {
      const { roles } = identityTables(tx)
      expect(await tx.delete(roles).where(eq(roles.orgId, A)).returning({ id: roles.id })).toEqual([{ id: 'r1' }])
    })
  })

  if (enforcesRows())
    it('lets a job write rows of its own organization only', async () => {
      const job = defineJob({
        kind: 'k',
        payload: Nothing,
        audit: silent,
        attemptsMax: 1,
        run: ({ finish }) =>
          finish(async ({ tx }) => void (await tx.insert(identityTables(tx).roles).values(role('foreign', B)))),
      })
      await kit.add({ kind: 'k', payload: {}, orgId: A })
      await kit.background([job]).worker.settle()
      expect(await kit.rows()).toMatchObject([{ state: 'dead' }])
    })

  it('rolls the effect back when the completion is refused, and the other way round', async () => {
    await kit.add({ kind: 'k', payload: {}, orgId: A })
    const stale = await claimOne()
    kit.clock.advance(1001)
    await kit.queue.reclaim(new Map([['k', 8]]))
    await claimOne()
    let wrote = false
    const definition = defineJob({
      kind: 'k',
      payload: Nothing,
      audit: silent,
      run: ({ finish }) =>
        finish(async ({ tx }) => {
          await tx.insert(identityTables(tx).roles).values(role('stale', A))
          wrote = true
        }),
    })
    expect(await runJob(kit.runner, definition, stale, never)).toBe('lost')
    expect(wrote).toBe(false)
    expect(await kit.rows()).toMatchObject([{ state: 'running', fence: 2 }])
  })

  it('refuses each write of a worker whose lease another has taken', async () => {
    await kit.add({ kind: 'k', payload: {} })
    const stale = await claimOne()
    kit.clock.advance(1001)
    expect(await kit.queue.reclaim(new Map([['k', 8]]))).toBe(1)
    const fresh = await claimOne()
    expect([stale.fence, fresh.fence, fresh.attempt]).toEqual([1, 2, 2])
    expect(await kit.queue.renew(stale, 1000)).toBe(false)
    await expect(kit.queue.end(stale, { state: 'done' })).rejects.toThrow(LeaseLost)
    await kit.queue.end(fresh, { state: 'done' })
    await expect(kit.queue.end(fresh, { state: 'done' })).rejects.toThrow(LeaseLost)
  })

  it('does not take back a job whose lease was renewed', async () => {
    await kit.add({ kind: 'k', payload: {} })
    const job = await claimOne()
    kit.clock.advance(900)
    expect(await kit.queue.renew(job, 1000)).toBe(true)
    kit.clock.advance(900)
    expect(await kit.queue.reclaim(new Map([['k', 8]]))).toBe(0)
  })

  it('waits longer after each failure, then buries the job; a replay gives it all attempts again', async () => {
    let isBroken = true
    const job = defineJob({
      kind: 'k',
      payload: Nothing,
      audit: silent,
      attemptsMax: 3,
      backoffMs: 1000,
      async run() {
        if (isBroken) throw new Error('no, with token plp_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAA')
      },
    })
    const { worker } = kit.background([job])
    await kit.add({ kind: 'k', payload: {} })
    for (const waitMs of [500, 1000]) {
      await worker.settle()
      const [row] = await kit.rows()
      expect(row).toMatchObject({ state: 'waiting', lastError: 'no, with token [hidden]' })
      expect((row?.runAtMs ?? 0) - kit.clock.now()).toBe(waitMs)
      kit.clock.advance(waitMs - 1)
      await worker.settle()
      expect(await kit.rows()).toMatchObject([{ state: 'waiting' }])
      kit.clock.advance(1)
    }
    await worker.settle()
    expect(await kit.rows()).toMatchObject([{ state: 'dead', attempts: 3 }])
    const [letter] = await store.system.read((db) => listDeadLetters(db, { limit: 10 }))
    expect(letter).toMatchObject({ kind: 'k', attempts: 3 })
    isBroken = false
    const replay = () => store.system.write((tx) => replayDeadLetter(tx, kit.runtime, letter?.id ?? ''))
    expect(await Promise.all([replay(), replay()])).toEqual([true, false])
    await worker.settle()
    expect(await kit.rows()).toMatchObject([{ state: 'done', attempts: 1 }])
  })

  it('buries at once what will never succeed: a permanent failure, a payload of another form', async () => {
    const job = defineJob({
      kind: 'k',
      payload: Type.Object({ ok: Type.Boolean() }),
      audit: silent,
      async run() {
        throw new PermanentFailure('never')
      },
    })
    await kit.add({ kind: 'k', payload: { ok: true } })
    await kit.add({ kind: 'k', payload: { ok: 'yes' } })
    await kit.background([job]).worker.settle()
    expect((await kit.rows()).map(({ state, lastError }) => [state, lastError])).toEqual([
      ['dead', 'never'],
      ['dead', '/payload/ok must be boolean'],
    ])
  })

  it('keeps one waiting job for a key, and does not swallow a request that came after the claim', async () => {
    const message = { kind: 'k', payload: {}, uniqueKey: 'one' }
    await kit.add(message)
    await kit.add(message)
    expect(await kit.rows()).toHaveLength(1)
    await claimOne()
    await kit.add(message)
    expect((await kit.rows()).map(({ state }) => state).sort()).toEqual(['running', 'waiting'])
  })

  it('begins no job that waits for what is not committed yet', async () => {
    const message = { kind: 'k', payload: {}, uniqueKey: 'one' }
    await kit.add(message)
    const commit = await heldWrite(store, (tx) => enqueue(tx, kit.runtime, message))
    const claim = () => kit.queue.claim({ kind: 'k', leaseMs: 1000, jobsMax: 1, afterLane: '' })
    const claiming = claim()
    const late = new Promise<[]>((resolve) => setTimeout(resolve, 300, []))
    expect(await Promise.race([claiming, late])).toEqual([])
    await commit()
    expect([...(await claiming), ...(await claim())]).toHaveLength(1)
    expect(await kit.rows()).toHaveLength(1)
  })

  it('lets organizations take turns', async () => {
    for (let n = 0; n < 5; n++) await kit.add({ kind: 'k', payload: { n }, orgId: A })
    await kit.add({ kind: 'k', payload: { n: 9 }, orgId: B })
    await kit.add({ kind: 'k', payload: { n: 10 } })
    const order = await kit.queue.claim({ kind: 'k', leaseMs: 1000, jobsMax: 4, afterLane: A })
    expect(order.map(({ orgId, payload }) => [orgId, (payload as { n: number }).n])).toEqual([
      [B, 9],
      [null, 10],
      [A, 0],
      [A, 1],
    ])
  })

  it('runs no more of a kind at a time than it may', async () => {
    let running = 0
    let most = 0
    const job = defineJob({
      kind: 'k',
      payload: Nothing,
      audit: silent,
      concurrency: 2,
      async run({ read }) {
        most = Math.max(most, ++running)
        await read(async () => undefined)
        running -= 1
      },
    })
    for (let n = 0; n < 6; n++) await kit.add({ kind: 'k', payload: {} })
    await kit.background([job]).worker.settle()
    expect(most).toBe(2)
    expect((await kit.rows()).every(({ state }) => state === 'done')).toBe(true)
  })

  it('hands a job back uncounted when the process stops before it ends', async () => {
    const job = defineJob({
      kind: 'k',
      payload: Nothing,
      audit: silent,
      run: ({ signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    })
    const { worker } = kit.background([job])
    await kit.add({ kind: 'k', payload: {} })
    worker.wake()
    while (worker.running === 0) await new Promise((resolve) => setImmediate(resolve))
    await worker.drain(0)
    expect(await kit.rows()).toMatchObject([{ state: 'waiting', attempts: 0 }])
  })

  it('forgets the payload of a job that says so, and the whole job after a day', async () => {
    const job = defineJob({
      kind: 'k',
      payload: Type.Object({ link: Type.String() }),
      audit: silent,
      forgetPayload: true,
      run: async () => undefined,
    })
    await kit.add({ kind: 'k', payload: { link: 'secret' } })
    const { worker } = kit.background([job])
    await worker.settle()
    expect(await kit.rows()).toMatchObject([{ state: 'done', payload: {} }])
    kit.clock.advance(86_400_001)
    expect(await kit.queue.forget()).toBe(1)
    expect(await kit.rows()).toEqual([])
  })

  it('queues each tick once, by one leader, and refuses a leader that was asleep', async () => {
    const ran: number[] = []
    const job = defineJob({
      kind: 'k',
      payload: Nothing,
      audit: silent,
      run: async ({ nowMs }) => void ran.push(nowMs),
    })
    const schedules = [{ name: 'each-minute', kind: 'k', everyMs: 60_000 }]
    const first = kit.background([job], schedules).scheduler
    const second = kit.background([job], schedules).scheduler
    expect(await first.look()).toHaveLength(1)
    expect(await second.look()).toEqual([])
    expect(await first.look()).toEqual([])
    // The first sleeps past its lease; the second takes over and queues the next tick.
    kit.clock.advance(60_000)
    const { worker } = kit.background([job], schedules)
    await worker.settle()
    expect(await second.look()).toHaveLength(1)
    await worker.settle()
    // The first wakes up in what it takes for its own time.
    expect(await first.look()).toEqual([])
    await worker.settle()
    expect(ran).toHaveLength(2)
    await second.stop()
    kit.clock.advance(60_000)
    expect(await first.look()).toHaveLength(1)
  })

  it('compares the fence of the leader in the transaction that queues', async () => {
    const job = defineJob({ kind: 'k', payload: Nothing, audit: silent, run: async () => undefined })
    const { scheduler } = kit.background([job], [{ name: 's', kind: 'k', everyMs: 1000 }])
    expect(await scheduler.look()).toHaveLength(1)
    // Taken over while this process believes that its lease is good.
    await store.system.write(async (tx) => {
      const { leases } = jobTables(tx)
      await tx.update(leases).set({ holder: 'other', fence: 2 })
    })
    await kit.background([job]).worker.settle()
    kit.clock.advance(1000)
    expect(await scheduler.look()).toEqual([])
    expect((await kit.rows()).map(({ state }) => state)).toEqual(['done'])
  })

  it('does not pile up ticks that nobody works off', async () => {
    const job = defineJob({ kind: 'k', payload: Nothing, audit: silent, run: async () => undefined })
    const { scheduler } = kit.background([job], [{ name: 's', kind: 'k', everyMs: 1000 }])
    for (let n = 0; n < 5; n++) {
      await scheduler.look()
      kit.clock.advance(1000)
    }
    expect(await kit.rows()).toHaveLength(1)
  })

  function enforcesRows(): boolean {
    return open !== (sqliteStore as unknown)
  }
})

const role = (id: string, orgId: string) => ({
  id,
  orgId,
  name: id,
  nameKey: id,
  description: '',
  permissions: [],
  builtIn: false,
  grantsLevel: 'member',
  revision: 1,
  createdAtMs: 1,
  updatedAtMs: 1,
})
