/** One's own account: links in e-mails are good once, a changed address waits for its proof, sessions end where they should. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, IN_PROCESS } from '../../../test/describe-stores.js'
import {
  evidence,
  type IdentityApp,
  identityApp,
  linkToken,
  PASSWORD,
  queuedMails,
  type SignedIn,
  signIn,
  signUp,
  stepUp,
  verifyAddress,
} from '../../../test/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import type { Store } from '../../runtime/store/db.js'
import { sweepCredentials } from '../credential/sweep.js'
import { credentialTables } from '../credential/tables.js'
import { identityRegistration } from '../registration.js'
import { identityTables } from '../tables.js'

const NEW_PASSWORD = 'Battery-Staple-9'
const BOOTSTRAP = 'chief@plumbline.test'

await describeStores('the own account', IN_PROCESS, (open) => {
  let store: Store
  let app: IdentityApp
  beforeAll(async () => {
    store = await open()
    app = await identityApp(store, {
      settings: { BOOTSTRAP_SUPERADMIN_EMAILS: `${BOOTSTRAP},late@plumbline.test` },
      domains: [identityRegistration],
    })
  })
  afterAll(async () => {
    await app.identity.settle()
    await store.close()
  })

  const me = (as: Pick<SignedIn, 'accessToken'>) => app.call('GET', '/auth/me', { as })
  const login = (identifier: string, password: string) =>
    app.call('POST', '/auth/login', { body: { identifier, password } })
  const verify = (token: string) => app.call('POST', '/auth/verify-email', { body: { token } })
  const actionsOf = async (targetId: string) =>
    (await evidence(app)).filter((each) => each.targetId === targetId).map(({ action }) => action)

  it('proves an address by the link that was sent there, once', async () => {
    const ann = await signUp(app, 'ann')
    const token = await linkToken(app, ann.email)
    expect((await me(ann)).data.user.isEmailVerified).toBe(false)
    expect((await verify(token)).status).toBe(204)
    expect((await me(ann)).data.user.isEmailVerified).toBe(true)
    expect((await verify(token)).code).toBe('TOKEN_INVALID')
    expect(await actionsOf(ann.userId)).toContain('user.email.verified')
  })

  it('makes a bootstrap address a system administrator only after it is verified', async () => {
    const chief = await signUp(app, 'chief')
    expect(chief.email).toBe(BOOTSTRAP)
    expect((await me(await signIn(app, 'chief'))).data.user.isSuperAdmin).toBe(false)
    expect((await verify(await linkToken(app, chief.email))).status).toBe(204)
    // What was given out before the change of privilege is worthless.
    expect((await me(chief)).code).toBe('TOKEN_REVOKED')
    const after = await signIn(app, 'chief')
    expect((await me(after)).data.user.isSuperAdmin).toBe(true)
    const system = await app.call('GET', '/auth/me', { as: after, headers: { 'x-org-id': 'system' } })
    expect(system.data.organization.id).toBe(SYSTEM_ORG_ID)
    expect(await actionsOf(chief.userId)).toContain('admin.superadmin.grant')
    // The last system administrator stays.
    const headers = await stepUp(app, after)
    await store.system.write(async (tx) => {
      const { organizations } = identityTables(tx)
      await tx.update(organizations).set({ ownerId: null }).where(eq(organizations.id, chief.orgId))
    })
    const gone = await app.call('DELETE', '/auth/me', { as: after, headers })
    expect(gone.code).toBe('LAST_PRIVILEGED_MEMBER')
  })

  it('makes one at the next sign-in where the address was verified before it was listed', async () => {
    const late = await signUp(app, 'late')
    await verifyAddress(app, late.userId)
    const body = { identifier: 'late', password: PASSWORD, organizationId: '99999999-9999-7999-8999-999999999999' }
    expect((await app.call('POST', '/auth/login', { body })).code).toBe('ORG_MISMATCH')
    expect((await me(await signIn(app, 'late'))).data.user.isSuperAdmin).toBe(true)
    expect((await actionsOf(late.userId)).filter((action) => action === 'admin.superadmin.grant')).toHaveLength(1)
  })

  it('keeps the present address until the new one is proved', async () => {
    const bob = await signUp(app, 'bob')
    const old = await linkToken(app, bob.email)
    const changed = await app.call('PATCH', '/auth/me', { as: bob, body: { email: 'bob@elsewhere.test' } })
    expect(changed.data.user).toMatchObject({ email: bob.email, pendingEmail: 'bob@elsewhere.test' })
    expect((await login('bob@elsewhere.test', PASSWORD)).code).toBe('UNAUTHORIZED')
    // The newest link is the good one.
    expect((await verify(old)).code).toBe('TOKEN_INVALID')
    expect((await verify(await linkToken(app, 'bob@elsewhere.test'))).status).toBe(204)
    expect((await me(bob)).data.user).toMatchObject({
      email: 'bob@elsewhere.test',
      pendingEmail: null,
      isEmailVerified: true,
    })
    expect((await login('bob@elsewhere.test', PASSWORD)).status).toBe(200)
    expect((await login(bob.email, PASSWORD)).code).toBe('UNAUTHORIZED')
  })

  it('refuses a user name or address that somebody has', async () => {
    const cam = await signUp(app, 'cam')
    for (const [body, field] of [
      [{ username: 'ANN' }, 'username'],
      [{ email: 'ann@PLUMBLINE.test' }, 'email'],
    ] as const) {
      const answer = await app.call('PATCH', '/auth/me', { as: cam, body })
      expect([answer.code, answer.body.details]).toEqual(['DUPLICATE_ENTRY', { field }])
    }
    expect((await app.call('PATCH', '/auth/me', { as: cam, body: {} })).status).toBe(400)
    expect((await app.call('PATCH', '/auth/me', { as: cam, body: { isActive: true } })).status).toBe(400)
    expect((await app.call('PATCH', '/auth/me', { as: cam, body: { username: 'Cam' } })).data.user.username).toBe('Cam')
  })

  it('answers a forgotten password alike for everybody, and mails at most once a minute', async () => {
    const dan = await signUp(app, 'dan')
    const forgot = (email: string) => app.call('POST', '/auth/password/forgot', { body: { email } })
    const strip = ({ status, data }: { status: number; data: unknown }) => ({ status, data })
    const known = strip(await forgot(dan.email))
    expect(known).toEqual({ status: 202, data: { accepted: true } })
    expect(strip(await forgot('nobody@plumbline.test'))).toEqual(known)
    expect(strip(await forgot(dan.email))).toEqual(known)
    const resets = async () =>
      (await queuedMails(app)).filter(({ template, to }) => template === 'identity.reset-password' && to === dan.email)
    expect(await resets()).toHaveLength(1)
    app.clock.advance(60_001)
    await forgot(dan.email)
    expect(await resets()).toHaveLength(2)
    expect((await queuedMails(app)).some(({ to }) => to === 'nobody@plumbline.test')).toBe(false)
  })

  it('sets a password by link once; every session ends, and the address is proved', async () => {
    const eli = await signUp(app, 'eli')
    await app.call('POST', '/auth/password/forgot', { body: { email: eli.email } })
    const token = await linkToken(app, eli.email)
    const reset = (password: string, by = token) =>
      app.call('POST', '/auth/password/reset', { body: { token: by, password } })
    const before = app.identity.passwords.counts.hashed
    expect((await reset(NEW_PASSWORD, 'A'.repeat(43))).code).toBe('TOKEN_INVALID')
    expect(app.identity.passwords.counts.hashed).toBe(before)
    expect((await reset('short')).status).toBe(400)
    const both = await Promise.all([reset(NEW_PASSWORD), reset(NEW_PASSWORD)])
    expect(both.map(({ status }) => status).sort()).toEqual([204, 401])
    expect((await me(eli)).code).toBe('TOKEN_REVOKED')
    expect((await app.call('POST', '/auth/refresh', { body: { refreshToken: eli.refreshToken } })).status).toBe(401)
    expect((await login('eli', PASSWORD)).code).toBe('UNAUTHORIZED')
    const again = await login('eli', NEW_PASSWORD)
    expect(again.data.user.isEmailVerified).toBe(true)
    expect(await actionsOf(eli.userId)).toContain('user.password.reset')
  })

  it('lets a link to a new password expire after an hour', async () => {
    const fay = await signUp(app, 'fay')
    await app.call('POST', '/auth/password/forgot', { body: { email: fay.email } })
    const token = await linkToken(app, fay.email)
    app.clock.advance(3_600_000)
    const answer = await app.call('POST', '/auth/password/reset', { body: { token, password: NEW_PASSWORD } })
    expect(answer.code).toBe('TOKEN_INVALID')
  })

  it('changes the password with the present one; this session goes on, the others end', async () => {
    const gus = await signUp(app, 'gus')
    const other = await signIn(app, 'gus')
    const change = async (currentPassword: string, newPassword = NEW_PASSWORD) =>
      app.call('POST', '/auth/password/change', {
        as: gus,
        body: { currentPassword, newPassword },
        headers: await stepUp(app, gus),
      })
    expect((await change('Wrong-Password-1')).code).toBe('UNAUTHORIZED')
    expect((await change(PASSWORD, PASSWORD)).status).toBe(400)
    expect((await change(PASSWORD)).status).toBe(204)
    expect((await me(gus)).status).toBe(200)
    expect((await me(other)).code).toBe('TOKEN_REVOKED')
    expect((await login('gus', NEW_PASSWORD)).status).toBe(200)
    expect(
      (await queuedMails(app)).some(({ template, to }) => template === 'identity.password-changed' && to === gus.email),
    ).toBe(true)
  })

  it('lists sessions, ends one, ends this one, ends all', async () => {
    const hal = await signUp(app, 'hal')
    const [second, third] = [await signIn(app, 'hal'), await signIn(app, 'hal')]
    const list = async () => (await app.call('GET', '/auth/sessions', { as: hal })).data.sessions
    const sessions: { id: string; current: boolean }[] = await list()
    expect(sessions.map(({ current }) => current).sort()).toEqual([false, false, true])
    const sid = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid
    const remove = (as: Pick<SignedIn, 'accessToken'>, id: string) => app.call('DELETE', `/auth/sessions/${id}`, { as })
    const stranger = await signUp(app, 'stranger')
    expect((await remove(stranger, sid(second.accessToken))).code).toBe('NOT_FOUND')
    expect((await remove(hal, sid(second.accessToken))).status).toBe(204)
    expect((await remove(hal, sid(second.accessToken))).code).toBe('NOT_FOUND')
    expect((await me(second)).code).toBe('TOKEN_REVOKED')
    expect(await list()).toHaveLength(2)
    expect((await app.call('POST', '/auth/logout', { as: third, body: {} })).status).toBe(204)
    expect((await me(third)).code).toBe('TOKEN_REVOKED')
    expect((await me(hal)).status).toBe(200)
    const fourth = await signIn(app, 'hal')
    expect((await app.call('POST', '/auth/logout', { as: hal, body: { everywhere: true } })).status).toBe(204)
    expect((await me(fourth)).code).toBe('TOKEN_REVOKED')
    expect((await me(stranger)).status).toBe(200)
  })

  it('switches the active organization, and the next refresh remembers it', async () => {
    const ivy = await signUp(app, 'ivy')
    const jon = await signUp(app, 'jon')
    const foreign = await app.call('POST', '/auth/switch-org', { as: ivy, body: { organizationId: jon.orgId } })
    expect(foreign.code).toBe('ORG_MISMATCH')
    await store.system.write(async (tx) => {
      const { memberships } = identityTables(tx)
      await tx
        .insert(memberships)
        .values({ id: app.runtime.ids.next(), orgId: jon.orgId, userId: ivy.userId, isActive: true, joinedAtMs: 1 })
    })
    app.identity.directory.drop({ userId: ivy.userId })
    const switched = await app.call('POST', '/auth/switch-org', { as: ivy, body: { organizationId: jon.orgId } })
    expect([switched.data.organization.id, switched.data.refreshToken]).toEqual([jon.orgId, undefined])
    // A member without a Role may do nothing.
    expect((await me(switched.data)).data.permissions).toEqual([])
    const next = await app.call('POST', '/auth/refresh', { body: { refreshToken: ivy.refreshToken } })
    expect(next.data.organization.id).toBe(jon.orgId)
    expect((await me(next.data)).data.memberships).toHaveLength(2)
  })

  it('keeps preferences for each organization', async () => {
    const kim = await signUp(app, 'kim')
    const body = { favorites: ['pipeline:1'], recents: ['plugin:2', 'plugin:3'] }
    expect((await app.call('GET', '/auth/me/preferences', { as: kim })).data).toEqual({ favorites: [], recents: [] })
    expect((await app.call('PUT', '/auth/me/preferences', { as: kim, body })).data).toEqual(body)
    expect((await app.call('GET', '/auth/me/preferences', { as: kim })).data).toEqual(body)
    const foreign = await app.call('GET', '/auth/me/preferences', { as: kim, headers: { 'x-org-id': SYSTEM_ORG_ID } })
    expect(foreign.code).toBe('ORG_MISMATCH')
  })

  it('deletes an account that owns nothing, with every credential', async () => {
    const lea = await signUp(app, 'lea')
    const remove = async () => app.call('DELETE', '/auth/me', { as: lea, headers: await stepUp(app, lea) })
    const owner = await remove()
    expect([owner.code, owner.body.details.organizations]).toEqual([
      'OWNER_PROTECTED',
      [{ id: lea.orgId, name: 'lea org' }],
    ])
    await store.system.write(async (tx) => {
      const { organizations } = identityTables(tx)
      await tx.update(organizations).set({ ownerId: null }).where(eq(organizations.id, lea.orgId))
    })
    expect((await remove()).status).toBe(204)
    expect((await me(lea)).code).toBe('TOKEN_REVOKED')
    expect((await login('lea', PASSWORD)).code).toBe('UNAUTHORIZED')
    const left = await store.system.read(async (db) => {
      const { sessions } = credentialTables(db)
      const { memberships } = identityTables(db)
      return [
        ...(await db.select().from(sessions).where(eq(sessions.userId, lea.userId))),
        ...(await db.select().from(memberships).where(eq(memberships.userId, lea.userId))),
      ]
    })
    expect(left).toEqual([])
    expect(await actionsOf(lea.userId)).toContain('user.delete')
    expect(app.errors).toEqual([])
  })

  it('sweeps what has ended, in batches, and nothing that lives', async () => {
    const max = await signUp(app, 'max')
    app.clock.advance(61 * 86_400_000)
    const kept = await signIn(app, 'max')
    let rounds = 0
    while ((await store.system.write((tx) => sweepCredentials(tx, app.clock.now(), 5))) >= 5) rounds += 1
    expect(rounds).toBeGreaterThan(0)
    const rows = await store.system.read((db) => db.select().from(credentialTables(db).sessions))
    expect(rows.map(({ userId }) => userId)).toEqual([max.userId])
    expect((await me(kept)).status).toBe(200)
  })
})
