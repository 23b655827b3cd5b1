/** While billing is off no job of it runs, with any provider: every row stays, and what waits is done when it is on again. */
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../../test/support/billing.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { evidenceOf, signInAgain } from '../../../test/support/organizations.js'
import { FAKE_PRODUCT_CODE } from '../fake/marketplace/fake.js'
import { billing } from '../index.js'
import { billingRegistration } from '../registration.js'

const NOWHERE = 'http://127.0.0.1:9'
const PROVIDERS = [
  ['stub', {}],
  ['card_provider', { CARD_PROVIDER_SECRET_KEY: 'sk_test_fake', CARD_PROVIDER_API_URL: NOWHERE }],
  [
    'marketplace',
    {
      BILLING_METERING_ENABLED: 'true',
      MARKETPLACE_PRODUCT_CODE: FAKE_PRODUCT_CODE,
      MARKETPLACE_API_URL: NOWHERE,
    },
  ],
] as const

await describeStores('billing that is off', WITH_POSTGRESQL, (open) => {
  let world: BillingWorld
  let ada: BillingAccount
  beforeAll(async () => {
    world = await BillingWorld.start(await open())
    ada = await world.account()
  })
  afterAll(() => world.store.close())

  const rows = () =>
    world.store.system.read(async (db) => {
      const all: unknown[] = []
      for (const tables of billing.tables ?? [])
        for (const table of Object.values(tables(db))) all.push(await db.select().from(table as SQLiteTable))
      return all
    })
  const kept = async () => (await world.get('/billing/admin/kept-invoices')).data.invoices.length
  const sealed = async () =>
    (await evidenceOf(world.app, ada.orgId)).filter((action) => action === 'billing.ledger.seal').length

  it('leaves what is due, what is not sealed and what was kept long enough until it is on again', async () => {
    const gone = await world.sibling()
    await gone.subscribe('pro')
    await world.store.system.write(async (tx) => {
      while ((await billingRegistration.purge(tx, gone.orgId, 100, world.app.clock.now(), async () => undefined)) > 0);
    })
    const { id } = await ada.subscribe('enterprise')
    // What is left of the dearer plan is credit.
    await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'pro' })
    await ada.post('/billing/alerts', { kind: 'next_invoice_over', thresholdCents: 100 })
    await ada.later(11 * 366 * DAY_MS)
    const before = await rows()
    for (const [provider, settings] of PROVIDERS) {
      const off = await BillingWorld.start(world.store, {
        ...settings,
        BILLING_ENABLED: 'false',
        BILLING_PROVIDER: provider,
      })
      off.app.clock.set(world.app.clock.now())
      await off.run()
      expect(await rows(), provider).toEqual(before)
      const read = await off.get('/billing/admin/kept-invoices', await signInAgain(off.app, off.root))
      expect([read.status, read.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    }
    await ada.signInAgain()
    expect([await kept(), await sealed()]).toEqual([1, 0])
    await world.run('billing.ledger-seal')
    await world.run('billing.kept-invoices')
    await ada.signInAgain()
    expect([await kept(), await sealed()]).toEqual([0, 1])
  })
})
