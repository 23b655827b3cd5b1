/** An operator's actions on the host have their effect and are audited under the operator's name. */
import { eq } from 'drizzle-orm'
import { expect, it } from 'vitest'
import { evidenceOf, organizationApp } from '../../../test/support/organizations.js'
import { PASSWORD, signIn, signUp } from '../../../test/support/sign-in.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import { readSecret } from '../secret/rows.js'
import { identityTables } from '../tables.js'
import {
  createHostUser,
  disableHostSso,
  grantHostSuperAdmin,
  hostResetLink,
  revokeHostSessions,
  setHostTier,
  verifyHostEmail,
} from './host.js'
import { rotateHostKeys } from './rotate-keys.js'

it('administers accounts from the host', async () => {
  const store = await sqliteStore()
  const app = await organizationApp(store)
  const host = { runtime: app.runtime, osUser: 'ops' }
  const ada = await signUp(app, 'ada')

  const made = await createHostUser(host, { username: 'olga', email: 'olga@plumbline.test', verified: true })
  const reset = async (url: string) => {
    const token = new URL(url).searchParams.get('token')
    return (await app.call('POST', '/auth/password/reset', { body: { token, password: PASSWORD } })).status
  }
  expect(await reset(made.resetUrl)).toBe(204)
  await signIn(app, 'olga')
  const first = await hostResetLink(host, 'olga@plumbline.test')
  const second = await hostResetLink(host, 'OLGA')
  expect(await reset(first)).not.toBe(204)
  expect(await reset(second)).toBe(204)

  await verifyHostEmail(host, ada.email)
  await grantHostSuperAdmin(host, 'ada')
  app.identity.directory.drop({ userId: ada.userId })
  const admin = { ...ada, ...(await signIn(app, 'ada')) }
  expect((await app.call('GET', '/admin/summary', { as: admin })).data).toMatchObject({ users: 2, organizations: 2 })
  expect(await revokeHostSessions(host, 'ada')).toMatchObject({ sessions: 2 })
  expect((await app.call('GET', '/organization', { as: admin })).status).toBe(401)

  expect(await setHostTier(host, { organization: ada.orgSlug, tier: 'pro' })).toMatchObject({
    previousTier: 'unlimited',
  })
  await expect(setHostTier(host, { organization: ada.orgSlug, tier: 'gold' })).rejects.toThrow('gold')
  await expect(verifyHostEmail(host, 'nobody')).rejects.toThrow('nobody')
  // An account or an organization that is called as the id of another is not the one that the operator means.
  const [asked, called] = ['0190a1b2-0000-7000-8000-0000000000aa', '0190a1b2-0000-7000-8000-0000000000bb']
  await store.system.write(async (tx) => {
    const { organizations, users } = identityTables(tx)
    await tx.update(organizations).set({ slug: asked }).where(eq(organizations.id, ada.orgId))
    await tx.update(users).set({ usernameKey: called }).where(eq(users.id, ada.userId))
  })
  await expect(setHostTier(host, { organization: asked, tier: 'team' })).rejects.toThrow('no organization')
  await expect(disableHostSso(host, asked)).rejects.toThrow('no organization')
  await expect(verifyHostEmail(host, called)).rejects.toThrow('no account')
  expect(await setHostTier(host, { organization: ada.orgId, tier: 'pro' })).toMatchObject({ id: ada.orgId })
  expect(await evidenceOf(app, ada.orgId)).toContain('admin.org.tier.update')
  const rows = await store.system.read((db) => db.select().from(jobTables(db).auditOutbox))
  const byHost = rows.filter(({ event }) => event.actorId === 'host:ops').map(({ event }) => event.action)
  expect(byHost).toEqual([
    'admin.user.create',
    'admin.user.update',
    'admin.user.update',
    'user.email.verified',
    'admin.superadmin.grant',
    'user.tokens.revoke-all',
    'admin.org.tier.update',
  ])
  await store.close()
})

it('seals secrets again under the first key, bound to their place', async () => {
  const store = await sqliteStore()
  const app = await organizationApp(store)
  const ada = await signUp(app, 'ada')
  const path = `/organization/${ada.orgId}/secrets/TOKEN`
  const TOKEN = { name: 'TOKEN', pluginName: 'web' }
  expect((await app.call('PUT', path, { as: ada, body: { value: 'very-secret', plugins: ['web'] } })).status).toBe(200)
  const { box } = app.identity
  expect(await store.system.read((db) => readSecret(db, box, ada.orgId, TOKEN))).toEqual({ value: 'very-secret' })
  // The secret, and the queued e-mail.
  expect(await rotateHostKeys({ runtime: app.runtime, osUser: 'ops' })).toBe(2)
  expect(await store.system.read((db) => readSecret(db, box, ada.orgId, TOKEN))).toEqual({ value: 'very-secret' })
  expect(await store.system.read((db) => readSecret(db, box, ada.orgId, { ...TOKEN, name: 'OTHER' }))).toBeNull()
  expect((await app.call('DELETE', path, { as: ada })).status).toBe(204)
  await store.close()
})
