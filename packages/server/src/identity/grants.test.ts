/**
 * What nobody can achieve by a detour: rights beyond their own, access beyond their organization, or skipping a
 * step-up.
 */
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../test/support/describe-stores.js'
import {
  confirmed,
  enrol,
  giveCustomRole,
  organizationApp,
  signInAgain,
  stepUp,
  superAdmin,
} from '../../test/support/organizations.js'
import { type IdentityApp, PASSWORD, type SignedIn, signUp, verifyAddress } from '../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../runtime/ids.js'
import type { Store } from '../runtime/store/db.js'
import { identityTables } from './tables.js'

const tokenIn = (url: string) => new URL(url).searchParams.get('token') ?? ''

await describeStores('grants by a detour', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let root: SignedIn
  let ada: SignedIn
  let team: string
  /** A member of Ada's organization who has only a custom Role. */
  let staff: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store)
    root = await superAdmin(app, 'root')
    ada = await signUp(app, 'ada')
    staff = await enrol(app, await signUp(app, 'staff'), ada.orgId)
    await giveCustomRole(app, ada.orgId, staff.userId, ['members:manage', 'invitations:manage', 'org:settings'])
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    team = made.data.organization.id
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const inOrg = (orgId: string) => ({ 'x-org-id': orgId })
  const pat = async (as: SignedIn, body: object = {}): Promise<string> =>
    (await confirmed(app, 'POST', '/auth/pats', { as, body: { name: 'ci', ...body } })).data.token

  it('an invitation with a Role is sent again only by somebody who holds what the Role grants', async () => {
    const role = await app.call('POST', `/organization/${ada.orgId}/roles`, {
      as: ada,
      body: { name: 'Auditors', permissions: ['audit:read'] },
    })
    const sent = await confirmed(app, 'POST', '/invitation/send', {
      as: ada,
      headers: inOrg(ada.orgId),
      body: { email: 'auditor@plumbline.test', roleIds: [role.data.role.id] },
    })
    const path = `/invitation/${sent.data.invitation.id}/resend`
    const refused = await app.call('POST', path, { as: staff, headers: inOrg(ada.orgId) })
    expect(refused).toMatchObject({ status: 403, body: { details: { reason: 'ceiling', exceeds: ['audit:read'] } } })
    expect((await confirmed(app, 'POST', path, { as: ada, headers: inOrg(ada.orgId) })).status).toBe(200)
    // A deleted Role grants nothing, so it does not prevent the grant.
    await app.call('DELETE', `/organization/${ada.orgId}/roles/${role.data.role.id}`, { as: ada })
    expect((await app.call('POST', path, { as: staff, headers: inOrg(ada.orgId) })).status).toBe(200)
  })

  it('a Role of another organization is given to nobody, no matter who holds what it grants', async () => {
    const bob = await signUp(app, 'bob')
    const role = await app.call('POST', `/organization/${bob.orgId}/roles`, {
      as: bob,
      body: { name: 'Readers', permissions: ['pipelines:read'] },
    })
    const roleIds = [role.data.role.id]
    const unknown = { path: '/body/roleIds', message: expect.stringContaining(roleIds[0]), code: 'unknown_role' }
    const answers = [
      await app.call('POST', '/invitation/send', {
        as: ada,
        headers: inOrg(ada.orgId),
        body: { email: 'reader@plumbline.test', roleIds },
      }),
      await app.call('POST', `/organization/${team}/members`, { as: ada, body: { userId: staff.userId, roleIds } }),
    ]
    for (const answer of answers)
      expect(answer).toMatchObject({ status: 400, body: { details: { issues: [unknown] } } })
  })

  it('a stolen session gives nobody more than a member holds', async () => {
    const guest = await enrol(app, await signUp(app, 'guest'), ada.orgId)
    const at = `/organization/${ada.orgId}`
    const made = await app.call('POST', `${at}/roles`, {
      as: ada,
      body: { name: 'Growing', permissions: ['audit:read'] },
    })
    const listed = await app.call('GET', `${at}/roles`, { as: ada })
    const admin = listed.data.roles.find(({ name }: { name: string }) => name === 'Admin')
    const growing = made.data.role.id
    const mate = { userId: guest.userId }
    const grants: [method: string, path: string, body: object][] = [
      ['POST', '/invitation/send', { email: 'thief@plumbline.test', role: 'admin' }],
      ['POST', '/invitation/send', { email: 'thief@plumbline.test', roleIds: [growing] }],
      ['POST', `/organization/${team}/members`, { ...mate, role: 'admin' }],
      ['POST', `${at}/members/bulk-add`, { ...mate, role: 'admin', orgIds: [team] }],
      ['PATCH', `${at}/members/${guest.userId}`, { role: 'admin' }],
      ['POST', `${at}/roles/${admin.id}/members`, mate],
      ['POST', `${at}/roles/${growing}/members`, mate],
      ['PUT', `${at}/roles/${growing}`, { permissions: ['audit:read', 'quotas:read'] }],
    ]
    const there = { as: ada, headers: inOrg(ada.orgId) }
    for (const [method, path, body] of grants) {
      const refused = await app.call(method, path, { ...there, body })
      expect(refused, `${method} ${path}`).toMatchObject({ status: 401, code: 'STEP_UP_REQUIRED' })
      const given = await confirmed(app, method, path, { ...there, body })
      expect(given.code, `${method} ${path}`).not.toBe('STEP_UP_REQUIRED')
    }
    // Rights that every member has need no step-up, and neither does a change that adds none.
    const plain = await app.call('POST', '/invitation/send', { ...there, body: { email: 'friend@plumbline.test' } })
    expect(plain.status).toBe(201)
    const renamed = await app.call('PUT', `${at}/roles/${growing}`, {
      ...there,
      body: { name: 'Grown', permissions: ['audit:read'] },
    })
    expect(renamed.status).toBe(200)
  })

  it('an answer to a confirmed grant is told again to anyone who confirms, or brings the same confirmation', async () => {
    const body = { email: 'once@plumbline.test', role: 'admin' }
    const headers = { ...inOrg(ada.orgId), 'idempotency-key': 'grant-1' }
    const first = await stepUp(app, ada)
    const sent = await app.call('POST', '/invitation/send', { as: ada, body, headers: { ...headers, ...first } })
    expect(sent.status).toBe(201)
    const again = await app.call('POST', '/invitation/send', { as: ada, body, headers: { ...headers, ...first } })
    expect(again.data).toEqual(sent.data)
    const bare = await app.call('POST', '/invitation/send', { as: ada, body, headers })
    expect(bare.code).toBe('STEP_UP_REQUIRED')
    const fresh = { ...headers, ...(await stepUp(app, ada)) }
    expect((await app.call('POST', '/invitation/send', { as: ada, body, headers: fresh })).data).toEqual(sent.data)
  })

  it('a Role that shrinks meanwhile is not grown back without a confirmation', async () => {
    const roles = `/organization/${ada.orgId}/roles`
    const made = await app.call('POST', roles, {
      as: ada,
      body: { name: 'Racing', permissions: ['audit:read', 'quotas:read'] },
    })
    const path = `${roles}/${made.data.role.id}`
    // Compared with the revision that both read, neither adds rights. Executed second, the other one would add rights
    // to the result of the first.
    const [shrinking, staying] = await Promise.all([
      app.call('PUT', path, { as: ada, body: { permissions: ['quotas:read'] } }),
      app.call('PUT', path, { as: ada, body: { permissions: ['audit:read', 'quotas:read'] } }),
    ])
    expect(shrinking.status).toBe(200)
    expect([200, 409]).toContain(staying.status)
    const listed = await app.call('GET', roles, { as: ada })
    const role = listed.data.roles.find(({ name }: { name: string }) => name === 'Racing')
    expect(role.permissions).toEqual(['quotas:read'])
  })

  it('a membership with Admin is activated only by somebody who holds what Admin grants', async () => {
    const former = await enrol(app, await signUp(app, 'former'), ada.orgId, ['Member', 'Admin'])
    const path = `/organization/${ada.orgId}/members/${former.userId}`
    expect((await app.call('PATCH', `${path}/deactivate`, { as: ada })).status).toBe(200)
    const refused = await app.call('PATCH', `${path}/activate`, { as: staff, headers: inOrg(ada.orgId) })
    expect(refused).toMatchObject({ status: 403, body: { details: { reason: 'ceiling' } } })
    const activated = await confirmed(app, 'PATCH', `${path}/activate`, { as: ada })
    expect(activated.data.member).toMatchObject({ isActive: true })
  })

  it('a service principal reaches the teams only when an administrator of the account lets it', async () => {
    const path = `/organization/${ada.orgId}/service-principals`
    const body = { name: 'reader', scopes: ['pipelines:read'], includeTeams: true }
    const ceiling = { status: 403, body: { details: { reason: 'ceiling' } } }
    expect(await confirmed(app, 'POST', path, { as: staff, body })).toMatchObject(ceiling)
    const own = await confirmed(app, 'POST', path, { as: staff, body: { ...body, includeTeams: false } })
    expect(own.status).toBe(201)
    const at = `${path}/${own.data.servicePrincipal.id}`
    const wider = { body: { includeTeams: true } }
    expect(await confirmed(app, 'PATCH', at, { as: staff, ...wider })).toMatchObject(ceiling)
    // A stolen session must not widen a principal.
    for (const body of [wider.body, { scopes: ['pipelines:read', 'plugins:read'] }]) {
      expect((await app.call('PATCH', at, { as: ada, body })).code).toBe('STEP_UP_REQUIRED')
    }
    expect((await app.call('PATCH', at, { as: ada, body: { scopes: ['pipelines:read'] } })).status).toBe(200)
    expect((await confirmed(app, 'PATCH', at, { as: ada, ...wider })).status).toBe(200)
    // A person who gets the secret would get the reach.
    expect(await confirmed(app, 'POST', `${at}/rotate`, { as: staff })).toMatchObject(ceiling)
    const rotated = await confirmed(app, 'POST', `${at}/rotate`, { as: ada })
    const { clientId } = rotated.data.servicePrincipal
    const token = await app.call('POST', '/auth/token', {
      body: { grant_type: 'client_credentials', clientId, clientSecret: rotated.data.clientSecret },
    })
    const principal = await app.identity.authenticator.authenticate(
      new Headers({ authorization: `Bearer ${token.data.accessToken}` }),
      'GET',
    )
    const reached = await app.identity.authenticator.authority(principal, 'path', team)
    expect([reached.org?.id, [...reached.scopes]]).toEqual([team, ['pipelines:read']])
  })

  it('Super Admin is not ended by way of the membership that it rests on', async () => {
    const clerk = await signInAgain(app, await enrol(app, await signUp(app, 'clerk'), SYSTEM_ORG_ID, ['Admin']))
    const other = await superAdmin(app, 'other')
    const path = `/organization/${SYSTEM_ORG_ID}/members/${other.userId}`
    for (const as of [clerk, root]) {
      expect(await app.call('PATCH', `${path}/deactivate`, { as })).toMatchObject({ status: 409, code: 'CONFLICT' })
      expect(await app.call('DELETE', path, { as })).toMatchObject({ status: 409, code: 'CONFLICT' })
    }
    expect((await app.call('GET', '/admin/users', { as: other })).status).toBe(200)
    // A holder of Super Admin can leave, and then no longer has it.
    expect((await app.call('DELETE', path, { as: other })).status).toBe(204)
    expect((await app.call('GET', '/admin/users', { as: await signInAgain(app, other) })).status).toBe(403)
  })

  it('a personal access token stays in its organization', async () => {
    const token = await pat(ada, { organizationId: ada.orgId })
    const friend = await enrol(app, await signUp(app, 'friend'), ada.orgId)
    const bulk = (orgIds: string[]) =>
      app.call('POST', `/organization/${ada.orgId}/members/bulk-add`, {
        as: token,
        body: { userId: friend.userId, orgIds },
      })
    expect((await bulk([ada.orgId, team])).status).toBe(403)
    expect((await bulk([ada.orgId])).data.results).toEqual([{ orgId: ada.orgId, status: 'already_member' }])
    const second = await app.call('POST', '/organization', { as: ada, body: { name: 'Second' } })
    const foreign = second.data.organization.id
    expect((await app.call('GET', `/organization/${foreign}`, { as: ada })).status).toBe(200)
    expect((await app.call('GET', `/organization/${foreign}`, { as: token })).status).toBe(404)
    expect((await app.call('GET', '/organization', { as: token, headers: inOrg(foreign) })).code).toBe('ORG_MISMATCH')
    const below = (parentOrgId: string) =>
      app.call('POST', '/organization', { as: token, body: { name: 'Below', parentOrgId } })
    expect((await below(foreign)).status).toBe(400)
    expect((await below(ada.orgId)).status).toBe(201)
  })

  it('a personal access token neither joins an organization nor leaves one', async () => {
    const kim = await enrol(app, await signUp(app, 'kim'), ada.orgId)
    await verifyAddress(app, kim.userId)
    const narrow = await pat(kim, { organizationId: ada.orgId, permissions: ['pipelines:read'] })
    const leave = `/organization/${ada.orgId}/members/${kim.userId}`
    expect((await app.call('DELETE', leave, { as: narrow })).status).toBe(403)
    // A token with all permissions of its person cannot end the membership either.
    const whole = await pat(kim, { organizationId: ada.orgId })
    expect((await app.call('DELETE', leave, { as: whole })).status).toBe(403)
    const other = await signUp(app, 'host')
    const sent = await app.call('POST', '/invitation/send', { as: other, body: { email: kim.email } })
    const body = { token: tokenIn(sent.data.acceptUrl) }
    expect((await app.call('POST', '/invitation/accept', { as: narrow, body })).status).toBe(403)
    expect((await app.call('POST', '/invitation/accept', { as: kim, body })).status).toBe(200)
    expect((await app.call('DELETE', leave, { as: await signInAgain(app, kim) })).status).toBe(204)
  })

  it('a link that an administrator saw sets a password and proves no address', async () => {
    const made = await app.call('POST', '/admin/users', {
      as: root,
      body: { username: 'seen', email: 'seen@plumbline.test' },
    })
    const body = { token: tokenIn(made.data.resetUrl), password: PASSWORD }
    expect((await app.call('POST', '/auth/password/reset', { body })).status).toBe(204)
    const login = await app.call('POST', '/auth/login', { body: { identifier: 'seen', password: PASSWORD } })
    expect(login.data.user).toMatchObject({ username: 'seen', isEmailVerified: false })
  })

  it('a Role of a parent gives nothing in a team, but Admin does; membership in a team gives nothing above', async () => {
    const reader = await enrol(app, await signUp(app, 'reader'), ada.orgId)
    await giveCustomRole(app, ada.orgId, reader.userId, ['org:settings', 'roles:manage', 'audit:read'])
    expect((await app.call('GET', `/organization/${team}`, { as: reader })).status).toBe(404)
    // The right to manage members reaches the members of the team, and nothing else of it.
    expect((await app.call('GET', `/organization/${team}`, { as: staff })).status).toBe(403)
    expect((await app.call('GET', `/organization/${team}/members`, { as: staff })).status).toBe(200)
    expect((await app.call('GET', `/organization/${team}/roles`, { as: staff })).status).toBe(403)
    expect((await app.call('GET', '/organization', { as: staff, headers: inOrg(team) })).code).toBe('ORG_MISMATCH')
    const chief = await enrol(app, await signUp(app, 'chief'), ada.orgId, ['Admin'])
    expect((await app.call('GET', `/organization/${team}/roles`, { as: chief })).status).toBe(200)
    const child = await enrol(app, await signUp(app, 'child'), team, ['Admin'])
    expect((await app.call('GET', `/organization/${ada.orgId}`, { as: child })).status).toBe(404)
    const header = await app.call('GET', '/organization', { as: child, headers: inOrg(ada.orgId) })
    expect(header).toMatchObject({ status: 403, code: 'ORG_MISMATCH' })
  })

  it('who acts as somebody else can make no credential, confirm nothing, and not stay', async () => {
    const body = { reason: 'a question of support', readOnly: false }
    const peer = await superAdmin(app, 'peer')
    const asPeer = await confirmed(app, 'POST', `/admin/impersonate/${peer.userId}`, { as: root, body })
    expect(asPeer).toMatchObject({ status: 409, code: 'CONFLICT' })
    const acting = await confirmed(app, 'POST', `/admin/impersonate/${ada.userId}`, { as: root, body })
    const as = acting.data.accessToken as string
    expect((await app.call('GET', '/organization', { as })).data.organization.ownerId).toBe(ada.userId)
    for (const [method, path, sent] of [
      ['POST', '/auth/step-up', { method: 'password', password: PASSWORD }],
      ['GET', '/auth/pats'],
      ['GET', '/auth/sessions'],
      ['PATCH', '/auth/me', { username: 'stolen' }],
      ['POST', '/auth/switch-org', { organizationId: ada.orgId }],
      ['POST', '/auth/logout', {}],
    ] as const) {
      expect([path, (await app.call(method, path, { as, body: sent })).status]).toEqual([path, 403])
    }
    expect((await app.call('DELETE', `/organization/${ada.orgId}`, { as })).code).toBe('STEP_UP_REQUIRED')
    // The impersonation depends on the administrator's session.
    const again = await signInAgain(app, root)
    const second = await confirmed(app, 'POST', `/admin/impersonate/${ada.userId}`, { as: again, body })
    expect((await app.call('POST', '/auth/logout', { as: again, body: {} })).status).toBe(204)
    expect((await app.call('GET', '/organization', { as: second.data.accessToken })).status).toBe(401)
  })

  it('Super Admin is given and taken by the user administration alone, by whomever it is tried', async () => {
    const list = await app.call('GET', `/organization/${SYSTEM_ORG_ID}/roles`, { as: root })
    const role = list.data.roles.find(({ name }: { name: string }) => name === 'Super Admin')
    const person = await enrol(app, await signUp(app, 'pretender'), SYSTEM_ORG_ID)
    const members = `/organization/${SYSTEM_ORG_ID}/roles/${role.id}/members`
    const given = await app.call('POST', members, { as: root, body: { userId: person.userId } })
    expect(given).toMatchObject({ status: 403, body: { details: { reason: 'not-assignable' } } })
    const taken = await app.call('DELETE', `${members}/${root.userId}`, { as: root })
    expect(taken).toMatchObject({ status: 403, body: { details: { reason: 'not-assignable' } } })
    const invited = await app.call('POST', '/invitation/send', {
      as: root,
      headers: inOrg('system'),
      body: { email: 'pretender2@plumbline.test', roleIds: [role.id] },
    })
    expect(invited.status).toBe(403)
  })

  it('lists and finds nothing of another organization, whatever id is sent', async () => {
    const mine = await signUp(app, 'mine')
    const theirs = await signUp(app, 'canary')
    for (const as of [mine, theirs]) {
      const at = `/organization/${as.orgId}`
      await app.call('PUT', `${at}/secrets/${as.username.toUpperCase()}`, { as, body: { value: 'x' } })
      await app.call('POST', `${at}/roles`, { as, body: { name: `${as.username} Role`, permissions: ['quotas:read'] } })
      await app.call('POST', '/invitation/send', { as, body: { email: `to-${as.username}@plumbline.test` } })
      const body = { name: `${as.username}-machine`, scopes: ['pipelines:read'] }
      expect((await confirmed(app, 'POST', `${at}/service-principals`, { as, body })).status).toBe(201)
    }
    const read = (as: SignedIn, org: string) =>
      Promise.all([
        app.call('GET', `/organization/${org}/secrets`, { as }),
        app.call('GET', `/organization/${org}/roles`, { as }),
        app.call('GET', `/organization/${org}/service-principals`, { as }),
        app.call('GET', `/organization/${org}/members`, { as }),
        app.call('GET', '/invitation', { as, headers: inOrg(org) }),
      ])
    const own = await read(theirs, theirs.orgId)
    expect(own.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
    for (const { body } of own) expect(JSON.stringify(body).toLowerCase()).toContain('canary')
    for (const { body } of await read(mine, mine.orgId)) {
      expect(JSON.stringify(body).toLowerCase()).not.toContain('canary')
    }
    const foreign = await read(mine, theirs.orgId)
    expect(foreign.map(({ status }) => status)).toEqual([404, 404, 404, 404, 403])
    // Under the own path, ids of another organization are not found.
    const [, roles, machines, , invitations] = own
    const roleId = roles?.data.roles.find(({ builtIn }: { builtIn: boolean }) => !builtIn).id
    const at = `/organization/${mine.orgId}`
    const machine = `${at}/service-principals/${machines?.data.servicePrincipals[0].id}`
    const invitation = `/invitation/${invitations?.data.invitations[0].id}`
    const tries = [
      await app.call('PUT', `${at}/roles/${roleId}`, { as: mine, body: { name: 'Taken' } }),
      await app.call('DELETE', `${at}/roles/${roleId}`, { as: mine }),
      await app.call('POST', `${at}/roles/${roleId}/members`, { as: mine, body: { userId: mine.userId } }),
      await app.call('PATCH', machine, { as: mine, body: { disabled: true } }),
      await confirmed(app, 'POST', `${machine}/rotate`, { as: mine }),
      await app.call('DELETE', machine, { as: mine }),
      await app.call('POST', `${invitation}/resend`, { as: mine }),
      await app.call('DELETE', invitation, { as: mine }),
      await app.call('DELETE', `${at}/secrets/CANARY`, { as: mine }),
      await app.call('DELETE', `${at}/members/${theirs.userId}`, { as: mine }),
      await app.call('PATCH', `${at}/members/${theirs.userId}/deactivate`, { as: mine }),
    ]
    expect(tries.map(({ status }) => status)).toEqual(tries.map(() => 404))
    expect((await read(theirs, theirs.orgId)).map(({ data }) => data)).toEqual(own.map(({ data }) => data))
  })

  it('an invitation that has expired or was revoked lets in nobody who is signed in', async () => {
    const host = await signUp(app, 'host3')
    const late = await signUp(app, 'late')
    await verifyAddress(app, late.userId)
    const accept = async (change: { expiresAtMs: number } | null) => {
      const sent = await app.call('POST', '/invitation/send', { as: host, body: { email: late.email } })
      const { id } = sent.data.invitation
      if (change === null) await app.call('DELETE', `/invitation/${id}`, { as: host })
      else {
        await store.system.write(async (tx) => {
          const { invitations } = identityTables(tx)
          await tx.update(invitations).set(change).where(eq(invitations.id, id))
        })
      }
      return app.call('POST', '/invitation/accept', { as: late, body: { token: tokenIn(sent.data.acceptUrl) } })
    }
    expect((await accept(null)).code).toBe('INVITATION_REVOKED')
    // It ends at its expiry, whether or not it was swept.
    expect((await accept({ expiresAtMs: app.clock.now() })).code).toBe('INVITATION_EXPIRED')
    expect((await accept({ expiresAtMs: app.clock.now() + 1 })).status).toBe(200)
  })

  it('an invitation whose organization was deleted lets nobody in', async () => {
    const host = await signUp(app, 'host2')
    const sent = await app.call('POST', '/invitation/send', { as: host, body: { email: 'guest@plumbline.test' } })
    const body = { token: tokenIn(sent.data.acceptUrl), username: 'guest', password: PASSWORD }
    expect((await confirmed(app, 'DELETE', `/organization/${host.orgId}`, { as: host })).status).toBe(202)
    expect((await app.call('POST', '/invitation/accept-new', { body })).status).toBe(404)
    expect((await app.call('GET', `/invitation/${body.token}`)).status).toBe(404)
    // The same in a team that was deleted alone.
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Short', parentOrgId: ada.orgId } })
    const short = made.data.organization.id
    const toTeam = await app.call('POST', '/invitation/send', {
      as: ada,
      headers: inOrg(short),
      body: { email: 'guest2@plumbline.test' },
    })
    expect((await confirmed(app, 'DELETE', `/organization/${short}`, { as: ada })).status).toBe(202)
    ada = await signInAgain(app, ada)
    const second = { token: tokenIn(toTeam.data.acceptUrl), username: 'guest2', password: PASSWORD }
    expect((await app.call('POST', '/invitation/accept-new', { body: second })).status).toBe(404)
    const rows = await store.system.read((db) => {
      const { memberships } = identityTables(db)
      return db
        .select()
        .from(memberships)
        .where(and(eq(memberships.orgId, host.orgId), eq(memberships.isActive, true)))
    })
    expect(rows.map(({ userId }) => userId)).toEqual([host.userId])
  })
})
