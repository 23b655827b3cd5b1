/** Names and settings of organizations, the organization of each audit event, and a person's first organization. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { confirmed, enrol, organizationApp, signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { type IdentityApp, PASSWORD, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Store } from '../../runtime/store/db.js'
import { isReservedName, lookAlikeKey } from '../account/reserved-name.js'
import { identityTables } from '../tables.js'

/** Names that look like `system`, each in another way. */
const LOOK_ALIKES = [
  'System',
  'SYSTEM',
  'system!',
  ' s y s t e m '.trim(),
  'Sys\u00adtem',
  'Syst\u200bem',
  'System\u202e',
  '\u0405ystem',
  'S\u0443stem',
  'Syst\u0435m',
  '\u0405\u0423\u0405\u0422\u0415\u041c',
  'ＳＹＳＴＥＭ',
  '𝗦𝘆𝘀𝘁𝗲𝗺',
  'Systern',
  'S\u00fdst\u00e9m',
  '5ystem',
]

it('takes names for one another that a reader does', () => {
  for (const name of LOOK_ALIKES) expect([name, isReservedName(name)]).toEqual([name, true])
  for (const name of ['Systems', 'Ecosystem', 'System One', 'Sisters', 'Σ', '!!', 'Acme']) {
    expect([name, isReservedName(name)]).toEqual([name, false])
  }
  expect(lookAlikeKey('\u0410dmin')).toBe(lookAlikeKey('Admin'))
})

