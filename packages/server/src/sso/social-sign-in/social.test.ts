/**
 * Social accounts against a provider of OpenID Connect and one like GitHub: which account they open, and that an
 * address never decides it.
 */
import { createHash } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { cookieIn, signInAt } from '../../../test/support/oidc.js'
import { confirmed } from '../../../test/support/organizations.js'
import {
  type Answer,
  evidence,
  linkToken,
  PASSWORD,
  queuedMails,
  type SignedIn,
  signIn,
  signUp,
  stepUp,
  verifyAddress,
} from '../../../test/support/sign-in.js'
import { type SsoApp, ssoApp } from '../../../test/support/sso.js'
import { credentialTables } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import type { Store } from '../../runtime/store/db.js'
import { type FakeSso, startFakeSso } from '../fake/start.js'

await describeStores('social accounts', WITH_POSTGRESQL, (open) => {
  let store: Store & { close(): Promise<void> }
  let app: SsoApp
  let fake: FakeSso
  beforeAll(async () => {
    store = (await open()) as typeof store
    fake = await startFakeSso({ domain: 'social.test' })
    app = await ssoApp(store, { startMs: Date.now(), settings: { ...fake.settings, DNS_SERVERS: '' } })
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await fake.close()
    await store.close()
  })

  const PROVIDERS = ['google', 'github']

  async function begin(path: string, body: object = {}, as: Pick<SignedIn, 'accessToken'> | null = null) {
    const headers = path.includes('/me/links') && as !== null ? await stepUp(app, as as SignedIn) : {}
    const answer = await app.call('POST', path, { body, as, headers })
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return { url: new URL(answer.data.url), cookie: cookieIn(answer) }
  }

  const back = (provider: string, cookie: string | null, body: object): Promise<Answer> =>
    app.call('POST', `/auth/oauth/${provider}/callback`, { body, headers: cookie === null ? {} : { cookie } })

  async function comes(provider: string, name: string, more: { body?: object; as?: SignedIn; path?: string } = {}) {
    const begun = await begin(more.path ?? `/auth/oauth/${provider}/url`, more.body ?? {}, more.as ?? null)
    return back(provider, begun.cookie, await signInAt(begun.url.href, name))
  }

  const links = async (as: Pick<SignedIn, 'accessToken'>) =>
    (await app.call('GET', '/auth/me/links', { as })).data.links as { provider: string; email: string | null }[]

  const link = (provider: string, name: string, as: SignedIn) =>
    comes(provider, name, { path: `/auth/me/links/${provider}`, as })

  /** A step-up by Google. */
  const again = (name: string, as: SignedIn, body: object = {}) =>
    comes('google', name, { path: '/auth/oauth/google/step-up', body, as })

  async function verified(name: string): Promise<SignedIn> {
    const person = await signUp(app, name)
    await verifyAddress(app, person.userId)
    return person
  }

  it('names the providers that the operator set up, and knows no other', async () => {
    const { data } = await app.call('GET', '/auth/oauth/providers', {})
    expect(data.providers).toEqual([
      { id: 'google', name: 'Google', confirms: true },
      { id: 'github', name: 'GitHub', confirms: false },
    ])
    for (const id of ['gitlab', 'facebook', '__proto__']) {
      const { status, body } = await app.call('POST', `/auth/oauth/${id}/url`, { body: {} })
      expect([status, body.message]).toEqual([404, expect.stringContaining('`GET /auth/oauth/providers`')])
    }
  })

  it.each(PROVIDERS)('opens an account by %s, and comes back to it by the subject', async (provider) => {
    const name = `nina-${provider}`
    const answer = await comes(provider, name, { body: { returnTo: '/reports' } })
    expect(answer.data, JSON.stringify(answer.body)).toMatchObject({ kind: 'session', returnTo: '/reports' })
    const { tokens } = answer.data
    expect(tokens.user).toMatchObject({ email: `${name}@social.test`, isEmailVerified: true })
    expect(tokens.organization.role).toBe('owner')
    // The address at the provider passes to another person, but the account does not.
    fake.people.set(name, { email: `${name}-new@social.test`, email_verified: true })
    fake.people.set(`heir-${provider}`, { email: `${name}@social.test`, email_verified: true })
    expect((await comes(provider, name)).data.tokens.user.id).toBe(tokens.user.id)
    expect((await comes(provider, `heir-${provider}`)).code).toBe('DUPLICATE_ENTRY')
    expect(await links(tokens)).toMatchObject([{ provider, email: `${name}@social.test` }])
  })

  it.each(PROVIDERS)('asks the owner of a known address to sign in first: %s', async (provider) => {
    const name = `known-${provider}`
    const ann = await verified(name)
    fake.people.set(name, { email: ann.email, email_verified: true })
    const refused = await comes(provider, name)
    expect([refused.status, refused.code]).toEqual([409, 'DUPLICATE_ENTRY'])
    expect(refused.body.message).toContain('sign in to it, then link the other one in your settings')
    expect(await links(ann)).toEqual([])
    expect((await link(provider, name, ann)).data).toEqual({ kind: 'linked', returnTo: '/' })
    expect((await comes(provider, name)).data.tokens.user.id).toBe(ann.userId)
    // Linking twice keeps one link, which no other person can have.
    expect((await link(provider, name, ann)).data.kind).toBe('linked')
    expect((await link(provider, name, await verified(`other-${provider}`))).code).toBe('SSO_REFUSED')
    expect((await link(provider, `second-${provider}`, ann)).code).toBe('CONFLICT')
    expect(await links(ann)).toHaveLength(1)
  })

  it.each(PROVIDERS)('opens none for an address that %s did not verify', async (provider) => {
    for (const [n, email_verified] of [false, 'true', 1, undefined].entries()) {
      const name = `unverified-${provider}-${n}`
      fake.people.set(name, { email: `${name}@social.test`, email_verified })
      const answer = await comes(provider, name)
      expect([answer.status, answer.code]).toEqual([403, 'SSO_REFUSED'])
      expect(answer.body.message).toContain('password')
    }
    expect((await evidence(app)).map(({ action }) => action)).toContain('identity.sso.refused')
  })

  it('links nothing to an account that never proved its address', async () => {
    const squatter = await signUp(app, 'squatter')
    const headers = await stepUp(app, squatter)
    const answer = await app.call('POST', '/auth/me/links/google', { as: squatter, body: {}, headers })
    expect(answer.code).toBe('CONFLICT')
    const bare = await app.call('POST', '/auth/me/links/google', { as: squatter, body: {} })
    expect(bare.code).toBe('STEP_UP_REQUIRED')
  })

  it('uses a state once, in its browser, at its provider, for what it began, in time', async () => {
    const { url, cookie } = await begin('/auth/oauth/google/url')
    const returned = await signInAt(url.href, 'otto')
    const other = await begin('/auth/oauth/google/url')
    expect((await back('google', null, returned)).code).toBe('SSO_REFUSED')
    expect((await back('google', other.cookie, returned)).code).toBe('SSO_REFUSED')
    expect((await back('github', cookie, returned)).code).toBe('SSO_REFUSED')
    const both = await Promise.all([back('google', cookie, returned), back('google', cookie, returned)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    const late = await begin('/auth/oauth/github/url')
    const lateBody = await signInAt(late.url.href, 'otto')
    app.clock.set(app.clock.now() + 600_001)
    expect((await back('github', late.cookie, lateBody)).code).toBe('SSO_REFUSED')
    app.clock.set(Date.now())
    const cancelled = await begin('/auth/oauth/github/url')
    const state = cancelled.url.searchParams.get('state')
    expect((await back('github', cancelled.cookie, { state, error: 'access_denied' })).code).toBe('SSO_REFUSED')
  })

  it('accepts a key that the provider has just begun to use, and looks for unknown keys once a minute', async () => {
    const kind = async () => (await comes('google', 'rosa')).data?.kind ?? 'refused'
    // Its keys are read, a moment ago at most.
    expect(await kind()).toBe('session')
    await fake.rotate()
    expect([await kind(), await kind()]).toEqual(['session', 'session'])
    await fake.rotate()
    expect([await kind(), await kind()]).toEqual(['refused', 'refused'])
    app.clock.set(app.clock.now() + 60_000)
    expect(await kind()).toBe('session')
    app.clock.set(Date.now())
  })

  it('asks for the second factor of the account, which then breaks no glass', async () => {
    const mia = await verified('mia')
    await link('github', 'mia', mia)
    const begun = await app.call('POST', '/auth/mfa/totp/enroll', {
      as: mia,
      body: {},
      headers: await stepUp(app, mia),
    })
    const code = (shift = 0) =>
      generateSync({ secret: begun.data.secret, epoch: Math.floor(app.clock.now() / 1000) + shift })
    const headers = await stepUp(app, mia)
    await app.call('POST', '/auth/mfa/totp/confirm', { as: mia, body: { code: code(-30) }, headers })
    const asked = await comes('github', 'mia')
    expect(asked.code).toBe('MFA_REQUIRED')
    const { challengeToken } = asked.body.details
    const done = await app.call('POST', '/auth/login/mfa', { body: { challengeToken, code: code() } })
    expect(done.data.user.id).toBe(mia.userId)
    const { rows } = await store.system.read(async (db) => {
      const { sessions } = credentialTables(db)
      return { rows: await db.select().from(sessions).where(eq(sessions.userId, mia.userId)) }
    })
    expect(rows.at(-1)?.methods).toEqual(['social', 'otp'])
  })

  it('keeps the last way in, and lets go of the others', async () => {
    const { tokens } = (await comes('google', 'lena')).data
    const unlink = async (provider: string) => {
      const confirmation = await again('lena', tokens)
      expect(confirmation.data?.kind, JSON.stringify(confirmation.body)).toBe('step-up')
      const headers = { 'x-step-up-token': confirmation.data.stepUpToken as string }
      return app.call('DELETE', `/auth/me/links/${provider}`, { as: tokens, headers })
    }
    expect((await app.call('DELETE', '/auth/me/links/google', { as: tokens })).code).toBe('STEP_UP_REQUIRED')
    expect((await unlink('google')).code).toBe('CONFLICT')
    expect(await links(tokens)).toHaveLength(1)
    const max = await verified('max')
    for (const provider of PROVIDERS) await link(provider, `max-${provider}`, max)
    await setPasswordHash(max.userId, null)
    // A link to a provider that is not set up any more does not count as a way to sign in.
    await addLink(max.userId, 'gitlab')
    const session = (await comes('github', 'max-github')).data.tokens
    const headers = async () => {
      const asked = await again('max-google', session)
      return { 'x-step-up-token': asked.data.stepUpToken as string }
    }
    const drop = async (provider: string, by: Record<string, string>) =>
      app.call('DELETE', `/auth/me/links/${provider}`, { as: session, headers: by })
    expect((await drop('github', await headers())).status).toBe(204)
    expect((await drop('google', await headers())).code).toBe('CONFLICT')
    expect((await drop('github', await headers())).status).toBe(404)
    const kept = await signUp(app, 'kept')
    await verifyAddress(app, kept.userId)
    await link('github', 'kept', kept)
    expect((await confirmed(app, 'DELETE', '/auth/me/links/github', { as: kept })).status).toBe(204)
    expect(await links(await signIn(app, 'kept'))).toEqual([])
  })

  it('confirms an action by asking the same person again, where the provider can', async () => {
    const { tokens } = (await comes('google', 'paul')).data
    const other = await again('somebody-else', tokens)
    expect(other.code).toBe('SSO_REFUSED')
    // Who has no password is told how to confirm, and is not locked out for a guess.
    for (let n = 0; n < 6; n++) {
      const guess = { method: 'password', password: 'a guess of the person' }
      const answer = await app.call('POST', '/auth/step-up', { as: tokens, body: guess })
      expect([answer.code, answer.body.message]).toEqual(['UNAUTHORIZED', expect.stringContaining('has no password')])
    }
    const asked = await app.call('POST', '/auth/oauth/github/step-up', { as: tokens, body: {} })
    expect(asked.code).toBe('CONFLICT')
    expect((await app.call('POST', '/auth/oauth/google/step-up', { body: {} })).status).toBe(401)
    const done = await again('paul', tokens, { action: 'identity.pat.create' })
    const headers = { 'x-step-up-token': done.data.stepUpToken as string }
    expect((await app.call('POST', '/auth/pats', { as: tokens, body: { name: 'ci' }, headers })).status).toBe(201)
    // The session ends while the person is at the provider.
    const begun = await begin('/auth/oauth/google/step-up', {}, tokens)
    const returned = await signInAt(begun.url.href, 'paul')
    await app.call('POST', '/auth/logout', { as: tokens, body: {} })
    expect((await back('google', begun.cookie, returned)).code).toBe('SSO_REFUSED')
  })

  it('hands a sign-in to the program that began it, by the first browser that takes it up', async () => {
    const verifier = 'v'.repeat(43)
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const body = { kind: 'program', loopback: 'http://127.0.0.1:49152/x', challenge }
    const { data } = await app.call('POST', '/auth/oauth/github/url', { body })
    const ticket = new URL(data.url).searchParams.get('ticket')
    const start = () => app.call('POST', '/auth/oauth/start', { body: { ticket } })
    const both = await Promise.all([start(), start()])
    const started = both.find(({ status }) => status === 200) ?? both[0]
    expect([...both.map(({ status }) => status), (await start()).status].sort()).toEqual([200, 404, 404])
    const done = await back('github', cookieIn(started), await signInAt(started.data.url, 'programmer'))
    const location = new URL(done.data.location)
    expect(location.origin).toBe('http://127.0.0.1:49152')
    const grant = location.searchParams.get('grant')
    const exchange = (by: string) => app.call('POST', '/auth/oauth/exchange', { body: { grant, verifier: by } })
    expect((await exchange('w'.repeat(43))).code).toBe('SSO_REFUSED')
    expect((await exchange(verifier)).data.user.email).toBe('programmer@social.test')
    expect((await exchange(verifier)).code).toBe('SSO_REFUSED')
    const bad = { kind: 'program', loopback: 'https://evil.test/', challenge }
    expect((await app.call('POST', '/auth/oauth/github/url', { body: bad })).status).toBe(400)
    expect((await app.call('POST', '/auth/oauth/github/url', { body: { kind: 'program' } })).status).toBe(400)
    expect((await app.call('POST', '/auth/oauth/github/url', { body: { returnTo: '//evil.test' } })).status).toBe(400)
  })

  it('accepts an invitation for the invited address alone', async () => {
    const host = await verified('host')
    const acceptWith = (body: object, cookie: string) =>
      app.call('POST', '/invitation/accept-oauth', { body, headers: { cookie } })
    /** Either the server stores the token with the state, or the caller keeps it. */
    const accept = async (provider: string, name: string, token: string | null, isKeptHere = provider === 'google') => {
      const body = { kind: 'invitation', ...(isKeptHere ? { token } : {}) }
      const { url, cookie } = await begin(`/auth/oauth/${provider}/url`, body)
      const returned = await signInAt(url.href, name)
      expect((await back(provider, cookie, { ...returned, state: 'x'.repeat(43) })).code).toBe('SSO_REFUSED')
      // The callback tells the next step only to the browser that started it, and signs nobody in.
      expect((await back(provider, null, returned)).code).toBe('SSO_REFUSED')
      expect((await back(provider, cookie, returned)).data).toEqual({ kind: 'invitation' })
      return acceptWith({ ...returned, provider, ...(isKeptHere ? {} : { token }) }, cookie)
    }
    for (const provider of PROVIDERS) {
      const email = `guest-${provider}@social.test`
      await app.call('POST', '/invitation/send', { as: host, body: { email } })
      const mail = (await queuedMails(app)).filter(({ to }) => to === email).at(-1)
      const token = new URL(mail?.values.link ?? mail?.values.acceptUrl ?? '').searchParams.get('token')
      const other = await accept(provider, `stranger-${provider}`, token)
      expect([other.code, other.body.message]).toEqual(['SSO_REFUSED', expect.stringContaining('another address')])
      const joined = await accept(provider, `guest-${provider}`, token)
      expect(joined.status, JSON.stringify(joined.body)).toBe(201)
      expect(joined.data.organization.id).toBe(host.orgId)
      expect(joined.data.tokens.organization).toMatchObject({ id: host.orgId, role: 'member' })
      expect((await accept(provider, `guest-${provider}`, token)).status).toBe(410)
      expect((await comes(provider, `guest-${provider}`)).data.tokens.user.email).toBe(email)
    }
    // Who has an account is told to sign in to it.
    expect((await comes('google', 'known')).status).toBe(200)
    fake.people.set('known-again', { email: 'known@social.test', email_verified: true })
    await app.call('POST', '/invitation/send', { as: host, body: { email: 'known@social.test' } })
    const toKnown = (await queuedMails(app)).filter(({ to }) => to === 'known@social.test').at(-1)
    const itsToken = new URL(toKnown?.values.link ?? toKnown?.values.acceptUrl ?? '').searchParams.get('token')
    const known = await accept('google', 'known-again', itsToken)
    expect([known.code, known.body.message]).toEqual(['DUPLICATE_ENTRY', expect.stringContaining('sign in to it')])
    // If the organization requires a password, a social account cannot accept the invitation, which stays pending.
    const email = 'guest-by-mail@social.test'
    await app.call('POST', '/invitation/send', { as: host, body: { email, invitationType: 'email' } })
    const mail = (await queuedMails(app)).filter(({ to }) => to === email).at(-1)
    const token = new URL(mail?.values.link ?? mail?.values.acceptUrl ?? '').searchParams.get('token')
    for (const provider of PROVIDERS) {
      const refused = await accept(provider, 'guest-by-mail', token)
      expect(refused).toMatchObject({ status: 409, code: 'CONFLICT' })
      expect(refused.body.message).toContain('password')
    }
    const pending = await app.call('GET', `/invitation/${token}`)
    expect(pending.data).toMatchObject({ status: 'pending', invitationType: 'email' })
    const byPassword = { token, username: 'guest-by-mail', password: PASSWORD }
    expect((await app.call('POST', '/invitation/accept-new', { body: byPassword })).status).toBe(201)
    expect((await accept('google', 'guest-late', null, false)).code).toBe('VALIDATION_ERROR')
    const signing = await begin('/auth/oauth/google/url')
    const returned = await signInAt(signing.url.href, 'guest-late')
    const other = await acceptWith({ ...returned, provider: 'google', token: 'x' }, signing.cookie)
    expect(other.code).toBe('SSO_REFUSED')
    expect((await back('google', signing.cookie, returned)).data.kind).toBe('session')
  })

  it('ends with what was there before a mailbox proved itself, and with the account', async () => {
    const eve = await verified('eve')
    await link('google', 'eve', eve)
    await setVerified(eve.userId, null)
    await app.call('POST', '/auth/password/forgot', { body: { email: eve.email } })
    const { data } = await app.call('GET', '/auth/me/links', { as: eve })
    expect(data.links).toHaveLength(1)
    const mailed = (await queuedMails(app)).filter(({ to }) => to === eve.email).at(-1)
    const token = new URL(mailed?.values.link ?? 'x:').searchParams.get('token')
    const reset = await app.call('POST', '/auth/password/reset', { body: { token, password: 'Another-Horse-9' } })
    expect(reset.status, JSON.stringify(reset.body)).toBe(204)
    expect((await comes('google', 'eve')).data?.tokens?.user.id).not.toBe(eve.userId)
    const sessions = await app.call('POST', '/auth/login', { body: { identifier: 'eve', password: 'Another-Horse-9' } })
    expect(await links(sessions.data)).toEqual([])
    expect(PASSWORD).not.toBe('Another-Horse-9')
  })

  it('ends with an address that its owner takes back', async () => {
    const vera = await verified('vera')
    await confirmed(app, 'PATCH', '/auth/me', { as: vera, body: { email: 'thief@elsewhere.test' } })
    await app.call('POST', '/auth/verify-email', { body: { token: await linkToken(app, 'thief@elsewhere.test') } })
    await link('github', 'thief', vera)
    expect(await links(vera)).toHaveLength(1)
    const token = await linkToken(app, vera.email)
    expect((await app.call('POST', '/auth/email/restore', { body: { token } })).status).toBe(204)
    expect((await comes('github', 'thief')).data?.tokens?.user.id).not.toBe(vera.userId)
  })

  const setVerified = (id: string, emailVerifiedAtMs: number | null) =>
    store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      await tx.update(users).set({ emailVerifiedAtMs }).where(eq(users.id, id))
    })
  const setPasswordHash = (id: string, passwordHash: string | null) =>
    store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      await tx.update(users).set({ passwordHash }).where(eq(users.id, id))
    })
  const addLink = (userId: string, provider: string) =>
    store.system.write(async (tx) => {
      const row = { id: app.runtime.ids.next(), userId, provider, issuer: 'https://gitlab.com', subject: '1' }
      const times = { createdAtMs: 1, lastUsedAtMs: 1 }
      await tx.insert(credentialTables(tx).socialLinks).values({ ...row, email: null, ...times })
    })
})
