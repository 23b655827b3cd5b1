/** A bundle without a price at the provider is granted and not charged, and a comparison does not report it. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CardApp, cardApp } from '../../../test/support/card.js'
import { describeStores } from '../../../test/support/describe-stores.js'
import { superAdmin } from '../../../test/support/organizations.js'
import { signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { fakePriceMap } from '../fake/card/state.js'

await describeStores('a bundle without a price', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let card: CardApp
  beforeAll(async () => {
    store = await open()
    const { api_pack_monthly: _, ...prices } = fakePriceMap() as Record<string, string>
    card = await cardApp(store, { CARD_PROVIDER_PRICE_MAP: JSON.stringify(prices) })
  })
  afterAll(async () => {
    await card.close()
    await store.close()
  })

  it('is granted, and the comparison finds nothing', async () => {
    const root = await superAdmin(card.app, 'root')
    const ada = await signUp(card.app, 'ada')
    const call = (method: string, path: string, body?: object) =>
      card.app.call(method, path, { as: ada, ...(body === undefined ? {} : { body }) })
    const { id } = (await call('POST', '/billing/subscriptions', { planId: 'pro' })).data.subscription
    const [invoice] = card.fake.state.invoices.keys()
    await fetch(`${card.fake.state.pagesAt}/_fake/pay/${invoice}`, { method: 'POST' })
    await card.deliverAll()
    const set = await call('POST', `/billing/subscriptions/${id}/addons`, { bundleId: 'api_pack', quantity: 2 })
    expect(set.data.subscription.addons).toEqual([{ bundleId: 'api_pack', quantity: 2 }])
    await card.deliverAll()
    const { data } = await card.app.call('POST', '/billing/admin/reconcile', { as: root })
    expect(data).toMatchObject({ accounts: 1, drift: [] })
  })
})
