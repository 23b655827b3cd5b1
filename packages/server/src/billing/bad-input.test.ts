/** What a careless or hostile request brings: each is refused by its code, names the field and the way out, and leaves every row of billing as it was. */
import { createHmac, randomBytes } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BillingAccount, BillingWorld } from '../../test/support/billing.js'
import { type CardApp, cardApp, WEBHOOK_PATH } from '../../test/support/card.js'
import { describeStores } from '../../test/support/describe-stores.js'
import { enrol, superAdmin } from '../../test/support/organizations.js'
import { fillPlaces } from '../../test/support/places.js'
import { type SignedIn, signUp } from '../../test/support/sign-in.js'
import { jobTables } from '../runtime/jobs/tables.js'
import type { Store } from '../runtime/store/db.js'
import { creditTables } from './credit-tables.js'
import { providerTables } from './provider-tables.js'
import { billingTables } from './tables.js'

const KEYS = `v1:${randomBytes(32).toString('base64')}`
const ABSENT = '99999999-9999-7999-8999-999999999999'

/** All of billing, and the evidence of what was done; that somebody was refused is itself worth an entry. */
function billingRows(store: Store): Promise<string> {
  return store.system.read(async (db) => {
    const { auditOutbox } = jobTables(db)
    const tables = { ...billingTables(db), ...creditTables(db), ...providerTables(db), auditOutbox }
    const found: string[] = []
    for (const [name, table] of Object.entries(tables)) {
      const rows = (await db.select().from(table as typeof auditOutbox)) as object[]
      found.push(...rows.map((row) => `${name} ${JSON.stringify(row)}`).filter((row) => !row.includes('authz.denied')))
    }
    return found.sort().join('\n')
  })
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many operations
type Said = { status: number; code?: string | undefined; body: any }
type Row = readonly [what: string, send: () => Promise<Said>, refusal: `${number} ${string}`, says: RegExp]

await describeStores('bad input of billing', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let world: BillingWorld
  let ada: BillingAccount
  let eve: BillingAccount
  let at = ''
  let stale = ''
  const codes: Record<string, string> = {}
  const reset = async () => {
    store = await open()
    world = await BillingWorld.start(store, { BILLING_DISCOUNT_KEYS: KEYS, BILLING_DISCOUNT_MAX_PERCENT: '50' })
    ada = await world.account()
    eve = await world.sibling()
    const { id } = await ada.subscribe('team')
    at = `/billing/subscriptions/${id}`
    stale = (await ada.post('/billing/preview', { planId: 'pro' })).data.preview.previewToken
    await ada.post(`${at}/addons`, { bundleId: 'api_pack', quantity: 1 })
    await store.system.write((tx) =>
      fillPlaces(
        tx,
        ada.orgId,
        Array.from({ length: 11 }, () => world.app.runtime.ids.next()),
      ),
    )
    const mint = async (name: string, code: string, more: object = {}) => {
      const { data } = await world.call('POST', '/billing/admin/discounts', { code, alias: `BAD-${name}`, ...more })
      codes[name] = data.discount.id
    }
    await mint('GOOD', '5:dollar:onetime')
    await mint('FULL', '5:dollar:onetime', { maxRedemptions: 1 })
    await mint('THEIRS', '5:dollar:onetime', { targetOrgId: eve.orgId })
    await mint('OLD', '5:dollar:onetime', { redeemBy: new Date(world.app.clock.now() + 1000).toISOString() })
    await mint('TIER', '5:dollar:onetime', { appliesToTiers: ['pro'] })
    await mint('OFF', '5:dollar:onetime')
    await world.call('DELETE', `/billing/admin/discounts/${codes['OFF']}`)
    const theirs = await eve.subscribe('developer')
    await mint('ZERO', '5:percent:onetime')
    await eve.post(`/billing/subscriptions/${theirs.id}/discounts`, { code: 'BAD-FULL' })
    const { data } = await world.call('POST', `/billing/admin/discounts/${codes['GOOD']}/token`)
    codes['TOKEN'] = data.token
    world.app.clock.advance(2000)
  }
  beforeAll(reset)
  afterAll(() => store.close())

  const change = (body: object) => ada.call('PUT', at, body)
  const addon = (body: object) => ada.post(`${at}/addons`, body)
  const redeem = (code: string) => ada.post(`${at}/discounts`, { code })
  const promote = (more: object) =>
    world.call('POST', '/billing/admin/promotions', {
      ...{ name: 'bad', trigger: { type: 'manual' }, value: 100, unit: 'dollar', kind: 'onetime', budgetCents: 1000 },
      ...more,
    })
  const without = (text = '', from: number, to = from + 1) => text.slice(0, from) + text.slice(to)

  const rows: readonly Row[] = [
    [
      'a plan that is not sold',
      () => change({ planId: 'entreprise' }),
      '400 VALIDATION_ERROR',
      /planId.*did you mean .?enterprise/,
    ],
    ['the plan of operators', () => change({ planId: 'unlimited' }), '400 VALIDATION_ERROR', /planId/],
    ['a path of no plan', () => ada.get('/billing/plans/gold'), '404 NOT_FOUND', /[Pp]lan/],
    ['an interval of its own', () => change({ interval: 'weekly' }), '400 VALIDATION_ERROR', /interval.*monthly/],
    ['a change of nothing', () => change({}), '400 VALIDATION_ERROR', /body/],
    ['a field that nobody knows', () => change({ planId: 'pro', price: 0 }), '400 VALIDATION_ERROR', /price/],
    [
      'an add-on that is not there',
      () => addon({ bundleId: 'seat_pak' }),
      '400 VALIDATION_ERROR',
      /bundleId.*did you mean .?seat_pack/,
    ],
    ['fewer than none', () => addon({ bundleId: 'seat_pack', quantity: -1 }), '400 VALIDATION_ERROR', /quantity/],
    ['half of one', () => addon({ bundleId: 'seat_pack', quantity: 1.5 }), '400 VALIDATION_ERROR', /quantity/],
    [
      'more than there are',
      () => addon({ bundleId: 'seat_pack', quantity: 1e300 }),
      '400 VALIDATION_ERROR',
      /quantity.*1,?000/,
    ],
    [
      'above the maximum of the add-on',
      () => addon({ bundleId: 'retention_pack', quantity: 8 }),
      '400 VALIDATION_ERROR',
      /quantity.*7/,
    ],
    [
      'an add-on without what it requires',
      () => addon({ bundleId: 'compliance_advanced' }),
      '400 VALIDATION_ERROR',
      /compliance_standard/,
    ],
    ['an add-on that the tier has', () => addon({ bundleId: 'audit_log' }), '400 VALIDATION_ERROR', /bundleId.*team/],
    ['an add-on that is not held', () => ada.call('DELETE', `${at}/addons/sso`), '404 NOT_FOUND', /Add-on/],
    ['a plan below the use', () => change({ planId: 'pro' }), '409 PLAN_OVER_CAP', /pipelines.*11.*10/],
    [
      'a preview of before',
      () => change({ planId: 'enterprise', previewToken: stale }),
      '409 PREVIEW_STALE',
      /preview again/,
    ],
    [
      'a preview of nobody',
      () => change({ planId: 'enterprise', previewToken: 'x' }),
      '400 VALIDATION_ERROR',
      /previewToken/,
    ],
    [
      'another interval at once',
      () => change({ interval: 'annual', when: 'now' }),
      '400 VALIDATION_ERROR',
      /when.*period_end/,
    ],
    ['the subscription of others', () => eve.call('PUT', at, { planId: 'pro' }), '404 NOT_FOUND', /[Ss]ubscription/],
    [
      'a subscription of nobody',
      () => ada.call('PUT', `/billing/subscriptions/${ABSENT}`, { planId: 'pro' }),
      '404 NOT_FOUND',
      /[Ss]ubscription/,
    ],
    [
      'a second subscription',
      () => ada.post('/billing/subscriptions', { planId: 'pro' }),
      '409 DUPLICATE_ENTRY',
      /subscription/,
    ],
    [
      'a token that is forged',
      () => redeem(`v1.${randomBytes(64).toString('base64url')}`),
      '404 DISCOUNT_NOT_FOUND',
      /code/,
    ],
    ['a token that is cut', () => redeem(without(codes['TOKEN'], 20)), '404 DISCOUNT_NOT_FOUND', /code/],
    [
      'a token of a foreign key',
      () => redeem((codes['TOKEN'] ?? '').replace('v1.', 'v2.')),
      '404 DISCOUNT_NOT_FOUND',
      /code/,
    ],
    ['a code that is too long', () => redeem('x'.repeat(1025)), '400 VALIDATION_ERROR', /code.*1,?024/],
    ['a code whose time is over', () => redeem('BAD-OLD'), '409 DISCOUNT_EXPIRED', /expired.*ask for another code/],
    ['a code that is used up', () => redeem('BAD-FULL'), '409 DISCOUNT_EXHAUSTED', /used up.*ask for another code/],
    [
      'a code for others',
      () => redeem('BAD-THEIRS'),
      '403 DISCOUNT_NOT_FOR_ORG',
      /another account: sign in to that one/,
    ],
    ['a code for another tier', () => redeem('bad-tier'), '400 DISCOUNT_TIER_MISMATCH', /change the plan/],
    ['a code that was revoked', () => redeem('BAD-OFF'), '409 DISCOUNT_INACTIVE', /not active.*ask for another code/],
    [
      'a code that is worth nothing',
      async () => eve.post(`/billing/subscriptions/${(await eve.subscription()).id}/discounts`, { code: 'BAD-ZERO' }),
      '409 DISCOUNT_ZERO_VALUE',
      /nothing on this plan: change the plan/,
    ],
    [
      'a discount without a kind',
      () => world.call('POST', '/billing/admin/discounts', { code: '5:dollar' }),
      '400 VALIDATION_ERROR',
      /code/,
    ],
    [
      'a discount above the ceiling',
      () => world.call('POST', '/billing/admin/discounts', { code: '51:percent:onetime' }),
      '400 DISCOUNT_CEILING_EXCEEDED',
      /50/,
    ],
    [
      'a discount for a tier that is not there',
      () => world.call('POST', '/billing/admin/discounts', { code: '5:dollar:onetime', appliesToTiers: ['teem'] }),
      '400 VALIDATION_ERROR',
      /appliesToTiers.*team/,
    ],
    [
      'a discount by a customer',
      () => ada.post('/billing/admin/discounts', { code: '5:dollar:onetime' }),
      '403 INSUFFICIENT_PERMISSIONS',
      /./,
    ],
    ['a promotion without a budget', () => promote({ budgetCents: undefined }), '400 VALIDATION_ERROR', /budgetCents/],
    [
      'a promotion of more than all',
      () => promote({ unit: 'percent', value: 101 }),
      '400 VALIDATION_ERROR',
      /value.*100/,
    ],
    [
      'a referral that is standing',
      () => promote({ trigger: { type: 'referral' }, kind: 'recurring' }),
      '400 VALIDATION_ERROR',
      /kind.*onetime/,
    ],
    [
      'an alert below nothing',
      () => ada.post('/billing/alerts', { kind: 'credit_below', thresholdCents: -1 }),
      '400 VALIDATION_ERROR',
      /thresholdCents/,
    ],
    [
      'an alert of no kind',
      () => ada.post('/billing/alerts', { kind: 'over', thresholdCents: 1 }),
      '400 VALIDATION_ERROR',
      /kind.*next_invoice_over/,
    ],
  ]

  it('refuses each by its code, names field and way out, and writes nothing', async () => {
    const before = await billingRows(store)
    const wrong: string[] = []
    for (const [what, send, refusal, says] of rows) {
      const { status, code, body } = await send()
      const text = JSON.stringify(body)
      if (`${status} ${code}` !== refusal || !says.test(text)) wrong.push(`${what}: ${status} ${text.slice(0, 300)}`)
    }
    expect(wrong).toEqual([])
    expect(await billingRows(store)).toBe(before)
    expect(world.app.errors.map(String)).toEqual([])
  })

  it('takes an alias in any case, and a token as it is', async () => {
    expect((await ada.post(`${at}/discounts/preview`, { code: 'bad-good' })).data.cents).toBe(500)
    expect((await ada.post(`${at}/discounts/preview`, { code: codes['TOKEN'] })).data.cents).toBe(500)
  })

  it('lets a team look and change with rights in the root alone', async () => {
    const member = await enrol(world.app, await signUp(world.app, `member${Date.now()}`), ada.orgId, ['Member'])
    const before = await billingRows(store)
    const headers = { 'x-org-id': ada.orgId }
    const said = await world.app.call('PUT', at, { as: member, body: { planId: 'enterprise' }, headers })
    expect([said.status, said.code]).toEqual([403, 'INSUFFICIENT_PERMISSIONS'])
    expect(await billingRows(store)).toBe(before)
  })

  it('refers neither oneself nor somebody without a subscription, and subscribes all the same', async () => {
    const promotion = {
      trigger: { type: 'referral' },
      name: 'friends',
      value: 100,
      unit: 'dollar',
      kind: 'onetime',
      budgetCents: 1000,
    }
    expect((await world.call('POST', '/billing/admin/promotions', promotion)).status).toBe(201)
    for (const code of ['self', ABSENT, 'nobody']) {
      const account = await world.sibling()
      const referralCode = code === 'self' ? account.orgId : code
      const answer = await account.post('/billing/subscriptions', { planId: 'pro', referralCode })
      expect([answer.status, answer.data.referral.status]).toEqual([201, 'ignored'])
      expect(answer.data.subscription.creditBalanceCents).toBe(0)
    }
  })
})

