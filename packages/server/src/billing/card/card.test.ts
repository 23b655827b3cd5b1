/** With the card provider: nothing is granted before its yes, each call has its effect once, and deliveries in any order end in one state. */
import { eq } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CardApp, cardApp, pass } from '../../../test/support/card.js'
import { describeStores } from '../../../test/support/describe-stores.js'
import { confirmed, runJobs, signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { queuedMails, type SignedIn, signUp, verifyAddress } from '../../../test/support/sign-in.js'
import { lockAccount } from '../../identity/index.js'
import type { Store } from '../../runtime/store/db.js'
import { createSubscription, dispute, end, refund, setEnd } from '../fake/card/billing.js'
import { FAULT_KINDS } from '../fake/card/faults.js'
import { BILLING_JOBS } from '../operations.js'
import { providerTables } from '../provider-tables.js'
import { billingTables } from '../tables.js'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

await describeStores('card provider', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let card: CardApp
  let root: SignedIn
  let ada: SignedIn
  let people = 0
  const start = Date.parse('2026-11-21T10:00:00.000Z')
  beforeAll(async () => {
    store = await open()
    card = await cardApp(store, { BILLING_PLAN_ENTERPRISE_TRIAL_DAYS: '10' })
    root = await superAdmin(card.app, 'root')
  })
  beforeEach(async () => {
    card.app.clock.set(start + people * 400 * DAY_MS)
    card.waiting.length = 0
    card.fake.faults.clear()
    card.fake.shape = 'new'
    card.fake.state.subscriptions.clear()
    card.fake.state.events.length = 0
    card.fake.log.length = 0
    await store.system.write(async (tx) => {
      await tx.update(providerTables(tx).billingProviderLinks).set({ isEnded: true })
    })
    root = await signInAgain(card.app, root)
    ada = await signUp(card.app, `ada${++people}`)
  })
  afterAll(async () => {
    await card.close()
    await store.close()
  })

  const call = (method: string, path: string, body?: object, headers = {}) =>
    card.app.call(method, path, { as: ada, ...(body === undefined ? {} : { body }), headers })
  const asRoot = (method: string, path: string) => card.app.call(method, path, { as: root })
  const current = async () => (await call('GET', '/billing/subscription')).data.subscription
  const tier = async () => (await call('GET', '/quotas')).data.quota.tier
  const customer = () =>
    [...card.fake.state.customers.values()].find(({ metadata }) => metadata.plumbline_org === ada.orgId)
  const atProvider = () =>
    [...card.fake.state.subscriptions.values()].filter((each) => each.customer === customer()?.id)
  const pay = (choice: 'good' | 'declines' = 'good') => {
    const invoice = [...card.fake.state.invoices.values()].findLast((each) => each.customer === customer()?.id)
    const { search } = new URL(`http://x/?card=${choice}`)
    return fetch(`${card.fake.state.pagesAt}/_fake/pay/${invoice?.id}${search}`, { method: 'POST' })
  }
  /** Subscribed and paid. */
  const subscribed = async (planId = 'pro', interval = 'monthly') => {
    const created = await call('POST', '/billing/subscriptions', { planId, interval })
    expect(created.status).toBe(201)
    await pay()
    await card.deliverAll()
    const subscription = await current()
    expect(subscription).toMatchObject({ planId, status: 'active', paymentUrl: null })
    return subscription as { id: string; currentPeriodEnd: string }
  }
  const change = (id: string, body: object, headers = {}) => call('PUT', `/billing/subscriptions/${id}`, body, headers)
  const later = async (ms: number) => {
    ada = await pass(card, ms, ada)
    root = await signInAgain(card.app, root)
  }
  const notices = async () =>
    (await queuedMails(card.app))
      .map(({ values }) => values)
      .filter(({ organization }) => organization === `ada${people} org`)
      .map(({ subject, content }) => ({ subject, content }))
  const reconcile = () => asRoot('POST', '/billing/admin/reconcile')

  describe('subscribing', () => {
    it('waits for the payment on the page of the provider, and entitles with it', async () => {
      const created = await call('POST', '/billing/subscriptions', { planId: 'pro' })
      expect(created.status).toBe(201)
      expect(created.data.subscription).toMatchObject({ status: 'incomplete', planId: 'pro' })
      expect(created.data.subscription.paymentUrl).toContain('/_fake/pay/in_')
      // The delivery about it names its invoice by the id alone.
      await card.deliverAll()
      expect(await current()).toMatchObject({ status: 'incomplete', paymentUrl: created.data.subscription.paymentUrl })
      expect(await tier()).toBe('developer')
      await pay()
      await card.deliverAll()
      expect(await current()).toMatchObject({ status: 'active', planId: 'pro', paymentUrl: null })
      expect(await tier()).toBe('pro')
      const { invoices } = (await call('GET', '/billing/invoices')).data
      expect(invoices).toMatchObject([{ totalCents: 4900, amountPaidCents: 4900, status: 'paid' }])
      expect(atProvider()).toHaveLength(1)
    })

    it('is free for the free plan, and begins at the provider with the first paid one', async () => {
      const created = await call('POST', '/billing/subscriptions', { planId: 'developer' })
      expect(created.data.subscription).toMatchObject({ status: 'active', planId: 'developer' })
      expect(card.fake.log).toEqual([])
      const changed = await change(created.data.subscription.id, { planId: 'team' })
      expect(changed.data.subscription).toMatchObject({ planId: 'team', status: 'incomplete' })
      expect(await tier()).toBe('developer')
      await pay()
      await card.deliverAll()
      expect(await tier()).toBe('team')
    })

    it('is charged a whole period that begins with the change, as shown, when nothing was paid before', async () => {
      const { id } = (await call('POST', '/billing/subscriptions', { planId: 'developer' })).data.subscription
      await later(10 * DAY_MS)
      const asked = { planId: 'team', interval: 'annual' }
      const atTheEnd = { ...asked, when: 'period_end' }
      for (const refused of [await call('POST', '/billing/preview', atTheEnd), await change(id, atTheEnd)]) {
        expect([refused.status, refused.body.details]).toEqual([409, { reason: 'nothing_paid' }])
      }
      const { preview } = (await call('POST', '/billing/preview', asked)).data
      const { effectiveAt } = preview
      expect([preview.when, preview.invoiceNow.totalCents]).toEqual(['now', 149_000])
      await change(id, { ...asked, previewToken: preview.previewToken })
      await pay()
      await card.deliverAll()
      const shown = await current()
      expect([shown.interval, shown.currentPeriodStart]).toEqual(['annual', effectiveAt])
      expect((await call('GET', '/billing/invoices')).data.invoices[0]).toMatchObject({ totalCents: 149_000 })
      const { invoice } = (await call('GET', '/billing/invoices/next')).data
      expect(invoice).toEqual({ ...preview.nextInvoice, dueAt: shown.currentPeriodEnd })
    })

    it('sells add-ons beside the free plan, and says how to end what is paid', async () => {
      const { id } = (await call('POST', '/billing/subscriptions', { planId: 'developer' })).data.subscription
      const addons = `/billing/subscriptions/${id}/addons`
      const twoPacks = { bundleId: 'pipeline_pack', quantity: 2 }
      expect((await call('POST', `${addons}/preview`, twoPacks)).data.invoiceNow.totalCents).toBe(3000)
      await call('POST', addons, twoPacks)
      await pay()
      await card.deliverAll()
      const paid = { planId: 'developer', status: 'active', addons: [twoPacks] }
      expect(await current()).toMatchObject(paid)
      expect(atProvider()[0]?.items.map(({ price, quantity }) => [price, quantity])).toEqual([
        ['price_pipeline_pack_monthly', 2],
      ])
      expect((await reconcile()).data.drift).toEqual([])
      const ends = { status: 409, body: { message: expect.stringContaining('cancel the subscription') } }
      expect(await call('DELETE', `${addons}/pipeline_pack`)).toMatchObject(ends)
      expect(await call('POST', `${addons}/preview`, { ...twoPacks, quantity: 0 })).toMatchObject(ends)
      expect((await change(id, { planId: 'pro' })).data.subscription).toMatchObject({ ...paid, planId: 'pro' })
      expect((await change(id, { planId: 'developer' })).data.subscription).toMatchObject(paid)
    })

    it('keeps a referral until the first payment, and none for what was refused', async () => {
      const referrer = ada
      await subscribed('team')
      const draft = { name: 'friends', trigger: { type: 'referral' }, value: 1_000, unit: 'dollar', kind: 'onetime' }
      const promotion = { ...draft, referrerValue: 700, budgetCents: 10_000 }
      const made = await card.app.call('POST', '/billing/admin/promotions', { as: root, body: promotion })
      expect(made.status, JSON.stringify(made.body)).toBe(201)
      ada = await signUp(card.app, `eve${people}`)
      const subscribe = () => call('POST', '/billing/subscriptions', { planId: 'pro', referralCode: referrer.orgId })
      const { prices } = card.fake.state
      const price = prices.get('price_pro_monthly')
      prices.delete('price_pro_monthly')
      expect((await subscribe()).status).toBe(409)
      if (price !== undefined) prices.set(price.id, price)
      const recorded = await subscribe()
      expect([recorded.status, recorded.data.referral]).toEqual([201, { status: 'recorded' }])
      const give = () => runJobs(card.app, BILLING_JOBS, ['billing.referral'])
      await give()
      const balances = async () => {
        const credit = async (as: SignedIn) =>
          (await card.app.call('GET', '/billing/subscription', { as })).data.subscription?.creditBalanceCents ?? 0
        return [await credit(ada), await credit(referrer)]
      }
      expect(await balances()).toEqual([0, 0])
      await pay()
      await card.deliverAll()
      await give()
      await give()
      expect(await balances()).toEqual([1_000, 700])
    })

    it('tells an alert in the second in which the provider goes on', async () => {
      await verifyAddress(card.app, ada.userId)
      await subscribed('team')
      const told = async () =>
        (await queuedMails(card.app))
          .filter(({ to, template }) => to === ada.email && template === 'billing.notice')
          .map(({ values }) => values['subject'])
      const { id } = await current()
      await confirmed(card.app, 'POST', `/billing/subscriptions/${id}/cancel`, { as: ada })
      await card.deliverAll()
      await call('POST', '/billing/alerts', { kind: 'next_invoice_over', thresholdCents: 10_000 })
      expect(await told()).toEqual([])
      await later(MINUTE_MS)
      const [there] = atProvider()
      if (there !== undefined) setEnd(card.fake.ledger, there, false)
      await card.deliverAll()
      expect(await current()).toMatchObject({ cancelAtPeriodEnd: false })
      expect(await told()).toEqual(['The next invoice is $149.00, above $100.00'])
    })

    it('begins with the trial of the plan, which the provider ends', async () => {
      const created = await call('POST', '/billing/subscriptions', { planId: 'enterprise' })
      expect(created.data.subscription).toMatchObject({ status: 'trialing', paymentUrl: null })
      expect(await tier()).toBe('enterprise')
      const known = customer()
      if (known !== undefined) known.card = 'good'
      await later(11 * DAY_MS)
      await card.deliverAll()
      expect(await current()).toMatchObject({ status: 'active' })
      const { invoices } = (await call('GET', '/billing/invoices')).data
      expect(invoices).toMatchObject([{ status: 'paid', totalCents: 59_900 }])
    })

    it('ends with a trial for which nobody gave a payment method', async () => {
      await verifyAddress(card.app, ada.userId)
      await call('POST', '/billing/subscriptions', { planId: 'enterprise' })
      await later(8 * DAY_MS)
      await card.job('billing.lifecycle')
      await later(3 * DAY_MS)
      await card.deliverAll()
      expect(await current()).toBeNull()
      expect(await tier()).toBe('developer')
      expect((await notices()).map(({ content }) => content)).toEqual([
        expect.stringContaining('$599.00. Without a payment method it ends instead'),
        expect.stringContaining('The trial of Enterprise is over, and there was no payment method'),
      ])
    })

    it('tells nobody of an end that the account asked for, and tells of one that it did not ask for', async () => {
      await verifyAddress(card.app, ada.userId)
      const ended = async (asks: boolean) => {
        const before = (await notices()).length
        const { id } = (await call('POST', '/billing/subscriptions', { planId: 'enterprise' })).data.subscription
        if ((await current())?.status === 'incomplete') await pay()
        await card.deliverAll()
        if (asks)
          expect((await confirmed(card.app, 'POST', `/billing/subscriptions/${id}/cancel`, { as: ada })).status).toBe(
            200,
          )
        const there = atProvider().at(-1)
        if (there !== undefined) end(card.fake.ledger, there)
        await card.deliverAll()
        expect(await current()).toBeNull()
        return (await notices()).slice(before).map(({ subject }) => subject)
      }
      expect(await ended(true)).toEqual([])
      expect(await ended(false)).toEqual(['The subscription to Enterprise has ended'])
    })

    it('reserves with 202 while the provider is away, and goes on by itself', async () => {
      card.fake.faults.add({ kind: 'lose_request', times: 2 })
      const created = await call('POST', '/billing/subscriptions', { planId: 'pro' })
      expect([created.status, created.data.subscription.status]).toEqual([202, 'incomplete'])
      expect((await call('POST', '/billing/subscriptions', { planId: 'pro' })).code).toBe('CHANGE_IN_PROGRESS')
      await later(MINUTE_MS)
      await card.calls()
      await later(MINUTE_MS)
      await card.calls()
      expect(atProvider()).toHaveLength(1)
      await pay()
      await card.deliverAll()
      expect(await tier()).toBe('pro')
    })

    it('finds the customer that was made by a call that failed', async () => {
      card.fake.faults.add({ kind: 'fail_done', match: 'POST /v1/customers' })
      expect((await call('POST', '/billing/subscriptions', { planId: 'pro' })).status).toBe(202)
      await later(MINUTE_MS)
      await card.calls()
      const mine = [...card.fake.state.customers.values()].filter(
        ({ metadata }) => metadata.plumbline_org === ada.orgId,
      )
      expect(mine).toHaveLength(1)
      expect(atProvider()).toHaveLength(1)
    })

    it('asks under another key for a customer that was not made', async () => {
      card.fake.faults.add({ kind: 'fail', match: 'POST /v1/customers' })
      expect((await call('POST', '/billing/subscriptions', { planId: 'pro' })).status).toBe(202)
      await later(MINUTE_MS)
      await card.calls()
      expect(atProvider()).toHaveLength(1)
    })

    it('leaves nothing behind where the provider refuses', async () => {
      const { prices } = card.fake.state
      const price = prices.get('price_pro_monthly')
      prices.delete('price_pro_monthly')
      const refused = await call('POST', '/billing/subscriptions', { planId: 'pro' })
      if (price !== undefined) prices.set(price.id, price)
      expect([refused.status, refused.code]).toEqual([409, 'CONFLICT'])
      expect(await current()).toBeNull()
      expect(atProvider()).toEqual([])
    })

    it('is asked once for one Idempotency-Key, and once for a race', async () => {
      const keyed = () => call('POST', '/billing/subscriptions', { planId: 'pro' }, { 'idempotency-key': 'once' })
      const [first, second] = [await keyed(), await keyed()]
      expect(second.data).toEqual(first.data)
      expect(atProvider()).toHaveLength(1)
      ada = await signUp(card.app, `eva${people}`)
      const both = await Promise.all(
        ['pro', 'team'].map((planId) => call('POST', '/billing/subscriptions', { planId })),
      )
      expect(both.map(({ status }) => status).sort()).toEqual([201, 409])
      expect(atProvider()).toHaveLength(1)
    })
  })

  describe('a change', () => {
    it('is invoiced by the provider, and holds when it says yes', async () => {
      const { id } = await subscribed()
      await later(10 * DAY_MS)
      const changed = await change(id, { planId: 'team' })
      expect([changed.status, changed.data.subscription.planId]).toEqual([200, 'team'])
      expect(await tier()).toBe('team')
      await card.deliverAll()
      const { invoices } = (await call('GET', '/billing/invoices')).data
      expect(invoices[0].lines.map(({ kind }: { kind: string }) => kind)).toEqual(['proration', 'proration'])
    })

    it('that is not paid changes nothing: 402', async () => {
      const { id } = await subscribed()
      const known = customer()
      if (known !== undefined) known.card = 'declines'
      const changed = await change(id, { planId: 'team' })
      expect([changed.status, changed.code]).toEqual([402, 'PAYMENT_FAILED'])
      expect(await current()).toMatchObject({ planId: 'pro', pendingChange: null })
      expect(await tier()).toBe('pro')
      expect(atProvider()[0]?.items.map(({ price }) => price)).toEqual(['price_pro_monthly'])
    })

    it('waits with 202 while the provider is away, grants nothing, and can be taken back before it was sent', async () => {
      const { id } = await subscribed()
      card.fake.faults.add({ kind: 'lose_answer', match: 'POST /v1/subscriptions', times: 2 })
      const changed = await change(id, { planId: 'team' })
      expect(changed.status).toBe(202)
      expect(changed.data.subscription).toMatchObject({
        planId: 'pro',
        pendingChange: { planId: 'team', waitsFor: 'provider' },
      })
      expect(await tier()).toBe('pro')
      expect((await change(id, { planId: 'enterprise' })).code).toBe('CHANGE_IN_PROGRESS')
      expect((await call('DELETE', `/billing/subscriptions/${id}/pending-change`)).code).toBe('CHANGE_IN_PROGRESS')
      await later(MINUTE_MS)
      await card.calls()
      expect(await current()).toMatchObject({ planId: 'team', pendingChange: null })
      expect(await tier()).toBe('team')
    })

    it('for the end of the period is there already, and holds with the next one', async () => {
      const { id, currentPeriodEnd } = await subscribed('team')
      const changed = await change(id, { planId: 'pro', when: 'period_end' })
      expect(changed.data.subscription).toMatchObject({
        planId: 'team',
        pendingChange: { planId: 'pro', waitsFor: 'period_end' },
      })
      await card.deliverAll()
      await later(Date.parse(currentPeriodEnd) - card.app.clock.now() + DAY_MS)
      await card.deliverAll()
      expect(await current()).toMatchObject({ planId: 'pro', pendingChange: null })
      expect((await call('GET', '/billing/invoices')).data.invoices[0].totalCents).toBe(4900)
    })

    it('of the interval keeps the period that is paid, and draws the year behind it', async () => {
      const { id, currentPeriodEnd } = await subscribed()
      expect((await change(id, { interval: 'annual' })).data.subscription.pendingChange.interval).toBe('annual')
      await card.deliverAll()
      expect(await current()).toMatchObject({ status: 'active', interval: 'monthly', currentPeriodEnd })
      await later(Date.parse(currentPeriodEnd) - card.app.clock.now() + DAY_MS)
      await card.deliverAll()
      expect(await current()).toMatchObject({ status: 'active', interval: 'annual', pendingChange: null })
      expect((await call('GET', '/billing/invoices')).data.invoices[0].totalCents).toBe(49_000)
    })

    it('of the interval stays what it is when it is asked for twice, and lets nothing through that is not charged', async () => {
      const { id, currentPeriodEnd } = await subscribed()
      await change(id, { interval: 'annual' })
      expect((await change(id, { interval: 'annual' })).status).toBe(200)
      await card.deliverAll()
      const waiting = { status: 'active', interval: 'monthly', pendingChange: { interval: 'annual' } }
      expect(await current()).toMatchObject(waiting)
      const refused = await change(id, { planId: 'enterprise' })
      expect([refused.status, refused.code, refused.body.message]).toEqual([
        ...[409, 'CONFLICT'],
        `this period is held until ${currentPeriodEnd} for the change of the interval: ask with \`when: "period_end"\`, or after that`,
      ])
      expect(await tier()).toBe('pro')
      expect(await current()).toMatchObject({ ...waiting, planId: 'pro' })
      // The period stays held when the change is taken back.
      expect((await call('DELETE', `/billing/subscriptions/${id}/pending-change`)).status).toBe(200)
      expect((await change(id, { planId: 'enterprise' })).body.details).toEqual({ reason: 'period_held' })
      // The provider is not asked for a charge either while we do not know that it holds the period.
      await store.system.write((tx) => tx.update(providerTables(tx).billingProviderLinks).set({ isPeriodHeld: false }))
      expect((await change(id, { planId: 'enterprise' })).body.details).toEqual({ providerCode: 'period_held' })
      expect(await current()).toMatchObject({ status: 'active', planId: 'pro', pendingChange: null })
      expect((await change(id, { planId: 'team', when: 'period_end' })).data.subscription).toMatchObject({
        planId: 'pro',
        pendingChange: { planId: 'team', interval: 'monthly' },
      })
      await later(Date.parse(currentPeriodEnd) - card.app.clock.now() + DAY_MS)
      await card.deliverAll()
      expect(await current()).toMatchObject({ status: 'active', planId: 'team', interval: 'monthly' })
      expect((await change(id, { planId: 'enterprise' })).status).toBe(200)
      expect(await tier()).toBe('enterprise')
    })

    it('of add-ons waits for the end of a held period, and is charged with the interval that it is held for', async () => {
      const { id, currentPeriodEnd } = await subscribed()
      await change(id, { interval: 'annual' })
      await card.deliverAll()
      const set = (more: object) =>
        call('POST', `/billing/subscriptions/${id}/addons`, { bundleId: 'pipeline_pack', quantity: 2, ...more })
      expect((await set({})).code).toBe('CONFLICT')
      const addons = [{ bundleId: 'pipeline_pack', quantity: 2 }]
      const waiting = { interval: 'annual', addons, waitsFor: 'period_end' }
      const asked = await set({ when: 'period_end' })
      expect(asked.data.subscription).toMatchObject({ interval: 'monthly', addons: [], pendingChange: waiting })
      await card.deliverAll()
      expect(await current()).toMatchObject({
        status: 'active',
        interval: 'monthly',
        addons: [],
        pendingChange: waiting,
      })
      expect((await call('GET', '/billing/invoices/next')).data.invoice.totalCents).toBe(
        asked.data.nextInvoice.totalCents,
      )
      await later(Date.parse(currentPeriodEnd) - card.app.clock.now() + DAY_MS)
      await card.deliverAll()
      expect(await current()).toMatchObject({ status: 'active', interval: 'annual', addons, pendingChange: null })
      expect((await call('GET', '/billing/invoices')).data.invoices[0].totalCents).toBe(
        asked.data.nextInvoice.totalCents,
      )
    })

    it('at once is refused while another waits, which the provider would reckon it from', async () => {
      const { id } = await subscribed()
      const at = `/billing/subscriptions/${id}/addons`
      const set = (bundleId: string, more: object = {}) => call('POST', at, { bundleId, quantity: 1, ...more })
      await set('pipeline_pack', { when: 'period_end' })
      const billed = async () => (await call('GET', '/billing/invoices')).data.invoices.length
      const before = await billed()
      const { previewToken } = (await call('POST', '/billing/preview', { planId: 'team', when: 'period_end' })).data
        .preview
      const apiPack = { bundleId: 'api_pack', quantity: 1 }
      for (const refused of [
        await set('api_pack'),
        await change(id, { planId: 'team', previewToken }),
        await call('POST', `${at}/preview`, apiPack),
        await call('POST', '/billing/preview', { planId: 'team' }),
      ]) {
        expect([refused.status, refused.body.details]).toEqual([409, { reason: 'change_waits' }])
      }
      await card.deliverAll()
      expect([await billed(), (await current()).creditBalanceCents]).toEqual([before, 0])
      expect((await set('api_pack', { when: 'period_end' })).data.subscription.pendingChange.addons).toHaveLength(2)
      expect((await call('DELETE', `/billing/subscriptions/${id}/pending-change`)).status).toBe(200)
      expect((await set('api_pack')).data.subscription).toMatchObject({ pendingChange: null })
      await card.deliverAll()
      expect((await current()).addons).toEqual([{ bundleId: 'api_pack', quantity: 1 }])
    })

    it('costs what its preview showed, however long after it the change is sent', async () => {
      const { id } = await subscribed('pro', 'annual')
      await later(DAY_MS / 3)
      const change = { planId: 'team', addons: [{ bundleId: 'ai_pack', quantity: 3 }] }
      const preview = async (body: object) => (await call('POST', '/billing/preview', body)).data.preview
      const drawn = () => [...card.fake.state.invoices.values()].at(-1)?.lines.map(({ cents }) => cents)
      const centsOf = (lines: readonly { cents: number }[]) => lines.map(({ cents }) => cents)
      const shown = await preview(change)
      card.app.clock.advance(14 * MINUTE_MS)
      // A quarter of an hour of a year is some cents.
      expect(centsOf((await preview(change)).invoiceNow.lines)).not.toEqual(centsOf(shown.invoiceNow.lines))
      const named = { ...change, previewToken: shown.previewToken }
      expect((await call('PUT', `/billing/subscriptions/${id}`, named)).status).toBe(200)
      expect(drawn()?.toSorted()).toEqual(centsOf(shown.invoiceNow.lines).toSorted())
    })

    it('whose preview is of a period that is over is charged for the one that runs', async () => {
      const { id } = await subscribed()
      const body = { addons: [{ bundleId: 'ai_pack', quantity: 1 }] }
      const { previewToken } = (await call('POST', '/billing/preview', body)).data.preview
      card.app.clock.advance(MINUTE_MS)
      card.fake.faults.add({ kind: 'lose_request', match: 'POST /v1/subscriptions', times: 20 })
      const waits = await call('PUT', `/billing/subscriptions/${id}`, { ...body, previewToken })
      expect(waits.status).toBe(202)
      await later(32 * DAY_MS)
      card.fake.faults.clear()
      await card.calls()
      const [line] = [...card.fake.state.invoices.values()].at(-1)?.lines ?? []
      expect([line?.isProration, (await current()).addons.length]).toEqual([true, 1])
      expect(line?.cents).toBeLessThan(7500)
    })

    it('goes through where the clock of the provider is before or behind ours', async () => {
      const { id, currentPeriodEnd } = await subscribed()
      const set = (quantity: number, path = '', token = {}) =>
        call('POST', `/billing/subscriptions/${id}/addons${path}`, { bundleId: 'pipeline_pack', quantity, ...token })
      card.fake.advance(Date.parse(currentPeriodEnd) + MINUTE_MS - card.app.clock.now())
      await card.deliverAll()
      expect((await current()).currentPeriodStart).toBe(currentPeriodEnd)
      // For us it has yet to begin, so all of it is left.
      const shown = await set(2, '/preview')
      expect([shown.status, shown.data.invoiceNow.totalCents]).toEqual([200, 3000])
      card.app.clock.advance(MINUTE_MS)
      const done = await set(2, '', { previewToken: shown.data.previewToken })
      expect(done.data.subscription.addons).toEqual([{ bundleId: 'pipeline_pack', quantity: 2 }])
      expect([...card.fake.state.invoices.values()].at(-1)?.subtotal).toBe(3000)
      const { currentPeriodEnd: nextEnd } = await current()
      card.app.clock.set(Date.parse(nextEnd) + MINUTE_MS)
      ada = await signInAgain(card.app, ada)
      expect((await set(3, '/preview')).data.invoiceNow.totalCents).toBe(0)
      expect((await set(3)).status).toBe(200)
    })

    it('of add-ons is one item more, and one less', async () => {
      const { id } = await subscribed()
      const set = await call('POST', `/billing/subscriptions/${id}/addons`, { bundleId: 'pipeline_pack', quantity: 2 })
      expect([set.status, set.data.subscription.addons]).toEqual([200, [{ bundleId: 'pipeline_pack', quantity: 2 }]])
      expect(atProvider()[0]?.items.map(({ price, quantity }) => [price, quantity])).toContainEqual([
        'price_pipeline_pack_monthly',
        2,
      ])
      const removed = await call('DELETE', `/billing/subscriptions/${id}/addons/pipeline_pack`)
      expect(removed.data.subscription.addons).toEqual([])
      expect(atProvider()[0]?.items).toHaveLength(1)
    })
  })

  describe('the end', () => {
    it('stays asked for while the provider is away, until it confirms', async () => {
      const { id, currentPeriodEnd } = await subscribed()
      card.fake.faults.add({ kind: 'fail', times: 1, match: 'POST /v1/subscriptions' })
      const canceled = await confirmed(card.app, 'POST', `/billing/subscriptions/${id}/cancel`, { as: ada })
      expect([canceled.status, canceled.data.subscription.cancelAtPeriodEnd]).toEqual([200, true])
      expect(atProvider()[0]?.cancelAtPeriodEnd).toBe(false)
      await later(MINUTE_MS)
      await card.calls()
      expect(atProvider()[0]?.cancelAtPeriodEnd).toBe(true)
      await later(Date.parse(currentPeriodEnd) - card.app.clock.now() + DAY_MS)
      await card.deliverAll()
      expect(await current()).toBeNull()
      expect(await tier()).toBe('developer')
    })

    it('is taken back when the provider says so', async () => {
      const { id } = await subscribed()
      await confirmed(card.app, 'POST', `/billing/subscriptions/${id}/cancel`, { as: ada })
      card.fake.faults.add({ kind: 'lose_request', times: 2 })
      const waiting = await call('POST', `/billing/subscriptions/${id}/reactivate`)
      expect([waiting.status, waiting.data.subscription.cancelAtPeriodEnd]).toEqual([202, true])
      await later(MINUTE_MS)
      await card.calls()
      expect(await current()).toMatchObject({ cancelAtPeriodEnd: false })
      expect(atProvider()[0]?.cancelAtPeriodEnd).toBe(false)
    })
  })

  describe('payments', () => {
    it('renew, fail into grace, and come back', async () => {
      const { currentPeriodEnd } = await subscribed()
      await later(31 * DAY_MS)
      await card.deliverAll()
      expect(Date.parse((await current()).currentPeriodEnd)).toBeGreaterThan(Date.parse(currentPeriodEnd))
      const known = customer()
      if (known !== undefined) known.card = 'declines'
      await later(31 * DAY_MS)
      await card.deliverAll()
      expect(await current()).toMatchObject({ status: 'past_due', paymentUrl: expect.stringContaining('/pay/') })
      expect(await tier()).toBe('pro')
      await pay()
      await card.deliverAll()
      expect(await current()).toMatchObject({ status: 'active', graceEndsAt: null, paymentUrl: null })
    })

    it('that are declined change nothing, however often, and the next change is asked for again', async () => {
      const { id } = await subscribed()
      const known = customer()
      if (known !== undefined) known.card = 'declines'
      for (const body of [{ planId: 'team' }, { planId: 'team' }, { planId: 'enterprise' }]) {
        expect(await change(id, body)).toMatchObject({ status: 402, code: 'PAYMENT_FAILED' })
      }
      expect(await current()).toMatchObject({ planId: 'pro', pendingChange: null })
      if (known !== undefined) known.card = 'good'
      expect((await change(id, { planId: 'team' })).data.subscription).toMatchObject({ planId: 'team' })
      expect(await tier()).toBe('team')
    })

    it('that were given back in part stay so when the invoice is told again after a dispute', async () => {
      await subscribed()
      const charge = [...card.fake.state.charges.values()].at(-1)
      if (charge === undefined) throw new Error('nothing was charged')
      refund(card.fake.ledger, charge, 900)
      dispute(card.fake.ledger, charge)
      await card.deliverAll()
      const invoice = async () => (await call('GET', '/billing/invoices')).data.invoices[0]
      expect(await invoice()).toMatchObject({ status: 'disputed', amountPaidCents: 4000 })
      await reconcile()
      expect(await invoice()).toMatchObject({ status: 'disputed', amountPaidCents: 4000 })
    })

    it('are counted from what is open, in whatever order they are told', async () => {
      await subscribed()
      const known = customer()
      if (known !== undefined) known.card = 'declines'
      await later(31 * DAY_MS)
      await later(4 * DAY_MS)
      const told = card.waiting.splice(0).toReversed()
      for (const event of told) await card.deliver(card.fake.signed(event))
      const attempts = async () => {
        const [row] = await store.system.read((db) => {
          const { billingSubscriptions: t } = billingTables(db)
          return db.select().from(t).where(eq(t.orgId, ada.orgId))
        })
        return row?.failedPaymentAttempts
      }
      await reconcile()
      expect(await attempts()).toBe(2)
      await pay()
      await card.deliverAll()
      expect(await attempts()).toBe(0)
    })

    it('that stay away end the grace period, once the provider has said so; a payment restores everything', async () => {
      await verifyAddress(card.app, ada.userId)
      await subscribed()
      const known = customer()
      if (known !== undefined) known.card = 'declines'
      await later(31 * DAY_MS)
      await card.deliverAll()
      const lifecycle = () => runJobs(card.app, BILLING_JOBS, ['billing.lifecycle'])
      await lifecycle()
      await later(7 * DAY_MS)
      await card.deliverAll()
      card.fake.faults.add({ kind: 'lose_request', match: `GET /v1/subscriptions/${atProvider()[0]?.id}`, times: 2 })
      await lifecycle()
      // Nobody could say whether it was paid.
      expect(await tier()).toBe('pro')
      await lifecycle()
      expect(await tier()).toBe('developer')
      expect(await current()).toMatchObject({ status: 'past_due', planId: 'pro' })
      const mails = (await queuedMails(card.app)).filter(({ to }) => to === ada.email)
      const notices = mails.filter(({ template }) => template === 'billing.notice')
      expect(notices.map(({ values }) => values['subject'])).toEqual([
        'A payment for Pro failed',
        'A payment for Pro failed',
        'A payment for Pro failed',
        'Pro is suspended until it is paid',
      ])
      expect(notices[0]?.values['link']).toContain('/_fake/pay/in_')
      await lifecycle()
      expect((await queuedMails(card.app)).filter(({ to }) => to === ada.email)).toHaveLength(mails.length)
      await pay()
      await card.deliverAll()
      expect(await tier()).toBe('pro')
    })

    it('that were made while deliveries were lost keep the plan beyond the grace period', async () => {
      await subscribed()
      const known = customer()
      if (known !== undefined) known.card = 'declines'
      await later(31 * DAY_MS)
      await card.deliverAll()
      await pay()
      card.waiting.length = 0
      expect(await current()).toMatchObject({ status: 'past_due' })
      await later(8 * DAY_MS)
      card.waiting.length = 0
      await runJobs(card.app, BILLING_JOBS, ['billing.lifecycle'])
      expect(await current()).toMatchObject({ status: 'active' })
      expect(await tier()).toBe('pro')
    })

    it('that are refunded or disputed show on their invoice, and never become paid again', async () => {
      await subscribed()
      const [charge] = [...card.fake.state.charges.values()].slice(-1)
      const invoicesOf = async () => (await call('GET', '/billing/invoices')).data.invoices
      const post = (what: string, body: object) =>
        fetch(`${card.fake.state.pagesAt}/_fake/${what}/${charge?.id}`, { method: 'POST', body: JSON.stringify(body) })
      const paid = card.fake.state.events.findLast(({ type }) => type === 'invoice.paid')
      await post('refund', { cents: 1000 })
      await card.deliverAll()
      expect(await invoicesOf()).toMatchObject([{ status: 'refunded', amountPaidCents: 3900 }])
      if (paid !== undefined) await card.deliver(card.fake.signed({ ...paid, id: 'evt_other' }))
      expect(await invoicesOf()).toMatchObject([{ status: 'refunded', amountPaidCents: 3900 }])
      await post('dispute', {})
      await card.deliverAll()
      expect(await invoicesOf()).toMatchObject([{ status: 'disputed' }])
    })
  })

  describe('a delivery', () => {
    const forged = async (body: string, secret: string, atMs = card.app.clock.now()) => {
      const { FakeCard } = await import('../fake/card/fake.js')
      const other = new FakeCard({ now: () => atMs, secret })
      return { body, signature: other.signed({ id: 'evt_x', type: 'x', created: 1, object: { id: 'x' } }).signature }
    }
    const told = () => ({
      id: `evt_${people}`,
      type: 'customer.subscription.updated',
      created: Math.floor(card.app.clock.now() / 1000),
      object: { id: 'sub_x' },
    })

    it('is taken with a signature of now, of any of our secrets, over these bytes', async () => {
      const good = card.fake.signed(told())
      const bad = [
        { ...good, body: `${good.body} ` },
        { ...good, signature: '' },
        { ...good, signature: 't=1,v1=00' },
        await forged(good.body, 'whsec_other'),
      ]
      for (const each of bad) {
        const answer = await card.deliver(each)
        expect([answer.status, answer.code]).toEqual([400, 'INVALID_SIGNATURE'])
      }
      for (const offset of [-301_000, 301_000]) {
        card.app.clock.advance(offset)
        expect((await card.deliver(good)).code).toBe('INVALID_SIGNATURE')
        card.app.clock.advance(-offset)
      }
      expect((await card.deliver(good)).status).toBe(200)
      expect((await card.deliver({ body: 'x'.repeat(1_048_577), signature: good.signature })).code).toBe(
        'PAYLOAD_TOO_LARGE',
      )
      const noJson = card.fake.signed({ ...told(), id: 'evt_no' })
      expect((await card.deliver({ ...noJson, body: 'no' })).code).toBe('INVALID_SIGNATURE')
    })

    it('of another mode, another account or another month is answered, and is nothing', async () => {
      const sign = async (event: object) => {
        const { signDelivery } = await import('@plumbline/billing-core')
        const { nodeCrypto } = await import('@plumbline/billing-core/node')
        const body = JSON.stringify({ ...(JSON.parse(card.fake.signed(told()).body) as object), ...event })
        return {
          body,
          signature: signDelivery(nodeCrypto, 'whsec_old', Math.floor(card.app.clock.now() / 1000), Buffer.from(body)),
        }
      }
      const answers = [
        await card.deliver(await sign({ livemode: true })),
        await card.deliver(await sign({ account: 'acct_other' })),
        await card.deliver(await sign({ created: Math.floor(card.app.clock.now() / 1000) - 31 * 86_400 })),
      ]
      expect(answers.map(({ status, data }) => [status, data.ignored])).toEqual([
        [200, 'live mode'],
        [200, 'another account'],
        [200, 'expired'],
      ])
      expect((await asRoot('GET', `/billing/admin/webhook-events?objectId=sub_x`)).data.events).not.toContainEqual(
        expect.objectContaining({ eventId: `evt_${people}` }),
      )
    })

    it('has its effect once, however often it comes', async () => {
      await subscribed()
      const event = card.fake.state.events.find(({ type }) => type === 'invoice.paid')
      if (event === undefined) throw new Error('nothing was paid')
      const before = (await call('GET', '/billing/events?limit=100')).data.events
      for (let n = 0; n < 3; n++) expect((await card.deliver(card.fake.signed(event))).data.duplicate).toBe(true)
      // The same thing under another id.
      await card.deliver(card.fake.signed({ ...event, id: `evt_twin${people}` }))
      expect((await call('GET', '/billing/events?limit=100')).data.events).toEqual(before)
    })

    it('that fails is kept, tried again by the job, and shown', async () => {
      const created = await call('POST', '/billing/subscriptions', { planId: 'pro' })
      await pay()
      card.fake.faults.add({ kind: 'lose_request', match: 'GET /v1/customers', times: 4 })
      await card.deliverAll()
      const failed = (await asRoot('GET', '/billing/admin/webhook-events?state=failed')).data.events
      expect(failed.length).toBeGreaterThan(0)
      await later(10 * MINUTE_MS)
      await card.webhooks()
      expect((await asRoot('GET', '/billing/admin/webhook-events?state=failed')).data.events).toEqual([])
      expect(await current()).toMatchObject({ id: created.data.subscription.id, status: 'active' })
      const { eventId } = failed[0]
      const replayed = await asRoot('POST', `/billing/admin/webhook-events/card_provider/${eventId}/replay`)
      expect(replayed.data).toMatchObject({ dryRun: true, difference: [] })
      expect((await asRoot('GET', `/billing/admin/webhook-events/card_provider/${eventId}`)).data.event.state).toBe(
        'done',
      )
    })

    it('of somebody else is unbound, and changes nobody', async () => {
      const { fake } = card
      const other = { id: `cus_other${people}`, name: 'x', metadata: {}, balance: 0, card: 'good' as const, created: 1 }
      fake.state.customers.set(other.id, other)
      createSubscription(fake.ledger, {
        customer: other.id,
        items: [{ price: 'price_pro_monthly', quantity: 1 }],
        metadata: {},
        strict: false,
      })
      const effects = []
      for (let next = card.waiting.shift(); next !== undefined; next = card.waiting.shift())
        effects.push((await card.deliver(card.fake.signed(next))).data.effect)
      expect(new Set(effects)).toEqual(new Set(['unbound']))
    })
  })

  describe('two hands', () => {
    const calls = () =>
      store.system.read(async (db) => {
        const { billingProviderCalls: t } = providerTables(db)
        return db.select().from(t).where(eq(t.orgId, ada.orgId))
      })
    const put = (columns: object) =>
      store.system.write(async (tx) => {
        const { billingProviderCalls: t } = providerTables(tx)
        await tx.update(t).set(columns).where(eq(t.orgId, ada.orgId))
      })

    it('do not send one call', async () => {
      card.fake.faults.add({ kind: 'lose_request', times: 2 })
      await call('POST', '/billing/subscriptions', { planId: 'pro' })
      await put({ leaseUntilMs: card.app.clock.now() + MINUTE_MS })
      const [{ id = '', attempts = 0 } = {}] = await calls()
      const retried = await asRoot('POST', `/billing/admin/calls/${id}/retry`)
      expect([retried.status, retried.data.call.attempts]).toEqual([200, attempts])
      await put({ leaseUntilMs: 0 })
      expect((await asRoot('POST', `/billing/admin/calls/${id}/retry`)).data.call.state).toBe('done')
      expect((await asRoot('POST', `/billing/admin/calls/${id}/retry`)).code).toBe('CONFLICT')
      expect((await asRoot('GET', `/billing/admin/calls?orgId=${ada.orgId}`)).data.calls).toMatchObject([
        { id, kind: 'create', state: 'done' },
      ])
    })

    it('do not apply one answer', async () => {
      const { id } = await subscribed()
      card.fake.faults.add({ kind: 'delay', match: 'POST /v1/subscriptions', delayMs: 300 })
      const changing = change(id, { planId: 'team' })
      await vi.waitFor(
        async () => expect((await calls()).some(({ kind, state }) => kind === 'apply' && state === 'sent')).toBe(true),
        { timeout: 60_000 },
      )
      await put({ fence: 99 })
      expect((await changing).data.subscription.planId).toBe('pro')
      await put({ leaseUntilMs: 0, nextAtMs: 0 })
      await card.calls()
      expect(await current()).toMatchObject({ planId: 'team' })
    })

    it('do not handle one delivery', async () => {
      await subscribed()
      const paid = card.fake.state.events.findLast(({ type }) => type === 'invoice.paid')
      if (paid === undefined) throw new Error('nothing was paid')
      const hold = (columns: object) =>
        store.system.write(async (tx) => {
          const { billingWebhookEvents: t } = providerTables(tx)
          await tx.update(t).set(columns).where(eq(t.eventId, paid.id))
        })
      await hold({ state: 'in_progress', leaseUntilMs: card.app.clock.now() + MINUTE_MS })
      expect((await card.deliver(card.fake.signed(paid))).code).toBe('CONFLICT')
      card.app.clock.advance(MINUTE_MS)
      card.fake.faults.add({ kind: 'delay', match: 'GET /v1/customers', delayMs: 300 })
      const slow = card.deliver(card.fake.signed(paid))
      await new Promise((resolve) => setTimeout(resolve, 100))
      await hold({ fence: 99 })
      expect((await slow).status).toBe(500)
      expect((await asRoot('GET', `/billing/admin/webhook-events/card_provider/${paid.id}`)).data.event.state).toBe(
        'in_progress',
      )
    })
  })

  it('a balance that was read before the ledger went on is read again', async () => {
    await subscribed()
    const other = await cardApp(store, { CARD_PROVIDER_API_URL: card.fake.state.pagesAt })
    other.app.clock.set(card.app.clock.now())
    try {
      const paid = card.fake.state.events.findLast(({ type }) => type === 'invoice.paid')
      const known = customer()
      if (paid === undefined || known === undefined) throw new Error('nothing was paid')
      /** An invoice that gives credit back. */
      const giving = (id: string, from: number, to: number) => {
        known.balance = to
        const object = { ...paid.object, id: `in_${id}`, starting_balance: from, ending_balance: to }
        return card.fake.signed({ ...paid, id: `evt_${id}`, object })
      }
      card.fake.faults.add({ kind: 'delay_answer', match: 'GET /v1/customers', delayMs: 500 })
      const first = card.deliver(giving('first', 0, -500))
      await vi.waitFor(() => expect(card.fake.faults.isOver).toBe(true))
      // Another process has the second, and is faster.
      expect((await other.deliver(giving('second', -500, -1200))).status).toBe(200)
      expect((await first).status).toBe(200)
      expect(await current()).toMatchObject({ creditBalanceCents: 1200 })
    } finally {
      await other.close()
    }
  })

  it('a failure that did what it was asked is read, and not asked again', async () => {
    card.fake.faults.add({ kind: 'fail_done', match: 'POST /v1/subscriptions' })
    expect((await call('POST', '/billing/subscriptions', { planId: 'pro' })).status).toBe(202)
    await later(MINUTE_MS)
    await card.calls()
    expect(atProvider()).toHaveLength(1)
    expect(await current()).toMatchObject({ status: 'incomplete', paymentUrl: expect.stringContaining('/pay/') })
  })

  it('the fake refuses an item of another subscription, and changes nothing', async () => {
    await subscribed()
    const [sub] = atProvider()
    const before = structuredClone(sub)
    const answer = await fetch(`${card.fake.state.pagesAt}/v1/subscriptions/${sub?.id}`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_test_fake' },
      body: new URLSearchParams({ 'items[0][id]': 'si_elsewhere', 'items[0][quantity]': '2' }),
    })
    expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'resource_missing' } }])
    expect(atProvider()).toEqual([before])
  })

  it('two states of one second are read again, older ones are left, and nothing revives what ended', async () => {
    await subscribed()
    const [sub] = atProvider()
    if (sub === undefined) throw new Error('there is no subscription')
    card.app.clock.advance(MINUTE_MS)
    setEnd(card.fake.ledger, sub, true)
    setEnd(card.fake.ledger, sub, false)
    for (const event of card.waiting.splice(0).toReversed()) await card.deliver(card.fake.signed(event))
    expect(await current()).toMatchObject({ cancelAtPeriodEnd: false })
    setEnd(card.fake.ledger, sub, true)
    const [ending] = card.waiting.splice(0)
    card.app.clock.advance(MINUTE_MS)
    setEnd(card.fake.ledger, sub, false)
    await card.deliverAll()
    if (ending === undefined) throw new Error('nothing was told')
    expect((await card.deliver(card.fake.signed(ending))).data.effect).toBe('ignored: older')
    card.app.clock.advance(MINUTE_MS)
    end(card.fake.ledger, sub)
    await card.deliverAll()
    expect(await tier()).toBe('developer')
    card.app.clock.advance(MINUTE_MS)
    const revived = { ...ending, id: `evt_revived${people}`, created: Math.floor(card.app.clock.now() / 1000) }
    expect((await card.deliver(card.fake.signed(revived))).data.effect).toBe('ignored: ended')
  })

  it('an invoice in another currency is not booked', async () => {
    await subscribed()
    const paid = card.fake.state.events.findLast(({ type }) => type === 'invoice.paid')
    if (paid === undefined) throw new Error('nothing was paid')
    const foreign = {
      ...paid,
      id: `evt_eur${people}`,
      object: { ...paid.object, id: `in_eur${people}`, currency: 'eur' },
    }
    expect((await card.deliver(card.fake.signed(foreign))).data.effect).toBe('other currency eur')
    expect((await call('GET', '/billing/invoices')).data.pagination.total).toBe(1)
  })

  it('the comparison finds what was not delivered, repairs it, and lists the drift', async () => {
    const { id } = await subscribed()
    await later(31 * DAY_MS)
    card.waiting.length = 0
    const first = await reconcile()
    expect(first.data.events).toBeGreaterThan(0)
    expect(first.data.drift).toContainEqual({
      orgId: ada.orgId,
      subscriptionId: id,
      what: 'invoice.paid had not arrived: invoice paid',
      repaired: true,
    })
    expect(Date.parse((await current()).currentPeriodEnd)).toBeGreaterThan(card.app.clock.now())
    const [sub] = atProvider()
    const [item] = sub?.items ?? []
    if (item !== undefined) item.price = 'price_team_monthly'
    const second = await reconcile()
    expect(second.data.drift).toMatchObject([{ subscriptionId: id, what: 'plan and add-ons', repaired: true }])
    expect(atProvider()[0]?.items[0]?.price).toBe('price_pro_monthly')
    await card.deliverAll()
    expect((await reconcile()).data.drift).toEqual([])
  })

  it('the portal leads to a page without plans, and is away with the provider', async () => {
    expect((await call('POST', '/billing/portal')).code).toBe('NOT_FOUND')
    await subscribed()
    expect((await call('POST', '/billing/portal')).data.url).toContain('/_fake/portal/cus_')
    expect(card.fake.state.configurations.at(-1)?.features).toMatchObject({
      subscription_cancel: { enabled: 'false' },
      subscription_update: { enabled: 'false' },
    })
    card.fake.faults.add({ kind: 'lose_request', times: 3 })
    expect((await call('POST', '/billing/portal')).code).toBe('PROVIDER_UNAVAILABLE')
  })

  /** What must be the same in the end, whatever happened on the way. */
  const outcome = async () => {
    const { creditBalanceCents, status, planId, cancelAtPeriodEnd, currentPeriodEnd } = (await current()) ?? {}
    const invoices = (await call('GET', '/billing/invoices?limit=100')).data.invoices as {
      totalCents: number
      status: string
      createdAt: string
    }[]
    return {
      creditBalanceCents,
      status,
      planId,
      cancelAtPeriodEnd,
      currentPeriodEnd,
      tier: await tier(),
      invoices: invoices.map((each) => [each.createdAt, each.totalCents, each.status]).sort(),
    }
  }

  it('any order of deliveries, doubled and replayed, ends in one state', async () => {
    const seen: unknown[] = []
    const rows = () =>
      store.system.read(async (db) => {
        const { billingCreditEntries: t } = billingTables(db)
        return (await db.select().from(t).where(eq(t.orgId, ada.orgId))).reduce((sum, row) => sum + row.cents, 0)
      })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(), { minLength: 40, maxLength: 40 }), async (order) => {
        people += 1
        card.app.clock.set(start + 400 * DAY_MS * 3)
        card.fake.state.subscriptions.clear()
        card.waiting.length = 0
        ada = await signUp(card.app, `per${people}`)
        const created = await call('POST', '/billing/subscriptions', { planId: 'pro' })
        const first = card.fake.state.events.length
        await pay()
        ada = await pass(card, 40 * DAY_MS, ada)
        await change(created.data.subscription.id, { planId: 'team' })
        ada = await pass(card, 30 * DAY_MS, ada)
        const told = card.fake.state.events.slice(first - 3)
        const shuffled = told
          .flatMap((event, index) => ((order[index] ?? 0) % 3 === 0 ? [event, event] : [event]))
          .map((event, index) => ({ event, at: order[index % order.length] ?? 0 }))
          .sort((a, b) => a.at - b.at)
        for (const { event } of shuffled) await card.deliver(card.fake.signed(event))
        card.app.clock.advance(20 * MINUTE_MS)
        await card.webhooks()
        await reconcileJobOnce()
        const end = await outcome()
        seen.push({ ...end, entries: await rows() })
      }),
      { numRuns: 5 },
    )
    expect(new Set(seen.map((each) => JSON.stringify(each))).size).toBe(1)
  })
  const reconcileJobOnce = () => runJobs(card.app, BILLING_JOBS, ['billing.reconcile'])

  it('any fault at any step of the network ends with one customer, one subscription, each credit once', {
    timeout: 120_000,
  }, async () => {
    const fault = fc.record({
      kind: fc.constantFrom(...FAULT_KINDS.filter((kind) => !kind.startsWith('delay'))),
      after: fc.nat(8),
      times: fc.integer({ min: 1, max: 2 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(fault, { minLength: 1, maxLength: 4 }), async (faults) => {
        people += 1
        ada = await signUp(card.app, `flt${people}`)
        for (const each of faults) card.fake.faults.add(each)
        const settleAll = async () => {
          for (let n = 0; n < 8; n++) {
            ada = await pass(card, 20 * MINUTE_MS, ada)
            await card.calls()
            await card.deliverAll()
          }
        }
        await call('POST', '/billing/subscriptions', { planId: 'pro' })
        await settleAll()
        await pay()
        await settleAll()
        const subscription = await current()
        await change(subscription.id, { planId: 'team' })
        await settleAll()
        card.fake.faults.clear()
        await settleAll()
        await reconcileJobOnce()
        const customers = [...card.fake.state.customers.values()].filter(
          ({ metadata }) => metadata.plumbline_org === ada.orgId,
        )
        const held = atProvider().filter(({ status }) => status !== 'canceled' && status !== 'incomplete_expired')
        const after = await current()
        return (
          customers.length === 1 &&
          held.length === 1 &&
          held[0]?.items[0]?.price === `price_${after.planId}_monthly` &&
          held[0]?.status === after.status
        )
      }),
      { numRuns: 8 },
    )
  })
})

