/**
 * The session cookie of a browser: who gets one, which requests may use it, when it ends, and that using it does not
 * change it.
 */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import {
  type Answer,
  type CallOptions,
  type IdentityApp,
  identityApp,
  PASSWORD,
  type SignedIn,
  signUp,
} from '../../../test/support/sign-in.js'
import { quotaTables } from '../../quota/tables.js'
import { DAY_MS } from '../../runtime/clock.js'
import type { Store } from '../../runtime/store/db.js'
import { SIGN_IN_OPERATIONS } from '../sign-in-operations.js'
import { TENANT_OPERATIONS } from '../tenant-operations.js'

const HOST = 'plumbline.test'
const HOME = `https://${HOST}`
/** The headers that a browser sends with a request of our own page. */
const OURS = { host: HOST, 'sec-fetch-site': 'same-origin', origin: HOME, 'x-csrf': '1' }
const SECURE = '__Host-plumbline_session'

await describeStores('session by cookie', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  let ann: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await identityApp(store, { settings: { PUBLIC_URL: HOME } })
    ann = await signUp(app, 'ann')
  })
  afterAll(async () => {
    await app.identity.settle()
    await store.close()
  })

  const signIn = (headers: Record<string, string> = OURS, on = app): Promise<Answer> =>
    on.call('POST', '/auth/login?cookie=session', { headers, body: { identifier: 'ann', password: PASSWORD } })
  const given = (answer: Answer): string => answer.headers.get('set-cookie') ?? ''
  const cookieOf = (answer: Answer): string => given(answer).split(';')[0] ?? ''
  const freshCookie = async (): Promise<string> => cookieOf(await signIn())
  const call = (cookie: string, method: string, path: string, more: CallOptions = {}, headers: object = OURS) =>
    app.call(method, path, { ...more, headers: { ...headers, cookie, ...more.headers } as Record<string, string> })

  it('answers no token, and a cookie that scripts, other hosts, other sites and plain http never get', async () => {
    const answer = await signIn()
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.data).sort()).toEqual(['organization', 'refreshExpiresIn', 'user'])
    const [pair = '', ...attributes] = given(answer).split('; ')
    expect(pair).toMatch(/^__Host-plumbline_session=[A-Za-z0-9_-]{43}$/)
    expect(attributes.sort()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Strict', 'Secure'])
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('is the person, in the organization of the session, without its value in the database', async () => {
    const cookie = await freshCookie()
    const me = await call(cookie, 'GET', '/auth/me')
    expect([me.status, me.data.user.id, me.data.organization.id]).toEqual([200, ann.userId, ann.orgId])
    const value = cookie.split('=')[1] ?? ''
    const rows = await store.system.read(async (db) => {
      const { credentialTables } = await import('../credential/tables.js')
      return db.select().from(credentialTables(db).sessions)
    })
    expect(JSON.stringify(rows)).not.toContain(value)
  })

  it('is not changed by use: a hundred requests at once and in turn all hold', async () => {
    const cookie = await freshCookie()
    const answers = await Promise.all(Array.from({ length: 100 }, () => call(cookie, 'GET', '/auth/me')))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(answers.filter((answer) => given(answer) !== '')).toEqual([])
  })

  const FORGED: readonly (readonly [name: string, headers: Record<string, string>])[] = [
    ['another site', { ...OURS, 'sec-fetch-site': 'cross-site' }],
    ['another port of our host', { ...OURS, 'sec-fetch-site': 'same-site' }],
    ['an address that was typed', { host: HOST, 'sec-fetch-site': 'none', 'x-csrf': '1' }],
    ['an old browser on another origin', { host: HOST, origin: 'https://evil.test', 'x-csrf': '1' }],
    ['an old browser on our host over http', { host: HOST, origin: `http://${HOST}`, 'x-csrf': '1' }],
    ['a hidden origin', { host: HOST, origin: 'null', 'x-csrf': '1' }],
    ['a browser that says nothing', { host: HOST, 'x-csrf': '1' }],
  ]

  it('is nobody for every operation that asks who calls, when the request was forged', async () => {
    const cookie = await freshCookie()
    const asking = SIGN_IN_OPERATIONS.filter((operation) =>
      operation.access.doors.every(({ kind }) => kind !== 'public'),
    )
    expect(asking.length).toBeGreaterThan(15)
    for (const { http } of asking) {
      const path = http.path.replaceAll(/:[A-Za-z]+/g, 'x')
      const body = http.method === 'get' || http.method === 'delete' ? {} : { body: {} }
      for (const [name, headers] of FORGED) {
        const answer = await call(cookie, http.method.toUpperCase(), path, body, headers)
        expect([name, http.path, answer.status, answer.code]).toEqual([name, http.path, 401, 'TOKEN_MISSING'])
        // Otherwise another site could use the answer to sign people out.
        expect(given(answer)).toBe('')
      }
      if (http.method === 'get') continue
      const { 'x-csrf': _, ...plain } = OURS
      for (const headers of [plain, { ...plain, 'x-csrf': '0' }]) {
        const answer = await call(cookie, http.method.toUpperCase(), path, body, headers)
        expect([http.path, answer.code]).toEqual([http.path, 'TOKEN_MISSING'])
      }
    }
    expect((await call(cookie, 'GET', '/auth/me')).status).toBe(200)
  })

  it('reads without `x-csrf`, and takes the origin where a browser lacks the newer header', async () => {
    const cookie = await freshCookie()
    const { 'x-csrf': _, ...plain } = OURS
    expect((await call(cookie, 'GET', '/auth/me', {}, plain)).status).toBe(200)
    expect((await call(cookie, 'GET', '/auth/me', {}, { host: HOST, origin: HOME })).status).toBe(200)
  })

  it('signs nobody in for another page', async () => {
    const { 'x-csrf': _, ...plain } = OURS
    for (const headers of [...FORGED.map(([, each]) => each), plain]) {
      const answer = await signIn(headers)
      expect([answer.status, answer.code, answer.body.details?.reason, given(answer)]).toEqual([
        403,
        'INSUFFICIENT_PERMISSIONS',
        'origin',
        '',
      ])
    }
  })

  it('counts no API call for a look, and one for a change', async () => {
    const counting = await identityApp(store, {
      settings: { PUBLIC_URL: HOME },
      operations: TENANT_OPERATIONS,
      callMeter: true,
    })
    const login = await signIn(OURS, counting)
    const headers = { ...OURS, cookie: cookieOf(login) }
    const used = async (): Promise<number> => {
      await counting.flushCalls()
      return store.system.read(async (db) => {
        const { quotaPools } = quotaTables(db)
        const rows = await db.select().from(quotaPools)
        return rows.filter(({ orgId }) => orgId === ann.orgId).reduce((sum, row) => sum + row.used, 0)
      })
    }
    const before = await used()
    const path = `/organization/${ann.orgId}/roles`
    expect((await counting.call('GET', path, { headers })).status).toBe(200)
    expect(await used()).toBe(before)
    const body = { name: 'Looker', permissions: ['audit:read'] }
    expect((await counting.call('POST', path, { headers, body })).status).toBe(201)
    expect(await used()).toBe(before + 1)
    expect((await counting.call('GET', path, { as: ann })).status).toBe(200)
    expect(await used()).toBe(before + 2)
  })

  it('is passed over where a credential is sent, good or bad', async () => {
    const cookie = await freshCookie()
    const bob = await signUp(app, 'bob')
    expect((await call(cookie, 'GET', '/auth/me', { as: bob })).data.user.id).toBe(bob.userId)
    const bad = await call(cookie, 'GET', '/auth/me', { as: 'nonsense' })
    expect([bad.code, given(bad)]).toEqual(['TOKEN_INVALID', ''])
  })

  it('goes with the answer when its session is over, and only then', async () => {
    const cookie = await freshCookie()
    const { data } = await call(cookie, 'GET', '/auth/sessions')
    const { id } = data.sessions.find((each: { current: boolean }) => each.current)
    expect((await app.call('DELETE', `/auth/sessions/${id}`, { as: ann })).status).toBe(204)
    for (const dead of [cookie, `${SECURE}=${'A'.repeat(43)}`, `${SECURE}=short`]) {
      const answer = await call(dead, 'GET', '/auth/me')
      expect([answer.status, answer.code]).toEqual([401, 'TOKEN_REVOKED'])
      expect(given(answer)).toBe(`${SECURE}=; Path=/; HttpOnly; SameSite=Strict; Secure; Max-Age=0`)
    }
  })

  it('takes another organization along, and never hands out a token', async () => {
    const cookie = await freshCookie()
    const body = { organizationId: ann.orgId }
    const switched = await call(cookie, 'POST', '/auth/switch-org', { body })
    expect([switched.status, 'accessToken' in switched.data, given(switched)]).toEqual([200, false, ''])
    // A session by tokens can become a session by cookie.
    const { accessToken } = ann
    const became = await app.call('POST', '/auth/switch-org?cookie=session', { as: accessToken, headers: OURS, body })
    expect([became.status, 'accessToken' in became.data]).toEqual([200, false])
    expect((await call(cookieOf(became), 'GET', '/auth/me')).status).toBe(200)
    const foreign = await app.call('POST', '/auth/switch-org?cookie=session', { as: accessToken, body })
    expect([foreign.status, given(foreign)]).toEqual([403, ''])
  })

  it('is new after a confirmation; the one before ends after the grace, and takes nothing away', async () => {
    const before = await freshCookie()
    const body = { method: 'password', password: PASSWORD }
    const confirmed = await call(before, 'POST', '/auth/step-up', { body })
    const after = cookieOf(confirmed)
    expect([confirmed.status, after === before]).toEqual([200, false])
    expect((await call(before, 'GET', '/auth/me')).status).toBe(200)
    expect((await call(after, 'GET', '/auth/me')).status).toBe(200)
    app.clock.advance(20_000)
    const late = await call(before, 'GET', '/auth/me')
    expect([late.status, given(late)]).toEqual([401, ''])
    expect((await call(after, 'GET', '/auth/me')).status).toBe(200)
  })

  it('is new after a change of the password, and the one before is over at once', async () => {
    const cid = await signUp(app, 'cid')
    const login = await app.call('POST', '/auth/login?cookie=session', {
      headers: OURS,
      body: { identifier: 'cid', password: PASSWORD },
    })
    const first = cookieOf(login)
    const confirmed = await call(first, 'POST', '/auth/step-up', { body: { method: 'password', password: PASSWORD } })
    const second = cookieOf(confirmed)
    const changed = await call(second, 'POST', '/auth/password/change', {
      body: { currentPassword: PASSWORD, newPassword: 'Another-Horse-8' },
      headers: { 'x-step-up-token': confirmed.data.stepUpToken },
    })
    expect(changed.status).toBe(204)
    const third = cookieOf(changed)
    for (const old of [first, second]) expect((await call(old, 'GET', '/auth/me')).status).toBe(401)
    expect((await call(third, 'GET', '/auth/me')).data.user.id).toBe(cid.userId)
  })

  it('ends with the sign-out, and the browser forgets it', async () => {
    const cookie = await freshCookie()
    const out = await call(cookie, 'POST', '/auth/logout', { body: {} })
    expect([out.status, given(out).startsWith(`${SECURE}=; `)]).toEqual([204, true])
    expect((await call(cookie, 'GET', '/auth/me')).status).toBe(401)
  })

  it('lasts while it is used, ends when it is not, and ends for good after thirty days', async () => {
    const cookie = await freshCookie()
    for (let day = 0; day < 4; day++) {
      app.clock.advance(6 * DAY_MS)
      expect((await call(cookie, 'GET', '/auth/me')).status).toBe(200)
      await app.identity.settle()
    }
    app.clock.advance(6 * DAY_MS)
    expect((await call(cookie, 'GET', '/auth/me')).code).toBe('TOKEN_REVOKED')
    const idle = await freshCookie()
    app.clock.advance(7 * DAY_MS)
    const answer = await call(idle, 'GET', '/auth/me')
    expect([answer.code, given(answer).startsWith(`${SECURE}=; `)]).toEqual(['TOKEN_REVOKED', true])
  })

  it('has a plain form for this machine alone, outside production', async () => {
    const local = await identityApp(store)
    const on = (host: string, scheme = 'http') => ({ ...OURS, host, origin: `${scheme}://${host}` })
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000']) {
      const answer = await signIn(on(host), local)
      expect(given(answer)).toMatch(
        /^plumbline_session=[A-Za-z0-9_-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=/,
      )
      const headers = { ...on(host), cookie: cookieOf(answer) }
      expect((await local.call('GET', '/auth/me', { headers })).status).toBe(200)
      // The same cookie, planted on a host that is not this machine.
      const planted = { ...on('plumbline.test'), cookie: cookieOf(answer) }
      expect((await local.call('GET', '/auth/me', { headers: planted })).code).toBe('TOKEN_MISSING')
    }
    const plain = await signIn(on('plumbline.test'), local)
    expect([plain.status, plain.body.details, given(plain)]).toEqual([409, { reason: 'plain-http' }, ''])
    expect(given(await signIn(on('plumbline.test', 'https'), local))).toMatch(/^__Host-plumbline_session=/)
    expect(app.errors.concat(local.errors)).toEqual([])
  })
})
