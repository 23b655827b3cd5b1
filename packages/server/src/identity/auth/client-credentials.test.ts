/**
 * Client credentials: a short-lived token has at most the current scopes of the principal, and does not work after the
 * principal ends.
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { type IdentityApp, identityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { tokenHash } from '../credential/opaque-token.js'
import type { ServicePrincipal } from '../directory.js'
import { identityTables } from '../tables.js'

await describeStores('client credentials', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let ann: SignedIn
  const record = (clientId: string): ServicePrincipal => ({
    id: app.runtime.ids.next(),
    orgId: ann.orgId,
    name: clientId,
    nameKey: `${ann.orgId}:${clientId}`,
    clientId,
    secretHash: tokenHash('plk_now'),
    secretHint: 'now',
    previousSecretHash: tokenHash('plk_before'),
    previousUntilMs: app.clock.now() + 1000,
    scopes: ['pipelines:read', 'reporting:ingest'],
    includeTeams: false,
    expiresAtMs: app.clock.now() + 3_600_000,
    validForMs: 3_600_000,
    lastUsedAtMs: null,
    disabledAtMs: null,
    createdBy: ann.userId,
    revision: 1,
    createdAtMs: 1,
    updatedAtMs: 1,
  })
  beforeAll(async () => {
    store = await open()
    app = await identityApp(store)
    ann = await signUp(app, 'ann')
    await store.system.write(async (tx) => {
      for (const name of ['ci', 'gone']) await tx.insert(identityTables(tx).servicePrincipals).values(record(name))
    })
  })
  afterAll(() => store.close())

  const exchange = (body: object, headers: Record<string, string> = {}) =>
    app.call('POST', '/auth/token', { body: { grant_type: 'client_credentials', ...body }, headers })
  const principal = (token: string) =>
    (async () => app.identity.authenticator.authenticate(new Headers({ authorization: `Bearer ${token}` }), 'GET'))()

  it('gives a token of 300 seconds, by body and by HTTP Basic, whose principal is the service', async () => {
    const byBody = await exchange({ clientId: 'ci', clientSecret: 'plk_now' })
    expect(byBody.data).toMatchObject({ tokenType: 'Bearer', expiresIn: 300, scope: 'pipelines:read reporting:ingest' })
    const basic = `Basic ${Buffer.from('ci:plk_now').toString('base64')}`
    const byBasic = await exchange({ scope: 'pipelines:read' }, { authorization: basic })
    expect(await principal(byBasic.data.accessToken)).toEqual({
      kind: 'service',
      clientId: 'ci',
      scopes: ['pipelines:read'],
      boundOrgId: ann.orgId,
      includeTeams: false,
    })
    app.clock.advance(330_000)
    await expect(principal(byBasic.data.accessToken)).rejects.toMatchObject({ code: 'TOKEN_EXPIRED' })
    app.clock.advance(-330_000)
  })

  it('answers every wrong client alike', async () => {
    const tries = [
      { clientId: 'ci', clientSecret: 'plk_wrong' },
      { clientId: 'nobody', clientSecret: 'plk_now' },
      { clientId: 'ci', clientSecret: tokenHash('plk_now') },
    ]
    const answers = await Promise.all(tries.map((body) => exchange(body)))
    expect(new Set(answers.map(({ body }) => JSON.stringify({ ...body, requestId: '' }))).size).toBe(1)
    expect(answers[0]?.code).toBe('UNAUTHORIZED')
    expect((await exchange({ clientId: 'ci' })).status).toBe(400)
    for (const id of ['ci%00', 'c\0i']) {
      const authorization = `Basic ${Buffer.from(`${id}:plk_now`).toString('base64')}`
      expect([id, (await exchange({}, { authorization })).code]).toEqual([id, 'UNAUTHORIZED'])
    }
    expect(app.errors).toEqual([])
  })

  it('gives no scope that the record does not have', async () => {
    const beyond = await exchange({ clientId: 'ci', clientSecret: 'plk_now', scope: 'pipelines:read audit:ingest' })
    expect([beyond.status, beyond.body.details]).toEqual([403, { reason: 'scope', scope: 'audit:ingest' }])
  })

  it('accepts the secret before a rotation until its end', async () => {
    expect((await exchange({ clientId: 'ci', clientSecret: 'plk_before' })).status).toBe(200)
    app.clock.advance(1000)
    expect((await exchange({ clientId: 'ci', clientSecret: 'plk_before' })).code).toBe('UNAUTHORIZED')
  })

  it('ends with the record, and loses scopes with it', async () => {
    const { accessToken } = (await exchange({ clientId: 'gone', clientSecret: 'plk_now' })).data
    const set = async (change: Partial<ServicePrincipal>) => {
      await store.system.write(async (tx) => {
        const { servicePrincipals } = identityTables(tx)
        await tx.update(servicePrincipals).set(change).where(eq(servicePrincipals.clientId, 'gone'))
      })
      app.clock.advance(5000)
    }
    await set({ scopes: ['reporting:ingest'] })
    expect(await principal(accessToken)).toMatchObject({ scopes: ['reporting:ingest'] })
    await set({ disabledAtMs: 1 })
    await expect(principal(accessToken)).rejects.toMatchObject({ code: 'TOKEN_REVOKED' })
    expect((await exchange({ clientId: 'gone', clientSecret: 'plk_now' })).code).toBe('UNAUTHORIZED')
    await set({ disabledAtMs: null, expiresAtMs: app.clock.now() })
    await expect(principal(accessToken)).rejects.toMatchObject({ code: 'TOKEN_REVOKED' })
    expect((await exchange({ clientId: 'gone', clientSecret: 'plk_now' })).code).toBe('UNAUTHORIZED')
    expect(app.errors).toEqual([])
  })
})
