/**
 * Capacity is counted and not stored: the count under the account's lock decides, and deleting a record frees its
 * capacity at once.
 */

import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { confirmed, organizationApp, signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { countPlaces, createPlaces, freePlaces, placesRegistration } from '../../../test/support/places.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { identityRegistration } from '../../identity/registration.js'
import { TENANT_OPERATIONS } from '../../identity/tenant-operations.js'
import { capacityOf } from '../../runtime/records/capacity.js'
import type { Store } from '../../runtime/store/db.js'
import { quotaRegistration } from '../registration.js'
import { quotaTables } from '../tables.js'

await describeStores('places', WITH_POSTGRESQL, (open, database) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let team: string
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store, {
      operations: [...TENANT_OPERATIONS, createPlaces],
      domains: [identityRegistration, quotaRegistration, placesRegistration],
      settings: { BILLING_ENABLED: 'true', QUOTA_TIER_TEAM_PIPELINES: '5' },
    })
    const root = await superAdmin(app, 'root')
    ada = await signUp(app, 'ada')
    const raised = await confirmed(app, 'PATCH', `/organization/${ada.orgId}/tier`, {
      as: root,
      body: { tier: 'team' },
    })
    expect(raised.status).toBe(200)
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    team = made.data.organization.id
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const create = (orgId: string, count = 1) =>
    app.call('POST', '/places', { as: ada, body: { count }, headers: { 'x-org-id': orgId } })
  const clear = () => store.system.write((tx) => freePlaces(tx, [ada.orgId, team]))

  it('lets exactly one of fifty through at one below the limit', async () => {
    await clear()
    expect((await create(ada.orgId, 4)).status).toBe(201)
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(ada.orgId)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ code }) => code === 'QUOTA_EXCEEDED')).toHaveLength(49)
    expect(await store.system.read((db) => countPlaces(db, [ada.orgId, team]))).toBe(5)
  })

  it('lets two teams that race share the places of their root', async () => {
    await clear()
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => create(n % 2 === 0 ? ada.orgId : team)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(await store.system.read((db) => countPlaces(db, [ada.orgId, team]))).toBe(5)
  })

  it('names what is used up and the ways out', async () => {
    await clear()
    await create(ada.orgId, 3)
    await create(team, 2)
    const full = await create(team)
    expect(full).toMatchObject({
      status: 429,
      code: 'QUOTA_EXCEEDED',
      body: {
        message: 'the account has used 5 of 5 pipelines: delete records, or upgrade the plan',
        details: { quota: { type: 'pipelines', limit: 5, used: 5, remaining: 0, resetAt: null } },
      },
    })
    expect(full.headers.get('retry-after')).toBeNull()
    expect(full.headers.get('x-quota-limit')).toBe('5')
    expect(full.headers.get('x-quota-remaining')).toBe('0')
    expect((await create(team, 0)).status).toBe(201)
  })

  it('frees a place with its row, and takes none for what was rolled back', async () => {
    await clear()
    await create(ada.orgId, 5)
    await store.system.write((tx) => freePlaces(tx, [ada.orgId], 1))
    const failed = await app.call('POST', '/places', { as: ada, body: { count: 1, fail: true } })
    expect(failed.status).toBe(409)
    expect((await create(team)).status).toBe(201)
    expect((await create(ada.orgId)).code).toBe('QUOTA_EXCEEDED')
  })

  it('holds a team to its own limit inside the account’s', async () => {
    await clear()
    const own = { orgId: team, type: 'pipelines', override: 2, granted: 0, updatedAtMs: 0 }
    await store.system.write(async (tx) => void (await tx.insert(quotaTables(tx).quotaLimits).values(own)))
    const answers = await Promise.all(Array.from({ length: 10 }, () => create(team)))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    expect(answers.find(({ status }) => status === 429)?.body.message).toContain('the team has used 2 of 2 pipelines')
    expect((await create(ada.orgId, 3)).status).toBe(201)
    expect((await create(ada.orgId)).body.message).toContain('the account has used 5 of 5')
    await store.system.write(async (tx) => {
      const { quotaLimits } = quotaTables(tx)
      await tx.delete(quotaLimits).where(eq(quotaLimits.orgId, team))
    })
  })

  it('counts a deleted team no longer', async () => {
    await clear()
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Gone', parentOrgId: ada.orgId } })
    const gone = made.data.organization.id
    await create(gone, 5)
    expect((await create(ada.orgId)).code).toBe('QUOTA_EXCEEDED')
    await confirmed(app, 'DELETE', `/organization/${gone}`, { as: ada })
    ada = await signInAgain(app, ada)
    expect((await create(ada.orgId)).status).toBe(201)
  })

  it('is refused to an operation that cannot see the whole account', async () => {
    if (database === 'SQLite') return
    const scope = store.tenant({ orgId: ada.orgId, readableOrgIds: [] })
    const taken = scope.write((tx) => capacityOf(app.runtime).take(tx, ada.orgId, 'pipelines', 1))
    await expect(taken).rejects.toThrow(/acrossOrganizations/)
  })
})
