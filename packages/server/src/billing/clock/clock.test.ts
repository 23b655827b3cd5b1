/** A sandbox account: years pass in one command, and one leap leaves what any partition of it leaves. */
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../../test/support/billing.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import type { Store } from '../../runtime/store/db.js'

await describeStores('test clocks', WITH_POSTGRESQL, (open) => {
  let store: Store
  let world: BillingWorld
  let ada: BillingAccount
  beforeAll(async () => {
    store = await open()
    world = await BillingWorld.start(store, { BILLING_TEST_CLOCKS: 'true' })
  })
  beforeEach(async () => {
    ada = await world.account()
  })
  afterAll(async () => {
    expect(world.app.errors.map(String)).toEqual([])
    await store.close()
  })

  const clockOf = async (account: BillingAccount) => {
    const answer = await account.post('/billing/clocks', { name: 'two years' })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.data.clock as { id: string; now: string }
  }
  const after = (clock: { now: string }, ms: number) => new Date(Date.parse(clock.now) + ms).toISOString()
  const advance = (account: BillingAccount, id: string, to: string) =>
    account.post(`/billing/clocks/${id}/advance`, { to })

  it('lives two years in one command, each renewal at its own moment', async () => {
    const clock = await clockOf(ada)
    await ada.subscribe('pro')
    expect((await ada.get('/billing/subscription')).data.sandbox).toBe(true)
    const next = (await ada.get('/billing/invoices/next')).data.invoice
    expect((await advance(ada, clock.id, after(clock, 715 * DAY_MS))).data.clock.now).toBe(after(clock, 715 * DAY_MS))
    const { invoices, pagination } = (await ada.get('/billing/invoices?limit=100&sortOrder=asc')).data
    expect(pagination.total).toBe(24)
    expect(invoices[1]).toMatchObject({ lines: next.lines, periodStart: next.periodStart, createdAt: next.dueAt })
    const starts = invoices.map((each: { periodStart: string }) => each.periodStart)
    expect(starts).toEqual([...starts].sort())
    expect(new Set(starts).size).toBe(24)
    // Time by the process does not move it.
    await ada.later(90 * DAY_MS)
    await world.run('billing.lifecycle')
    expect((await ada.get('/billing/invoices')).data.pagination.total).toBe(24)
  })

  it('LAW: one leap leaves what any partition of it leaves', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.integer({ min: 1, max: 399 }), { maxLength: 4 }),
        fc.constantFrom('monthly', 'annual'),
        fc.boolean(),
        fc.option(fc.tuple(fc.integer({ min: 0, max: 300 }), fc.option(fc.integer({ min: 1, max: 60 })))),
        async (days, interval, ends, failing) => {
          const lived = await Promise.all(
            [days.sort((a, b) => a - b), []].map(async (stops) => {
              const account = await world.sibling()
              const clock = await clockOf(account)
              const { id } = await account.subscribe('pro', { interval })
              await account.post(`/billing/subscriptions/${id}/addons`, {
                addons: ['compliance_standard', 'compliance_advanced'].map((bundleId) => ({ bundleId, quantity: 1 })),
              })
              if (ends) await account.cancel()
              if (failing !== null) {
                const [from, lasts] = failing
                const until = lasts === null ? {} : { until: after(clock, (from + lasts) * DAY_MS) }
                await account.post(`/billing/clocks/${clock.id}/fail-payments`, {
                  from: after(clock, from * DAY_MS),
                  ...until,
                })
              }
              for (const day of [...stops, 400]) await advance(account, clock.id, after(clock, day * DAY_MS))
              const { invoices } = (await account.get('/billing/invoices?limit=100&sortOrder=asc')).data
              const left = (each: { createdAt: string; totalCents: number; creditCents: number; status: string }) => [
                Date.parse(each.createdAt) - Date.parse(clock.now),
                each.totalCents,
                each.creditCents,
                each.status,
              ]
              const subscription = await account.subscription()
              return [
                invoices.map(left),
                subscription?.creditBalanceCents,
                subscription?.status,
                (await account.events()).map(({ type, createdAt }) => [
                  type,
                  Date.parse(createdAt) - Date.parse(clock.now),
                ]),
              ]
            }),
          )
          expect(lived[0]).toEqual(lived[1])
        },
      ),
      { numRuns: 5 },
    )
  })

  it('is given before the first subscription, once, and is nobody else’s', async () => {
    await ada.subscribe('pro')
    const late = await ada.post('/billing/clocks', { name: 'late' })
    expect([late.status, late.code]).toEqual([409, 'CONFLICT'])
    const eve = await world.sibling()
    const clock = await clockOf(eve)
    expect((await eve.post('/billing/clocks', { name: 'again' })).status).toBe(409)
    expect((await advance(ada, clock.id, after(clock, DAY_MS))).status).toBe(404)
    expect((await ada.get('/billing/clocks')).data.clocks).toEqual([])
    expect((await eve.get('/billing/clocks')).data.clocks).toMatchObject([{ id: clock.id, now: clock.now }])
  })

  it.each([
    ['back', -1],
    ['nowhere', 0],
    ['six years', 6 * 366 * DAY_MS],
  ])('does not move %s', async (_where, ms) => {
    const clock = await clockOf(ada)
    const answer = await advance(ada, clock.id, after(clock, ms))
    expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(JSON.stringify(answer.body)).toContain('/body/to')
    expect((await ada.get('/billing/clocks')).data.clocks[0].now).toBe(clock.now)
  })

  it('takes everything along that happened by it', async () => {
    const clock = await clockOf(ada)
    await ada.subscribe('pro')
    const answer = await world.confirmed('DELETE', `/billing/clocks/${clock.id}`, undefined, ada.person)
    expect(answer.data).toEqual({ deleted: clock.id })
    expect((await ada.get('/billing/invoices')).data.invoices).toEqual([])
    expect(await ada.quotas()).toMatchObject({ tier: 'developer' })
    expect((await ada.subscribe('pro')).planId).toBe('pro')
    expect((await ada.get('/billing/subscription')).data.sandbox).toBeUndefined()
  })

  it('leaves what its account was given as spent by the promotion', async () => {
    const clock = await clockOf(ada)
    const draft = { name: 'sandbox', trigger: { type: 'subscription_created' }, value: 500, unit: 'dollar' }
    const body = { ...draft, kind: 'onetime', budgetCents: 10_000, sandbox: true }
    const made = await world.call('POST', '/billing/admin/promotions', body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    await ada.subscribe('pro')
    const spend = async () => (await world.get(`/billing/admin/promotions/${made.data.promotion.id}/spend`)).data.spend
    expect(await spend()).toMatchObject({ committedCents: 500, driftCents: 0 })
    await world.confirmed('DELETE', `/billing/clocks/${clock.id}`, undefined, ada.person)
    expect(await spend()).toMatchObject({ committedCents: 500, committedGrants: 1, driftCents: 0 })
    await world.call('PUT', `/billing/admin/promotions/${made.data.promotion.id}`, { isActive: false })
  })

  it.each([
    ['a sandbox', 'one that pays', true],
    ['an account that pays', 'a sandbox', false],
  ])('gives nothing where %s refers %s', async (_who, _whom, isSandboxReferring) => {
    const eve = await world.sibling()
    await clockOf(isSandboxReferring ? ada : eve)
    const promotions: string[] = []
    for (const sandbox of [true, false]) {
      const draft = { name: 'friends', trigger: { type: 'referral' }, value: 500, unit: 'dollar', kind: 'onetime' }
      const made = await world.call('POST', '/billing/admin/promotions', { ...draft, budgetCents: 10_000, sandbox })
      promotions.push(made.data.promotion.id)
    }
    await ada.subscribe('pro')
    const made = await eve.post('/billing/subscriptions', { planId: 'pro', referralCode: ada.orgId })
    expect([made.status, made.data.referral]).toEqual([201, { status: 'ignored', reason: 'referrer_not_subscribed' }])
    await world.run('billing.referral')
    const balances = [await ada.subscription(), await eve.subscription()].map((each) => each.creditBalanceCents)
    expect(balances).toEqual([0, 0])
    for (const id of promotions) await world.call('DELETE', `/billing/admin/promotions/${id}`)
  })

  it('is not there while test clocks are off', async () => {
    const off = await BillingWorld.start(store)
    off.app.clock.set(world.app.clock.now())
    expect((await off.call('POST', '/billing/clocks', { name: 'off' }, ada.person)).status).toBe(404)
  })
})
