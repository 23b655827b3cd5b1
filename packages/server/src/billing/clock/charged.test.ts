/** A sandbox account that the provider charges in its test mode: it is not forgotten while the provider goes on. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { DAY_MS } from '../../../test/support/billing.js'
import { type CardApp, cardApp } from '../../../test/support/card.js'
import { describeStores } from '../../../test/support/describe-stores.js'
import { confirmed, runJobs } from '../../../test/support/organizations.js'
import { queuedMails, type SignedIn, signUp, verifyAddress } from '../../../test/support/sign-in.js'
import { enqueue } from '../../runtime/jobs/enqueue.js'
import type { Store } from '../../runtime/store/db.js'
import { end, payInvoice } from '../fake/card/billing.js'
import { forgetCustomerJob } from '../kept-invoice/forget-customer.js'
import { providerTables } from '../provider-tables.js'
import { billingTables } from '../tables.js'

await describeStores('a test clock of an account that is charged', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let card: CardApp
  let ada: SignedIn
  beforeAll(async () => {
    store = await open()
    card = await cardApp(store, { BILLING_TEST_CLOCKS: 'true' })
    ada = await signUp(card.app, 'ada')
  })
  afterAll(async () => {
    await card.close()
    await store.close()
  })

  const call = (method: 'GET' | 'POST', path: string, body?: object) =>
    card.app.call(method, path, { as: ada, ...(body === undefined ? {} : { body }) })
  const subscribe = async () => (await call('POST', '/billing/subscriptions', { planId: 'pro' })).data.subscription
  const forget = () => runJobs(card.app, [forgetCustomerJob])
  const rowsLeft = () =>
    store.system.read(async (db) => {
      const { billingProviderLinks: links, billingProviderCalls: calls } = providerTables(db)
      const { billingSubscriptions, billingClocks } = billingTables(db)
      const left: number[] = []
      for (const table of [links, calls, billingSubscriptions, billingClocks])
        left.push(await db.$count(table, eq(table.orgId, ada.orgId)))
      return left
    })

  it('is deleted when the subscription has ended there, and not before', async () => {
    const { id } = (await call('POST', '/billing/clocks', { name: 'by card' })).data.clock
    const subscription = await subscribe()
    const remove = () => confirmed(card.app, 'DELETE', `/billing/clocks/${id}`, { as: ada })
    const refused = await remove()
    expect([refused.status, refused.code]).toEqual([409, 'CONFLICT'])
    expect(JSON.stringify(refused.body)).toMatch(/end its subscription at the provider/)
    expect((await call('GET', '/billing/subscription')).data.subscription).toMatchObject({ id: subscription.id })
    const [there] = [...card.fake.state.subscriptions.values()]
    if (there === undefined) throw new Error('the provider has no subscription')
    end(card.fake.ledger, there)
    await card.deliverAll()
    expect((await remove()).data).toEqual({ deleted: id })
    expect(await rowsLeft()).toEqual([0, 0, 0, 0])
    // Its customer goes too, once the provider answers.
    const customers = () => [...card.fake.state.customers.values()].map(({ metadata }) => metadata['plumbline_org'])
    const before = customers()
    card.fake.faults.add({ kind: 'busy', match: 'DELETE /v1/customers' })
    await forget()
    expect(customers()).toEqual(before)
    card.app.clock.advance(60_000)
    await forget()
    expect(customers()).toEqual([])
    // It begins again, and what is told late of the first one changes nothing.
    expect((await subscribe()).status).toBe('incomplete')
    await card.deliverAll()
    expect([...card.fake.state.subscriptions.values()].map(({ status }) => status)).toEqual(['canceled', 'incomplete'])
  })

  const payLatest = ({ latestInvoice }: { readonly latestInvoice: string | null }) => {
    const invoice = card.fake.state.invoices.get(latestInvoice ?? '')
    if (invoice === undefined) throw new Error('nothing is invoiced')
    payInvoice(card.fake.ledger, invoice)
  }

  it('has the time of its clock for what the provider tells: the grace and its notices follow in order', async () => {
    const eva = await signUp(card.app, 'eva')
    await verifyAddress(card.app, eva.userId)
    const as = { as: eva }
    const { id, now } = (await card.app.call('POST', '/billing/clocks', { ...as, body: { name: 'late' } })).data.clock
    const advance = (days: number) => {
      const to = new Date(Date.parse(now) + days * DAY_MS).toISOString()
      return card.app.call('POST', `/billing/clocks/${id}/advance`, { ...as, body: { to } })
    }
    await card.app.call('POST', '/billing/subscriptions', { ...as, body: { planId: 'pro' } })
    const there = [...card.fake.state.subscriptions.values()].at(-1)
    const customer = card.fake.state.customers.get(there?.customer ?? '')
    if (there === undefined || customer === undefined) throw new Error('the provider has no subscription')
    customer.card = 'good'
    payLatest(there)
    await card.deliverAll()
    customer.card = 'declines'
    await advance(40)
    card.fake.advance(32 * DAY_MS)
    await card.deliverAll()
    const current = async () => (await card.app.call('GET', '/billing/subscription', as)).data.subscription
    expect(await current()).toMatchObject({
      status: 'past_due',
      graceEndsAt: new Date(Date.parse(now) + 47 * DAY_MS).toISOString(),
    })
    const told = async () =>
      (await queuedMails(card.app))
        .filter(({ values }) => values['organization'] === 'eva org')
        .map(({ values }) => values['subject'])
    await advance(44)
    expect(await told()).toEqual(['A payment for Pro failed', 'A payment for Pro failed'])
    await advance(48)
    expect((await told()).slice(2)).toEqual(['A payment for Pro failed', 'Pro is suspended until it is paid'])
    // What the provider tells afterwards is newer than what was read, whatever the sandbox has for a time.
    customer.card = 'good'
    payLatest(there)
    await card.deliverAll()
    expect(await current()).toMatchObject({ status: 'active', graceEndsAt: null })
  })

  it('leaves the customer that a new sandbox has', async () => {
    const eve = await signUp(card.app, 'eve')
    const clockOf = async (name: string) =>
      (await card.app.call('POST', '/billing/clocks', { as: eve, body: { name } })).data.clock.id
    const first = await clockOf('first')
    await card.app.call('POST', '/billing/subscriptions', { as: eve, body: { planId: 'pro' } })
    const [there] = [...card.fake.state.subscriptions.values()].slice(-1)
    if (there === undefined) throw new Error('the provider has no subscription')
    end(card.fake.ledger, there)
    await card.deliverAll()
    expect((await confirmed(card.app, 'DELETE', `/billing/clocks/${first}`, { as: eve })).status).toBe(200)
    await clockOf('second')
    const again = { as: eve, body: { planId: 'pro' } }
    // It was made under a key of its own, and the old one is deleted beside it.
    expect((await card.app.call('POST', '/billing/subscriptions', again)).data.subscription.status).toBe('incomplete')
    const fresh = [...card.fake.state.subscriptions.values()].at(-1)?.customer
    expect(fresh).not.toBe(there.customer)
    await forget()
    expect(card.fake.state.customers.has(there.customer)).toBe(false)
    // What is in use stays, whatever an old row of a job says.
    const payload = { orgId: eve.orgId, provider: 'card_provider', customerId: fresh }
    await store.system.write((tx) => enqueue(tx, card.app.runtime, { kind: forgetCustomerJob.kind, payload }))
    await forget()
    expect(card.fake.state.customers.has(fresh ?? '')).toBe(true)
  })
})
