/** Secrets of an organization are given only to the builds of plugins that they were released to. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import { enrol, organizationApp } from '../../../test/support/organizations.js'
import { evidence, type IdentityApp, type SignedIn, signUp, stepUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { readSecret } from './rows.js'

await describeStores('the secrets of an organization', BOTH_DATABASES, (open) => {
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

  const set = (body: unknown, as = ann, headers = {}) =>
    app.call('PUT', `/organization/${ann.orgId}/secrets/NPM_TOKEN`, { as, body, headers })
  const release = async (plugins: readonly string[]) => set({ plugins }, ann, await stepUp(app, ann))
  const given = (pluginName: string, orgId = ann.orgId) =>
    store.system.read((db) => readSecret(db, app.identity.box, orgId, { name: 'NPM_TOKEN', pluginName }))

  it('are released to no plugin until one is named', async () => {
    expect((await set({ plugins: ['web'] })).status).toBe(400)
    expect((await set({ value: 'hunter2' })).data.secret.plugins).toEqual([])
    expect([await given('web'), await given('*')]).toEqual(['withheld', 'withheld'])
    expect((await release(['web'])).data.secret.plugins).toEqual(['web'])
    expect([await given('web'), await given('we'), await given('web-2')]).toEqual([
      { value: 'hunter2' },
      'withheld',
      'withheld',
    ])
    expect(await given('web', ben.orgId)).toBeNull()
    // A new value keeps the list, a new list keeps the value.
    expect((await set({ value: 'other' })).data.secret.plugins).toEqual(['web'])
    expect((await release(['*'])).data.secret.plugins).toEqual(['*'])
    expect([await given('anything'), await given('web')]).toEqual([{ value: 'other' }, { value: 'other' }])
    expect((await set({ plugins: [] })).status).toBe(200)
    expect(await given('web')).toBe('withheld')
    expect((await evidence(app)).filter(({ action }) => action === 'org.secret.set')).toHaveLength(5)
  })

  it('are released with a confirmation where somebody else may have stored the value', async () => {
    const missing = { status: 401, code: 'STEP_UP_REQUIRED' }
    await set({ value: 'stored' })
    expect(await set({ plugins: ['web'] })).toMatchObject(missing)
    expect(await set({ plugins: ['*'] })).toMatchObject(missing)
    expect(await given('web')).toBe('withheld')
    // A caller who sends the value already knows it, so no step-up is needed.
    expect((await set({ value: 'known', plugins: ['web', 'lint'] })).status).toBe(200)
    expect((await set({ plugins: ['lint'] })).status).toBe(200)
    expect(await set({ plugins: ['lint', 'web'] })).toMatchObject(missing)
    expect((await release(['lint', 'web'])).status).toBe(200)
  })

  it('are released as they were when the release was confirmed', async () => {
    await set({ value: 'first', plugins: [] })
    const headers = await stepUp(app, ann)
    // Another value is stored between the read of the secret and the change.
    const { authenticator } = app.identity
    const confirm = authenticator.stepUp.bind(authenticator)
    const confirming = vi.spyOn(authenticator, 'stepUp').mockImplementation(async (...asked) => {
      await confirm(...asked)
      await set({ value: 'second' })
    })
    expect(await set({ plugins: ['web'] }, ann, headers)).toMatchObject({ status: 409, code: 'CONFLICT' })
    confirming.mockRestore()
    expect(await given('web')).toBe('withheld')
  })

  it('are released by who manages them, and by names that plugins can have', async () => {
    expect((await set({ plugins: ['web'] }, member)).status).toBe(403)
    expect((await set({ plugins: ['web'] }, ben)).status).toBe(404)
    for (const plugins of [['Web'], ['a b'], ['**'], ['web', 'web'], ['']]) {
      expect((await set({ plugins })).status, JSON.stringify(plugins)).toBe(400)
    }
  })
})