await describeStores('organizations apart', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let root: SignedIn
  let ada: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store, { settings: { BOOTSTRAP_SUPERADMIN_EMAILS: 'boss@plumbline.test' } })
    root = await superAdmin(app, 'root')
    ada = await signUp(app, 'ada')
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })
  const events = (action: string) =>
    store.system.read(async (db) => {
      const { auditOutbox } = jobTables(db)
      const rows = await db.select().from(auditOutbox).orderBy(auditOutbox.position)
      return rows.filter(({ event }) => event['action'] === action)
    })

  it('gives nobody the name of the system organization, by create, rename, team or registration', async () => {
    const at = `/organization/${ada.orgId}/identity`
    for (const name of LOOK_ALIKES) {
      const answers = [
        await app.call('POST', '/organization', { as: ada, body: { name } }),
        await app.call('POST', '/organization', { as: ada, body: { name: 'Acme', displayName: name } }),
        await app.call('POST', '/organization', { as: ada, body: { name, parentOrgId: ada.orgId } }),
        await app.call('PATCH', at, { as: ada, body: { name } }),
        await app.call('PATCH', at, { as: ada, body: { displayName: name } }),
      ]
      for (const { status } of answers) expect([name, [400, 403]]).toEqual([name, expect.arrayContaining([status])])
    }
    const answer = await app.call('POST', '/organization', { as: ada, body: { name: 'System' } })
    expect(answer.code).toBe('RESERVED_ORG')
    // A listed address is refused like any other.
    for (const email of ['boss@plumbline.test', 'nobody@plumbline.test']) {
      const body = { username: 'somebody', email, password: PASSWORD, organizationName: 'System' }
      expect(await app.call('POST', '/auth/register', { body })).toMatchObject({ status: 403, code: 'RESERVED_ORG' })
    }
    const own = await app.call('PATCH', `/organization/${SYSTEM_ORG_ID}/identity`, {
      as: root,
      body: { description: 'The operators' },
      headers: { 'x-org-id': 'system' },
    })
    expect(own.status).toBe(200)
  })

  it('lets members change their own records alone, until the organization says otherwise', async () => {
    const at = `/organization/${ada.orgId}/settings`
    const before = await app.call('GET', `/organization/${ada.orgId}`, { as: ada })
    expect(before.data.organization.settings.memberWriteScope).toBe('own')
    const bob = await enrol(app, await signUp(app, 'bob'), ada.orgId)
    expect((await app.call('PATCH', at, { as: bob, body: { memberWriteScope: 'org' } })).status).toBe(403)
    expect((await app.call('PATCH', at, { as: ada, body: {} })).status).toBe(400)
    const wide = await app.call('PATCH', at, { as: ada, body: { memberWriteScope: 'org' } })
    expect(wide.data.organization.settings.memberWriteScope).toBe('org')
    const rest = await app.identity.directory.organization(ada.orgId)
    expect(rest?.memberWriteScope).toBe('org')
    const stale = { 'if-match': `"${before.data.organization.revision}"` }
    const refused = await app.call('PATCH', at, { as: ada, body: { memberWriteScope: 'own' }, headers: stale })
    expect(refused.status).toBe(412)
    const [event] = (await events('org.update')).filter(({ orgId }) => orgId === ada.orgId).slice(-1)
    expect(event?.details).toContain('memberWriteScope')
  })

  it('files what an operator does as an event of the system about the organization', async () => {
    const named = await app.call('PUT', `/organization/${ada.orgId}`, { as: root, body: { description: 'Seen' } })
    expect(named.status).toBe(200)
    expect((await events('org.update')).at(-1)).toMatchObject({ orgId: SYSTEM_ORG_ID, affectedOrgId: ada.orgId })
    // Events of the organization's own changes stay its own.
    await app.call('PATCH', `/organization/${ada.orgId}/identity`, { as: ada, body: { description: 'Own' } })
    expect((await events('org.update')).at(-1)).toMatchObject({ orgId: ada.orgId, affectedOrgId: ada.orgId })
    const user = await app.call('POST', '/admin/users', {
      as: root,
      body: { username: 'made', email: 'made@plumbline.test' },
    })
    expect(user.status).toBe(201)
    expect((await events('admin.user.create')).at(-1)).toMatchObject({ orgId: SYSTEM_ORG_ID })
  })

  it('shows an impersonation to every organization whose member was impersonated', async () => {
    const kim = await signUp(app, 'kim')
    await enrol(app, kim, ada.orgId)
    const body = { reason: 'a question of support' }
    expect((await confirmed(app, 'POST', `/admin/impersonate/${kim.userId}`, { as: root, body })).status).toBe(200)
    const rows = await events('admin.impersonate.start')
    expect(rows.map(({ orgId }) => orgId)).toEqual([SYSTEM_ORG_ID, SYSTEM_ORG_ID])
    expect(rows.map(({ affectedOrgId }) => affectedOrgId).sort()).toEqual([ada.orgId, kim.orgId].sort())
  })

  it('lets a person whose only organization was purged make another, and nobody else past their permissions', async () => {
    const lone = await signUp(app, 'lone')
    const narrow = (
      await confirmed(app, 'POST', '/auth/pats', { as: lone, body: { name: 'ci', organizationId: lone.orgId } })
    ).data.token
    await store.system.write(async (tx) => {
      const { organizations, memberships, roles, roleAssignments } = identityTables(tx)
      for (const table of [roleAssignments, roles, memberships])
        await tx.delete(table).where(eq(table.orgId, lone.orgId))
      await tx.delete(organizations).where(eq(organizations.id, lone.orgId))
    })
    app.identity.directory.drop({ orgId: lone.orgId })
    app.identity.directory.drop({ userId: lone.userId })
    const again = await signInAgain(app, lone)
    expect([401, 403]).toContain(
      (await app.call('POST', '/organization', { as: narrow, body: { name: 'Pat' } })).status,
    )
    const made = await app.call('POST', '/organization', { as: again, body: { name: 'Second chance' } })
    expect(made).toMatchObject({ status: 201, data: { organization: { ownerId: lone.userId } } })
    const { id } = made.data.organization
    expect((await events('org.create')).at(-1)).toMatchObject({ orgId: id, affectedOrgId: id })
    const fresh = await signInAgain(app, lone)
    expect((await app.call('GET', '/organization', { as: fresh })).data.organization.id).toBe(id)
    // A member without `org:settings` cannot create one.
    const sue = await signUp(app, 'sue')
    await enrol(app, sue, ada.orgId)
    const headers = { 'x-org-id': ada.orgId }
    const refused = await app.call('POST', '/organization', { as: sue, body: { name: 'Sue two' }, headers })
    expect(refused).toMatchObject({ status: 403, code: 'INSUFFICIENT_PERMISSIONS' })
  })
})
