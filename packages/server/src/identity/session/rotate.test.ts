/**
 * Refresh rotation: one successor for parallel tabs, reuse ends one session, and the database holds no usable token.
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { evidence, type IdentityApp, identityApp, signIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { sweepCredentials } from '../credential/sweep.js'
import { credentialTables } from '../credential/tables.js'
import { identityTables } from '../tables.js'

await describeStores('refresh', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  beforeAll(async () => {
    store = await open()
    app = await identityApp(store)
  })
  afterAll(() => store.close())

  const refresh = (refreshToken: string) => app.call('POST', '/auth/refresh', { body: { refreshToken } })
  const me = (accessToken: string) => app.call('GET', '/auth/me', { as: accessToken })

  it('gives 20 parallel refreshes one successor, and nobody is signed out', async () => {
    const ann = await signUp(app, 'ann')
    for (let round = 0, token = ann.refreshToken; round < 5; round++) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(token)))
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
      const successors = new Set(answers.map(({ data }) => data.refreshToken))
      expect(successors.size).toBe(1)
      expect(successors.has(token)).toBe(false)
      for (const { data } of answers) expect((await me(data.accessToken)).status).toBe(200)
      token = answers[0]?.data.refreshToken
    }
    expect(app.errors).toEqual([])
  })

  it('ends the session whose token is reused after the grace, and no other', async () => {
    const bob = await signUp(app, 'bob')
    const other = await signIn(app, 'bob')
    const next = (await refresh(bob.refreshToken)).data
    app.clock.advance(19_999)
    expect((await refresh(bob.refreshToken)).data.refreshToken).toBe(next.refreshToken)
    app.clock.advance(1)
    const reuse = await refresh(bob.refreshToken)
    expect([reuse.status, reuse.code]).toEqual([401, 'TOKEN_REVOKED'])
    expect((await refresh(next.refreshToken)).code).toBe('TOKEN_REVOKED')
    expect((await me(next.accessToken)).code).toBe('TOKEN_REVOKED')
    expect((await refresh(other.refreshToken)).status).toBe(200)
    // A repeated use is refused and not audited again.
    expect((await refresh(bob.refreshToken)).code).toBe('TOKEN_REVOKED')
    const reuses = (await evidence(app)).filter(({ action }) => action === 'user.session.reuse')
    expect(reuses.map(({ actorId }) => actorId)).toEqual([bob.userId])
  })

  it('notices reuse of any older token, also within the grace of a younger one', async () => {
    const cam = await signUp(app, 'cam')
    const second = (await refresh(cam.refreshToken)).data.refreshToken
    const third = (await refresh(second)).data.refreshToken
    expect((await refresh(cam.refreshToken)).code).toBe('TOKEN_REVOKED')
    expect((await refresh(third)).code).toBe('TOKEN_REVOKED')
  })

  it('stores neither a token nor anything that opens one', async () => {
    const dan = await signUp(app, 'dan')
    const next = (await refresh(dan.refreshToken)).data.refreshToken
    const rows = await store.system.read(async (db) => {
      const { sessions, spentRefreshTokens } = credentialTables(db)
      return [...(await db.select().from(sessions)), ...(await db.select().from(spentRefreshTokens))]
    })
    const dump = JSON.stringify(rows)
    for (const token of [dan.refreshToken, next]) {
      expect(dump).not.toContain(token.slice(4))
      expect(dump).not.toContain(Buffer.from(token).toString('base64').slice(0, 40))
    }
    app.clock.advance(20_001)
    await store.system.write((tx) => sweepCredentials(tx, app.clock.now(), 500))
    const kept = await store.system.read((db) => {
      const { sessions } = credentialTables(db)
      return db.select({ successor: sessions.successor }).from(sessions).where(eq(sessions.userId, dan.userId))
    })
    expect(kept.every(({ successor }) => successor === null)).toBe(true)
  })

  it('ends a session after 7 days without use, and after 30 days in any case', async () => {
    const eli = await signUp(app, 'eli')
    const DAY_MS = 86_400_000
    let { refreshToken } = eli
    for (let day = 6; day < 30; day += 6) {
      app.clock.advance(6 * DAY_MS)
      const answer = await refresh(refreshToken)
      expect(answer.status).toBe(200)
      expect(answer.data.refreshExpiresIn).toBe((Math.min(30 - day, 7) * DAY_MS) / 1000)
      refreshToken = answer.data.refreshToken
    }
    app.clock.advance(6 * DAY_MS)
    expect((await refresh(refreshToken)).code).toBe('TOKEN_EXPIRED')
    const idle = await signIn(app, 'eli')
    app.clock.advance(7 * DAY_MS)
    expect((await refresh(idle.refreshToken)).code).toBe('TOKEN_EXPIRED')
  })

  it('refuses the refresh of an account that was deactivated', async () => {
    const fia = await signUp(app, 'fia')
    await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      await tx.update(users).set({ isActive: false }).where(eq(users.id, fia.userId))
    })
    expect((await refresh(fia.refreshToken)).code).toBe('TOKEN_REVOKED')
  })

  it('takes no other kind of token for a refresh token', async () => {
    const gus = await signUp(app, 'gus')
    for (const token of [
      gus.accessToken.slice(0, 200),
      'plr_',
      `plr_${'A'.repeat(43)}`,
      gus.refreshToken.slice(0, -1),
    ]) {
      const answer = await refresh(token)
      expect(answer.status).toBe(401)
    }
    expect((await app.call('POST', '/auth/refresh', { body: {} })).code).toBe('TOKEN_MISSING')
  })

  it('keeps a browser signed in by cookie, and asks for proof that the site sent the request', async () => {
    const hal = await signUp(app, 'hal')
    const login = await app.call('POST', '/auth/login?cookie=1', {
      body: { identifier: hal.username, password: 'Correct-Horse-7' },
    })
    expect(login.data.refreshToken).toBeUndefined()
    const [refreshCookie = '', csrfCookie = ''] = login.headers.getSetCookie()
    expect(refreshCookie).toMatch(/^plumbline_refresh=plr_[^;]+; Path=\/api\/auth; HttpOnly; .*Secure; SameSite=Lax$/)
    expect(csrfCookie).not.toContain('HttpOnly')
    const [first = '', second = ''] = [refreshCookie, csrfCookie].map((each) => each.split(';')[0] ?? '')
    const csrf = second.slice('plumbline_csrf='.length)
    const send = (headers: Record<string, string>) => app.call('POST', '/auth/refresh', { body: {}, headers })

    for (const headers of [
      { cookie: `${first}; ${second}` },
      { cookie: first, 'x-csrf': csrf },
      { cookie: `${first}; plumbline_csrf=planted`, 'x-csrf': 'planted' },
    ] as Record<string, string>[]) {
      expect((await send(headers)).code).toBe('TOKEN_INVALID')
    }
    const good = await send({ cookie: `${first}; ${second}`, 'x-csrf': csrf })
    expect(good.status).toBe(200)
    expect(good.data.refreshToken).toBeUndefined()
    expect(good.headers.getSetCookie()).toHaveLength(2)
    const out = await app.call('POST', '/auth/logout', {
      as: good.data,
      body: {},
      headers: { cookie: `${first}; ${second}` },
    })
    expect(out.status).toBe(204)
    expect(out.headers.getSetCookie().every((each) => each.includes('Max-Age=0'))).toBe(true)
  })
})
