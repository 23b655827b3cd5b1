/** What a session by a provider cannot do, by token and by cookie alike; and that its rights end with their reason. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { catchUp, cookieIn, type HostileProvider, hostileProvider, withProvider } from '../../../test/support/oidc.js'
import { confirmed, enrol, signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { type Answer, PASSWORD, type SignedIn, signIn, signUp, verifyAddress } from '../../../test/support/sign-in.js'
import { provenDomain, type SsoApp, ssoApp } from '../../../test/support/sso.js'
import { credentialTables } from '../../identity/credential/tables.js'
import { identityTables } from '../../identity/tables.js'
import { HOUR_MS } from '../../runtime/clock.js'
import type { Store } from '../../runtime/store/db.js'

const HOST = 'plumbline.test'
/** The headers that a browser sends with a request of our own page. */
const OURS = { host: HOST, 'sec-fetch-site': 'same-origin', origin: `https://${HOST}`, 'x-csrf': '1' }
const SECURE = '__Host-plumbline_session'
const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} }

type Headers = Record<string, string>

await describeStores('a session by a provider', WITH_POSTGRESQL, (open) => {
  let store: Store & { close(): Promise<void> }
  let app: SsoApp
  let idp: HostileProvider
  let ann: SignedIn
  let eva: SignedIn
  let root: SignedIn
  let bob: SignedIn
  let idpId: string
  let theirs: string
  beforeAll(async () => {
    store = (await open()) as typeof store
    idp = await hostileProvider()
    app = await ssoApp(store, {
      startMs: Date.now(),
      settings: { IDP_ALLOWED_ORIGINS: idp.issuer, PUBLIC_URL: `https://${HOST}`, JWT_EXPIRES_IN: '86400' },
    })
    ann = await signUp(app, 'ann')
    eva = await signUp(app, 'eva')
    root = await superAdmin(app, 'root')
    bob = await enrol(app, await signUp(app, 'bob'), ann.orgId)
    for (const orgId of [ann.orgId, eva.orgId]) await enrol(app, root, orgId)
    for (const { userId } of [ann, bob]) await verifyAddress(app, userId)
    await setUser(root.userId, { email: 'root@acme.test', emailKey: 'root@acme.test', activeOrgId: eva.orgId })
    await setUser(bob.userId, { email: 'bob@acme.test', emailKey: 'bob@acme.test' })
    await provenDomain(app, ann, 'acme.test')
    await provenDomain(app, eva, 'evil.test')
    idpId = await withProvider(app, ann, idp.issuer)
    theirs = await withProvider(app, eva, idp.issuer)
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await app.identity.settle()
    await idp.close()
    await store.close()
  })

  async function setUser(userId: string, values: { email?: string; emailKey?: string; activeOrgId?: string }) {
    await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      await tx.update(users).set(values).where(eq(users.id, userId))
    })
    app.identity.directory.drop({ userId })
  }

  const userRow = async (userId: string) =>
    store.system.read(async (db) => {
      const { users } = identityTables(db)
      return (await db.select().from(users).where(eq(users.id, userId)))[0]
    })

  /** Everything that a browser does until it is back at the callback. */
  async function away(org: string, sub: string, kind: 'authorize' | 'attach' = 'authorize', caller: Headers = {}) {
    catchUp(app)
    const begun = await app.call('POST', `/auth/sso/${org}/${kind}`, { body: {}, headers: caller })
    if (begun.status !== 200) return { begun, cookie: '', body: {} }
    const url = new URL(begun.data.url)
    idp.nonce = url.searchParams.get('nonce') ?? ''
    idp.say = ({ sign }) => sign({ sub, email: `${sub}@acme.test`, sid: `sid of ${sub}` })
    return {
      begun,
      cookie: cookieIn(begun),
      body: { state: url.searchParams.get('state') ?? '', code: 'c', iss: idp.issuer },
    }
  }

  const back = (provider: string, body: object, headers: Headers, query = ''): Promise<Answer> =>
    app.call('POST', `/auth/sso/${provider}/callback${query}`, { body, headers })

  async function byToken(sub: string): Promise<Headers> {
    const { body, cookie } = await away(ann.orgSlug, sub)
    const answer = await back(idpId, body, { cookie })
    expect(answer.data?.kind, JSON.stringify(answer.body)).toBe('session')
    return { authorization: `Bearer ${answer.data.tokens.accessToken}` }
  }

  async function byCookie(sub: string): Promise<Headers> {
    const { body, cookie } = await away(ann.orgSlug, sub)
    const answer = await back(idpId, body, { ...OURS, cookie }, '?cookie=session')
    expect(answer.data?.kind, JSON.stringify(answer.body)).toBe('session')
    return { ...OURS, cookie: cookieIn(answer) }
  }

  const WAYS = [
    ['token', byToken],
    ['cookie', byCookie],
  ] as const

  const get = (headers: Headers, path: string) => app.call('GET', path, { headers })

  it('comes by a cookie without a token in the answer, and from our own page alone', async () => {
    const { body, cookie } = await away(ann.orgSlug, 'bob')
    const { 'x-csrf': _, ...plain } = OURS
    for (const headers of [plain, { ...OURS, 'sec-fetch-site': 'cross-site' }, { host: HOST, 'x-csrf': '1' }]) {
      const forged = await back(idpId, body, { ...headers, cookie }, '?cookie=session')
      expect([forged.status, forged.code, forged.body.details?.reason]).toEqual([
        403,
        'INSUFFICIENT_PERMISSIONS',
        'origin',
      ])
      expect(forged.headers.getSetCookie()).toEqual([])
    }
    // The attempt by another page did not use anything up.
    const answer = await back(idpId, body, { ...OURS, cookie }, '?cookie=session')
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.data.tokens).sort()).toEqual(['organization', 'refreshExpiresIn', 'user'])
    expect(answer.data.tokens.organization.id).toBe(ann.orgId)
    const [pair = '', ...attributes] = (answer.headers.getSetCookie()[0] ?? '').split('; ')
    expect(pair).toMatch(new RegExp(`^${SECURE}=[A-Za-z0-9_-]{43}$`))
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=43200', 'Path=/', 'SameSite=Strict', 'Secure'])
    const sent = { ...OURS, cookie: pair }
    expect((await get(sent, '/auth/me')).data.user.id).toBe(bob.userId)
    expect((await get({ ...sent, 'sec-fetch-site': 'cross-site' }, '/auth/me')).code).toBe('TOKEN_MISSING')
    const out = await app.call('POST', '/auth/sso/logout', { headers: sent })
    expect(out.headers.get('set-cookie')).toContain(`${SECURE}=;`)
    expect((await get(sent, '/auth/me')).code).toBe('TOKEN_REVOKED')
  })

  it.each(WAYS)('acts in its organization alone (%s)', async (_way, come) => {
    const headers = await come('root')
    expect((await get(headers, `/organization/${ann.orgId}/members`)).status).toBe(200)
    const me = await get(headers, '/auth/me')
    expect([me.data.user.id, me.data.organization.id, me.data.user.isSuperAdmin]).toEqual([
      root.userId,
      ann.orgId,
      false,
    ])
    expect(me.data.memberships.map((each: { organizationId: string }) => each.organizationId)).toEqual([ann.orgId])
    expect(me.data.permissions).not.toContain('org:settings')
    for (const org of [eva.orgId, eva.orgSlug, root.orgId, 'system']) {
      expect((await get({ ...headers, 'x-org-id': org }, '/auth/me')).code, org).toBe('ORG_MISMATCH')
    }
    for (const id of [eva.orgId, root.orgId]) {
      expect((await get(headers, `/organization/${id}/members`)).code).toBe('NOT_FOUND')
    }
    expect((await get(headers, '/admin/users')).code).toBe('INSUFFICIENT_PERMISSIONS')
    expect((await get(headers, '/auth/sessions')).data.sessions.length).toBeGreaterThan(0)
    const sessions = (await get(headers, '/auth/sessions')).data.sessions.map(({ id }: { id: string }) => id)
    const own = await signInAgain(app, root)
    const sid = JSON.parse(Buffer.from(own.accessToken.split('.')[1] ?? '', 'base64url').toString()).sid
    expect(sessions).not.toContain(sid)
    expect((await app.call('DELETE', `/auth/sessions/${sid}`, { headers })).code).toBe('NOT_FOUND')
    expect((await app.call('GET', '/auth/me', { as: own })).status).toBe(200)
  })

  const stepUp = async (headers: Headers): Promise<Headers> => {
    const body = { method: 'password', password: PASSWORD }
    const answer = await app.call('POST', '/auth/step-up', { headers, body })
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    const renewed = answer.headers.get('set-cookie') === null ? {} : { cookie: cookieIn(answer) }
    return { ...headers, ...renewed, 'x-step-up-token': answer.data.stepUpToken }
  }

  it.each(WAYS)('touches nothing of the account, no matter who confirms it (%s)', async (_way, come) => {
    let headers = await come('root')
    const before = await userRow(root.userId)
    const calls: [method: string, path: string, body: object | null, code: string][] = [
      ['PATCH', '/auth/me', { username: 'mallory' }, 'INSUFFICIENT_PERMISSIONS'],
      ['PATCH', '/auth/me', { email: 'mallory@evil.test' }, 'INSUFFICIENT_PERMISSIONS'],
      [
        'POST',
        '/auth/password/change',
        { currentPassword: PASSWORD, newPassword: 'Another-Horse-8' },
        'INSUFFICIENT_PERMISSIONS',
      ],
      ['POST', '/auth/mfa/totp/enroll', {}, 'INSUFFICIENT_PERMISSIONS'],
      ['DELETE', '/auth/mfa/totp', null, 'INSUFFICIENT_PERMISSIONS'],
      ['DELETE', '/auth/me', null, 'INSUFFICIENT_PERMISSIONS'],
      ['POST', '/auth/send-verification', {}, 'INSUFFICIENT_PERMISSIONS'],
      ['POST', '/auth/switch-org', { organizationId: eva.orgId }, 'ORG_MISMATCH'],
      ['POST', '/auth/pats', { name: 'x', organizationId: eva.orgId }, 'ORG_MISMATCH'],
      ['POST', '/organization', { name: 'Mine' }, 'INSUFFICIENT_PERMISSIONS'],
      ['DELETE', `/organization/${eva.orgId}/members/${root.userId}`, null, 'NOT_FOUND'],
      ['POST', `/auth/sso/${eva.orgId}/attach`, {}, 'INSUFFICIENT_PERMISSIONS'],
      ['POST', `/auth/sso/${ann.orgId}/attach`, {}, 'INSUFFICIENT_PERMISSIONS'],
      ['POST', `/auth/sso/${eva.orgId}/attach`, { kind: 'step-up' }, 'INSUFFICIENT_PERMISSIONS'],
      [
        'POST',
        `/admin/impersonate/${bob.userId}`,
        { reason: 'to look at their pipelines' },
        'INSUFFICIENT_PERMISSIONS',
      ],
    ]
    for (const [method, path, body, code] of calls) {
      headers = await stepUp(headers)
      const answer = await app.call(method, path, { headers, ...(body === null ? {} : { body }) })
      expect([method, path, answer.code], JSON.stringify(answer.body)).toEqual([method, path, code])
    }
    const { lastActiveAtMs: _now, ...after } = (await userRow(root.userId)) ?? {}
    const { lastActiveAtMs: _then, ...was } = before ?? {}
    expect(after).toEqual(was)
    // Its choice of an organization applies to the session, and not to where other sessions start.
    const switched = await app.call('POST', '/auth/switch-org', { headers, body: { organizationId: ann.orgId } })
    expect(switched.status).toBe(200)
    expect((await userRow(root.userId))?.activeOrgId).toBe(eva.orgId)
  })

  it.each(WAYS)('makes no token that holds more than a member does (%s)', async (_way, come) => {
    const headers = await stepUp(await come('root'))
    const made = await app.call('POST', '/auth/pats', { headers, body: { name: 'x', organizationId: ann.orgId } })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const held = (await app.call('GET', '/auth/me', { as: made.data.token })).data.permissions
    expect(held).toContain('pipelines:read')
    expect(held).not.toContain('org:settings')
    const again = await stepUp(headers)
    const body = { name: 'y', organizationId: ann.orgId, permissions: ['org:settings'] }
    const more = await app.call('POST', '/auth/pats', { headers: again, body })
    expect(more.body.details).toMatchObject({ reason: 'ceiling', exceeds: ['org:settings'] })
  })

  it('confirms nothing for a session that the person opened by their password', async () => {
    const as = await signIn(app, 'bob')
    const answer = await app.call('POST', `/auth/sso/${ann.orgId}/attach`, { as, body: { kind: 'step-up' } })
    expect(answer.code).toBe('INSUFFICIENT_PERMISSIONS')
  })

  async function enforced(isEnforced: boolean): Promise<void> {
    await store.system.write(async (tx) => {
      const { organizations: t } = identityTables(tx)
      await tx
        .update(t)
        .set({ ssoEnforcedAtMs: isEnforced ? 1 : null })
        .where(eq(t.id, ann.orgId))
    })
    app.identity.directory.drop({ orgId: ann.orgId })
  }

  /** A session that the person opened by password, with the proof of the provider. */
  async function attached(name: string): Promise<Headers> {
    catchUp(app)
    const body = { identifier: name, password: PASSWORD }
    const login = await app.call('POST', '/auth/login?cookie=session', { headers: OURS, body })
    const asked = await app.call('POST', '/auth/step-up', {
      headers: { ...OURS, cookie: cookieIn(login) },
      body: { method: 'password', password: PASSWORD },
    })
    // A confirmation renews the cookie.
    const session = cookieIn(asked)
    const flow = await away(ann.orgSlug, name, 'attach', {
      ...OURS,
      cookie: session,
      'x-step-up-token': asked.data.stepUpToken,
    })
    const done = await back(idpId, flow.body, { ...OURS, cookie: `${session}; ${flow.cookie}` })
    expect(done.data, JSON.stringify(done.body)).toMatchObject({ kind: 'attached' })
    return { ...OURS, cookie: session }
  }

  const door = async (headers: Headers) => (await get(headers, `/organization/${ann.orgId}/members`)).code ?? 'in'
  const home = async (headers: Headers, who = bob) =>
    (await get(headers, `/organization/${who.orgId}/members`)).code ?? 'in'

  async function logoutToken(claims: Record<string, unknown>): Promise<number> {
    const { body, cookie } = await away(ann.orgSlug, 'bob')
    let token = ''
    idp.say = async ({ sign }) => {
      token = await sign({ nonce: undefined, email: undefined, events: EVENTS, ...claims }, { typ: 'logout+jwt' })
      return 'x'
    }
    await back(idpId, body, { cookie })
    const sent = await app.http.request(`/api/auth/sso/${idpId}/backchannel-logout`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ logout_token: token }).toString(),
    })
    return sent.status
  }

  it.each([
    ['the person', { sub: 'bob', sid: undefined }],
    ['their session there', { sub: undefined, sid: 'sid of bob' }],
  ])('ends, with every proof, when the provider signs out %s', async (name, said) => {
    await enforced(true)
    const [own, confined, other] = [await attached('bob'), await byToken('bob'), await byCookie('root')]
    expect([await door(own), await door(confined), await door(other)]).toEqual(['in', 'in', 'in'])
    expect(await logoutToken({ ...said, jti: name })).toBe(200)
    expect([await door(own), await door(confined), await door(other)]).toEqual(['SSO_REQUIRED', 'TOKEN_REVOKED', 'in'])
    // The provider has no say outside its organization.
    expect(await home(own)).toBe('in')
    await enforced(false)
  })

  const change = (body: object) =>
    confirmed(app, 'PATCH', `/organization/${ann.orgId}/idp`, { as: ann, body }).then(({ status }) => status)

  it.each([
    ['is switched off', { enabled: false }, { enabled: true }],
    ['becomes another client', { clientId: 'another' }, { clientId: 'plumbline' }],
  ])('ends, with every proof, when the provider %s', async (_name, to, from) => {
    const [own, confined, cookie] = [await attached('bob'), await byToken('bob'), await byCookie('root')]
    expect(await change({ name: 'renamed' })).toBe(200)
    await enforced(true)
    expect([await door(own), await door(confined), await door(cookie)]).toEqual(['in', 'in', 'in'])
    await enforced(false)
    expect(await change(to)).toBe(200)
    await enforced(true)
    expect([await door(own), await door(confined), await door(cookie), await home(own)]).toEqual([
      'SSO_REQUIRED',
      'TOKEN_REVOKED',
      'TOKEN_REVOKED',
      'in',
    ])
    await enforced(false)
    expect(await change(from)).toBe(200)
  })

  it('opens no session while the provider is switched off', async () => {
    for (let round = 0; round < 4; round++) {
      const { body, cookie } = await away(ann.orgSlug, 'bob')
      await Promise.all([back(idpId, body, { cookie }), change({ enabled: false })])
      const rows = await store.system.read((db) => {
        const { sessions: t } = credentialTables(db)
        return db.select().from(t).where(eq(t.providerId, idpId))
      })
      expect(rows.filter(({ revokedAtMs }) => revokedAtMs === null)).toEqual([])
      expect(await change({ enabled: true })).toBe(200)
    }
  })

  it('has a proof for as long as the provider vouches, also where the session lasts longer', async () => {
    await enforced(true)
    const own = await attached('bob')
    app.clock.set(app.clock.now() + 12 * HOUR_MS - 60_000)
    expect(await door(own)).toBe('in')
    app.clock.set(app.clock.now() + 60_001)
    expect([await door(own), await home(own)]).toEqual(['SSO_REQUIRED', 'in'])
    const to = { organizationId: ann.orgId }
    expect((await app.call('POST', '/auth/switch-org', { headers: own, body: to })).code).toBe('SSO_REQUIRED')
    app.clock.set(Date.now())
    await enforced(false)
  })

  it('is none of the system administration, which passes the door by itself and in the name of others', async () => {
    await enforced(true)
    const admin = await signInAgain(app, root)
    const bearer = (token: string): Headers => ({ authorization: `Bearer ${token}` })
    expect(await door(bearer(admin.accessToken))).toBe('in')
    const plain = await signIn(app, 'bob')
    expect(await door(bearer(plain.accessToken))).toBe('SSO_REQUIRED')
    const body = { reason: 'a question about the members' }
    const acting = await confirmed(app, 'POST', `/admin/impersonate/${bob.userId}`, { as: admin, body })
    expect(acting.status, JSON.stringify(acting.body)).toBe(200)
    expect(await door(bearer(acting.data.accessToken))).toBe('in')
    // The impersonation depends on the administrator's session.
    await app.call('POST', '/auth/logout', { as: admin, body: {} })
    expect(await door(bearer(acting.data.accessToken))).toBe('TOKEN_REVOKED')
    await enforced(false)
  })

  it('ends, with every proof, when the provider is deleted, and nobody else does', async () => {
    const [own, confined, cookie] = [await attached('bob'), await byToken('bob'), await byCookie('root')]
    const gone = await confirmed(app, 'DELETE', `/organization/${eva.orgId}/idp`, { as: eva })
    expect([gone.status, theirs !== idpId]).toEqual([204, true])
    await enforced(true)
    expect([await door(own), await door(confined), await door(cookie)]).toEqual(['in', 'in', 'in'])
    await enforced(false)
    const deleted = await confirmed(app, 'DELETE', `/organization/${ann.orgId}/idp`, { as: ann })
    expect(deleted.status).toBe(204)
    await enforced(true)
    expect([await door(own), await door(confined), await door(cookie), await home(own)]).toEqual([
      'SSO_REQUIRED',
      'TOKEN_REVOKED',
      'TOKEN_REVOKED',
      'in',
    ])
    await enforced(false)
  })
})
