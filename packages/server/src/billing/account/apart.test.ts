/** An account that cannot be worked on stops no other: each job of billing goes on with the accounts behind it. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../../test/support/billing.js'
import { type CardApp, cardApp } from '../../../test/support/card.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { type MarketplaceApp, marketplaceApp } from '../../../test/support/marketplace.js'
import { confirmed, evidenceOf, signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { queuedMails, signUp, verifyAddress } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { marketplaceTables } from '../marketplace-tables.js'
import { providerTables } from '../provider-tables.js'
import { billingTables } from '../tables.js'

/** No instant: every reader of the subscription fails. */
const NEVER_MS = 9e15

await describeStores('accounts beside one that fails', WITH_POSTGRESQL, (open) => {
  let store: Store
  let world: BillingWorld
  let bad: BillingAccount
  let ada: BillingAccount
  beforeAll(async () => {
    store = await open()
    world = await BillingWorld.start(store)
  })
  beforeEach(async () => {
    // It has the smaller ids, so its turn is first.
    bad = await world.account()
    ada = await world.sibling()
  })
  afterAll(async () => {
    expect(world.app.errors.map(String)).toEqual([])
    await store.close()
  })

  const spoil = (columns: object = { periodAnchorMs: NEVER_MS }) =>
    store.system.write(async (tx) => {
      const { billingSubscriptions: t } = billingTables(tx)
      await tx.update(t).set(columns).where(eq(t.orgId, bad.orgId))
    })
  const balance = async () => (await ada.subscription()).creditBalanceCents

  it('are renewed', async () => {
    for (const each of [bad, ada]) await each.subscribe('pro')
    await spoil()
    await ada.later(31 * DAY_MS)
    await world.run('billing.lifecycle')
    expect((await ada.get('/billing/invoices')).data.pagination.total).toBe(2)
  })

  it('are told their alerts', async () => {
    await verifyAddress(world.app, ada.person.userId)
    for (const each of [bad, ada]) await each.subscribe('pro')
    for (const each of [bad, ada])
      await each.post('/billing/alerts', { kind: 'next_invoice_over', thresholdCents: 100 })
    await spoil()
    await ada.later(31 * DAY_MS)
    await world.run('billing.lifecycle')
    const told = async () =>
      (await queuedMails(world.app)).filter(
        ({ to, template }) => to === ada.person.email && template === 'billing.notice',
      )
    const before = (await told()).length
    await store.system.write(async (tx) => {
      const { billingAlertFirings: t } = billingTables(tx)
      await tx.delete(t).where(eq(t.orgId, ada.orgId))
    })
    await world.run('billing.alerts')
    expect((await told()).length).toBe(before + 1)
  })

  it('have their ledgers sealed', async () => {
    for (const each of [bad, ada]) {
      const { id } = await each.subscribe('enterprise')
      await each.call('PUT', `/billing/subscriptions/${id}`, { planId: 'pro' })
    }
    await spoil({ orgId: world.app.runtime.ids.next() })
    await world.run('billing.ledger-seal')
    expect(await evidenceOf(world.app, ada.orgId)).toContain('billing.ledger.seal')
  })

  const promotion = async (trigger: object) => {
    const draft = { name: 'apart', trigger, value: 500, unit: 'dollar', kind: 'onetime', budgetCents: 100_000 }
    const made = await world.call('POST', '/billing/admin/promotions', draft)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.data.promotion.id as string
  }

  it('get what a promotion gives, by its activation and by the backfill', async () => {
    for (const each of [bad, ada]) await each.subscribe('pro')
    await spoil()
    const id = await promotion({ type: 'manual' })
    const activated = await world.call('POST', `/billing/admin/promotions/${id}/activate`)
    expect([activated.status, activated.data?.granted, activated.data?.failed]).toEqual([200, 1, 1])
    expect(await balance()).toBe(500)
    const failedAccounts = async () => {
      const { promotion } = (await world.get(`/billing/admin/promotions/${id}`)).data
      const { spend } = (await world.get(`/billing/admin/promotions/${id}/spend`)).data
      return [promotion.failedAccounts, spend.failedAccounts]
    }
    expect(await failedAccounts()).toEqual([1, 1])
    const late = await world.sibling()
    await late.subscribe('pro')
    await world.run('billing.promotion-backfill')
    expect((await late.subscription()).creditBalanceCents).toBe(500)
    expect(await failedAccounts()).toEqual([1, 1])
    await spoil({ periodAnchorMs: world.app.clock.now() })
    await world.run('billing.promotion-backfill')
    expect((await bad.subscription()).creditBalanceCents).toBe(500)
    expect(await failedAccounts()).toEqual([0, 0])
    await world.call('DELETE', `/billing/admin/promotions/${id}`)
  })

  it('get what they earned by a referral', async () => {
    for (const each of [bad, ada]) await each.subscribe('pro')
    const id = await promotion({ type: 'referral' })
    for (const referrer of [bad, ada]) {
      const referee = await world.sibling()
      await referee.post('/billing/subscriptions', { planId: 'pro', referralCode: referrer.orgId })
    }
    await spoil()
    await world.run('billing.referral')
    expect(await balance()).toBe(500)
    await world.call('DELETE', `/billing/admin/promotions/${id}`)
  })

  it('wait with a referral for the account that it brought, so that neither loses its credit', async () => {
    const later = await BillingWorld.start(store, { BILLING_REFERRAL_REFEREE_AT: 'first_payment' })
    later.app.clock.set(world.app.clock.now())
    await ada.subscribe('pro')
    const id = await promotion({ type: 'referral' })
    const body = { planId: 'pro', referralCode: ada.orgId }
    const made = await later.call('POST', '/billing/subscriptions', body, bad.person)
    expect(made.data.referral).toEqual({ status: 'recorded' })
    await spoil()
    await later.run('billing.referral')
    expect(await balance()).toBe(0)
    await spoil({ periodAnchorMs: world.app.clock.now() })
    await later.run('billing.referral')
    expect([(await bad.subscription()).creditBalanceCents, await balance()]).toEqual([500, 500])
    await world.call('DELETE', `/billing/admin/promotions/${id}`)
  })
})

