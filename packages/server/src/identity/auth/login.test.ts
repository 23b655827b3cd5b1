/** Signing in: the same answer for every failure, one hash for every attempt, and a lockout that grows and ends. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { evidence, type IdentityApp, identityApp, linkToken, PASSWORD, signUp } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Store } from '../../runtime/store/db.js'
import { hashPassword } from '../credential/password-hash.js'
import { identityTables } from '../tables.js'

await describeStores('sign-in', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  beforeAll(async () => {
    store = await open()
    app = await identityApp(store)
  })
  afterAll(async () => {
    await app.identity.settle()
    await store.close()
  })

  const register = (body: object) => app.call('POST', '/auth/register', { body })
  const login = (identifier: string, password = PASSWORD) =>
    app.call('POST', '/auth/login', { body: { identifier, password } })

  it('opens an account with an organization that the person owns, and records it there', async () => {
    const answer = await register({ username: 'Ann', email: 'Ann@plumbline.test', password: PASSWORD })
    expect(answer.status).toBe(201)
    expect(answer.data.user).toMatchObject({ username: 'Ann', email: 'Ann@plumbline.test', isEmailVerified: false })
    expect(answer.data.organization).toMatchObject({ name: 'Ann', slug: 'ann', role: 'owner' })
    const rows = (await evidence(app)).filter(({ orgId }) => orgId === answer.data.organization.id)
    expect(rows.map(({ action, actorId }) => [action, actorId])).toEqual([
      ['user.register', answer.data.user.id],
      ['org.create', answer.data.user.id],
    ])
    const me = await login('ann').then(({ data }) => app.call('GET', '/auth/me', { as: data.accessToken }))
    expect(me.data.organization.role).toBe('owner')
    expect(me.data.permissions).toContain('org:settings')
    expect(me.data.permissions).not.toContain('registry:write')
    expect(app.errors).toEqual([])
  })

  it('finds the person by user name or address, whatever the case', async () => {
    for (const identifier of ['ANN', 'ann', 'ann@PLUMBLINE.test']) expect((await login(identifier)).status).toBe(200)
  })

  it('names the field that is taken, also in another case', async () => {
    const name = await register({ username: 'aNN', email: 'other@plumbline.test', password: PASSWORD })
    expect([name.status, name.code, name.body.details]).toEqual([409, 'DUPLICATE_ENTRY', { field: 'username' }])
    const mail = await register({ username: 'other', email: 'ANN@plumbline.test', password: PASSWORD })
    expect([mail.status, mail.body.details]).toEqual([409, { field: 'email' }])
  })

  it('reports everything that is wrong with a password', async () => {
    const answer = await register({ username: 'weak', email: 'weak@plumbline.test', password: 'abc' })
    expect(answer.status).toBe(400)
    const codes = answer.body.details.issues.map(({ code }: { code: string }) => code)
    expect(codes).toEqual(['too_short', 'no_upper', 'no_digit'])
    for (const password of ['Password123', 'Liverpool1', 'Qwerty12345']) {
      const common = await register({ username: 'weak', email: 'weak@plumbline.test', password })
      expect(common.body.details.issues[0].code).toBe('common')
    }
    const own = await register({ username: 'Weak-One-1', email: 'weak@plumbline.test', password: 'weak-ONE-1' })
    expect(own.body.details.issues[0].code).toBe('is_name')
  })

  it('reserves the system organization', async () => {
    for (const organizationName of ['system', 'System', ' system'.trim(), 'SYSTEM!']) {
      const answer = await register({
        username: 'mallory',
        email: 'mallory@plumbline.test',
        password: PASSWORD,
        organizationName,
      })
      expect([answer.status, answer.code]).toEqual([403, 'RESERVED_ORG'])
    }
  })

  it('gives every failed sign-in the same answer and the same number of hashes', async () => {
    const bob = await signUp(app, 'bob')
    await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      await tx.update(users).set({ isActive: false }).where(eq(users.id, bob.userId))
    })
    const tries = [
      () => login('ann', 'Wrong-Password-1'),
      () => login('nobody@plumbline.test', 'Wrong-Password-1'),
      () => login('bob'),
    ]
    const answers = []
    for (const attempt of tries) {
      const before = app.identity.passwords.counts.hashed
      const { body, status } = await attempt()
      expect(app.identity.passwords.counts.hashed - before).toBe(1)
      answers.push(JSON.stringify({ ...body, requestId: null, status }))
    }
    expect(new Set(answers).size).toBe(1)
    expect(answers[0]).toContain('UNAUTHORIZED')
    const failures = (await evidence(app)).filter(({ action }) => action === 'user.login.failed')
    expect(failures.map(({ targetId }) => targetId === null)).toEqual([false, true, false])
    expect(failures.every(({ outcome }) => outcome === null || outcome === 'failure')).toBe(true)
  })

  it('locks an identifier after five failures for 1, 2, 4 … 900 seconds, whether or not it exists', async () => {
    await signUp(app, 'carl')
    for (const identifier of ['carl', 'no-such-person']) {
      for (let n = 1; n <= 5; n++) expect((await login(identifier, 'Wrong-Password-1')).status).toBe(401)
      for (const seconds of [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900]) {
        // Even the right password must wait; otherwise the lockout would reveal when a guess was right.
        const locked = await login(identifier)
        expect([locked.status, locked.code]).toEqual([429, 'RATE_LIMIT_EXCEEDED'])
        expect(locked.headers.get('retry-after')).toBe(String(seconds))
        app.clock.advance(seconds * 1000 - 1)
        expect((await login(identifier)).status).toBe(429)
        app.clock.advance(1)
        expect((await login(identifier, 'Wrong-Password-1')).status).toBe(401)
      }
      app.clock.advance(900_000)
    }
    expect((await login('carl')).status).toBe(200)
    // A success resets the count: further failures are free again.
    for (let n = 1; n <= 4; n++) expect((await login('carl', 'Wrong-Password-1')).status).toBe(401)
    expect((await login('carl')).status).toBe(200)
    const locks = (await evidence(app)).filter(({ action }) => action === 'user.lockout')
    expect(locks).toHaveLength(2)
  })

  it('judges guesses that were hashed side by side one after another', async () => {
    await signUp(app, 'dora')
    const answers = await Promise.all(Array.from({ length: 12 }, () => login('dora', 'Wrong-Password-1')))
    const counts = answers.map(({ status }) => status).sort()
    expect(counts).toEqual([...Array(5).fill(401), ...Array(7).fill(429)])
  })

  it('counts both identifiers of a person together', async () => {
    const ned = await signUp(app, 'ned')
    for (let n = 1; n <= 5; n++) {
      expect((await login(n % 2 === 0 ? 'ned' : ned.email, 'Wrong-Password-1')).status).toBe(401)
    }
    for (const identifier of ['ned', ned.email]) expect((await login(identifier)).status).toBe(429)
    app.clock.advance(900_000)
  })

  it('lets a person in from where they signed in before, however long strangers guess', async () => {
    const open = await identityApp(store, { trustedProxyHops: 1, startMs: app.clock.now() })
    const from = (ip: string, identifier: string, password: string) =>
      open.call('POST', '/auth/login', { body: { identifier, password }, headers: { 'x-forwarded-for': ip } })
    const zoe = await signUp(open, 'zoe')
    const home = '198.51.100.7'
    expect((await from(home, 'zoe', PASSWORD)).status).toBe(200)
    // A stranger guesses for a week, from changing addresses, whenever the lockout allows it.
    let judged = 0
    for (let n = 0; n < 700; n++) {
      const answer = await from(`203.0.113.${n % 250}`, 'zoe', 'Wrong-Password-1')
      if (answer.status === 401) judged += 1
      open.clock.advance(answer.status === 401 ? 864_000 : Number(answer.headers.get('retry-after')) * 1000)
    }
    expect(judged).toBeLessThan(700)
    // The lockout allows one guess per 900 s. The right password must wait from a new network, but not from the known
    // one.
    await from('203.0.113.9', 'zoe', 'Wrong-Password-1')
    expect((await from('192.0.2.1', 'zoe', PASSWORD)).status).toBe(429)
    expect((await from(home, 'zoe', PASSWORD)).status).toBe(200)
    // The known network has its own lockout, with the same numbers.
    for (let n = 1; n <= 5; n++) expect((await from(home, 'zoe', 'Wrong-Password-1')).status).toBe(401)
    expect((await from(home, zoe.email, PASSWORD)).status).toBe(429)
    // A person on a new network can get in through their mailbox.
    await open.call('POST', '/auth/password/forgot', { body: { email: zoe.email } })
    const reset = { token: await linkToken(open, zoe.email), password: 'Battery-Staple-9' }
    const road = { 'x-forwarded-for': '192.0.2.1' }
    expect((await open.call('POST', '/auth/password/reset', { body: reset, headers: road })).status).toBe(204)
    for (let n = 0; n < 6; n++) await from('203.0.113.9', 'zoe', 'Wrong-Password-1')
    expect((await from('192.0.2.1', 'zoe', reset.password)).status).toBe(200)
    // The networks known before the new password are forgotten.
    for (let n = 0; n < 6; n++) await from('203.0.113.9', 'zoe', 'Wrong-Password-1')
    expect((await from(home, 'zoe', reset.password)).status).toBe(429)
    await open.identity.settle()
  })

  it('computes a hash of an older cost, or of bcrypt, again at sign-in', async () => {
    const eve = await signUp(app, 'eve')
    const read = () =>
      store.system.read(async (db) => {
        const { users } = identityTables(db)
        return (await db.select({ hash: users.passwordHash }).from(users).where(eq(users.id, eve.userId)))[0]?.hash
      })
    const ofBcrypt = '$2b$04$AO5bpboq6LDXdZBxPMXG9uNDDSpW/UT6e9QSRq3PB5cR1PQdmeA3i'
    for (const old of [await hashPassword(PASSWORD, { log2N: 3, r: 8, p: 1 }), ofBcrypt]) {
      await store.system.write(async (tx) => {
        const { users } = identityTables(tx)
        await tx.update(users).set({ passwordHash: old }).where(eq(users.id, eve.userId))
      })
      expect((await login('eve', `${PASSWORD}!`)).status).toBe(401)
      expect(await read()).toBe(old)
      expect((await login('eve')).status).toBe(200)
      expect(await read()).toMatch(/^\$scrypt\$ln=4,r=8,p=3\$/)
      expect((await login('eve')).status).toBe(200)
    }
  })

  it('signs in to the organization that was asked for, and to no foreign one', async () => {
    const fay = await signUp(app, 'fay')
    const body = { identifier: 'fay', password: PASSWORD }
    const own = await app.call('POST', '/auth/login', { body: { ...body, organizationId: fay.orgId } })
    expect(own.data.organization.id).toBe(fay.orgId)
    for (const organizationId of [SYSTEM_ORG_ID, '99999999-9999-7999-8999-999999999999']) {
      const foreign = await app.call('POST', '/auth/login', { body: { ...body, organizationId } })
      expect([foreign.status, foreign.code]).toEqual([403, 'ORG_MISMATCH'])
    }
  })

  it('refuses registration where it is not open', async () => {
    for (const REGISTRATION of ['invite', 'closed']) {
      const closed = await identityApp(store, { settings: { REGISTRATION } })
      const answer = await closed.call('POST', '/auth/register', {
        body: { username: 'gil', email: 'gil@plumbline.test', password: PASSWORD },
      })
      expect([answer.status, answer.code]).toEqual([403, 'REGISTRATION_CLOSED'])
    }
  })
})
