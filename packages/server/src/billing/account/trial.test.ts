/** Which subscription of an account is its first: the first that was in force, not the first that was asked for. */
import { inArray } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld } from '../../../test/support/billing.js'
import { type CardApp, cardApp } from '../../../test/support/card.js'
import { describeStores } from '../../../test/support/describe-stores.js'
import { confirmed, signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { identityTables } from '../../identity/tables.js'
import type { Store } from '../../runtime/store/db.js'

await describeStores('the first subscription of an account', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let card: CardApp
  let ada: SignedIn
  let people = 0
  beforeAll(async () => {
    store = await open()
    card = await cardApp(store, { BILLING_PLAN_ENTERPRISE_TRIAL_DAYS: '10' })
  })
  beforeEach(async () => {
    ada = await signUp(card.app, `ada${++people}`)
  })
  afterAll(async () => {
    await card.close()
    await store.close()
  })

  const call = (method: 'GET' | 'POST', path: string, body?: object) =>
    card.app.call(method, path, { as: ada, ...(body === undefined ? {} : { body }) })
  const subscribe = async (planId: string) => {
    const answer = await call('POST', '/billing/subscriptions', { planId })
    await card.deliverAll()
    return answer.data.subscription as { status: string }
  }
  const pay = async () => {
    const invoice = [...card.fake.state.invoices.values()].at(-1)
    await fetch(`${card.fake.state.pagesAt}/_fake/pay/${invoice?.id}`, { method: 'POST' })
    await card.deliverAll()
  }
  const trialEndsAt = async () =>
    (await call('POST', '/billing/preview', { planId: 'enterprise' })).data.preview.trialEndsAt
  /** The end of what was superseded, at the provider and in its deliveries. */
  const goOn = async () => {
    await card.calls()
    await card.deliverAll()
  }

  it('has the trial also after one that was never paid, and after that one more', async () => {
    expect(await subscribe('pro')).toMatchObject({ status: 'incomplete' })
    expect(await subscribe('team')).toMatchObject({ status: 'incomplete' })
    await goOn()
    expect(await trialEndsAt()).not.toBeNull()
    expect(await subscribe('enterprise')).toMatchObject({ status: 'trialing' })
  })

  it('has no second trial where nobody paid for the first one', async () => {
    await subscribe('enterprise')
    card.app.clock.advance(11 * 86_400_000)
    card.fake.tick()
    await card.deliverAll()
    ada = await signInAgain(card.app, ada)
    expect((await call('GET', '/billing/subscription')).data.subscription).toBeNull()
    expect(await trialEndsAt()).toBeNull()
    expect(await subscribe('enterprise')).toMatchObject({ status: 'incomplete' })
  })

  it('has no second trial after it was removed from billing, unless an operator allows one', async () => {
    const operator = await superAdmin(card.app, `remover${people}`)
    const remove = async (query = '') => {
      const path = `/billing/subscriptions/by-org/${ada.orgId}${query}` as '/'
      const said = await confirmed(card.app, 'DELETE', path, { as: await signInAgain(card.app, operator) })
      return [said.status, said.data]
    }
    await subscribe('enterprise')
    card.app.clock.advance(11 * 86_400_000)
    card.fake.tick()
    await card.deliverAll()
    ada = await signInAgain(card.app, ada)
    expect(await remove()).toEqual([200, expect.objectContaining({ deleted: 1 })])
    ada = await signInAgain(card.app, ada)
    expect((await call('GET', '/billing/events')).data.events).toEqual([])
    expect(await trialEndsAt()).toBeNull()
    expect(await remove()).toEqual([200, { deleted: 0, events: 0 }])
    // Another organization with the same name is another account.
    const namesake = await signUp(card.app, `namesake${people}`)
    await store.system.write(async (tx) => {
      const { organizations } = identityTables(tx)
      await tx
        .update(organizations)
        .set({ name: 'same' })
        .where(inArray(organizations.id, [ada.orgId, namesake.orgId]))
    })
    const preview = { as: namesake, body: { planId: 'enterprise' } }
    expect((await card.app.call('POST', '/billing/preview', preview)).data.preview.trialEndsAt).not.toBeNull()
    expect(await remove('?trialAgain=true')).toEqual([200, { deleted: 0, events: 0 }])
    ada = await signInAgain(card.app, ada)
    expect(await trialEndsAt()).not.toBeNull()
    expect(await remove('?trialAgain=true')).toEqual([200, { deleted: 0, events: 0 }])
  })

  it('gets what is promised for a first subscription also after one that was never paid', async () => {
    const root = await superAdmin(card.app, `root${people}`)
    const trigger = { type: 'subscription_created', conditions: { firstSubscriptionOnly: true } }
    const draft = { name: 'welcome', trigger, value: 900, unit: 'dollar', kind: 'onetime', budgetCents: 10_000 }
    const made = await card.app.call('POST', '/billing/admin/promotions', { as: root, body: draft })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    await subscribe('pro')
    await subscribe('team')
    await pay()
    await goOn()
    expect((await call('GET', '/billing/subscription')).data.subscription).toMatchObject({
      status: 'active',
      creditBalanceCents: 900,
    })
  })
})

await describeStores('the trial of a sandbox', ['SQLite', 'PostgreSQL'], (open) => {
  let world: BillingWorld
  let ada: BillingAccount
  beforeAll(async () => {
    world = await BillingWorld.start(await open(), { BILLING_TEST_CLOCKS: 'true', BILLING_PLAN_TEAM_TRIAL_DAYS: '10' })
  })
  beforeEach(async () => {
    ada = await world.account()
  })
  afterAll(() => world.store.close())

  const removed = () => world.confirmed('DELETE', `/billing/subscriptions/by-org/${ada.orgId}`)
  const sandbox = async () => (await ada.post('/billing/clocks', { name: 'try' })).data.clock.id as string
  const withoutClock = (id: string) => world.confirmed('DELETE', `/billing/clocks/${id}`, undefined, ada.person)

  it('is none: without the clock the account is as before', async () => {
    const clock = await sandbox()
    expect(await ada.subscribe('team')).toMatchObject({ status: 'trialing' })
    expect((await withoutClock(clock)).status).toBe(200)
    expect(await ada.subscribe('team')).toMatchObject({ status: 'trialing' })
  })

  it('does not give back the one that the account had', async () => {
    expect(await ada.subscribe('team')).toMatchObject({ status: 'trialing' })
    expect((await removed()).data).toMatchObject({ deleted: 1 })
    const clock = await sandbox()
    expect(await ada.subscribe('team')).toMatchObject({ status: 'active' })
    expect((await withoutClock(clock)).status).toBe(200)
    expect(await ada.subscribe('team')).toMatchObject({ status: 'active' })
  })
})