await describeStores('accounts by card beside one that fails', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let card: CardApp
  beforeAll(async () => {
    store = await open()
    card = await cardApp(store)
  })
  afterAll(async () => {
    await card.close()
    await store.close()
  })

  it('have their cancelation repeated', async () => {
    const people = [await signUp(card.app, 'bad'), await signUp(card.app, 'ada')] as const
    const [bad, ada] = people
    for (const person of people) {
      await card.app.call('POST', '/billing/subscriptions', { as: person, body: { planId: 'pro' } })
      const invoice = [...card.fake.state.invoices.values()].at(-1)
      await fetch(`${card.fake.state.pagesAt}/_fake/pay/${invoice?.id}`, { method: 'POST' })
      await card.deliverAll()
      const { id } = (await card.app.call('GET', '/billing/subscription', { as: person })).data.subscription
      card.fake.faults.add({ kind: 'fail', match: 'POST /v1/subscriptions' })
      await confirmed(card.app, 'POST', `/billing/subscriptions/${id}/cancel`, { as: person })
    }
    await store.system.write(async (tx) => {
      const { billingProviderLinks: links, billingProviderCalls: calls } = providerTables(tx)
      // The wishes are gone, so each is written once more.
      await tx.delete(calls)
      await tx
        .update(links)
        .set({ orgId: card.app.runtime.ids.next(), updatedAtMs: 0 })
        .where(eq(links.orgId, bad.orgId))
    })
    // The provider keeps a failure under its key.
    card.fake.forgetKeys()
    await card.calls()
    const there = [...card.fake.state.subscriptions.values()]
    const customerOf = (orgId: string) =>
      [...card.fake.state.customers.values()].find(({ metadata }) => metadata.plumbline_org === orgId)?.id
    const ends = (orgId: string) => there.find(({ customer }) => customer === customerOf(orgId))?.cancelAtPeriodEnd
    expect([ends(bad.orgId), ends(ada.orgId)]).toEqual([false, true])
  })
})

await describeStores('purchases beside one that fails', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let market: MarketplaceApp
  beforeAll(async () => {
    store = await open()
    market = await marketplaceApp(store, { BILLING_METERING_MODE: 'cycle', MARKETPLACE_DIMENSION_PRICE_MAP: '{}' })
  })
  afterAll(async () => {
    await market.close()
    await store.close()
  })

  it('are read and metered', async () => {
    const claim = async (name: string) => {
      const { subscriber, token } = market.buys('license', 'team')
      const { data } = await market.resolve(token)
      const person = await signUp(market.app, name)
      const body = { token: data.claim.token, orgId: person.orgId }
      const claimed = await market.app.call('POST', '/billing/marketplace/claim', { as: person, body })
      expect(claimed.status, JSON.stringify(claimed.body)).toBe(200)
      return { subscriber, person }
    }
    const bad = await claim('bad')
    const ada = await claim('ada')
    const { billingMarketplaceCustomers: purchases, billingMeteringHours: metered } = await store.system.read(
      async (db) => marketplaceTables(db),
    )
    await store.system.write(async (tx) => {
      const lost = { orgId: market.app.runtime.ids.next() }
      await tx.update(purchases).set(lost).where(eq(purchases.orgId, bad.person.orgId))
    })
    market.app.clock.advance(2 * 3_600_000)
    ada.subscriber.entitlements = [{ dimension: 'enterprise', value: 1, expiresAtMs: null }]
    await market.job('billing.entitlements')
    const person = await signInAgain(market.app, ada.person)
    const { subscription } = (await market.app.call('GET', '/billing/subscription', { as: person })).data
    expect(subscription.planId).toBe('enterprise')
    const path = `/billing/admin/subscriptions/${subscription.id}`
    const addons = [{ bundleId: 'seat_pack', quantity: 2 }]
    const root = await superAdmin(market.app, 'root')
    expect((await confirmed(market.app, 'PUT', path, { as: root, body: { addons } })).status).toBe(200)
    market.app.clock.advance(2 * 3_600_000)
    await market.job('billing.metering')
    const hours = await store.system.read((db) => db.select().from(metered).where(eq(metered.orgId, person.orgId)))
    expect(hours.length).toBeGreaterThan(0)
  })
})
