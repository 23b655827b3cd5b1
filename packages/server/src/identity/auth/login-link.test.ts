/**
 * The sign-in link of a demo works once, within 15 minutes, for its person only, and does not replace a second factor.
 */
import { eq } from 'drizzle-orm'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import {
  evidence,
  type IdentityApp,
  identityApp,
  PASSWORD,
  type SignedIn,
  signUp,
  stepUp,
} from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { issueOneTimeToken, type OneTimeKind, SIGN_IN_LINK_SECONDS } from '../credential/one-time-tokens.js'
import { identityTables } from '../tables.js'

await describeStores('the sign-in link of a demo', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  let ann: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await identityApp(store)
    ann = await signUp(app, 'ann')
  })
  afterAll(() => store.close())

  const linkOf = ({ userId }: { userId: string }, kind: OneTimeKind = 'sign-in') =>
    store.system.write((tx) => issueOneTimeToken(tx, kind, { userId, email: null, nowMs: app.clock.now() }))
  const use = (token: string, headers: Record<string, string> = {}, query = '') =>
    app.call('POST', `/auth/login/link${query}`, { body: { token }, headers })

  it('signs its person in, in the own organization, with evidence', async () => {
    const answer = await use(await linkOf(ann))
    expect([answer.status, answer.data.user.id, answer.data.organization.id]).toEqual([200, ann.userId, ann.orgId])
    expect((await app.call('GET', '/auth/me', { as: answer.data.accessToken })).status).toBe(200)
    expect((await evidence(app)).at(-1)).toMatchObject({ action: 'user.login', orgId: ann.orgId })
    expect(app.errors).toEqual([])
  })

  it('gives a page of ours the cookie and no token, and another page nothing', async () => {
    const host = 'localhost:3000'
    const page = { host, 'sec-fetch-site': 'same-origin', origin: `http://${host}`, 'x-csrf': '1' }
    const token = await linkOf(ann)
    const forged = await use(token, { ...page, 'sec-fetch-site': 'cross-site' }, '?cookie=session')
    expect(forged.status).toBe(403)
    const answer = await use(token, page, '?cookie=session')
    expect(Object.keys(answer.data).sort()).toEqual(['organization', 'refreshExpiresIn', 'user'])
    expect(answer.headers.get('set-cookie')).toMatch(/^plumbline_session=.*HttpOnly/)
  })

  it('works once, however many use it together', async () => {
    const token = await linkOf(ann)
    const answers = await Promise.all(Array.from({ length: 5 }, () => use(token)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401])
    expect((await use(token)).code).toBe('TOKEN_INVALID')
  })

  it('ends after its minutes, and with the next link', async () => {
    const late = await linkOf(ann)
    app.clock.advance(SIGN_IN_LINK_SECONDS * 1000)
    expect((await use(late)).code).toBe('TOKEN_INVALID')
    const first = await linkOf(ann)
    await linkOf(ann)
    expect((await use(first)).code).toBe('TOKEN_INVALID')
  })

  it('is not the link of an e-mail, nor the reverse', async () => {
    expect((await use(await linkOf(ann, 'reset-password'))).code).toBe('TOKEN_INVALID')
    const token = await linkOf(ann)
    const body = { token, password: 'Another-Horse-9' }
    expect((await app.call('POST', '/auth/password/reset', { body })).code).toBe('TOKEN_INVALID')
  })

  it('ends with the password of its person, and for an account that is switched off', async () => {
    const bea = await signUp(app, 'bea')
    const token = await linkOf(bea)
    const body = { currentPassword: PASSWORD, newPassword: 'Another-Horse-9' }
    expect(
      (await app.call('POST', '/auth/password/change', { as: bea, body, headers: await stepUp(app, bea) })).status,
    ).toBeLessThan(300)
    expect((await use(token)).code).toBe('TOKEN_INVALID')
    const next = await linkOf(bea)
    await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      await tx.update(users).set({ isActive: false }).where(eq(users.id, bea.userId))
    })
    expect((await use(next)).code).toBe('TOKEN_INVALID')
  })

  it('leads past no second factor', async () => {
    const cay = await signUp(app, 'cay')
    const begun = await app.call('POST', '/auth/mfa/totp/enroll', {
      as: cay,
      body: {},
      headers: await stepUp(app, cay),
    })
    const code = generateSync({ secret: begun.data.secret, epoch: Math.floor(app.clock.now() / 1000) })
    const done = await app.call('POST', '/auth/mfa/totp/confirm', {
      as: cay,
      body: { code },
      headers: await stepUp(app, cay),
    })
    expect(done.status).toBeLessThan(300)
    expect((await use(await linkOf(cay))).code).toBe('TOKEN_INVALID')
  })
})
