/** Under 64 clients at once: the last administrator stays, seats are not passed, one invitation lives, one owner is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../src/runtime/store/db.js'
import { organizationRaces, RACE_SETTINGS } from './support/organization-races.js'
import { organizationApp, superAdmin } from './support/organizations.js'
import type { IdentityApp, SignedIn } from './support/sign-in.js'
import { postgresMissing, postgresStore, sqliteStore } from './support/stores.js'

const missing = await postgresMissing()

describe.each([
  { name: 'SQLite', open: sqliteStore as () => Promise<Store>, skip: null },
  { name: `PostgreSQL${missing ? ` (${missing})` : ''}`, open: postgresStore as () => Promise<Store>, skip: missing },
])('races on $name', ({ open, skip }) => {
  if (skip !== null) {
    it.skip(skip, () => undefined)
    return
  }
  let store: Store
  let app: IdentityApp
  let root: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store, { settings: RACE_SETTINGS })
    root = await superAdmin(app, 'root')
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  organizationRaces(() => ({ app, root }))
})
