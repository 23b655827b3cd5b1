/** A step-up is valid once, for one session and one action, and never by a machine's credential. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { type IdentityApp, identityApp, PASSWORD, signIn, signUp, stepUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'

await describeStores('step-up', WITH_POSTGRESQL, (open) => {
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

  const makePat = (as: { accessToken: string }, headers: Record<string, string> = {}) =>
    app.call('POST', '/auth/pats', { as, body: { name: 'ci' }, headers })

  it('asks for a confirmation and says so in a way that is not an expired session', async () => {
    const ann = await signUp(app, 'ann')
    const answer = await makePat(ann)
    expect([answer.status, answer.code]).toEqual([401, 'STEP_UP_REQUIRED'])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="insufficient_user_authentication"')
  })

  it('is good once, of 20 uses at the same time too', async () => {
    const bob = await signUp(app, 'bob')
    const headers = await stepUp(app, bob)
    const answers = await Promise.all(Array.from({ length: 20 }, () => makePat(bob, headers)))
    const codes = answers.map(({ status, code }) => code ?? status).sort()
    expect(codes).toEqual([201, ...Array(19).fill('STEP_UP_REPLAY')])
    expect((await makePat(bob, headers)).code).toBe('STEP_UP_REPLAY')
  })

  it('is good for its own session, person and action only', async () => {
    const cam = await signUp(app, 'cam')
    const dan = await signUp(app, 'dan')
    const other = await signIn(app, 'cam')
    const headers = await stepUp(app, cam)
    expect((await makePat(other, headers)).code).toBe('STEP_UP_MISMATCH')
    expect((await makePat(dan, headers)).code).toBe('STEP_UP_MISMATCH')
    expect((await makePat(cam, headers)).status).toBe(201)
    const bound = await app.call('POST', '/auth/step-up', {
      as: cam,
      body: { method: 'password', password: PASSWORD, action: 'identity.me.delete' },
    })
    const only = { 'x-step-up-token': bound.data.stepUpToken as string }
    expect((await makePat(cam, only)).code).toBe('STEP_UP_MISMATCH')
    // The refusal for the wrong action did not use the token up.
    expect((await app.call('DELETE', '/auth/me', { as: cam, headers: only })).code).toBe('OWNER_PROTECTED')
  })

  it('expires', async () => {
    const eli = await signUp(app, 'eli')
    const headers = await stepUp(app, eli)
    app.clock.advance(331_000)
    expect((await makePat(eli, headers)).code).toBe('STEP_UP_INVALID')
  })

  it('needs the password again, and counts wrong ones', async () => {
    const fay = await signUp(app, 'fay')
    const attempt = (password: string) =>
      app.call('POST', '/auth/step-up', { as: fay, body: { method: 'password', password } })
    for (let n = 1; n <= 5; n++) expect((await attempt('Wrong-Password-1')).code).toBe('UNAUTHORIZED')
    expect((await attempt(PASSWORD)).code).toBe('RATE_LIMIT_EXCEEDED')
    app.clock.advance(1000)
    expect((await attempt(PASSWORD)).status).toBe(200)
  })

  it('is out of reach of a personal access token', async () => {
    const gus = await signUp(app, 'gus')
    const { token } = (await makePat(gus, await stepUp(app, gus))).data
    const tried = await app.call('POST', '/auth/step-up', {
      as: token,
      body: { method: 'password', password: PASSWORD },
    })
    expect([tried.status, tried.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS'])
    expect((await makePat({ accessToken: token }, await stepUp(app, gus))).code).toBe('STEP_UP_REQUIRED')
    expect(app.errors).toEqual([])
  })
})
