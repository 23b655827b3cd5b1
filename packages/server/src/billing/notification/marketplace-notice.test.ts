/** Notices of the marketplace: taken once, whatever their order, and held to what the entitlements say. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { describeStores } from '../../../test/support/describe-stores.js'
import { type MarketplaceApp, marketplaceApp } from '../../../test/support/marketplace.js'
import { signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import { silentLog } from '../../runtime/log/log.js'
import type { Store } from '../../runtime/store/db.js'
import type { Subscriber } from '../fake/marketplace/state.js'
import { marketplaceTables } from '../marketplace-tables.js'

const DAY_MS = 86_400_000

await describeStores('notices of the marketplace', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let market: MarketplaceApp
  let root: SignedIn
  let ada: SignedIn
  let subscriber: Subscriber
  let people = 0
  beforeAll(async () => {
    store = await open()
    market = await marketplaceApp(store)
    root = await superAdmin(market.app, 'root')
  })
  const begin = async (kind: 'customer' | 'license') => {
    market.app.clock.advance(120_000)
    const bought = market.buys(kind, 'pro')
    subscriber = bought.subscriber
    const { data } = await market.resolve(bought.token)
    ada = await signUp(market.app, `ada${++people}`)
    const body = { token: data.claim.token, orgId: ada.orgId }
    expect((await market.app.call('POST', '/billing/marketplace/claim', { as: ada, body })).status).toBe(200)
  }
  beforeEach(async () => {
    market.fake.faults.clear()
    market.fake.deliveries.mode = 'send'
    market.waiting.length = 0
    root = await signInAgain(market.app, root)
  })
  afterAll(async () => {
    await market.close()
    await store.close()
  })

  const current = async () =>
    (await market.app.call('GET', '/billing/subscription', { as: ada })).data.subscription as {
      status: string
      planId: string
      cancelAtPeriodEnd: boolean
    } | null
  const told = (action: Parameters<typeof market.fake.tell>[1]) => market.deliver(market.fake.tell(subscriber, action))
  const entitled = (dimension: string | null) => {
    subscriber.entitlements = dimension === null ? [] : [{ dimension, value: 1, expiresAtMs: null }]
  }
  const events = async () => (await market.app.call('GET', '/billing/admin/webhook-events', { as: root })).data.events

  describe.each(['customer', 'license'] as const)('of a listing by %s', (kind) => {
    it('change the plan, and end what is not entitled any more', async () => {
      await begin(kind)
      entitled('team')
      expect((await told('entitlement-updated')).data.effect).toBe('subscription active, plan team')
      expect(await current()).toMatchObject({ planId: 'team', status: 'active' })
      expect((await told('unsubscribe-success')).data.effect).toBe('subscription active, plan team')
      entitled(null)
      expect((await told('unsubscribe-success')).data.effect).toBe('no subscription')
      expect(await current()).toBeNull()
      expect((await market.app.call('GET', '/quotas', { as: ada })).data.quota.tier).toBe('developer')
      entitled('pro')
      await told('subscribe-success')
      expect(await current()).toMatchObject({ planId: 'pro', status: 'active' })
    })

    it('count once, in any order and however often they come', async () => {
      await begin(kind)
      market.fake.deliveries.mode = 'hold'
      entitled('team')
      const first = market.fake.tell(subscriber, 'subscribe-success')
      market.app.clock.advance(1000)
      entitled(null)
      const last = market.fake.tell(subscriber, 'unsubscribe-success')
      expect((await market.deliver(last)).data.effect).toBe('no subscription')
      expect((await market.deliver(last)).data).toMatchObject({ duplicate: true })
      expect((await market.deliver(first)).data.effect).toContain('read again')
      expect(await current()).toBeNull()
    })
  })

  it('mark an end that is to come, and take it back', async () => {
    await begin('customer')
    await told('unsubscribe-pending')
    expect(await current()).toMatchObject({ cancelAtPeriodEnd: true, status: 'active' })
    await told('subscribe-success')
    expect(await current()).toMatchObject({ cancelAtPeriodEnd: false, status: 'active' })
    entitled(null)
    await told('subscribe-fail')
    expect(await current()).toMatchObject({ status: 'incomplete' })
    entitled('pro')
    await told('subscribe-success')
    expect(await current()).toMatchObject({ status: 'active' })
  })

  it('are kept while the marketplace is away, and tried again', async () => {
    await begin('license')
    entitled('team')
    market.fake.faults.add({ kind: 'lose_request', match: 'GetEntitlements' })
    const envelope = market.fake.tell(subscriber, 'entitlement-updated')
    expect((await market.deliver(envelope)).status).toBe(500)
    expect((await events())[0]).toMatchObject({ source: 'marketplace', state: 'failed' })
    market.app.clock.advance(120_000)
    await market.job('billing.webhooks')
    expect(await current()).toMatchObject({ planId: 'team' })
    expect((await market.deliver(envelope)).data).toMatchObject({ duplicate: true })
    root = await signInAgain(market.app, root)
    const path = `/billing/admin/webhook-events/marketplace/${envelope.MessageId}/replay`
    const replayed = await market.app.call('POST', path, { as: root, body: {} })
    expect([replayed.status, replayed.data.difference]).toEqual([200, []])
  })

  it('do not follow what was read before something newer', async () => {
    await begin('license')
    entitled('team')
    await store.system.write(async (tx) => {
      const { billingMarketplaceCustomers: t } = marketplaceTables(tx)
      const entitlementsAtMs = market.app.clock.now() + 60_000
      await tx.update(t).set({ entitlementsAtMs }).where(eq(t.orgId, ada.orgId))
    })
    expect((await told('entitlement-updated')).status).toBe(500)
    expect(await current()).toMatchObject({ planId: 'pro' })
    market.app.clock.advance(120_000)
    await market.job('billing.webhooks')
    expect(await current()).toMatchObject({ planId: 'team' })
  })

  it('are ignored for another product, and read as nothing what cannot be read', async () => {
    await begin('customer')
    const notice = (Message: string) => market.deliver(market.fake.signed({ Type: 'Notification', Message }))
    const action = { action: 'unsubscribe-success', 'customer-identifier': subscriber.customerIdentifier }
    expect((await notice(JSON.stringify({ ...action, 'product-code': 'other' }))).data.effect).toBe('another product')
    const stranger = { ...action, 'customer-identifier': 'x', 'product-code': market.fake.state.productCode }
    expect((await notice(JSON.stringify(stranger))).data.effect).toBe('unbound')
    for (const text of ['', 'no', '[]', 'null', '{"action":5}'])
      expect((await notice(text)).data.effect).toBe('unknown notice')
    expect(await current()).toMatchObject({ status: 'active' })
  })

  it('of an event without a licence have all purchases read again', async () => {
    await begin('license')
    entitled('enterprise')
    const Message = JSON.stringify({
      'detail-type': 'Purchase Agreement Amended - Manufacturer',
      detail: { agreement: {} },
    })
    const said = await market.deliver(market.fake.signed({ Type: 'Notification', Message }))
    expect(said.data.effect).toBe('all purchases are read again')
    await market.job('billing.entitlements')
    expect(await current()).toMatchObject({ planId: 'enterprise' })
  })

  it('confirm the endpoint of the topic', async () => {
    market.fake.subscribe('http://127.0.0.1:1/here')
    const envelope = market.waiting.pop()
    expect((await market.deliver(envelope ?? {})).data).toEqual({ received: true, confirmed: true })
    expect([...market.fake.state.endpoints.values()].at(-1)?.confirmed).toBe(true)
    const ended = market.fake.signed({
      Type: 'UnsubscribeConfirmation',
      Message: 'end',
      Token: 't',
      SubscribeURL: `${market.fake.url}/?Token=t`,
    })
    expect((await market.deliver(ended)).data).toEqual({ received: true })
  })

  it.each([
    ['a changed text', { Message: '{}' }, 400, 'INVALID_SIGNATURE'],
    ['another topic', { TopicArn: 'arn:aws:sns:us-east-1:000000000000:other' }, 400, 'INVALID_SIGNATURE'],
    ['a certificate elsewhere', { SigningCertURL: 'http://127.0.0.1:9/x.pem' }, 400, 'INVALID_SIGNATURE'],
    ['a certificate that is none', { SigningCertURL: 'LOCAL/nothing.pem' }, 400, 'INVALID_SIGNATURE'],
    ['no id', { MessageId: undefined }, 400, 'MISSING_REQUIRED_FIELD'],
  ])('with %s are refused, and nothing is written', async (_what, more, status, code) => {
    const before = (await events()).length
    const good = market.fake.signed({ Type: 'Notification', Message: '{"action":"x"}' })
    const local = Object.fromEntries(
      Object.entries(more).map(([name, value]) => [name, value?.replace('LOCAL', market.fake.url)]),
    )
    const said = await market.deliver({ ...good, ...local })
    expect([said.status, said.code]).toEqual([status, code])
    expect((await events()).length).toBe(before)
  })

  it('that are refused are told to the operator, by field and reason and without a word of the notice', async () => {
    const lines: unknown[] = []
    const before = market.app.runtime.log
    const write = (event: string, fields: object) => void lines.push([event, fields])
    Object.assign(market.app.runtime, { log: { ...silentLog, write } })
    try {
      const sent = market.fake.signed({ Type: 'Notification', Message: '{"action":"secret"}' })
      await market.deliver({ ...sent, TopicArn: 'arn:aws:sns:us-east-1:000000000000:other' })
      await market.deliver({ ...sent, Subject: 'forged' })
      await market.deliver(sent)
    } finally {
      Object.assign(market.app.runtime, { log: before })
    }
    const refused = { source: 'marketplace' }
    expect(lines).toEqual([
      [
        'billing.delivery_refused',
        { ...refused, field: 'TopicArn', reason: expect.stringContaining('MARKETPLACE_SNS_TOPIC_ARN') },
      ],
      ['billing.delivery_refused', { ...refused, field: 'Signature', reason: 'Signature is not that of the notice' }],
    ])
  })

  it('are refused beyond 7 days and beyond 1 MiB', async () => {
    const old = market.fake.signed({ Type: 'Notification', Message: '{}' })
    market.app.clock.advance(7 * DAY_MS + 1)
    expect((await market.deliver(old)).code).toBe('INVALID_SIGNATURE')
    const large = market.fake.signed({ Type: 'Notification', Message: 'x'.repeat(1_048_577) })
    expect((await market.deliver(large)).status).toBe(413)
  })
})
