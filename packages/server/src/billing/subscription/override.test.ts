/** What operators see and set over all accounts: subscriptions, events, the soundness of credit, entitlements. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../../test/support/billing.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { evidenceOf } from '../../../test/support/organizations.js'
import { identityTables } from '../../identity/tables.js'
import { quotaTables } from '../../quota/tables.js'
import { boughtRetention } from '../../reporting/retention-sync/bought.js'
import { reportingTables } from '../../reporting/tables.js'
import { reportRetentionPort } from '../../runtime/records/report-retention.js'
import { putLink } from '../provider/link.js'
import { billingTables } from '../tables.js'

await describeStores('operators of billing', WITH_POSTGRESQL, (open) => {
  let world: BillingWorld
  let ada: BillingAccount
  beforeAll(async () => {
    world = await BillingWorld.start(await open())
  })
  beforeEach(async () => {
    ada = await world.account()
  })
  afterAll(async () => {
    expect(world.app.errors.map(String)).toEqual([])
    await world.store.close()
  })

  const admin = '/billing/admin'
  const put = (id: string, body: object) => world.confirmed('PUT', `${admin}/subscriptions/${id}`, body)
  const entitlement = async () => (await world.get(`${admin}/entitlements/${ada.orgId}`)).data.entitlement

  it('lists the subscriptions and events of all accounts, by status and account', async () => {
    const { id } = await ada.subscribe('pro')
    const eve = await world.sibling()
    await eve.subscribe('team')
    const all = (await world.get(`${admin}/subscriptions?status=active`)).data.subscriptions
    expect(all.map(({ orgId }: { orgId: string }) => orgId).sort()).toEqual([ada.orgId, eve.orgId].sort())
    const own = (await world.get(`${admin}/subscriptions?orgId=${ada.orgId}`)).data.subscriptions
    expect(own).toEqual([await ada.subscription()])
    const { events } = (await world.get(`${admin}/events?orgId=${ada.orgId}&type=subscription_created`)).data
    expect(events).toMatchObject([{ orgId: ada.orgId, subscriptionId: id, type: 'subscription_created' }])
    expect((await world.get(`${admin}/subscriptions?status=gone`)).code).toBe('VALIDATION_ERROR')
    for (const path of ['subscriptions', 'events', `credits/${ada.orgId}/check`, `entitlements/${ada.orgId}`]) {
      expect((await ada.get(`${admin}/${path}`)).status, path).toBe(403)
    }
  })

  it('sets a plan without an invoice, and its limits hold in the next request', async () => {
    const { id } = await ada.subscribe('pro')
    expect((await world.call('PUT', `${admin}/subscriptions/${id}`, { planId: 'team' })).code).toBe('STEP_UP_REQUIRED')
    expect((await put(id, { planId: 'team', cancelAtPeriodEnd: true })).data.subscription).toMatchObject({
      planId: 'team',
      cancelAtPeriodEnd: true,
    })
    expect(await ada.quotas()).toMatchObject({ tier: 'team', quotas: { pipelines: { limit: 200 } } })
    expect((await ada.get('/billing/invoices')).data.pagination.total).toBe(1)
    expect(await evidenceOf(world.app, ada.orgId)).toContain('billing.tier.override')
    expect((await put(id, { planId: 'team' })).status).toBe(200)
    expect((await put(id, {})).code).toBe('VALIDATION_ERROR')
    const ended = await put(id, { status: 'canceled' })
    expect(ended.data.subscription.status).toBe('canceled')
    expect((await ada.quotas()).tier).toBe('developer')
    expect((await put(id, { planId: 'pro' })).status).toBe(404)
  })

  it('refuses an end now together with what happens at the end of the period', async () => {
    const { id } = await ada.subscribe('pro')
    for (const cancelAtPeriodEnd of [true, false]) {
      const refused = await put(id, { status: 'canceled', cancelAtPeriodEnd })
      expect([refused.status, refused.code]).toEqual([400, 'VALIDATION_ERROR'])
      expect(JSON.stringify(refused.body)).toMatch(/\/body\/cancelAtPeriodEnd.*status.*leave out/)
    }
    expect(await ada.subscription()).toMatchObject({ status: 'active', cancelAtPeriodEnd: false })
    expect((await put(id, { status: 'active', cancelAtPeriodEnd: true })).status).toBe(200)
  })

  it('ends a subscription as every other end does: young grants are taken back, and no credit is left', async () => {
    const body = {
      name: 'Welcome',
      trigger: { type: 'subscription_created' },
      value: 2_000,
      unit: 'dollar',
      kind: 'onetime',
      budgetCents: 10_000,
      isActive: true,
    }
    const made = await world.call('POST', `${admin}/promotions`, body)
    const { id } = await ada.subscribe('pro')
    const spent = async () =>
      (await world.get(`${admin}/promotions/${made.data.promotion.id}`)).data.promotion.spentCents
    expect([(await ada.subscription()).creditBalanceCents, await spent()]).toEqual([2_000, 2_000])
    expect((await put(id, { status: 'canceled' })).status).toBe(200)
    const rows = await world.store.system.read((db) => {
      const { billingSubscriptions: t } = billingTables(db)
      return db.select({ balance: t.balanceCents }).from(t).where(eq(t.id, id))
    })
    expect([rows, await spent()]).toEqual([[{ balance: 0 }], 0])
    expect((await world.get(`${admin}/credits/${ada.orgId}/check`)).data.ok).toBe(true)
    expect(await evidenceOf(world.app, ada.orgId)).toContain('billing.promotion.clawback')
    await world.call('DELETE', `${admin}/promotions/${made.data.promotion.id}`)
  })

  it('sets nothing where a provider charges', async () => {
    const { id } = await ada.subscribe('pro')
    await world.store.system.write((tx) =>
      putLink(tx, world.app.clock.now(), { id, orgId: ada.orgId, provider: 'card_provider' }),
    )
    const refused = await put(id, { planId: 'enterprise' })
    expect([refused.status, refused.code]).toEqual([409, 'CONFLICT'])
    expect((await ada.subscription()).planId).toBe('pro')
  })

  it('replays the credit of an account, and names a row that does not hold', async () => {
    const { id } = await ada.subscribe('enterprise')
    await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'pro' })
    await ada.later(31 * DAY_MS)
    await world.run('billing.lifecycle')
    await ada.signInAgain()
    const check = async () => (await world.get(`${admin}/credits/${ada.orgId}/check`)).data
    const { creditBalanceCents } = await ada.subscription()
    expect(await check()).toMatchObject({
      ok: true,
      findings: [],
      subscriptions: [{ id, balanceCents: creditBalanceCents, sumCents: creditBalanceCents }],
    })
    await world.store.system.write(async (tx) => {
      const { billingCreditEntries: t } = billingTables(tx)
      await tx.update(t).set({ remainingCents: 1 }).where(eq(t.orgId, ada.orgId))
    })
    const broken = await check()
    expect(broken.ok).toBe(false)
    expect(broken.findings[0]).toMatchObject({ code: 'remaining_differs', rowId: expect.any(String) })
    expect((await world.get(`${admin}/credits/${world.app.runtime.ids.next()}/check`)).status).toBe(404)
  })

  it('shows what differs from the subscription, and puts it right', async () => {
    expect(await entitlement()).toMatchObject({ expected: null, differs: [] })
    const { id } = await ada.subscribe('team')
    await ada.call('POST', `/billing/subscriptions/${id}/addons`, { bundleId: 'pipeline_pack', quantity: 2 })
    expect(await entitlement()).toMatchObject({ differs: [], inForce: { tier: 'team', grants: { pipelines: 20 } } })
    await world.store.system.write(async (tx) => {
      const { organizations } = identityTables(tx)
      await tx.update(organizations).set({ tier: 'developer' }).where(eq(organizations.id, ada.orgId))
      const { quotaLimits } = quotaTables(tx)
      await tx.delete(quotaLimits).where(eq(quotaLimits.orgId, ada.orgId))
    })
    expect((await entitlement()).differs).toEqual(['tier', 'grants'])
    const resync = () => world.call('POST', `${admin}/entitlements/${ada.orgId}/resync`)
    const done = await resync()
    expect([done.status, done.data.entitlement.differs]).toEqual([200, []])
    expect(await ada.quotas()).toMatchObject({ tier: 'team', quotas: { pipelines: { limit: 220 } } })
    expect((await resync()).data.entitlement.differs).toEqual([])
  })

  it('compares how long reports keep what they read, and puts that right', async () => {
    world.app.ports.set(reportRetentionPort, boughtRetention(world.app.runtime))
    try {
      const days = (eventDays: number) => ({ retention: { eventDays, factDays: 180 } })
      expect(await entitlement()).toMatchObject({ expected: null, inForce: days(30), differs: [] })
      const { id } = await ada.subscribe('team')
      await ada.post(`/billing/subscriptions/${id}/addons`, { bundleId: 'retention_pack', quantity: 1 })
      expect(await entitlement()).toMatchObject({ expected: days(120), inForce: days(120), differs: [] })
      await world.store.system.write(async (tx) => {
        const { reportRetention: t } = reportingTables(tx)
        await tx.update(t).set({ eventDays: 60 }).where(eq(t.orgId, ada.orgId))
      })
      expect(await entitlement()).toMatchObject({ expected: days(120), inForce: days(60), differs: ['retention'] })
      const done = await world.call('POST', `${admin}/entitlements/${ada.orgId}/resync`)
      expect(done.data.entitlement).toMatchObject({ inForce: days(120), differs: [] })
      // It applies after a week, and is agreed already.
      await ada.call('DELETE', `/billing/subscriptions/${id}/addons/retention_pack`)
      expect(await entitlement()).toMatchObject({ inForce: days(30), differs: [] })
    } finally {
      world.app.ports.set(reportRetentionPort, undefined)
    }
  })

  it('starts the backfill of promotions at once', async () => {
    const answer = await world.call('POST', `${admin}/backfill`)
    expect([answer.status, answer.data]).toEqual([202, { queued: true }])
    expect((await ada.post(`${admin}/backfill`)).status).toBe(403)
  })
})
