/** What the card provider cannot charge, or would charge differently from what is shown, is neither shown nor granted. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type CardApp, cardApp } from '../../../test/support/card.js'
import { describeStores } from '../../../test/support/describe-stores.js'
import { signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { fakePriceMap, type Price } from '../fake/card/state.js'

const mapWithout = (...keys: string[]) =>
  JSON.stringify(Object.fromEntries(Object.entries(fakePriceMap()).filter(([key]) => !keys.includes(key))))

await describeStores('what the card provider cannot charge', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let card: CardApp
  let ada: SignedIn
  beforeEach(async () => {
    store = await open()
  })
  afterEach(async () => {
    await card.close()
    await store.close()
  })

  const call = (method: string, path: string, body?: object, app = card.app) =>
    app.call(method, path, { as: ada, ...(body === undefined ? {} : { body }) })
  const current = async () => (await call('GET', '/billing/subscription')).data.subscription
  const pay = async () => {
    const invoice = [...card.fake.state.invoices.keys()].at(-1)
    await fetch(`${card.fake.state.pagesAt}/_fake/pay/${invoice}`, { method: 'POST' })
    await card.deliverAll()
  }
  /** Returns the id of a subscription of this plan. */
  const begin = async (settings: Record<string, string> = {}, plan: object = { planId: 'pro' }) => {
    card = await cardApp(store, settings)
    ada = await signUp(card.app, 'ada')
    await call('POST', '/billing/subscriptions', plan)
    await pay()
    return (await current()).id as string
  }
  /** A price that costs something else at the provider. */
  const differ = (id: string, more: Partial<Price>) =>
    card.fake.state.prices.set(id, { ...(card.fake.state.prices.get(id) as Price), ...more })
  const saidOf = ({ status, code, body }: Awaited<ReturnType<typeof call>>) => [status, code, body.message]
  /** What preview and commit answer to the same request. */
  const bothAnswers = async (id: string, addons: object[]) => {
    const answers = [
      await call('POST', '/billing/preview', { addons }),
      await call('POST', `/billing/subscriptions/${id}/addons/preview`, { addons }),
      await call('POST', `/billing/subscriptions/${id}/addons`, { addons }),
      await call('PUT', `/billing/subscriptions/${id}`, { addons }),
    ]
    return answers.map(saidOf)
  }

  it('names the add-on without a price in the preview and in the change, and grants nothing', async () => {
    const id = await begin({ CARD_PROVIDER_PRICE_MAP: mapWithout('api_pack_monthly') })
    const answers = await bothAnswers(id, [{ bundleId: 'api_pack', quantity: 2 }])
    const text =
      'add-on api_pack has no monthly price: the operator of the server adds api_pack_monthly to CARD_PROVIDER_PRICE_MAP'
    expect(answers).toEqual(Array(4).fill([400, 'PRICE_NOT_CONFIGURED', text]))
    const whatIf = await call('GET', '/billing/invoices/next?addons=api_pack:2')
    expect([whatIf.status, whatIf.code]).toEqual([400, 'PRICE_NOT_CONFIGURED'])
    expect((await current()).addons).toEqual([])
    // What has a price is sold beside it, and the whole is refused where one of several has none.
    expect((await bothAnswers(id, [{ bundleId: 'pipeline_pack', quantity: 1 }])).map(([status]) => status)).toEqual(
      Array(4).fill(200),
    )
    const two = [
      { bundleId: 'pipeline_pack', quantity: 2 },
      { bundleId: 'api_pack', quantity: 1 },
    ]
    expect((await bothAnswers(id, two)).map(([, code]) => code)).toEqual(Array(4).fill('PRICE_NOT_CONFIGURED'))
    expect((await current()).addons).toEqual([{ bundleId: 'pipeline_pack', quantity: 1 }])
  })

  it('names an add-on whose annual price is missing where the interval changes', async () => {
    const id = await begin({ CARD_PROVIDER_PRICE_MAP: mapWithout('api_pack_annual') })
    await call('POST', `/billing/subscriptions/${id}/addons`, { bundleId: 'api_pack' })
    const preview = await call('POST', '/billing/preview', { interval: 'annual' })
    const change = await call('PUT', `/billing/subscriptions/${id}`, { interval: 'annual' })
    expect(saidOf(preview)).toEqual([400, 'PRICE_NOT_CONFIGURED', expect.stringContaining('api_pack_annual')])
    expect(saidOf(change)).toEqual(saidOf(preview))
    expect(await current()).toMatchObject({ interval: 'monthly', pendingChange: null })
  })

  it.each<[string, Partial<Price>, string]>([
    ['amount', { cents: 1 }, 'is 1 cents there and'],
    ['currency', { currency: 'eur' }, 'is in eur, not usd'],
    ['interval', { interval: 'annual' }, 'is not charged once a month'],
  ])('names an add-on whose price has another %s than the catalogue', async (_what, more, text) => {
    const id = await begin()
    differ('price_api_pack_monthly', more)
    const answers = await bothAnswers(id, [{ bundleId: 'api_pack', quantity: 1 }])
    expect(answers.map(([, code]) => code)).toEqual(Array(4).fill('PRICE_NOT_CONFIGURED'))
    expect(answers[0]?.[2]).toContain(text)
    expect(new Set(answers.map(String)).size).toBe(1)
    expect((await current()).addons).toEqual([])
  })

  it('names a plan whose price has another amount, before anybody subscribes', async () => {
    card = await cardApp(store)
    ada = await signUp(card.app, 'ada')
    differ('price_team_annual', { cents: 5 })
    const asked = { planId: 'team', interval: 'annual' }
    const preview = await call('POST', '/billing/preview', asked)
    expect(saidOf(preview)).toEqual([400, 'PRICE_NOT_CONFIGURED', expect.stringContaining('is 5 cents there')])
    expect(saidOf(await call('POST', '/billing/subscriptions', asked))).toEqual(saidOf(preview))
    expect(card.fake.state.subscriptions.size).toBe(0)
  })

  it('charges nothing where the price could not be read before, and says why', async () => {
    card = await cardApp(store)
    ada = await signUp(card.app, 'ada')
    differ('price_pro_monthly', { cents: 5 })
    card.fake.faults.add({ kind: 'busy', match: 'GET /v1/prices', times: 2 })
    expect((await call('POST', '/billing/preview', { planId: 'pro' })).status).toBe(200)
    const refused = await call('POST', '/billing/subscriptions', { planId: 'pro' })
    expect(saidOf(refused)).toEqual([400, 'PRICE_NOT_CONFIGURED', expect.stringContaining('is 5 cents there')])
    expect([await current(), card.fake.state.subscriptions.size]).toEqual([null, 0])
  })

  it('is named by the comparison where the account holds it already, and can be removed', async () => {
    const id = await begin()
    await call('POST', `/billing/subscriptions/${id}/addons`, { bundleId: 'api_pack', quantity: 2 })
    const prices = {
      CARD_PROVIDER_PRICE_MAP: mapWithout('api_pack_monthly'),
      CARD_PROVIDER_API_URL: card.fake.state.pagesAt,
    }
    const after = await cardApp(store, prices)
    try {
      ada = await signInAgain(after.app, ada)
      const root = await superAdmin(after.app, 'root')
      const { data } = await after.app.call('POST', '/billing/admin/reconcile', { as: root })
      const what = 'api_pack is granted and has no monthly price'
      const unrepaired = data.drift.filter(({ repaired }: { repaired: boolean }) => !repaired)
      expect(unrepaired).toEqual([expect.objectContaining({ what, repaired: false })])
      const more = await call('POST', `/billing/subscriptions/${id}/addons`, { bundleId: 'pipeline_pack' }, after.app)
      expect(more.code).toBe('PRICE_NOT_CONFIGURED')
      const gone = await call('DELETE', `/billing/subscriptions/${id}/addons/api_pack`, undefined, after.app)
      expect([gone.status, gone.data.subscription.addons]).toEqual([200, []])
    } finally {
      await after.close()
    }
  })
})
