/** API calls: which requests count, when the limit applies, and that each counted call is written once. */
import Type from 'typebox'
import { afterAll, beforeEach, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { organizationApp, superAdmin } from '../../../test/support/organizations.js'
import { serviceToken } from '../../../test/support/services.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { identityRegistration } from '../../identity/registration.js'
import { TENANT_OPERATIONS } from '../../identity/tenant-operations.js'
import { member } from '../../runtime/operation/access.js'
import { fromHeader, stream } from '../../runtime/operation/operation.js'
import type { Store } from '../../runtime/store/db.js'
import { QUOTA_OPERATIONS } from '../operations.js'
import { quotaRegistration } from '../registration.js'
import { apiCalls } from './api-calls.js'

const watch = stream({
  name: 'test.stream.open',
  summary: 'Ends at once',
  http: { method: 'get', path: '/watch' },
  access: member(),
  tenant: fromHeader,
  input: {},
  output: Type.Object({}),
  errors: [],
  open: async () => (async function* () {})(),
})

await describeStores('API calls', BOTH_DATABASES, (open) => {
  const stores: Store[] = []
  let app: IdentityApp
  let root: SignedIn
  let ada: SignedIn
  beforeEach(async () => {
    const store = stores[0] ?? (await open())
    if (stores.length === 0) stores.push(store)
    app = await organizationApp(store, {
      operations: [...TENANT_OPERATIONS, ...QUOTA_OPERATIONS, watch],
      domains: [identityRegistration, quotaRegistration],
      settings: { BILLING_ENABLED: 'true', QUOTA_TIER_DEVELOPER_API_CALLS: '10' },
      callMeter: true,
    })
    count += 1
    root = await superAdmin(app, `root${count}`)
    ada = await signUp(app, `ada${count}`)
  })
  let count = 0
  afterAll(async () => {
    for (const store of stores) await store.close()
  })

  const ask = (path = '/organization', as: SignedIn | string | null = ada, headers = {}) =>
    app.call('GET', path, { as, headers })
  const used = async (as = ada) => {
    await app.flushCalls()
    return (await app.call('GET', '/quotas', { as })).data.quota.quotas.apiCalls.used
  }

  it('count every request of a person to an organization, whatever its answer', async () => {
    await ask()
    await ask('/organization/not-mine')
    await ask(`/organization/${root.orgId}/secrets`)
    expect(await used()).toBe(1)
    // Answers with 400 and 403 in the caller's own organization count too.
    await ask('/organization/members?limit=x')
    await ask(`/organization/${ada.orgId}/members?limit=x`)
    await app.call('PATCH', `/organization/${ada.orgId}/tier`, { as: ada, body: { tier: 'pro' } })
    expect(await used()).toBe(3)
    // A request that was refused because it needs a step-up does not count.
    expect((await app.call('DELETE', `/organization/${ada.orgId}`, { as: ada })).code).toBe('STEP_UP_REQUIRED')
    await ask()
    expect(await used()).toBe(4)
    expect(app.errors).toEqual([])
  })

  it('leave out signing in, looking at quotas, machines, administrators, and a stream that resumes', async () => {
    const service = await serviceToken(app, ['members:probe'])
    await ask('/organization', 'no token')
    await ask('/quotas')
    await ask(`/quotas/${ada.orgId}/apiCalls`)
    await ask('/auth/me')
    await ask(`/organization/${ada.orgId}/members/${ada.userId}/exists`)
    await ask(`/organization/${ada.orgId}/members/${ada.userId}/exists`, service)
    await ask(`/organization/${ada.orgId}`, root)
    await app.http.request('/api/watch', {
      headers: { authorization: `Bearer ${ada.accessToken}`, 'last-event-id': '7' },
    })
    expect(await used()).toBe(0)
    await app.http.request('/api/watch', { headers: { authorization: `Bearer ${ada.accessToken}` } })
    expect(await used()).toBe(1)
  })

  it('are refused at the limit exactly, with when they begin again; looking and helping go on', async () => {
    const first = await ask()
    expect(first.headers.get('x-quota-limit')).toBe('10')
    expect(first.headers.get('x-quota-remaining')).toBe('9')
    expect(first.headers.get('x-quota-reset')).toBe('2026-12-01T00:00:00.000Z')
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask()))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(9)
    const full = await ask()
    expect(full).toMatchObject({
      status: 429,
      code: 'QUOTA_EXCEEDED',
      body: { details: { quota: { type: 'apiCalls', limit: 10, used: 10, remaining: 0 } } },
    })
    expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await used()).toBe(10)
    const raised = await app.call('PUT', `/quotas/${ada.orgId}`, { as: root, body: { quotas: { apiCalls: 12 } } })
    expect(raised.status).toBe(200)
    expect((await ask()).status).toBe(200)
    app.clock.set(Date.parse('2026-12-01T00:00:00.000Z'))
    const { accessToken } = (
      await app.call('POST', '/auth/login', { body: { identifier: ada.username, password: 'Correct-Horse-7' } })
    ).data
    expect((await ask('/organization', accessToken)).headers.get('x-quota-used')).toBe('1')
  })

  it('are shared by the teams of an account', async () => {
    await app.call('PUT', `/quotas/${ada.orgId}`, { as: root, body: { tier: 'team', quotas: { apiCalls: 6 } } })
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    const team = made.data.organization.id
    const limit = { teams: { [team]: { apiCalls: 2 } } }
    expect((await app.call('PUT', `/quotas/${ada.orgId}`, { as: root, body: limit })).status).toBe(200)
    const inTeam = await Promise.all(Array.from({ length: 4 }, () => ask('/organization', ada, { 'x-org-id': team })))
    expect(inTeam.filter(({ status }) => status === 200)).toHaveLength(2)
    const inRoot = await Promise.all(Array.from({ length: 9 }, () => ask()))
    // Two were the team's. Creating the team has no tenant, so it is not counted.
    expect(inRoot.filter(({ status }) => status === 200)).toHaveLength(4)
    await app.flushCalls()
    const view = (await ask(`/quotas/${team}`)).data.quota.quotas.apiCalls
    expect(view).toMatchObject({ used: 6, limit: 6, team: { used: 2, limit: 2 } })
  })

  it('are told nothing of where there is no limit, and counted there too', async () => {
    await app.call('PUT', `/quotas/${ada.orgId}`, { as: root, body: { quotas: { apiCalls: -1 } } })
    const answers = await Promise.all(Array.from({ length: 150 }, () => ask()))
    expect(answers.every(({ status, headers }) => status === 200 && !headers.has('x-quota-limit'))).toBe(true)
    expect(await used()).toBe(150)
  })

  it('are kept when they cannot be written, and written once when they can', async () => {
    const { runtime } = app
    const failing = { ...runtime.store.system, write: () => Promise.reject(new Error('the disk is full')) }
    const problems: unknown[] = []
    let system = runtime.store.system
    const meter = apiCalls(
      {
        ...runtime,
        store: {
          ...runtime.store,
          get system() {
            return system
          },
        },
      },
      (error) => void problems.push(error),
    )
    const org = { id: ada.orgId, isSystem: false }
    const call = async () => {
      const counted = meter.count({ kind: 'user' } as never, { org, isSuperAdmin: false } as never)
      return counted instanceof Promise ? await counted : counted
    }
    await Promise.all([call(), call(), call()])
    system = failing
    await meter.flush()
    expect(problems).toHaveLength(1)
    await call()
    system = runtime.store.system
    await Promise.all([meter.flush(), meter.flush()])
    await meter.flush()
    expect(await used()).toBe(4)
    // If a call is taken back after it was written, it is subtracted from later calls.
    const late = await call()
    await meter.flush()
    late?.takeBack()
    await call()
    await call()
    await meter.flush()
    expect(await used()).toBe(6)
  })

  it('of two processes meet in the database', async () => {
    const meters = [0, 1].map(() => apiCalls(app.runtime, (error) => void app.errors.push(error)))
    const authority = { org: { id: ada.orgId, isSystem: false }, isSuperAdmin: false } as never
    const one = async (n: number) => meters[n]?.count({ kind: 'user' } as never, authority)
    let through = 0
    for (let round = 0; round < 30; round++) {
      const n = round % 2
      try {
        if ((await one(n)) !== null) through += 1
      } catch {
        continue
      }
      await meters[n]?.flush()
      app.clock.advance(5000)
    }
    expect(through).toBe(10)
    expect(await used()).toBe(10)
    expect(app.errors).toEqual([])
  })
})
