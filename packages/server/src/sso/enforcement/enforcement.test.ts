/**
 * Enforced single sign-on: who gets in, what is needed to enforce it, and that a broken provider does not disable it.
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import {
  began,
  came,
  cookieIn,
  type HostileProvider,
  hostileProvider,
  withProvider,
} from '../../../test/support/oidc.js'
import { confirmed, enrol, evidenceOf, stepUp } from '../../../test/support/organizations.js'
import {
  type Answer,
  queuedMails,
  type SignedIn,
  signIn,
  signUp,
  verifyAddress,
} from '../../../test/support/sign-in.js'
import { provenDomain, type SsoApp, ssoApp } from '../../../test/support/sso.js'
import { credentialTables } from '../../identity/credential/tables.js'
import { disableHostSso } from '../../identity/index.js'
import { totpPurpose } from '../../identity/mfa/factor.js'
import { identityTables } from '../../identity/tables.js'
import { DAY_MS } from '../../runtime/clock.js'
import type { Store } from '../../runtime/store/db.js'
import { ssoTables } from '../tables.js'
import { LOST_MS, watchEntitlementJob } from './watch.js'

await describeStores('an organization that asks for its provider', WITH_POSTGRESQL, (open) => {
  let store: Store & { close(): Promise<void> }
  let app: SsoApp
  let idp: HostileProvider
  let ann: SignedIn
  let bob: SignedIn
  let idpId: string
  beforeAll(async () => {
    store = (await open()) as typeof store
    idp = await hostileProvider()
    app = await ssoApp(store, {
      startMs: Date.now(),
      settings: { IDP_ALLOWED_ORIGINS: idp.issuer, BILLING_ENABLED: 'true', DEFAULT_QUOTA_TIER: 'team' },
    })
    ann = await signUp(app, 'ann')
    bob = await enrol(app, await signUp(app, 'bob'), ann.orgId)
    for (const { userId } of [ann, bob]) await verifyAddress(app, userId)
    await provenDomain(app, ann, 'acme.test')
    idpId = await withProvider(app, ann, idp.issuer)
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await idp.close()
    await store.close()
  })

  const path = () => `/organization/${ann.orgId}/idp/enforcement`
  const enforce = (as: SignedIn, enforced: boolean) => confirmed(app, 'PUT', path(), { as, body: { enforced } })

  async function comesAs(sub: string, more: Parameters<typeof began>[2] = {}): Promise<Answer> {
    const { url, cookie, state } = await began(app, ann.orgSlug, more)
    return answers(sub, url, cookie, state)
  }

  function answers(sub: string, url: URL, cookie: string, state: string): Promise<Answer> {
    idp.nonce = url.searchParams.get('nonce') ?? ''
    idp.say = ({ sign }) => sign({ sub, email: `${sub}@acme.test`, sid: `session of ${sub}` })
    return came(app, idpId, cookie, { state, code: 'c', iss: idp.issuer })
  }

  async function tries(as: SignedIn, sub: string): Promise<Answer> {
    const { data } = await app.call('POST', `/organization/${ann.orgId}/idp/test`, { as })
    const ticket = new URL(data.url).searchParams.get('ticket') ?? ''
    const started = await app.call('POST', '/auth/sso/start', { body: { ticket } })
    expect((await app.call('POST', '/auth/sso/start', { body: { ticket } })).status).toBe(404)
    return answers(sub, new URL(started.data.url), cookieIn(started), ticket)
  }

  async function enrolTotp(as: SignedIn): Promise<void> {
    await store.system.write(async (tx) => {
      const nowMs = app.clock.now()
      const sealedSecret = app.identity.box.seal('JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', totpPurpose(as.userId))
      const row = { userId: as.userId, sealedSecret, confirmedAtMs: nowMs, lastTimeStep: null, createdAtMs: nowMs }
      await tx.insert(credentialTables(tx).totpFactors).values(row)
    })
  }

  it('cannot be closed before somebody would get in', async () => {
    const first = await enforce(ann, true)
    expect(first.code).toBe('CONFLICT')
    expect(first.body.details.missing).toEqual(['test', 'break-glass'])
    expect((await tries(ann, 'tess')).data.wouldBe).toBe('created')
    await enrolTotp(ann)
    // A test by another person, of another revision, or older than a day does not count.
    const sent = { as: ann, body: { sessionHours: 9 } }
    expect((await confirmed(app, 'PATCH', `/organization/${ann.orgId}/idp`, sent)).data.warnings).toEqual([])
    expect((await enforce(ann, true)).body.details.missing).toEqual(['test'])
    await tries(ann, 'tess')
    app.clock.set(app.clock.now() + DAY_MS)
    ann = { ...ann, ...(await sessionOf(ann)) }
    expect((await enforce(ann, true)).body.details.missing).toEqual(['test'])
    app.clock.set(Date.now())
    await tries(ann, 'tess')
    const closed = await enforce(ann, true)
    expect(closed.data.enforcement).toMatchObject({ enforced: true })
  })

  /** A session without the provider's proof. */
  async function sessionOf(person: SignedIn): Promise<Pick<SignedIn, 'accessToken'>> {
    return {
      accessToken: (await app.call('POST', '/auth/refresh', { body: { refreshToken: person.refreshToken } })).data
        .accessToken,
    }
  }

  it('is closed to every session without its proof, and only it', async () => {
    for (const who of [ann, bob]) {
      const there = await app.call('GET', `/organization/${ann.orgId}/members`, { as: who })
      expect(there.code).toBe('SSO_REQUIRED')
      expect(there.body.details).toMatchObject({
        authorizePath: `/auth/sso/${ann.orgId}/authorize`,
        attachPath: `/auth/sso/${ann.orgId}/attach`,
      })
    }
    expect((await app.call('GET', '/organization', { as: bob, headers: { 'x-org-id': ann.orgId } })).code).toBe(
      'SSO_REQUIRED',
    )
    expect((await app.call('GET', '/auth/me', { as: bob })).status).toBe(200)
    // The own account, and the way in, stay open also where the request names the closed organization.
    const headers = { 'x-org-id': ann.orgSlug }
    const me = await app.call('GET', '/auth/me', { as: bob, headers })
    expect([me.status, me.data?.organization]).toEqual([200, null])
    expect(me.data?.closedBy).toEqual({ id: ann.orgId, slug: ann.orgSlug })
    expect((await app.call('GET', '/auth/me', { as: bob })).data?.closedBy).toBe(null)
    // Whether the person may make an organization follows from their rights in the closed one.
    for (const [method, at, body] of [
      ['POST', '/organization', { name: 'Of Bob' }],
      ['GET', '/auth/me/preferences', undefined],
      ['PUT', '/auth/me/preferences', { favorites: [], recents: [] }],
    ] as const) {
      const answer = await app.call(method, at, { as: bob, headers, ...(body === undefined ? {} : { body }) })
      expect([at, answer.code, answer.body.details?.organizationId]).toEqual([at, 'SSO_REQUIRED', ann.orgId])
    }
    const path = `/auth/sso/${ann.orgSlug}/attach`
    const into = await app.call('POST', path, {
      as: bob,
      body: {},
      headers: { ...headers, ...(await stepUp(app, bob)) },
    })
    expect(into.status).toBe(200)
    expect((await app.call('GET', '/auth/pats', { as: bob, headers })).status).toBe(200)
    expect((await app.call('GET', `/organization/${bob.orgId}/members`, { as: bob })).status).toBe(200)
    const to = { organizationId: ann.orgId }
    expect((await app.call('POST', '/auth/switch-org', { as: bob, body: to })).code).toBe('SSO_REQUIRED')
    const token = await confirmed(app, 'POST', '/auth/pats', { as: bob, body: { name: 'x', ...to } })
    expect(token.code).toBe('SSO_REQUIRED')
  })

  it('opens for the session that is proved, and for no other of the person', async () => {
    expect((await comesAs('bob-there', { as: bob, headers: await stepUp(app, bob) })).data.kind).toBe('attached')
    expect((await app.call('GET', `/organization/${ann.orgId}/members`, { as: bob })).status).toBe(200)
    expect((await app.call('GET', `/organization/${bob.orgId}/members`, { as: bob })).status).toBe(200)
    const other = await signIn(app, 'bob')
    expect((await app.call('GET', `/organization/${ann.orgId}/members`, { as: other })).code).toBe('SSO_REQUIRED')
    const made = await confirmed(app, 'POST', '/auth/pats', { as: bob, body: { name: 'x', organizationId: ann.orgId } })
    expect((await app.call('GET', `/organization/${ann.orgId}/members`, { as: made.data.token })).status).toBe(200)
  })

  it('tells who changes its provider that nobody has signed in by it since', async () => {
    const own = ann
    expect((await comesAs('ann-there', { as: own, headers: await stepUp(app, own) })).data.kind).toBe('attached')
    const change = async (method: string, path: string, body: object) =>
      (await confirmed(app, method, `/organization/${ann.orgId}/${path}`, { as: own, body })).data.warnings
    const told = [{ code: 'PROVIDER_UNTESTED', message: expect.stringContaining('test the provider now') }]
    const whole = { issuer: idp.issuer, clientId: 'plumbline' }
    expect(await change('PATCH', 'idp', { sessionHours: 10 })).toEqual(told)
    expect(await change('PATCH', `idps/${idpId}`, { sessionHours: 10 })).toEqual(told)
    await tries(own, 'tess')
    expect(await change('PATCH', 'idp', { sessionHours: 10 })).toEqual([])
    expect(await change('PUT', 'idp', { ...whole, sessionHours: 11 })).toEqual(told)
    expect(await change('PUT', `idps/${idpId}`, { ...whole, sessionHours: 12 })).toEqual(told)
    await tries(own, 'tess')
  })

  it('refuses a password where every membership enforces, and stays closed while the provider is broken', async () => {
    const { tokens } = (await comesAs('nina')).data
    const hash = await app.identity.passwords.hash('Correct-Horse-7', { ip: null, isKnown: true })
    await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      await tx.update(users).set({ passwordHash: hash }).where(eq(users.id, tokens.user.id))
    })
    const login = () =>
      app.call('POST', '/auth/login', { body: { identifier: 'nina@acme.test', password: 'Correct-Horse-7' } })
    expect((await login()).code).toBe('SSO_REQUIRED')
    idp.metadata = { issuer: 'https://broken.test' }
    app.clock.set(app.clock.now() + 700_000)
    expect((await app.call('POST', `/auth/sso/${ann.orgSlug}/authorize`, { body: {} })).code).toBe(
      'PROVIDER_UNAVAILABLE',
    )
    expect((await login()).code).toBe('SSO_REQUIRED')
    expect((await app.call('GET', `/organization/${ann.orgId}/members`, { as: await signIn(app, 'bob') })).code).toBe(
      'SSO_REQUIRED',
    )
    idp.metadata = {}
    app.clock.set(Date.now())
    // A provider that fails during the sign-in proves nothing, no matter how it fails.
    const late = await signIn(app, 'bob')
    for (const { said, returned } of [
      { said: Response.json({ error: 'invalid_grant' }, { status: 400 }), returned: {} },
      { said: Response.json({ error: 'server_error' }, { status: 503 }), returned: {} },
      { said: new Response(null), returned: { error: 'server_error' } },
      { said: new Response('<html>'), returned: {} },
    ]) {
      const { url, cookie, state } = await began(app, ann.orgSlug, { as: late })
      idp.nonce = url.searchParams.get('nonce') ?? ''
      idp.say = async () => said
      const failed = await came(app, idpId, cookie, { state, code: 'c', iss: idp.issuer, ...returned })
      expect(['SSO_REFUSED', 'PROVIDER_UNAVAILABLE']).toContain(failed.code)
      const there = await app.call('GET', `/organization/${ann.orgId}/members`, { as: late })
      expect(there.code).toBe('SSO_REQUIRED')
    }
  })

  it('stays closed for the owner who has a password alone', async () => {
    const { totpFactors: t } = credentialTables(store)
    const factors = await store.system.write((tx) => tx.delete(t).where(eq(t.userId, ann.userId)).returning())
    expect(factors).toHaveLength(1)
    const login = await app.call('POST', '/auth/login', { body: { identifier: 'ann', password: 'Correct-Horse-7' } })
    const isIn =
      login.status === 200
        ? (await app.call('GET', `/organization/${ann.orgId}/members`, { as: login.data })).code
        : login.code
    expect(isIn).toBe('SSO_REQUIRED')
    expect(await evidenceOf(app, ann.orgId)).not.toContain('auth.break-glass')
    await store.system.write((tx) => tx.insert(t).values(factors))
  })

  it('is opened by the owner with password and second factor, and every administrator hears it', async () => {
    await breaksIn()
    expect((await app.call('GET', `/organization/${ann.orgId}/members`, { as: ann })).status).toBe(200)
    expect(await evidenceOf(app, ann.orgId)).toContain('auth.break-glass')
    expect((await queuedMails(app)).map(({ template }) => template)).toContain('identity.break-glass')
    // It ends with the ownership, and does not come back with it.
    await confirmed(app, 'PATCH', `/organization/${ann.orgId}/transfer-owner`, {
      as: ann,
      body: { newOwnerId: bob.userId },
    })
    expect((await app.call('GET', `/organization/${ann.orgId}/members`, { as: ann })).code).toBe('SSO_REQUIRED')
    await setRoot({ ownerId: ann.userId })
    expect((await app.call('GET', `/organization/${ann.orgId}/members`, { as: ann })).code).toBe('SSO_REQUIRED')
    await breaksIn()
  })

  /** Ann signs in with password and second factor. */
  async function breaksIn(): Promise<void> {
    const login = await app.call('POST', '/auth/login', { body: { identifier: 'ann', password: 'Correct-Horse-7' } })
    expect(login.code).toBe('MFA_REQUIRED')
    const { challengeToken } = login.body.details
    const { generateSync } = await import('otplib')
    // A code is good once.
    app.clock.set(app.clock.now() + 30_000)
    const code = generateSync({ secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP', epoch: Math.floor(app.clock.now() / 1000) })
    const done = await app.call('POST', '/auth/login/mfa', { body: { challengeToken, code } })
    expect(done.status, JSON.stringify(done.body)).toBe(200)
    ann = { ...ann, accessToken: done.data.accessToken, refreshToken: done.data.refreshToken }
  }

  it('ends the sessions of somebody who signed out at the provider', async () => {
    const { tokens } = (await comesAs('nina')).data
    const other = (await comesAs('omar')).data.tokens
    let sign: (claims: Record<string, unknown>, more?: { typ?: string }) => Promise<string> = async () => ''
    idp.say = async (asked) => {
      sign = asked.sign
      return 'x'
    }
    const { url, cookie, state } = await began(app, ann.orgSlug)
    idp.nonce = url.searchParams.get('nonce') ?? ''
    await came(app, idpId, cookie, { state, code: 'c', iss: idp.issuer })
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} }
    const said = { sub: 'nina', sid: 'session of nina', events, nonce: undefined, jti: 'j1', email: undefined }
    const typ = { typ: 'logout+jwt' }
    const send = async (token: string) =>
      (
        await app.http.request(`/api/auth/sso/${idpId}/backchannel-logout`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams({ logout_token: token }).toString(),
        })
      ).status
    const wrong: [Record<string, unknown>, object][] = [
      [{ ...said, nonce: 'n' }, typ],
      [{ ...said, events: {} }, typ],
      [{ ...said, events: undefined }, typ],
      [{ ...said, sub: undefined, sid: undefined }, typ],
      [{ ...said, jti: undefined }, typ],
      [{ ...said, aud: 'other' }, typ],
      [{ ...said, iss: 'https://other.test' }, typ],
      [{ ...said, iat: Math.floor(Date.now() / 1000) - 400 }, typ],
      [said, { typ: 'JWT' }],
    ]
    const reads = idp.keyReads
    for (const token of ['x.y.z', await sign({ ...said, iss: 'https://other.test' }, typ)])
      expect(await send(token)).toBe(401)
    expect(idp.keyReads).toBe(reads)
    for (const [claims, more] of wrong) expect(await send(await sign(claims, more)), JSON.stringify(claims)).toBe(401)
    // Its keys are read once, not for each token.
    expect(idp.keyReads).toBe(reads + 1)
    const good = await sign(said, typ)
    expect(await send(good)).toBe(200)
    expect((await app.call('GET', '/auth/me', { as: tokens })).code).toBe('TOKEN_REVOKED')
    expect((await app.call('GET', '/auth/me', { as: other })).status).toBe(200)
    expect(await send(good)).toBe(401)
    // Without a provider session id, all sessions of the person end.
    expect(await send(await sign({ ...said, sub: 'omar', sid: undefined, jti: 'j2' }, typ))).toBe(200)
    expect((await app.call('GET', '/auth/me', { as: other })).code).toBe('TOKEN_REVOKED')
    const grantsOf = (sub: string) =>
      store.system.read(async (db) => {
        const { authGrants: t } = ssoTables(db)
        return db.$count(t, eq(t.subject, sub))
      })
    const program = { kind: 'program', loopback: 'http://127.0.0.1:49152/', challenge: 'c'.repeat(43) }
    for (const sub of ['nina', 'omar']) {
      const begun = await app.call('POST', `/auth/sso/${ann.orgSlug}/authorize`, { body: program })
      const ticket = new URL(begun.data.url).searchParams.get('ticket')
      const started = await app.call('POST', '/auth/sso/start', { body: { ticket } })
      const address = new URL(started.data.url)
      const answer = await answers(sub, address, cookieIn(started), address.searchParams.get('state') ?? '')
      expect(answer.data?.kind).toBe('program')
    }
    expect([await grantsOf('nina'), await grantsOf('omar')]).toEqual([1, 1])
    expect(await send(await sign({ ...said, sub: 'omar', sid: undefined, jti: 'j4' }, typ))).toBe(200)
    expect([await grantsOf('nina'), await grantsOf('omar')]).toEqual([1, 0])
    expect(await send(await sign({ ...said, jti: 'j5' }, typ))).toBe(200)
    expect(await grantsOf('nina')).toBe(0)
    // Its metadata are read again after a change, and cannot be read: the provider sends the token again later.
    const body = { name: 'renamed' }
    await confirmed(app, 'PATCH', `/organization/${ann.orgId}/idp`, { as: ann, body })
    idp.metadata = { issuer: 'https://other.test' }
    const later = await sign({ ...said, sub: 'omar', sid: undefined, jti: 'j3' }, typ)
    expect(await send(later)).toBe(503)
    idp.metadata = {}
    expect(await send(later)).toBe(200)
  })

  it('signs out here and says where to sign out there', async () => {
    const { tokens } = (await comesAs('nina')).data
    const out = await app.call('POST', '/auth/sso/logout', { as: tokens })
    expect(out.data).toEqual({ url: null })
    expect((await app.call('GET', '/auth/me', { as: tokens })).code).toBe('TOKEN_REVOKED')
  })

  it('takes a seat for who comes first, and refuses without one', async () => {
    await setRoot({ seatLimit: 1 })
    expect((await comesAs('late')).code).toBe('SSO_REFUSED')
    expect((await comesAs('nina')).data.kind).toBe('session')
    await setRoot({ seatLimit: null })
    expect((await comesAs('late')).data.kind).toBe('session')
  })

  async function setRoot(values: { seatLimit?: number | null; tier?: string; ownerId?: string }): Promise<void> {
    await store.system.write(async (tx) => {
      const { organizations: t } = identityTables(tx)
      await tx.update(t).set(values).where(eq(t.id, ann.orgId))
    })
    app.identity.directory.drop({ orgId: ann.orgId })
  }

  it('keeps its door for 30 days without the feature, and is opened then', async () => {
    await setRoot({ tier: 'developer' })
    const watch = () =>
      watchEntitlementJob.run(
        {
          runtime: app.runtime,
          nowMs: app.clock.now(),
          job: { id: 'j', kind: 'k', orgId: null, attempt: 1 },
          signal: new AbortController().signal,
          read: (run) => store.system.read(run),
          write: (run) =>
            store.system.write((tx) =>
              run({ tx, nowMs: app.clock.now(), audit: async () => undefined, enqueue: async () => undefined }),
            ),
          finish: async () => undefined,
        },
        {},
      )
    // A sign-in uses the clock of the machine.
    const lostAtMs = app.clock.now()
    await watch()
    expect((await comesAs('nina')).data.kind).toBe('session')
    app.clock.set(lostAtMs + LOST_MS - 1)
    await watch()
    const stateOf = async () =>
      (await store.system.read((db) => db.select().from(identityTables(db).organizations))).find(
        ({ id }) => id === ann.orgId,
      )
    expect((await stateOf())?.ssoEnforcedAtMs).not.toBeNull()
    app.clock.set(lostAtMs + LOST_MS)
    await watch()
    expect((await stateOf())?.ssoEnforcedAtMs).toBeNull()
    app.clock.set(Date.now())
    expect((await comesAs('nina')).code).toBe('SSO_REFUSED')
    await setRoot({ tier: 'team' })
    expect((await comesAs('nina')).data.kind).toBe('session')
  })

  it('is opened by the operator of the host, who is named', async () => {
    const host = { runtime: app.runtime, osUser: 'op' }
    expect(await disableHostSso(host, ann.orgSlug)).toBe(false)
    await store.system.write(async (tx) => {
      const { organizations: t } = identityTables(tx)
      await tx.update(t).set({ ssoEnforcedAtMs: 1 }).where(eq(t.id, ann.orgId))
    })
    app.identity.directory.drop({ orgId: ann.orgId })
    const late = await signIn(app, 'bob')
    expect((await app.call('GET', `/organization/${ann.orgId}/members`, { as: late })).code).toBe('SSO_REQUIRED')
    expect(await disableHostSso(host, ann.orgSlug)).toBe(true)
    expect((await app.call('GET', `/organization/${ann.orgId}/members`, { as: late })).status).toBe(200)
    expect((await queuedMails(app)).map(({ template }) => template)).toContain('identity.sso-disabled')
  })
})
