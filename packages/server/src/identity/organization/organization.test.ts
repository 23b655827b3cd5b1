/** Organizations: who may create, see, change, transfer, delete and restore them, and the invariants meanwhile. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { confirmed, enrol, evidenceOf, organizationApp, superAdmin } from '../../../test/support/organizations.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Store } from '../../runtime/store/db.js'

await describeStores('organizations', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let admin: SignedIn
  let ada: SignedIn
  let bob: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store)
    admin = await superAdmin(app, 'root')
    ada = await signUp(app, 'ada')
    bob = await signUp(app, 'bob')
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await store.close()
  })

  it('shows the active organization with membership and teams', async () => {
    const { status, data } = await app.call('GET', '/organization', { as: ada })
    expect(status).toBe(200)
    expect(data.organization).toMatchObject({ id: ada.orgId, tier: 'unlimited', ownerId: ada.userId, memberCount: 1 })
    expect(data.membership.role).toBe('owner')
    expect(data.membership.permissions).toContain('org:settings')
    expect(data.teams).toEqual([])
  })

  it('creates roots and teams; nobody chooses a tier', async () => {
    const refused = await app.call('POST', '/organization', { as: ada, body: { name: 'Paid', tier: 'enterprise' } })
    expect(refused.status).toBe(400)
    const root = await app.call('POST', '/organization', { as: ada, body: { name: 'Second' } })
    expect(root.status).toBe(201)
    expect(root.data.organization).toMatchObject({ ownerId: ada.userId, isTeam: false, tier: 'unlimited' })
    expect(await evidenceOf(app, root.data.organization.id)).toEqual(['org.create'])
    const team = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    expect(team.data.organization).toMatchObject({ isTeam: true, parentOrgId: ada.orgId, rootOrgId: ada.orgId })
    const below = { name: 'Deeper', parentOrgId: team.data.organization.id }
    expect((await app.call('POST', '/organization', { as: ada, body: below })).status).toBe(400)
    const foreign = { name: 'Mine', parentOrgId: ada.orgId }
    expect((await app.call('POST', '/organization', { as: bob, body: foreign })).status).toBe(400)
    const listed = await app.call('GET', `/organization/${ada.orgId}/teams`, { as: ada })
    expect(listed.data.teams).toEqual([
      { orgId: team.data.organization.id, orgName: 'Team', slug: 'team', memberCount: 1 },
    ])
  })

  it('lets a member of the root that is not an administrator create no team', async () => {
    const member = await enrol(app, await signUp(app, 'plain'), ada.orgId)
    const body = { name: 'Sneaky', parentOrgId: ada.orgId }
    const answer = await app.call('POST', '/organization', { as: member, body })
    expect(answer).toMatchObject({ status: 403, code: 'INSUFFICIENT_PERMISSIONS' })
  })

  it('gives equal names different slugs, and refuses a slug that is taken', async () => {
    const names = await Promise.all(
      [1, 2, 3].map(() => app.call('POST', '/organization', { as: ada, body: { name: 'Same name' } })),
    )
    expect(new Set(names.map(({ data }) => data.organization.slug)).size).toBe(3)
    const path = `/organization/${ada.orgId}/identity`
    const taken = await app.call('PATCH', path, { as: ada, body: { slug: bob.orgSlug } })
    expect(taken).toMatchObject({ status: 409, code: 'DUPLICATE_ENTRY' })
    expect((await app.call('PATCH', path, { as: ada, body: { slug: 'system' } })).status).toBe(400)
    // Somebody who names an organization by its id never means one that is called so.
    const called = await app.call('POST', '/organization', { as: ada, body: { name: bob.orgId } })
    expect(called.data.organization.slug).toMatch(new RegExp(`^${bob.orgId}-`))
    expect((await app.call('PATCH', path, { as: ada, body: { slug: bob.orgId } })).status).toBe(400)
    const renamed = await app.call('PATCH', path, { as: ada, body: { displayName: 'Ada & Co' } })
    expect(renamed.data.organization).toMatchObject({ displayName: 'Ada & Co', revision: 2 })
    const stale = await app.call('PATCH', path, { as: ada, body: { displayName: 'X' }, headers: { 'if-match': '"1"' } })
    expect(stale.status).toBe(412)
  })

  it('keeps strangers out with the bytes of an organization that does not exist', async () => {
    const there = await app.call('GET', `/organization/${ada.orgId}`, { as: bob })
    const nowhere = await app.call('GET', '/organization/99999999-9999-7999-8999-999999999999', { as: bob })
    const { requestId: a, ...first } = there.body
    const { requestId: b, ...second } = nowhere.body
    expect(there.status).toBe(404)
    expect(first).toEqual(second)
    expect(a).not.toBe(b)
  })

  it('lists organizations for system administrators alone, with filters', async () => {
    expect((await app.call('GET', '/organizations', { as: ada })).status).toBe(403)
    const all = await app.call('GET', '/organizations?limit=2&sortBy=name&sortOrder=asc', { as: admin })
    expect(all.data.organizations).toHaveLength(2)
    expect(all.data.pagination).toMatchObject({ limit: 2, offset: 0, hasMore: true })
    const teams = await app.call('GET', `/organizations?parentOrgId=${ada.orgId}`, { as: admin })
    expect(teams.data.organizations.map(({ name }: { name: string }) => name)).toEqual(['Team'])
    const none = await app.call('GET', '/organizations?search=100%25', { as: admin })
    expect(none.data.pagination.total).toBe(0)
  })

  it('limits the roots of one person to ten', async () => {
    const carl = await signUp(app, 'carl')
    for (let n = 2; n <= 10; n++) {
      expect((await app.call('POST', '/organization', { as: carl, body: { name: `Carl ${n}` } })).status).toBe(201)
    }
    const answer = await app.call('POST', '/organization', { as: carl, body: { name: 'Carl 11' } })
    expect(answer).toMatchObject({ status: 409, code: 'CONFLICT' })
  })

  it('passes an organization on: one owner, the old owner stays administrator, and both stay signed in', async () => {
    const dora = await signUp(app, 'dora')
    const eve = await enrol(app, await signUp(app, 'eve'), dora.orgId, ['Admin'])
    const path = `/organization/${dora.orgId}/transfer-owner`
    const body = { newOwnerId: eve.userId }
    expect(await app.call('PATCH', path, { as: dora, body })).toMatchObject({ status: 401, code: 'STEP_UP_REQUIRED' })
    const seized = await confirmed(app, 'PATCH', path, { as: eve, body })
    expect(seized.body.details).toMatchObject({ reason: 'owner' })
    const stranger = await confirmed(app, 'PATCH', path, { as: dora, body: { newOwnerId: bob.userId } })
    expect(stranger.status).toBe(404)
    const done = await confirmed(app, 'PATCH', path, { as: dora, body })
    expect(done.data).toEqual({ id: dora.orgId, previousOwnerId: dora.userId, ownerId: eve.userId })
    const roleOf = async (as: SignedIn) =>
      (await app.call('GET', '/auth/me', { as, headers: { 'x-org-id': dora.orgId } })).data.organization.role
    expect([await roleOf(dora), await roleOf(eve)]).toEqual(['admin', 'owner'])
    expect(await evidenceOf(app, dora.orgId)).toContain('org.ownership.transfer')
  })

  it('sets tiers, of which none is enforced while billing is off', async () => {
    const body = { tier: 'team' }
    const path = `/organization/${bob.orgId}/tier`
    expect((await app.call('PATCH', path, { as: bob, body })).status).toBe(403)
    const set = await confirmed(app, 'PATCH', path, { as: admin, body })
    expect(set.data).toMatchObject({ previousTier: 'unlimited', tier: 'team', featuresRemoved: [] })
    const shown = await app.call('GET', '/organization', { as: bob })
    expect(shown.data.organization.tier).toBe('team')
    expect(shown.data.organization.features).toContain('sso')
  })

  it('deletes by a tombstone and restores every row', async () => {
    const fay = await signUp(app, 'fay')
    const gus = await enrol(app, await signUp(app, 'gus'), fay.orgId)
    const made = await app.call('POST', `/organization/${fay.orgId}/roles`, {
      as: fay,
      body: { name: 'Reader', permissions: ['pipelines:read'] },
    })
    expect(made.status).toBe(201)
    const path = `/organization/${fay.orgId}`
    const seen = await app.call('GET', `${path}/roles`, { as: fay })
    expect((await app.call('DELETE', path, { as: fay })).code).toBe('STEP_UP_REQUIRED')
    expect((await confirmed(app, 'DELETE', path, { as: gus })).status).toBe(403)
    const deleted = await confirmed(app, 'DELETE', path, { as: fay })
    expect(deleted.status).toBe(202)
    expect(Date.parse(deleted.data.purgeAfter) - Date.parse(deleted.data.deletedAt)).toBe(7 * 86_400_000)
    expect((await app.call('GET', path, { as: admin })).status).toBe(404)
    const foreign = await confirmed(app, 'POST', `${path}/restore`, { as: bob })
    expect(foreign.status).toBe(404)
    const restored = await confirmed(app, 'POST', `${path}/restore`, { as: admin })
    expect(restored.data.organization).toMatchObject({ id: fay.orgId, deletedAt: null, memberCount: 2 })
    const again = await app.call('GET', `${path}/roles`, { as: admin })
    expect(again.data).toEqual(seen.data)
    expect(await evidenceOf(app, fay.orgId)).toEqual(expect.arrayContaining(['org.soft_delete', 'org.restore']))
  })

  it('keeps the system organization and roots with live teams', async () => {
    const system = await confirmed(app, 'DELETE', `/organization/${SYSTEM_ORG_ID}`, { as: admin })
    expect(system).toMatchObject({ status: 403, code: 'RESERVED_ORG' })
    const withTeam = await confirmed(app, 'DELETE', `/organization/${ada.orgId}`, { as: ada })
    expect(withTeam).toMatchObject({ status: 409, code: 'CONFLICT' })
  })
})
