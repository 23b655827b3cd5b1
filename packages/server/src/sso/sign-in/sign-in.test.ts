/** Signing in with a provider: a real one and a malicious one, who gets in, and with which account. */
import { createHash } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { FORGED_ADDRESSES, FORGED_TOKENS } from '../../../test/support/forged.js'
import {
  type Asked,
  began,
  came,
  cookieIn,
  type HostileProvider,
  hostileProvider,
  type RealProvider,
  realProvider,
  signInAt,
  withProvider,
} from '../../../test/support/oidc.js'
import { confirmed, enrol, evidenceOf, stepUp, superAdmin } from '../../../test/support/organizations.js'
import {
  type Answer,
  evidence,
  queuedMails,
  type SignedIn,
  signUp,
  verifyAddress,
} from '../../../test/support/sign-in.js'
import { provenDomain, type SsoApp, ssoApp } from '../../../test/support/sso.js'
import { credentialTables } from '../../identity/index.js'
import { identityTables } from '../../identity/tables.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Store } from '../../runtime/store/db.js'
import { ssoTables } from '../tables.js'

await describeStores('signing in by a provider', WITH_POSTGRESQL, (open) => {
  let store: Store & { close(): Promise<void> }
  let app: SsoApp
  let real: RealProvider
  let hostile: HostileProvider
  let ann: SignedIn
  let eva: SignedIn
  let idpId: string
  let theirs: string
  beforeAll(async () => {
    store = (await open()) as typeof store
    ;[real, hostile] = [await realProvider(), await hostileProvider()]
    app = await ssoApp(store, {
      startMs: Date.now(),
      settings: { IDP_ALLOWED_ORIGINS: `${real.issuer},${hostile.issuer}`, REFRESH_TOKEN_EXPIRES_IN: '2592000' },
    })
    ann = await signUp(app, 'ann')
    eva = await signUp(app, 'eva')
    await provenDomain(app, ann, 'acme.test')
    idpId = await withProvider(app, ann, real.issuer)
    real.allow(`http://plumbline.test/auth/callback/sso/${idpId}`)
    await provenDomain(app, eva, 'evil.test')
    theirs = await withProvider(app, eva, hostile.issuer)
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await Promise.all([real.close(), hostile.close()])
    await store.close()
  })

  /** Signs in as a person of the real provider. */
  async function comes(name: string, more: Parameters<typeof began>[2] = {}): Promise<Answer> {
    const { url, cookie } = await began(app, ann.orgSlug, more)
    return came(app, idpId, cookie, await signInAt(url.href, name))
  }

  const person = (name: string, email = `${name}@acme.test`) => {
    real.people[name] = { email, email_verified: true }
  }

  /** The reasons of refusals, as administrators read them. */
  async function reasons(orgId = ann.orgId): Promise<string[]> {
    return store.system.read(async (db) => {
      const { auditOutbox: t } = jobTables(db)
      const rows = await db.select().from(t).where(eq(t.affectedOrgId, orgId))
      return rows
        .sort((a, b) => a.position - b.position)
        .filter(({ event }) => event.action === 'identity.sso.refused')
        .map(({ details }) => String((JSON.parse(details ?? '{}') as { reason?: string }).reason))
    })
  }

  it('makes an account for a person of a proven domain, confined to the organization', async () => {
    person('nina')
    const answer = await comes('nina', { body: { returnTo: '/reports' } })
    expect(answer.status).toBe(200)
    expect(answer.data).toMatchObject({ kind: 'session', returnTo: '/reports' })
    const { tokens } = answer.data
    expect(tokens.user).toMatchObject({ email: 'nina@acme.test', username: 'nina', isEmailVerified: true })
    expect(tokens.organization).toMatchObject({ id: ann.orgId, role: 'member' })
    const me = await app.call('GET', '/auth/me', { as: tokens })
    expect(me.data.memberships.map(({ organizationId }: { organizationId: string }) => organizationId)).toEqual([
      ann.orgId,
    ])
    expect((await app.call('GET', `/organization/${ann.orgId}/members`, { as: tokens })).status).toBe(200)
    // Whether it may is known before it is asked for a confirmation.
    const hers = { as: tokens, body: { currentPassword: 'x', newPassword: 'Correct-Horse-9' } }
    expect(await app.call('POST', '/auth/password/change', hers)).toMatchObject({
      status: 403,
      body: { message: expect.stringContaining('valid only in its organization') },
    })
    const made = await app.call('POST', '/organization', { as: tokens, body: { name: 'elsewhere' } })
    expect(made.body.message).toContain('valid only in its organization')
    const again = await comes('nina')
    expect(again.data.tokens.user.id).toBe(tokens.user.id)
    const refreshed = await app.call('POST', '/auth/refresh', { body: { refreshToken: tokens.refreshToken } })
    expect(refreshed.data.organization.id).toBe(ann.orgId)
    expect(await evidenceOf(app, ann.orgId)).toEqual(
      expect.arrayContaining(['identity.sso.link', 'identity.sso.login']),
    )
  })

  it('opens sessions that end when an administrator removes the person, and do not come back', async () => {
    person('lena')
    const { tokens } = (await comes('lena')).data
    const { sessions, memberships: t } = { ...credentialTables(store), ...identityTables(store) }
    const own = and(eq(t.orgId, ann.orgId), eq(t.userId, tokens.user.id))
    const [before] = await store.system.read((db) => db.select().from(t).where(own))
    const removed = await confirmed(app, 'DELETE', `/organization/${ann.orgId}/members/${tokens.user.id}`, { as: ann })
    expect(removed.status).toBeLessThan(300)
    const open = and(eq(sessions.userId, tokens.user.id), isNull(sessions.revokedAtMs))
    expect(await store.system.read((db) => db.$count(sessions, open))).toBe(0)
    // She is a member again.
    await store.system.write(async (tx) => {
      await tx.delete(t).where(own)
      if (before !== undefined) await tx.insert(t).values(before)
    })
    app.identity.directory.drop({ userId: tokens.user.id })
    const back = await app.call('POST', '/auth/refresh', { body: { refreshToken: tokens.refreshToken } })
    expect(back.status).toBe(401)
    expect((await app.call('GET', '/auth/me', { as: tokens })).status).toBe(401)
  })

  it('uses a state once, in its browser, at its own address', async () => {
    person('otto')
    const { url, cookie } = await began(app, ann.orgId)
    const back = await signInAt(url.href, 'otto')
    const other = await began(app, ann.orgId)
    const unknown = { ...back, state: 'u'.repeat(43) }
    const tries: [string, string | null, object, string][] = [
      [idpId, null, back, 'browser'],
      [idpId, other.cookie, back, 'browser'],
      [theirs, cookie, back, 'redirect'],
      [idpId, cookie, { ...back, state: other.state }, 'browser'],
    ]
    for (const [at, of, body, why] of tries) {
      expect((await came(app, at, of, body)).code).toBe('SSO_REFUSED')
      expect((await reasons()).at(-1)).toBe(why)
    }
    const before = (await reasons()).length
    expect((await came(app, idpId, cookie, unknown)).code).toBe('SSO_REFUSED')
    expect(await reasons()).toHaveLength(before)
    expect(await reasons(eva.orgId)).toEqual([])
    const both = await Promise.all([came(app, idpId, cookie, back), came(app, idpId, cookie, back)])
    expect(both.map(({ status }) => status).sort()).toEqual([200, 403])
    expect((await came(app, idpId, cookie, back)).code).toBe('SSO_REFUSED')
    const late = await began(app, ann.orgId)
    app.clock.set(app.clock.now() + 600_001)
    expect((await came(app, idpId, late.cookie, { state: late.state, code: 'x' })).code).toBe('SSO_REFUSED')
    expect((await reasons()).at(-1)).toBe('late')
    app.clock.set(Date.now())
  })

  it('does not go on where the provider changed, or was switched off, meanwhile', async () => {
    const { cookie, state } = await began(app, ann.orgId)
    await confirmed(app, 'PATCH', `/organization/${ann.orgId}/idp`, { as: ann, body: { sessionHours: 10 } })
    expect((await came(app, idpId, cookie, { state, code: 'x' })).code).toBe('SSO_REFUSED')
    expect((await reasons()).at(-1)).toBe('changed')
    await confirmed(app, 'PATCH', `/organization/${ann.orgId}/idp`, { as: ann, body: { enabled: false } })
    expect((await app.call('POST', `/auth/sso/${ann.orgSlug}/authorize`, { body: {} })).status).toBe(404)
    await confirmed(app, 'PATCH', `/organization/${ann.orgId}/idp`, { as: ann, body: { enabled: true } })
  })

  it('links a verified member by the address, and goes by the subject from then on', async () => {
    const max = await enrol(app, await signUp(app, 'max'), ann.orgId)
    await verifyAddress(app, max.userId)
    person('max', max.email)
    // An address of an unproved domain is refused, verified or not.
    expect((await comes('max')).code).toBe('SSO_REFUSED')
    expect((await reasons()).at(-1)).toBe('domain')
    await setEmail(max.userId, 'max@acme.test')
    person('max', 'max@acme.test')
    expect((await comes('max')).data.tokens.user.id).toBe(max.userId)
    // The provider gives the address to another person: another subject is another person.
    person('max-the-second', 'max@acme.test')
    expect((await comes('max-the-second')).code).toBe('SSO_REFUSED')
    expect((await reasons()).at(-1)).toBe('other-subject')
    // The same subject with a new address, in any domain, is the same person.
    person('max', 'somebody@else.test')
    expect((await comes('max')).data.tokens.user.id).toBe(max.userId)
  })

  async function setEmail(userId: string, email: string): Promise<void> {
    await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      await tx.update(users).set({ email, emailKey: email }).where(eq(users.id, userId))
    })
  }

  it('gives the address of an account that never proved it to the newcomer', async () => {
    const squatter = await signUp(app, 'squatter')
    await setEmail(squatter.userId, 'boss@acme.test')
    person('boss')
    const answer = await comes('boss')
    expect(answer.data.tokens.user).toMatchObject({ email: 'boss@acme.test' })
    expect(answer.data.tokens.user.id).not.toBe(squatter.userId)
    const me = await app.call('GET', '/auth/me', { as: squatter })
    expect(me.data.user.email).toBe(`released-${squatter.userId}@address.invalid`)
  })

  it('goes by the issuer as well: the same subject of another one is another person', async () => {
    person('ivy')
    const { tokens } = (await comes('ivy')).data
    const says = (issuer: string) =>
      store.system.write(async (tx) => {
        const { identityLinks: t } = ssoTables(tx)
        await tx.update(t).set({ issuer }).where(eq(t.userId, tokens.user.id))
      })
    await says('https://before.test')
    expect((await comes('ivy')).code).toBe('SSO_REFUSED')
    expect((await reasons()).at(-1)).toBe('other-subject')
    await says(real.issuer)
    expect((await comes('ivy')).data.tokens.user.id).toBe(tokens.user.id)
  })

  it('lets nobody in whose membership or account is not active, and activates nobody', async () => {
    person('gone')
    const { tokens } = (await comes('gone')).data
    const path = `/organization/${ann.orgId}/members/${tokens.user.id}/deactivate`
    expect((await app.call('PATCH', path, { as: ann })).status).toBe(200)
    expect((await comes('gone')).code).toBe('SSO_REFUSED')
    expect((await reasons()).at(-1)).toBe('inactive')
    expect((await app.call('GET', '/auth/me', { as: tokens })).status).toBe(401)
  })

  it('asks the mailbox of a verified account that does not belong to it, in the browser that came', async () => {
    const lone = await signUp(app, 'lone')
    await verifyAddress(app, lone.userId)
    await setEmail(lone.userId, 'lone@acme.test')
    person('lone')
    const { url, cookie } = await began(app, ann.orgId)
    const answer = await came(app, idpId, cookie, await signInAt(url.href, 'lone'))
    expect(answer.data).toEqual({ kind: 'confirm' })
    const mail = (await queuedMails(app)).filter(({ template }) => template === 'sso.join').at(-1)
    expect(mail?.to).toBe('lone@acme.test')
    const token = new URL(mail?.values.link ?? '').searchParams.get('token')
    const confirm = (headers: Record<string, string>) =>
      app.call('POST', '/auth/sso/confirm', { body: { token }, headers })
    expect((await confirm({})).code).toBe('SSO_REFUSED')
    expect((await confirm({ cookie: (await began(app, ann.orgId)).cookie })).code).toBe('SSO_REFUSED')
    expect((await reasons()).slice(-2)).toEqual(['browser', 'browser'])
    // Two mails for the same person: the first one joins, the second is refused and leaves no trace.
    const twice = await began(app, ann.orgId)
    await came(app, idpId, twice.cookie, await signInAt(twice.url.href, 'lone'))
    const again = (await queuedMails(app)).filter(({ template }) => template === 'sso.join').at(-1)
    const joined = await confirm({ cookie })
    expect(joined.data.tokens.user.id).toBe(lone.userId)
    const second = new URL(again?.values.link ?? '').searchParams.get('token')
    const late = await app.call('POST', '/auth/sso/confirm', {
      body: { token: second },
      headers: { cookie: twice.cookie },
    })
    expect(late.code).toBe('SSO_REFUSED')
    expect((await reasons()).at(-1)).toBe('other-subject')
    expect((await confirm({ cookie })).code).toBe('SSO_REFUSED')
    expect((await comes('lone')).data.kind).toBe('session')
  })

  it('answers everybody whom it refuses the same', async () => {
    await confirmed(app, 'PATCH', `/organization/${ann.orgId}/idp`, { as: ann, body: { jit: false } })
    const verified = await signUp(app, 'verified')
    await verifyAddress(app, verified.userId)
    await setEmail(verified.userId, 'verified@acme.test')
    await setEmail((await signUp(app, 'unproved')).userId, 'unproved@acme.test')
    for (const name of ['verified', 'unproved', 'nobody']) person(name)
    person('foreign', 'foreign@other.test')
    const bodies = new Set<string>()
    for (const name of ['verified', 'unproved', 'nobody', 'foreign', 'gone']) {
      const { status, body } = await comes(name)
      const { requestId: _, ...rest } = body
      bodies.add(JSON.stringify([status, rest]))
    }
    expect([...bodies]).toHaveLength(1)
    await confirmed(app, 'PATCH', `/organization/${ann.orgId}/idp`, { as: ann, body: { jit: true } })
  })

  it('carries no system administration, and touches nothing of the person elsewhere', async () => {
    const root = await superAdmin(app, 'root')
    await enrol(app, root, ann.orgId)
    await setEmail(root.userId, 'root@acme.test')
    person('root')
    const { tokens } = (await comes('root')).data
    expect(tokens.user.id).toBe(root.userId)
    const get = (path: string, headers = {}) => app.call('GET', path, { as: tokens, headers })
    expect((await get('/admin/users')).status).toBe(403)
    expect((await get('/auth/me')).data.user.isSuperAdmin).toBe(false)
    expect((await get('/auth/me')).data.permissions).not.toContain('org:settings')
    expect((await get(`/organization/${root.orgId}/members`)).status).toBe(404)
    expect((await get('/auth/me', { 'x-org-id': root.orgId })).status).toBe(403)
    expect((await get('/auth/sessions')).data.sessions).toHaveLength(1)
    expect((await get('/auth/me')).data.memberships).toHaveLength(1)
    const refusedCalls: [string, string, object?][] = [
      ['PATCH', '/auth/me', { username: 'mallory' }],
      ['POST', '/auth/password/change', { currentPassword: 'x', newPassword: 'Another-Horse-8' }],
      ['POST', '/auth/mfa/totp/enroll', {}],
      ['POST', '/auth/switch-org', { organizationId: root.orgId }],
      ['POST', '/organization', { name: 'Mine' }],
    ]
    for (const [method, path, body] of refusedCalls) {
      const answer = await app.call(method, path, { as: tokens, ...(body === undefined ? {} : { body }) })
      expect([401, 403, 404], `${method} ${path} ${answer.code}`).toContain(answer.status)
    }
    expect((await app.call('POST', '/auth/logout', { as: tokens, body: { everywhere: true } })).status).toBe(204)
    expect((await app.call('GET', '/auth/me', { as: root })).status).toBe(200)
  })

  it('proves a running session for the person of that session alone', async () => {
    const carl = await enrol(app, await signUp(app, 'carl'), ann.orgId)
    person('carl-there', 'carl@consultants.test')
    const unconfirmed = await app.call('POST', `/auth/sso/${ann.orgId}/attach`, { body: {}, as: carl })
    expect([unconfirmed.status, unconfirmed.code]).toEqual([401, 'STEP_UP_REQUIRED'])
    const attached = await comes('carl-there', { as: carl, headers: await stepUp(app, carl) })
    expect(attached.data).toEqual({ kind: 'attached', returnTo: '/' })
    expect((await evidence(app)).findLast(({ action }) => action === 'identity.sso.login')?.actorId).toBe(carl.userId)
    // By the link that the two proofs made, although the organization does not own the domain.
    expect((await comes('carl-there')).data.tokens.user.id).toBe(carl.userId)
    // The link is there, so that nothing new comes of it.
    expect((await comes('carl-there', { as: carl })).data.kind).toBe('attached')
    expect((await comes('nina', { as: carl })).code).toBe('SSO_REFUSED')
    // The session ends while the person is at the provider.
    const begun = await began(app, ann.orgId, { as: carl })
    const back = await signInAt(begun.url.href, 'carl-there')
    await app.call('POST', '/auth/logout', { as: carl, body: {} })
    expect((await came(app, idpId, begun.cookie, back)).code).toBe('SSO_REFUSED')
    expect((await reasons()).at(-1)).toBe('session')
    expect((await comes('carl-there', { as: eva, headers: await stepUp(app, eva) })).code).toBe('SSO_REFUSED')
    expect((await app.call('POST', `/auth/sso/${ann.orgId}/attach`, { body: {} })).status).toBe(401)
  })

  it('links nothing without a confirmation when the link went away meanwhile', async () => {
    const dora = await enrol(app, await signUp(app, 'dora'), ann.orgId)
    person('dora-there', 'dora@consultants.test')
    await comes('dora-there', { as: dora, headers: await stepUp(app, dora) })
    const begun = await began(app, ann.orgId, { as: dora })
    const back = await signInAt(begun.url.href, 'dora-there')
    const links = () =>
      store.system.write(async (tx) => {
        const { identityLinks: t } = ssoTables(tx)
        return tx.delete(t).where(eq(t.userId, dora.userId)).returning()
      })
    expect(await links()).toHaveLength(1)
    expect((await came(app, idpId, begun.cookie, back)).code).toBe('SSO_REFUSED')
    expect((await reasons()).at(-1)).toBe('other-subject')
    expect(await links()).toEqual([])
  })

  it('confirms an action by asking the person at the provider again', async () => {
    const { tokens } = (await comes('nina')).data
    const asking = { kind: 'step-up', action: 'identity.pat.create' }
    const { url, cookie } = await began(app, ann.orgId, { body: asking, as: tokens })
    expect(url.searchParams.get('prompt')).toBe('login')
    const done = await came(app, idpId, cookie, await signInAt(url.href, 'nina'))
    expect(done.data.kind).toBe('step-up')
    const headers = { 'x-step-up-token': done.data.stepUpToken }
    const elsewhere = await app.call('POST', '/auth/pats', {
      as: tokens,
      body: { name: 'x', organizationId: eva.orgId },
      headers,
    })
    expect(elsewhere.code).toBe('ORG_MISMATCH')
    const another = await began(app, ann.orgId, { body: asking, as: tokens })
    const confirmedAs = await came(app, idpId, another.cookie, await signInAt(another.url.href, 'boss'))
    expect(confirmedAs.code).toBe('SSO_REFUSED')
  })

  it('hands a confirmation to the session that began it, in a program that keeps the verifier', async () => {
    const { tokens } = (await comes('nina')).data
    const other = (await comes('nina')).data.tokens
    const verifier = 'v'.repeat(43)
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const asking = { kind: 'step-up', action: 'identity.pat.create', loopback: 'http://127.0.0.1:49152/x', challenge }
    const attach = (body: object, as: Pick<SignedIn, 'accessToken'> = tokens) =>
      app.call('POST', `/auth/sso/${ann.orgId}/attach`, { body, as })
    expect((await attach({ ...asking, kind: 'attach' }, ann)).status).toBe(400)
    expect((await attach({ ...asking, challenge: undefined })).status).toBe(400)
    const through = async () => {
      const begun = await attach(asking)
      const ticket = new URL(begun.data.url).searchParams.get('ticket')
      const started = await app.call('POST', '/auth/sso/start', { body: { ticket } })
      expect(new URL(started.data.url).searchParams.get('prompt')).toBe('login')
      const done = await came(app, idpId, cookieIn(started), await signInAt(started.data.url, 'nina'))
      expect(done.data.kind).toBe('program')
      return new URL(done.data.location).searchParams.get('grant')
    }
    const exchange = (grant: string | null, as: Pick<SignedIn, 'accessToken'>, by = verifier) =>
      app.call('POST', '/auth/step-up/exchange', { body: { grant, verifier: by }, as })
    const grant = await through()
    expect((await exchange(grant, tokens, 'w'.repeat(43))).code).toBe('SSO_REFUSED')
    // The grant of a step-up cannot be used for a sign-in.
    for (const way of ['sso', 'oauth']) {
      const asked = await app.call('POST', `/auth/${way}/exchange`, { body: { grant, verifier } })
      expect(asked.code).toBe('SSO_REFUSED')
    }
    expect((await exchange(grant, other)).code).toBe('SSO_REFUSED')
    const done = await exchange(await through(), tokens)
    expect(done.status, JSON.stringify(done.body)).toBe(200)
    const headers = { 'x-step-up-token': done.data.stepUpToken as string }
    const made = await app.call('POST', '/auth/pats', { as: tokens, body: { name: 'ci' }, headers })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const late = await through()
    app.clock.set(app.clock.now() + 60_001)
    expect((await exchange(late, tokens)).code).toBe('SSO_REFUSED')
    app.clock.set(Date.now())
  })

  it('hands a sign-in to the program that began it, and to no other', async () => {
    const verifier = 'v'.repeat(43)
    const challenge = createHash('sha256').update(verifier).digest('base64url')
    const body = { kind: 'program', loopback: 'http://127.0.0.1:49152/', challenge }
    const begun = await app.call('POST', `/auth/sso/${ann.orgSlug}/authorize`, { body })
    const ticket = new URL(begun.data.url).searchParams.get('ticket')
    const started = await app.call('POST', '/auth/sso/start', { body: { ticket } })
    expect((await app.call('POST', '/auth/sso/start', { body: { ticket } })).status).toBe(404)
    const back = await signInAt(started.data.url, 'nina')
    const done = await came(app, idpId, cookieIn(started), back)
    const location = new URL(done.data.location)
    expect(location.origin).toBe('http://127.0.0.1:49152')
    const grant = location.searchParams.get('grant')
    const exchange = (by: string) => app.call('POST', '/auth/sso/exchange', { body: { grant, verifier: by } })
    expect((await exchange('w'.repeat(43))).code).toBe('SSO_REFUSED')
    expect((await reasons()).at(-1)).toBe('browser')
    expect((await exchange(verifier)).data.user.email).toBe('nina@acme.test')
    expect((await exchange(verifier)).code).toBe('SSO_REFUSED')
  })

  it.each(['https://evil.test/', 'http://127.0.0.1.evil.test:80/', 'http://localhost:80/', 'file:///etc'])(
    'hands none to %s',
    async (loopback) => {
      const body = { kind: 'program', loopback, challenge: 'c'.repeat(43) }
      expect((await app.call('POST', `/auth/sso/${ann.orgSlug}/authorize`, { body })).status).toBe(400)
    },
  )

  it.each(['//evil.test', 'https://evil.test', '/\\evil.test', 'javascript:1'])(
    'sends nobody on to %s',
    async (returnTo) => {
      expect((await app.call('POST', `/auth/sso/${ann.orgSlug}/authorize`, { body: { returnTo } })).status).toBe(400)
    },
  )

  it('shows in a test what the claims would do, and does nothing of it', async () => {
    person('tess')
    const test = await app.call('POST', `/organization/${ann.orgId}/idp/test`, { as: ann })
    const ticket = new URL(test.data.url).searchParams.get('ticket')
    const started = await app.call('POST', '/auth/sso/start', { body: { ticket } })
    const done = await came(app, idpId, cookieIn(started), await signInAt(started.data.url, 'tess'))
    expect(done.data).toMatchObject({ kind: 'test', wouldBe: 'created', email: 'tess@acme.test' })
    expect(done.data.claims).toMatchObject({ sub: 'tess', iss: real.issuer })
    const named = await app.call('POST', `/organization/${ann.orgId}/idps/${idpId}/test`, { as: ann })
    expect(named.data.url).toContain('http://plumbline.test/sso/start?ticket=')
    expect((await app.call('POST', `/organization/${eva.orgId}/idps/${idpId}/test`, { as: eva })).status).toBe(404)
    const { provider } = (await app.call('GET', `/organization/${ann.orgId}/idp`, { as: ann })).data
    expect(provider.test).toMatchObject({ by: ann.userId, isCurrent: true })
    const { users } = await store.system.read(async (db) => ({
      users: await db.select().from(identityTables(db).users),
    }))
    expect(users.map(({ email }) => email)).not.toContain('tess@acme.test')
  })

  it('tells of a domain that it is served, and nothing of an address', async () => {
    const discover = (email: string) => app.call('POST', '/auth/sso/discover', { body: { email } })
    expect((await discover('someone@acme.test')).data).toEqual({
      sso: true,
      authorizePath: `/auth/sso/${ann.orgId}/authorize`,
    })
    expect((await discover('someone@other.test')).data).toEqual({ sso: false, authorizePath: null })
    const deleted = (deletedAtMs: number | null) =>
      store.system.write(async (tx) => {
        const { organizations } = identityTables(tx)
        await tx.update(organizations).set({ deletedAtMs }).where(eq(organizations.id, ann.orgId))
      })
    await deleted(1)
    expect((await discover('someone@acme.test')).data).toEqual({ sso: false, authorizePath: null })
    await deleted(null)
  })

  it.each([...FORGED_TOKENS, ...FORGED_ADDRESSES])('does not accept %s', async (name, say) => {
    // Everything else is right: the address alone would let the person in.
    hostile.email = 'eve@evil.test'
    hostile.say = say
    const answer = await comesHostile()
    expect(answer.status, `${name} ${JSON.stringify(answer.body)}`).toBe(403)
    expect(answer.code).toBe('SSO_REFUSED')
    const reason = (await reasons(eva.orgId)).at(-1)
    expect(reason).toMatch(/^[a-z-]+(: [\w .-]+)?$/)
    if (FORGED_TOKENS.some(([forged]) => forged === name)) expect(reason).not.toMatch(/^(domain|no-email|no-account)/)
  })

  const AWAY: readonly (readonly [string, (asked: Asked) => Promise<string | Response>])[] = [
    ['a redirect', async () => new Response(null, { status: 302, headers: { location: 'http://127.0.0.1:1/' } })],
    ['a body of a megabyte', async () => Response.json('x'.repeat(1_000_000))],
  ]
  it.each(AWAY)('is closed after %s', async (_name, say) => {
    hostile.say = say
    expect((await comesHostile()).code).toBe('PROVIDER_UNAVAILABLE')
  })

  it('accepts what is right, and what an answer adds to the address is compared', async () => {
    hostile.say = ({ sign }) => sign({})
    expect((await comesHostile()).data?.kind).toBe('session')
    for (const more of [{ iss: undefined }, { iss: 'https://other.test' }, { error: 'access_denied' }]) {
      expect((await comesHostile(more)).code).toBe('SSO_REFUSED')
    }
  })

  it('takes no key, token or redirect address from a private place', async () => {
    for (const metadata of [
      { jwks_uri: 'http://127.0.0.2/jwks' },
      { token_endpoint: 'http://169.254.169.254/token' },
    ]) {
      hostile.metadata = metadata
      await confirmed(app, 'PATCH', `/organization/${eva.orgId}/idp`, { as: eva, body: { sessionHours: 5 } })
      expect((await comesHostile()).code).toBe('PROVIDER_UNAVAILABLE')
    }
    for (const metadata of [{ issuer: 'https://other.test' }, { issuer: undefined }]) {
      hostile.metadata = metadata
      await confirmed(app, 'PATCH', `/organization/${eva.orgId}/idp`, { as: eva, body: { sessionHours: 6 } })
      const begin = await app.call('POST', `/auth/sso/${eva.orgSlug}/authorize`, { body: {} })
      expect(begin.code).toBe('PROVIDER_UNAVAILABLE')
    }
    hostile.metadata = {}
  })

  it('links people again where the provider is another one, and by nothing of the former', async () => {
    hostile.say = ({ sign }) => sign({})
    const { user } = (await comesHostile()).data.tokens
    const body = { issuer: real.issuer }
    await confirmed(app, 'PATCH', `/organization/${eva.orgId}/idp`, { as: eva, body })
    real.allow(`http://plumbline.test/auth/callback/sso/${theirs}`)
    person('eve-there', 'eve@evil.test')
    const { url, cookie } = await began(app, eva.orgSlug)
    const answer = await came(app, theirs, cookie, await signInAt(url.href, 'eve-there'))
    expect(answer.data?.tokens?.user.id).toBe(user.id)
  })

  async function comesHostile(more: object = {}): Promise<Answer> {
    const { url, cookie, state } = await began(app, eva.orgSlug)
    hostile.nonce = url.searchParams.get('nonce') ?? ''
    return came(app, theirs, cookie, { state, code: 'code', iss: hostile.issuer, ...more })
  }
})
