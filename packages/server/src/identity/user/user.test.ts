/**
 * System administration: accounts, Super Admin, impersonation, and service principals of organizations and of the
 * system.
 */
import { expect, it } from 'vitest'
import { confirmed, organizationApp, signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { signUp, verifyAddress } from '../../../test/support/sign-in.js'
import { sqliteStore } from '../../../test/support/stores.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { createHostServicePrincipal, renewHostServicePrincipal } from '../admin/host-service-principal.js'
import { issueOneTimeToken } from '../credential/one-time-tokens.js'

it('administers accounts, keeps the last Super Admin, and acts as others for reading only', async () => {
  const store = await sqliteStore()
  const app = await organizationApp(store)
  const root = await superAdmin(app, 'root')
  const ada = await signUp(app, 'ada')
  expect((await app.call('GET', '/admin/users', { as: ada })).status).toBe(403)
  const made = await app.call('POST', '/admin/users', {
    as: root,
    body: { username: 'olga', email: 'o@plumbline.test' },
  })
  expect(made.data).toMatchObject({ emailSent: false, user: { hasPassword: false } })
  const withPassword = { username: 'x1', email: 'x@plumbline.test', password: 'Correct-Horse-7' }
  expect((await app.call('POST', '/admin/users', { as: root, body: withPassword })).status).toBe(400)
  const listed = await app.call('GET', '/admin/users?search=OLG', { as: root })
  expect(listed.data.pagination.total).toBe(1)
  const grant = `/admin/users/${ada.userId}/superadmin`
  expect((await confirmed(app, 'POST', grant, { as: root })).status).toBe(409)
  const last = await confirmed(app, 'DELETE', `/admin/users/${root.userId}/superadmin`, { as: root })
  expect(last).toMatchObject({ status: 409, code: 'LAST_PRIVILEGED_MEMBER' })
  const body = { reason: 'to see what they see' }
  expect((await confirmed(app, 'POST', `/admin/impersonate/${root.userId}`, { as: root, body })).status).toBe(409)
  const acting = await confirmed(app, 'POST', `/admin/impersonate/${ada.userId}`, { as: root, body })
  expect(acting.data).toMatchObject({ expiresIn: 900, readOnly: true })
  const as = acting.data.accessToken as string
  expect((await app.call('GET', '/organization', { as })).data.organization.id).toBe(ada.orgId)
  expect((await app.call('POST', '/organization', { as, body: { name: 'Mine' } })).code).toBe('READ_ONLY_SESSION')
  await verifyAddress(app, ada.userId)
  expect((await confirmed(app, 'POST', grant, { as: root })).data).toMatchObject({ isSuperAdmin: true })
  const off = await confirmed(app, 'DELETE', grant, { as: root })
  expect(off.data).toMatchObject({ isSuperAdmin: false })
  expect((await app.call('GET', '/config')).data).toMatchObject({ registration: 'open', version: '0.1.0' })
  expect(app.errors.map(String)).toEqual([])
  await store.close()
})

it('gives machines secrets that are shown once, rotate, and end', async () => {
  const store = await sqliteStore()
  const app = await organizationApp(store)
  const root = await superAdmin(app, 'root')
  const ada = await signUp(app, 'ada')
  const path = `/organization/${ada.orgId}/service-principals`
  const system = { name: 'meter', scopes: ['seats:sync'] }
  expect((await confirmed(app, 'POST', path, { as: ada, body: system })).status).toBe(400)
  const made = await confirmed(app, 'POST', path, { as: ada, body: { name: 'ci', scopes: ['reporting:ingest'] } })
  expect(made.status).toBe(201)
  const { id, clientId } = made.data.servicePrincipal
  const token = async (clientSecret: string, of = clientId) =>
    app.call('POST', '/auth/token', { body: { grant_type: 'client_credentials', clientId: of, clientSecret } })
  expect((await token(made.data.clientSecret)).status).toBe(200)
  const rotated = await confirmed(app, 'POST', `${path}/${id}/rotate`, { as: ada })
  expect((await token(made.data.clientSecret)).status).toBe(200)
  app.clock.advance(86_400_001)
  expect((await token(made.data.clientSecret)).status).toBe(401)
  expect((await token(rotated.data.clientSecret)).status).toBe(200)
  const machine = await confirmed(app, 'POST', `/organization/${SYSTEM_ORG_ID}/service-principals`, {
    as: await signInAgain(app, root),
    body: system,
  })
  expect(machine.status).toBe(201)
  const answer = await token(machine.data.clientSecret, machine.data.servicePrincipal.clientId)
  const set = await app.call('PUT', `/organization/${ada.orgId}/seat-limit`, {
    as: answer.data.accessToken,
    body: { seats: 7, features: ['sso'], tier: 'team' },
  })
  expect(set.data).toMatchObject({ id: ada.orgId, seats: 7, tier: 'team' })
  expect(app.errors.map(String)).toEqual([])
  await store.close()
})

it('rotates a secret for as long as it was made for, unless it is told how long', async () => {
  const store = await sqliteStore()
  const app = await organizationApp(store)
  const root = await superAdmin(app, 'root')
  const path = `/organization/${SYSTEM_ORG_ID}/service-principals`
  const host = { runtime: app.runtime, osUser: 'ops' }
  const { clientId } = await createHostServicePrincipal(host, { name: 'builder', scopes: ['builds:work'] })
  const list = (await app.call('GET', path, { as: root })).data.servicePrincipals
  const { id } = list.find((each: { clientId: string }) => each.clientId === clientId)
  const rotated = async (query = '') => {
    app.clock.advance(10 * 86_400_000)
    const as = await signInAgain(app, root)
    const { data } = await confirmed(app, 'POST', `${path}/${id}/rotate${query}`, { as })
    return (Date.parse(data.servicePrincipal.expiresAt) - app.clock.now()) / 86_400_000
  }
  expect([await rotated(), await rotated()]).toEqual([365, 365])
  expect([await rotated(`?expiresIn=${30 * 86_400}`), await rotated()]).toEqual([30, 30])
  const made = await confirmed(app, 'POST', path, {
    as: await signInAgain(app, root),
    body: { name: 'meter', scopes: ['seats:sync'], expiresIn: 7 * 86_400 },
  })
  const meter = `${path}/${made.data.servicePrincipal.id}`
  const again = await confirmed(app, 'POST', `${meter}/rotate`, { as: await signInAgain(app, root) })
  expect(Date.parse(again.data.servicePrincipal.expiresAt) - app.clock.now()).toBe(7 * 86_400_000)
  // What a server starts again is valid for a year, whatever its secret was rotated for.
  const renewed = await renewHostServicePrincipal(host, { name: 'builder', scopes: ['builds:work'] })
  expect(renewed.expiresAtMs - app.clock.now()).toBe(365 * 86_400_000)
  expect(await rotated()).toBe(365)
  await store.close()
})

it('ends the sign-in link of a person whose address it changes', async () => {
  const store = await sqliteStore()
  const app = await organizationApp(store)
  const root = await superAdmin(app, 'root')
  const { userId } = await signUp(app, 'dan')
  const link = { userId, email: null, nowMs: app.clock.now() }
  const token = await store.system.write((tx) => issueOneTimeToken(tx, 'sign-in', link))
  const change = { as: root, body: { email: 'dan@new.example' } }
  expect((await confirmed(app, 'PUT', `/admin/users/${userId}`, change)).status).toBe(200)
  expect((await app.call('POST', '/auth/login/link', { body: { token } })).code).toBe('TOKEN_INVALID')
  await store.close()
})
