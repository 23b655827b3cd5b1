/** Which subscription of an account is its first: the first that was in force, not the first that was asked for. */
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type CardApp, cardApp } from '../../../test/support/card.js'
import { describeStores } from '../../../test/support/describe-stores.js'
import { signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
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
