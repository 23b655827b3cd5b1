/** Promotions and referrals over HTTP: the dry run is what activation grants, and no race spends more than the budget. */
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../../test/support/billing.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { heldWrite } from '../../../test/support/held-write.js'
import type { Store } from '../../runtime/store/db.js'
import { lockRow } from '../../runtime/store/postgres.js'
import { creditTables } from '../credit-tables.js'
import { billingRegistration } from '../registration.js'
import { reserve } from './give.js'

await describeStores('promotions', WITH_POSTGRESQL, (open) => {
  let store: Store
  let world: BillingWorld
  let ada: BillingAccount
  beforeAll(async () => {
    store = await open()
    world = await BillingWorld.start(store)
  })
  beforeEach(async () => {
    ada = await world.account()
    const { promotions } = (await world.get('/billing/admin/promotions?active=true&limit=1000')).data
    for (const { id } of promotions) await world.call('DELETE', `/billing/admin/promotions/${id}`)
  })
  afterAll(async () => {
    expect(world.app.errors.map(String)).toEqual([])
    await store.close()
  })

  const draft = (more: object = {}) => ({
    name: 'Spring',
    trigger: { type: 'subscription_created' },
    value: 1_000,
    unit: 'dollar',
    kind: 'onetime',
    budgetCents: 100_000,
    isActive: true,
    ...more,
  })
  const make = async (more: object = {}) => {
    const answer = await world.call('POST', '/billing/admin/promotions', draft(more))
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.data.promotion
  }
  const balance = async (account: BillingAccount) => (await account.subscription()).creditBalanceCents
  const post = (id: string, rest: string, body: object = {}) =>
    world.call('POST', `/billing/admin/promotions/${id}/${rest}`, body)
  const read = async (id: string) => (await world.get(`/billing/admin/promotions/${id}`)).data.promotion

  it('grants on its trigger, once an account for ever, also after it came back', async () => {
    const { id } = await make({ value: 50, unit: 'percent', perOrgCapCents: 2_000 })
    await ada.subscribe('pro')
    expect(await balance(ada)).toBe(2_000)
    expect(await read(id)).toMatchObject({ spentCents: 2_000, grantsCount: 1 })
    expect((await post(id, 'grant', { targetOrgId: ada.orgId })).data).toMatchObject({
      granted: false,
      reason: 'already_granted',
    })
    expect((await ada.events()).map(({ type }) => type)).toContain('promotion_granted')
  })

  it('shows in a dry run whom activation grants, in which order, and where the budget ends', async () => {
    const others = [ada, await world.sibling(), await world.sibling()]
    for (const account of others) {
      await account.subscribe('pro')
      world.app.clock.advance(1000)
    }
    const body = draft({ trigger: { type: 'manual' }, budgetCents: 2_500 })
    const shown = (await world.call('POST', '/billing/admin/promotions/dry-run', body)).data.projection
    expect(shown).toMatchObject({ eligibleOrgs: 3, projectedCents: 3_000, grantedOrgs: 2, grantedCents: 2_000 })
    expect(shown.accounts).toEqual(
      others.map(({ orgId }, at) => ({
        orgId,
        cents: 1_000,
        granted: at < 2,
        reason: at < 2 ? 'granted' : 'budget_exhausted',
      })),
    )
    expect((await world.get('/billing/admin/promotions?active=true')).data.promotions).toEqual([])
    const { id } = await make({ trigger: { type: 'manual' }, budgetCents: 2_500 })
    expect((await post(id, 'preview')).data.projection).toEqual(shown)
    expect((await post(id, 'activate')).data).toMatchObject({
      matched: 3,
      granted: 2,
      skippedBudget: 1,
      spentCents: 2_000,
    })
    expect(await Promise.all(others.map(balance))).toEqual([1_000, 1_000, 0])
    expect((await post(id, 'activate')).data).toMatchObject({ granted: 0, alreadyGranted: 2, skippedBudget: 1 })
    // More budget: the backfill goes on.
    await world.call('PUT', `/billing/admin/promotions/${id}`, { budgetCents: 5_000 })
    await world.run('billing.promotion-backfill')
    expect(await Promise.all(others.map(balance))).toEqual([1_000, 1_000, 1_000])
    expect((await world.get(`/billing/admin/promotions/${id}/spend`)).data.spend).toMatchObject({
      committedCents: 3_000,
      committedGrants: 3,
      driftCents: 0,
    })
  })

  it('spends a budget that ends in the order of the dry run, also while an account is busy', async () => {
    const others = [ada, await world.sibling(), await world.sibling()]
    for (const account of others) {
      await account.subscribe('pro')
      world.app.clock.advance(1000)
    }
    const { id } = await make({ trigger: { type: 'manual' }, budgetCents: 2_500 })
    const commit = await heldWrite(store, (tx) => lockRow(tx, 'organizations', ada.orgId))
    const activating = post(id, 'activate')
    // It waits for the first account.
    await new Promise((resolve) => setTimeout(resolve, 500))
    await commit()
    expect((await activating).data).toMatchObject({ granted: 2, skippedBudget: 1 })
    expect(await Promise.all(others.map(balance))).toEqual([1_000, 1_000, 0])
  })

  it('gives to many accounts at once where the budget is enough for all', async () => {
    const others = [ada, ...(await Promise.all(Array.from({ length: 7 }, () => world.sibling())))]
    for (const account of others) await account.subscribe('pro')
    const { id } = await make({ trigger: { type: 'manual' } })
    const answer = await post(id, 'activate')
    expect(answer.data).toMatchObject({ matched: 8, granted: 8, skippedBudget: 0, failed: 0, spentCents: 8_000 })
    expect(await Promise.all(others.map(balance))).toEqual(others.map(() => 1_000))
    expect(await read(id)).toMatchObject({ spentCents: 8_000, grantsCount: 8 })
    expect((await post(id, 'activate')).data).toMatchObject({ granted: 0, alreadyGranted: 8 })
  })

  it('LAW: an activation gives exactly what its dry run shows, also where the budget ends among accounts', async () => {
    const crowd = [ada, ...(await Promise.all(Array.from({ length: 10 }, () => world.sibling())))]
    for (const [at, account] of crowd.entries()) {
      const plans = ['pro', 'team', 'developer', 'enterprise']
      await account.subscribe(plans[at % plans.length] ?? 'pro', at % 3 === 0 ? { interval: 'annual' } : {})
      world.app.clock.advance(at % 2)
    }
    const anyDraft = fc.record({
      value: fc.integer({ min: 1, max: 60 }),
      unit: fc.constantFrom('percent', 'dollar'),
      budgetCents: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.constant(10_000_000)),
      maxGrants: fc.option(fc.integer({ min: 1, max: 11 })),
      first: fc.array(fc.nat({ max: crowd.length - 1 }), { maxLength: 2 }),
    })
    await fc.assert(
      fc.asyncProperty(anyDraft, async ({ maxGrants, first, ...body }) => {
        const limit = maxGrants === null ? {} : { maxGrants }
        const { id } = await make({ ...body, ...limit, trigger: { type: 'manual' } })
        for (const at of first) await post(id, 'grant', { targetOrgId: crowd[at]?.orgId })
        const { projection } = (await post(id, 'preview')).data
        const before = await Promise.all(crowd.map(balance))
        expect((await post(id, 'activate')).data).toMatchObject({
          matched: projection.eligibleOrgs,
          granted: projection.grantedOrgs,
          spentCents: projection.grantedCents,
          failed: 0,
        })
        const given = new Map<string, number>(
          projection.accounts.map((each: { orgId: string; cents: number; granted: boolean }) => [
            each.orgId,
            each.granted ? each.cents : 0,
          ]),
        )
        const shown = crowd.map(({ orgId }, at) => (before[at] ?? 0) + (given.get(orgId) ?? 0))
        expect(await Promise.all(crowd.map(balance))).toEqual(shown)
        for (const { orgId } of crowd)
          expect((await world.get(`/billing/admin/credits/${orgId}/check`)).data.ok).toBe(true)
        await world.call('DELETE', `/billing/admin/promotions/${id}`)
      }),
      { numRuns: 12 },
    )
  })

  it('spends no more than the budget, however many ask at once', async () => {
    const accounts = [ada, ...(await Promise.all(Array.from({ length: 5 }, () => world.sibling())))]
    const { id } = await make({ budgetCents: 3_500 })
    await Promise.all(accounts.map((account) => account.subscribe('pro')))
    expect(await read(id)).toMatchObject({ spentCents: 3_000, grantsCount: 3 })
    const balances = await Promise.all(accounts.map(balance))
    expect(balances.reduce((sum, each) => sum + each, 0)).toBe(3_000)
  })

  it('takes unspent grants back with a cancellation, and never grants them again', async () => {
    const { id } = await make()
    await ada.subscribe('pro')
    await ada.cancel()
    expect(await balance(ada)).toBe(0)
    expect(await read(id)).toMatchObject({ spentCents: 0, grantsCount: 0 })
    expect((await ada.events()).find(({ type }) => type === 'promotion_clawback')?.details).toMatchObject({
      grantedCents: 1_000,
      recoveredCents: 1_000,
    })
    await world.run('billing.promotion-backfill')
    expect(await balance(ada)).toBe(0)
    expect(await read(id)).toMatchObject({ spentCents: 0, grantsCount: 0 })
  })

  it('is in the next invoice of the preview that earns it, for a beginning and for another plan', async () => {
    await make({ value: 700 })
    await make({ value: 10, unit: 'percent', kind: 'recurring' })
    await make({ value: 300, trigger: { type: 'plan_change', conditions: { tiers: ['team'] } } })
    await make({ value: 9_999, trigger: { type: 'plan_change' }, budgetCents: 5_000 })
    const preview = async (body: object) => (await ada.post('/billing/preview', body)).data.preview.nextInvoice
    const next = async () => (await ada.get('/billing/invoices/next')).data.invoice
    const first = await preview({ planId: 'pro' })
    expect(first.totalCents).toBe(4_900 - 700 - 490)
    await ada.subscribe('pro')
    expect(await next()).toEqual(first)
    const { id } = await ada.subscription()
    const second = await preview({ planId: 'team' })
    expect(second.totalCents).toBe(14_900 - 700 - 1_490 + 700 - 300)
    await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'team' })
    expect(await next()).toEqual(second)
    // It is granted once an account for ever.
    const back = await preview({ planId: 'pro' })
    await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'pro' })
    expect(await next()).toEqual(back)
    const again = await preview({ planId: 'team' })
    await ada.call('PUT', `/billing/subscriptions/${id}`, { planId: 'team' })
    expect(await next()).toEqual(again)
  })

  it('keeps a recurring promotion to the roll of periods, as the next invoice shows it', async () => {
    const { id } = await make({ kind: 'recurring', budgetCents: 1_500 })
    expect((await post(id, 'activate')).code).toBe('PROMOTION_NOT_ACTIVATABLE')
    await ada.subscribe('pro')
    expect(await balance(ada)).toBe(0)
    const next = (await ada.get('/billing/invoices/next')).data.invoice
    expect(next).toMatchObject({ totalCents: 3_900, grants: [{ source: 'promotion', cents: 1_000 }] })
    await ada.later(30 * DAY_MS)
    await world.run('billing.lifecycle')
    expect((await ada.get('/billing/invoices')).data.invoices[0]).toMatchObject({
      lines: next.lines,
      totalCents: 3_900,
    })
    expect(await read(id)).toMatchObject({ spentCents: 1_000, grantsCount: 1 })
    // Five dollars are left: no partial grant.
    expect((await ada.get('/billing/invoices/next')).data.invoice.totalCents).toBe(4_900)
  })

  it('gives a recurring promotion by hand for the period that runs, and renews it there alone', async () => {
    const { id } = await make({ kind: 'recurring', trigger: { type: 'manual' } })
    const eve = await world.sibling()
    await ada.subscribe('pro')
    await eve.subscribe('pro')
    expect((await post(id, 'grant', { targetOrgId: ada.orgId })).data).toMatchObject({ granted: true, cents: 1_000 })
    expect((await post(id, 'grant', { targetOrgId: ada.orgId })).data.reason).toBe('already_granted')
    await ada.later(32 * DAY_MS)
    await eve.signInAgain()
    await world.run('billing.lifecycle')
    const bill = async (account: BillingAccount) =>
      (await account.get('/billing/invoices')).data.invoices[0].creditCents
    expect([await bill(ada), await bill(eve)]).toEqual([2_000, 0])
    expect(await read(id)).toMatchObject({ spentCents: 2_000, grantsCount: 2 })
  })

  it('gives both sides of a referral: the referee at once, the referrer after the first payment', async () => {
    await ada.subscribe('pro')
    const { id } = await make({ trigger: { type: 'referral' }, referrerValue: 700 })
    const eve = await world.sibling()
    const made = await eve.post('/billing/subscriptions', { planId: 'pro', referralCode: ada.orgId })
    expect(made.data.referral).toEqual({ status: 'recorded' })
    expect([await balance(eve), await balance(ada)]).toEqual([1_000, 0])
    await world.run('billing.referral')
    await world.run('billing.referral')
    expect([await balance(eve), await balance(ada)]).toEqual([1_000, 700])
    expect(await read(id)).toMatchObject({ spentCents: 1_700, grantsCount: 2 })
  })

  it('gives nothing to who bought before it was revoked and is counted after', async () => {
    const { id } = await make()
    const commit = await heldWrite(store, (tx) => {
      const { billingPromotions: t } = creditTables(tx)
      return tx.update(t).set({ isActive: false }).where(eq(t.id, id))
    })
    const buying = ada.post('/billing/subscriptions', { planId: 'pro' })
    // It has read the promotion as it was, and waits to reserve.
    await new Promise((resolve) => setTimeout(resolve, 500))
    await commit()
    expect((await buying).status).toBe(201)
    expect(await balance(ada)).toBe(0)
    expect(await read(id)).toMatchObject({ spentCents: 0, grantsCount: 0 })
  })

  it('has spent what was given where purchases and its revocation come at once', async () => {
    const { id } = await make()
    const accounts = [ada, ...(await Promise.all(Array.from({ length: 5 }, () => world.sibling())))]
    const [revoked, ...bought] = await Promise.all([
      world.call('DELETE', `/billing/admin/promotions/${id}`),
      ...accounts.map((account) => account.post('/billing/subscriptions', { planId: 'pro' })),
    ])
    expect([revoked.status, ...bought.map(({ status }) => status)]).toEqual([200, ...accounts.map(() => 201)])
    const given = (await Promise.all(accounts.map(balance))).filter((cents) => cents === 1_000).length
    expect(await read(id)).toMatchObject({ isActive: false, spentCents: 1_000 * given, grantsCount: given })
  })

  it('reserves nothing beyond the budget, whatever was computed before', async () => {
    const { id } = await make({ budgetCents: 1_500 })
    const take = () => store.system.write((tx) => reserve(tx, id, 1_000))
    expect([await take(), await take()]).toEqual([true, false])
    expect(await read(id)).toMatchObject({ spentCents: 1_000, grantsCount: 1 })
  })

  it('lets nobody refer themself over a second organization of theirs', async () => {
    await ada.subscribe('pro')
    await make({ trigger: { type: 'referral' } })
    const second = (await ada.post('/organization', { name: 'Second' })).data.organization.id
    const made = await world.app.call('POST', '/billing/subscriptions', {
      as: ada.person,
      body: { planId: 'pro', referralCode: ada.orgId },
      headers: { 'x-org-id': second },
    })
    expect(made.data.referral).toEqual({ status: 'ignored', reason: 'self_referral' })
  })

  it.each([
    ['oneself', (own: BillingAccount) => own.orgId, 'self_referral'],
    ['nobody', () => '01900000-0000-7000-8000-000000000000', 'unknown_referrer'],
    ['no code', () => ' ', 'malformed_code'],
  ])('ignores a referral by %s, and subscribes', async (_who, code, reason) => {
    await make({ trigger: { type: 'referral' } })
    const made = await ada.post('/billing/subscriptions', { planId: 'pro', referralCode: code(ada) })
    expect([made.status, made.data.referral]).toEqual([201, { status: 'ignored', reason }])
    expect(await balance(ada)).toBe(0)
  })

  it.each([
    [{ budgetCents: undefined }, '/body/budgetCents'],
    [{ budgetCents: 0 }, '/body/budgetCents'],
    [{ value: 101, unit: 'percent' }, '/body/value'],
    [{ value: 1.5 }, '/body/value'],
    [{ trigger: { type: 'birthday' } }, '/body/trigger/type'],
    [{ endsAt: '2001-01-01T00:00:00.000Z' }, '/body/endsAt'],
    [{ kind: 'recurring', trigger: { type: 'referral' } }, '/body/kind'],
    [{ referrerValue: 5 }, '/body/referrerValue'],
  ])('makes nothing of %j', async (more, path) => {
    const answer = await world.call('POST', '/billing/admin/promotions', draft(more))
    expect([answer.status, answer.code]).toEqual([400, 'VALIDATION_ERROR'])
    expect(JSON.stringify(answer.body)).toContain(path)
  })

  it('keeps what a purged account was granted on the bill of the promotion', async () => {
    const { id } = await make()
    await ada.subscribe('pro')
    const purge = () =>
      store.system.write((tx) =>
        billingRegistration.purge(tx, ada.orgId, 10, world.app.clock.now(), async () => undefined),
      )
    while ((await purge()) > 0);
    await world.run('billing.promotion-backfill')
    expect((await world.get(`/billing/admin/promotions/${id}/spend`)).data.spend).toMatchObject({
      committedCents: 1_000,
      cachedSpentCents: 1_000,
      driftCents: 0,
    })
  })
})
