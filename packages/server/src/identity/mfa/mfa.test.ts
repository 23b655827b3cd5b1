/** The second factor: required at every sign-in, each code valid once, and ten recovery codes. */
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
import { credentialTables } from '../credential/tables.js'

await describeStores('the second factor', WITH_POSTGRESQL, (open) => {
  let store: Store
  let app: IdentityApp
  beforeAll(async () => {
    store = await open()
    app = await identityApp(store)
  })
  afterAll(() => store.close())

  const code = (secret: string, shiftSeconds = 0) =>
    generateSync({ secret, epoch: Math.floor(app.clock.now() / 1000) + shiftSeconds })
  const login = (who: SignedIn) =>
    app.call('POST', '/auth/login', { body: { identifier: who.username, password: PASSWORD } })
  const second = (challengeToken: string, text: string) =>
    app.call('POST', '/auth/login/mfa', { body: { challengeToken, code: text } })
  const challenge = async (who: SignedIn): Promise<string> => (await login(who)).body.details.challengeToken

  async function enrolled(name: string) {
    const who = await signUp(app, name)
    const begun = await app.call('POST', '/auth/mfa/totp/enroll', {
      as: who,
      body: {},
      headers: await stepUp(app, who),
    })
    expect(begun.status).toBe(201)
    expect(begun.data.uri).toMatch(/^otpauth:\/\/totp\/Plumbline/)
    const secret: string = begun.data.secret
    // An unconfirmed enrolment changes nothing.
    expect((await login(who)).status).toBe(200)
    const confirm = async (text: string) =>
      app.call('POST', '/auth/mfa/totp/confirm', { as: who, body: { code: text }, headers: await stepUp(app, who) })
    const wrong = code(secret) === '000000' ? '000001' : '000000'
    expect((await confirm(wrong)).code).toBe('UNAUTHORIZED')
    const confirmed = await confirm(code(secret))
    expect(confirmed.status).toBe(200)
    return { who, secret, recovery: confirmed.data.recoveryCodes as string[] }
  }

  it('asks for a code after the right password, and accepts each code once', async () => {
    const { who, secret } = await enrolled('ann')
    const asked = await login(who)
    expect([asked.status, asked.code]).toEqual([401, 'MFA_REQUIRED'])
    expect(asked.body.details.methods).toEqual(['totp', 'recovery-code'])
    // The code that confirmed the enrolment is used up.
    expect((await second(await challenge(who), code(secret))).code).toBe('UNAUTHORIZED')
    app.clock.advance(60_000)
    const token = await challenge(who)
    const good = await second(token, code(secret))
    expect(good.status).toBe(200)
    expect((await app.call('GET', '/auth/me', { as: good.data })).data.user.mfaEnabled).toBe(true)
    expect((await second(await challenge(who), code(secret))).code).toBe('UNAUTHORIZED')
    // A code older than the last one, although it is within the clock tolerance.
    expect((await second(await challenge(who), code(secret, -30))).code).toBe('UNAUTHORIZED')
    app.clock.advance(60_000)
    expect((await second(token, code(secret))).code).toBe('TOKEN_INVALID')
    expect(app.errors).toEqual([])
  })

  it('lets one of parallel uses of a code in', async () => {
    const { who, secret } = await enrolled('bob')
    app.clock.advance(60_000)
    const challenges = await Promise.all(Array.from({ length: 4 }, () => challenge(who)))
    const answers = await Promise.all(challenges.map((each) => second(each, code(secret))))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  it('puts only that secret in force of which a code was shown, whatever is enrolled at the same time', async () => {
    for (let round = 0; round < 12; round++) {
      const who = await signUp(app, `racer${round}`)
      const [first, second, third] = [await stepUp(app, who), await stepUp(app, who), await stepUp(app, who)]
      const enroll = (headers: Record<string, string>) =>
        app.call('POST', '/auth/mfa/totp/enroll', { as: who, body: {}, headers })
      const shown = code((await enroll(first)).data.secret)
      const [confirmed, other] = await Promise.all([
        app.call('POST', '/auth/mfa/totp/confirm', { as: who, body: { code: shown }, headers: second }),
        enroll(third),
      ])
      expect([`200 409`, `401 201`]).toContain(`${confirmed.status} ${other.status}`)
      expect((await login(who)).status).toBe(confirmed.status === 200 ? 401 : 200)
    }
  })

  it('lets in by each recovery code once', async () => {
    const { who, recovery } = await enrolled('cam')
    expect(new Set(recovery).size).toBe(10)
    const [first = '', next = ''] = recovery
    expect((await second(await challenge(who), first)).status).toBe(200)
    expect((await second(await challenge(who), first)).code).toBe('UNAUTHORIZED')
    expect((await second(await challenge(who), next.toUpperCase().replaceAll('-', ' '))).status).toBe(200)
    const rows = await store.system.read((db) => db.select().from(credentialTables(db).recoveryCodes))
    expect(JSON.stringify(rows)).not.toContain(recovery[2]?.replaceAll('-', ''))
  })

  it('counts wrong codes, and a right password does not reset the count', async () => {
    const { who, secret } = await enrolled('dan')
    app.clock.advance(60_000)
    for (let n = 1; n <= 5; n++) expect((await second(await challenge(who), 'aaaaaa')).code).toBe('UNAUTHORIZED')
    expect((await second(await challenge(who), code(secret))).code).toBe('RATE_LIMIT_EXCEEDED')
    app.clock.advance(1000)
    expect((await second(await challenge(who), code(secret))).status).toBe(200)
    const failed = (await evidence(app)).filter(
      ({ action, targetId }) => action === 'user.login.failed' && targetId === who.userId,
    )
    expect(failed).toHaveLength(5)
  })

  it('takes no challenge that is old or another token', async () => {
    const { who, secret } = await enrolled('eli')
    const old = await challenge(who)
    app.clock.advance(331_000)
    expect((await second(old, code(secret))).code).toBe('TOKEN_EXPIRED')
    expect((await second(who.accessToken, code(secret))).code).toBe('TOKEN_INVALID')
  })

  it('confirms an action by code, and is removed by a confirmed action', async () => {
    const { who, secret } = await enrolled('fay')
    app.clock.advance(60_000)
    const confirmed = await app.call('POST', '/auth/step-up', { as: who, body: { method: 'totp', code: code(secret) } })
    expect(confirmed.status).toBe(200)
    const headers = { 'x-step-up-token': confirmed.data.stepUpToken as string }
    expect((await app.call('DELETE', '/auth/mfa/totp', { as: who, headers })).status).toBe(204)
    expect((await login(who)).status).toBe(200)
    const actions = (await evidence(app)).filter(({ targetId }) => targetId === who.userId).map(({ action }) => action)
    expect(actions).toContain('user.mfa.enable')
    expect(actions).toContain('user.mfa.disable')
  })

  it('keeps the secret sealed, bound to its person', async () => {
    const { who, secret } = await enrolled('gus')
    const rows = await store.system.read((db) => db.select().from(credentialTables(db).totpFactors))
    const row = rows.find(({ userId }) => userId === who.userId)
    expect(JSON.stringify(rows)).not.toContain(secret)
    expect(app.identity.box.open(row?.sealedSecret ?? '', `totp ${who.userId}`)).toBe(secret)
    expect(() => app.identity.box.open(row?.sealedSecret ?? '', 'totp somebody-else')).toThrow()
  })
})
