/**
 * The retention of events and facts: a longer one applies at once, a shorter one after a week, and the sweep deletes
 * nothing else.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { evidenceOf, runJobs, signInAgain } from '../../../test/support/organizations.js'
import { forwarder, newPipeline, reportingApp } from '../../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { inForce, retentionAfter, SHRINK_MS } from '../retention.js'
import { rollUpJob } from '../rollup/job.js'
import { sweepReportsJob } from '../sweep.js'
import { organizationsWithFacts } from '../sweep-facts.js'

const DAY = 86_400_000

await describeStores('retention of reports', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let bob: SignedIn
  const pipelines = new Map<string, string>()
  beforeAll(async () => {
    store = await open()
    app = await reportingApp(store, { settings: { BILLING_ENABLED: 'false' } })
    ada = await signUp(app, 'ada')
    bob = await signUp(app, 'bob')
    for (const person of [ada, bob]) {
      const id = await newPipeline(app, person, 'shop')
      pipelines.set(person.orgId, id)
      const at = (days: number) => new Date(app.clock.now() - days * DAY).toISOString()
      const events = [1, 20, 100, 170].map((days) => ({
        pipelineId: id,
        executionId: `run-${days}`,
        eventType: 'PIPELINE',
        status: 'SUCCEEDED',
        environment: 'production',
        startedAt: at(days),
        completedAt: at(days),
      }))
      const token = await forwarder(app, person.orgId)
      expect((await app.call('POST', '/reports/events', { as: token, body: { events } })).data.inserted).toBe(4)
    }
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  // Tokens expire while the clock advances, so each call gets a new one.
  const sync = async (orgId: string, eventRetentionDays: number, doraRetentionDays: number, more: object = {}) =>
    app.call('PUT', `/reports/retention-sync/${orgId}`, {
      as: await forwarder(app, null as never, ['retention:sync']),
      body: { eventRetentionDays, doraRetentionDays, ...more },
    })
  const sweep = () => runJobs(app, [sweepReportsJob, rollUpJob], ['reporting.roll-up', 'reporting.sweep'])
  const report = async (as: SignedIn, name: string, days: number) => {
    const from = new Date(app.clock.now() - days * DAY).toISOString()
    const to = new Date(app.clock.now()).toISOString()
    const person = await signInAgain(app, as)
    return app.call('GET', `/reports/execution/${name}?from=${from}&to=${to}`, { as: person })
  }
  const runs = async (as: SignedIn, days = 180) => {
    const answer = await report(as, 'list', days)
    return answer.data === undefined ? answer.body.details.issues[0].message : answer.data.pagination.total
  }

  /** Reports that include days whose runs were deleted; their percentiles are accurate to 1 %. */
  const summed = async (as: SignedIn) => {
    const read = async (name: string) => (await report(as, name, 300)).data
    const [count, rate, duration] = [await read('count'), await read('success-rate'), await read('duration')]
    expect(count.totals.total).toBe(4)
    const rows = duration.pipelines.map(({ p50Ms: _, p95Ms: __, ...row }: Readonly<Record<string, unknown>>) => row)
    return { ...count, timeline: rate.timeline, rates: rate.totals, rows }
  }

  it('loses nothing of an account that was shrunk by mistake and grown again within a week', async () => {
    await sweep()
    expect(await runs(ada)).toBe(4)
    const shrunk = await sync(ada.orgId, 30, 10)
    expect(shrunk).toMatchObject({
      status: 200,
      data: {
        eventRetentionDays: 30,
        doraRetentionDays: 180,
        shrinks: { doraRetentionDays: 10, eventRetentionDays: null },
      },
    })
    app.clock.advance(SHRINK_MS - 1000)
    await sweep()
    expect(await runs(ada, 179)).toBe(4)
    expect((await sync(ada.orgId, 30, 365)).data).toEqual({
      eventRetentionDays: 30,
      doraRetentionDays: 365,
      shrinks: null,
    })
    app.clock.advance(2000)
    await sweep()
    expect(await runs(ada, 200)).toBe(4)
    expect(await evidenceOf(app, ada.orgId)).toEqual(expect.arrayContaining(['reports.retention.update']))
  })

  it('shrinks after a week, whole days, and of this account alone', async () => {
    await sync(bob.orgId, 5, 60)
    const first = (await sync(bob.orgId, 5, 60)).data.shrinks
    app.clock.advance(3 * DAY)
    // A repeated request keeps the original date.
    expect((await sync(bob.orgId, 5, 60)).data.shrinks).toEqual(first)
    app.clock.advance(4 * DAY)
    expect(await runs(bob, 180)).toContain('at most 60 days')
    const before = await summed(bob)
    await sweep()
    expect(await summed(bob)).toEqual(before)
    await sweep()
    expect(await summed(bob)).toEqual(before)
    expect(await runs(bob, 60)).toBe(2)
    expect(await runs(ada, 300)).toBe(4)
    const left = await store.system.read(async (db) => (await organizationsWithFacts(db)).length)
    expect(left).toBe(2)
    const late = {
      pipelineId: pipelines.get(bob.orgId),
      executionId: 'late',
      eventType: 'PIPELINE',
      status: 'SUCCEEDED',
      startedAt: new Date(app.clock.now() - 100 * DAY).toISOString(),
    }
    const token = await forwarder(app, bob.orgId)
    const answer = await app.call('POST', '/reports/events', { as: token, body: { events: [late] } })
    expect(answer.data.skippedItems).toMatchObject([{ reason: 'too_old' }])
    // The day stays closed even with a longer retention; otherwise its runs would count twice.
    await sync(bob.orgId, 30, 365)
    const again = await app.call('POST', '/reports/events', {
      as: await forwarder(app, bob.orgId),
      body: { events: [{ ...late, startedAt: new Date(app.clock.now() - 130 * DAY).toISOString() }] },
    })
    expect(again.data.skippedItems).toMatchObject([{ reason: 'too_old', message: expect.stringContaining('closed') }])
  })

  it('counts a run that crossed midnight once when its start is in a closed day', async () => {
    const eve = await signUp(app, 'midnight')
    const pipelineId = await newPipeline(app, eve, 'shop')
    await sync(eve.orgId, 5, 30)
    app.clock.advance(SHRINK_MS)
    const midnight = Math.floor(app.clock.now() / DAY) * DAY - 29 * DAY
    const iso = (ms: number) => new Date(ms).toISOString()
    const times = { startedAt: iso(midnight - 600_000), completedAt: iso(midnight + 600_000) }
    const run = { pipelineId, executionId: 'late', eventType: 'PIPELINE', status: 'SUCCEEDED', ...times }
    const send = async (event: object) =>
      (await app.call('POST', '/reports/events', { as: await forwarder(app, eve.orgId), body: { events: [event] } }))
        .data
    expect((await send(run)).inserted).toBe(1)
    app.clock.advance(DAY)
    await sweep()
    // A longer retention takes events of that age again.
    await sync(eve.orgId, 30, 365)
    for (const again of [run, { ...run, attempt: 2 }, { ...run, startedAt: undefined, durationMs: 1_200_000 }])
      expect((await send(again)).skippedItems).toMatchObject([
        { reason: 'too_old', message: expect.stringContaining('closed') },
      ])
    await sweep()
    expect((await report(eve, 'count', 60)).data.totals.total).toBe(1)
  })

  it('refuses an older word, a team, zero and what is below −1', async () => {
    const old = await sync(ada.orgId, 30, 100, { occurredAt: new Date(app.clock.now() - 30 * DAY).toISOString() })
    expect([old.status, old.code]).toEqual([409, 'CONFLICT'])
    const again = await signInAgain(app, ada)
    const team = await app.call('POST', '/organization', {
      as: again,
      body: { name: 'crew', parentOrgId: ada.orgId },
    })
    expect(team.status).toBe(201)
    const teamId = (team.data.organization ?? team.data).id
    expect((await sync(teamId, 30, 100)).code).toBe('CONFLICT')
    for (const days of [0, -2, 731]) {
      const answer = await sync(ada.orgId, 30, days)
      expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_ERROR'])
    }
    const future = await sync(ada.orgId, 30, 100, { occurredAt: new Date(app.clock.now() + DAY).toISOString() })
    expect(future.status).toBe(400)
    expect((await sync(ada.orgId, -1, -1)).data).toEqual({
      eventRetentionDays: -1,
      doraRetentionDays: -1,
      shrinks: null,
    })
    const person = await app.call('PUT', `/reports/retention-sync/${ada.orgId}`, {
      as: again,
      body: { eventRetentionDays: 1, doraRetentionDays: 1 },
    })
    expect(person.status).toBe(403)
  })

  it('is that of the account also for a team that was made later', async () => {
    expect((await sync(ada.orgId, 365, 365)).status).toBe(200)
    const made = await app.call('POST', '/organization', {
      as: await signInAgain(app, ada),
      body: { name: 'made later', parentOrgId: ada.orgId },
    })
    const { id: orgId } = made.data.organization
    const as = { ...(await signInAgain(app, ada)), orgId }
    const pipelineId = await newPipeline(app, as, 'late', { orgId })
    const at = (days: number) => new Date(app.clock.now() - days * DAY).toISOString()
    const run = { pipelineId, executionId: 'run', eventType: 'PIPELINE', status: 'SUCCEEDED', startedAt: at(200) }
    const token = await forwarder(app, orgId)
    const sent = await app.call('POST', '/reports/events', { as: token, body: { events: [run] } })
    expect(sent.data).toMatchObject({ inserted: 1, skippedItems: [] })
    await sweep()
    const asked = `/reports/execution/list?from=${at(300)}&to=${at(0)}`
    const list = await app.call('GET', asked, { as: await signInAgain(app, ada), headers: { 'x-org-id': orgId } })
    expect([list.status, list.data?.pagination.total]).toEqual([200, 1])
  })
})

it('never holds less within a week than before a word, and holds the last word after it', () => {
  const days = fc.oneof(fc.constant(-1), fc.integer({ min: 1, max: 730 }))
  const words = fc.record({ eventDays: days, factDays: days })
  const size = (each: number) => (each === -1 ? Number.POSITIVE_INFINITY : each)
  fc.assert(
    fc.property(words, fc.array(fc.tuple(words, fc.nat(10 * DAY)), { minLength: 1, maxLength: 6 }), (first, said) => {
      let row = { ...first, laterEventDays: null, laterFactDays: null, laterFromMs: null } as ReturnType<
        typeof retentionAfter
      >
      let nowMs = 1000
      for (const [wanted, waitMs] of said) {
        const before = inForce(row, nowMs)
        row = retentionAfter(before, row, wanted, nowMs)
        const after = inForce(row, nowMs)
        for (const field of ['eventDays', 'factDays'] as const) {
          expect(size(after[field])).toBe(Math.max(size(before[field]), size(wanted[field])))
        }
        expect(inForce(row, nowMs + SHRINK_MS)).toEqual(wanted)
        nowMs += waitMs
      }
    }),
  )
})
