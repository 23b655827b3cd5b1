/** The life cycle of organizations and accounts: limits, seats over teams, purges, sweeps, deletion. */
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../test/support/describe-stores.js'
import {
  confirmed,
  enrol,
  evidenceOf,
  organizationApp,
  runJobs,
  signInAgain,
  superAdmin,
  tokenVersionOf,
} from '../../test/support/organizations.js'
import { type IdentityApp, type SignedIn, signUp } from '../../test/support/sign-in.js'
import type { DomainRegistration } from '../runtime/operation/registration.js'
import type { Db, Store } from '../runtime/store/db.js'
import { credentialTables } from './credential/tables.js'
import { sweepInvitations } from './invitation/sweep.js'
import { purgeOrganizations } from './organization/purge.js'
import { identityRegistration } from './registration.js'
import { identityTables } from './tables.js'

const DAY_MS = 86_400_000

/** A second domain: two rows in each organization, one row of each person, and ten plugins where the test adds them. */
function otherDomain() {
  const rows = new Map<string, number>()
  const purged: string[] = []
  const reassigned: string[][] = []
  let plugins = 0
  const registration: DomainRegistration = {
    name: 'other',
    exportSections: [],
    exportReads: {},
    async *exportRows() {},
    async purge(_tx, orgId) {
      purged.push(orgId)
      const left = rows.get(orgId) ?? 2
      rows.set(orgId, Math.max(0, left - 1))
      return Math.min(1, left)
    },
    async erase() {},
    usage: {
      plugins: Object.assign(async (_: Db, orgIds: readonly string[]) => plugins * orgIds.length, {
        byOrg: () => sql`SELECT 1`,
      }),
    },
    async *blobs() {},
    async reassign(_tx, orgId, from, to) {
      reassigned.push([orgId, from, to])
      return { rows: 3, records: [] }
    },
  }
  return {
    registration,
    purged,
    reassigned,
    setPlugins(count: number): void {
      plugins = count
    },
  }
}

