/**
 * Goal: the build queue behaves as spec platform 11 defines, in any order of events. Method: generated sequences of
 * uploads, claims, heartbeats, endings, waits, replays, purges and cancellations by two builders run step by step on
 * the real tables through the public claim port, and on a simple model. After each step both agree about every build
 * and every plugin.
 */
import { and, eq, inArray } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { type PluginApp, pluginApp, uploaded } from '../../../test/support/plugins.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { cancelBuilds } from '../build-job/cancel-builds.js'
import { enqueueBuild } from '../build-job/enqueue.js'
import { type PluginRow, pluginTables } from '../tables.js'
import { type BuildClaim, type BuildQueue, createBuildQueue } from './index.js'

const LEASE_MS = 60_000
const TIMEOUT_MS = 900_000
const PER_ORG_MAX = 2
const WAITS_MS = [300_000, 900_000, 2_700_000]
const IMAGE = { imageRef: 'org/p:1.0.0', imageDigest: 'sha256:abc', imageSizeBytes: 1 }
const WEIGHTS = { developer: 1, team: 4 } as const

interface Job {
  id: string
  plugin: number
  state: 'waiting' | 'delayed' | 'active' | 'completed' | 'dead' | 'cancelled'
  round: number
  attempts: number
  total: number
  exhausted: boolean
  runAt: number
  startedAt: number
  leaseUntil: number
  fence: number
}

type Status = 'none' | 'queued' | 'building' | 'ready' | 'failed'

/**
 * The queue as a simple model. Plugins with even numbers belong to the first organization, of tier team; the others to
 * one of tier developer.
 */
class Model {
  jobs: Job[] = []
  status: Status[] = []
  #pass = [0, 0]
  #lastStart = [0, 0]
  now = 0

  enqueue(plugin: number, id: string): void {
    this.cancel(plugin)
    const fresh = { round: 0, attempts: 0, total: 0, exhausted: false, startedAt: 0, leaseUntil: 0, fence: 0 }
    this.jobs.push({ id, plugin, state: 'waiting', runAt: this.now, ...fresh })
    this.status[plugin] = 'queued'
  }

  cancel(plugin: number): void {
    for (const job of this.jobs) {
      if (job.plugin === plugin && job.state !== 'completed') job.state = 'cancelled'
    }
  }

