/** The first start: one system organization and one administrator, no matter how many replicas start together. */
import { eq } from 'drizzle-orm'
import { afterEach, expect, it } from 'vitest'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { evidence, identityApp, signIn, stepUp } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { BadSettings } from '../../runtime/settings/bad-settings.js'
import type { Store } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'
import { prepareFirstStart } from './first-start.js'

const ADMIN = { ADMIN_IDENTIFIER: 'admin@plumbline.test', ADMIN_PASSWORD: 'Tall-Giraffe-Walks-4' }

await describeStores('the first start', WITH_POSTGRESQL, (open) => {
  let store: Store
  afterEach(() => store.close())

  it('makes the administrator of the settings, who has to change the password', async () => {
    store = await open()
    const app = await identityApp(store, { settings: ADMIN })
    const tokens = await signIn(app, ADMIN.ADMIN_IDENTIFIER, ADMIN.ADMIN_PASSWORD)
    const me = (await app.call('GET', '/auth/me', { as: tokens })).data
    expect(me.user).toMatchObject({ isSuperAdmin: true, isEmailVerified: true, mustChangePassword: true })
    expect(me.organization.id).toBe(SYSTEM_ORG_ID)
    expect((await evidence(app)).map(({ action }) => action)).toContain('admin.superadmin.grant')
    const early = await app.call('GET', '/auth/sessions', { as: tokens })
    expect([early.status, early.body.details?.reason]).toEqual([403, 'password-change'])
    await app.call('POST', '/auth/password/change', {
      as: tokens,
      body: { currentPassword: ADMIN.ADMIN_PASSWORD, newPassword: 'Small-Zebra-Runs-8' },
      headers: await stepUp(app, tokens, ADMIN.ADMIN_PASSWORD),
    })
    expect((await app.call('GET', '/auth/me', { as: tokens })).data.user.mustChangePassword).toBe(false)
    expect((await app.call('GET', '/auth/sessions', { as: tokens })).status).toBe(200)
    // A later start changes nothing: the new password stays.
    expect(await prepareFirstStart(app.runtime)).toEqual({ madeAdministrator: false })
    await signIn(app, ADMIN.ADMIN_IDENTIFIER, 'Small-Zebra-Runs-8')
  })

  it('makes each once when replicas start together', async () => {
    store = await open()
    await Promise.all(Array.from({ length: 4 }, () => identityApp(store, { settings: ADMIN })))
    const counts = await store.system.read(async (db) => {
      const { organizations, users, roles } = identityTables(db)
      return [
        await db.$count(organizations, eq(organizations.id, SYSTEM_ORG_ID)),
        await db.$count(users),
        await db.$count(roles, eq(roles.orgId, SYSTEM_ORG_ID)),
      ]
    })
    expect(counts).toEqual([1, 1, 3])
  })

  it.each(['Password1234', 'Changeme-1234'])(
    'refuses the first password %s in production as a mistake of the settings',
    async (ADMIN_PASSWORD) => {
      store = await open()
      const settings = { ...ADMIN, ADMIN_PASSWORD, NODE_ENV: 'production', PASSWORD_HASH_COST: '15' }
      await expect(identityApp(store, { settings })).rejects.toThrow(BadSettings)
      expect(await store.system.read((db) => db.$count(identityTables(db).users))).toBe(0)
    },
  )
})
