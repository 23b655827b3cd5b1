/** Billing over HTTP: what is shown is what is drawn, what was bought holds in the next request, and nobody sees another's. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { BOTH_DATABASES, describeStores } from '../../../test/support/describe-stores.js'
import {
  confirmed,
  enrol,
  evidenceOf,
  giveCustomRole,
  organizationApp,
  runJobs,
  signInAgain,
  superAdmin,
} from '../../../test/support/organizations.js'
import { fillPlaces, freePlaces, placesRegistration } from '../../../test/support/places.js'
import { type IdentityApp, type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { identityRegistration } from '../../identity/registration.js'
import { identityTables } from '../../identity/tables.js'
import { TENANT_OPERATIONS } from '../../identity/tenant-operations.js'
import { QUOTA_OPERATIONS } from '../../quota/operations.js'
import { quotaRegistration } from '../../quota/registration.js'
import { quotaTables } from '../../quota/tables.js'
import type { Store } from '../../runtime/store/db.js'
import { lifecycleJob } from '../lifecycle/job.js'
import { BILLING_OPERATIONS } from '../operations.js'
import { billingRegistration } from '../registration.js'
import { billingTables } from '../tables.js'

const DAY_MS = 86_400_000

await describeStores('billing', BOTH_DATABASES, (open) => {
  let store: Store
  let app: IdentityApp
  let root: SignedIn
  let ada: SignedIn
  let people = 0
  const started = async (settings: Record<string, string> = {}) =>
    organizationApp(store, {
      operations: [...TENANT_OPERATIONS, ...QUOTA_OPERATIONS, ...BILLING_OPERATIONS],
      domains: [identityRegistration, quotaRegistration, placesRegistration, billingRegistration],
      settings: { BILLING_ENABLED: 'true', ...settings },
    })
  beforeAll(async () => {
    store = await open()
    app = await started()
    root = await superAdmin(app, 'root')
  })
  // Each test begins with an account of its own, on the first of a month of 30 days.
  beforeEach(async () => {
    app.clock.set(Date.UTC(2027 + people, 3, 1))
    root = await signInAgain(app, root)
    // The accounts of other tests have nothing that is due.
    await store.system.write(async (tx) => {
      await tx.update(billingTables(tx).billingSubscriptions).set({ status: 'canceled' })
    })
    ada = await signUp(app, `ada${++people}`)
  })
  afterAll(async () => {
    expect(app.errors.map(String)).toEqual([])
    await store.close()
  })

  const get = (path: string, as: SignedIn | null = ada, headers = {}) => app.call('GET', path, { as, headers })
  const post = (path: string, body: object = {}, as: SignedIn = ada) => app.call('POST', path, { as, body })
  const subscribe = async (planId: string, more: object = {}) => {
    const answer = await post('/billing/subscriptions', { planId, ...more })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.data.subscription
  }
  const change = (id: string, body: object) => app.call('PUT', `/billing/subscriptions/${id}`, { as: ada, body })
  const cancel = (id: string) => confirmed(app, 'POST', `/billing/subscriptions/${id}/cancel`, { as: ada })
  /** Time passes, and the sessions of before with it. */
  const later = async (ms: number) => {
    app.clock.advance(ms)
    ada = await signInAgain(app, ada)
    root = await signInAgain(app, root)
  }
  const roll = () => runJobs(app, [lifecycleJob], ['billing.lifecycle'])
  const quotas = async () => (await get('/quotas')).data.quota
  const types = async () =>
    (await get('/billing/events?limit=100')).data.events.map(({ type }: { type: string }) => type)
  const holding = (subscriptionId: string, addons: { bundleId: string; quantity: number }[]) =>
    store.system.write(async (tx) => {
      const { billingSubscriptions: t } = billingTables(tx)
      await tx.update(t).set({ addons }).where(eq(t.id, subscriptionId))
    })

  it('makes a developer organization pro, and its limits hold in the next request', async () => {
    expect((await get('/billing/subscription')).data).toEqual({ subscription: null })
    expect(await quotas()).toMatchObject({ tier: 'developer', quotas: { pipelines: { limit: 5 } } })
    const subscription = await subscribe('pro')
    expect(subscription).toMatchObject({
      orgId: ada.orgId,
      planId: 'pro',
      planName: 'Pro',
      status: 'active',
      interval: 'monthly',
      addons: [],
      pendingChange: null,
      creditBalanceCents: 0,
    })
    expect(Date.parse(subscription.currentPeriodEnd) - Date.parse(subscription.currentPeriodStart)).toBe(30 * DAY_MS)
    expect(await quotas()).toMatchObject({ tier: 'pro', quotas: { pipelines: { limit: 10 } }, seats: { limit: 3 } })
    expect((await get('/billing/subscription')).data).toEqual({ subscription })
    expect((await get('/billing/subscriptions')).data).toEqual({ subscription })
    const { invoices } = (await get('/billing/invoices')).data
    expect(invoices).toMatchObject([{ totalCents: 4_900, amountPaidCents: 4_900, status: 'paid', currency: 'usd' }])
    expect((await get(`/billing/invoices/${invoices[0].id}`)).data.invoice).toEqual(invoices[0])
    expect(await types()).toEqual(['payment_succeeded', 'subscription_created'])
    expect(await evidenceOf(app, ada.orgId)).toEqual(
      expect.arrayContaining(['billing.subscription.create', 'admin.org.seatLimit.update']),
    )
  })

  it('sells one subscription to an account, to a race too, and answers a key twice with the same', async () => {
    const both = await Promise.all([
      post('/billing/subscriptions', { planId: 'pro' }),
      post('/billing/subscriptions', { planId: 'team' }),
    ])
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
    expect(both.find(({ status }) => status === 409)?.code).toBe('DUPLICATE_ENTRY')
    expect((await get('/billing/invoices')).data.pagination.total).toBe(1)
    ada = await signUp(app, `eva${people}`)
    const keyed = () =>
      app.call('POST', '/billing/subscriptions', {
        as: ada,
        body: { planId: 'pro' },
        headers: { 'idempotency-key': 'once' },
      })
    const [first, second] = [await keyed(), await keyed()]
    expect([second.status, second.data]).toEqual([201, first.data])
  })

  it.each([
    [{}, 'VALIDATION_ERROR'],
    [{ planId: 'unlimited' }, 'VALIDATION_ERROR'],
    [{ planId: '__proto__' }, 'VALIDATION_ERROR'],
    [{ planId: 'pro', interval: 'weekly' }, 'VALIDATION_ERROR'],
    [{ planId: 'pro', status: 'trialing' }, 'VALIDATION_ERROR'],
  ])('sells nothing for %j', async (body, code) => {
    const answer = await post('/billing/subscriptions', body)
    expect([answer.status, answer.code]).toEqual([400, code])
    expect((await get('/billing/invoices')).data.invoices).toEqual([])
    expect((await quotas()).tier).toBe('developer')
  })

  it('charges for an upgrade what the preview showed, by the second, and refuses a stale preview', async () => {
    const { id } = await subscribe('pro')
    await later(5 * DAY_MS)
    const { preview } = (await post('/billing/preview', { planId: 'team' })).data
    expect(preview).toMatchObject({ when: 'now', overages: [], effectiveLimits: { pipelines: 200, seats: 10 } })
    expect(preview.invoiceNow.lines).toMatchObject([
      { label: 'Unused time of Pro plan', cents: -4_083, reason: '-$40.83 = -$49.00 × 25 of 30 days left' },
      { label: 'Remaining time of Team plan', cents: 12_417, reason: '$124.17 = $149.00 × 25 of 30 days left' },
    ])
    await later(60_000)
    const done = await change(id, { planId: 'team', previewToken: preview.previewToken })
    expect(done.data.subscription).toMatchObject({ planId: 'team' })
    const invoice = (await get(`/billing/invoices/${done.data.invoiceId}`)).data.invoice
    expect(invoice).toMatchObject({ ...preview.invoiceNow, periodStart: null, status: 'paid' })
    expect((await get('/billing/invoices/next')).data.invoice).toEqual(preview.nextInvoice)
    expect(await quotas()).toMatchObject({ tier: 'team', quotas: { pipelines: { limit: 200 } } })
    // The account changed since: the same preview is worth nothing.
    const stale = await change(id, { planId: 'enterprise', previewToken: preview.previewToken })
    expect([stale.status, stale.code]).toEqual([409, 'PREVIEW_STALE'])
  })

  it.each([
    ['older than a quarter of an hour', 16 * 60_000],
    ['of a time to come', -60_000],
  ])('refuses a preview %s', async (_what, ageMs) => {
    const { id } = await subscribe('pro')
    await later(DAY_MS)
    const previewToken = `v1-${app.clock.now() - ageMs}`
    expect((await change(id, { planId: 'team', previewToken })).code).toBe('PREVIEW_STALE')
    expect((await get('/billing/invoices')).data.pagination.total).toBe(1)
    const good = await change(id, { planId: 'team', previewToken: `v1-${app.clock.now()}` })
    expect(good.status).toBe(200)
  })

  it('turns what a downgrade gives back into credit, which the next invoice uses', async () => {
    const { id } = await subscribe('team')
    const down = await change(id, { planId: 'pro' })
    expect(down.data.subscription).toMatchObject({ planId: 'pro', creditBalanceCents: 10_000 })
    expect(await quotas()).toMatchObject({ tier: 'pro' })
    const next = (await get('/billing/invoices/next')).data.invoice
    expect(next).toMatchObject({ subtotalCents: 4_900, creditCents: 4_900, totalCents: 0, creditRemainingCents: 5_100 })
    await later(30 * DAY_MS)
    await roll()
    const [drawn] = (await get('/billing/invoices')).data.invoices
    expect(drawn).toMatchObject({ lines: next.lines, creditCents: 4_900, totalCents: 0, periodStart: next.periodStart })
    expect((await get('/billing/subscription')).data.subscription.creditBalanceCents).toBe(5_100)
  })

  it('refuses a plan that the use is above, names each limit, and says so in the preview', async () => {
    const { id } = await subscribe('team')
    const ids = Array.from({ length: 11 }, () => app.runtime.ids.next())
    await store.system.write((tx) => fillPlaces(tx, ada.orgId, ids))
    const refused = await change(id, { planId: 'pro' })
    expect([refused.status, refused.code]).toEqual([409, 'PLAN_OVER_CAP'])
    const overage = { quotaType: 'pipelines', currentUsage: 11, targetCap: 10, overage: 1 }
    expect(refused.body.details.overages).toEqual([overage])
    expect((await post('/billing/preview', { planId: 'pro' })).data.preview.overages).toEqual([overage])
    expect((await get('/billing/subscription')).data.subscription.planId).toBe('team')
    await store.system.write((tx) => freePlaces(tx, [ada.orgId]))
  })

  it('changes the interval with the next period, and takes that back', async () => {
    const { id, currentPeriodEnd } = await subscribe('pro')
    expect((await change(id, { interval: 'annual', when: 'now' })).code).toBe('VALIDATION_ERROR')
    const waiting = (await change(id, { interval: 'annual' })).data.subscription
    expect(waiting).toMatchObject({
      interval: 'monthly',
      pendingChange: { interval: 'annual', planId: 'pro', effectiveAt: currentPeriodEnd },
    })
    expect((await get('/billing/invoices/next')).data.invoice.totalCents).toBe(49_000)
    const path = `/billing/subscriptions/${id}/pending-change`
    expect((await app.call('DELETE', path, { as: ada })).data.subscription.pendingChange).toBeNull()
    expect((await app.call('DELETE', path, { as: ada })).status).toBe(404)
    await change(id, { interval: 'annual', planId: 'team' })
    await later(30 * DAY_MS)
    await roll()
    const { subscription } = (await get('/billing/subscription')).data
    expect(subscription).toMatchObject({
      planId: 'team',
      interval: 'annual',
      pendingChange: null,
      currentPeriodStart: currentPeriodEnd,
    })
    expect((await get('/billing/invoices')).data.invoices[0].totalCents).toBe(149_000)
    expect(await quotas()).toMatchObject({ tier: 'team' })
  })

  it('draws what it showed, combos as credit, once a period, also when the job comes months late', async () => {
    const { id } = await subscribe('pro')
    await holding(id, [
      { bundleId: 'compliance_advanced', quantity: 1 },
      { bundleId: 'compliance_standard', quantity: 1 },
    ])
    const next = (await get('/billing/invoices/next')).data.invoice
    expect(next).toMatchObject({
      subtotalCents: 17_880,
      creditCents: 3_894,
      totalCents: 13_986,
      grants: [{ source: 'combo', cents: 3_894 }],
    })
    await later(95 * DAY_MS)
    await roll()
    await roll()
    const { invoices } = (await get('/billing/invoices?limit=50&sortOrder=asc')).data
    // April was paid at once; May, June and July rolled, each once.
    const periods = invoices.map((each: { periodStart: string }) => each.periodStart.slice(5, 10))
    expect(periods.sort()).toEqual(['04-01', '05-01', '06-01', '07-01'])
    const may = invoices.find((each: { periodStart: string }) => each.periodStart === next.periodStart)
    expect(may).toMatchObject({ lines: next.lines, totalCents: next.totalCents, creditCents: next.creditCents })
    expect(invoices.map(({ totalCents }: { totalCents: number }) => totalCents).sort()).toEqual([
      13_986, 13_986, 13_986, 4_900,
    ])
    expect((await get('/billing/subscription')).data.subscription.creditBalanceCents).toBe(0)
  })

  it('answers what if: a plan, add-ons, the end', async () => {
    await subscribe('pro')
    const next = async (query: string) => (await get(`/billing/invoices/next?${query}`)).data.invoice
    expect((await next('planId=team')).totalCents).toBe(14_900)
    expect((await next('interval=annual')).totalCents).toBe(49_000)
    expect((await next('addons=api_pack:2,sso')).totalCents).toBe(4_900 + 4_000 + 4_000)
    expect(await next('cancel=true')).toBeNull()
    const both = 'compliance_advanced,compliance_standard'
    expect((await next(`addons=${both}`)).subtotalCents).toBe(4_900 + 2_990 + 9_990)
    expect((await next('planId=team&addons=seat_pack:2')).totalCents).toBe(14_900 + 5_000)
    // What the change would be refused for, this is refused for.
    const refused = ['seat_pack:2', 'compliance_advanced']
    for (const addons of ['api_pak', 'api_pack:0', 'api_pack:1001', 'sso,sso', 'SSO', ...refused]) {
      expect((await get(`/billing/invoices/next?addons=${addons}`)).code, addons).toBe('VALIDATION_ERROR')
    }
  })

  it('cancels with the period, lets it go on, and ends it at the baseline with its credit forfeited', async () => {
    const { id } = await subscribe('team')
    await change(id, { planId: 'pro' })
    expect((await post(`/billing/subscriptions/${id}/cancel`)).code).toBe('STEP_UP_REQUIRED')
    expect((await cancel(id)).data.subscription).toMatchObject({ status: 'active', cancelAtPeriodEnd: true })
    expect((await get('/billing/invoices/next')).data.invoice).toBeNull()
    const before = await types()
    expect((await cancel(id)).status).toBe(200)
    expect(await types()).toEqual(before)
    expect((await post(`/billing/subscriptions/${id}/reactivate`)).data.subscription.cancelAtPeriodEnd).toBe(false)
    await cancel(id)
    await later(30 * DAY_MS)
    await roll()
    expect((await get('/billing/subscription')).data.subscription).toBeNull()
    expect(await quotas()).toMatchObject({ tier: 'developer', seats: { limit: 1 } })
    expect((await get('/billing/invoices')).data.pagination.total).toBe(2)
    expect((await types())[0]).toBe('subscription_canceled')
    const rows = await store.system.read((db) => {
      const { billingCreditEntries: t } = billingTables(db)
      return db.select().from(t).where(eq(t.orgId, ada.orgId))
    })
    expect(rows.map(({ type, cents }) => [type, cents])).toEqual([
      ['adjust', 10_000],
      ['forfeit', -10_000],
    ])
    expect((await cancel(id)).status).toBe(404)
    // An account that comes back begins a new one.
    expect((await subscribe('pro')).id).not.toBe(id)
  })

  it('writes what add-ons grant beyond the tier to the limits of the account', async () => {
    const { id } = await subscribe('pro')
    await holding(id, [{ bundleId: 'pipeline_pack', quantity: 2 }])
    await change(id, { planId: 'team' })
    expect((await quotas()).quotas.pipelines).toMatchObject({ limit: 220, baseline: 200, addons: 20 })
  })

  it('leaves the tier to the subscription as long as there is one', async () => {
    const { id } = await subscribe('pro')
    const tier = () => confirmed(app, 'PATCH', `/organization/${ada.orgId}/tier`, { as: root, body: { tier: 'team' } })
    expect(await tier()).toMatchObject({ status: 409, code: 'CONFLICT' })
    await cancel(id)
    await later(30 * DAY_MS)
    await roll()
    expect((await tier()).status).toBe(200)
  })

  it('belongs to the account: a team acts for its root, and only with the rights of the root', async () => {
    await subscribe('team')
    const made = await app.call('POST', '/organization', { as: ada, body: { name: 'Team', parentOrgId: ada.orgId } })
    const team = made.data.organization.id
    const inTeam = { 'x-org-id': team }
    expect((await get('/billing/subscription', ada, inTeam)).data.subscription).toMatchObject({ orgId: ada.orgId })
    const bob = await enrol(app, await signUp(app, `bob${people}`), team, ['Admin'])
    expect((await get('/billing/subscription', bob, inTeam)).code).toBe('ORG_MISMATCH')
    await enrol(app, bob, ada.orgId, ['Member'])
    expect((await get('/billing/subscription', bob, inTeam)).status).toBe(200)
    const refused = await app.call('POST', '/billing/subscriptions', {
      as: bob,
      body: { planId: 'pro' },
      headers: inTeam,
    })
    expect(refused.body.details).toMatchObject({ reason: 'permission' })
  })

  it('shows nothing of a stranger', async () => {
    const { id } = await subscribe('pro')
    const invoiceId = (await get('/billing/invoices')).data.invoices[0].id
    const eve = await signUp(app, `eve${people}`)
    expect((await get(`/billing/invoices/${invoiceId}`, eve)).status).toBe(404)
    expect((await get('/billing/events', eve)).data.events).toEqual([])
    expect((await get('/billing/invoices', eve)).data.invoices).toEqual([])
    const foreign = await app.call('PUT', `/billing/subscriptions/${id}`, { as: eve, body: { planId: 'team' } })
    expect(foreign.status).toBe(404)
    await giveCustomRole(app, eve.orgId, eve.userId, ['pipelines:read'])
    expect((await get('/billing/subscription', ada)).data.subscription.planId).toBe('pro')
  })

  it('shows the plans to everybody, and never the tier that is not sold', async () => {
    const { plans, total } = (await get('/billing/plans', null)).data
    expect(total).toBe(4)
    expect(plans.map((plan: { id: string; prices: { monthly: number } }) => [plan.id, plan.prices.monthly])).toEqual([
      ['developer', 0],
      ['pro', 4_900],
      ['team', 14_900],
      ['enterprise', 59_900],
    ])
    expect((await get('/billing/plans/pro', null)).data.plan).toEqual(plans[1])
    expect((await get('/billing/plans/teem', null)).body.message).toBe('Plan not found; did you mean team')
    for (const id of ['unlimited', 'gold', '__proto__'])
      expect((await get(`/billing/plans/${id}`, null)).status).toBe(404)
    expect((await get('/billing/config', null)).data).toEqual({ enabled: true, provider: 'stub' })
  })

  it('previews the first subscription too', async () => {
    const { preview } = (await post('/billing/preview', { planId: 'pro', interval: 'annual' })).data
    expect(preview).toMatchObject({
      previewToken: null,
      invoiceNow: { totalCents: 49_000 },
      effectiveLimits: { pipelines: 10 },
    })
    expect((await post('/billing/preview', { interval: 'annual' })).code).toBe('VALIDATION_ERROR')
  })

  it('leaves nothing of an organization that is purged', async () => {
    const { id } = await subscribe('pro')
    const held = await confirmed(app, 'DELETE', `/organization/${ada.orgId}`, { as: ada })
    expect(JSON.stringify(held.body)).toContain('paid subscription')
    const purge = () =>
      store.system.write((tx) => billingRegistration.purge(tx, ada.orgId, 1, app.clock.now(), async () => undefined))
    while ((await purge()) > 0);
    await store.system.read(async (db) => {
      for (const table of Object.values(billingTables(db))) {
        expect(await db.select().from(table).where(eq(table.orgId, ada.orgId))).toEqual([])
      }
    })
    expect((await change(id, { planId: 'team' })).status).toBe(404)
  })

  it('is off as a whole where BILLING_ENABLED is false, and nothing rolls', async () => {
    const { id } = await subscribe('pro')
    const off = await started({ BILLING_ENABLED: 'false' })
    off.clock.set(app.clock.now() + 40 * DAY_MS)
    const bea = await signInAgain(off, ada)
    for (const [method, path, body] of [
      ['GET', '/billing/plans', undefined],
      ['GET', '/billing/subscription', undefined],
      ['GET', '/billing/invoices', undefined],
      ['GET', '/billing/invoices/next', undefined],
      ['GET', '/billing/events', undefined],
      ['POST', '/billing/subscriptions', { planId: 'pro' }],
      ['POST', '/billing/preview', { planId: 'pro' }],
      ['PUT', `/billing/subscriptions/${id}`, { planId: 'team' }],
      ['POST', `/billing/subscriptions/${id}/reactivate`, {}],
      ['DELETE', `/billing/subscriptions/${id}/pending-change`, undefined],
    ] as const) {
      const answer = await off.call(method, path, { as: bea, body })
      expect([answer.status, answer.code], path).toEqual([503, 'SERVICE_UNAVAILABLE'])
    }
    expect((await off.call('GET', '/billing/config')).data).toEqual({ enabled: false, provider: 'stub' })
    await runJobs(off, [lifecycleJob], ['billing.lifecycle'])
    expect((await get('/billing/invoices')).data.pagination.total).toBe(1)
    const tiers = await store.system.read((db) => {
      const { organizations: t } = identityTables(db)
      return db.select({ tier: t.tier }).from(t).where(eq(t.id, ada.orgId))
    })
    expect(tiers).toEqual([{ tier: 'pro' }])
    expect(
      await store.system.read((db) =>
        db
          .select()
          .from(quotaTables(db).quotaLimits)
          .where(eq(quotaTables(db).quotaLimits.orgId, ada.orgId)),
      ),
    ).toEqual([])
  })
})