  claim(): Job | null {
    this.reclaim()
    for (const job of this.jobs) {
      if (job.state === 'dead' && !job.exhausted && job.runAt <= this.now) {
        Object.assign(job, { state: 'waiting', round: job.round + 1, attempts: 0 })
      }
    }
    const isOf = (org: number) => (job: Job) => job.plugin % 2 === org
    const dueOf = (org: number) =>
      this.jobs
        .filter((job) => (job.state === 'waiting' || job.state === 'delayed') && job.runAt <= this.now)
        .filter(isOf(org))
        .sort((a, b) => a.runAt - b.runAt || (a.id < b.id ? -1 : 1))
    const open = [0, 1].filter(
      (org) =>
        dueOf(org).length > 0 &&
        this.jobs.filter((job) => job.state === 'active' && isOf(org)(job)).length < PER_ORG_MAX,
    )
    const startOf = (org: number) => Math.max(...this.#lastStart, this.#pass[org] ?? 0)
    const [org] = open.sort((a, b) => startOf(a) - startOf(b) || a - b)
    const [job] = org === undefined ? [] : dueOf(org)
    if (org === undefined || job === undefined) return null
    const start = startOf(org)
    this.#lastStart[org] = start
    this.#pass[org] = start + 8 / (org === 0 ? WEIGHTS.team : WEIGHTS.developer)
    Object.assign(job, { state: 'active', attempts: job.attempts + 1, total: job.total + 1, fence: job.fence + 1 })
    Object.assign(job, { startedAt: this.now, leaseUntil: this.now + LEASE_MS })
    this.status[job.plugin] = 'building'
    return job
  }

  held({ jobId, fence }: BuildClaim): Job | undefined {
    return this.jobs.find((job) => job.id === jobId && job.fence === fence && job.state === 'active')
  }

  heartbeat(job: Job): boolean {
    if (job.leaseUntil < this.now || job.startedAt < this.now - TIMEOUT_MS) return false
    job.leaseUntil = this.now + LEASE_MS
    return true
  }

  complete(job: Job): void {
    job.state = 'completed'
    this.status[job.plugin] = 'ready'
  }

  fail(job: Job, isPermanent: boolean): void {
    this.status[job.plugin] = 'queued'
    if (!isPermanent && job.attempts < 2) {
      Object.assign(job, { state: 'delayed', runAt: this.now + 5000 * 2 ** (job.attempts - 1) })
    } else if (!isPermanent && job.round < 3) {
      Object.assign(job, { state: 'dead', runAt: this.now + (WAITS_MS[job.round] ?? 0) })
    } else {
      Object.assign(job, { state: 'dead', exhausted: true })
      this.status[job.plugin] = 'failed'
    }
  }

  release(job: Job): void {
    Object.assign(job, { state: 'waiting', attempts: job.attempts - 1, total: job.total - 1, runAt: this.now })
    this.status[job.plugin] = 'queued'
  }

  reclaim(): number {
    const gone = this.jobs.filter(
      (job) => job.state === 'active' && (job.leaseUntil < this.now || job.startedAt < this.now - TIMEOUT_MS),
    )
    for (const job of gone) this.fail(job, false)
    return gone.length
  }

  purge(): number {
    const dead = this.jobs.filter(({ state }) => state === 'dead')
    for (const { plugin, exhausted } of dead) if (!exhausted) this.status[plugin] = 'failed'
    this.jobs = this.jobs.filter(({ state }) => state !== 'dead')
    return dead.length
  }

  shown() {
    const builds = this.jobs.map(({ id, state, round, attempts, total, exhausted, runAt }) => ({
      id,
      state,
      round,
      attempts,
      total,
      exhausted,
      runAt: ['waiting', 'delayed', 'dead'].includes(state) && !exhausted ? runAt : 0,
    }))
    return { builds: builds.sort((a, b) => (a.id < b.id ? -1 : 1)), plugins: [...this.status] }
  }
}

type Step =
  | { readonly do: 'enqueue' | 'cancel'; readonly plugin: number }
  | { readonly do: 'claim' | 'heartbeat' | 'log' | 'complete' | 'fail' | 'ruin' | 'release'; readonly worker: number }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'reclaim' | 'purge' }
  | { readonly do: 'replay'; readonly at: number }

const PLUGINS = 4
const plugin = fc.nat(PLUGINS - 1)
const worker = fc.nat(1)
const STEPS: fc.Arbitrary<Step>[] = [
  ...['enqueue', 'enqueue', 'enqueue', 'cancel'].map((what) => fc.record({ do: fc.constant(what), plugin })),
  ...[
    'claim',
    'claim',
    'claim',
    'claim',
    'fail',
    'fail',
    'fail',
    'complete',
    'heartbeat',
    'log',
    'ruin',
    'release',
  ].map((what) => fc.record({ do: fc.constant(what), worker })),
  fc.record({
    do: fc.constant('wait'),
    ms: fc.constantFrom(1, 4_999, 5_000, 59_999, 60_001, 300_000, 900_001, 2_700_000),
  }),
  fc.record({ do: fc.constant('wait'), ms: fc.constantFrom(5_000, 300_000) }),
  fc.record({ do: fc.constantFrom('reclaim', 'purge', 'purge', 'purge') }),
  fc.record({ do: fc.constantFrom('replay', 'replay'), at: fc.nat(1) }),
  fc.record({ do: fc.constant('replay'), at: fc.nat(1) }),
] as fc.Arbitrary<Step>[]

/**
 * One build through all its rounds, which random sequences rarely reach; then replayed, and purged while its next round
 * is still due.
 */
const ALL_ROUNDS: readonly Step[] = [
  { do: 'enqueue', plugin: 0 },
  ...[5_000, 300_000, 5_000, 900_000, 5_000, 2_700_000, 5_000, 1].flatMap((ms): Step[] => [
    { do: 'claim', worker: 0 },
    { do: 'heartbeat', worker: 0 },
    { do: 'fail', worker: 0 },
    { do: 'claim', worker: 1 },
    { do: 'wait', ms },
  ]),
  { do: 'replay', at: 0 },
  { do: 'claim', worker: 1 },
  { do: 'wait', ms: 60_001 },
  { do: 'complete', worker: 0 },
  { do: 'reclaim' },
  { do: 'wait', ms: 5_000 },
  { do: 'claim', worker: 1 },
  { do: 'fail', worker: 1 },
  { do: 'purge' },
]

