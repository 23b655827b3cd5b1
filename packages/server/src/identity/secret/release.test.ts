/** Secrets of an organization are given to the builds of the plugins that they were released to, and to nobody else. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeStores, IN_PROCESS } from '../../../test/support/describe-stores.js'
import { enrol, organizationApp } from '../../../test/support/organizations.js'
import { evidence, type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { readSecret } from './rows.js'

await describeStores('the secrets of an organization', IN_PROCESS, (open) => {
  let store: Store
  let app: IdentityApp
  let ann: SignedIn
  let ben: SignedIn
  let member: SignedIn
  beforeAll(async () => {
    store = await open()
    app = await organizationApp(store)
    ann = await signUp(app, 'ann')
    ben = await signUp(app, 'ben')
    member = await enrol(app, await signUp(app, 'mia'), ann.orgId)
  })
  afterAll(() => store.close())

  const set = (body: unknown, as = ann) => app.call('PUT', `/organization/${ann.orgId}/secrets/NPM_TOKEN`, { as, body })
  const given = (pluginName: string, orgId = ann.orgId) =>
    store.system.read((db) => readSecret(db, app.identity.box, orgId, { name: 'NPM_TOKEN', pluginName }))

  it('are released to no plugin until one is named', async () => {
    expect((await set({ plugins: ['web'] })).status).toBe(400)
    expect((await set({ value: 'hunter2' })).data.secret.plugins).toEqual([])
    expect([await given('web'), await given('*')]).toEqual(['withheld', 'withheld'])
    expect((await set({ plugins: ['web'] })).data.secret.plugins).toEqual(['web'])
    expect([await given('web'), await given('we'), await given('web-2')]).toEqual([
      { value: 'hunter2' },
      'withheld',
      'withheld',
    ])
    expect(await given('web', ben.orgId)).toBeNull()
    // A new value keeps the list, a new list keeps the value.
    expect((await set({ value: 'other' })).data.secret.plugins).toEqual(['web'])
    expect((await set({ plugins: ['*'] })).data.secret.plugins).toEqual(['*'])
    expect([await given('anything'), await given('web')]).toEqual([{ value: 'other' }, { value: 'other' }])
    expect((await set({ plugins: [] })).status).toBe(200)
    expect(await given('web')).toBe('withheld')
    expect((await evidence(app)).filter(({ action }) => action === 'org.secret.set')).toHaveLength(5)
  })

  it('are released by who manages them, and by names that plugins can have', async () => {
    expect((await set({ plugins: ['web'] }, member)).status).toBe(403)
    expect((await set({ plugins: ['web'] }, ben)).status).toBe(404)
    for (const plugins of [['Web'], ['a b'], ['**'], ['web', 'web'], ['']]) {
      expect((await set({ plugins })).status, JSON.stringify(plugins)).toBe(400)
    }
  })
})