await describeStores('a burst of deliveries', ['PostgreSQL'], (open) => {
  it('leaves connections to others while the account that it is for is held', { timeout: 60_000 }, async () => {
    const store = await open()
    const card = await cardApp(store)
    let release: () => void = () => undefined
    try {
      const ada = await signUp(card.app, 'ada')
      const bob = await signUp(card.app, 'bob')
      await card.app.call('POST', '/billing/subscriptions', { as: ada, body: { planId: 'pro' } })
      await card.deliverAll()
      const told = card.fake.state.events.find(({ type }) => type === 'customer.subscription.created')
      if (told === undefined) throw new Error('nothing was told')
      const held = new Promise<void>((resolve) => {
        void store.system.write(async (tx) => {
          await lockAccount(tx, ada.orgId)
          resolve()
          await new Promise<void>((end) => {
            release = end
          })
        })
      })
      await held
      // Twice as many as the pool has connections.
      const burst = Array.from({ length: 16 }, (_, n) => card.fake.signed({ ...told, id: `evt_burst${n}` }))
      const answers = Promise.all(burst.map((each) => card.deliver(each)))
      const inHand = () =>
        store.system.read((db) => {
          const { billingWebhookEvents: t } = providerTables(db)
          return db.$count(t, eq(t.state, 'in_progress'))
        })
      await vi.waitFor(async () => expect(await inHand()).toBe(burst.length), { timeout: 60_000 })
      const meanwhile = await card.app.call('POST', '/billing/subscriptions', { as: bob, body: { planId: 'pro' } })
      release()
      expect(meanwhile.status).toBe(201)
      expect((await answers).map(({ status }) => status)).toEqual(burst.map(() => 200))
    } finally {
      release()
      await card.close()
      await store.close()
    }
  })
})