await describeStores('upkeep', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let root: SignedIn
  let ada: SignedIn
  let team: string
  const other = otherDomain()
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store, {
      domains: [other.registration, identityRegistration],
      settings: { BILLING_ENABLED: 'true', QUOTA_TIER_TEAM_SEATS: '6', QUOTA_TIER_ENTERPRISE_SEATS: '500' },
    })
    root = await superAdmin(app, 'root')
    ada = await signUp(app, 'ada')
    await setTier(ada.orgId, 'team')
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    team = made.data.organization.id
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const setTier = (orgId: string, tier: string, more: object = {}) =>
    confirmed(app, 'PATCH', `/organization/${orgId}/tier`, { as: root, body: { tier, ...more } })
  const invite = (as: SignedIn, email: string, orgId = as.orgId) =>
    app.call('POST', '/invitation/send', { as, body: { email }, headers: { 'x-org-id': orgId } })
  const membershipsIn = (orgId: string) =>
    store.system.read((db) => {
      const { memberships } = identityTables(db)
      return db.select().from(memberships).where(eq(memberships.orgId, orgId))
    })

  it('counts one seat for a person in several teams, and an address that is invited twice', async () => {
    // Ada owns both organizations but uses one seat.
    const bea = await enrol(app, await signUp(app, 'bea'), ada.orgId)
    expect((await invite(ada, 'one@plumbline.test')).status).toBe(201)
    expect((await invite(ada, 'ONE@plumbline.test', team)).status).toBe(201)
    for (const name of ['two', 'three', 'four']) {
      expect((await invite(ada, `${name}@plumbline.test`, team)).status).toBe(201)
    }
    const full = await invite(ada, 'five@plumbline.test')
    expect(full.body).toMatchObject({ code: 'SEAT_LIMIT', details: { used: 6, limit: 6 } })
    // Bea already has a seat in the account, so another organization of it needs none.
    const bulk = await confirmed(app, 'POST', `/organization/${ada.orgId}/members/bulk-add`, {
      as: ada,
      body: { email: bea.email, orgIds: [team, ada.orgId], role: 'admin' },
    })
    expect(bulk.data.results).toEqual([
      { orgId: team, status: 'added' },
      { orgId: ada.orgId, status: 'already_member' },
    ])
    const listed = await app.call('GET', `/organization/${team}/members?search=bea`, { as: ada })
    expect(listed.data.members[0]).toMatchObject({ role: 'admin' })
    expect(listed.data.members[0].roles.map(({ name }: { name: string }) => name)).toEqual(['Admin', 'Member'])
    expect(await evidenceOf(app, team)).toContain('org.member.add')
    // A reactivated person uses a seat again; without a free seat, nothing of theirs changes.
    const second = await app.call('POST', '/organization', { as: ada, body: { name: 'Two', parentOrgId: ada.orgId } })
    const other = second.data.organization.id
    const zoe = await enrol(app, await signUp(app, 'zoe'), other)
    await app.call('PATCH', `/organization/${other}/members/${zoe.userId}/deactivate`, { as: ada })
    const before = await tokenVersionOf(app, zoe.userId)
    const tried = await app.call('POST', `/organization/${ada.orgId}/members/bulk-add`, {
      as: ada,
      body: { userId: zoe.userId, orgIds: [team] },
    })
    expect(tried.data.results).toEqual([{ orgId: team, status: 'seat_limit' }])
    expect((await membershipsIn(team)).map(({ userId }) => userId)).not.toContain(zoe.userId)
    expect(await tokenVersionOf(app, zoe.userId)).toBe(before)
  })

  it('adds to none of several organizations when one of them is not the caller’s', async () => {
    const bob = await signUp(app, 'bob')
    const cal = await enrol(app, await signUp(app, 'cal'), ada.orgId)
    const refused = await app.call('POST', `/organization/${ada.orgId}/members/bulk-add`, {
      as: ada,
      body: { userId: cal.userId, orgIds: [team, bob.orgId] },
    })
    expect(refused.status).toBe(403)
    expect((await membershipsIn(team)).map(({ userId }) => userId)).not.toContain(cal.userId)
  })

  it('refuses a tier that the usage is above, unless it is forced', async () => {
    other.setPlugins(100_000)
    const refused = await setTier(ada.orgId, 'developer')
    expect(refused).toMatchObject({ status: 409, code: 'TIER_OVER_CAP' })
    expect(refused.body.details.overages.length).toBeGreaterThan(0)
    const forced = await setTier(team, 'developer', { force: true })
    expect(forced.data).toMatchObject({ id: ada.orgId, previousTier: 'team', tier: 'developer' })
    expect(forced.data.featuresRemoved).toEqual(expect.any(Array))
    other.setPlugins(0)
    await setTier(ada.orgId, 'enterprise')
  })

  it('passes on what a removed member owned, to an active member alone', async () => {
    const dan = await enrol(app, await signUp(app, 'dan'), ada.orgId)
    const path = `/organization/${ada.orgId}/members/${dan.userId}`
    expect((await app.call('DELETE', `${path}?reassignTo=${root.userId}`, { as: ada })).status).toBe(404)
    expect((await membershipsIn(ada.orgId)).map(({ userId }) => userId)).toContain(dan.userId)
    const made = await confirmed(app, 'POST', '/auth/pats', {
      as: dan,
      body: { name: 'bound', organizationId: ada.orgId },
    })
    expect((await app.call('DELETE', `${path}?reassignTo=${ada.userId}`, { as: ada })).status).toBe(204)
    expect(other.reassigned).toEqual([[ada.orgId, dan.userId, ada.userId]])
    const bound = await store.system.read((db) => {
      const { personalAccessTokens } = credentialTables(db)
      return db.select().from(personalAccessTokens).where(eq(personalAccessTokens.id, made.data.pat.id))
    })
    expect(bound[0]?.revokedAtMs).not.toBeNull()
  })

  it('keeps at most 50 invitations pending; expired ones make room', async () => {
    const eve = await signUp(app, 'eve')
    await setTier(eve.orgId, 'enterprise')
    for (let n = 0; n < 50; n++) expect((await invite(eve, `e${n}@plumbline.test`)).status).toBe(201)
    expect(await invite(eve, 'one-more@plumbline.test')).toMatchObject({ status: 409, code: 'CONFLICT' })
    app.clock.advance(8 * DAY_MS)
    ada = await signInAgain(app, ada)
    root = await signInAgain(app, root)
    const later = await signInAgain(app, eve)
    expect((await invite(later, 'one-more@plumbline.test')).status).toBe(201)
    // The sweep stores the status that readers already saw, and leaves the live invitation unchanged.
    await runJobs(app, [sweepInvitations], ['invitation.expire'])
    const rows = await store.system.read((db) => {
      const { invitations } = identityTables(db)
      return db.select().from(invitations).where(eq(invitations.orgId, eve.orgId))
    })
    expect(rows.filter(({ status, liveKey }) => status === 'expired' && liveKey === null)).toHaveLength(50)
    expect(rows.filter(({ status }) => status === 'pending').map(({ email }) => email)).toEqual([
      'one-more@plumbline.test',
    ])
  })

  it('switches features of one person on and off', async () => {
    const path = `/admin/users/${ada.userId}/features`
    const set = await app.call('PUT', path, { as: root, body: { sso: true, audit_log: null } })
    expect(set.data).toEqual({ id: ada.userId, features: { sso: true } })
    ada = await signInAgain(app, ada)
    expect((await app.call('GET', '/auth/me', { as: ada })).data.features).toContain('sso')
    await app.call('PUT', path, { as: root, body: { sso: false } })
    ada = await signInAgain(app, ada)
    expect((await app.call('GET', '/auth/me', { as: ada })).data.features).not.toContain('sso')
    const back = await app.call('PUT', path, { as: root, body: { sso: null } })
    expect(back.data.features).toEqual({})
    expect((await app.call('PUT', path, { as: root, body: { everything: true } })).status).toBe(400)
    ada = await signInAgain(app, ada)
    expect((await app.call('PUT', path, { as: ada, body: { sso: true } })).status).toBe(403)
  })

  it('deletes an account that owns nothing, and its sign-in ends at once', async () => {
    const fay = await signUp(app, 'fay')
    const path = `/admin/users/${fay.userId}`
    expect((await app.call('DELETE', path, { as: root })).code).toBe('STEP_UP_REQUIRED')
    expect(await confirmed(app, 'DELETE', path, { as: root })).toMatchObject({ status: 409, code: 'OWNER_PROTECTED' })
    await confirmed(app, 'DELETE', `/organization/${root.orgId}`, { as: root })
    root = await signInAgain(app, root)
    const last = await confirmed(app, 'DELETE', `/admin/users/${root.userId}`, { as: root })
    expect(last).toMatchObject({ status: 409, code: 'LAST_PRIVILEGED_MEMBER' })
    expect((await confirmed(app, 'DELETE', `/organization/${fay.orgId}`, { as: fay })).status).toBe(202)
    const again = await signInAgain(app, fay)
    expect((await confirmed(app, 'DELETE', path, { as: root })).status).toBe(204)
    expect((await app.call('GET', '/auth/me', { as: again })).status).toBe(401)
    expect((await app.call('GET', path, { as: root })).status).toBe(404)
    const refresh = await app.call('POST', '/auth/refresh', { body: { refreshToken: again.refreshToken } })
    expect(refresh.status).toBe(401)
  })

  it('purges a deleted organization when its time is over, and nothing before', async () => {
    const gus = await signUp(app, 'gus')
    const hal = await enrol(app, await signUp(app, 'hal'), gus.orgId)
    await app.call('PUT', `/organization/${gus.orgId}/secrets/TOKEN`, { as: gus, body: { value: 'x' } })
    expect((await confirmed(app, 'DELETE', `/organization/${gus.orgId}`, { as: gus })).status).toBe(202)
    expect((await app.call('GET', `/organization/${gus.orgId}`, { as: hal })).status).toBe(404)
    app.clock.advance(7 * DAY_MS - 1000)
    await runJobs(app, [purgeOrganizations], ['organization.purge'])
    expect(await membershipsIn(gus.orgId)).toHaveLength(2)
    app.clock.advance(1000)
    await runJobs(app, [purgeOrganizations], ['organization.purge'])
    expect(await membershipsIn(gus.orgId)).toEqual([])
    const left = await store.system.read(async (db) => {
      const { organizations, orgSecrets, roles, users } = identityTables(db)
      return {
        organizations: await db.select().from(organizations).where(eq(organizations.id, gus.orgId)),
        secrets: await db.select().from(orgSecrets).where(eq(orgSecrets.orgId, gus.orgId)),
        roles: await db.select().from(roles).where(eq(roles.orgId, gus.orgId)),
        people: await db.select({ org: users.activeOrgId }).from(users).where(eq(users.id, gus.userId)),
      }
    })
    expect(left).toEqual({ organizations: [], secrets: [], roles: [], people: [{ org: null }] })
    // The other domain was purged until it had no rows left, before identity deleted the members.
    expect(other.purged.filter((orgId) => orgId === gus.orgId)).toHaveLength(3)
    expect(await evidenceOf(app, gus.orgId)).toContain('admin.org.delete')
    const gone = await signInAgain(app, gus)
    expect((await confirmed(app, 'POST', `/organization/${gus.orgId}/restore`, { as: gone })).status).toBe(404)
  })

  it('restores nothing of which a part may be gone', async () => {
    const ian = await signUp(app, 'ian')
    expect((await confirmed(app, 'DELETE', `/organization/${ian.orgId}`, { as: ian })).status).toBe(202)
    await store.system.write(async (tx) => {
      const { organizations } = identityTables(tx)
      await tx.update(organizations).set({ purgeAfterMs: null }).where(eq(organizations.id, ian.orgId))
    })
    const again = await signInAgain(app, ian)
    expect((await confirmed(app, 'POST', `/organization/${ian.orgId}/restore`, { as: again })).status).toBe(404)
    // The next run continues the interrupted purge.
    await runJobs(app, [purgeOrganizations], ['organization.purge'])
    expect(await membershipsIn(ian.orgId)).toEqual([])
  })
})
