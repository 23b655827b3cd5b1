/** Goal: a scan checks every record once, reports what it found, and never looks successful when it could not check. */
import { and, eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { memberOf, noLatest, recordKey, signUp, teamOf } from '../../../test/support/compliance.js'
import { describeCompliance } from '../../../test/support/describe-compliance.js'
import { BOTH_DATABASES } from '../../../test/support/describe-stores.js'
import { runJobs } from '../../../test/support/organizations.js'
import { evidence, type SignedIn } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Runtime } from '../../runtime/operation/context.js'
import { NOTIFY_JOB } from '../../runtime/records/notification.js'
import type { Store } from '../../runtime/store/db.js'
import { complianceTables } from '../tables.js'
import { PAGE } from './evaluate.js'
import { scanJob } from './job.js'
import { rescanJob, rescanOthersJob } from './rescan.js'

const JOBS = [scanJob, rescanJob, rescanOthersJob]
const MINUTE_MS = 60_000
const id = (n: number) => `99999999-9999-7999-8999-${String(n).padStart(12, '0')}`
const NO_LATEST = noLatest()
const WARNED = { name: 'described', target: 'plugin', severity: 'warning', field: 'description', operator: 'exists' }

await describeCompliance('scans', { stores: BOTH_DATABASES }, (kit) => {
  let ada: SignedIn
  let reader: SignedIn
  let bob: SignedIn
  beforeAll(async () => {
    ada = await signUp(kit.app, 'ada')
    bob = await signUp(kit.app, 'bob')
    reader = await memberOf(kit, ada, 'reader')
    await kit.call(ada, 'POST', '/rules', NO_LATEST)
    await kit.call(ada, 'POST', '/rules', WARNED)
    await settle(MINUTE_MS)
  })
  beforeEach(() => kit.inventory.clear())

  /** Advances the clock, and runs every job that is due then. */
  async function settle(ms = 0): Promise<void> {
    kit.app.clock.advance(ms)
    await runJobs(kit.app, JOBS)
  }
  const put = (
    n: number,
    attributes: Record<string, unknown>,
    orgId = ada.orgId,
    target: 'plugin' | 'pipeline' = 'plugin',
  ) => kit.inventory.set(recordKey(orgId, target, id(n)), { id: id(n), name: `record ${n}`, revision: 1, attributes })
  const start = (body: object, as = ada) => kit.call(as, 'POST', '/scans', body)
  const started = async (body: object, as = ada) => (await start(body, as)).data.scan.id as string
  const show = async (scanId: string, as = ada) => (await kit.call(as, 'GET', `/scans/${scanId}`)).data.scan
  const entries = async (scanId: string, as = ada) =>
    (await kit.call(as, 'GET', `/audit?scanId=${scanId}&limit=1000`)).data.entries as Record<string, unknown>[]
  const notices = async (orgId = ada.orgId) => {
    const rows = await kit.store.system.read((db) => {
      const { jobs } = jobTables(db)
      return db
        .select()
        .from(jobs)
        .where(and(eq(jobs.kind, NOTIFY_JOB), eq(jobs.orgId, orgId)))
    })
    return rows.map(({ payload }) => payload as { event: string; priority: string; fields: Record<string, unknown> })
  }

  it('checks each stored record once, counts, and tells once', async () => {
    const before = (await notices()).length
    for (let n = 0; n < 25; n++)
      put(n, { version: n % 5 === 0 ? 'latest' : '1.0.0', ...(n % 2 === 0 ? { description: 'd' } : {}) })
    put(99, {}, ada.orgId, 'pipeline')
    put(98, { version: 'latest' }, bob.orgId)
    const answer = await start({ target: 'all' })
    expect(answer.status).toBe(201)
    expect(answer.data.scan).toMatchObject({
      status: 'pending',
      userId: ada.userId,
      triggeredBy: 'manual',
      totalEntities: 0,
    })
    await settle()
    const scan = await show(answer.data.scan.id)
    // 5 are blocked. Of the other 20, those with an odd number (1, 3, 7 and so on) have no description.
    expect(scan).toMatchObject({
      status: 'completed',
      totalEntities: 26,
      processedEntities: 26,
      blockCount: 5,
      warnCount: 10,
      passCount: 11,
    })
    const found = await entries(scan.id)
    expect(new Set(found.map(({ entityId }) => entityId)).size).toBe(26)
    expect(
      found.every((each) => each['action'] === 'scan' && each['scanId'] === scan.id && each['orgId'] === ada.orgId),
    ).toBe(true)
    expect(found.find(({ entityId }) => entityId === id(5))).toMatchObject({
      result: 'block',
      violations: [{ ruleName: 'no latest' }, { ruleName: 'described' }],
    })
    const told = (await notices()).slice(before)
    expect(told).toHaveLength(1)
    expect(told[0]).toMatchObject({
      event: 'compliance.scan',
      priority: 'high',
      fields: { scanId: scan.id, totals: { total: 26, pass: 11, warn: 10, block: 5 } },
    })
    const named = told[0]?.fields['blocked'] as object[]
    expect(named).toHaveLength(5)
    expect(named).toContainEqual({ entityId: id(5), entityName: 'record 5', ruleNames: ['no latest'] })
    expect(await notices(bob.orgId)).toEqual([])
    const actions = (await evidence(kit.app)).filter(({ targetId }) => targetId === scan.id).map(({ action }) => action)
    expect(actions).toEqual(['compliance.scan.create'])
  })

  it('one scan of the same records at a time', async () => {
    const plugins = await started({ target: 'plugin' })
    for (const target of ['plugin', 'all']) {
      const refused = await start({ target })
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([
        409,
        'SCAN_CONFLICT',
        { scanId: plugins },
      ])
    }
    const pipelines = await started({ target: 'pipeline' })
    expect((await start({ target: 'pipeline' })).status).toBe(409)
    expect((await start({ target: 'all' }, bob)).status).toBe(201)
    await settle()
    for (const each of [plugins, pipelines]) expect((await show(each)).status).toBe('completed')
    expect((await start({ target: 'all' })).status).toBe(201)
    await settle()
  })

  it('is cancelled before or between its batches, and writes nothing after', async () => {
    put(1, { version: 'latest' })
    const waiting = await started({ target: 'plugin' })
    const cancelled = await kit.call(ada, 'POST', `/scans/${waiting}/cancel`)
    expect(cancelled.data.scan).toMatchObject({ status: 'cancelled', cancelledBy: ada.userId })
    await settle()
    expect(await show(waiting)).toMatchObject({ status: 'cancelled', processedEntities: 0, startedAt: null })
    expect(await entries(waiting)).toEqual([])
    expect(await kit.call(ada, 'POST', `/scans/${waiting}/cancel`)).toMatchObject({
      status: 409,
      body: { code: 'SCAN_CONFLICT' },
    })

    for (let n = 0; n < 2 * PAGE + 20; n++) put(n, { version: '1.0.0', description: 'd' })
    const running = await started({ target: 'plugin' })
    // Another caller cancels while the second page is read.
    await duringPage(2, async () => {
      expect((await kit.call(ada, 'POST', `/scans/${running}/cancel`)).status).toBe(200)
    })
    expect(await show(running)).toMatchObject({
      status: 'cancelled',
      processedEntities: PAGE,
      totalEntities: 2 * PAGE + 20,
      completedAt: null,
    })
    expect(await entries(running)).toHaveLength(PAGE)
    const actions = (await evidence(kit.app)).filter(({ targetId }) => targetId === running).map(({ action }) => action)
    expect(actions).toEqual(['compliance.scan.create', 'compliance.scan.cancel'])
  })

  /**
   * Runs the due jobs of scans, and `run` before the n-th page is read: after the read of the scan and, the first time,
   * of the count.
   */
  async function duringPage(n: number, run: () => Promise<unknown> | never, readsBefore = 2): Promise<void> {
    const runtime = kit.app.runtime as { store: Store } & Runtime
    let reads = 0
    const tenant: Store['tenant'] = (key) => {
      const scope = kit.store.tenant(key)
      const read: typeof scope.read = async (look) => {
        reads += 1
        if (reads === n + readsBefore) {
          runtime.store = kit.store
          await run()
        }
        return scope.read(look)
      }
      return { ...scope, read }
    }
    runtime.store = { ...kit.store, tenant }
    await runJobs(kit.app, [scanJob])
    runtime.store = kit.store
  }

  it('sees what is added behind it and passes over what is deleted in front of it', async () => {
    for (let n = 0; n < 600; n++) put(n, { version: '1.0.0', description: 'd' })
    const scanId = await started({ target: 'plugin' })
    await duringPage(2, async () => {
      kit.inventory.delete(recordKey(ada.orgId, 'plugin', id(550)))
      for (let n = 700; n < 705; n++) put(n, { version: 'latest' })
    })
    expect(await show(scanId)).toMatchObject({
      status: 'completed',
      totalEntities: 604,
      processedEntities: 604,
      blockCount: 5,
    })
  })

  it('looks at what the filter names, in the own organization whatever it names', async () => {
    put(1, { version: 'latest', accessModifier: 'public' })
    put(2, { version: '1.0.0', accessModifier: 'private', isDefault: true })
    put(3, { version: '1.0.0' }, bob.orgId)
    const counts = async (filter: object) => {
      const scanId = await started({ target: 'plugin', filter })
      await settle()
      const scan = await show(scanId)
      return [scan.processedEntities, scan.filter]
    }
    expect(await counts({ orgId: bob.orgId })).toEqual([2, { orgId: ada.orgId }])
    expect(await counts({ entityIds: [id(1), id(3)] })).toEqual([1, { orgId: ada.orgId, entityIds: [id(1), id(3)] }])
    expect((await counts({ name: 'RECORD 2' }))[0]).toBe(1)
    expect((await counts({ accessModifier: 'private' }))[0]).toBe(1)
    expect((await counts({ isDefault: true }))[0]).toBe(1)
    for (const filter of [{ color: 'red' }, { entityIds: [] }, { entityIds: ['x'] }, { accessModifier: 'secret' }]) {
      expect((await start({ target: 'plugin', filter })).status).toBe(400)
    }
  })

  it('a dry run counts and leaves nothing', async () => {
    put(1, { version: 'latest' })
    const before = (await notices()).length
    const scanId = await started({ target: 'plugin', dryRun: true })
    await settle()
    expect(await show(scanId)).toMatchObject({ status: 'completed', dryRun: true, blockCount: 1 })
    expect(await entries(scanId)).toEqual([])
    expect(await notices()).toHaveLength(before)
  })

  it('one record that cannot be judged counts as blocked, and the others are looked at', async () => {
    put(1, Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`k${at}`, 1])))
    put(2, {
      get version() {
        throw new Error('broken')
      },
    })
    put(3, { version: '1.0.0', description: 'd' })
    const scanId = await started({ target: 'plugin', dryRun: true })
    await settle()
    expect(await show(scanId)).toMatchObject({ status: 'completed', passCount: 1, blockCount: 2 })
  })

  it('is tried again when it cannot look, and has failed after the third time: never green', async () => {
    put(1, { version: '1.0.0', description: 'd' })
    const broken = () => {
      throw new Error('connection refused: secret-host')
    }
    const scanId = await started({ target: 'plugin' })
    await duringPage(1, broken as never)
    expect(await show(scanId)).toMatchObject({ status: 'running', processedEntities: 0 })
    await settle(MINUTE_MS)
    expect(await show(scanId)).toMatchObject({ status: 'completed', processedEntities: 1 })

    const failing = await started({ target: 'plugin' })
    for (let n = 0; n < 3; n++) {
      await duringPage(1, broken as never, n === 0 ? 2 : 1)
      kit.app.clock.advance(MINUTE_MS)
    }
    const scan = await show(failing)
    expect(scan).toMatchObject({
      status: 'failed',
      errorMessage: 'the records or the rules could not be read',
      processedEntities: 0,
    })
    expect(scan.completedAt).not.toBeNull()
    await settle(MINUTE_MS)
    expect((await show(failing)).status).toBe('failed')
    expect((await start({ target: 'plugin' })).status).toBe(201)
    await settle()
  })

  it('the system organization is exempt unless the setting says otherwise', async () => {
    put(1, { version: 'latest' }, SYSTEM_ORG_ID)
    await kit.call(kit.root, 'POST', '/rules', NO_LATEST, { headers: { 'x-org-id': SYSTEM_ORG_ID } })
    const asSystem = { ...kit.root, orgId: SYSTEM_ORG_ID }
    const answer = await start({ target: 'all' }, asSystem)
    expect(answer.data.scan).toMatchObject({
      status: 'completed',
      processedEntities: 0,
      errorMessage: 'system org is exempt',
    })
    Object.assign(kit.app.runtime.settings, { SYSTEM_ORG_SCANS_ENABLED: true })
    const scanId = await started({ target: 'all' }, asSystem)
    await settle()
    expect(await show(scanId, asSystem)).toMatchObject({ status: 'completed', blockCount: 1, errorMessage: null })
    // A check of the system organization itself still passes.
    const live = await kit.call(asSystem, 'POST', '/validate/plugin', { attributes: { version: 'latest' } })
    expect(live.data).toMatchObject({ blocked: false, rulesEvaluated: 0 })
    Object.assign(kit.app.runtime.settings, { SYSTEM_ORG_SCANS_ENABLED: false })
  })

  it('reading needs `compliance:read`, asking `compliance:write`; another organization’s is not there', async () => {
    const scanId = await started({ target: 'plugin' })
    expect((await start({ target: 'pipeline' }, reader)).status).toBe(403)
    expect((await kit.call(reader, 'POST', `/scans/${scanId}/cancel`)).status).toBe(403)
    expect((await kit.call(reader, 'GET', `/scans/${scanId}`)).status).toBe(200)
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/stream'],
      ['POST', '/cancel'],
    ] as const) {
      expect((await kit.call(bob, method, `/scans/${scanId}${path}`)).status).toBe(404)
    }
    const own = (await kit.call(bob, 'GET', '/scans?limit=1000')).data.scans as { orgId: string }[]
    expect(own.every(({ orgId }) => orgId === bob.orgId)).toBe(true)
    await settle()
    for (const query of ['status=done', 'target=x', 'triggeredBy=me']) {
      expect((await kit.call(ada, 'GET', `/scans?${query}`)).status).toBe(400)
    }
    const listed = (await kit.call(ada, 'GET', '/scans?status=failed&target=plugin&triggeredBy=manual')).data.scans
    expect(listed).toMatchObject([{ status: 'failed', target: 'plugin' }])
  })

  it('a changed rule is followed by one scan of what it is about, also in the teams that it is handed down to', async () => {
    const cat = await signUp(kit.app, 'cat')
    const team = await teamOf(kit, cat, 'Team of cat')
    put(1, { version: 'latest' }, team.orgId)
    const made = await kit.call(cat, 'POST', '/rules', { ...NO_LATEST, propagateToChildren: true })
    await kit.call(cat, 'PUT', `/rules/${made.data.rule.id}`, { severity: 'critical' })
    await settle()
    const scansOf = async (as: SignedIn) => (await kit.call(as, 'GET', '/scans')).data.scans
    expect(await scansOf(cat)).toEqual([])
    await settle(31_000)
    expect(await scansOf(cat)).toMatchObject([
      { triggeredBy: 'rule-change', target: 'plugin', status: 'completed', userId: null },
    ])
    expect(await scansOf(team)).toMatchObject([{ triggeredBy: 'rule-change', target: 'plugin', blockCount: 1 }])
    // A running scan is followed by another one when it has ended.
    await kit.call(cat, 'PUT', `/rules/${made.data.rule.id}`, { severity: 'error' })
    kit.app.clock.advance(31_000)
    await started({ target: 'plugin' }, cat)
    await runJobs(kit.app, [rescanJob])
    expect(await scansOf(cat)).toHaveLength(2)
    await settle(31_000)
    await settle(31_000)
    expect(await scansOf(cat)).toHaveLength(3)
  })

  it('a changed published rule is followed by scans of its active subscribers within ten minutes', async () => {
    const rule = (await kit.publish({ ...NO_LATEST, name: 'published' })).data.rule
    for (const as of [ada, bob]) await kit.call(as, 'POST', '/subscriptions', { ruleId: rule.id })
    await kit.call(bob, 'PATCH', `/subscriptions/${rule.id}`, { isActive: true })
    await settle(31_000)
    // One for the activation itself.
    expect((await kit.call(bob, 'GET', '/scans?triggeredBy=rule-change')).data.pagination.total).toBe(1)
    const before = (await kit.call(ada, 'GET', '/scans?triggeredBy=rule-change')).data.pagination.total
    await settle(10 * MINUTE_MS)
    expect((await kit.call(bob, 'GET', '/scans?triggeredBy=rule-change')).data.pagination.total).toBe(2)
    expect((await kit.call(ada, 'GET', '/scans?triggeredBy=rule-change')).data.pagination.total).toBe(before)
  })

  it('tells its progress live, up to the end', async () => {
    put(1, { version: 'latest' })
    const scanId = await started({ target: 'plugin' })
    const response = await kit.app.http.request(`/api/compliance/scans/${scanId}/stream`, {
      headers: { authorization: `Bearer ${ada.accessToken}`, 'x-org-id': ada.orgId },
    })
    expect(response.headers.get('content-type')).toContain('text/event-stream')
    const reading = response.text()
    await settle()
    const heard = [...(await reading).matchAll(/^event: (\S+)\nid: (\S+)\ndata: (.*)$/gm)]
    expect(heard[0]?.slice(1, 3)).toEqual(['scan.progress', 'pending-0'])
    const [, event, , data = ''] = heard.at(-1) ?? []
    expect([event, JSON.parse(data).scan]).toMatchObject(['scan.end', { status: 'completed', blockCount: 1 }])
  })

  it('a scan has one row for an entity, no matter who writes it', async () => {
    put(1, { version: '1.0.0' })
    const scanId = await started({ target: 'plugin' })
    await settle()
    const { checks: t } = complianceTables(kit.store)
    const [row] = await kit.store.system.read((db) => db.select().from(t).where(eq(t.scanId, scanId)))
    if (row === undefined) throw new Error('no row')
    const again = kit.store.system.write((tx) => tx.insert(t).values({ ...row, id: id(12345) }))
    await expect(again).rejects.toThrow()
  })
})
