/** Discounts over HTTP: made, issued, redeemed exactly as often as allowed, and in no log, event or audit row. */
import { randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld, DAY_MS } from '../../../test/support/billing.js'
import { describeStores, WITH_POSTGRESQL } from '../../../test/support/describe-stores.js'
import { heldWrite } from '../../../test/support/held-write.js'
import { evidenceOf } from '../../../test/support/organizations.js'
import { jobTables } from '../../runtime/jobs/tables.js'
import type { Store } from '../../runtime/store/db.js'
import { creditTables } from '../credit-tables.js'
import { billingTables } from '../tables.js'
import { countRedemption } from './redemption.js'

const KEYS = `v1:${randomBytes(32).toString('base64')},v2:${randomBytes(32).toString('base64')}`

await describeStores('discounts', WITH_POSTGRESQL, (open) => {
  let store: Store
  let world: BillingWorld
  let ada: BillingAccount
  let named = 0
  beforeAll(async () => {
    store = await open()
    world = await BillingWorld.start(store, { BILLING_DISCOUNT_KEYS: KEYS, BILLING_DISCOUNT_MAX_PERCENT: '50' })
  })
  beforeEach(async () => {
    ada = await world.account()
  })
  afterAll(async () => {
    expect(world.app.errors.map(String)).toEqual([])
    await store.close()
  })

  const mint = async (code: string, more: object = {}) => {
    const answer = await world.call('POST', '/billing/admin/discounts', { code, ...more })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.data.discount
  }
  const alias = () => `SPRING-${named++}-${Date.now()}`
  const redeem = async (account: BillingAccount, code: string, rest = '') =>
    account.post(`/billing/subscriptions/${(await account.subscription()).id}/discounts${rest}`, { code })

  it('mints, issues, previews and redeems; the invoice uses the credit', async () => {
    await ada.subscribe('pro')
    const discount = await mint('20:percent:onetime:launch')
    expect(discount).toMatchObject({
      value: 20,
      unit: 'percent',
      kind: 'onetime',
      campaign: 'launch',
      timesRedeemed: 0,
    })
    const path = `/billing/admin/discounts/${discount.id}`
    const [one, two] = [await world.call('POST', `${path}/token`), await world.call('POST', `${path}/token`)]
    expect(one.data.token).toMatch(/^v2\./)
    expect(two.data.token).not.toBe(one.data.token)
    const shown = (await redeem(ada, one.data.token, '/preview')).data
    expect(shown).toMatchObject({
      applied: 'onetime',
      cents: 980,
      priceBreakdown: { subtotalCents: 4_900, totalCents: 3_920, creditRemainingCents: 0 },
    })
    expect((await redeem(ada, one.data.token)).data).toEqual(shown)
    expect((await redeem(ada, two.data.token)).code).toBe('ALREADY_REDEEMED')
    expect((await ada.get('/billing/invoices/next')).data.invoice.totalCents).toBe(3_920)
    expect((await world.get(path)).data.discount.timesRedeemed).toBe(1)
    expect((await ada.events()).map(({ type }) => type)).toEqual(
      expect.arrayContaining(['discount_applied', 'credit_applied']),
    )
    expect(await evidenceOf(world.app, ada.orgId)).toContain('billing.discount.apply')
  })

  it('is not redeemed by who asked before it was revoked, and is counted after', async () => {
    await ada.subscribe('pro')
    const code = alias()
    const { id } = await mint('5:dollar:credit', { alias: code })
    const path = `/billing/admin/discounts/${id}`
    const subscription = await ada.subscription()
    const commit = await heldWrite(store, (tx) => {
      const { billingDiscounts: t } = creditTables(tx)
      return tx.update(t).set({ isActive: false }).where(eq(t.id, id))
    })
    const asking = ada.post(`/billing/subscriptions/${subscription.id}/discounts`, { code })
    // It has read the discount as it was, and waits to count itself.
    await new Promise((resolve) => setTimeout(resolve, 500))
    await commit()
    expect((await asking).code).toBe('DISCOUNT_INACTIVE')
    expect((await ada.subscription()).creditBalanceCents).toBe(0)
    expect((await world.get(path)).data.discount.timesRedeemed).toBe(0)
  })

  it('counts those who redeemed before a revocation of the same moment, and nobody else', async () => {
    const accounts = [ada, ...(await Promise.all(Array.from({ length: 5 }, () => world.sibling())))]
    for (const account of accounts) await account.subscribe('pro')
    const code = alias()
    const { id } = await mint('5:dollar:credit', { alias: code })
    const path = `/billing/admin/discounts/${id}`
    const [revoked, ...answers] = await Promise.all([
      world.call('DELETE', path),
      ...accounts.map((account) => redeem(account, code)),
    ])
    expect(revoked.status).toBe(200)
    const given = answers.filter(({ status }) => status === 200).length
    expect(answers.filter(({ code: refused }) => refused === 'DISCOUNT_INACTIVE')).toHaveLength(answers.length - given)
    expect((await world.get(path)).data.discount).toMatchObject({ isActive: false, timesRedeemed: given })
    const balances = await Promise.all(accounts.map((account) => account.subscription()))
    expect(balances.filter(({ creditBalanceCents }) => creditBalanceCents === 500)).toHaveLength(given)
  })

  it('renews a recurring discount with each period until it is revoked', async () => {
    const { id } = await ada.subscribe('pro')
    const code = alias()
    const discount = await mint('10:$:recurring', { alias: code })
    expect((await redeem(ada, code.toLowerCase())).data).toMatchObject({ applied: 'recurring', cents: 1_000 })
    expect((await redeem(ada, await second())).code).toBe('RECURRING_ALREADY_PRESENT')
    const next = (await ada.get('/billing/invoices/next')).data.invoice
    expect(next).toMatchObject({ creditCents: 2_000, grants: [{ source: 'discount', cents: 1_000 }] })
    await ada.later(30 * DAY_MS)
    await world.run('billing.lifecycle')
    expect((await ada.get('/billing/invoices')).data.invoices[0]).toMatchObject({
      lines: next.lines,
      totalCents: 2_900,
    })
    await world.call('DELETE', `/billing/admin/discounts/${discount.id}`)
    expect((await ada.get('/billing/invoices/next')).data.invoice.totalCents).toBe(4_900)
    await ada.later(31 * DAY_MS)
    await world.run('billing.lifecycle')
    expect((await ada.get('/billing/invoices')).data.invoices[0].totalCents).toBe(4_900)
    expect((await ada.events()).find(({ type }) => type === 'discount_expired')?.details).toMatchObject({
      reason: 'recurring_ended',
      why: 'inactive',
    })
    // The rule is gone, and the account may take another one and end it itself.
    const other = await mint('5:$:recurring', { alias: alias() })
    await world.call('POST', `/billing/admin/discounts/${other.id}/apply`, { targetOrgId: ada.orgId })
    const path = `/billing/subscriptions/${id}/discounts/${other.id}`
    expect((await ada.call('DELETE', path)).data).toEqual({ removed: other.id })
    expect((await ada.call('DELETE', path)).status).toBe(404)
  })
  const second = async () => {
    const code = alias()
    await mint('5:$:recurring', { alias: code })
    return code
  }

  it('is redeemed by the last of many racing accounts exactly as often as allowed', async () => {
    const code = alias()
    const discount = await mint('5:dollar:credit', { alias: code, maxRedemptions: 3 })
    const accounts = [ada, ...(await Promise.all(Array.from({ length: 11 }, () => world.sibling())))]
    await Promise.all(accounts.map((account) => account.subscribe('pro')))
    const answers = await Promise.all(accounts.map((account) => redeem(account, code)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3)
    expect(new Set(answers.filter(({ status }) => status !== 200).map((each) => each.code))).toEqual(
      new Set(['DISCOUNT_EXHAUSTED']),
    )
    expect((await world.get(`/billing/admin/discounts/${discount.id}`)).data.discount.timesRedeemed).toBe(3)
    const balances = await Promise.all(accounts.map(async (each) => (await each.subscription()).creditBalanceCents))
    expect(balances.reduce((sum, each) => sum + each, 0)).toBe(1_500)
  })

  it('counts no redemption beyond the last, whatever was checked before', async () => {
    const { id } = await mint('5:dollar:credit', { maxRedemptions: 1 })
    const nowMs = world.app.clock.now()
    const count = () => store.system.write((tx) => countRedemption({ tx, nowMs }, id))
    await count()
    await expect(count()).rejects.toMatchObject({ code: 'DISCOUNT_EXHAUSTED' })
    expect((await world.get(`/billing/admin/discounts/${id}`)).data.discount.timesRedeemed).toBe(1)
  })

  it('redeems no token whose discount is another one since', async () => {
    await ada.subscribe('pro')
    const { id } = await mint('5:dollar:credit')
    const { token } = (await world.call('POST', `/billing/admin/discounts/${id}/token`)).data
    await store.system.write(async (tx) => {
      const { billingDiscounts: t } = creditTables(tx)
      await tx.update(t).set({ value: 50_000 }).where(eq(t.id, id))
    })
    expect((await redeem(ada, token)).code).toBe('DISCOUNT_NOT_FOUND')
    expect((await ada.subscription()).creditBalanceCents).toBe(0)
  })

  it('keeps a double click to one redemption', async () => {
    await ada.subscribe('pro')
    const code = alias()
    await mint('5:dollar:credit', { alias: code, maxRedemptions: 9 })
    const answers = await Promise.all([1, 2, 3, 4].map(() => redeem(ada, code)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    expect((await ada.subscription()).creditBalanceCents).toBe(500)
  })

  it('answers every wrong code with the same 404', async () => {
    await ada.subscribe('pro')
    const discount = await mint('5:dollar:credit')
    const { token } = (await world.call('POST', `/billing/admin/discounts/${discount.id}/token`)).data
    const wrong = [
      `${token.slice(0, -2)}${token.endsWith('A') ? 'B' : 'A'}`,
      token.slice(0, 20),
      token.replace('v2.', 'v1.'),
      token.replace('v2.', 'v9.'),
      `${token}=`,
      'NO-SUCH-ALIAS',
      'ä',
    ]
    for (const code of wrong) {
      const answer = await redeem(ada, code, '/preview')
      expect([answer.status, answer.code, answer.body.message], code).toEqual([
        404,
        'DISCOUNT_NOT_FOUND',
        'unknown discount: check the code',
      ])
    }
  })

  it.each([
    [{ code: 'nonsense' }, 'VALIDATION_ERROR', '/body/code'],
    [{ code: '0:percent:onetime' }, 'VALIDATION_ERROR', '/body/code.value'],
    [{ code: '101:percent:onetime' }, 'VALIDATION_ERROR', '/body/code.value'],
    [{ code: '1.5:dollar:credit' }, 'VALIDATION_ERROR', '/body/code.value'],
    [{ code: '60:percent:onetime' }, 'DISCOUNT_CEILING_EXCEEDED', '50 percent'],
    [{ code: '200000:dollar:credit' }, 'DISCOUNT_CEILING_EXCEEDED', '$100,000.00'],
    [{ code: '5:dollar:credit', alias: 'a.b' }, 'VALIDATION_ERROR', '/body/alias'],
    [{ code: '5:dollar:credit', redeemBy: '2001-01-01T00:00:00.000Z' }, 'VALIDATION_ERROR', '/body/redeemBy'],
    [{ code: '5:dollar:credit', maxRedemptions: 0 }, 'VALIDATION_ERROR', '/body/maxRedemptions'],
    [
      { code: '5:dollar:credit', targetOrgId: '01900000-0000-7000-8000-000000000000' },
      'VALIDATION_ERROR',
      '/body/targetOrgId',
    ],
  ])('mints nothing for %j', async (body, code, text) => {
    const before = (await world.get('/billing/admin/discounts')).data.pagination.total
    const answer = await world.call('POST', '/billing/admin/discounts', body)
    expect([answer.status, answer.code]).toEqual([400, code])
    expect(JSON.stringify(answer.body)).toContain(text)
    expect((await world.get('/billing/admin/discounts')).data.pagination.total).toBe(before)
  })

  it('refuses what is expired, full, foreign, of another tier, worthless, or inactive', async () => {
    await ada.subscribe('developer')
    const eve = await world.sibling()
    const inAMinute = new Date(world.app.clock.now() + 60_000).toISOString()
    const cases: [object, string, string][] = [
      [{ redeemBy: inAMinute }, '5:dollar:credit', 'DISCOUNT_EXPIRED'],
      [{ targetOrgId: eve.orgId }, '5:dollar:credit', 'DISCOUNT_NOT_FOR_ORG'],
      [{ appliesToTiers: ['pro'] }, '5:dollar:credit', 'DISCOUNT_TIER_MISMATCH'],
      [{}, '20:percent:onetime', 'DISCOUNT_ZERO_VALUE'],
      [{ sandbox: true }, '5:dollar:credit', 'DISCOUNT_NOT_FOR_ORG'],
    ]
    const codes = await Promise.all(
      cases.map(async ([more, form]) => {
        const code = alias()
        await mint(form, { alias: code, ...more })
        return code
      }),
    )
    await ada.later(61_000)
    for (const [at, [, , expected]] of cases.entries()) expect((await redeem(ada, codes[at] ?? '')).code).toBe(expected)
    const off = alias()
    const { id } = await mint('5:dollar:credit', { alias: off })
    await world.call('PUT', `/billing/admin/discounts/${id}`, { isActive: false })
    expect((await redeem(ada, off)).code).toBe('DISCOUNT_INACTIVE')
    expect((await world.call('POST', `/billing/admin/discounts/${id}/token`)).code).toBe('DISCOUNT_INACTIVE')
    expect((await ada.subscription()).creditBalanceCents).toBe(0)
    // An alias is taken for ever, in whatever case.
    const again = await world.call('POST', '/billing/admin/discounts', {
      code: '5:dollar:credit',
      alias: off.toLowerCase(),
    })
    expect([again.status, again.code]).toEqual([409, 'DUPLICATE_ENTRY'])
  })

  it('leaves neither token nor alias in an event, in evidence or in a list', async () => {
    await ada.subscribe('pro')
    const code = alias()
    const discount = await mint('5:dollar:credit', { alias: code, targetOrgId: ada.orgId })
    const { token } = (await world.call('POST', `/billing/admin/discounts/${discount.id}/token`)).data
    await redeem(ada, token)
    const seen = JSON.stringify([
      await ada.events(),
      (await world.get('/billing/admin/discounts?limit=1000')).data,
      (await world.get(`/billing/admin/discounts/${discount.id}`)).data,
      await store.system.read(async (db) => [
        await db.select().from(billingTables(db).billingEvents),
        await db.select().from(billingTables(db).billingCreditEntries),
        await db.select().from(jobTables(db).auditOutbox),
      ]),
    ])
    expect(seen).not.toContain(token)
    expect(seen.toUpperCase()).not.toContain(code.toUpperCase())
    expect(seen).toContain(discount.id)
  })

  it('is the operator’s to make, and the account’s to redeem', async () => {
    await ada.subscribe('pro')
    expect((await ada.post('/billing/admin/discounts', { code: '5:dollar:credit' })).status).toBe(403)
    expect((await ada.get('/billing/admin/discounts')).status).toBe(403)
    const { id } = await mint('5:dollar:credit')
    const apply = (path: string) =>
      world.call('POST', `/billing/admin/discounts/${id}/${path}`, { targetOrgId: ada.orgId })
    expect((await apply('preview')).data.cents).toBe(500)
    expect((await apply('apply')).data.cents).toBe(500)
    expect((await apply('apply')).code).toBe('ALREADY_REDEEMED')
    const eve = await world.sibling()
    const body = { targetOrgId: eve.orgId }
    expect((await world.call('POST', `/billing/admin/discounts/${id}/apply`, body)).code).toBe(
      'SUBSCRIPTION_NOT_REDEEMABLE',
    )
  })

  it('is not there while discounts are off, and issues nothing without a key', async () => {
    const { id } = await mint('5:dollar:credit')
    const off = await BillingWorld.start(store, { BILLING_DISCOUNTS_ENABLED: 'false' })
    off.app.clock.set(world.app.clock.now())
    off.root = world.root
    expect((await off.get('/billing/admin/discounts')).status).toBe(404)
    const keyless = await BillingWorld.start(store)
    keyless.app.clock.set(world.app.clock.now())
    keyless.root = world.root
    const answer = await keyless.call('POST', `/billing/admin/discounts/${id}/token`)
    expect([answer.status, answer.code]).toEqual([501, 'SIGNING_NOT_CONFIGURED'])
  })
})
