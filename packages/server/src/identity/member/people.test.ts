/** Members, Roles, seats and invitations: the ceiling, the limits, and the effect of privilege changes on tokens. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import {
  confirmed,
  enrol,
  evidenceOf,
  organizationApp,
  superAdmin,
  tokenVersionOf,
} from '../../../test/support/organizations.js'
import { type IdentityApp, PASSWORD, type SignedIn, signUp, verifyAddress } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'

const tokenIn = (url: string) => new URL(url).searchParams.get('token') ?? ''

await describeStores('people of an organization', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let root: SignedIn
  let ada: SignedIn
  let team: string
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store, { settings: { BILLING_ENABLED: 'true', QUOTA_TIER_TEAM_SEATS: '4' } })
    root = await superAdmin(app, 'root')
    ada = await signUp(app, 'ada')
    await confirmed(app, 'PATCH', `/organization/${ada.orgId}/tier`, { as: root, body: { tier: 'team' } })
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    team = made.data.organization.id
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const invite = (as: SignedIn, body: object, org = as.orgId) =>
    app.call('POST', '/invitation/send', { as, body, headers: { 'x-org-id': org } })

  it('gives teams to paid tiers alone, and says how to get them', async () => {
    const poor = await signUp(app, 'poor')
    const answer = await app.call('POST', '/organization', { as: poor, body: { name: 'T', parentOrgId: poor.orgId } })
    expect(answer.status).toBe(400)
    const body = { name: 'A team', parentOrgId: poor.orgId }
    const refused = await app.call('POST', '/organization', { as: poor, body })
    expect(refused.status).toBe(403)
    expect(refused.body.details).toMatchObject({ reason: 'feature', requiredFeature: 'teams' })
  })

  it('refuses the tier unlimited while billing is on, and one that usage is above', async () => {
    const path = `/organization/${ada.orgId}/tier`
    const unlimited = await confirmed(app, 'PATCH', path, { as: root, body: { tier: 'unlimited' } })
    expect(unlimited).toMatchObject({ status: 409, code: 'CONFLICT' })
  })

  it('adds people of the account, and nobody from outside', async () => {
    const path = `/organization/${team}/members`
    const outside = await signUp(app, 'outside')
    const answer = await app.call('POST', path, { as: ada, body: { email: outside.email } })
    expect(answer).toMatchObject({ status: 404, code: 'NOT_FOUND' })
    expect(answer.body.message).toContain('invitation')
    const inside = await enrol(app, await signUp(app, 'inside'), ada.orgId)
    const added = await app.call('POST', path, { as: ada, body: { email: inside.email } })
    expect(added.data.member).toMatchObject({ id: inside.userId, role: 'member', isActive: true })
    expect((await app.call('POST', path, { as: ada, body: { userId: inside.userId } })).code).toBe('DUPLICATE_ENTRY')
    expect(await evidenceOf(app, team)).toContain('org.member.add')
    const both = await app.call('POST', path, { as: ada, body: { userId: inside.userId, email: inside.email } })
    expect(both.status).toBe(400)
  })

  it('lists members with filters and sorts, Roles and labels with them', async () => {
    const path = `/organization/${ada.orgId}/members`
    const all = await app.call('GET', `${path}?sortBy=username&sortOrder=desc`, { as: ada })
    expect(all.data.members.map(({ username }: { username: string }) => username)).toEqual(['inside', 'ada'])
    expect(all.data.members[1]).toMatchObject({ role: 'owner', isOwner: true, roles: [{ name: 'Admin' }] })
    const owners = await app.call('GET', `${path}?role=owner`, { as: ada })
    expect(owners.data.pagination.total).toBe(1)
    expect((await app.call('GET', `${path}?search=_`, { as: ada })).data.members).toEqual([])
    expect((await app.call('GET', `${path}?offset=50`, { as: ada })).data.pagination).toMatchObject({ total: 2 })
    expect((await app.call('GET', `${path}?sortBy=password`, { as: ada })).status).toBe(400)
    const exists = await app.call('GET', `${path}/${ada.userId}/exists`, { as: ada })
    expect(exists.data).toEqual({ isMember: true })
    expect((await app.call('GET', `${path}/nobody/exists`, { as: ada })).data).toEqual({ isMember: false })
  })

  it('lets nobody grant what they lack', async () => {
    const manager = await enrol(app, await signUp(app, 'manager'), ada.orgId)
    const other = await app.call('GET', `/organization/${ada.orgId}/members?search=inside`, { as: ada })
    const target = other.data.members[0].id
    const created = await app.call('POST', `/organization/${ada.orgId}/roles`, {
      as: ada,
      body: { name: 'People', permissions: ['members:manage', 'roles:manage', 'invitations:manage'] },
    })
    const roleId = created.data.role.id
    const roles = `/organization/${ada.orgId}/roles`
    const given = await confirmed(app, 'POST', `${roles}/${roleId}/members`, {
      as: ada,
      body: { userId: manager.userId },
    })
    expect(given.status).toBe(200)
    // Uses the token from before the Role was given.
    const as = manager
    const list = await app.call('GET', roles, { as })
    const adminRole = list.data.roles.find(({ name }: { name: string }) => name === 'Admin')
    const ceiling = { reason: 'ceiling' }
    const attempts = [
      await app.call('PATCH', `/organization/${ada.orgId}/members/${target}`, { as, body: { role: 'admin' } }),
      await app.call('POST', `${roles}/${adminRole.id}/members`, { as, body: { userId: manager.userId } }),
      await app.call('POST', roles, { as, body: { name: 'More', permissions: ['org:settings'] } }),
      await app.call('PUT', `${roles}/${roleId}`, { as, body: { permissions: ['org:settings'] } }),
      await invite(as, { email: 'friend@plumbline.test', role: 'admin' }, ada.orgId),
      await invite(as, { email: 'friend@plumbline.test', roleIds: [adminRole.id] }, ada.orgId),
      await app.call('POST', `/organization/${ada.orgId}/members/bulk-add`, {
        as,
        body: { userId: target, orgIds: [ada.orgId], role: 'admin' },
      }),
      await app.call('POST', `/organization/${ada.orgId}/members`, { as, body: { userId: target, role: 'admin' } }),
      await app.call('DELETE', `${roles}/${adminRole.id}/members/${ada.userId}`, { as }),
    ]
    expect(attempts.map(({ status, body }) => [status, body.details?.reason])).toEqual(
      attempts.map(() => [403, ceiling.reason]),
    )
    const registry = await app.call('POST', roles, { as: root, body: { name: 'Reg', permissions: ['registry:read'] } })
    expect(registry.body.details).toMatchObject({ reason: 'not-assignable' })
    const builtIn = await app.call('PUT', `${roles}/${adminRole.id}`, { as: ada, body: { name: 'Boss' } })
    expect(builtIn).toMatchObject({ status: 409, code: 'SYSTEM_ROLE_IMMUTABLE' })
    expect((await app.call('DELETE', `${roles}/${adminRole.id}`, { as: ada })).code).toBe('SYSTEM_ROLE_IMMUTABLE')
    const foreign = await confirmed(app, 'POST', `${roles}/${roleId}/members`, {
      as: ada,
      body: { userId: root.userId },
    })
    expect(foreign.status).toBe(404)
    expect((await app.call('DELETE', `${roles}/${roleId}?ifUnused=true`, { as: ada })).status).toBe(409)
    expect((await app.call('DELETE', `${roles}/${roleId}`, { as: ada })).status).toBe(204)
    // The permissions of the Role are gone at the next request of the same token, and the token stays valid.
    expect((await app.call('GET', `/organization/${ada.orgId}/members`, { as: manager })).status).toBe(200)
    expect((await app.call('POST', roles, { as: manager, body: { name: 'Late', permissions: [] } })).status).toBe(403)
  })

  it('pools seats over the tree: members, teams and pending invitations', async () => {
    // ada, inside, manager: three of four seats.
    const first = await invite(ada, { email: 'fourth@plumbline.test' })
    expect(first.status).toBe(201)
    expect(first.data).toMatchObject({ emailSent: false, invitation: { status: 'pending' } })
    const full = await invite(ada, { email: 'fifth@plumbline.test' })
    expect(full).toMatchObject({ status: 403, code: 'SEAT_LIMIT' })
    expect(full.body.details).toEqual({ used: 4, limit: 4 })
    expect((await invite(ada, { email: 'FOURTH@plumbline.test' })).code).toBe('DUPLICATE_ENTRY')
    const id = first.data.invitation.id
    expect((await app.call('DELETE', `/invitation/${id}`, { as: ada })).status).toBe(204)
    expect((await app.call('DELETE', `/invitation/${id}`, { as: ada })).status).toBe(409)
    const view = await app.call('GET', `/invitation/${tokenIn(first.data.acceptUrl)}`)
    expect(view.data).toMatchObject({ status: 'revoked', email: 'f***@plumbline.test' })
    const body = { token: tokenIn(first.data.acceptUrl), username: 'late', password: PASSWORD }
    expect((await app.call('POST', '/invitation/accept-new', { body })).code).toBe('INVITATION_REVOKED')
  })

  it('accepts with a new account, whose address the inviter could not vouch for', async () => {
    const sent = await invite(ada, { email: 'nina@plumbline.test', message: 'hello' })
    const token = tokenIn(sent.data.acceptUrl)
    const stored = await store.system.read((db) => db.select().from(identityTables(db).invitations))
    expect(JSON.stringify(stored)).not.toContain(token)
    const body = { token, username: 'nina', password: PASSWORD }
    const weak = await app.call('POST', '/invitation/accept-new', { body: { ...body, password: 'short' } })
    expect(weak.status).toBe(400)
    const joined = await app.call('POST', '/invitation/accept-new', { body })
    expect(joined.status).toBe(201)
    expect(joined.data).toMatchObject({ organization: { id: ada.orgId }, user: { isEmailVerified: false } })
    const again = await app.call('POST', '/invitation/accept-new', { body: { ...body, username: 'nina2' } })
    expect(again).toMatchObject({ status: 410, code: 'INVITATION_ACCEPTED' })
    expect(await evidenceOf(app, ada.orgId)).toEqual(expect.arrayContaining(['invitation.send', 'invitation.accept']))
  })

  it('frees and takes seats by activation', async () => {
    const members = await app.call('GET', `/organization/${ada.orgId}/members`, { as: ada })
    const nina = members.data.members.find(({ username }: { username: string }) => username === 'nina')
    const path = `/organization/${ada.orgId}/members/${nina.id}`
    const before = await tokenVersionOf(app, nina.id)
    expect((await app.call('PATCH', `${path}/deactivate`, { as: ada })).data.member.isActive).toBe(false)
    expect((await app.call('PATCH', `${path}/deactivate`, { as: ada })).status).toBe(200)
    expect(await tokenVersionOf(app, nina.id)).toBe(before + 1)
    expect((await invite(ada, { email: 'takes@plumbline.test' })).status).toBe(201)
    expect((await app.call('PATCH', `${path}/activate`, { as: ada })).code).toBe('SEAT_LIMIT')
    expect((await app.call('DELETE', path, { as: ada })).status).toBe(204)
    const self = await app.call('PATCH', `/organization/${ada.orgId}/members/${ada.userId}/deactivate`, { as: ada })
    expect(self.code).toBe('OWNER_PROTECTED')
    expect((await app.call('DELETE', `/organization/${ada.orgId}/members/${ada.userId}`, { as: ada })).code).toBe(
      'OWNER_PROTECTED',
    )
  })

  it('lets an invitation be accepted by the owner of the verified address alone', async () => {
    const zed = await signUp(app, 'zed')
    await confirmed(app, 'PATCH', `/organization/${zed.orgId}/tier`, { as: root, body: { tier: 'enterprise' } })
    const yan = await signUp(app, 'yan')
    const eli = await signUp(app, 'eli')
    const invitee = { email: yan.email, role: 'admin' }
    const sent = await confirmed(app, 'POST', '/invitation/send', { as: zed, body: invitee })
    const body = { token: tokenIn(sent.data.acceptUrl) }
    // A proved address of their own does not let a person accept another person's invitation.
    await verifyAddress(app, eli.userId)
    expect((await app.call('POST', '/invitation/accept', { as: eli, body })).status).toBe(403)
    expect((await app.call('POST', '/invitation/accept', { as: yan, body })).status).toBe(403)
    await verifyAddress(app, yan.userId)
    const accepted = await app.call('POST', '/invitation/accept', { as: yan, body })
    expect(accepted.data).toMatchObject({ organization: { id: zed.orgId }, membership: { role: 'admin' } })
    // Joining signs nobody out, but leaving does.
    expect((await app.call('POST', '/invitation/accept', { as: yan, body })).status).toBe(200)
    const left = await app.call('DELETE', `/organization/${zed.orgId}/members/${yan.userId}`, { as: yan })
    expect(left.status).toBe(204)
    expect((await app.call('GET', '/auth/me', { as: yan })).code).toBe('TOKEN_REVOKED')
  })

  it('kills the old link when it is sent again, five times a day, and lets it be declined', async () => {
    const zoe = await signUp(app, 'zoe')
    await confirmed(app, 'PATCH', `/organization/${zoe.orgId}/tier`, { as: root, body: { tier: 'enterprise' } })
    const sent = await invite(zoe, { email: 'new@plumbline.test' })
    const path = `/invitation/${sent.data.invitation.id}/resend`
    let last = sent.data.acceptUrl
    for (let n = 0; n < 5; n++) {
      const again = await app.call('POST', path, { as: zoe })
      expect(again.status).toBe(200)
      expect((await app.call('GET', `/invitation/${tokenIn(last)}`)).status).toBe(404)
      last = again.data.acceptUrl
    }
    const sixth = await app.call('POST', path, { as: zoe })
    expect(sixth).toMatchObject({ status: 429, code: 'RATE_LIMIT_EXCEEDED' })
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await app.call('GET', `/invitation/${tokenIn(last)}`)).data.status).toBe('pending')
    expect((await app.call('POST', '/invitation/decline', { body: { token: tokenIn(last) } })).status).toBe(204)
    const body = { token: tokenIn(last), username: 'newbie', password: PASSWORD }
    expect((await app.call('POST', '/invitation/accept-new', { body })).code).toBe('INVITATION_DECLINED')
    const listed = await app.call('GET', '/invitation?status=declined', { as: zoe })
    expect(listed.data.pagination.total).toBe(1)
  })

  it('expires by the clock, at read', async () => {
    const kim = await signUp(app, 'kim')
    await confirmed(app, 'PATCH', `/organization/${kim.orgId}/tier`, { as: root, body: { tier: 'enterprise' } })
    const sent = await invite(kim, { email: 'slow@plumbline.test' })
    await store.system.write(async (tx) => {
      const { invitations } = identityTables(tx)
      await tx
        .update(invitations)
        .set({ expiresAtMs: app.clock.now() })
        .where(eq(invitations.id, sent.data.invitation.id))
    })
    const token = tokenIn(sent.data.acceptUrl)
    expect((await app.call('GET', `/invitation/${token}`)).data.status).toBe('expired')
    const body = { token, username: 'slow', password: PASSWORD }
    expect((await app.call('POST', '/invitation/accept-new', { body })).code).toBe('INVITATION_EXPIRED')
    expect((await invite(kim, { email: 'slow@plumbline.test' })).status).toBe(201)
    const resent = await app.call('POST', `/invitation/${sent.data.invitation.id}/resend`, { as: kim })
    expect(resent.code).toBe('DUPLICATE_ENTRY')
  })
})
