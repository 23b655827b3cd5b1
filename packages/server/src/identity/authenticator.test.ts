/**
 * Impersonation tokens depend on the impersonator's session, cannot step up or change credentials, and are read-only
 * when created so.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IdentityApp, identityApp, PASSWORD, type SignedIn, signUp } from '../../test/support/sign-in.js'
import { sqliteStore } from '../../test/support/stores.js'
import type { Store } from '../runtime/store/db.js'
import { giveSuperAdmin } from './auth/bootstrap.js'
import { revokeSessions } from './session/end.js'

describe('impersonation', () => {
  let store: Store
  let app: IdentityApp
  let ann: SignedIn
  let root: SignedIn
  let other: SignedIn
  beforeAll(async () => {
    store = await sqliteStore()
    app = await identityApp(store)
    ann = await signUp(app, 'ann')
    root = await signUp(app, 'root')
    other = await signUp(app, 'other')
    await store.system.write((tx) => giveSuperAdmin(tx, app.runtime, root.userId))
    app.identity.directory.drop({ userId: root.userId })
  })
  afterAll(() => store.close())

  const sidOf = ({ accessToken }: SignedIn): string =>
    JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()).sid
  const token = (subject: SignedIn, by: SignedIn, ro: boolean, tv = 1) =>
    app.identity.tokens.sign(
      'access',
      { sub: subject.userId, typ: 'access', tv, sid: sidOf(by), imp: by.userId, ro, org: subject.orgId },
      900,
    )
  const call = (as: string, method: string, path: string, body?: object) =>
    app.call(method, path, { as, ...(body === undefined ? {} : { body }) })

  it('sees what the person sees, and may change nothing when it is read-only', async () => {
    const as = await token(ann, root, true)
    const me = await call(as, 'GET', '/auth/me')
    expect([me.data.user.id, me.data.user.isSuperAdmin]).toEqual([ann.userId, false])
    const put = await call(as, 'PUT', '/auth/me/preferences', { favorites: [], recents: [] })
    expect([put.status, put.code]).toEqual([403, 'READ_ONLY_SESSION'])
  })

  it('never confirms, makes tokens or changes the account, also when it may write', async () => {
    const as = await token(ann, root, false)
    for (const [method, path, body] of [
      ['POST', '/auth/step-up', { method: 'password', password: PASSWORD }],
      ['PATCH', '/auth/me', { username: 'taken-over' }],
      ['POST', '/auth/logout', { everywhere: true }],
      ['GET', '/auth/sessions', undefined],
    ] as const) {
      const answer = await call(as, method, path, body)
      expect([path, answer.code]).toEqual([path, 'INSUFFICIENT_PERMISSIONS'])
    }
    expect((await call(as, 'DELETE', '/auth/me')).code).toBe('INSUFFICIENT_PERMISSIONS')
  })

  it('is worth nothing from somebody who is not a system administrator, or against one', async () => {
    expect((await call(await token(ann, other, true), 'GET', '/auth/me')).code).toBe('TOKEN_REVOKED')
    await store.system.write((tx) => giveSuperAdmin(tx, app.runtime, other.userId))
    app.identity.directory.drop({ userId: other.userId })
    expect((await call(await token(other, root, true, 2), 'GET', '/auth/me')).code).toBe('TOKEN_REVOKED')
  })

  it('ends with the session of the one who acts', async () => {
    const as = await token(ann, root, true)
    expect((await call(as, 'GET', '/auth/me')).status).toBe(200)
    await store.system.write((tx) => revokeSessions({ tx, runtime: app.runtime, nowMs: app.clock.now() }, root.userId))
    expect((await call(as, 'GET', '/auth/me')).code).toBe('TOKEN_REVOKED')
  })
})
