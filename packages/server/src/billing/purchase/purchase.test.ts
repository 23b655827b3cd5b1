/** Purchases at the marketplace: taken over by their token, claimed by a person, read again, and never bought past it. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeStores } from '../../../test/support/describe-stores.js'
import { type MarketplaceApp, marketplaceApp } from '../../../test/support/marketplace.js'
import { confirmed, runJobs, signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { tokenHash } from '../../identity/credential/opaque-token.js'
import { purgeOrganizations } from '../../identity/organization/purge.js'
import { identityTables } from '../../identity/tables.js'
import type { Store } from '../../runtime/store/db.js'
import { findPurchaseOf, useClaim } from '../buyer/record.js'
import { registrationToken } from '../fake/marketplace/state.js'
import { marketplaceTables } from '../marketplace-tables.js'
import { purchasePage } from './page.js'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

await describeStores('purchases at the marketplace', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let market: MarketplaceApp
  let root: SignedIn
  let ada: SignedIn
  let people = 0
  beforeAll(async () => {
    store = await open()
    market = await marketplaceApp(store)
    root = await superAdmin(market.app, 'root')
  })
  beforeEach(async () => {
    market.app.clock.advance(2 * MINUTE_MS)
    market.fake.faults.clear()
    market.waiting.length = 0
    root = await signInAgain(market.app, root)
    ada = await signUp(market.app, `ada${++people}`)
  })
  afterAll(async () => {
    await market.close()
    await store.close()
  })

  const call = (method: string, path: string, body?: object, as = ada, orgId?: string) =>
    market.app.call(method, path, {
      as,
      ...(body === undefined ? {} : { body }),
      ...(orgId === undefined ? {} : { headers: { 'x-org-id': orgId } }),
    })
  const claim = (token: string, orgId?: string, as = ada) =>
    call('POST', '/billing/marketplace/claim', { token, ...(orgId === undefined ? {} : { orgId }) }, as)
  const bought = async (kind: 'customer' | 'license' = 'license', dimension: string | null = 'pro') => {
    const { subscriber, token } = market.buys(kind, dimension)
    const resolved = await market.resolve(token)
    expect(resolved.status).toBe(201)
    return {
      subscriber,
      token,
      ...(resolved.data as { subscription: { id: string; orgId: string } }),
      claim: resolved.data.claim.token as string,
    }
  }
  describe('taking over', () => {
    it('refuses a token of another product', async () => {
      const { token } = market.buys('license', 'pro')
      const { productCode } = market.fake.state
      Object.assign(market.fake.state, { productCode: 'another' })
      try {
        const said = await market.resolve(token)
        expect([said.status, said.code]).toEqual([400, 'MARKETPLACE_TOKEN_INVALID'])
        expect(JSON.stringify(said.body)).toContain('for another product')
      } finally {
        Object.assign(market.fake.state, { productCode })
      }
      expect((await market.resolve(token)).status).toBe(201)
    })

    it.each(['customer', 'license'] as const)(
      'makes an organization that nobody owns, of a listing by %s',
      async (kind) => {
        const { subscriber, token } = market.buys(kind, 'team')
        const first = await market.resolve(token)
        expect(first.status).toBe(201)
        expect(first.data.subscription).toMatchObject({ planId: 'team', status: 'active' })
        expect(first.data.customerIdentifier).toBe(subscriber.customerIdentifier)
        const again = await market.resolve(token)
        expect([again.status, again.data.subscription.id]).toEqual([200, first.data.subscription.id])
        expect(again.data.claim.token).not.toBe(first.data.claim.token)
        // The newer token takes the place of the older one.
        expect((await claim(first.data.claim.token)).code).toBe('CLAIM_NOT_FOUND')
        const org = await call('GET', `/organization/${first.data.subscription.orgId}`, undefined, root)
        expect(org.data.organization).toMatchObject({ ownerId: null, tier: 'team' })
      },
    )

    it('takes the form of a browser under the name of the marketplace', async () => {
      const { token } = market.buys('license', 'pro')
      const form = new URLSearchParams({ 'x-amzn-marketplace-token': token }).toString()
      const said = await market.post('/billing/marketplace/resolve', form, 'application/x-www-form-urlencoded')
      expect([said.status, said.data.subscription.planId]).toEqual([201, 'pro'])
    })

    it('shows a browser a page: the token of a purchase without an owner, and refusals, with every text escaped', async () => {
      const browse = async (token: string) => {
        const answer = await market.app.http.request('/api/billing/marketplace/resolve', {
          method: 'POST',
          headers: {
            accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: new URLSearchParams({ 'x-amzn-marketplace-token': token }).toString(),
        })
        expect(answer.headers.get('content-type')).toContain('text/html')
        expect(answer.headers.get('cache-control')).toBe('no-store')
        expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
        return { status: answer.status, text: await answer.text() }
      }
      const { token } = market.buys('license', 'pro')
      const first = await browse(token)
      expect(first.status).toBe(201)
      expect(first.text).toContain('Plan: pro')
      const claimToken = /plumbline billing claim ([^<\s]+)/.exec(first.text)?.[1] ?? ''
      expect((await claim(claimToken)).status).toBe(200)
      const again = await browse(token)
      expect([again.status, again.text.includes('has an owner already'), again.text.includes('claim ')]).toEqual([
        200,
        true,
        false,
      ])
      const refused = await browse('<b>forged')
      expect([refused.status, refused.text.includes('MARKETPLACE_TOKEN_INVALID')]).toEqual([400, true])
      expect(purchasePage({ success: false, code: 'X', message: '<script>"&' })).toContain('&lt;script&gt;&quot;&amp;')
    })

    it('gives developer without an entitlement, and annual for a long one', async () => {
      expect((await market.resolve(market.buys('license', null).token)).data.subscription.planId).toBe('developer')
      const { data } = await market.resolve(market.buys('license', 'enterprise', 365).token)
      const claimed = await claim(data.claim.token)
      expect(claimed.data.subscription).toMatchObject({ planId: 'enterprise', interval: 'annual' })
    })

    it('of two at once makes one', async () => {
      const { token } = market.buys('license', 'pro')
      const both = await Promise.all([market.resolve(token), market.resolve(token)])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 201])
      expect(new Set(both.map(({ data }) => data.subscription.orgId)).size).toBe(1)
    })

    it.each([
      ['{}', 'MISSING_REQUIRED_FIELD'],
      ['no', 'VALIDATION_ERROR'],
      ['[]', 'VALIDATION_ERROR'],
      ['{"token":"x","orgId":"y"}', 'VALIDATION_ERROR'],
      ['{"token":5}', 'VALIDATION_ERROR'],
      ['{"token":"forged"}', 'MARKETPLACE_TOKEN_INVALID'],
    ])('refuses %s', async (body, code) => {
      const before = market.fake.log.length
      const said = await market.post('/billing/marketplace/resolve', body, 'application/json')
      expect([said.status, said.code]).toEqual([400, code])
      if (code !== 'MARKETPLACE_TOKEN_INVALID') expect(market.fake.log).toHaveLength(before)
    })

    it('says 503 while the marketplace is away, and writes nothing', async () => {
      const { token } = market.buys('license', 'pro')
      market.fake.faults.add({ kind: 'lose_request', match: 'GetEntitlements' })
      expect((await market.resolve(token)).code).toBe('PROVIDER_UNAVAILABLE')
      expect((await market.resolve(token)).status).toBe(201)
    })

    it('refuses a token that has expired', async () => {
      const { token } = market.buys('license', 'pro')
      market.app.clock.advance(5 * 3_600_000)
      expect((await market.resolve(token)).code).toBe('MARKETPLACE_TOKEN_INVALID')
    })
  })

  describe('claiming', () => {
    it('makes a person the owner, once', async () => {
      const { claim: token, subscription } = await bought()
      const claimed = await claim(token)
      expect([claimed.status, claimed.data.orgId]).toEqual([200, subscription.orgId])
      expect(claimed.data.subscription).toMatchObject({ planId: 'pro', status: 'active' })
      const seen = await call('GET', '/billing/subscription', undefined, ada, subscription.orgId)
      expect(seen.data.subscription.id).toBe(subscription.id)
      expect((await call('GET', '/quotas', undefined, ada, subscription.orgId)).data.quota.tier).toBe('pro')
      const eve = await signUp(market.app, `eve${people}`)
      expect((await claim(token, undefined, eve)).code).toBe('CLAIM_NOT_FOUND')
    })

    it('moves the purchase to an organization of ones own', async () => {
      const { claim: token, subscription, subscriber } = await bought('customer', 'team')
      const claimed = await claim(token, ada.orgId)
      expect([claimed.status, claimed.data.orgId]).toEqual([200, ada.orgId])
      const seen = await call('GET', '/billing/subscription')
      expect(seen.data.subscription).toMatchObject({ planId: 'team', status: 'active' })
      expect((await call('GET', '/quotas')).data.quota.tier).toBe('team')
      expect((await call('GET', `/organization/${subscription.orgId}`, undefined, root)).status).toBe(404)
      const known = await market.resolve(registrationToken(market.fake.state, subscriber, market.fake.nowMs()))
      expect([known.status, known.data.claim, known.data.subscription.orgId]).toEqual([200, null, ada.orgId])
    })

    it('follows what a notice that was lost would have said, when the buyer comes again', async () => {
      const { claim: token, subscriber } = await bought('license', 'pro')
      expect((await claim(token, ada.orgId)).status).toBe(200)
      subscriber.entitlements = [{ dimension: 'enterprise', value: 1, expiresAtMs: null }]
      const known = await market.resolve(registrationToken(market.fake.state, subscriber, market.fake.nowMs()))
      expect([known.status, known.data.claim]).toEqual([200, null])
      expect(known.data.subscription).toMatchObject({ orgId: ada.orgId, planId: 'enterprise' })
      expect((await call('GET', '/quotas')).data.quota.tier).toBe('enterprise')
    })

    it('refuses an organization of others, and one that has a subscription', async () => {
      const { claim: token } = await bought()
      const eve = await signUp(market.app, `eve${people}`)
      expect((await claim(token, eve.orgId)).code).toBe('VALIDATION_ERROR')
      expect((await claim(token, ada.orgId)).status).toBe(200)
      const second = await bought()
      expect((await claim(second.claim, ada.orgId)).code).toBe('DUPLICATE_ENTRY')
      expect((await claim(second.claim)).status).toBe(200)
    })

    it('refuses a token after 24 hours and one of nobody', async () => {
      const { claim: token } = await bought()
      expect((await claim('x'.repeat(43))).code).toBe('CLAIM_NOT_FOUND')
      market.app.clock.advance(DAY_MS)
      ada = await signInAgain(market.app, ada)
      expect((await claim(token)).code).toBe('CLAIM_NOT_FOUND')
    })

    it('is for people who signed in', async () => {
      const { claim: token } = await bought()
      const said = await market.post('/billing/marketplace/claim', JSON.stringify({ token }), 'application/json')
      expect(said.status).toBe(401)
    })

    it('is not used once another took its place', async () => {
      const { token, subscription, claim: first } = await bought()
      await market.resolve(token)
      const [isUsed, after] = await store.system.write(async (tx) => {
        const purchase = await findPurchaseOf(tx, subscription.id)
        if (purchase === null) throw new Error('the purchase is gone')
        const used = await useClaim({ tx, nowMs: market.app.clock.now() }, purchase, tokenHash(first))
        return [used, await findPurchaseOf(tx, subscription.id)]
      })
      expect([isUsed, after?.claimedAtMs]).toEqual([false, null])
    })

    it('is used by one of two at once', async () => {
      const { claim: token } = await bought()
      const eve = await signUp(market.app, `eve${people}`)
      const both = await Promise.all([claim(token), claim(token, eve.orgId, eve)])
      expect(both.map(({ status }) => status).sort()).toEqual([200, 404])
    })
  })

  describe('what the marketplace says', () => {
    it('is read as it is, and followed by the job', async () => {
      const { claim: token, subscriber, subscription } = await bought('license', 'pro')
      await claim(token, ada.orgId)
      const entitlements = async () => (await call('GET', '/billing/marketplace/entitlements')).data
      expect(await entitlements()).toMatchObject({
        licenseArn: subscriber.licenseArn,
        customerIdentifier: null,
        currentPlanId: 'pro',
        entitlements: [{ dimension: 'pro', planId: 'pro', isEntitled: true }],
      })
      subscriber.entitlements = [{ dimension: 'team', value: true, expiresAtMs: null }]
      await market.job('billing.entitlements')
      expect(await entitlements()).toMatchObject({ currentPlanId: 'team' })
      expect((await call('GET', '/quotas')).data.quota.tier).toBe('team')
      subscriber.entitlements = []
      await market.job('billing.entitlements')
      expect((await call('GET', '/billing/subscription')).data.subscription).toMatchObject({
        planId: 'developer',
        status: 'active',
      })
      expect(subscription.orgId).not.toBe(ada.orgId)
    })

    it('is left where something newer was read meanwhile', async () => {
      const { subscriber, subscription } = await bought('license', 'pro')
      const readAt = (entitlementsAtMs: number) =>
        store.system.write(async (tx) => {
          const { billingMarketplaceCustomers: t } = marketplaceTables(tx)
          await tx.update(t).set({ entitlementsAtMs }).where(eq(t.subscriptionId, subscription.id))
        })
      const tier = async () =>
        (await call('GET', `/organization/${subscription.orgId}`, undefined, root)).data.organization.tier
      subscriber.entitlements = [{ dimension: 'team', value: 1, expiresAtMs: null }]
      await readAt(market.app.clock.now() + MINUTE_MS)
      await market.job('billing.entitlements')
      expect(await tier()).toBe('pro')
      await readAt(market.app.clock.now())
      await market.job('billing.entitlements')
      expect(await tier()).toBe('team')
    })

    it('begins nothing beside a subscription that runs', async () => {
      const first = await bought('customer', 'pro')
      await claim(first.claim, ada.orgId)
      first.subscriber.entitlements = []
      const ended = market.fake.tell(first.subscriber, 'unsubscribe-success')
      expect((await market.deliver(ended)).data.effect).toBe('no subscription')
      const second = await bought('license', 'team')
      expect((await claim(second.claim, ada.orgId)).status).toBe(200)
      market.app.clock.advance(MINUTE_MS)
      first.subscriber.entitlements = [{ dimension: 'enterprise', value: 1, expiresAtMs: null }]
      const again = await market.deliver(market.fake.tell(first.subscriber, 'subscribe-success'))
      expect([again.status, again.data.effect]).toEqual([200, 'no subscription'])
      expect((await call('GET', '/billing/subscription')).data.subscription).toMatchObject({ planId: 'team' })
    })

    it('is shown to operators, and put in force by them', async () => {
      const { claim: token, subscriber } = await bought('license', 'pro')
      await claim(token, ada.orgId)
      const of = async (method: string, path = '') =>
        (await call(method, `/billing/admin/entitlements/${ada.orgId}${path}`, undefined, root)).data.entitlement
      expect((await of('GET')).marketplace).toMatchObject({ licenseArn: subscriber.licenseArn })
      subscriber.entitlements = [{ dimension: 'team', value: 1, expiresAtMs: null }]
      const after = await of('POST', '/resync')
      expect(after).toMatchObject({ expected: { tier: 'team' }, inForce: { tier: 'team' }, differs: [] })
      expect(after.marketplace.entitlements).toMatchObject([{ dimension: 'team', planId: 'team' }])
    })

    it('is 404 for an account that bought nothing', async () => {
      expect((await call('GET', '/billing/marketplace/entitlements')).code).toBe('NOT_FOUND')
    })

    it('renews its periods without an invoice', async () => {
      const { claim: token } = await bought()
      await claim(token, ada.orgId)
      const before = (await call('GET', '/billing/subscription')).data.subscription
      market.app.clock.advance(32 * DAY_MS)
      ada = await signInAgain(market.app, ada)
      await market.job('billing.lifecycle')
      const after = (await call('GET', '/billing/subscription')).data.subscription
      expect(after.currentPeriodStart).toBe(before.currentPeriodEnd)
      expect((await call('GET', '/billing/invoices')).data.invoices).toEqual([])
      expect((await call('GET', '/billing/invoices/next')).data.invoice).toBeNull()
    })
  })

  describe('buying past it', () => {
    it('is refused for plan and end, and for add-ons', async () => {
      const { claim: token } = await bought()
      const { id } = (await claim(token, ada.orgId)).data.subscription
      const refused = async (method: string, path: string, body?: object) => (await call(method, path, body)).code
      expect(await refused('POST', '/billing/subscriptions', { planId: 'pro' })).toBe('MANAGED_BY_MARKETPLACE')
      expect(await refused('PUT', `/billing/subscriptions/${id}`, { planId: 'team' })).toBe('MANAGED_BY_MARKETPLACE')
      expect(await refused('POST', '/billing/preview', { planId: 'team' })).toBe('MANAGED_BY_MARKETPLACE')
      const cancel = await confirmed(market.app, 'POST', `/billing/subscriptions/${id}/cancel`, { as: ada })
      expect(cancel.code).toBe('MANAGED_BY_MARKETPLACE')
      const addon = { bundleId: 'pipeline_pack' }
      expect(await refused('POST', `/billing/subscriptions/${id}/addons`, addon)).toBe('SELF_SERVICE_DISABLED')
      expect(await refused('POST', `/billing/subscriptions/${id}/addons/preview`, addon)).toBe('SELF_SERVICE_DISABLED')
      expect(await refused('DELETE', `/billing/subscriptions/${id}/addons/pipeline_pack`)).toBe('SELF_SERVICE_DISABLED')
      expect((await call('GET', '/billing/bundles')).data.selfService).toBe(false)
      expect((await call('POST', '/billing/portal')).status).toBe(501)
    })
  })

  describe('an organization that is deleted', () => {
    const remove = (orgId: string, query = '') =>
      confirmed(market.app, 'DELETE', `/organization/${orgId}${query}`, { as: root })
    const purge = () => runJobs(market.app, [purgeOrganizations], ['organization.purge'])
    const isThere = (orgId: string) =>
      store.system.read(async (db) => {
        const { organizations: t } = identityTables(db)
        return (await db.select({ id: t.id }).from(t).where(eq(t.id, orgId))).length === 1
      })
    const overdue = async () => {
      market.app.clock.advance(40 * DAY_MS)
      root = await signInAgain(market.app, root)
    }

    it('stays until its buyer has ended what the marketplace charges, with force too', async () => {
      const { claim: token, subscriber } = await bought('license', 'pro')
      expect((await claim(token, ada.orgId)).status).toBe(200)
      expect((await remove(ada.orgId)).body.message).toMatch(/purchase at the marketplace/)
      const removed = await confirmed(market.app, 'DELETE', `/billing/subscriptions/by-org/${ada.orgId}`, { as: root })
      expect([removed.status, removed.code]).toEqual([409, 'CONFLICT'])
      expect((await remove(ada.orgId, '?force=true')).status).toBe(202)
      await overdue()
      await purge()
      expect(await isThere(ada.orgId)).toBe(true)
      // Nobody is told; the entitlements are read.
      subscriber.entitlements = []
      await market.job('billing.entitlements')
      await purge()
      expect(await isThere(ada.orgId)).toBe(false)
    })

    it('is not charged for usage any more, and then nothing holds it', async () => {
      const { claim: token, subscriber } = await bought('license', 'pro')
      const claimed = await claim(token, ada.orgId)
      const { id } = claimed.data.subscription
      const held = { addons: [{ bundleId: 'pipeline_pack', quantity: 3 }] }
      await confirmed(market.app, 'PUT', `/billing/admin/subscriptions/${id}`, { as: root, body: held })
      const hours = async (count: number) => {
        for (let n = 0; n < count; n++) {
          market.app.clock.advance(3_600_000)
          await market.job('billing.metering')
        }
      }
      const frozen = () =>
        store.system.read((db) =>
          db.$count(
            marketplaceTables(db).billingMeteringHours,
            eq(marketplaceTables(db).billingMeteringHours.orgId, ada.orgId),
          ),
        )
      await hours(2)
      const before = await frozen()
      root = await signInAgain(market.app, root)
      expect((await remove(ada.orgId, '?force=true')).status).toBe(202)
      await hours(4)
      expect([before > 0, (await frozen()) - before <= 1]).toEqual([true, true])
      expect(subscriber.isSubscribed).toBe(true)
      subscriber.entitlements = []
      await market.job('billing.entitlements')
      await overdue()
      await purge()
      expect(await isThere(ada.orgId)).toBe(false)
    })
  })
})
