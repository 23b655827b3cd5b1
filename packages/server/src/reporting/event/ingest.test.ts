/**
 * How events are stored: who may send them, which ones of a batch are taken, and that order, duplicates and parking
 * never affect the facts.
 */
import { and, asc, eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { confirmed } from '../../../test/support/organizations.js'
import { forwarder, newPipeline, register, reportingApp } from '../../../test/support/reports.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { PARKED_MS } from '../parked/park.js'
import { SILENT_MS, sweepWaiting } from '../sweep.js'
import { reportingTables } from '../tables.js'

await describeStores('events', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let bob: SignedIn
  let token: string
  let shop: string
  let count = 0
  beforeAll(async () => {
    store = await open()
    app = await reportingApp(store)
    ada = await signUp(app, 'ada')
    bob = await signUp(app, 'bob')
    token = await forwarder(app, ada.orgId)
    shop = await newPipeline(app, ada, 'shop')
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const send = (events: readonly unknown[], as: SignedIn | string = token, headers = {}) =>
    app.call('POST', '/reports/events', { as, body: { events }, headers })
  const health = async () => (await app.call('GET', '/reports/ingest-health', { as: ada })).data
  const at = (minutes: number) => new Date(app.clock.now() + minutes * 60_000).toISOString()
  const deployed = (more: object = {}) => ({
    pipelineId: shop,
    eventSource: 'generic',
    eventType: 'STAGE',
    status: 'SUCCEEDED',
    executionId: `run-${++count}`,
    stageName: 'Deploy',
    environment: 'production',
    startedAt: at(-10),
    completedAt: at(-5),
    ...more,
  })
  const facts = (pipelineId: string) =>
    store.system.read(async (db) => {
      const { reportExecutions: e, reportSteps: s, reportDeployments: d } = reportingTables(db)
      const own = <T extends typeof e | typeof s | typeof d>(t: T) =>
        db
          .select()
          .from(t as typeof s)
          .where(and(eq(t.orgId, ada.orgId), eq(t.pipelineId, pipelineId)))
      const rows = [...(await own(e)), ...(await own(s).orderBy(asc(s.stage))), ...(await own(d))]
      return rows.map((row) => JSON.stringify({ ...row, pipelineId: '', fold: { ...row.fold, pipelineId: '' } })).sort()
    })

  it('takes events from machines with the scope alone', async () => {
    expect((await send([deployed()], ada)).body).toMatchObject({ statusCode: 403, details: { reason: 'service' } })
    const other = await forwarder(app, ada.orgId, ['registry:deploy'])
    expect((await send([deployed()], other)).body).toMatchObject({ statusCode: 403, details: { reason: 'scope' } })
    expect((await send([deployed()])).data).toMatchObject({ inserted: 1, skipped: 0, total: 1 })
  })

  it('refuses 101 events, and none', async () => {
    expect((await send(Array.from({ length: 101 }, () => deployed()))).code).toBe('VALIDATION_ERROR')
    expect((await send([])).code).toBe('VALIDATION_ERROR')
  })

  it('takes 99 of 100 where one is bad, and says which field of which', async () => {
    const events = Array.from({ length: 100 }, () => deployed())
    events[41] = deployed({ completedAt: at(-20) })
    const { data } = await send(events)
    expect(data).toMatchObject({ inserted: 99, skipped: 1, total: 100 })
    expect(data.skippedItems).toEqual([
      { index: 41, reason: 'invalid', path: '/body/events/41/completedAt', message: 'is before `startedAt`' },
    ])
  })

  it.each([
    ['a status that there is not', { status: 'DONE' }, 'status'],
    ['a negative duration', { durationMs: -1 }, 'durationMs'],
    ['a time in the future', { completedAt: '2999-01-01T00:00:00Z' }, 'completedAt'],
    ['an unknown field', { colour: 'red' }, 'colour'],
    ['a detail of more than 8 KiB', { detail: { text: 'x'.repeat(9000) } }, 'detail'],
    ['an error of more than 8192 characters', { errorMessage: 'x'.repeat(8193) }, 'errorMessage'],
  ])('skips an event with %s, naming the field', async (_, more, field) => {
    const { data } = await send([deployed(more), deployed()])
    expect(data).toMatchObject({
      inserted: 1,
      skippedItems: [{ index: 0, reason: 'invalid', path: `/body/events/0/${field}` }],
    })
  })

  it('skips what is older than the kept facts', async () => {
    const old = deployed({ startedAt: at(-181 * 1440), completedAt: at(-181 * 1440) })
    expect((await send([old])).data.skippedItems).toMatchObject([{ reason: 'too_old' }])
  })

  it('stores no account number and no credential', async () => {
    const event = deployed({
      errorMessage: 'role arn:aws:iam::123456789012:role/x PASSWORD=hunter22',
      status: 'FAILED',
    })
    await send([event])
    const stored = JSON.stringify(await facts(shop))
    expect(stored).toContain('[REDACTED]')
    expect(stored).not.toMatch(/123456789012|hunter22/)
  })

  it('counts the same event once, and the greater one of a key', async () => {
    const event = deployed({ eventId: 'once' })
    expect((await send([event, event])).data).toMatchObject({ inserted: 1, duplicates: 1 })
    const later = { ...event, completedAt: at(-1), environment: 'staging' }
    expect((await send([later])).data).toMatchObject({ inserted: 0, conflicts: 1 })
    const kept = await facts(shop)
    expect((await send([event])).data).toMatchObject({ inserted: 0, conflicts: 1 })
    expect(await facts(shop)).toEqual(kept)
    expect(kept.filter((row) => row.includes(`"${event.executionId}"`) && row.includes('"isRework"')).length).toBe(1)
  })

  it('keeps events of another organization away from its pipelines', async () => {
    const foreign = await forwarder(app, bob.orgId)
    const { data } = await send([deployed()], foreign)
    const unknown = await send([deployed({ pipelineId: app.runtime.ids.next() })], foreign)
    expect(data).toMatchObject({ inserted: 0, parked: 1, skippedItems: [{ reason: 'not_registered', parked: true }] })
    expect(unknown.data.skippedItems).toEqual(data.skippedItems)
    await app.call('DELETE', `/pipelines/${await newPipeline(app, ada, 'gone')}`, { as: ada })
  })

  it('takes events of the pipelines of its teams, into the teams', async () => {
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    const team = made.data.organization.id
    const own = await newPipeline(app, ada, 'of-team', { orgId: team })
    expect((await send([deployed({ pipelineId: own })])).data).toMatchObject({ inserted: 1 })
    const orgsOf = (pipelineId: string) =>
      store.system.read(async (db) => {
        const { reportDeployments: t } = reportingTables(db)
        const rows = await db.select().from(t).where(eq(t.pipelineId, pipelineId))
        return rows.map(({ orgId }) => orgId)
      })
    expect(await orgsOf(own)).toEqual([team])
    const later = await newPipeline(app, ada, 'of-team-later', { orgId: team, isRegistered: false })
    expect((await send([deployed({ pipelineId: later })])).data).toMatchObject({ inserted: 0, parked: 1 })
    await register(app, ada, later, { 'x-org-id': team })
    expect(await orgsOf(later)).toEqual([team])
    expect((await app.call('GET', '/reports/parked', { as: ada })).data.total).toBe(0)
  })

  it('keeps events of a deleted pipeline until it is restored', async () => {
    const gone = await newPipeline(app, ada, 'restored')
    expect((await app.call('DELETE', `/pipelines/${gone}`, { as: ada })).status).toBe(200)
    expect((await send([deployed({ pipelineId: gone })])).data).toMatchObject({ inserted: 0, parked: 1 })
    expect((await confirmed(app, 'POST', `/pipelines/${gone}/restore`, { as: ada })).status).toBe(200)
    expect((await facts(gone)).some((row) => row.includes('"environment":"production"'))).toBe(true)
    expect((await app.call('GET', '/reports/parked', { as: ada })).data.total).toBe(0)
  })

  it('gives the same facts when events come before their pipeline is registered', async () => {
    const late = await newPipeline(app, ada, 'late', { isRegistered: false })
    const events = [
      deployed({ pipelineId: late, executionId: 'a' }),
      deployed({ pipelineId: late, executionId: 'a', status: 'IN_PROGRESS', completedAt: undefined }),
      deployed({ pipelineId: late, executionId: 'a', eventType: 'PIPELINE', stageName: undefined }),
    ]
    expect((await send(events)).data).toMatchObject({ inserted: 0, parked: 3 })
    const listed = (await app.call('GET', '/reports/parked', { as: ada })).data
    expect(listed.parked).toMatchObject([
      { pipelineRef: late, events: 3, nextStep: `plumbline pipelines register --pipeline ${late}` },
    ])
    await register(app, ada, late)
    const early = await newPipeline(app, ada, 'early')
    await send(events.map((event) => ({ ...event, pipelineId: early })))
    expect(await facts(late)).toEqual(await facts(early))
    expect((await app.call('GET', '/reports/parked', { as: ada })).data.total).toBe(0)
  })

  it('forgets parked events after a week', async () => {
    await send([deployed({ pipelineId: app.runtime.ids.next() })])
    await store.system.write((tx) => sweepWaiting(tx, app.clock.now() + PARKED_MS - 1, 100))
    expect((await health()).parked).toBe(1)
    await store.system.write((tx) => sweepWaiting(tx, app.clock.now() + PARKED_MS + 1, 100))
    expect((await health()).parked).toBe(0)
  })

  it('ends in the same rows for any order, doubling and batching', async () => {
    const some = fc.record({
      executionId: fc.constantFrom('x', 'y'),
      eventType: fc.constantFrom('PIPELINE', 'STAGE', 'ACTION'),
      status: fc.constantFrom('STARTED', 'SUCCEEDED', 'FAILED', 'CANCELED'),
      attempt: fc.integer({ min: 1, max: 2 }),
      stageName: fc.constantFrom('Build', 'Deploy'),
      environment: fc.constantFrom('production', 'staging', undefined),
      eventId: fc.constantFrom(undefined, 'one', 'two'),
      startedAt: fc.constantFrom(at(-60), at(-50)),
      completedAt: fc.constantFrom(at(-40), at(-30)),
    })
    let round = 0
    await fc.assert(
      fc.asyncProperty(
        fc
          .array(some, { minLength: 1, maxLength: 8 })
          .chain((events) =>
            fc.tuple(
              fc.constant(events),
              fc.shuffledSubarray([...events, ...events], { minLength: 2 * events.length }),
              fc.integer({ min: 1, max: 2 * events.length }),
            ),
          ),
        async ([events, shuffled, cut]) => {
          const [one, other] = [`p${++round}`, `q${round}`]
          const [first, second] = [await newPipeline(app, ada, one), await newPipeline(app, ada, other)]
          await send(events.map((event) => ({ ...event, pipelineId: first })))
          for (const batch of [shuffled.slice(0, cut), shuffled.slice(cut)]) {
            if (batch.length > 0) await send(batch.map((event) => ({ ...event, pipelineId: second })))
          }
          const same = (rows: readonly string[]) => rows.map((row) => row.replaceAll(/"#?[A-Za-z0-9_-]{43}"/g, '""'))
          expect(same(await facts(second))).toEqual(same(await facts(first)))
        },
      ),
      { numRuns: 12 },
    )
  })

  it('loses no count of a forwarder whose reports arrive at once', async () => {
    for (let round = 0; round < 6; round++) {
      const instance = `raced-${round}`
      const say = (forwarded: number) =>
        app.call('POST', '/reports/ingest-health', { as: token, body: { forwarded, dropped: 0, instance } })
      await Promise.all([say(10), say(4), say(7)])
      const own = (await health()).forwarders.find((each: { instance: string }) => each.instance === instance)
      // In whatever order they are taken, a lower count after a higher one is a restart, and adds to it.
      const last = own.forwarded - 10
      expect([0, 4, 7, 11], JSON.stringify(own)).toContain(last)
      expect(own.restarts > 0 || own.forwarded === 10).toBe(true)
    }
    await store.system.write(async (tx) => {
      const { reportHealth: t } = reportingTables(tx)
      await tx.delete(t).where(eq(t.orgId, ada.orgId))
    })
  })

  it('says when a forwarder last dropped events, and forgets one that reports nothing for 30 days', async () => {
    const say = (dropped: number, instance: string) =>
      app.call('POST', '/reports/ingest-health', { as: token, body: { forwarded: 9, dropped, instance } })
    const told = async (instance: string) =>
      (await health()).forwarders.find((each: { instance: string }) => each.instance === instance)
    const sweepAt = (ms: number) => store.system.write((tx) => sweepWaiting(tx, ms, 100))
    await say(0, 'calm')
    await say(2, 'busy')
    const droppedAt = at(0)
    app.clock.advance(60_000)
    await say(2, 'busy')
    expect(await told('calm')).toMatchObject({ dropped: 0, lastDroppedAt: null })
    expect(await told('busy')).toMatchObject({ dropped: 2, lastDroppedAt: droppedAt, updatedAt: at(0) })
    const calmUntil = Date.parse(droppedAt) + SILENT_MS
    await sweepAt(calmUntil)
    expect([await told('calm'), await told('busy')]).not.toContain(undefined)
    await sweepAt(calmUntil + 1)
    expect(await told('calm')).toBeUndefined()
    expect(await told('busy')).toMatchObject({ dropped: 2 })
    await sweepAt(calmUntil + 60_001)
    expect(await told('busy')).toBeUndefined()
  })

  it('adds up the counters of a forwarder that was restarted', async () => {
    const say = (body: object) => app.call('POST', '/reports/ingest-health', { as: token, body })
    expect(
      (await app.call('POST', '/reports/ingest-health', { as: ada, body: { forwarded: 1, dropped: 0 } })).status,
    ).toBe(403)
    expect((await say({ forwarded: 10, dropped: 1, lastEventAt: at(-1) })).data).toEqual({ ok: true })
    await say({ forwarded: 12, dropped: 1, lastEventAt: at(-3) })
    await say({ forwarded: 5, dropped: 0, lastEventAt: at(-2) })
    expect(await health()).toMatchObject({
      forwarded: 17,
      dropped: 1,
      status: 'dropping',
      forwarders: [{ restarts: 1 }],
    })
    expect((await health()).lastEventAt).toBe(at(-1))
    expect((await say({ forwarded: -1, dropped: 0 })).code).toBe('VALIDATION_ERROR')
    expect((await say({ forwarded: 1, dropped: 0, lastEventAt: '2999-01-01T00:00:00Z' })).code).toBe('VALIDATION_ERROR')
    await send([deployed()])
    await send([deployed()], await forwarder(app, bob.orgId))
    app.clock.advance(25 * 3_600_000)
    const later = async (identifier: string) => {
      const signed = await app.call('POST', '/auth/login', { body: { identifier, password: 'Correct-Horse-7' } })
      return (await app.call('GET', '/reports/ingest-health', { as: signed.data.accessToken })).data
    }
    expect(await later('bob')).toMatchObject({ status: 'never', advice: expect.stringContaining('reports parked') })
    expect(await later('ada')).toMatchObject({
      status: 'stale',
      advice: expect.stringContaining('24 hours'),
      forwarders: [{ restarts: 1, dropped: 1 }],
    })
    // After the retention of events, facts still tell that some arrived.
    await store.system.write(async (tx) => {
      const { reportEvents: e, reportHealth: h } = reportingTables(tx)
      for (const t of [e, h]) await tx.delete(t).where(eq(t.orgId, ada.orgId))
    })
    expect(await later('ada')).toMatchObject({ status: 'stale', forwarders: [], lastReceivedAt: null })
  })
})
