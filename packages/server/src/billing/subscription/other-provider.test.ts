/** What was sold through a provider that this server no longer has: it can be ended here once it was ended there. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { DAY_MS } from '../../../test/support/billing.js'
import { type CardApp, cardApp } from '../../../test/support/card.js'
import { describeStores } from '../../../test/support/describe-stores.js'
import { type MarketplaceApp, marketplaceApp } from '../../../test/support/marketplace.js'
import { confirmed, organizationApp, runJobs, signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { placesRegistration } from '../../../test/support/places.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { purgeOrganizations } from '../../identity/organization/purge.js'
import { identityRegistration } from '../../identity/registration.js'
import { identityTables } from '../../identity/tables.js'
import { TENANT_OPERATIONS } from '../../identity/tenant-operations.js'
import { QUOTA_OPERATIONS } from '../../quota/operations.js'
import { quotaRegistration } from '../../quota/registration.js'
import type { Store } from '../../runtime/store/db.js'
import { BILLING_OPERATIONS } from '../operations.js'
import { billingRegistration } from '../registration.js'

await describeStores('a subscription of another provider', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let market: MarketplaceApp
  let card: CardApp
  /** The same data, by a server that charges nothing. */
  let now: IdentityApp
  let root: SignedIn
  let ada: SignedIn
  let people = 0
  beforeAll(async () => {
    store = await open()
    market = await marketplaceApp(store)
    card = await cardApp(store)
    now = await organizationApp(store, {
      operations: [...TENANT_OPERATIONS, ...QUOTA_OPERATIONS, ...BILLING_OPERATIONS],
      domains: [identityRegistration, quotaRegistration, placesRegistration, billingRegistration],
      settings: { BILLING_ENABLED: 'true', BILLING_BUNDLES_ENABLED: 'true' },
    })
    root = await superAdmin(now, 'root')
  })
  beforeEach(async () => {
    root = await signInAgain(now, root)
    ada = await signUp(now, `ada${++people}`)
  })
  afterAll(async () => {
    await market.close()
    await card.close()
    await store.close()
  })

  const purchased = async () => {
    const { token } = market.buys('license', 'pro')
    const resolved = await market.resolve(token)
    const as = await signInAgain(market.app, ada)
    const body = { token: resolved.data.claim.token, orgId: ada.orgId }
    const claimed = await market.app.call('POST', '/billing/marketplace/claim', { as, body })
    return claimed.data.subscription.id as string
  }
  const charged = async () => {
    const as = await signInAgain(card.app, ada)
    const made = await card.app.call('POST', '/billing/subscriptions', { as, body: { planId: 'pro' } })
    const invoice = [...card.fake.state.invoices.values()].at(-1)
    await fetch(`${card.fake.state.pagesAt}/_fake/pay/${invoice?.id}`, { method: 'POST' })
    await card.deliverAll()
    return made.data.subscription.id as string
  }
  it('has no entitlements at a marketplace: the answer names the provider of this server, and what to ask', async () => {
    const said = await now.call('GET', '/billing/marketplace/entitlements', { as: ada })
    expect([said.status, said.code, said.body.details]).toEqual([409, 'CONFLICT', { provider: 'stub' }])
    expect(said.body.message).toMatch(/BILLING_PROVIDER of this server is `stub`.*GET \/billing\/subscription/)
    for (const path of [
      '/billing/marketplace/notifications',
      '/billing/marketplace/resolve',
      '/billing/card-provider/webhook',
    ]) {
      const sent = await now.http.request(`/api${path}`, { method: 'POST', body: '{}' })
      const body = (await sent.json()) as { code: string; message: string; details: object }
      expect([sent.status, body.code, body.details], path).toEqual([400, 'VALIDATION_ERROR', { provider: 'stub' }])
      expect(body.message).toContain('BILLING_PROVIDER of this server is `stub`')
    }
  })

  const override = (id: string, body: object) =>
    confirmed(now, 'PUT', `/billing/admin/subscriptions/${id}`, { as: root, body })
  const current = async () => (await now.call('GET', '/billing/subscription', { as: ada })).data.subscription

  it.each([
    ['marketplace', purchased],
    ['card_provider', charged],
  ])('of %s can only be ended, and that frees the account', async (provider, begin) => {
    const id = await begin()
    expect(await current()).toMatchObject({ id, status: 'active' })
    for (const body of [
      { planId: 'team' },
      { addons: [{ bundleId: 'pipeline_pack', quantity: 1 }] },
      { status: 'active' },
      { status: 'canceled', planId: 'team' },
    ]) {
      const refused = await override(id, body)
      expect([refused.status, refused.code]).toEqual([409, 'CONFLICT'])
      expect(refused.body).toMatchObject({ message: expect.stringMatching(/end it there/), details: { provider } })
    }
    const before = await current()
    const own = (method: string, path: string, body?: object) =>
      confirmed(now, method, path, { as: ada, ...(body === undefined ? {} : { body }) })
    for (const answer of [
      await own('PUT', `/billing/subscriptions/${id}`, { planId: 'team' }),
      await own('POST', '/billing/preview', { planId: 'team' }),
      await own('POST', `/billing/subscriptions/${id}/addons`, { bundleId: 'pipeline_pack' }),
      await own('POST', `/billing/subscriptions/${id}/addons/preview`, { bundleId: 'pipeline_pack' }),
      await own('POST', `/billing/subscriptions/${id}/cancel`),
      await own('DELETE', `/billing/subscriptions/${id}/pending-change`),
    ]) {
      expect([answer.status, answer.code]).toEqual([409, 'CONFLICT'])
      expect(answer.body).toMatchObject({
        message: expect.stringMatching(/ask its operator/),
        details: { provider, reason: 'other_provider' },
      })
    }
    expect(await current()).toEqual(before)
    expect((await override(id, { status: 'canceled' })).data.subscription).toMatchObject({ status: 'canceled' })
    expect(await current()).toBeNull()
    const again = await now.call('POST', '/billing/subscriptions', { as: ada, body: { planId: 'team' } })
    expect(again.data.subscription).toMatchObject({ status: 'active', planId: 'team' })
  })

  it.each([
    ['marketplace', purchased],
    ['card_provider', charged],
  ])('of %s holds the purge of its organization until it is ended here', async (_provider, begin) => {
    const id = await begin()
    expect((await confirmed(now, 'DELETE', `/organization/${ada.orgId}?force=true`, { as: root })).status).toBe(202)
    now.clock.advance(40 * DAY_MS)
    root = await signInAgain(now, root)
    const purge = () => runJobs(now, [purgeOrganizations], ['organization.purge'])
    const isThere = () =>
      store.system.read(async (db) => {
        const { organizations: t } = identityTables(db)
        return (await db.select({ id: t.id }).from(t).where(eq(t.id, ada.orgId))).length === 1
      })
    await purge()
    expect(await isThere()).toBe(true)
    expect((await override(id, { status: 'canceled' })).data.subscription).toMatchObject({ status: 'canceled' })
    await purge()
    expect(await isThere()).toBe(false)
  })
})
