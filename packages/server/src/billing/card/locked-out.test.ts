/** A provider that does not accept the key of this server refuses nothing: customers wait until an operator repairs it. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type CardApp, cardApp, pass } from '../../../test/support/card.js'
import { describeStores } from '../../../test/support/describe-stores.js'
import { confirmed } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { cardProvider } from './card.js'
import { checkCardProvider } from './inspect.js'
import { cardSettings } from './settings.js'

await describeStores('a card provider that does not accept the key', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let card: CardApp
  let ada: SignedIn
  let people = 0
  beforeAll(async () => {
    store = await open()
    card = await cardApp(store)
  })
  beforeEach(async () => {
    card.fake.faults.clear()
    ada = await signUp(card.app, `ada${++people}`)
  })
  afterAll(async () => {
    await card.close()
    await store.close()
  })

  const call = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
    card.app.call(method, path, { as: ada, ...(body === undefined ? {} : { body }) })
  const lockOut = () => card.fake.faults.add({ kind: 'locked_out', times: 1000 })
  const repair = async () => {
    card.fake.faults.clear()
    ada = await pass(card, 3_600_000, ada)
    await card.calls()
    await card.deliverAll()
  }
  const current = async () => (await call('GET', '/billing/subscription')).data.subscription
  const pay = async () => {
    const invoice = [...card.fake.state.invoices.values()].at(-1)
    await fetch(`${card.fake.state.pagesAt}/_fake/pay/${invoice?.id}`, { method: 'POST' })
    await card.deliverAll()
  }

  it('keeps what was reserved, and goes on when the key is right', async () => {
    lockOut()
    const created = await call('POST', '/billing/subscriptions', { planId: 'pro' })
    expect([created.status, created.data.subscription.status]).toEqual([202, 'incomplete'])
    await card.calls()
    expect(await current()).toMatchObject({ id: created.data.subscription.id, status: 'incomplete' })
    await repair()
    expect(await current()).toMatchObject({ paymentUrl: expect.stringContaining('/_fake/pay/in_') })
    await pay()
    expect(await current()).toMatchObject({ id: created.data.subscription.id, status: 'active' })
  })

  it('keeps a change and a cancelation until the key is right, and opens no portal', async () => {
    await call('POST', '/billing/subscriptions', { planId: 'pro' })
    await pay()
    const { id } = await current()
    lockOut()
    const changed = await call('PUT', `/billing/subscriptions/${id}`, { planId: 'team' })
    expect(changed.status).toBe(202)
    expect(changed.data.subscription).toMatchObject({ planId: 'pro', pendingChange: { waitsFor: 'provider' } })
    expect((await call('POST', '/billing/portal')).code).toBe('PROVIDER_UNAVAILABLE')
    await repair()
    expect(await current()).toMatchObject({ planId: 'team', pendingChange: null })
    lockOut()
    const canceled = await confirmed(card.app, 'POST', `/billing/subscriptions/${id}/cancel`, { as: ada })
    expect([canceled.status, canceled.data.subscription.cancelAtPeriodEnd]).toEqual([200, true])
    await repair()
    const there = [...card.fake.state.subscriptions.values()].at(-1)
    expect(there).toMatchObject({ status: 'active', cancelAtPeriodEnd: true })
  })

  it('is named by what an operator asks', async () => {
    lockOut()
    const settings = card.app.runtime.settings
    const found = await checkCardProvider(settings)
    expect(found).toMatchObject([{ state: 'wrong', text: expect.stringContaining('CARD_PROVIDER_SECRET_KEY') }])
    await expect(cardProvider(cardSettings(settings), settings.tiers).readBalance('cus_1')).rejects.toMatchObject({
      kind: 'no_answer',
      isLockedOut: true,
      code: 'api_key_invalid',
    })
  })
})