await describeStores('bad deliveries of a card provider', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let card: CardApp
  let root: SignedIn
  beforeAll(async () => {
    store = await open()
    card = await cardApp(store)
    root = await superAdmin(card.app, 'root')
    const ada = await signUp(card.app, 'ada')
    await card.app.call('POST', '/billing/subscriptions', { as: ada, body: { planId: 'pro' } })
  })
  afterAll(async () => {
    await card.close()
    await store.close()
  })

  const nowS = () => Math.floor(card.app.clock.now() / 1000)
  const sign = (body: string, secret = 'whsec_fake', second = nowS()) =>
    `t=${second},v1=${createHmac('sha256', secret).update(`${second}.${body}`).digest('hex')}`
  const event = (more: object = {}) =>
    JSON.stringify({
      ...{ id: `evt_bad${Math.random()}`, object: 'event', created: nowS(), livemode: false },
      ...{ type: 'invoice.paid', data: { object: { id: 'in_none', object: 'invoice' } } },
      ...more,
    })
  const post = async (body: string, signature: string | null): Promise<Said> => {
    const answer = await card.app.http.request(WEBHOOK_PATH, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(signature === null ? {} : { 'stripe-signature': signature }) },
      body,
    })
    // biome-ignore lint/suspicious/noExplicitAny: an answer
    const said = (await answer.json()) as any
    return { status: answer.status, code: said.code, body: said }
  }
  const signed = (body: string) => post(body, sign(body))

  describe('a delivery', () => {
    it.each<Row>([
      ['without a signature', () => post(event(), null), '400 INVALID_SIGNATURE', /CARD_PROVIDER_WEBHOOK_SECRET/],
      [
        'with a signature of nothing',
        () => post(event(), 'v1=00'),
        '400 INVALID_SIGNATURE',
        /CARD_PROVIDER_WEBHOOK_SECRET/,
      ],
      ['of another secret', () => post(event(), sign(event(), 'whsec_other')), '400 INVALID_SIGNATURE', /secret/],
      [
        'signed long ago',
        () => ((body) => post(body, sign(body, 'whsec_fake', nowS() - 301)))(event()),
        '400 INVALID_SIGNATURE',
        /300 s/,
      ],
      [
        'signed in the future',
        () => ((body) => post(body, sign(body, 'whsec_fake', nowS() + 301)))(event()),
        '400 INVALID_SIGNATURE',
        /clocks/,
      ],
      ['of a mebibyte and one', () => signed('x'.repeat(1_048_577)), '413 PAYLOAD_TOO_LARGE', /1,?048,?576|1 MiB/],
      ['of text that JSON does not allow', () => signed('{"id":'), '400 VALIDATION_ERROR', /JSON/],
      ['of something else than an event', () => signed('{"id":5}'), '400 VALIDATION_ERROR', /body/],
    ])('%s is refused, and nothing is kept', async (_what, send, refusal, says) => {
      const before = await billingRows(store)
      const { status, code, body } = await send()
      expect(`${status} ${code}`).toBe(refusal)
      expect(JSON.stringify(body)).toMatch(says)
      expect(await billingRows(store)).toBe(before)
    })

    it.each([
      ['of the other mode', { livemode: true }, { ignored: 'live mode' }],
      ['of another account', { account: 'acct_other' }, { ignored: 'another account' }],
      [
        'from long ago',
        { created: Math.floor(Date.parse('2026-11-21T10:00:00Z') / 1000) - 31 * 86_400 },
        { ignored: 'expired' },
      ],
    ])('%s is taken with 200 and changes nothing', async (_what, more, answer) => {
      const before = await billingRows(store)
      expect((await signed(event(more))).body.data).toMatchObject({ received: true, ...answer })
      expect(await billingRows(store)).toBe(before)
    })

    it('of an object that is not ours is kept with what became of it', async () => {
      expect((await signed(event())).body.data.effect).toMatch(/^unbound|^unreadable/)
      const { data } = await card.app.call('GET', '/billing/admin/webhook-events', { as: root })
      expect(data.events[0]).toMatchObject({ source: 'card_provider', state: 'ignored' })
      const rows = await store.system.read((db) => {
        const { billingInvoices: t } = billingTables(db)
        return db.select().from(t).where(eq(t.externalId, 'in_none'))
      })
      expect(rows).toEqual([])
    })
  })
})
