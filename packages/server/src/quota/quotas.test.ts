/** Quotas over HTTP: who sees what, how limits are set, and how use is reported, reset and notified. */
import { asc, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../test/support/describe-stores.js'
import {
  confirmed,
  enrol,
  evidenceOf,
  giveCustomRole,
  organizationApp,
  runJobs,
  superAdmin,
} from '../../test/support/organizations.js'
import { countPlaces, fillPlaces, freePlaces, placesRegistration } from '../../test/support/places.js'
import { serviceToken } from '../../test/support/services.js'
import { type IdentityApp, type SignedIn, signUp } from '../../test/support/sign-in.js'
import { identityRegistration } from '../identity/registration.js'
import { identityTables } from '../identity/tables.js'
import { TENANT_OPERATIONS } from '../identity/tenant-operations.js'
import { jobTables } from '../runtime/jobs/tables.js'
import { type Announcement, NOTIFY_JOB } from '../runtime/records/notification.js'
import type { Store } from '../runtime/store/db.js'
import { nearLimitJob } from './notice/job.js'
import { QUOTA_NOTIFICATIONS } from './notice/text.js'
import { QUOTA_OPERATIONS } from './operations.js'
import { setGrants } from './quota/grant.js'
import { quotaRegistration } from './registration.js'
import { sweepQuotas } from './sweep.js'
import { quotaTables } from './tables.js'

await describeStores('quotas', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let root: SignedIn
  let ada: SignedIn
  let team: string
  let bob: SignedIn
  let service: string
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store, {
      operations: [...TENANT_OPERATIONS, ...QUOTA_OPERATIONS],
      domains: [identityRegistration, quotaRegistration, placesRegistration],
      settings: {
        BILLING_ENABLED: 'true',
        QUOTA_TIER_TEAM_PIPELINES: '10',
        QUOTA_TIER_TEAM_AI_CALLS: '100',
        QUOTA_TIER_TEAM_STORAGE_BYTES: '5000',
        QUOTA_TIER_PRO_RESET_PERIOD: '7d',
      },
    })
    root = await superAdmin(app, 'root')
    ada = await signUp(app, 'ada')
    bob = await signUp(app, 'bob')
    await confirmed(app, 'PATCH', `/organization/${ada.orgId}/tier`, { as: root, body: { tier: 'team' } })
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    team = made.data.organization.id
    service = await serviceToken(app, ['quota:increment', 'quota:reset'])
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const get = (path: string, as: SignedIn | string = ada, headers = {}) => app.call('GET', path, { as, headers })
  const put = (orgId: string, body: object, as = root) => app.call('PUT', `/quotas/${orgId}`, { as, body })
  const increment = (orgId: string, body: object, as: SignedIn | string = service) =>
    app.call('POST', `/quotas/${orgId}/increment`, { as, body })
  const fill = (orgId: string, count: number) =>
    store.system.write((tx) =>
      fillPlaces(
        tx,
        orgId,
        Array.from({ length: count }, () => app.runtime.ids.next()),
      ),
    )
  const clear = () => store.system.write((tx) => freePlaces(tx, [ada.orgId, team, bob.orgId]))

  it('shows all nine types, the seats and the features of the account', async () => {
    await clear()
    await fill(ada.orgId, 3)
    await fill(team, 2)
    const { data } = await get('/quotas')
    expect(data.quota).toMatchObject({
      orgId: ada.orgId,
      tier: 'team',
      accountOrgId: ada.orgId,
      pooled: false,
      periodStart: '2026-11-01T00:00:00.000Z',
      periodEnd: '2026-12-01T00:00:00.000Z',
      seats: { limit: 10, used: 1, pending: 0, remaining: 9 },
    })
    expect(Object.keys(data.quota.quotas)).toEqual([
      'plugins',
      'pipelines',
      'apiCalls',
      'aiCalls',
      'storageBytes',
      'dashboards',
      'alertRules',
      'alertDestinations',
      'idpConfigs',
    ])
    const pipelines = { used: 5, limit: 10, remaining: 5, unlimited: false, kind: 'capacity', resetAt: null }
    expect(data.quota.quotas.pipelines).toEqual({ ...pipelines, baseline: 10, addons: 0, override: null, team: null })
    expect(data.quota.quotas.aiCalls).toMatchObject({ kind: 'metered', resetAt: '2026-12-01T00:00:00.000Z' })
    expect(data.quota.quotas.dashboards).toMatchObject({ limit: -1, remaining: -1, unlimited: true })
    const ofTeam = (await get('/quotas', ada, { 'x-org-id': team })).data.quota
    expect(ofTeam).toMatchObject({ orgId: team, accountOrgId: ada.orgId, pooled: true })
    expect(ofTeam.quotas.pipelines).toMatchObject({ ...pipelines, team: { limit: -1, used: 2 } })
  })

  it('answers one type, and 400 for one that there is not', async () => {
    const one = await get(`/quotas/${team}/aiCalls`)
    expect(one.data).toEqual({
      quotaType: 'aiCalls',
      status: {
        limit: 100,
        used: 0,
        remaining: 100,
        allowed: true,
        unlimited: false,
        resetAt: '2026-12-01T00:00:00.000Z',
        kind: 'metered',
      },
    })
    expect((await get(`/quotas/${ada.orgId}/seats`)).code).toBe('VALIDATION_ERROR')
    expect((await get(`/quotas/${ada.orgId}/at-risk`)).data).toMatchObject({ complete: true })
  })

  it('shows nothing of a stranger, and nothing without the permission', async () => {
    for (const path of ['', '/plugins', '/at-risk']) {
      const foreign = await get(`/quotas/${ada.orgId}${path}`, bob)
      const missing = await get(`/quotas/${app.runtime.ids.next()}${path}`, bob)
      expect([foreign.status, missing.status]).toEqual([404, 404])
      expect(foreign.body.message).toBe(missing.body.message)
    }
    const eve = await signUp(app, 'eve')
    await enrol(app, eve, ada.orgId, [])
    await giveCustomRole(app, ada.orgId, eve.userId, ['pipelines:read'])
    expect((await get(`/quotas/${ada.orgId}`, eve)).body.details).toMatchObject({ reason: 'permission' })
    await giveCustomRole(app, ada.orgId, eve.userId, ['quotas:read'])
    expect((await get(`/quotas/${ada.orgId}`, eve)).status).toBe(200)
    await store.system.write(async (tx) => {
      const { memberships } = identityTables(tx)
      await tx.delete(memberships).where(eq(memberships.userId, eve.userId))
    })
    for (const path of ['/quotas/all', '/quotas/at-risk']) {
      expect((await get(path, bob)).body.details).toMatchObject({ reason: 'system-admin' })
    }
    for (const [path, body] of [
      ['', { tier: 'pro' }],
      ['/reset', {}],
      ['/increment', { quotaType: 'aiCalls' }],
    ] as const) {
      const answer = await app.call(path === '' ? 'PUT' : 'POST', `/quotas/${ada.orgId}${path}`, { as: ada, body })
      expect(answer.status, path).toBe(403)
    }
  })

  it('sets limits by hand, which stand over tier and add-ons, and takes them back', async () => {
    const grants = await store.system.write((tx) =>
      setGrants(tx, app.runtime, ada.orgId, { aiCalls: 50, dashboards: 7 }),
    )
    expect(grants).toBe(true)
    const granted = (await get('/quotas')).data.quota.quotas
    expect(granted.aiCalls).toMatchObject({ limit: 150, baseline: 100, addons: 50, override: null })
    // An unlimited quota stays unlimited, whatever is added.
    expect(granted.dashboards).toMatchObject({ limit: -1, addons: 7 })
    const answer = await put(ada.orgId, { quotas: { aiCalls: 20, plugins: -1 } })
    expect(answer.data.quota.quotas.aiCalls).toMatchObject({ limit: 20, baseline: 100, addons: 50, override: 20 })
    expect(answer.data.quota.quotas.plugins).toMatchObject({ limit: -1, unlimited: true })
    const evidence = await evidenceOf(app, ada.orgId)
    expect(evidence).toContain('admin.org.quota.override')
    // One event for each limit, and none when the request changes nothing.
    expect(evidence.filter((action) => action === 'quota.limit.update')).toHaveLength(2)
    await put(ada.orgId, { quotas: { aiCalls: 20, plugins: -1 } })
    expect(await evidenceOf(app, ada.orgId)).toEqual(evidence)
    // A change of tier keeps the limits that were set by hand.
    const tier = await put(ada.orgId, { tier: 'enterprise' })
    expect(tier.data.quota).toMatchObject({ tier: 'enterprise', quotas: { aiCalls: { limit: 20, baseline: 15000 } } })
    const back = await put(ada.orgId, { tier: 'team', quotas: { aiCalls: null, plugins: null } })
    expect(back.data.quota.quotas.aiCalls).toMatchObject({ limit: 150, override: null })
    await store.system.write((tx) => setGrants(tx, app.runtime, ada.orgId, {}))
    const left = await store.system.read((db) => db.select().from(quotaTables(db).quotaLimits))
    expect(left).toEqual([])
  })

  it.each([
    [{}, 'VALIDATION_ERROR'],
    [{ quotas: {} }, 'VALIDATION_ERROR'],
    [{ force: true }, 'VALIDATION_ERROR'],
    [{ quotas: { seats: 5 } }, 'VALIDATION_ERROR'],
    [{ quotas: { plugins: -2 } }, 'VALIDATION_ERROR'],
    [{ quotas: { plugins: 1.5 } }, 'VALIDATION_ERROR'],
    [{ quotas: { plugins: '5' } }, 'VALIDATION_ERROR'],
    [{ tier: 'gold' }, 'VALIDATION_ERROR'],
    [{ tier: 'pro', name: 'x' }, 'VALIDATION_ERROR'],
    [{ tier: 'unlimited' }, 'CONFLICT'],
  ])('refuses to set %j', async (body, code) => {
    expect((await put(ada.orgId, body)).code).toBe(code)
  })

  it('sets nothing on a team but through its root', async () => {
    expect(await put(team, { quotas: { plugins: 1 } })).toMatchObject({ status: 409, code: 'CONFLICT' })
    const foreign = await put(ada.orgId, { teams: { [bob.orgId]: { plugins: 1 }, [ada.orgId]: { plugins: 1 } } })
    expect(foreign.body.details.issues.map(({ code }: { code: string }) => code)).toEqual([
      'unknown_team',
      'unknown_team',
    ])
    const own = await put(ada.orgId, { teams: { [team]: { aiCalls: 3 } } })
    expect(own.status).toBe(200)
    expect((await get(`/quotas/${team}/aiCalls`)).data.status).toMatchObject({ limit: 100, used: 0, remaining: 3 })
    for (let n = 0; n < 3; n++) expect((await increment(team, { quotaType: 'aiCalls' })).status).toBe(200)
    const full = await increment(team, { quotaType: 'aiCalls' })
    expect(full).toMatchObject({ status: 429, body: { details: { quota: { limit: 3, used: 3, remaining: 0 } } } })
    expect((await increment(ada.orgId, { quotaType: 'aiCalls' })).data.quota).toMatchObject({ limit: 100, used: 4 })
    expect((await get(`/quotas/${team}`)).data.quota.quotas.aiCalls).toMatchObject({
      used: 4,
      remaining: 0,
      team: { limit: 3, used: 3 },
    })
    const lower = await put(ada.orgId, { teams: { [team]: { aiCalls: 2 } } })
    expect(lower.body.details.overages).toEqual([
      { quotaType: 'aiCalls', currentUsage: 3, targetCap: 2, overage: 1, orgId: team },
    ])
    await put(ada.orgId, { teams: { [team]: { aiCalls: null } } })
  })

  it('refuses to lower a limit below what is used, unless it is forced', async () => {
    await clear()
    await fill(team, 8)
    const refused = await put(ada.orgId, { quotas: { pipelines: 7 } })
    expect(refused).toMatchObject({ status: 409, code: 'TIER_OVER_CAP' })
    expect(refused.body.details.overages).toEqual([
      { quotaType: 'pipelines', currentUsage: 8, targetCap: 7, overage: 1 },
    ])
    const tier = await confirmed(app, 'PATCH', `/organization/${ada.orgId}/tier`, {
      as: root,
      body: { tier: 'developer' },
    })
    expect(tier.body.details.overages).toContainEqual({
      quotaType: 'pipelines',
      currentUsage: 8,
      targetCap: 5,
      overage: 3,
    })
    expect((await put(ada.orgId, { tier: 'developer' })).body.details).toEqual(tier.body.details)
    expect((await put(ada.orgId, { quotas: { pipelines: 7 }, force: true })).status).toBe(200)
    // A limit that the use already exceeds blocks no other change, and no increase.
    expect((await put(ada.orgId, { quotas: { plugins: 3 } })).status).toBe(200)
    expect((await put(ada.orgId, { quotas: { pipelines: 8, plugins: null } })).status).toBe(200)
    const risk = await get(`/quotas/${ada.orgId}/at-risk`)
    expect(risk.data.atRisk).toEqual([expect.objectContaining({ type: 'pipelines', used: 8, limit: 8, percent: 100 })])
    await put(ada.orgId, { quotas: { pipelines: null } })
  })

  it('counts what services report, up to the limit and not beyond', async () => {
    expect((await confirmed(app, 'POST', `/quotas/${ada.orgId}/reset`, { as: root, body: {} })).status).toBe(200)
    const first = await increment(ada.orgId, { quotaType: 'aiCalls', amount: 90 })
    expect(first.data.quota).toEqual({
      type: 'aiCalls',
      limit: 100,
      used: 90,
      remaining: 10,
      resetAt: '2026-12-01T00:00:00.000Z',
    })
    expect(first.headers.get('x-quota-remaining')).toBe('10')
    const many = await Promise.all(Array.from({ length: 20 }, () => increment(team, { quotaType: 'aiCalls' })))
    expect(many.filter(({ status }) => status === 200)).toHaveLength(10)
    const full = await increment(team, { quotaType: 'aiCalls' })
    expect(full.body).toMatchObject({
      code: 'QUOTA_EXCEEDED',
      details: { quota: { type: 'aiCalls', limit: 100, used: 100, remaining: 0, resetAt: '2026-12-01T00:00:00.000Z' } },
    })
    expect(Number(full.headers.get('retry-after'))).toBe(
      (Date.parse('2026-12-01T00:00:00.000Z') - app.clock.now()) / 1000,
    )
    // The next period starts from 0.
    const nowMs = app.clock.now()
    app.clock.set(Date.parse('2026-12-01T00:00:00.000Z'))
    const next = await serviceToken(app, ['quota:increment'])
    expect((await increment(ada.orgId, { quotaType: 'aiCalls' }, next)).data.quota).toMatchObject({ used: 1 })
    app.clock.set(nowMs)
  })

  it.each([
    [{ quotaType: 'plugins' }],
    [{ quotaType: 'aiCalls', amount: 0 }],
    [{ quotaType: 'aiCalls', amount: 1001 }],
    [{ quotaType: 'aiCalls', amount: 1.5 }],
    [{ quotaType: 'aiCalls', bypassLimit: true }],
    [{}],
  ])('refuses the increment %j', async (body) => {
    expect((await increment(ada.orgId, body)).code).toBe('VALIDATION_ERROR')
  })

  it('counts one idempotencyKey once, and gives a refused one back', async () => {
    await app.call('POST', `/quotas/${ada.orgId}/reset`, { as: service, body: { quotaType: 'aiCalls' } })
    const body = { quotaType: 'aiCalls', amount: 60, idempotencyKey: 'batch-1' }
    const answers = await Promise.all(Array.from({ length: 5 }, () => increment(ada.orgId, body)))
    expect(answers.map(({ status, data }) => [status, data.quota.used])).toEqual(Array(5).fill([200, 60]))
    expect((await increment(ada.orgId, { ...body, amount: 61 })).code).toBe('IDEMPOTENCY_MISMATCH')
    const large = { ...body, idempotencyKey: 'batch-2' }
    expect((await increment(ada.orgId, large)).status).toBe(429)
    await put(ada.orgId, { quotas: { aiCalls: 200 } })
    expect((await increment(ada.orgId, large)).data.quota.used).toBe(120)
    await put(ada.orgId, { quotas: { aiCalls: null }, force: true })
    // Keys are kept for a day.
    const sweep = (nowMs: number) => store.system.write((tx) => sweepQuotas(tx, nowMs, 100))
    expect(await sweep(app.clock.now())).toBe(0)
    expect(await sweep(app.clock.now() + 86_400_001)).toBeGreaterThan(0)
    expect((await increment(ada.orgId, body)).status).toBe(429)
  })

  it('adds reported bytes to those that are counted, and forgets them at a reset', async () => {
    for (let n = 0; n < 5; n++) await increment(team, { quotaType: 'storageBytes', amount: 1000 })
    expect((await increment(ada.orgId, { quotaType: 'storageBytes' })).code).toBe('QUOTA_EXCEEDED')
    expect((await get(`/quotas/${ada.orgId}/storageBytes`)).data.status).toMatchObject({ used: 5000, resetAt: null })
    const reset = await app.call('POST', `/quotas/${ada.orgId}/reset`, {
      as: service,
      body: { quotaType: 'storageBytes' },
    })
    expect(reset.data.quota.quotas.storageBytes.used).toBe(0)
  })

  it('resets by a confirmed administrator or a service, an account and not a team', async () => {
    await clear()
    await fill(ada.orgId, 2)
    await app.call('POST', `/quotas/${ada.orgId}/reset`, { as: service, body: {} })
    await increment(team, { quotaType: 'aiCalls', amount: 5 })
    const unconfirmed = await app.call('POST', `/quotas/${ada.orgId}/reset`, { as: root, body: {} })
    expect(unconfirmed.code).toBe('STEP_UP_REQUIRED')
    const reset = await confirmed(app, 'POST', `/quotas/${ada.orgId}/reset`, { as: root, body: {} })
    expect(reset.data.quota.quotas).toMatchObject({ aiCalls: { used: 0 }, pipelines: { used: 2 } })
    expect((await get(`/quotas/${team}`)).data.quota.quotas.aiCalls).toMatchObject({ used: 0, team: { used: 0 } })
    expect(await evidenceOf(app, ada.orgId)).toContain('quota.reset')
    expect((await app.call('POST', `/quotas/${team}/reset`, { as: service, body: {} })).code).toBe('CONFLICT')
    expect(
      (await app.call('POST', `/quotas/${ada.orgId}/reset`, { as: service, body: { quotaType: 'x' } })).status,
    ).toBe(400)
  })

  it('tells an account once in a period that 80 and 100 percent are used', async () => {
    const notices = async () => {
      const rows = await store.system.read((db) => {
        const { jobs } = jobTables(db)
        return db.select().from(jobs).where(eq(jobs.kind, NOTIFY_JOB)).orderBy(asc(jobs.id))
      })
      return rows
        .map(({ orgId, payload }) => {
          const text = QUOTA_NOTIFICATIONS['quota.threshold']?.text((payload as Announcement).fields)
          return { orgId, subject: text?.subject ?? '' }
        })
        .filter(({ subject }) => subject.includes('aiCalls'))
    }
    await app.call('POST', `/quotas/${ada.orgId}/reset`, { as: service, body: {} })
    await runJobs(app, [nearLimitJob])
    const before = (await notices()).length
    const step = async (amount: number) => {
      await increment(team, { quotaType: 'aiCalls', amount })
      await runJobs(app, [nearLimitJob])
      return (await notices()).slice(before).map(({ orgId, subject }) => [orgId, subject])
    }
    expect(await step(79)).toEqual([])
    const near = [ada.orgId, 'Quota at 80 percent: aiCalls']
    expect(await step(1)).toEqual([near])
    expect(await step(10)).toEqual([near])
    const full = [ada.orgId, 'Quota used up: aiCalls']
    expect((await step(10)).sort()).toEqual([near, full].sort())
    expect(await step(1)).toHaveLength(2)
    expect((await evidenceOf(app, ada.orgId)).filter((action) => action === 'quota.threshold').length).toBeGreaterThan(
      1,
    )
    // When one change crosses both thresholds, only the higher one is notified.
    await app.call('POST', `/quotas/${ada.orgId}/reset`, { as: service, body: {} })
    expect((await step(100)).filter(([, subject]) => subject === full[1])).toHaveLength(2)
  })

  it('lists who is near a limit, over all accounts and their teams’ own limits', async () => {
    await clear()
    await app.call('POST', `/quotas/${ada.orgId}/reset`, { as: service, body: {} })
    await fill(ada.orgId, 5)
    await fill(team, 4)
    await fill(bob.orgId, 4)
    await put(ada.orgId, { teams: { [team]: { pipelines: 4 } } })
    await put(bob.orgId, { quotas: { pipelines: 3 }, force: true })
    await increment(ada.orgId, { quotaType: 'aiCalls', amount: 80 })
    const { data } = await get('/quotas/at-risk', root)
    expect(data).toMatchObject({ count: 4, total: 4, threshold: 80, complete: true })
    expect(data.atRisk.map((each: Record<string, unknown>) => [each.orgId, each.type, each.percent])).toEqual([
      [bob.orgId, 'pipelines', 133],
      [team, 'pipelines', 100],
      [ada.orgId, 'pipelines', 90],
      [ada.orgId, 'aiCalls', 80],
    ])
    expect(data.atRisk[0]).toMatchObject({ name: 'bob org', slug: bob.orgSlug, tier: 'developer', used: 4, limit: 3 })
    // The own list of one account has the same rows.
    for (const orgId of [ada.orgId, team, bob.orgId]) {
      const own = (await get(`/quotas/${orgId}/at-risk`, orgId === bob.orgId ? bob : ada)).data.atRisk
      for (const row of data.atRisk.filter((each: { orgId: string }) => each.orgId === orgId))
        expect(own).toContainEqual(row)
    }
    const pages = []
    for (const offset of [0, 3, 9]) pages.push((await get(`/quotas/at-risk?limit=3&offset=${offset}`, root)).data)
    expect(pages.map(({ count, total }) => [count, total])).toEqual([
      [3, 4],
      [1, 4],
      [0, 4],
    ])
    expect((await get('/quotas/at-risk?type=aiCalls&threshold=1', root)).data.total).toBe(1)
    for (const bad of ['threshold=0', 'threshold=101', 'threshold=x', 'type=seats']) {
      expect((await get(`/quotas/at-risk?${bad}`, root)).code, bad).toBe('VALIDATION_ERROR')
    }
    await put(ada.orgId, { teams: { [team]: { pipelines: null } } })
    await put(bob.orgId, { quotas: { pipelines: null } })
  })

  it('lists every organization, page by page, as each would see itself', async () => {
    const seen: string[] = []
    for (let cursor = ''; ; ) {
      const { data } = await get(`/quotas/all?limit=2${cursor}`, root)
      for (const quota of data.organizations) {
        seen.push(quota.orgId)
        expect((await get(`/quotas/${quota.orgId}`, root)).data.quota).toEqual(quota)
      }
      if (!data.pagination.hasMore) {
        expect(data.pagination.total).toBe(seen.length)
        break
      }
      cursor = `&cursor=${data.pagination.nextCursor}`
    }
    expect(new Set(seen).size).toBe(seen.length)
    expect(seen).toEqual(expect.arrayContaining([ada.orgId, team, bob.orgId]))
    expect((await get('/quotas/all?accountsOnly=true&limit=100', root)).data.organizations).not.toContainEqual(
      expect.objectContaining({ orgId: team }),
    )
  })

  it('counts in periods of the tier', async () => {
    await put(bob.orgId, { tier: 'pro' })
    const { data } = await get('/quotas', bob)
    expect(Date.parse(data.quota.periodEnd) - Date.parse(data.quota.periodStart)).toBe(7 * 86_400_000)
    expect(Date.parse(data.quota.periodStart) % (7 * 86_400_000)).toBe(0)
    expect(await store.system.read((db) => countPlaces(db, [bob.orgId]))).toBe(4)
    await put(bob.orgId, { tier: 'developer' })
  })

  it('a limit that was set meanwhile is not set over', async () => {
    const read = await get(`/quotas/${ada.orgId}`, root)
    const change = (aiCalls: number) => {
      const headers = { 'if-match': String(read.headers.get('etag')) }
      return app.call('PUT', `/quotas/${ada.orgId}`, { as: root, body: { quotas: { aiCalls } }, headers })
    }
    expect((await change(9001)).data.quota).toMatchObject({ revision: read.data.quota.revision + 1 })
    expect((await change(9002)).status).toBe(412)
    const ofTeam = (await get(`/quotas/${team}`, root)).data.quota
    expect(ofTeam).toMatchObject({ revision: read.data.quota.revision + 1, quotas: { aiCalls: { limit: 9001 } } })
    expect((await put(ada.orgId, { quotas: { aiCalls: null } })).status).toBe(200)
  })

  it('restores a team only where its account has places for what it holds', async () => {
    await clear()
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Held', parentOrgId: ada.orgId } })
    const held = made.data.organization.id
    await fill(ada.orgId, 4)
    await fill(held, 6)
    const path = `/organization/${held}`
    expect((await confirmed(app, 'DELETE', path, { as: root })).status).toBe(202)
    await fill(ada.orgId, 1)
    const refused = await confirmed(app, 'POST', `${path}/restore`, { as: root })
    expect(refused).toMatchObject({
      status: 429,
      code: 'QUOTA_EXCEEDED',
      body: { details: { quota: { type: 'pipelines', limit: 10, used: 5 } } },
    })
    expect(refused.body.message).toContain('would need 6 more')
    expect((await get(`/quotas/${ada.orgId}`, root)).data.quota.quotas.pipelines.used).toBe(5)
    await store.system.write((tx) => freePlaces(tx, [ada.orgId], 1))
    const restored = await confirmed(app, 'POST', `${path}/restore`, { as: root })
    expect(restored.status, JSON.stringify(restored.body)).toBe(200)
    expect((await get(`/quotas/${ada.orgId}`, root)).data.quota.quotas.pipelines).toMatchObject({ limit: 10, used: 10 })
  })
})
