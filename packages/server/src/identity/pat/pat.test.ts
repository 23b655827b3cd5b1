/**
 * Personal access tokens have at most the permissions that their owner has at each use, and end at once when revoked.
 */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import {
  type IdentityApp,
  identityApp,
  PASSWORD,
  type SignedIn,
  signUp,
  stepUp,
} from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { credentialTables } from '../credential/tables.js'
import { identityTables } from '../tables.js'

await describeStores('personal access tokens', WITH_POSTGRESQL, (open) => {
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

  const make = async (as: SignedIn, body: object = {}) =>
    app.call('POST', '/auth/pats', { as, body: { name: 'ci', ...body }, headers: await stepUp(app, as) })
  const me = (token: string) => app.call('GET', '/auth/me', { as: token })

  it('shows the token once, stores its hash, and works in its organization', async () => {
    const ann = await signUp(app, 'ann')
    const made = await make(ann)
    expect(made.status).toBe(201)
    const { token, pat } = made.data
    expect(token).toMatch(/^plp_[A-Za-z0-9_-]{43}[0-9a-f]{8}$/)
    expect(pat).toMatchObject({ name: 'ci', hint: token.slice(-4), organizationId: ann.orgId, permissions: null })
    expect(Date.parse(pat.expiresAt) - Date.parse(pat.createdAt)).toBe(90 * 86_400_000)
    const got = await me(token)
    expect([got.status, got.data.organization.id]).toEqual([200, ann.orgId])
    const rows = await store.system.read((db) => db.select().from(credentialTables(db).personalAccessTokens))
    expect(JSON.stringify(rows)).not.toContain(token.slice(4, 47))
    await app.identity.settle()
    const listed = (await app.call('GET', '/user/pats', { as: ann })).data.pats
    expect(listed).toHaveLength(1)
    expect(listed[0].lastUsedAt).not.toBeNull()
  })

  it('cannot make tokens, end sessions, or change the account', async () => {
    const bob = await signUp(app, 'bob')
    const { token } = (await make(bob)).data
    const tries: [string, string, object?][] = [
      ['GET', '/auth/sessions'],
      ['GET', '/auth/pats'],
      ['POST', '/auth/logout', {}],
      ['POST', '/auth/switch-org', { organizationId: bob.orgId }],
      ['PATCH', '/auth/me', { username: 'bobby' }],
      ['POST', '/auth/send-verification', {}],
      ['POST', '/auth/step-up', { method: 'password', password: PASSWORD }],
      ['POST', '/auth/password/change', { currentPassword: PASSWORD, newPassword: 'Battery-Staple-9' }],
      ['POST', '/auth/mfa/totp/enroll', {}],
      ['DELETE', '/auth/me'],
    ]
    for (const [method, path, body] of tries) {
      const answer = await app.call(method, path, { as: token, ...(body === undefined ? {} : { body }) })
      expect([path, answer.status, answer.code]).toEqual([path, 403, 'INSUFFICIENT_PERMISSIONS'])
    }
  })

  it('is narrowed to permissions that the owner holds, and loses what the owner loses', async () => {
    const cam = await signUp(app, 'cam')
    const beyond = await make(cam, { permissions: ['pipelines:read', 'registry:write'] })
    expect([beyond.code, beyond.body.details]).toMatchObject([
      'INSUFFICIENT_PERMISSIONS',
      { reason: 'ceiling', exceeds: ['registry:write'] },
    ])
    const { token } = (await make(cam, { permissions: ['pipelines:read', 'org:settings'] })).data
    expect((await me(token)).data.permissions).toEqual(['org:settings', 'pipelines:read'])
    await store.system.write(async (tx) => {
      const { organizations, roleAssignments } = identityTables(tx)
      await tx.update(organizations).set({ ownerId: null }).where(eq(organizations.id, cam.orgId))
      await tx.delete(roleAssignments).where(eq(roleAssignments.userId, cam.userId))
    })
    app.clock.advance(5000)
    expect((await me(token)).data.permissions).toEqual([])
  })

  it('is refused in every other organization', async () => {
    const dan = await signUp(app, 'dan')
    const eve = await signUp(app, 'eve')
    const { token } = (await make(dan)).data
    const other = await app.call('GET', '/auth/me', { as: token, headers: { 'x-org-id': eve.orgId } })
    expect(other.code).toBe('ORG_MISMATCH')
    expect((await make(dan, { organizationId: eve.orgId })).code).toBe('ORG_MISMATCH')
  })

  it('ends when it is revoked, when it expires, when the account ends, and with the password if so bound', async () => {
    const fay = await signUp(app, 'fay')
    const [one, two, three] = [
      await make(fay),
      await make(fay, { expiresIn: 60 }),
      await make(fay, { bindToPassword: true }),
    ]
    const stranger = await signUp(app, 'stranger')
    const remove = (as: SignedIn, id: string) => app.call('DELETE', `/auth/pats/${id}`, { as })
    expect((await me(one.data.token)).status).toBe(200)
    expect((await remove(stranger, one.data.pat.id)).code).toBe('NOT_FOUND')
    expect((await remove(fay, one.data.pat.id)).status).toBe(204)
    expect((await me(one.data.token)).code).toBe('TOKEN_REVOKED')
    expect((await remove(fay, one.data.pat.id)).code).toBe('NOT_FOUND')
    expect((await me(two.data.token)).status).toBe(200)
    app.clock.advance(60_000)
    expect((await me(two.data.token)).code).toBe('TOKEN_EXPIRED')
    expect((await me(three.data.token)).status).toBe(200)
    const four = await make(fay)
    await app.call('POST', '/auth/password/change', {
      as: fay,
      body: { currentPassword: PASSWORD, newPassword: 'Battery-Staple-9' },
      headers: await stepUp(app, fay),
    })
    expect((await me(three.data.token)).code).toBe('TOKEN_REVOKED')
    expect((await me(four.data.token)).status).toBe(200)
    await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      await tx.update(users).set({ isActive: false }).where(eq(users.id, fay.userId))
    })
    app.clock.advance(5000)
    expect((await me(four.data.token)).code).toBe('TOKEN_REVOKED')
  })

  it('stops at 50 active tokens, also when they are made side by side', async () => {
    const gus = await signUp(app, 'gus')
    await store.system.write(async (tx) => {
      const { personalAccessTokens } = credentialTables(tx)
      for (let n = 0; n < 48; n++) {
        await tx.insert(personalAccessTokens).values({
          id: app.runtime.ids.next(),
          orgId: gus.orgId,
          userId: gus.userId,
          name: 'old',
          tokenHash: `hash ${n}`,
          hint: 'hint',
          bindToPassword: false,
          createdAtMs: 1,
          expiresAtMs: app.clock.now() + 1000,
        })
      }
    })
    const headers = await Promise.all(Array.from({ length: 8 }, () => stepUp(app, gus)))
    const answers = await Promise.all(
      headers.map((each) => app.call('POST', '/auth/pats', { as: gus, body: { name: 'ci' }, headers: each })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2)
    expect(answers.filter(({ code }) => code === 'CONFLICT')).toHaveLength(6)
    expect(app.errors).toEqual([])
  })

  it('knows a mistyped token by its checksum, without the database', async () => {
    const hal = await signUp(app, 'hal')
    const { token } = (await make(hal)).data
    const { system } = store
    const read = system.read
    system.read = () => Promise.reject(new Error('not asked'))
    try {
      for (let at = 4; at < token.length; at++) {
        const typo = `${token.slice(0, at)}${token[at] === '0' ? '1' : '0'}${token.slice(at + 1)}`
        expect((await me(typo)).code).toBe('TOKEN_INVALID')
      }
    } finally {
      system.read = read
    }
    expect((await me(token)).status).toBe(200)
  })
})
