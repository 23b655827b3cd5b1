/**
 * A person's own account: links in e-mails work once, a changed address is pending until proved, and the right sessions
 * end.
 */
import { eq } from 'drizzle-orm'
import { generateSync } from 'otplib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
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
} from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Store } from '../../runtime/store/db.js'
import { sweepCredentials } from '../credential/sweep.js'
import { credentialTables } from '../credential/tables.js'
import { identityRegistration } from '../registration.js'
import { identityTables } from '../tables.js'

const NEW_PASSWORD = 'Battery-Staple-9'
const BOOTSTRAP = 'chief@plumbline.test'

await describeStores('the own account', BOTH_DATABASES, (open) => {
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
  const jobKinds = () =>
    store.system.read(async (db) => {
      const { jobs } = jobTables(db)
      return (await db.select({ kind: jobs.kind }).from(jobs).orderBy(jobs.id)).map(({ kind }) => kind)
    })
  /** Waits for the end of the minute in which an address gets only one e-mail. */
  const stepAside = async () => app.clock.advance(60_001)
  const makeToken = async (as: SignedIn): Promise<string> => {
    const made = await app.call('POST', '/auth/pats', { as, body: { name: 'ci' }, headers: await stepUp(app, as) })
    return made.data.token
  }
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

  it('makes a system administrator of anyone who sets the password by the mailbox of a bootstrap address', async () => {
    const chief = await signUp(app, 'chief')
    expect(chief.email).toBe(BOOTSTRAP)
    // The owner of the mailbox gets a link to set a password, and none that would confirm another person's account.
    const mails = (await queuedMails(app)).filter(({ to }) => to === BOOTSTRAP)
    expect(mails.map(({ template, values }) => [template, values['username']])).toEqual([
      ['identity.claim-address', 'chief'],
    ])
    await verifyAddress(app, chief.userId)
    expect((await me(await signIn(app, 'chief'))).data.user.isSuperAdmin).toBe(false)
    const pat = await makeToken(chief)
    const reset = { token: await linkToken(app, chief.email), password: NEW_PASSWORD }
    expect((await app.call('POST', '/auth/password/reset', { body: reset })).status).toBe(204)
    // The credentials of the person who registered the account do not work any more.
    for (const as of [chief.accessToken, pat]) expect((await me({ accessToken: as })).code).toBe('TOKEN_REVOKED')
    expect((await login('chief', PASSWORD)).code).toBe('UNAUTHORIZED')
    const after = (await login('chief', NEW_PASSWORD)).data as SignedIn
    expect((await me(after)).data.user.isSuperAdmin).toBe(true)
    const system = await app.call('GET', '/auth/me', { as: after, headers: { 'x-org-id': 'system' } })
    expect(system.data.organization.id).toBe(SYSTEM_ORG_ID)
    expect(await actionsOf(chief.userId)).toContain('admin.superadmin.grant')
    // The last system administrator cannot be deleted.
    const headers = await stepUp(app, after, NEW_PASSWORD)
    await store.system.write(async (tx) => {
      const { organizations } = identityTables(tx)
      await tx.update(organizations).set({ ownerId: null }).where(eq(organizations.id, chief.orgId))
    })
    const gone = await app.call('DELETE', '/auth/me', { as: after, headers })
    expect(gone.code).toBe('LAST_PRIVILEGED_MEMBER')
  })

  it('makes one at the next sign-in where the password was set by the mailbox before it was listed', async () => {
    const late = await signUp(app, 'late')
    await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      const proved = { emailVerifiedAtMs: 1, passwordProvedKey: late.email }
      await tx.update(users).set(proved).where(eq(users.id, late.userId))
    })
    const pat = await makeToken(late)
    const body = { identifier: 'late', password: PASSWORD, organizationId: '99999999-9999-7999-8999-999999999999' }
    expect((await app.call('POST', '/auth/login', { body })).code).toBe('ORG_MISMATCH')
    expect((await me(await signIn(app, 'late'))).data.user.isSuperAdmin).toBe(true)
    expect((await me({ accessToken: pat })).code).toBe('TOKEN_REVOKED')
    expect((await actionsOf(late.userId)).filter((action) => action === 'admin.superadmin.grant')).toHaveLength(1)
  })

  it('keeps the present address until the new one is proved', async () => {
    const bob = await signUp(app, 'bob')
    const old = await linkToken(app, bob.email)
    const change = { as: bob, body: { email: 'bob@elsewhere.test' } }
    // A stolen token must not take the account over: a person who has the mailbox can set the password.
    expect((await app.call('PATCH', '/auth/me', change)).code).toBe('STEP_UP_REQUIRED')
    await stepAside()
    const changed = await app.call('PATCH', '/auth/me', { ...change, headers: await stepUp(app, bob) })
    expect(changed.data.user).toMatchObject({ email: bob.email, pendingEmail: 'bob@elsewhere.test' })
    expect((await login('bob@elsewhere.test', PASSWORD)).code).toBe('UNAUTHORIZED')
    // Only the newest link is valid.
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

  it('tells a proved address that it is left, and gives the account back by its link', async () => {
    const uma = await signUp(app, 'uma')
    await verify(await linkToken(app, uma.email))
    const other = await signIn(app, 'uma')
    await stepAside()
    await app.call('POST', '/auth/password/forgot', { body: { email: uma.email } })
    const oldReset = await linkToken(app, uma.email)
    const headers = await stepUp(app, uma)
    expect((await app.call('PATCH', '/auth/me', { as: uma, headers, body: { email: 'thief@far.test' } })).status).toBe(
      200,
    )
    const pat = await makeToken(uma)
    const enrolled = await app.call('POST', '/auth/mfa/totp/enroll', {
      as: uma,
      body: {},
      headers: await stepUp(app, uma),
    })
    expect(enrolled.status).toBe(201)
    expect((await verify(await linkToken(app, 'thief@far.test'))).status).toBe(204)
    // The session that requested the change continues, the others end, and no link in the former mailbox opens the
    // account.
    expect((await me(uma)).data.user.email).toBe('thief@far.test')
    expect((await me(other)).code).toBe('TOKEN_REVOKED')
    const stale = await app.call('POST', '/auth/password/reset', { body: { token: oldReset, password: NEW_PASSWORD } })
    expect(stale.code).toBe('TOKEN_INVALID')
    const told = (await queuedMails(app)).filter(({ to, template }) => to === uma.email && template.includes('change'))
    expect(told.map(({ template }) => template)).toEqual(['identity.email-change-asked', 'identity.email-changed'])
    const tokenOf = (at: number) => new URL(told[at]?.values['link'] ?? 'x:').searchParams.get('token')
    // A second change must not end the restore link of the first owner.
    await stepAside()
    const again = await stepUp(app, uma)
    await app.call('PATCH', '/auth/me', { as: uma, headers: again, body: { email: 'thief2@far.test' } })
    expect((await verify(await linkToken(app, 'thief2@far.test'))).status).toBe(204)
    const restore = (token: string | null) => app.call('POST', '/auth/email/restore', { body: { token } })
    app.clock.advance(6 * 86_400_000)
    expect((await restore(tokenOf(1))).status).toBe(204)
    expect((await restore(tokenOf(1))).code).toBe('TOKEN_INVALID')
    for (const as of [uma.accessToken, pat]) expect((await me({ accessToken: as })).status).toBe(401)
    expect((await login('uma', PASSWORD)).code).toBe('UNAUTHORIZED')
    const body = { token: await linkToken(app, uma.email), password: NEW_PASSWORD }
    expect((await app.call('POST', '/auth/password/reset', { body })).status).toBe(204)
    const back = await login(uma.email, NEW_PASSWORD)
    expect(back.data.user.email).toBe(uma.email)
    expect((await me(back.data)).data.user.mfaEnabled).toBe(false)
    expect(await actionsOf(uma.userId)).toContain('user.profile.update')
  })

  it('opens no account by a link to an address that a directory has moved since', async () => {
    const ned = await signUp(app, 'ned')
    await stepAside()
    await app.call('POST', '/auth/password/forgot', { body: { email: ned.email } })
    const token = await linkToken(app, ned.email)
    // Changes the address as a directory does, which leaves pending links in place.
    await store.system.write(async (tx) => {
      const { users } = identityTables(tx)
      const email = 'ned@moved.test'
      await tx.update(users).set({ email, emailKey: email }).where(eq(users.id, ned.userId))
    })
    app.identity.directory.drop({ userId: ned.userId })
    const reset = await app.call('POST', '/auth/password/reset', { body: { token, password: NEW_PASSWORD } })
    expect(reset.code).toBe('TOKEN_INVALID')
    expect((await login('ned', PASSWORD)).status).toBe(200)
  })

  it('gives no link to an address that was never proved', async () => {
    const typo = await signUp(app, 'typo')
    await stepAside()
    const headers = await stepUp(app, typo)
    await app.call('PATCH', '/auth/me', { as: typo, headers, body: { email: 'right@plumbline.test' } })
    expect((await verify(await linkToken(app, 'right@plumbline.test'))).status).toBe(204)
    expect((await queuedMails(app)).filter(({ to }) => to === typo.email)).toHaveLength(1)
  })

  it('sends one e-mail a minute to an address, no matter who asks', async () => {
    const vic = await signUp(app, 'vic')
    const wes = await signUp(app, 'wes')
    const change = async (as: SignedIn, email: string) =>
      app.call('PATCH', '/auth/me', { as, body: { email }, headers: await stepUp(app, as) })
    expect((await change(vic, 'stranger@far.test')).status).toBe(200)
    for (let n = 0; n < 4; n++) {
      await change(vic, `other${n}@far.test`)
      const again = await change(n % 2 === 0 ? vic : wes, 'Stranger@far.test')
      expect([again.status, again.headers.get('retry-after')]).toEqual([429, '60'])
    }
    expect((await queuedMails(app)).filter(({ to }) => to.toLowerCase() === 'stranger@far.test')).toHaveLength(1)
    await stepAside()
    expect((await change(wes, 'stranger@far.test')).status).toBe(200)
  })

  it('refuses a user name or address that somebody has', async () => {
    const cam = await signUp(app, 'cam')
    for (const [body, field] of [
      [{ username: 'ANN' }, 'username'],
      [{ email: 'ann@PLUMBLINE.test' }, 'email'],
    ] as const) {
      const answer = await app.call('PATCH', '/auth/me', { as: cam, body, headers: await stepUp(app, cam) })
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
    // The request does the same for every address, so its duration reveals nothing. Only a job knows whether the
    // account exists.
    const jobsBefore = (await jobKinds()).length
    expect(strip(await forgot('nobody@plumbline.test'))).toEqual(known)
    expect((await jobKinds()).slice(jobsBefore)).toEqual(['identity.forgot-password'])
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

  it('leaves nothing of the person who opened the account when its owner proves the address by a new password', async () => {
    const squat = await signUp(app, 'squat')
    const pat = await makeToken(squat)
    const enrolled = await app.call('POST', '/auth/mfa/totp/enroll', {
      as: squat,
      body: {},
      headers: await stepUp(app, squat),
    })
    const code = () => generateSync({ secret: enrolled.data.secret, epoch: Math.floor(app.clock.now() / 1000) })
    const headers = await stepUp(app, squat)
    await app.call('POST', '/auth/mfa/totp/confirm', { as: squat, body: { code: code() }, headers })
    await app.call('POST', '/auth/password/forgot', { body: { email: squat.email } })
    const body = { token: await linkToken(app, squat.email), password: NEW_PASSWORD }
    expect((await app.call('POST', '/auth/password/reset', { body })).status).toBe(204)
    for (const as of [squat.accessToken, pat]) expect((await me({ accessToken: as })).code).toBe('TOKEN_REVOKED')
    const owner = await login(squat.email, NEW_PASSWORD)
    expect([owner.status, owner.data.user.isEmailVerified]).toEqual([200, true])
    // A later reset keeps the second factor: the mailbox alone must not bypass it.
    const again = await app.call('POST', '/auth/mfa/totp/enroll', {
      as: owner.data,
      body: {},
      headers: await stepUp(app, owner.data, NEW_PASSWORD),
    })
    const own = generateSync({ secret: again.data.secret, epoch: Math.floor(app.clock.now() / 1000) })
    const confirm = await stepUp(app, owner.data, NEW_PASSWORD)
    await app.call('POST', '/auth/mfa/totp/confirm', { as: owner.data, body: { code: own }, headers: confirm })
    await stepAside()
    await app.call('POST', '/auth/password/forgot', { body: { email: squat.email } })
    const later = { token: await linkToken(app, squat.email), password: PASSWORD }
    expect((await app.call('POST', '/auth/password/reset', { body: later })).status).toBe(204)
    expect((await login('squat', PASSWORD)).code).toBe('MFA_REQUIRED')
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
    // A member without a Role has no permissions.
    expect((await me(switched.data)).data.permissions).toEqual([])
    // An owner changes every record, a member what they own.
    expect((await me(switched.data)).data.organization.changes).toBe('own')
    expect((await me(jon)).data.organization.changes).toBe('all')
    const next = await app.call('POST', '/auth/refresh', { body: { refreshToken: ivy.refreshToken } })
    expect(next.data.organization.id).toBe(jon.orgId)
    expect((await me(next.data)).data.memberships).toHaveLength(2)
  })

  it('keeps preferences for each organization', async () => {
    const kim = await signUp(app, 'kim')
    const body = { favorites: ['pipeline:1'], recents: ['plugin:2', 'plugin:3'] }
    const put = (sent: object) => app.call('PUT', '/auth/me/preferences', { as: kim, body: sent })
    const kept = async () => (await app.call('GET', '/auth/me/preferences', { as: kim })).data
    expect(await kept()).toEqual({ favorites: [], recents: [], views: [] })
    expect((await put(body)).data).toEqual({ ...body, views: [] })
    const views = [{ name: 'Critical', path: 'findings?severity=critical' }]
    expect((await put({ ...body, views })).data).toEqual({ ...body, views })
    // A program that does not send views leaves them unchanged.
    expect((await put(body)).data).toEqual({ ...body, views })
    expect(await kept()).toEqual({ ...body, views })
    for (const path of ['//elsewhere.test', '/console', '?tab=own', ''])
      expect((await put({ ...body, views: [{ name: 'x', path }] })).status).toBe(400)
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
