/** An organization that is deleted while a provider charges it: it is canceled there, and then nothing of it is left. */
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type CardApp, cardApp } from '../../../test/support/card.js'
import { describeStores } from '../../../test/support/describe-stores.js'
import { confirmed, runJobs, signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { purgeOrganizations } from '../../identity/organization/purge.js'
import { identityTables } from '../../identity/tables.js'
import type { Store } from '../../runtime/store/db.js'
import { callsJob } from '../call/job.js'
import { forgetCustomerJob } from '../kept-invoice/forget-customer.js'
import { leaveJob } from './leave-provider.js'

const DAY_MS = 86_400_000

await describeStores('an organization that leaves', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let card: CardApp
  let root: SignedIn
  beforeAll(async () => {
    store = await open()
    card = await cardApp(store, { ORG_DELETION_RETENTION_DAYS: '1' })
    root = await superAdmin(card.app, 'root')
  })
  afterAll(async () => {
    await card.close()
    await store.close()
  })

  const remove = ({ orgId }: SignedIn, query = '') =>
    confirmed(card.app, 'DELETE', `/organization/${orgId}${query}`, { as: root })
  const run = () => runJobs(card.app, [leaveJob, callsJob, forgetCustomerJob], ['billing.calls'])
  const purge = () => runJobs(card.app, [purgeOrganizations], ['organization.purge'])
  const isThere = ({ orgId }: SignedIn) =>
    store.system.read(async (db) => {
      const { organizations: t } = identityTables(db)
      return (await db.select({ id: t.id }).from(t)).some(({ id }) => id === orgId)
    })
  const customerOf = ({ orgId }: SignedIn) =>
    [...card.fake.state.customers.values()].find(({ metadata }) => metadata['plumbline_org'] === orgId)
  const isEnding = (customer: string | undefined) =>
    [...card.fake.state.subscriptions.values()].find((each) => each.customer === customer)?.cancelAtPeriodEnd
  const pay = async (person: SignedIn) => {
    const invoice = [...card.fake.state.invoices.values()].findLast(
      ({ customer }) => customer === customerOf(person)?.id,
    )
    await fetch(`${card.fake.state.pagesAt}/_fake/pay/${invoice?.id}`, { method: 'POST' })
    await card.deliverAll()
  }

  it('is canceled at the provider when it is deleted, and purged once the provider has confirmed it', async () => {
    const ada = await signUp(card.app, 'ada')
    await card.app.call('POST', '/billing/subscriptions', { as: ada, body: { planId: 'pro' } })
    await pay(ada)
    expect((await remove(ada)).status).toBe(409)
    card.fake.faults.add({ kind: 'busy', match: 'POST /v1/subscriptions', times: 2 })
    expect((await remove(ada, '?force=true')).status).toBe(202)
    await run()
    card.app.clock.advance(2 * DAY_MS)
    root = await signInAgain(card.app, root)
    await purge()
    const customer = customerOf(ada)?.id
    expect([await isThere(ada), isEnding(customer)]).toEqual([true, false])
    await run()
    card.app.clock.advance(DAY_MS)
    await run()
    expect(isEnding(customer)).toBe(true)
    await purge()
    expect(await isThere(ada)).toBe(false)
    expect(customerOf(ada)).toBeDefined()
    await run()
    expect(customerOf(ada)).toBeUndefined()
  })

  it('is held by what it pays for, on the free plan too', async () => {
    root = await signInAgain(card.app, root)
    const eve = await signUp(card.app, 'eve')
    const { id } = (await card.app.call('POST', '/billing/subscriptions', { as: eve, body: { planId: 'developer' } }))
      .data.subscription
    const body = { bundleId: 'pipeline_pack' }
    await card.app.call('POST', `/billing/subscriptions/${id}/addons`, { as: eve, body })
    await pay(eve)
    expect((await remove(eve)).body.message).toMatch(/paid subscription/)
  })
})