await describeStores('the queue of builds beside its model', WITH_POSTGRESQL, (open, name) => {
  let store: Store
  let app: PluginApp
  let queue: BuildQueue
  let orgs: [SignedIn, SignedIn]
  let root: SignedIn
  const ids: string[] = []
  beforeAll(async () => {
    store = await open()
    app = await pluginApp(store, { settings: { PLUGIN_MAX_BUILDS_PER_ORG: String(PER_ORG_MAX) } })
    queue = createBuildQueue(app.runtime)
    root = await superAdmin(app, 'root')
    const people = [await signUp(app, 'ann'), await signUp(app, 'ben')]
    // When two organizations have used the same share, the smaller id is next.
    orgs = people.sort((a, b) => (a.orgId < b.orgId ? -1 : 1)) as [SignedIn, SignedIn]
    for (let n = 0; n < PLUGINS; n++) {
      ids.push(await uploaded(app, orgs[n % 2] as SignedIn, { name: `p${n}`, buildType: 'build_image' }))
    }
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await store.close()
  })

  const rows = () =>
    store.system.read(async (db) => {
      const { plugins, buildJobs } = pluginTables(db)
      return {
        jobs: await db.select().from(buildJobs),
        plugins: await db.select().from(plugins).where(inArray(plugins.id, ids)),
      }
    })

  /** The tables in the terms of the model. */
  async function shown() {
    const { jobs, plugins } = await rows()
    const builds = jobs.map((job) => ({
      id: job.id,
      state: job.state,
      round: job.round,
      attempts: job.attempts,
      total: job.totalAttempts,
      exhausted: job.isExhausted,
      runAt: ['waiting', 'delayed', 'dead'].includes(job.state) && !job.isExhausted ? job.runAtMs : 0,
    }))
    const statusOf = (id: string) => plugins.find((each) => each.id === id)?.buildStatus
    return { builds: builds.sort((a, b) => (a.id < b.id ? -1 : 1)), plugins: ids.map(statusOf) }
  }

  async function empty(): Promise<void> {
    await store.system.write(async (tx) => {
      const { plugins, buildJobs, buildTurns } = pluginTables(tx)
      await tx.delete(buildJobs)
      await tx.delete(buildTurns)
      await tx.update(plugins).set({ buildStatus: 'none' }).where(inArray(plugins.id, ids))
    })
  }

  /** As an upload does it, without the archive. */
  const enqueue = (at: number): Promise<string> =>
    store.system.write(async (tx) => {
      const { plugins } = pluginTables(tx)
      const { orgId, userId } = orgs[at % 2] as SignedIn
      const [row] = await tx
        .select()
        .from(plugins)
        .where(and(eq(plugins.id, ids[at] ?? ''), eq(plugins.orgId, orgId)))
      await tx
        .update(plugins)
        .set({ buildStatus: 'queued' })
        .where(eq(plugins.id, ids[at] ?? ''))
      const context = {
        tx,
        runtime: app.runtime,
        nowMs: app.clock.now(),
        actor: { id: userId, email: null, role: null, impersonatorId: null },
        authority: { org: { tier: at % 2 === 0 ? 'team' : 'developer' } },
        audit: async () => undefined,
      } as unknown as Parameters<typeof enqueueBuild>[0]
      return enqueueBuild(context, row as PluginRow)
    })

  const reached = new Map<string, number>()
  const reach = (what: string, times = 1) => void reached.set(what, (reached.get(what) ?? 0) + times)

  async function take(step: Step, model: Model, hands: (BuildClaim | null)[]): Promise<void> {
    model.now = app.clock.now()
    switch (step.do) {
      case 'enqueue':
        return model.enqueue(step.plugin, await enqueue(step.plugin))
      case 'cancel': {
        const orgId = (orgs[step.plugin % 2] as SignedIn).orgId
        await store.system.write((tx) =>
          cancelBuilds(
            { tx, nowMs: model.now, audit: async () => undefined },
            { id: ids[step.plugin] ?? '', orgId },
            null,
          ),
        )
        return model.cancel(step.plugin)
      }
      case 'wait':
        return app.clock.advance(step.ms)
      case 'reclaim': {
        const gone = model.reclaim()
        expect(await queue.reclaim()).toBe(gone)
        return reach('taken back', gone)
      }
      case 'purge': {
        const purged = model.purge()
        const answer = await app.call('DELETE', '/plugins/queue/dlq', { as: await signInAgain(app, root) })
        expect(answer.data).toEqual({ purged })
        return reach('purged', purged)
      }
      case 'replay': {
        const dead = model.jobs.filter(({ state }) => state === 'dead')
        const job = dead[step.at] ?? model.jobs[step.at]
        if (job === undefined) return
        const [own, other] = job.plugin % 2 === 0 ? orgs : [orgs[1], orgs[0]]
        const path = `/plugins/queue/dlq/${job.id}/replay`
        // Hours pass in a sequence, and tokens expire.
        expect((await app.call('POST', path, { as: await signInAgain(app, other) })).status).toBe(404)
        const answer = await app.call('POST', path, { as: await signInAgain(app, own) })
        expect(answer.status).toBe(job.state === 'dead' ? 202 : 409)
        if (answer.status === 202) model.enqueue(job.plugin, answer.data.newJobId)
        return reach(answer.status === 202 ? 'replayed' : 'not replayed')
      }
      case 'claim': {
        reach('taken back', model.reclaim())
        const expected = model.claim()
        const claimed = await queue.claim(`builder ${step.worker}`)
        expect([claimed?.jobId, claimed?.fence, claimed?.attempt]).toEqual([
          expected?.id,
          expected?.fence,
          expected?.total,
        ])
        if (claimed === null) return reach('nothing to claim')
        hands[step.worker] = claimed
        return reach(claimed.attempt > 2 ? 'claimed in a later round' : 'claimed')
      }
      default: {
        const hand = hands[step.worker]
        if (hand === null || hand === undefined) return
        const job = model.held(hand)
        const alive = await act(step.do, hand)
        const expected = job !== undefined && (step.do !== 'heartbeat' || model.heartbeat(job))
        expect([step.do, alive]).toEqual([step.do, expected])
        if (!alive) return reach('refused')
        if (job === undefined) return
        if (step.do === 'complete') model.complete(job)
        if (step.do === 'fail') model.fail(job, false)
        if (step.do === 'ruin') model.fail(job, true)
        if (step.do === 'release') model.release(job)
        reach(step.do)
      }
    }
  }

  function act(what: string, hand: BuildClaim): ReturnType<BuildQueue['log']> {
    const failure = { category: 'network' as const, message: 'the registry did not answer' }
    if (what === 'heartbeat') return queue.heartbeat(hand)
    if (what === 'log') return queue.log(hand, 'a line\n')
    if (what === 'complete') return queue.complete(hand, IMAGE).then((done) => done === true)
    if (what === 'release') return queue.release(hand)
    return queue.fail(hand, { ...failure, isPermanent: what === 'ruin' })
  }

  it('agrees with it after every step', async () => {
    const steps = fc.array(fc.oneof(...STEPS), { minLength: 40, maxLength: 70 })
    const sequences = name === 'SQLite' ? 40 : 6
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        await empty()
        const model = new Model()
        model.status = ids.map(() => 'none')
        const hands: (BuildClaim | null)[] = [null, null]
        for (const step of all) {
          await take(step, model, hands)
          expect(await shown()).toEqual(model.shown())
        }
      }),
      { numRuns: sequences, seed: 20_261_121, examples: [[[...ALL_ROUNDS]]] },
    )
    // What the sequences must reach, else the test proves little. The other databases run only the first of them.
    if (name !== 'SQLite') return
    const often = ['claimed', 'complete', 'fail', 'ruin', 'release', 'refused', 'replayed', 'purged', 'taken back']
    for (const what of [...often, 'claimed in a later round']) {
      expect([what, (reached.get(what) ?? 0) > 0]).toEqual([what, true])
    }
  }, 600_000)
})
