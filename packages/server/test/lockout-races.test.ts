/**
 * Guesses and answers that arrive at once over two replicas of one PostgreSQL database: of 60 parallel guesses exactly 5
 * are judged, and of a refusal and a revocation of one invitation one wins.
 */
import { generateSync } from 'otplib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../src/runtime/store/db.js'
import { openPostgresStore } from '../src/runtime/store/open-store.js'
import { organizationApp } from './support/organizations.js'
import { type Answer, type IdentityApp, PASSWORD, signUp, stepUp } from './support/sign-in.js'
import { postgresMissing, postgresStore } from './support/stores.js'

const GUESSES = 60
const missing = await postgresMissing()

describe.skipIf(missing !== null)(`parallel guesses on PostgreSQL${missing ? ` (${missing})` : ''}`, () => {
  let database: Awaited<ReturnType<typeof postgresStore>>
  let second: Store
  let apps: readonly [IdentityApp, IdentityApp]
  beforeAll(async () => {
    database = await postgresStore()
    second = await openPostgresStore({ url: database.url, connectionsMax: 8 })
    apps = [await organizationApp(database), await organizationApp(second)]
  })
  afterAll(async () => {
    for (const app of apps) {
      await app.identity.settle()
      expect(app.errors.map(String)).toEqual([])
    }
    await second.close()
    await database.close()
  })

  const together = (guess: (app: IdentityApp, n: number) => Promise<Answer>): Promise<Answer[]> =>
    Promise.all(Array.from({ length: GUESSES }, (_, n) => guess(apps[n % 2] ?? apps[0], n)))
  const judged = (answers: readonly Answer[]) => answers.filter(({ status }) => status === 401).length

  it('judges five passwords, by either identifier', async () => {
    const ann = await signUp(apps[0], 'ann')
    const answers = await together((app, n) =>
      app.call('POST', '/auth/login', {
        body: { identifier: n % 3 === 0 ? ann.email : 'ann', password: 'Wrong-Password-1' },
      }),
    )
    expect(judged(answers)).toBe(5)
    // Refused by the lock, or because too many waited for a hash.
    expect(answers.filter(({ status }) => status !== 401).every(({ status }) => [429, 503].includes(status))).toBe(true)
  })

  it('judges five codes of a second factor, at sign-in and at a confirmation', async () => {
    const [app] = apps
    const bea = await signUp(app, 'bea')
    const enrolled = await app.call('POST', '/auth/mfa/totp/enroll', {
      as: bea,
      body: {},
      headers: await stepUp(app, bea),
    })
    const code = generateSync({ secret: enrolled.data.secret, epoch: Math.floor(app.clock.now() / 1000) })
    await app.call('POST', '/auth/mfa/totp/confirm', { as: bea, body: { code }, headers: await stepUp(app, bea) })
    const login = await app.call('POST', '/auth/login', { body: { identifier: 'bea', password: PASSWORD } })
    const { challengeToken } = login.body.details
    // The code that was used once is right no more, so each of these is wrong.
    const codes = await together((each) => each.call('POST', '/auth/login/mfa', { body: { challengeToken, code } }))
    expect(judged(codes)).toBe(5)
    const confirmations = await together((each) =>
      each.call('POST', '/auth/step-up', { as: bea, body: { method: 'totp', code } }),
    )
    expect(judged(confirmations)).toBe(5)
  })

  it('lets one of a refusal and a revocation of an invitation win', async () => {
    const [app, other] = apps
    const cam = await signUp(app, 'cam')
    for (let round = 0; round < 12; round++) {
      const sent = await app.call('POST', '/invitation/send', { as: cam, body: { email: `guest${round}@far.test` } })
      const token = new URL(sent.data.acceptUrl).searchParams.get('token')
      const answers = await Promise.all([
        app.call('DELETE', `/invitation/${sent.data.invitation.id}`, { as: cam }),
        other.call('POST', '/invitation/decline', { body: { token } }),
      ])
      expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    }
  })
})
