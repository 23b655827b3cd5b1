/** Names of Roles and organizations: which are refused, and which count as equal. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { organizationApp } from '../../../test/support/organizations.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { identityTables } from '../tables.js'

const COMPOSED = 'Adm\u00edn'

await describeStores('names', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let ada: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store)
    ada = await signUp(app, 'ada')
  })
  afterAll(async () => {
    expect(app.errors).toEqual([])
    await store.close()
  })

  const create = (name: string) =>
    app.call('POST', `/organization/${ada.orgId}/roles`, { as: ada, body: { name, permissions: ['plugins:read'] } })
  const rename = (id: string, name: string) =>
    app.call('PUT', `/organization/${ada.orgId}/roles/${id}`, { as: ada, body: { name } })

  it('are of at most 200 Roles', async () => {
    const eve = await signUp(app, 'eve')
    const make = (n: number) =>
      app.call('POST', `/organization/${eve.orgId}/roles`, {
        as: eve,
        body: { name: `Role ${n} of many`, permissions: ['plugins:read'] },
      })
    const { roles } = identityTables(store)
    const [pattern] = await store.system.read((db) =>
      db.select().from(roles).where(eq(roles.orgId, eve.orgId)).limit(1),
    )
    if (pattern === undefined) throw new Error('an organization has Roles')
    const rows = Array.from({ length: 199 }, (_, n) => {
      const [id, name] = [app.runtime.ids.next(), `Old ${n}`]
      return { ...pattern, id, name, nameKey: name.toLowerCase(), builtIn: false }
    })
    await store.system.write((tx) => tx.insert(roles).values(rows))
    expect((await make(1)).status).toBe(201)
    expect(await make(2)).toMatchObject({ status: 409, code: 'CONFLICT' })
  })

  describe('of a Role', () => {
    it.each([
      ['Cyrillic', '\u0410dmin'],
      ['fullwidth', '\uff21dmin'],
      ['an accent', COMPOSED],
      ['punctuation', 'Super-Admin'],
      ['a digit', 'Adm1n'],
      ['a variation selector', 'Member\ufe0f'],
    ])('that looks like a built-in one (%s) are taken', async (_how, name) => {
      expect(await create(name)).toMatchObject({ status: 409, code: 'DUPLICATE_ENTRY' })
      const own = await create(`Own of ${_how}`)
      expect(own.status).toBe(201)
      expect(await rename(own.data.role.id, name)).toMatchObject({ status: 409, code: 'DUPLICATE_ENTRY' })
    })

    it.each(['Admin\u200b', 'Admin\u202e', 'Ad\u00admin', 'Rea\u200dder', 'Two\nlines', 'Red\u001b[31m', 'Fill\u3164'])(
      'with a character that is not shown (%j) are refused',
      async (name) => {
        const answer = await create(name)
        expect(answer).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' })
        expect(JSON.stringify(answer)).toContain('must be one line without control characters')
      },
    )

    it('are one, however they are composed, and are stored composed and without spaces around', async () => {
      const made = await create(' Re\u0301viseur ')
      expect(made.data.role.name).toBe('R\u00e9viseur')
      for (const name of ['R\u00e9viseur', 're\u0301viseur', '\uff32\u00e9viseur']) {
        expect(await create(name), name).toMatchObject({ status: 409, code: 'DUPLICATE_ENTRY' })
      }
    })

    it('may be in any script', async () => {
      for (const name of ['Администратор базы', 'قارئ', '編集者', 'Ωmega ⚠️']) {
        expect((await create(name)).data.role.name).toBe(name)
      }
    })
  })

  it('of an organization are stored composed, by every way in', async () => {
    const body = { name: ' Caf\u0065\u0301 ', displayName: 'Zoe\u0308' }
    const { data } = await app.call('POST', '/organization', { as: ada, body })
    expect(data.organization).toMatchObject({ name: 'Caf\u00e9', displayName: 'Zo\u00eb' })
    const path = `/organization/${ada.orgId}/identity`
    const renamed = await app.call('PATCH', path, { as: ada, body: { displayName: 'Ame\u0301lie' } })
    expect(renamed.data.organization.displayName).toBe('Am\u00e9lie')
    for (const displayName of ['two\nlines', 'red\u001b[31m', 'end\u202e', '   ']) {
      expect((await app.call('PATCH', path, { as: ada, body: { displayName } })).status, displayName).toBe(400)
    }
  })
})
