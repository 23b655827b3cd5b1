/** Signing in: one answer for every failure, one hash for every attempt, a lock that grows and ends. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type IdentityApp, identityApp, signUp } from '../../../test/sign-in.js'
import { pgliteStore, sqliteStore } from '../../../test/stores.js'
import type { Store } from '../../runtime/store/db.js'

describe.each([
  { name: 'SQLite', open: sqliteStore as () => Promise<Store> },
  { name: 'PGlite', open: pgliteStore },
])('sign-in on $name', ({ open }) => {
  let store: Store
  let app: IdentityApp
  beforeAll(async () => {
    store = await open()
    app = await identityApp(store)
  })
  afterAll(() => store.close())

  it('registers a person with an organization and signs them in', async () => {
    const ann = await signUp(app, 'ann')
    expect(ann.accessToken.split('.')).toHaveLength(3)
    expect(app.errors).toEqual([])
  })
})
