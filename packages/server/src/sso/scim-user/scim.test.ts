/** Directories by SCIM: the dialects of Entra and Okta, the examples of the RFC, refusals, and removed people. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { describeStores } from '../../../test/support/describe-stores.js'
import { confirmed, enrol, evidenceOf } from '../../../test/support/organizations.js'
import { type Directory, directoryOf, newToken, PATCH } from '../../../test/support/scim.js'
import { signIn, signUp, verifyAddress } from '../../../test/support/sign-in.js'
import { provenDomain, type SsoApp, ssoApp } from '../../../test/support/sso.js'
import { credentialTables, provisioningTables } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import type { Store } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'

await describeStores('a directory', ['SQLite', 'PostgreSQL'], (open, on) => {
  let store: Store & { close(): Promise<void> }
  let app: SsoApp
  let acme: Directory
  let beta: Directory
  beforeAll(async () => {
    store = (await open()) as typeof store
    app = await ssoApp(store, { settings: { BILLING_ENABLED: 'true', DEFAULT_QUOTA_TIER: 'enterprise' } })
    acme = await directoryOf(app, 'ann', 'acme.test')
    beta = await directoryOf(app, 'bea', 'beta.test')
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await store.close()
  })

  const rolesOf = async (email: string): Promise<string[]> => {
    const { data } = await app.call('GET', `/organization/${acme.orgId}/members?limit=100&search=${email}`, {
      as: acme.admin,
    })
    return (data.members[0]?.roles ?? []).map(({ name }: { name: string }) => name).sort()
  }
  const isActive = async (email: string) => {
    const { data } = await app.call('GET', `/organization/${acme.orgId}/members?limit=100&search=${email}`, {
      as: acme.admin,
    })
    return data.members[0]?.isActive
  }

  it('says what it speaks, in its own media type and errors', async () => {
    const config = await acme.call('GET', '/ServiceProviderConfig')
    expect([config.status, config.type]).toEqual([200, 'application/scim+json'])
    expect(config.body).toMatchObject({ patch: { supported: true }, bulk: { supported: false } })
    expect((await acme.call('GET', '/ResourceTypes')).body.totalResults).toBe(2)
    expect((await acme.call('GET', '/Schemas')).body.Resources.map(({ name }: { name: string }) => name)).toEqual([
      'User',
      'Group',
    ])
    const missing = await acme.call('GET', '/Users/2819c223-7f76-453a-919d-413861904646')
    expect([missing.status, missing.type]).toEqual([404, 'application/scim+json'])
    const headers = { authorization: `Bearer ${acme.token}`, 'content-type': 'text/plain' }
    const other = await app.http.request('/api/scim/v2/Users', { method: 'POST', headers, body: '{}' })
    const { detail, details } = (await other.json()) as { detail: string; details: object }
    expect([other.status, detail]).toEqual([415, 'send the body as `Content-Type: application/scim+json`'])
    expect(details).toEqual({ accepted: ['application/scim+json', 'application/json'] })
    expect(missing.body).toEqual({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
      status: '404',
      detail: 'User not found',
      code: 'NOT_FOUND',
      requestId: expect.any(String),
    })
  })

  it('has two tokens, shown once, that open nothing else and end at once', async () => {
    const second = await newToken(app, acme.admin, { name: 'next' })
    expect(second.status).toBe(201)
    expect((await newToken(app, acme.admin)).code).toBe('CONFLICT')
    const path = `/organization/${acme.orgId}/scim-tokens`
    const { tokens } = (await app.call('GET', path, { as: acme.admin })).data
    expect(tokens).toHaveLength(2)
    expect(JSON.stringify(tokens)).not.toContain(second.data.token)
    expect((await app.call('POST', path, { as: acme.admin, body: {} })).code).toBe('STEP_UP_REQUIRED')
    expect((await app.call('GET', `/organization/${acme.orgId}/members`, { as: second.data.token })).status).toBe(403)
    expect((await acme.call('GET', '/Users', undefined, acme.admin.accessToken)).status).toBe(403)
    expect((await acme.call('GET', '/Users', undefined, second.data.token)).status).toBe(200)
    const foreign = `/organization/${beta.orgId}/scim-tokens/${second.data.scimToken.id}`
    expect((await confirmed(app, 'DELETE', foreign, { as: beta.admin })).status).toBe(404)
    const own = `${path}/${second.data.scimToken.id}`
    expect((await confirmed(app, 'DELETE', own, { as: acme.admin })).status).toBe(204)
    const after = await acme.call('GET', '/Users', undefined, second.data.token)
    expect([after.status, after.body.status]).toEqual([401, '401'])
    const short = await newToken(app, acme.admin, { expiresIn: 3600 })
    app.clock.set(app.clock.now() + 3_600_001)
    expect((await acme.call('GET', '/Users', undefined, short.data.token)).status).toBe(401)
    app.clock.set(app.clock.now() - 3_600_001)
    await confirmed(app, 'DELETE', `${path}/${short.data.scimToken.id}`, { as: acme.admin })
  })

  // On SQLite nothing waits in the middle of a write.
  if (on === 'PostgreSQL') {
    it('changes nothing by a token that was deleted while the change waited', async () => {
      const { token, scimToken } = (await newToken(app, acme.admin)).data
      let hold: () => void = () => undefined
      let goOn: () => void = () => undefined
      const held = new Promise<void>((resolve) => {
        hold = resolve
      })
      const going = new Promise<void>((resolve) => {
        goOn = resolve
      })
      const holding = store.system.write(async (tx) => {
        await lockRow(tx, 'organizations', acme.orgId)
        hold()
        await going
        const { scimTokens: t } = provisioningTables(tx)
        await tx.delete(t).where(eq(t.id, scimToken.id))
      })
      await held
      const waiting = acme.call('POST', '/Users', { userName: 'late@acme.test' }, token)
      await new Promise((resolve) => setTimeout(resolve, 500))
      goOn()
      await holding
      const late = await waiting
      // Where the request did not come as far in time, its token is not known any more.
      expect([late.status, late.body.code]).toEqual([401, expect.stringMatching(/^TOKEN_(REVOKED|INVALID)$/)])
      expect((await acme.call('GET', '/Users?filter=userName%20eq%20%22late%40acme.test%22')).body.totalResults).toBe(0)
    })
  }

  it('makes, shows, replaces and removes a person', async () => {
    const made = await acme.user('nina', {
      name: { givenName: 'Nina', familyName: 'Noor', middleName: 'X' },
      displayName: 'Nina Noor',
      nickName: 'nn',
      emails: [
        { value: 'home@elsewhere.test', type: 'home' },
        { value: 'nina@acme.test', type: 'work', primary: true },
      ],
      active: true,
    })
    expect(made.status).toBe(201)
    const { id } = made.body
    expect(made.body).toMatchObject({
      externalId: 'ext-nina',
      name: { givenName: 'Nina', familyName: 'Noor' },
      emails: [{ value: 'nina@acme.test', type: 'work', primary: true }],
      active: true,
      meta: { resourceType: 'User', location: expect.stringContaining(`/api/scim/v2/Users/${id}`) },
    })
    expect(made.body.nickName).toBeUndefined()
    expect(await rolesOf('nina@acme.test')).toEqual(['Member'])
    expect((await acme.call('GET', `/Users/${id}?attributes=userName`)).body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      id,
      userName: 'nina@acme.test',
    })
    const again = await acme.user('nina')
    expect([again.status, again.body.scimType]).toEqual([409, 'uniqueness'])
    const put = await acme.call('PUT', `/Users/${id}`, { ID: id, UserName: 'NINA@acme.test', active: 'True' })
    expect(put.body).toMatchObject({ userName: 'NINA@acme.test', active: true })
    expect(put.body.name).toBeUndefined()
    expect((await acme.call('PUT', `/Users/${id}`, { id: 'other', userName: 'n@acme.test' })).body).toMatchObject({
      status: '400',
      scimType: 'mutability',
    })
    // Another organization can neither see nor change a person of this one.
    expect((await beta.call('GET', `/Users/${id}`)).status).toBe(404)
    expect((await beta.call('DELETE', `/Users/${id}`)).status).toBe(404)
    expect((await beta.call('GET', '/Users')).body.totalResults).toBe(0)
    expect((await acme.call('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await acme.call('GET', `/Users/${id}`)).status).toBe(404)
    expect(await isActive('nina@acme.test')).toBeUndefined()
    // A person who returns is a new resource for the directory, with the previous account.
    const back = await acme.user('nina')
    expect([back.status, back.body.id === id]).toEqual([201, false])
    expect(await evidenceOf(app, acme.orgId)).toEqual(
      expect.arrayContaining(['scim.user.create', 'scim.user.update', 'scim.user.delete', 'org.member.remove']),
    )
  })

  it('understands Entra', async () => {
    const { id } = (await acme.user('otto', { name: { familyName: 'Old' } })).body
    const found = await acme.call('GET', `/Users?filter=${encodeURIComponent('userName eq "OTTO@acme.test"')}`)
    expect(found.body).toMatchObject({ totalResults: 1, startIndex: 1, Resources: [{ id }] })
    const changed = await acme.patch(
      `/Users/${id}`,
      { op: 'Replace', path: 'name.givenName', value: 'Otto' },
      { op: 'Add', path: 'emails[type eq "work"].value', value: 'otto@acme.test' },
      {
        op: 'Replace',
        value: { 'name.familyName': 'Ohm', displayName: 'Otto Ohm', 'emails[type eq "home"].value': 'x@y.z' },
      },
      { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'R&D' },
    )
    expect(changed.body).toMatchObject({
      name: { givenName: 'Otto', familyName: 'Ohm' },
      displayName: 'Otto Ohm',
      emails: [{ value: 'otto@acme.test' }],
    })
    expect((await acme.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(
      false,
    )
    expect(await isActive('otto@acme.test')).toBe(false)
    expect((await acme.patch(`/Users/${id}`, { op: 'Replace', path: 'active', value: 'True' })).body.active).toBe(true)
    expect((await acme.patch(`/Users/${id}`, { op: 'Remove', path: 'name.givenName' })).body.name).toEqual({
      familyName: 'Ohm',
    })
  })

  it('understands Okta', async () => {
    const { id } = (await acme.user('pia')).body
    const { id: groupId } = (await acme.group('okta')).body
    const off = await acme.patch(`/Users/${id}`, { op: 'replace', value: { active: false } })
    expect(off.body.active).toBe(false)
    await acme.patch(`/Users/${id}`, { op: 'replace', value: { active: true } })
    const renamed = await acme.patch(`/Groups/${groupId}`, {
      op: 'replace',
      value: { id: groupId, displayName: 'okta-renamed' },
    })
    expect(renamed.status).toBe(204)
    const added = { op: 'add', path: 'members', value: [{ value: id, display: 'pia@acme.test' }] }
    expect((await acme.patch(`/Groups/${groupId}`, added)).status).toBe(204)
    expect((await acme.call('GET', `/Groups/${groupId}`)).body).toMatchObject({
      displayName: 'okta-renamed',
      members: [{ value: id, display: 'pia@acme.test' }],
    })
    const one = { op: 'remove', path: `members[value eq "${id}"]` }
    expect((await acme.patch(`/Groups/${groupId}`, one)).status).toBe(204)
    expect((await acme.call('GET', `/Groups/${groupId}`)).body.members).toEqual([])
    const listed = await acme.call(
      'GET',
      '/Groups?filter=displayName%20eq%20%22OKTA-renamed%22&excludedAttributes=members',
    )
    expect(listed.body.Resources).toMatchObject([{ id: groupId }])
    expect(listed.body.Resources[0].members).toBeUndefined()
    expect((await acme.call('DELETE', `/Groups/${groupId}`)).status).toBe(204)
    expect((await acme.call('GET', `/Groups/${groupId}`)).status).toBe(404)
  })

  it('lets Roles follow its groups at once, and leaves what was given by hand', async () => {
    const roles = (await app.call('GET', `/organization/${acme.orgId}/roles`, { as: acme.admin })).data.roles
    const admin = roles.find(({ name }: { name: string }) => name === 'Admin').id
    const mapped = `/organization/${acme.orgId}/idps/${acme.idpId}/groups`
    const body = { groups: [{ name: 'chiefs', roleIds: [admin] }] }
    expect((await confirmed(app, 'PUT', mapped, { as: acme.admin, body })).status).toBe(200)
    const rita = (await acme.user('rita')).body.id
    const sven = (await acme.user('sven')).body.id
    const { id } = (await acme.group('chiefs', [rita])).body
    expect(await rolesOf('rita@acme.test')).toEqual(['Admin', 'Member'])
    await acme.patch(`/Groups/${id}`, { op: 'replace', path: 'members', value: [{ value: sven }] })
    expect([await rolesOf('rita@acme.test'), await rolesOf('sven@acme.test')]).toEqual([
      ['Member'],
      ['Admin', 'Member'],
    ])
    expect((await acme.call('GET', `/Users/${sven}`)).body.groups).toMatchObject([{ value: id, display: 'chiefs' }])
    const here = encodeURIComponent(`groups.value eq "${id}"`)
    expect((await acme.call('GET', `/Users?filter=${here}`)).body.Resources).toMatchObject([{ id: sven }])
    expect((await acme.group('chiefs')).status).toBe(409)
    await acme.call('DELETE', `/Groups/${id}`)
    expect(await rolesOf('sven@acme.test')).toEqual(['Member'])
    // The mapping is kept for a new group; its id is not reused.
    const next = (await acme.group('chiefs', [sven])).body
    expect(next.id).not.toBe(id)
    expect(await rolesOf('sven@acme.test')).toEqual(['Admin', 'Member'])
    await acme.call('PUT', `/Groups/${next.id}`, { displayName: 'others', members: [{ value: sven }] })
    expect(await rolesOf('sven@acme.test')).toEqual(['Admin', 'Member'])
    await acme.call('PUT', `/Groups/${next.id}`, { displayName: 'others' })
    expect(await rolesOf('sven@acme.test')).toEqual(['Member'])
    const foreign = await beta.group('theirs')
    const pulled = { op: 'add', path: 'members', value: [{ value: sven }] }
    expect((await beta.patch(`/Groups/${foreign.body.id}`, pulled)).body.scimType).toBe('invalidValue')
    expect((await acme.patch(`/Groups/${foreign.body.id}`, pulled)).status).toBe(404)
    await confirmed(app, 'PUT', mapped, { as: acme.admin, body: { groups: [] } })
  })

  it('sends somebody away: sessions, tokens and teams end, and an activation brings none back', async () => {
    const tess = await signUp(app, 'tess')
    await verifyAddress(app, tess.userId)
    await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      const email = 'tess@acme.test'
      await tx.update(users).set({ email, emailKey: email }).where(eq(users.id, tess.userId))
    })
    // An account that a person uses elsewhere is not added without their consent.
    const pulled = await acme.user('tess')
    expect([pulled.status, pulled.body.scimType]).toEqual([409, 'uniqueness'])
    await enrol(app, tess, acme.orgId)
    const team = await app.call('POST', '/organizations', {
      as: acme.admin,
      body: { name: 'Team T', parentOrgId: acme.orgId },
    })
    expect(team.status).toBe(201)
    const teamId = team.data.organization.id
    await enrol(app, tess, teamId)
    const taken = await acme.user('tess')
    expect(taken.status).toBe(201)
    const as = await signIn(app, 'tess')
    const pat = await confirmed(app, 'POST', '/auth/pats', {
      as: { ...tess, ...as },
      body: { name: 'x', organizationId: acme.orgId },
    })
    const see = (by: string, orgId: string) => app.call('GET', `/organization/${orgId}/members`, { as: by })
    expect((await see(as.accessToken, teamId)).status).toBe(200)
    expect((await see(pat.data.token, acme.orgId)).status).toBe(200)
    const { id } = taken.body
    const proofs = () =>
      store.system.read(async (db) =>
        db.$count(credentialTables(db).sessionProofs, eq(credentialTables(db).sessionProofs.orgId, acme.orgId)),
      )
    await store.system.write(async (tx) => {
      const sessionId = JSON.parse(Buffer.from(as.accessToken.split('.')[1] ?? '', 'base64url').toString()).sid
      const by = { providerId: acme.idpId, providerSubject: 'tess', providerSid: null, expiresAtMs: null }
      const proof = { sessionId, orgId: acme.orgId, method: 'sso', provedAtMs: app.clock.now(), ...by }
      await tx.insert(credentialTables(tx).sessionProofs).values(proof)
    })
    expect(await proofs()).toBe(1)
    expect((await acme.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status).toBe(200)
    // A session that the person opened by password continues elsewhere, and would prove them again after a return.
    expect(await proofs()).toBe(0)
    expect((await see(as.accessToken, teamId)).status).toBe(401)
    const later = await signIn(app, 'tess')
    expect((await see(later.accessToken, acme.orgId)).status).toBe(404)
    expect((await see(later.accessToken, teamId)).status).toBe(404)
    expect((await see(pat.data.token, acme.orgId)).status).toBe(401)
    await acme.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: true })
    expect((await see(later.accessToken, acme.orgId)).status).toBe(200)
    expect((await see(pat.data.token, acme.orgId)).status).toBe(401)
    // The account is the person's own, so its address and its other organization stay.
    await acme.patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: 'tessa@acme.test' })
    const me = await app.call('GET', '/auth/me', { as: later })
    expect(me.data.user.email).toBe('tess@acme.test')
  })

  it('protects the owner', async () => {
    await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      const email = 'ann@acme.test'
      await tx.update(users).set({ email, emailKey: email }).where(eq(users.id, acme.admin.userId))
    })
    const { id } = (await acme.user('ann')).body
    const off = await acme.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })
    expect(off.status).toBe(409)
    expect((await acme.call('DELETE', `/Users/${id}`)).status).toBe(409)
  })

  it("moves the address of an account that is the organization's alone", async () => {
    const { id } = (await acme.user('uma')).body
    const moved = await acme.patch(`/Users/${id}`, { op: 'replace', path: 'userName', value: 'uma.u@acme.test' })
    expect(moved.body.emails[0].value).toBe('uma@acme.test')
    const value = [{ value: 'uma.u@acme.test', primary: true }]
    expect((await acme.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value })).status).toBe(200)
    expect(await rolesOf('uma.u@acme.test')).toEqual(['Member'])
    await acme.user('noa')
    const known = [{ value: 'noa@acme.test', primary: true }]
    const clash = await acme.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: known })
    expect([clash.status, clash.body.scimType]).toEqual([409, 'uniqueness'])
    expect(await rolesOf('uma.u@acme.test')).toEqual(['Member'])
  })

  it('leaves an account alone that its person enters by a social account, as one with a password', async () => {
    const { id } = (await acme.user('sol')).body
    const link = { provider: 'github', issuer: 'https://github.test', subject: '7', createdAtMs: 1, lastUsedAtMs: 1 }
    const solo = await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      const [user] = await tx.select().from(users).where(eq(users.emailKey, 'sol@acme.test'))
      const userId = user?.id ?? ''
      await tx.insert(credentialTables(tx).socialLinks).values({ id: 'sol-link', userId, email: null, ...link })
      return userId
    })
    const value = [{ value: 'sol.s@acme.test', primary: true }]
    expect((await acme.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value })).status).toBe(200)
    expect(await rolesOf('sol@acme.test')).toEqual(['Member'])
    // Who left is not pulled back in without being asked.
    const path = `/organization/${acme.orgId}/members/${solo}`
    expect((await app.call('DELETE', path, { as: acme.admin })).status).toBe(204)
    const pulled = await acme.user('sol')
    expect([pulled.status, pulled.body.scimType]).toEqual([409, 'uniqueness'])
  })

  it('reads the parts of an address and of a member in any case, and keeps the address beside which one is added', async () => {
    const emails = [{ Value: 'val@acme.test', TYPE: 'Work' }]
    const { id, emails: shown } = (await acme.user('xav', { emails })).body
    expect(shown).toMatchObject([{ value: 'val@acme.test' }])
    const adds = (value: object) => acme.patch(`/Users/${id}`, { op: 'add', path: 'emails', value: [value] })
    const after = async (value: object) => (await adds(value)).body.emails[0].value
    expect(await after({ value: 'home@acme.test', type: 'home' })).toBe('val@acme.test')
    expect(await after({ value: 'home@elsewhere.test', type: 'home', primary: 'False' })).toBe('val@acme.test')
    expect(await after({ value: 'one@acme.test', type: 'other', primary: 'True' })).toBe('one@acme.test')
    expect(await after({ value: 'two@acme.test' })).toBe('two@acme.test')
    const { id: groupId } = (await acme.group('any-case')).body
    const added = { op: 'add', path: 'members', value: [{ Value: id, Type: 'User' }] }
    expect((await acme.patch(`/Groups/${groupId}`, added)).status).toBe(204)
    for (const operation of [
      { op: 'remove', path: `members[value eq "${id}"].display` },
      { op: 'replace', path: 'displayName[value eq "x"]', value: 'other' },
    ]) {
      expect((await acme.patch(`/Groups/${groupId}`, operation)).body.scimType).toBe('invalidPath')
    }
    const group = (await acme.call('GET', `/Groups/${groupId}`)).body
    expect([group.displayName, group.members[0]?.value]).toEqual(['any-case', id])
  })

  it('takes the address of an account that never proved it', async () => {
    const squatter = await signUp(app, 'squatter')
    await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      const email = 'vera@acme.test'
      await tx.update(users).set({ email, emailKey: email }).where(eq(users.id, squatter.userId))
    })
    expect((await acme.user('vera')).status).toBe(201)
    const { data } = await app.call('GET', `/organization/${acme.orgId}/members?search=vera@acme.test`, {
      as: acme.admin,
    })
    expect(data.members[0].id).not.toBe(squatter.userId)
  })

  it('takes no seat that is not free', async () => {
    await store.system.write(async (tx) => {
      const { organizations } = identityTables(tx)
      await tx.update(organizations).set({ seatLimit: 2 }).where(eq(organizations.id, beta.orgId))
    })
    const both = await Promise.all([beta.user('one'), beta.user('two')])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 403])
    expect(both.find(({ status }) => status === 403)?.body.detail).toContain('seats')
    const waiting = await beta.user('three', { active: false })
    expect([waiting.status, waiting.body.active]).toEqual([201, false])
    const raised = await beta.patch(`/Users/${waiting.body.id}`, { op: 'replace', path: 'active', value: true })
    expect(raised.status).toBe(403)
    expect((await beta.call('GET', `/Users/${waiting.body.id}`)).body.active).toBe(false)
  })

  it.each([
    ['a foreign domain', '/Users', { userName: 'x@elsewhere.test' }, 'invalidValue'],
    ['no address', '/Users', { userName: 'xavier' }, 'invalidValue'],
    ['several addresses in one', '/Users', { userName: 'eve@elsewhere.test,x@acme.test' }, 'invalidValue'],
    ['an address with a name', '/Users', { userName: 'x', emails: [{ value: 'X<x@acme.test' }] }, 'invalidValue'],
    ['no name', '/Users', { emails: [{ value: 'x@acme.test' }] }, 'invalidValue'],
    ['an unknown attribute', '/Users', { userName: 'x@acme.test', favouriteColour: 'red' }, 'invalidPath'],
    ['a prototype', '/Users', { userName: 'x@acme.test', constructor: { prototype: { a: 1 } } }, 'invalidPath'],
    ['an active of another type', '/Users', { userName: 'x@acme.test', active: 'maybe' }, 'invalidValue'],
    ['a name of another type', '/Users', { userName: 'x@acme.test', name: 'X' }, 'invalidValue'],
    ['a group without a name', '/Groups', { members: [] }, 'invalidValue'],
    ['a group in a group', '/Groups', { displayName: 'g', members: [{ value: 'a', type: 'Group' }] }, 'invalidValue'],
    ['members that are not there', '/Groups', { displayName: 'g', members: [{ value: 'a' }] }, 'invalidValue'],
  ])('refuses %s', async (_what, path, body, scimType) => {
    const answer = await acme.call('POST', path, body)
    expect([answer.status, answer.body.scimType]).toEqual([400, scimType])
  })

  it('reads a time without an offset as UTC, wherever the server stands', async () => {
    const { id, meta } = (await acme.user('zoe')).body
    const since = encodeURIComponent(`meta.created ge "${meta.created.replace(/Z$/, '')}" and id eq "${id}"`)
    vi.stubEnv('TZ', 'America/New_York')
    try {
      expect(new Date(0).getTimezoneOffset()).toBe(300)
      expect((await acme.call('GET', `/Users?filter=${since}`)).body.totalResults).toBe(1)
    } finally {
      vi.unstubAllEnvs()
    }
  })

  it('refuses filters, paths and values that it does not know, and nothing happens', async () => {
    const { id } = (await acme.user('wim')).body
    const deep = `${'('.repeat(12)}userName pr${')'.repeat(12)}`
    for (const filter of [
      `userName eq "${'x'.repeat(2000)}"`,
      deep,
      'userName',
      'userName eq',
      'userName is "x"',
      'nope eq "x"',
      'userName eq x',
      'userName eq "a" userName pr',
      'active gt true',
      'meta.created eq "then"',
      'meta.created gt "1"',
      '__proto__ eq "x"',
      ')(',
    ]) {
      const answer = await acme.call('GET', `/Users?filter=${encodeURIComponent(filter)}`)
      expect([filter.slice(0, 30), answer.status, answer.body.scimType]).toEqual([
        filter.slice(0, 30),
        400,
        'invalidFilter',
      ])
      const [issue] = answer.body.details.issues
      expect([issue.path, answer.body.detail]).toEqual(['/query/filter', `filter: ${issue.message}`])
    }
    const search = await acme.call('POST', '/Users/.search', { filter: 'nope eq "x"' })
    expect([search.body.scimType, search.body.details.issues[0].path]).toEqual(['invalidFilter', '/body/filter'])
    const group = await acme.call('GET', `/Groups?filter=${encodeURIComponent('userName is "x"')}`)
    expect([group.body.scimType, group.body.details.issues[0].path]).toEqual(['invalidFilter', '/query/filter'])
    for (const [operation, scimType] of [
      [{ op: 'replace', path: '__proto__.polluted', value: 1 }, 'invalidPath'],
      [{ op: 'add', path: 'constructor.prototype.polluted', value: 1 }, 'invalidPath'],
      [{ op: 'add', value: { 'constructor.prototype.polluted': 1 } }, 'invalidPath'],
      [{ op: 'replace', path: 'id', value: 'x' }, 'mutability'],
      [{ op: 'replace', path: 'groups', value: [] }, 'mutability'],
      [{ op: 'remove', path: 'userName' }, 'mutability'],
      [{ op: 'replace', path: 'active', value: null }, 'mutability'],
      [{ op: 'replace', value: { active: null } }, 'mutability'],
      [{ op: 'remove' }, 'noTarget'],
      [{ op: 'move', path: 'title', value: 'x' }, 'invalidSyntax'],
      [{ op: 'replace', path: 'shoeSize', value: 45 }, 'invalidPath'],
      [{ op: 'replace', path: 'title', value: 7 }, 'invalidValue'],
      [{ op: 'replace', path: 'emails[', value: 7 }, 'invalidPath'],
      [{ op: 'replace', path: 'emails[type eq', value: 7 }, 'invalidPath'],
    ] as const) {
      const answer = await acme.patch(`/Users/${id}`, operation)
      expect([operation, answer.status, answer.body.scimType]).toEqual([operation, 400, scimType])
    }
    expect((await acme.call('PATCH', `/Users/${id}`, { schemas: ['other'], Operations: [] })).status).toBe(400)
    expect((await acme.call('PATCH', `/Users/${id}`, { schemas: [PATCH], Operations: [] })).status).toBe(400)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    let nested: object = {}
    for (let n = 0; n < 30; n++) nested = { nested }
    expect((await acme.call('POST', '/Users', { userName: 'x@acme.test', addresses: [nested] })).status).toBe(400)
    expect((await acme.call('GET', `/Users/${id}`)).body.title).toBeUndefined()
  })

  it('searches by a body, in pages', async () => {
    const search = { filter: 'userName sw "u" or userName sw "v"', startIndex: 2, count: 1, attributes: ['userName'] }
    const { body } = await acme.call('POST', '/Users/.search', search)
    expect(body).toMatchObject({ totalResults: 2, startIndex: 2, itemsPerPage: 1 })
    expect((await acme.call('GET', '/Users?count=0')).body).toMatchObject({ itemsPerPage: 0, Resources: [] })
    expect((await acme.call('GET', '/Users?startIndex=-5&count=1')).body).toMatchObject({
      startIndex: 1,
      itemsPerPage: 1,
    })
    expect((await acme.call('POST', '/Groups/.search', { filter: 'displayName pr' })).status).toBe(200)
  })

  it('ends with its provider', async () => {
    await provenDomain(app, beta.admin, 'beta-two.test')
    expect((await confirmed(app, 'DELETE', `/organization/${beta.orgId}/idp`, { as: beta.admin })).status).toBe(204)
    expect((await beta.call('GET', '/Users')).status).toBe(401)
  })
})
