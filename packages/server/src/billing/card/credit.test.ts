/** Credit at the card provider: it learns of each row once, and of what is taken back; in both shapes of its API; under keys that come and go. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CardApp, cardApp, pass } from '../../../test/support/card.js'
import { describeStores } from '../../../test/support/describe-stores.js'
import { signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { providerTables } from '../provider-tables.js'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

await describeStores('credit at the card provider', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let card: CardApp
  let root: SignedIn
  let ada: SignedIn
  let people = 0
  const start = Date.parse('2031-03-01T10:00:00.000Z')
  beforeAll(async () => {
    store = await open()
    card = await cardApp(store)
    root = await superAdmin(card.app, 'root')
  })
  beforeEach(async () => {
    card.app.clock.set(start + people * 400 * DAY_MS)
    card.waiting.length = 0
    card.fake.faults.clear()
    card.fake.shape = 'new'
    // What earlier tests subscribed to would be renewed in this one.
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

  const call = (method: string, path: string, body?: object) =>
    card.app.call(method, path, { as: ada, ...(body === undefined ? {} : { body }) })
  const asRoot = (method: string, path: string, body?: object) =>
    card.app.call(method, path, { as: root, ...(body === undefined ? {} : { body }) })
  const current = async () => (await call('GET', '/billing/subscription')).data.subscription
  const customer = () =>
    [...card.fake.state.customers.values()].find(({ metadata }) => metadata.plumbline_org === ada.orgId)
  const later = async (ms: number) => {
    ada = await pass(card, ms, ada)
    root = await signInAgain(card.app, root)
    await card.deliverAll()
  }
  const push = async () => {
    for (let n = 0; n < 4; n++) {
      await card.calls()
      await later(MINUTE_MS)
    }
  }
  const subscribed = async () => {
    await call('POST', '/billing/subscriptions', { planId: 'pro' })
    const invoice = [...card.fake.state.invoices.values()].findLast((each) => each.customer === customer()?.id)
    await fetch(`${card.fake.state.pagesAt}/_fake/pay/${invoice?.id}?card=good`, { method: 'POST' })
    await card.deliverAll()
  }
  const withoutPromotions = async () => {
    const { promotions } = (await asRoot('GET', '/billing/admin/promotions?active=true&limit=1000')).data
    for (const { id } of promotions) await asRoot('DELETE', `/billing/admin/promotions/${id}`)
  }
  const promotion = async () => {
    const body = {
      name: `welcome ${people}`,
      trigger: { type: 'subscription_created' },
      value: 20,
      unit: 'dollar',
      kind: 'onetime',
      budgetCents: 100_000,
      isActive: true,
    }
    await withoutPromotions()
    const made = await asRoot('POST', '/billing/admin/promotions', { ...body, value: 2_000 })
    if (made.status !== 201) throw new Error(JSON.stringify(made.body))
    return made.data.promotion as { id: string }
  }
  const refund = async () => {
    const charge = [...card.fake.state.charges.values()].findLast((each) => each.customer === customer()?.id)
    await fetch(`${card.fake.state.pagesAt}/_fake/refund/${charge?.id}`, {
      method: 'POST',
      body: JSON.stringify({ cents: 4900 }),
    })
    await card.deliverAll()
  }
  const rows = () => card.fake.state.balanceRows.filter((each) => each.customer === customer()?.id)

  it('is told to the provider once, whatever is lost on the way, and pays the next invoice', async () => {
    await promotion()
    await subscribed()
    expect((await current()).creditBalanceCents).toBe(2_000)
    card.fake.faults.add({ kind: 'lose_answer', match: 'balance_transactions', times: 1 })
    await push()
    expect(rows().map(({ cents }) => cents)).toEqual([-2_000])
    await later(31 * DAY_MS)
    expect(customer()?.balance).toBe(0)
    expect((await current()).creditBalanceCents).toBe(0)
    const { invoices } = (await call('GET', '/billing/invoices')).data
    expect(invoices[0]).toMatchObject({ totalCents: 2_900, creditCents: 2_000, status: 'paid' })
  })

  it('of a combo that is completed after the invoice was announced pays that invoice', async () => {
    await withoutPromotions()
    await subscribed()
    const { id, currentPeriodEnd } = await current()
    await later(Date.parse(currentPeriodEnd) - card.app.clock.now() - 3 * DAY_MS)
    const combos = (await call('GET', '/billing/bundles')).data.comboDiscounts
    const combo = combos.find(({ savings }: { savings: { monthly: number } }) => savings.monthly > 0)
    const addons = combo.bundleIds.map((bundleId: string) => ({ bundleId, quantity: combo.minQuantities[bundleId] }))
    expect((await call('PUT', `/billing/subscriptions/${id}`, { addons })).status).toBe(200)
    await push()
    const saved = combo.savings.monthly
    const shown = (await call('GET', '/billing/invoices/next')).data.invoice
    expect([shown.creditUsedCents ?? shown.creditCents, (await current()).creditBalanceCents]).toEqual([saved, saved])
    await later(4 * DAY_MS)
    const [renewal] = (await call('GET', '/billing/invoices')).data.invoices
    expect(renewal).toMatchObject({ creditCents: saved, totalCents: shown.totalCents })
    await push()
    expect(rows().map(({ cents }) => cents)).toEqual([0 - saved])
  })

  /** Three days before the end of the period: the provider has announced its invoice. */
  const announced = async () => {
    await subscribed()
    const { currentPeriodEnd } = await current()
    await later(Date.parse(currentPeriodEnd) - card.app.clock.now() - 3 * DAY_MS)
    await push()
  }
  /** The renewal uses what was shown of credit before, and the provider was told of each row once. */
  const isShownAndCharged = async (cents: number) => {
    const shown = (await call('GET', '/billing/invoices/next')).data.invoice
    await later(4 * DAY_MS)
    const [renewal] = (await call('GET', '/billing/invoices')).data.invoices
    expect(renewal).toMatchObject({ creditCents: cents, totalCents: shown.totalCents })
    expect((await current()).creditBalanceCents).toBe(0)
    await push()
    expect(rows().reduce((sum, each) => sum + each.cents, 0)).toBe(0 - cents)
  }
  const recurringPromotion = async (trigger: object, isActive = true) => {
    const limits = { budgetCents: 100_000, isActive }
    const body = { name: `each ${people}`, trigger, value: 300, unit: 'dollar', kind: 'recurring', ...limits }
    const made = await asRoot('POST', '/billing/admin/promotions', body)
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.data.promotion as { id: string }
  }

  it('of a recurring discount that is redeemed after the invoice was announced pays that invoice, and its own period', async () => {
    await withoutPromotions()
    await announced()
    const alias = `LATE-${people}`
    const made = await asRoot('POST', '/billing/admin/discounts', { code: '5:dollar:recurring', alias })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const { id } = await current()
    expect((await call('POST', `/billing/subscriptions/${id}/discounts`, { code: alias })).status).toBe(200)
    await push()
    await isShownAndCharged(1_000)
  })

  it.each([
    ['given by hand', { type: 'manual' }, true, 600],
    ['made', { type: 'subscription_created' }, true, 300],
    ['put in force', { type: 'subscription_created' }, false, 300],
  ])(
    'of a recurring promotion that is %s after the invoice was announced pays that invoice',
    async (_, trigger, isActive, cents) => {
      await withoutPromotions()
      await announced()
      const { id } = await recurringPromotion(trigger, isActive)
      if (!isActive) await asRoot('PUT', `/billing/admin/promotions/${id}`, { isActive: true })
      if (trigger.type === 'manual') {
        await push()
        const given = await asRoot('POST', `/billing/admin/promotions/${id}/grant`, { targetOrgId: ada.orgId })
        expect(given.data).toMatchObject({ granted: true, cents: 300 })
      }
      await push()
      await isShownAndCharged(cents)
      expect((await asRoot('GET', `/billing/admin/promotions/${id}`)).data.promotion).toMatchObject({
        spentCents: cents,
        grantsCount: cents / 300,
      })
    },
  )

  describe('of a combo that was announced', () => {
    /** With both members of a combo, three days before the period ends. */
    const withCombo = async () => {
      await withoutPromotions()
      await subscribed()
      const { id, currentPeriodEnd } = await current()
      const { comboDiscounts } = (await call('GET', '/billing/bundles')).data
      const combo = comboDiscounts.find(({ savings }: { savings: { monthly: number } }) => savings.monthly > 0)
      const addons = combo.bundleIds.map((bundleId: string) => ({ bundleId, quantity: combo.minQuantities[bundleId] }))
      expect((await call('PUT', `/billing/subscriptions/${id}`, { addons })).status).toBe(200)
      await push()
      await later(Date.parse(currentPeriodEnd) - card.app.clock.now() - 3 * DAY_MS)
      await push()
      const { monthly, annual } = combo.savings
      expect((await current()).creditBalanceCents).toBe(monthly)
      const change = async (body: object) => {
        const shown = await call('POST', '/billing/preview', body)
        expect(shown.status, JSON.stringify(shown.body)).toBe(200)
        const made = await call('PUT', `/billing/subscriptions/${id}`, body)
        expect(made.status, JSON.stringify(made.body)).toBe(200)
        await push()
        return shown.data.preview
      }
      const renewal = async () => {
        const shown = (await call('GET', '/billing/invoices/next')).data.invoice
        await later(4 * DAY_MS)
        const [renewed] = (await call('GET', '/billing/invoices')).data.invoices
        expect(renewed).toMatchObject({ creditCents: shown.creditCents, totalCents: shown.totalCents })
        await push()
        return renewed
      }
      const told = () => rows().map(({ cents }) => cents)
      return { monthly, annual, addons, change, renewal, told, none: addons.map(none) }
    }
    const none = ({ bundleId }: { bundleId: string }) => ({ bundleId, quantity: 0 })

    it('is taken back with the combo, and is there again with it', async () => {
      const { monthly, addons, none, change, renewal, told } = await withCombo()
      const shown = await change({ addons: none, when: 'period_end' })
      const takenBack = [{ sourceId: expect.stringMatching(/^combo:/), cents: monthly }]
      expect(shown.nextInvoice).toMatchObject({ takenBack, creditCents: 0, totalCents: 4_900 })
      expect((await current()).creditBalanceCents).toBe(0)
      expect(told()).toEqual([0 - monthly, monthly])
      const again = await change({ addons, when: 'period_end' })
      expect(again.nextInvoice).toMatchObject({ takenBack: [], creditCents: monthly })
      expect((await current()).creditBalanceCents).toBe(monthly)
      await change({ addons: none, when: 'period_end' })
      expect(await renewal()).toMatchObject({ creditCents: 0, totalCents: 4_900 })
      expect((await current()).creditBalanceCents).toBe(0)
      expect(told()).toEqual([0 - monthly, monthly, 0 - monthly, monthly])
    })

    it('is taken back when the combo is given up at once', async () => {
      const { monthly, none, change, renewal } = await withCombo()
      const { invoiceNow, nextInvoice } = await change({ addons: none, when: 'now' })
      expect(nextInvoice.takenBack).toEqual([{ sourceId: expect.stringMatching(/^combo:/), cents: monthly }])
      const refunded = invoiceNow.carriedCents
      expect(refunded).toBeGreaterThan(0)
      expect((await current()).creditBalanceCents).toBe(refunded)
      expect((await renewal()).creditCents).toBe(Math.min(refunded, 4_900))
    })

    it('is that of the interval that follows', async () => {
      const { monthly, annual, change, renewal, told } = await withCombo()
      const { nextInvoice } = await change({ interval: 'annual', when: 'period_end' })
      expect(nextInvoice).toMatchObject({ takenBack: [], creditCents: annual })
      expect((await renewal()).creditCents).toBe(annual)
      expect(told().reduce((sum, cents) => sum + cents, 0)).toBe(0 - annual)
      expect(annual).toBeGreaterThan(monthly)
    })

    it('stays with a change that raises the price, whose invoice uses it', async () => {
      const { monthly, change, renewal } = await withCombo()
      const { invoiceNow, nextInvoice } = await change({ planId: 'enterprise' })
      expect(nextInvoice.takenBack).toEqual([])
      expect(invoiceNow.creditCents).toBe(monthly)
      expect((await current()).creditBalanceCents).toBe(0)
      expect((await renewal()).creditCents).toBe(0)
    })
  })

  it('is used by a renewal whose rest is declined, under the key of that invoice', async () => {
    await promotion()
    await subscribed()
    await push()
    Object.assign(customer() ?? {}, { card: 'declines' })
    await later(31 * DAY_MS)
    expect(await current()).toMatchObject({ status: 'past_due', creditBalanceCents: 0 })
    const { invoices } = (await call('GET', '/billing/invoices')).data
    expect(invoices[0]).toMatchObject({ totalCents: 2_900, creditCents: 2_000, status: 'open' })
    const { entries } = (await call('GET', '/billing/ledger')).data
    const keys = entries.map(({ dedupeKey }: { dedupeKey: string }) => dedupeKey)
    expect(keys).toEqual(expect.arrayContaining([`inv:${invoices[0].id}`]))
    expect(keys).toHaveLength(2)
  })

  it('is not told again where its answer was lost for longer than a key is known', async () => {
    await promotion()
    await subscribed()
    card.fake.faults.add({ kind: 'lose_answer', match: 'balance_transactions', times: 2 })
    await card.calls()
    card.app.clock.advance(2 * DAY_MS)
    root = await signInAgain(card.app, root)
    ada = await signInAgain(card.app, ada)
    await push()
    expect(rows().map(({ cents }) => cents)).toEqual([-2_000])
  })

  it('that the provider refuses for good is given back to its promotion, and the next change goes on', async () => {
    const { id } = await promotion()
    await subscribed()
    const promotionNow = async () => (await asRoot('GET', `/billing/admin/promotions/${id}`)).data.promotion
    expect(await promotionNow()).toMatchObject({ spentCents: 2_000, grantsCount: 1 })
    const known = customer()
    if (known === undefined) throw new Error('there is no customer')
    card.fake.state.customers.delete(known.id)
    await card.calls()
    card.fake.state.customers.set(known.id, known)
    expect([rows(), (await current()).creditBalanceCents]).toEqual([[], 0])
    expect(await promotionNow()).toMatchObject({ spentCents: 0, grantsCount: 0 })
    expect((await asRoot('GET', `/billing/admin/credits/${ada.orgId}/check`)).data.ok).toBe(true)
    const next = await call('PUT', `/billing/subscriptions/${(await current()).id}`, { planId: 'team' })
    expect([next.status, next.data.subscription.planId]).toEqual([200, 'team'])
  })

  /** The provider knows the customer of the account no more while this runs. */
  const withoutCustomer = async (run: () => Promise<unknown>) => {
    const known = customer()
    if (known === undefined) throw new Error('there is no customer')
    card.fake.state.customers.delete(known.id)
    await run()
    card.fake.state.customers.set(known.id, known)
    return known
  }

  it('that was redeemed and is refused for good gives its place back, once', async () => {
    await withoutPromotions()
    await subscribed()
    const alias = `REFUSED-${people}`
    const made = await asRoot('POST', '/billing/admin/discounts', {
      code: '15:dollar:credit',
      alias,
      maxRedemptions: 1,
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const redeemed = async () =>
      (await asRoot('GET', `/billing/admin/discounts/${made.data.discount.id}`)).data.discount.timesRedeemed
    const redeem = async () => call('POST', `/billing/subscriptions/${(await current()).id}/discounts`, { code: alias })
    expect((await redeem()).status).toBe(200)
    expect(await redeemed()).toBe(1)
    await withoutCustomer(() => card.calls())
    expect([await redeemed(), (await current()).creditBalanceCents, rows()]).toEqual([0, 0, []])
    await card.calls()
    expect(await redeemed()).toBe(0)
    expect((await redeem()).status).toBe(200)
    await push()
    expect([await redeemed(), (await current()).creditBalanceCents]).toEqual([1, 1_500])
    expect(rows().map(({ cents }) => cents)).toEqual([-1_500])
    expect((await redeem()).code).toBe('ALREADY_REDEEMED')
  })

  it('that was taken back stays taken back where the provider refuses the debit, until the comparison', async () => {
    await promotion()
    await subscribed()
    await push()
    await refund()
    const known = await withoutCustomer(() => card.calls())
    expect((await asRoot('GET', `/billing/admin/calls?orgId=${ada.orgId}`)).data.calls[0]).toMatchObject({
      kind: 'credit',
      state: 'refused',
    })
    expect([known.balance, (await current()).creditBalanceCents]).toEqual([-2_000, 0])
    expect((await asRoot('GET', `/billing/admin/credits/${ada.orgId}/check`)).data.ok).toBe(true)
    // It is not sent again, and nothing waits for it.
    await push()
    expect(rows().map(({ cents }) => cents)).toEqual([-2_000])
    await asRoot('POST', '/billing/admin/reconcile')
    expect((await current()).creditBalanceCents).toBe(2_000)
    const next = await call('PUT', `/billing/subscriptions/${(await current()).id}`, { planId: 'team' })
    expect([next.status, next.data.subscription.planId]).toEqual([200, 'team'])
  })

  it('that was earned on the free plan goes to the provider with the first paid plan', async () => {
    await withoutPromotions()
    const free = await call('POST', '/billing/subscriptions', { planId: 'developer' })
    const { id } = await promotion()
    const granted = await asRoot('POST', `/billing/admin/promotions/${id}/grant`, { targetOrgId: ada.orgId })
    expect(granted.data).toMatchObject({ granted: true })
    await push()
    expect(customer()).toBeUndefined()
    await call('PUT', `/billing/subscriptions/${free.data.subscription.id}`, { planId: 'pro' })
    const invoice = [...card.fake.state.invoices.values()].findLast((each) => each.customer === customer()?.id)
    await fetch(`${card.fake.state.pagesAt}/_fake/pay/${invoice?.id}?card=good`, { method: 'POST' })
    await card.deliverAll()
    await push()
    expect(rows().map(({ cents }) => cents)).toEqual([-2_000])
    expect(await current()).toMatchObject({ planId: 'pro', status: 'active', creditBalanceCents: 2_000 })
    await later(31 * DAY_MS)
    expect((await call('GET', '/billing/invoices')).data.invoices[0]).toMatchObject({ creditCents: 2_000 })
  })

  it('of a promotion is taken back with a refund, on both sides and from the budget, once', async () => {
    const { id } = await promotion()
    await subscribed()
    await push()
    await refund()
    await push()
    expect((await current()).creditBalanceCents).toBe(0)
    expect(customer()?.balance).toBe(0)
    expect(rows().map(({ cents }) => cents)).toEqual([-2_000, 2_000])
    expect((await asRoot('GET', `/billing/admin/promotions/${id}`)).data.promotion).toMatchObject({
      spentCents: 0,
      grantsCount: 0,
    })
    const events = (await call('GET', '/billing/events?limit=100')).data.events as { type: string }[]
    expect(events.filter(({ type }) => type === 'promotion_clawback')).toHaveLength(1)
    const told = card.fake.state.events.findLast(({ type }) => type === 'charge.refunded')
    if (told !== undefined) await card.deliver(card.fake.signed({ ...told, id: `evt_again${people}` }))
    await push()
    expect(rows()).toHaveLength(2)
  })

  it('and invoices read the same in the shape of the API before 2025', async () => {
    const lived: unknown[] = []
    for (const shape of ['new', 'old'] as const) {
      ada = await signUp(card.app, `shape${shape}${people}`)
      card.fake.shape = shape
      await promotion()
      await subscribed()
      await push()
      await later(31 * DAY_MS)
      const known = customer()
      if (known !== undefined) known.card = 'declines'
      await later(32 * DAY_MS)
      const due = await current()
      const invoice = [...card.fake.state.invoices.values()].findLast((each) => each.customer === customer()?.id)
      await fetch(`${card.fake.state.pagesAt}/_fake/pay/${invoice?.id}?card=good`, { method: 'POST' })
      await card.deliverAll()
      await refund()
      const { invoices } = (await call('GET', '/billing/invoices?sortOrder=asc')).data
      lived.push({
        due: due.status,
        end: (await current()).status,
        credit: (await current()).creditBalanceCents,
        invoices: invoices.map(
          ({ totalCents, creditCents, amountPaidCents, status, lines }: Record<string, unknown>) => ({
            totalCents,
            creditCents,
            amountPaidCents,
            status,
            lines,
          }),
        ),
      })
    }
    expect(lived[0]).toEqual(lived[1])
    expect(lived[0]).toMatchObject({ due: 'past_due', end: 'active' })
  })

  it('of a delivery whose key left the ring is refused in clear words, and handled once the key is back', async () => {
    await call('POST', '/billing/subscriptions', { planId: 'pro' })
    const invoice = [...card.fake.state.invoices.values()].findLast((each) => each.customer === customer()?.id)
    await fetch(`${card.fake.state.pagesAt}/_fake/pay/${invoice?.id}?card=good`, { method: 'POST' })
    card.fake.faults.add({ kind: 'lose_request', match: 'GET /v1/customers', times: 4 })
    // The payment comes first: once credit waits to be sent, the balance is not asked for.
    const isPaid = ({ type }: { readonly type: string }) => type === 'invoice.paid'
    card.waiting.sort((a, b) => Number(isPaid(b)) - Number(isPaid(a)))
    await card.deliverAll()
    const [failed] = (await asRoot('GET', '/billing/admin/webhook-events?state=failed')).data.events
    const replay = (app: CardApp['app'], as: SignedIn) =>
      app.call('POST', `/billing/admin/webhook-events/card_provider/${failed.eventId}/replay`, { as })
    const other = await cardApp(store, {
      SECRET_ENCRYPTION_KEYS: `s9:${Buffer.alloc(32, 9).toString('base64')}`,
      CARD_PROVIDER_API_URL: card.fake.state.pagesAt,
    })
    try {
      other.app.clock.set(card.app.clock.now())
      const again = await replay(other.app, root)
      expect(again.data.event).toMatchObject({
        state: 'failed',
        effect: expect.stringMatching(/with the key s1, which is not in SECRET_ENCRYPTION_KEYS/),
      })
    } finally {
      await other.close()
    }
    expect((await replay(card.app, root)).data.event.state).toBe('done')
    await card.deliverAll()
    await later(10 * MINUTE_MS)
    await card.webhooks()
    expect((await current()).status).toBe('active')
    await store.system.read(async (db) => {
      const { billingProviderLinks: t } = providerTables(db)
      expect(await db.select().from(t).where(eq(t.orgId, ada.orgId))).toHaveLength(1)
    })
  })

  it('pays an invoice once the provider knows of it, as each preview shows', async () => {
    await withoutPromotions()
    await subscribed()
    const { id } = await current()
    const made = await asRoot('POST', '/billing/admin/discounts', { code: '30:dollar:onetime', alias: 'AT-ONCE' })
    expect(made.status).toBe(201)
    expect((await call('POST', `/billing/subscriptions/${id}/discounts`, { code: 'AT-ONCE' })).status).toBe(200)
    const preview = async (body: object) => (await call('POST', '/billing/preview', body)).data.preview
    const commit = (body: object, { previewToken }: { previewToken: string }) =>
      call('PUT', `/billing/subscriptions/${id}`, { ...body, previewToken })
    const drawn = () => [...card.fake.state.invoices.values()].at(-1)
    const one = { addons: [{ bundleId: 'ai_pack', quantity: 1 }] }
    const before = await preview(one)
    expect(before.invoiceNow).toMatchObject({ creditCents: 0, totalCents: before.invoiceNow.subtotalCents })
    expect(before.nextInvoice.creditCents).toBe(3_000)
    expect((await commit(one, before)).status).toBe(200)
    expect(drawn()?.amountDue).toBe(before.invoiceNow.totalCents)
    await card.deliverAll()
    const two = { addons: [{ bundleId: 'ai_pack', quantity: 2 }] }
    const untold = await preview(two)
    expect(untold.invoiceNow.creditCents).toBe(0)
    await card.calls()
    expect((await commit(two, untold)).code).toBe('PREVIEW_STALE')
    const told = await preview(two)
    expect(told.invoiceNow.creditCents).toBe(3_000)
    expect((await commit(two, told)).status).toBe(200)
    expect(drawn()?.amountDue).toBe(told.invoiceNow.totalCents)
  })

  it('that is granted while the comparison reads the balance stays', async () => {
    await withoutPromotions()
    await subscribed()
    const { id } = await promotion()
    // The comparison reads the balance of this account first: there is nothing to take from before.
    card.fake.state.events.length = 0
    card.fake.faults.clear()
    card.fake.faults.add({ kind: 'delay_answer', match: 'GET /v1/customers', delayMs: 500 })
    const comparing = asRoot('POST', '/billing/admin/reconcile')
    await vi.waitFor(() => expect(card.fake.faults.isOver).toBe(true))
    // The answer that is on its way does not have this credit.
    const granted = await asRoot('POST', `/billing/admin/promotions/${id}/grant`, { targetOrgId: ada.orgId })
    expect(granted.data).toMatchObject({ granted: true })
    await card.calls()
    expect(rows().map(({ cents }) => cents)).toEqual([-2_000])
    expect((await comparing).data.drift).toEqual([])
    expect((await current()).creditBalanceCents).toBe(2_000)
  })

  it('of a discount that is redeemed in the moment a period ends is that of both periods', async () => {
    await withoutPromotions()
    await subscribed()
    await push()
    const { id, currentPeriodEnd } = await current()
    const alias = `EDGE-${people}`
    const made = await asRoot('POST', '/billing/admin/discounts', { code: '5:dollar:recurring', alias })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    // The provider has not said yet that the next period began.
    card.app.clock.set(Date.parse(currentPeriodEnd))
    ada = await signInAgain(card.app, ada)
    const redeemed = await call('POST', `/billing/subscriptions/${id}/discounts`, { code: alias })
    expect(redeemed.status, JSON.stringify(redeemed.body)).toBe(200)
    await later(DAY_MS)
    await push()
    const { entries } = (await call('GET', '/billing/ledger')).data
    const granted = entries.filter(({ type }: { type: string }) => type === 'grant')
    expect(granted.map(({ cents }: { cents: number }) => cents)).toEqual([500, 500])
  })
})
