/**
 * The build queue through its claim port, as a builder uses it: turns, limits, retries, rounds, fences, dead letters.
 */
import { EventEmitter, once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { superAdmin } from '../../../test/support/organizations.js'
import { type PluginApp, pluginApp, pluginZip, uploaded, uploadZip } from '../../../test/support/plugins.js'
import { evidence, type SignedIn, signUp, stepUp } from '../../../test/support/sign-in.js'
import { getConfig } from '../../identity/config/get.js'
import { toIso } from '../../runtime/clock.js'
import type { Store } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { pluginTables } from '../tables.js'
import { type BuildClaim, type BuildQueue, createBuildQueue } from './queue.js'

const IMAGE = { imageRef: 'org-1/web:1.0.0', imageDigest: 'sha256:abc', imageSizeBytes: 1000 }
const FLAKY = { category: 'network' as const, message: 'the registry did not answer', isPermanent: false }

await describeStores('the queue of builds', BOTH_DATABASES, (open, database) => {
  let store: Store
  let app: PluginApp
  let queue: BuildQueue
  let ann: SignedIn
  let ben: SignedIn
  let names = 0
  beforeAll(async () => {
    store = await open()
    app = await pluginApp(store, { operations: [getConfig] })
    queue = createBuildQueue(app.runtime)
    ann = await signUp(app, 'ann')
    ben = await signUp(app, 'ben')
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await store.close()
  })
  const queued = (as: SignedIn) => uploaded(app, as, { name: `p${names++}`, buildType: 'build_image' })
  const claim = async (): Promise<BuildClaim> => {
    const claimed = await queue.claim('a builder')
    if (claimed === null) throw new Error('nothing is due')
    return claimed
  }
  const plugin = async (id: string, as: SignedIn = ann) => (await app.call('GET', `/plugins/${id}`, { as })).data.plugin
  const empty = () => store.system.write(async (tx) => void (await tx.delete(pluginTables(tx).buildJobs)))

  it('shows what waits to anyone who asks for that state, although it is not active', async () => {
    const ids = async (query: string, as = ann) =>
      (await app.call('GET', `/plugins?limit=100&scope=own${query}`, { as })).data.plugins.map(
        ({ id }: { id: string }) => id,
      )
    const waiting = await queued(ann)
    expect(await plugin(waiting)).toMatchObject({ buildStatus: 'queued', isActive: false })
    expect(await ids('')).toEqual([])
    expect(await ids('&buildStatus=queued')).toEqual([waiting])
    expect(await ids('&buildStatus=queued&isActive=false')).toEqual([waiting])
    for (const query of ['&buildStatus=queued&isActive=true', '&buildStatus=building', '&buildStatus=ready']) {
      expect(await ids(query), query).toEqual([])
    }
    expect(await ids('&buildStatus=queued', ben)).toEqual([])
    const claimed = await claim()
    expect([await ids('&buildStatus=queued'), await ids('&buildStatus=building')]).toEqual([[], [waiting]])
    expect(await queue.complete(claimed, IMAGE)).toBe(true)
    expect(await ids('&buildStatus=ready')).toEqual([waiting])
    await app.call('DELETE', `/plugins/${waiting}`, { as: ann })
  })

  it('makes a plugin ready, and the default when it is the highest release', async () => {
    const id = await queued(ann)
    const claimed = await claim()
    expect(claimed).toMatchObject({ pluginId: id, orgId: ann.orgId, attempt: 1, buildType: 'build_image' })
    expect(await app.runtime.blobs?.stat(claimed.archiveKey)).not.toBeNull()
    expect((await plugin(id)).buildStatus).toBe('building')
    expect(await queue.log(claimed, 'step 1\n')).toBe(true)
    expect(await queue.heartbeat(claimed)).toBe(true)
    expect(await queue.complete(claimed, IMAGE)).toBe(true)
    expect(await plugin(id)).toMatchObject({ buildStatus: 'ready', isActive: true, isDefault: true, ...IMAGE })
    expect(await queue.complete(claimed, IMAGE)).toBe(false)
    const log = await app.http.request(`/api/plugins/builds/${claimed.jobId}/logs`, {
      headers: { authorization: `Bearer ${ann.accessToken}` },
    })
    expect(await log.text()).toBe('step 1\n')
    expect((await evidence(app)).at(-1)).toMatchObject({ action: 'plugin.build.completed', targetId: id })
  })

  it('tries twice, then in three rounds that wait longer, then no more', async () => {
    await empty()
    const id = await queued(ann)
    const waits = [5_000, 300_000, 5_000, 900_000, 5_000, 2_700_000, 5_000]
    for (const [index, waitMs] of waits.entries()) {
      const claimed = await claim()
      expect(claimed.attempt).toBe(index + 1)
      await queue.fail(claimed, FLAKY)
      expect(await queue.claim('a builder')).toBeNull()
      app.clock.advance(waitMs - 1)
      expect(await queue.claim('a builder')).toBeNull()
      app.clock.advance(1)
    }
    await queue.fail(await claim(), FLAKY)
    expect(await plugin(id)).toMatchObject({ buildStatus: 'failed', isActive: false })
    app.clock.advance(600_000)
    expect(await queue.claim('a builder')).toBeNull()
    expect((await evidence(app)).at(-1)).toMatchObject({ action: 'plugin.build.failed' })
  })

  it('does not try again what cannot succeed', async () => {
    await empty()
    const id = await queued(ann)
    const claimed = await claim()
    await queue.fail(claimed, { category: 'validation', message: 'FROM names no image', isPermanent: true })
    expect((await plugin(id)).buildStatus).toBe('failed')
    const { jobs, total } = (await app.call('GET', '/plugins/queue/dlq', { as: ann })).data
    expect(total).toBe(1)
    expect(jobs[0]).toMatchObject({
      failureCategory: 'permanent',
      exhausted: true,
      nextRetryAt: null,
      totalAttempts: 1,
    })
    expect((await app.call('GET', '/plugins/queue/dlq', { as: ben })).data.total).toBe(0)
    expect((await app.call('POST', `/plugins/queue/dlq/${claimed.jobId}/replay`, { as: ben })).status).toBe(404)
    const replays = await Promise.all(
      [1, 2, 3].map(() => app.call('POST', `/plugins/queue/dlq/${claimed.jobId}/replay`, { as: ann })),
    )
    expect(replays.map(({ status }) => status).sort()).toEqual([202, 409, 409])
    expect((await plugin(id)).buildStatus).toBe('queued')
    expect(await queue.complete(await claim(), IMAGE)).toBe(true)
  })

  it('is not replayed when its next round begins while the rules are asked', async () => {
    await empty()
    await queued(ann)
    const { jobId } = await claim()
    const { buildJobs } = await store.system.read(async (db) => pluginTables(db))
    const become = (state: 'dead' | 'waiting') =>
      store.system.write(async (tx) => void (await tx.update(buildJobs).set({ state }).where(eq(buildJobs.id, jobId))))
    await become('dead')
    const { answer } = app.rules
    app.rules.answer = async (request) => {
      await become('waiting')
      return answer(request)
    }
    const replay = await app.call('POST', `/plugins/queue/dlq/${jobId}/replay`, { as: ann })
    app.rules.answer = answer
    expect(replay).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect((await app.call('GET', '/plugins/builds', { as: ann })).data.builds).toMatchObject([{ jobId }])
  })

  it('takes a build back from a builder that went away, and lets it change nothing', async () => {
    await empty()
    const id = await queued(ann)
    const gone = await claim()
    app.clock.advance(59_000)
    expect(await queue.heartbeat(gone)).toBe(true)
    app.clock.advance(61_000)
    expect(await queue.heartbeat(gone)).toBe(false)
    expect(await queue.reclaim()).toBe(1)
    app.clock.advance(5_000)
    const next = await claim()
    expect([next.jobId, next.attempt]).toEqual([gone.jobId, 2])
    for (const late of [
      queue.complete(gone, IMAGE),
      queue.fail(gone, FLAKY),
      queue.log(gone, 'x'),
      queue.release(gone),
    ]) {
      expect(await late).toBe(false)
    }
    expect(await queue.release(next)).toBe(true)
    const again = await claim()
    expect(again.attempt).toBe(2)
    // A build that runs too long is aborted, however many heartbeats arrive.
    for (let s = 0; s < 900; s += 50) {
      app.clock.advance(50_000)
      await queue.heartbeat(again)
    }
    app.clock.advance(1_000)
    expect(await queue.heartbeat(again)).toBe(false)
    await queue.reclaim()
    expect((await app.call('GET', `/plugins/builds/${again.jobId}`, { as: ann })).data.build).toMatchObject({
      category: 'timeout',
    })
    await app.call('DELETE', `/plugins/${id}`, { as: ann })
    expect((await app.call('GET', `/plugins/builds/${again.jobId}`, { as: ann })).data.build.state).toBe('cancelled')
  })

  it('names its builds, in each state, to those alone whose they are', async () => {
    await empty()
    const built = await queued(ann)
    await queue.complete(await claim(), IMAGE)
    const waiting = await queued(ann)
    const of = async (query: string, as: SignedIn = ann) =>
      (await app.call('GET', `/plugins/builds?${query}`, { as })).data.builds.map(
        ({ pluginId, state }: { pluginId: string; state: string }) => [pluginId, state],
      )
    expect(await of('sortOrder=asc')).toEqual([
      [built, 'completed'],
      [waiting, 'waiting'],
    ])
    expect(await of('state=waiting')).toEqual([[waiting, 'waiting']])
    expect(await of(`pluginId=${built}`)).toEqual([[built, 'completed']])
    expect(await of('pluginName=nobody')).toEqual([])
    expect(await of('', ben)).toEqual([])
  })

  it('is warned about where no builder asked for work lately', async () => {
    await empty()
    const codes = async () => {
      const zip = pluginZip({ name: `p${names++}`, buildType: 'build_image' })
      return (await uploadZip(app, ann, zip)).data.warnings.map(({ code }: { code: string }) => code)
    }
    const isOffered = async () => (await app.call('GET', '/config')).data.features.builder
    await queue.claim('a builder')
    expect([await codes(), await isOffered()]).toEqual([[], true])
    app.clock.advance(5 * 60_000)
    expect([await codes(), await isOffered()]).toEqual([['BUILDER_ABSENT'], false])
    // A builder that works for long sends heartbeats.
    const held = await claim()
    app.clock.advance(50_000)
    await queue.heartbeat(held)
    app.clock.advance(50_000)
    await queue.heartbeat(held)
    app.clock.advance(4 * 60_000)
    expect(await codes()).toEqual([])
  })

  describe('the log of a build', () => {
    const logs = (jobId: string, headers: Record<string, string>, as: SignedIn = ann) =>
      app.http.request(`/api/plugins/builds/${jobId}/logs`, {
        headers: { authorization: `Bearer ${as.accessToken}`, ...headers },
      })
    const rowsOf = (jobId: string) =>
      store.system.read(async (db) => {
        const { buildJobs, buildLogs } = pluginTables(db)
        const jobs = await db.select().from(buildJobs).where(eq(buildJobs.id, jobId))
        return JSON.stringify([jobs, await db.select().from(buildLogs).where(eq(buildLogs.jobId, jobId))])
      })
    const EVENTS = { accept: 'text/event-stream' }
    const eventsOf = async (response: Response) =>
      [...(await response.text()).matchAll(/^event: (.*)\nid: (.*)\ndata: (.*)$/gm)].map(([, event, id, data]) => [
        event,
        id,
        JSON.parse(data ?? ''),
      ])

    it('is a text, or events until the build is over', async () => {
      await empty()
      await queued(ann)
      const claimed = await claim()
      await queue.log(claimed, 'one\n')
      expect(await (await logs(claimed.jobId, {})).text()).toBe('one\n')
      const followed = Promise.resolve(logs(claimed.jobId, EVENTS)).then(eventsOf)
      await queue.log(claimed, 'two\n')
      await queue.complete(claimed, IMAGE)
      const events = await followed
      expect(events.flatMap((each) => each[2].text ?? []).join('')).toBe('one\ntwo\n')
      expect(events.at(-1)).toEqual(['end', '8', { state: 'completed', exhausted: false }])
      const resumed = await eventsOf(await logs(claimed.jobId, { ...EVENTS, 'last-event-id': '4' }))
      expect(resumed[0]).toEqual(['log', '8', { text: 'two\n' }])
      for (const headers of [{}, EVENTS]) expect((await logs(claimed.jobId, headers, ben)).status).toBe(404)
    })

    it('keeps its beginning and its end, says what it left out, and no secret', async () => {
      await empty()
      await queued(ann)
      const claimed = await claim()
      await queue.log(claimed, 'begin\0\n')
      const lines = `${'x'.repeat(99)}\n`.repeat(600)
      for (let n = 0; n < 6; n++) await queue.log(claimed, lines)
      await queue.log(claimed, 'Authorization: Bearer hun')
      expect(await rowsOf(claimed.jobId)).not.toContain('Bearer hun')
      await queue.log(claimed, 'ter2-hunter2\nend\n')
      await queue.complete(claimed, IMAGE)
      const text = await (await logs(claimed.jobId, {})).text()
      expect([text.startsWith('begin\n'), text.endsWith('[hidden]\nend\n'), text.includes('hunter2')]).toEqual([
        true,
        true,
        false,
      ])
      expect(text).toContain('[… left out …]')
      expect(text.length).toBeGreaterThan(262_144)
      expect(text.length).toBeLessThan(350_000)
      const events = await eventsOf(await logs(claimed.jobId, EVENTS))
      expect(events.filter(([, , data]) => data.omitted)).toHaveLength(1)
      expect(Number(events.at(-1)?.[1])).toBeGreaterThan(360_000)
    })

    it('takes a piece once, and none behind one that is missing', async () => {
      await empty()
      await queued(ann)
      const claimed = await claim()
      expect(await queue.log(claimed, 'é one\n', 0)).toBe(true)
      expect(await queue.log(claimed, 'é one\n', 0)).toBe(true)
      expect(await queue.log(claimed, 'e\ntwo\n', 5)).toBe(true)
      expect(await queue.log(claimed, 'four\n', 20)).toEqual({ expected: 11 })
      expect(await (await logs(claimed.jobId, {})).text()).toBe('é one\ntwo\n')
      await queue.log(claimed, 'cut', 11)
      await queue.fail(claimed, FLAKY)
      const again = `the attempt failed: ${FLAKY.message} (tried again at ${toIso(app.clock.now() + 5_000)})`
      app.clock.advance(5_000)
      // Another attempt starts its log at offset 0.
      expect(await queue.log(await claim(), 'again\n', 0)).toBe(true)
      expect(await (await logs(claimed.jobId, {})).text()).toBe(`é one\ntwo\ncut\n${again}\nagain\n`)
    })
  })

  it('is cancelled at once, no matter who has it, and publishes nothing', async () => {
    await empty()
    const cancel = (jobId: string, as = ann) => app.call('POST', `/plugins/builds/${jobId}/cancel`, { as })
    const id = await queued(ann)
    const held = await claim()
    expect((await cancel(held.jobId, ben)).status).toBe(404)
    const used = async () => (await app.call('GET', `/plugins/${id}`, { as: ann })).data.plugin.buildStatus
    const first = await cancel(held.jobId)
    expect([first.status, first.data.build.state, await used()]).toEqual([200, 'cancelled', 'failed'])
    expect((await cancel(held.jobId)).data.build.state).toBe('cancelled')
    expect([await queue.heartbeat(held), await queue.complete(held, IMAGE)]).toEqual([false, false])
    const told = (await evidence(app)).filter(
      ({ action, targetId }) => action === 'plugin.build.cancel' && targetId === id,
    )
    expect(told).toHaveLength(1)
    // A cancelled build can be retried by a person who may change the plugin.
    const again = await app.call('POST', `/plugins/queue/failed/${held.jobId}/retry`, { as: ann })
    expect([again.status, again.data.jobId, await used()]).toEqual([202, held.jobId, 'queued'])
    expect((await app.call('POST', `/plugins/queue/failed/${held.jobId}/retry`, { as: ann })).status).toBe(409)
    const next = await claim()
    expect(next.jobId).toBe(again.data.newJobId)
    const raced = await Promise.all([cancel(next.jobId), queue.complete(next, IMAGE)])
    expect([raced[0].status, raced[1]]).toEqual(raced[1] ? [409, true] : [200, false])
    expect((await cancel(next.jobId)).status).toBe(raced[1] ? 409 : 200)
    expect(await used()).toBe(raced[1] ? 'ready' : 'failed')
  })

  it('stays cancelled, whatever a builder does at that moment', async () => {
    await empty()
    const cancel = (jobId: string) => app.call('POST', `/plugins/builds/${jobId}/cancel`, { as: ann })
    const stateOf = async (jobId: string) =>
      (await app.call('GET', `/plugins/builds/${jobId}`, { as: ann })).data.build.state
    for (let round = 0; round < 12; round++) {
      await queued(ann)
      const [waiting] = (await app.call('GET', '/plugins/builds?state=waiting', { as: ann })).data.builds
      const [first] = await Promise.all([cancel(waiting.jobId), queue.claim('racer')])
      expect([first.status, await stateOf(waiting.jobId)]).toEqual([200, 'cancelled'])
      await queued(ann)
      const held = await claim()
      const [second, isDone] = await Promise.all([cancel(held.jobId), queue.complete(held, IMAGE)])
      expect([second.status, await stateOf(held.jobId)]).toEqual(isDone ? [409, 'completed'] : [200, 'cancelled'])
    }
  })

  it.each([
    ['is cancelled', { state: 'cancelled', finishedAtMs: 0 }, 'cancelled'],
    ['is heard of', { leaseUntilMs: Number.MAX_SAFE_INTEGER }, 'active'],
  ] as const)('that %s while builds of lost builders are taken back is left alone', async (_, change, state) => {
    await empty()
    await queued(ann)
    const held = await claim()
    app.clock.advance(120_000)
    // A transaction that locks the row, and ends once the other one waits for it.
    const hasRow = new EventEmitter()
    const isHeld = once(hasRow, 'held')
    const changing = store.system.write(async (tx) => {
      const { buildJobs } = pluginTables(tx)
      await lockRow(tx, 'build_jobs', held.jobId)
      await tx.update(buildJobs).set(change).where(eq(buildJobs.id, held.jobId))
      hasRow.emit('held')
      const isWaitedFor = sql`SELECT 1 FROM pg_locks WHERE NOT granted AND transactionid = pg_current_xact_id()::xid`
      while (database === 'PostgreSQL' && (await tx.rows(isWaitedFor)).length === 0) await sleep(5)
    })
    await isHeld
    const reclaimed = queue.reclaim()
    await changing
    expect(await reclaimed).toBe(0)
    const { build } = (await app.call('GET', `/plugins/builds/${held.jobId}`, { as: ann })).data
    expect([build.state, await queue.claim('another')]).toEqual([state, null])
    const twice = await Promise.all([queue.complete(held, IMAGE), queue.complete(held, IMAGE)])
    expect(twice.filter((isDone) => isDone === true)).toHaveLength(state === 'active' ? 1 : 0)
  })

  it('is not cancelled while its image is published', async () => {
    await empty()
    await queued(ann)
    const held = await claim()
    expect(await queue.heartbeat(held, 'publishing')).toBe(true)
    expect((await app.call('GET', `/plugins/builds/${held.jobId}`, { as: ann })).data.build.phase).toBe('publishing')
    expect((await app.call('POST', `/plugins/builds/${held.jobId}/cancel`, { as: ann })).status).toBe(409)
    expect(await queue.complete(held, IMAGE)).toBe(true)
  })

  it('is found by the reason of its failure, and tried again without its back-off', async () => {
    await empty()
    const id = await queued(ann)
    await queued(ann)
    const flaky = await claim()
    await queue.fail(flaky, FLAKY)
    await queue.fail(await claim(), { category: 'docker-build', message: 'RUN failed', isPermanent: true })
    const triage = async (as: SignedIn) => (await app.call('GET', '/plugins/queue/triage', { as })).data
    const found = await triage(ann)
    expect(found.total).toBe(2)
    expect(
      found.categories.map(
        (each: { category: string; count: number; exhausted: number; newest: { error: string } }) => [
          each.category,
          each.count,
          each.exhausted,
          each.newest.error,
        ],
      ),
    ).toEqual([
      ['docker-build', 1, 1, 'RUN failed'],
      ['network', 1, 0, 'the registry did not answer'],
    ])
    expect(await triage(ben)).toEqual({ categories: [], total: 0 })
    const path = `/plugins/queue/failed/${flaky.jobId}/retry`
    expect((await app.call('POST', path, { as: ben })).status).toBe(404)
    expect((await app.call('POST', path, { as: ann })).status).toBe(202)
    const claimed = await claim()
    expect([claimed.pluginId, claimed.attempt]).toEqual([id, 1])
    expect((await app.call('POST', `/plugins/queue/failed/${claimed.jobId}/retry`, { as: ann })).status).toBe(409)
  })

  it('leaves no plugin that waits for a build that nobody makes', async () => {
    await empty()
    const root = await superAdmin(app, 'root')
    const purged = await queued(ann)
    for (let n = 0; n < 2; n++) {
      await queue.fail(await claim(), FLAKY)
      app.clock.advance(5_000)
    }
    expect((await plugin(purged)).buildStatus).toBe('queued')
    expect((await app.call('DELETE', '/plugins/queue/dlq', { as: root })).data).toEqual({ purged: 1 })
    expect((await plugin(purged)).buildStatus).toBe('failed')
    const deleted = await queued(ann)
    await claim()
    await app.call('DELETE', `/plugins/${deleted}`, { as: ann })
    const headers = await stepUp(app, ann)
    const restored = await app.call('POST', `/plugins/${deleted}/restore`, { as: ann, headers })
    expect(restored.data).toMatchObject({ plugin: { buildStatus: 'queued' }, jobId: expect.any(String) })
    expect((await claim()).jobId).toBe(restored.data.jobId)
  })

  describe('organizations', () => {
    it('take turns, and none has more than three builds at a time', async () => {
      await empty()
      for (let n = 0; n < 6; n++) await queued(ann)
      for (let n = 0; n < 2; n++) await queued(ben)
      const turns: string[] = []
      const held: BuildClaim[] = []
      for (;;) {
        const claimed = await queue.claim('a builder')
        if (claimed === null) break
        held.push(claimed)
        turns.push(claimed.orgId === ann.orgId ? 'ann' : 'ben')
      }
      expect(turns.slice(0, 4).sort()).toEqual(['ann', 'ann', 'ben', 'ben'])
      expect(turns.filter((who) => who === 'ann')).toHaveLength(3)
      // A build that no builder may take before another build ends is delayed, and none waits.
      const state = { waiting: 0, delayed: 3, active: 3 }
      expect((await app.call('GET', '/plugins/queue/status', { as: ann })).data).toMatchObject(state)
      const listed = async (state: string) =>
        (await app.call('GET', `/plugins/builds?state=${state}`, { as: ann })).data.builds
      expect([(await listed('delayed')).length, await listed('waiting')]).toEqual([3, []])
      const [delayed] = await listed('delayed')
      expect((await app.call('GET', `/plugins/builds/${delayed.jobId}`, { as: ann })).data.build.state).toBe('delayed')
      for (const each of held) await queue.complete(each, IMAGE)
      expect(await listed('waiting')).toHaveLength(3)
      await queue.fail(await claim(), FLAKY)
      // A build whose back-off is over is no longer delayed, even before a builder takes it.
      expect((await listed('delayed')).length).toBe(1)
      app.clock.advance(5_000)
      expect([await listed('delayed'), (await listed('waiting')).length]).toEqual([[], 3])
    })

    it('never lose a dead letter to another', async () => {
      await empty()
      const mine = await queued(ben)
      await queue.fail(await claim(), { ...FLAKY, isPermanent: true })
      const id = await queued(ann)
      await store.system.write(async (tx) => {
        const { buildJobs } = pluginTables(tx)
        const [job] = await tx
          .select()
          .from(buildJobs)
          .where(and(eq(buildJobs.pluginId, id)))
        if (job === undefined) throw new Error('no job')
        for (let n = 0; n < 100; n++) {
          await tx
            .insert(buildJobs)
            .values({ ...job, id: app.runtime.ids.next(), state: 'dead', isExhausted: true, failedAtMs: n })
        }
      })
      await queue.fail(await claim(), { ...FLAKY, isPermanent: true })
      const totals = await Promise.all(
        [ann, ben].map(async (as) => (await app.call('GET', '/plugins/queue/dlq', { as })).data.total),
      )
      expect(totals).toEqual([100, 1])
      expect((await plugin(mine, ben)).buildStatus).toBe('failed')
      expect((await app.call('GET', '/plugins/queue/status', { as: ann })).data).toMatchObject({
        dlq: { total: 100, exhausted: 100 },
      })
      const page = (await app.call('GET', '/plugins/queue/dlq?limit=30&offset=90', { as: ann })).data
      expect([page.jobs.length, page.total]).toEqual([10, 100])
      expect(page.pagination).toEqual({ total: 100, limit: 30, offset: 90, hasMore: false })
      const first = (await app.call('GET', '/plugins/queue/dlq?sortOrder=asc', { as: ann })).data
      expect(first.jobs.map(({ failedAt }: { failedAt: string }) => Date.parse(failedAt))).toEqual(
        [...Array(11).keys()].slice(1),
      )
      expect((await app.call('DELETE', '/plugins/queue/dlq', { as: ann })).status).toBe(403)
    })
  })
})
