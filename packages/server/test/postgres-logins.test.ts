/**
 * A login of its own for each of the two pools, on a real server: anyone who gets hold of a tenant's connection can become
 * nobody else, and a login that could is refused at the start.
 */
import { randomUUID } from 'node:crypto'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Store } from '../src/runtime/store/db.js'
import { openPostgresStore } from '../src/runtime/store/open-store.js'
import { makeRole } from '../src/runtime/store/role-statements.js'
import { organizationApp } from './support/organizations.js'
import { type IdentityApp, type SignedIn, signUp } from './support/sign-in.js'
import { POSTGRES_URL, postgresMissing } from './support/stores.js'

const missing = await postgresMissing()
const id = randomUUID().slice(0, 8)
const DATABASE = `plumbline_logins_${id}`
const OWNER = `plumb_owner_${id}`
const WEB = `plumb_web_${id}`
const JOBS = `plumb_jobs_${id}`
const BOTH = `plumb_both_${id}`
const NONE = `plumb_none_${id}`

const urlOf = (user: string, database = DATABASE) => {
  const url = new URL(POSTGRES_URL)
  url.username = user
  url.pathname = `/${database}`
  return url.href
}

describe.skipIf(missing !== null)(`logins of PostgreSQL${missing ? ` (${missing})` : ''}`, () => {
  let admin: pg.Client
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  let bob: SignedIn

  beforeAll(async () => {
    admin = new pg.Client({ connectionString: POSTGRES_URL })
    await admin.connect()
    const roles = ['plumbline_tenant', 'plumbline_system', 'plumbline_maintenance']
    for (const role of roles) await admin.query(makeRole(role))
    // What the guide tells an administrator to do: the owner may neither make nor grant roles.
    await admin.query(`CREATE ROLE ${OWNER} LOGIN; GRANT ${roles.join(', ')} TO ${OWNER}`)
    await admin.query(`CREATE ROLE ${WEB} LOGIN NOINHERIT; GRANT plumbline_tenant TO ${WEB}`)
    await admin.query(`CREATE ROLE ${JOBS} LOGIN NOINHERIT; GRANT plumbline_system TO ${JOBS}`)
    await admin.query(`CREATE ROLE ${BOTH} LOGIN; GRANT plumbline_tenant, plumbline_system TO ${BOTH}`)
    await admin.query(`CREATE ROLE ${NONE} LOGIN`)
    await admin.query(`CREATE DATABASE ${DATABASE} OWNER ${OWNER}`)
    store = await openPostgresStore({
      url: urlOf(OWNER),
      tenantUrl: urlOf(WEB),
      systemUrl: urlOf(JOBS),
      connectionsMax: 4,
    })
    app = await organizationApp(store)
    ada = await signUp(app, 'ada')
    bob = await signUp(app, 'bob')
  })
  afterAll(async () => {
    await store?.close()
    await admin.query(`DROP DATABASE IF EXISTS ${DATABASE} WITH (FORCE)`)
    for (const role of [OWNER, WEB, JOBS, BOTH, NONE]) await admin.query(`DROP ROLE IF EXISTS ${role}`)
    await admin.end()
  })

  const tenantOf = (orgId: string) => store.tenant({ orgId, readableOrgIds: [] })
  const who = sql.raw('SELECT session_user AS login, current_user AS role')

  it('logs each pool in as its own user, and the server works', async () => {
    expect(await tenantOf(ada.orgId).read((db) => db.rows(who))).toEqual([{ login: WEB, role: 'plumbline_tenant' }])
    expect(await store.system.read((db) => db.rows(who))).toEqual([{ login: JOBS, role: 'plumbline_system' }])
    expect(await app.call('GET', '/auth/me', { as: ada })).toMatchObject({ status: 200 })
    const renamed = await app.call('PATCH', `/organization/${ada.orgId}/identity`, {
      as: ada,
      body: { description: 'of Ada' },
    })
    expect(renamed.status).toBe(200)
    await store.ping()
    expect(app.errors).toEqual([])
  })

  it('gives nothing to anyone who injects a change of role into a statement of a tenant', async () => {
    const memberships = sql.raw('SELECT DISTINCT org_id FROM memberships')
    expect(await tenantOf(ada.orgId).read((db) => db.rows(memberships))).toEqual([{ org_id: ada.orgId }])
    for (const role of ['plumbline_system', 'plumbline_maintenance', OWNER, JOBS, 'postgres']) {
      await expect(
        tenantOf(ada.orgId).write((tx) => tx.rows(sql.raw(`SET ROLE ${role}`))),
        role,
      ).rejects.toMatchObject({ cause: { message: expect.stringMatching(/permission denied to set role/) } })
    }
    for (const reset of ['RESET ROLE', 'SET ROLE NONE', 'RESET SESSION AUTHORIZATION']) {
      const injected = tenantOf(ada.orgId).write(async (tx) => {
        await tx.rows(sql.raw(reset))
        return tx.rows(memberships)
      })
      await expect(injected, reset).rejects.toMatchObject({
        cause: { message: expect.stringMatching(/permission denied for table memberships/) },
      })
    }
    expect(bob.orgId).not.toBe(ada.orgId)
  })

  it('lets neither login change tables, and migrates as their owner alone', async () => {
    const { rows } = await admin.query<{ owner: string }>(
      'SELECT pg_get_userbyid(datdba) AS owner FROM pg_database WHERE datname = $1',
      [DATABASE],
    )
    expect(rows).toEqual([{ owner: OWNER }])
    const owners = await store.system.read((db) =>
      db.rows(sql.raw("SELECT DISTINCT tableowner::text AS owner FROM pg_tables WHERE schemaname = 'public'")),
    )
    expect(owners).toEqual([{ owner: OWNER }])
    for (const scope of [tenantOf(ada.orgId), store.system]) {
      for (const change of [
        'ALTER TABLE memberships NO FORCE ROW LEVEL SECURITY',
        'DROP POLICY memberships_read ON memberships',
        'CREATE TABLE mine (id text)',
      ]) {
        await expect(
          scope.write((tx) => tx.rows(sql.raw(change))),
          change,
        ).rejects.toMatchObject({
          cause: { message: expect.stringMatching(/must be owner|permission denied/) },
        })
      }
    }
  })

  it.each([
    ['a superuser', 'DATABASE_TENANT_URL', () => urlOf('postgres'), /is a superuser/],
    ['the owner of the tables', 'DATABASE_TENANT_URL', () => urlOf(OWNER), /owns tables/],
    ['one who can become more', 'DATABASE_TENANT_URL', () => urlOf(BOTH), /REVOKE plumbline_system FROM plumb_both/],
    ['one who cannot become it', 'DATABASE_SYSTEM_URL', () => urlOf(NONE), /GRANT plumbline_system TO plumb_none/],
    ['the login of the other pool', 'DATABASE_SYSTEM_URL', () => urlOf(WEB), /GRANT plumbline_system TO plumb_web/],
    ['another database', 'DATABASE_SYSTEM_URL', () => urlOf(JOBS, 'postgres'), /is not the one of DATABASE_URL/],
    ['nobody', 'DATABASE_SYSTEM_URL', () => urlOf(`nobody_${id}`), /cannot be reached as this user/],
  ])('refuses %s', async (_, setting, address, message) => {
    const own = setting === 'DATABASE_TENANT_URL' ? { tenantUrl: address() } : { systemUrl: address() }
    const opening = openPostgresStore({ url: urlOf(OWNER), ...own, connectionsMax: 2 })
    const error = await opening.then(
      async (opened) => {
        await opened.close()
        return null
      },
      (thrown: Error) => thrown,
    )
    expect(error?.message).toMatch(message)
    expect(error?.message).toContain(setting)
    expect(error?.message).not.toContain('postgres://')
  })
})
