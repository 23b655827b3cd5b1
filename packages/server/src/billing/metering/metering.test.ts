/** Usage is reported once an hour, credit pays for whole units, and nothing is lost while the marketplace or this server is away. */
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createRandom } from '../../../proof/world/random.js'
import { describeStores } from '../../../test/support/describe-stores.js'
import { type MarketplaceApp, marketplaceApp } from '../../../test/support/marketplace.js'
import { confirmed, signInAgain, superAdmin } from '../../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../../test/support/sign-in.js'
import type { Store } from '../../runtime/store/db.js'
import { type ListingKind, meteredKey, type Subscriber } from '../fake/marketplace/state.js'
import { marketplaceOf } from '../marketplace/client.js'
import { type HourRow, marketplaceTables } from '../marketplace-tables.js'

const HOUR_MS = 3_600_000

await describeStores('metering', ['SQLite', 'PostgreSQL'], (open) => {
  let store: Store
  let market: MarketplaceApp
  let root: SignedIn
  let ada: SignedIn
  let subscriber: Subscriber
  let subscriptionId: string
  let people = 0
  beforeAll(async () => {
    store = await open()
    market = await marketplaceApp(store, {
      MARKETPLACE_DIMENSION_PRICE_MAP: '{"SeatPack":4,"PipelinePack":3}',
      BILLING_METERING_MODE: 'cycle',
    })
    root = await superAdmin(market.app, 'root')
  })
  beforeEach(async () => {
    // At the middle of the next hour.
    market.app.clock.set((Math.floor(market.app.clock.now() / HOUR_MS) + 1.5) * HOUR_MS)
    market.fake.faults.clear()
    market.fake.takes = Number.POSITIVE_INFINITY
    market.fake.state.metered.clear()
    // Those of the test before report nothing any more.
    await store.system.write(async (tx) => {
      await tx.delete(marketplaceTables(tx).billingMarketplaceCustomers)
      await tx.delete(marketplaceTables(tx).billingMeteringHours)
    })
    root = await signInAgain(market.app, root)
  })
  afterAll(async () => {
    await market.close()
    await store.close()
  })

  const begin = async (kind: ListingKind = 'license') => {
    const bought = market.buys(kind, 'team')
    subscriber = bought.subscriber
    const { data } = await market.resolve(bought.token)
    ada = await signUp(market.app, `ada${++people}`)
    const body = { token: data.claim.token, orgId: ada.orgId }
    const claimed = await market.app.call('POST', '/billing/marketplace/claim', { as: ada, body })
    subscriptionId = claimed.data.subscription.id
  }
  const holds = async (addons: object[]) => {
    root = await signInAgain(market.app, root)
    const path = `/billing/admin/subscriptions/${subscriptionId}`
    const said = await confirmed(market.app, 'PUT', path, { as: root, body: { addons } })
    expect(said.status).toBe(200)
    return said.data.subscription
  }
  const seats = (quantity: number) => holds([{ bundleId: 'seat_pack', quantity }])
  const credit = async (dollars: number) => {
    root = await signInAgain(market.app, root)
    const made = await market.app.call('POST', '/billing/admin/discounts', {
      as: root,
      body: { code: `${dollars}:dollar:credit` },
    })
    const path = `/billing/admin/discounts/${made.data.discount.id}/apply`
    const said = await market.app.call('POST', path, { as: root, body: { targetOrgId: ada.orgId } })
    expect(said.status).toBe(200)
  }
  const hours = async (count: number) => {
    for (let done = 0; done < count; done++) {
      market.app.clock.advance(HOUR_MS)
      await market.job('billing.metering')
    }
  }
  const sleep = (count: number) => void market.app.clock.advance(count * HOUR_MS)
  const billed = (dimension = 'SeatPack') =>
    [...market.fake.state.metered.values()]
      .filter((each) => each.subscriber === subscriber.id && each.dimension === dimension)
      .map(({ quantity }) => quantity)
  const stored = (): Promise<HourRow[]> =>
    store.system.read(async (db) => {
      const { billingMeteringHours: t } = marketplaceTables(db)
      const rows = await db.select().from(t).where(eq(t.subscriptionId, subscriptionId)).orderBy(t.hour)
      return rows as HourRow[]
    })
  const balance = async () => {
    ada = await signInAgain(market.app, ada)
    return (await market.app.call('GET', '/billing/subscription', { as: ada })).data.subscription
      .creditBalanceCents as number
  }

  it('is given no more of an add-on that has no dimension, and keeps what it has', async () => {
    await begin()
    const { settings } = market.app.runtime
    const dimensions = settings.MARKETPLACE_BUNDLE_DIMENSION_MAP
    const give = async (quantity: number) => {
      root = await signInAgain(market.app, root)
      const body = {
        addons: [
          { bundleId: 'seat_pack', quantity: 1 },
          { bundleId: 'plugin_pack', quantity },
        ],
      }
      return confirmed(market.app, 'PUT', `/billing/admin/subscriptions/${subscriptionId}`, { as: root, body })
    }
    expect((await give(2)).status).toBe(200)
    try {
      Object.assign(settings, { MARKETPLACE_BUNDLE_DIMENSION_MAP: '{"seat_pack":"SeatPack"}' })
      const refused = await give(3)
      expect([refused.status, refused.code]).toEqual([400, 'PRICE_NOT_CONFIGURED'])
      expect(refused.body).toMatchObject({
        message: expect.stringMatching(/plugin_pack.*MARKETPLACE_BUNDLE_DIMENSION_MAP/),
        details: { field: '/body/addons/1/bundleId', bundleId: 'plugin_pack' },
      })
      expect((await give(2)).status).toBe(200)
      expect((await give(1)).data.subscription.addons).toMatchObject([{ quantity: 1 }, { quantity: 1 }])
    } finally {
      Object.assign(settings, { MARKETPLACE_BUNDLE_DIMENSION_MAP: dimensions })
    }
  })

  it.each(['customer', 'license'] as const)(
    'reports what was held when the hour began, of a listing by %s',
    async (kind) => {
      await begin(kind)
      await seats(2)
      await hours(2)
      expect(billed()).toEqual([2, 2])
      await seats(5)
      await market.job('billing.metering')
      expect(billed()).toEqual([2, 2])
      await hours(1)
      expect(billed()).toEqual([2, 2, 5])
      await holds([{ bundleId: 'seat_pack', quantity: 0 }])
      await hours(2)
      expect(billed()).toEqual([2, 2, 5])
    },
  )

  it('withholds whole units that credit pays for, and carries the rest forward', async () => {
    await begin()
    await seats(2)
    // 100 cents at 4 a unit: twelve hours of two, one of one, and nothing is left.
    await credit(1)
    await hours(14)
    const reported = billed().reduce((sum, quantity) => sum + quantity, 0)
    const rows = await stored()
    const withheld = rows.flatMap(({ plan }) => plan.lines).reduce((sum, line) => sum + line.withheldUnits, 0)
    const units = rows.flatMap(({ plan }) => plan.lines).reduce((sum, line) => sum + line.units, 0)
    expect([units, withheld, reported]).toEqual([28, 25, 3])
    expect(await balance()).toBe(0)
    const { invoices } = (await market.app.call('GET', '/billing/invoices', { as: ada })).data
    expect(invoices).toMatchObject([{ subtotalCents: 100, creditCents: 100, totalCents: 0 }])
    expect(invoices[0].lines).toMatchObject([{ id: 'SeatPack', quantity: 25, cents: 100 }])
    const { events } = (await market.app.call('GET', '/billing/events?type=credit_exhausted', { as: ada })).data
    expect(events).toHaveLength(1)
  })

  it('loses nothing in an outage of the marketplace of five hours', async () => {
    await begin()
    await seats(12)
    await credit(1)
    market.fake.faults.add({ kind: 'lose_request', match: 'BatchMeterUsage', times: 1000 })
    await hours(5)
    const statuses = async () => (await stored()).map(({ status }) => status)
    // Two hours are paid for by credit alone; in the third it is held for what it pays of it.
    expect(await statuses()).toEqual(['settled', 'settled', 'open', 'open', 'open'])
    expect([billed(), await balance()]).toEqual([[], 4])
    market.fake.faults.clear()
    await market.job('billing.metering')
    expect(await statuses()).toEqual(Array(5).fill('settled'))
    expect(billed()).toEqual([11, 12, 12])
    expect(await balance()).toBe(0)
  })

  it('loses nothing while the marketplace does not accept the credentials of this host', async () => {
    await begin()
    await seats(3)
    market.fake.faults.add({ kind: 'locked_out', times: 1000 })
    await hours(2)
    expect((await stored()).map(({ status }) => status)).toEqual(['open', 'open'])
    // It counts as away, so the rest of the hours is not tried in this run.
    await expect(marketplaceOf(market.app.runtime).check('plumbline-local')).rejects.toMatchObject({
      kind: 'no_answer',
      code: 'UnrecognizedClientException',
      message: expect.stringContaining('credentials of this host'),
    })
    market.fake.faults.clear()
    await market.job('billing.metering')
    expect(billed()).toEqual([3, 3])
  })

  it('makes up for the hours in which this server slept, and no hour twice', async () => {
    await begin()
    await seats(1)
    sleep(5)
    await market.job('billing.metering')
    await market.job('billing.metering')
    expect(billed()).toEqual([1, 1, 1, 1, 1])
    expect(await stored()).toHaveLength(5)
  })

  it('opens an hour once, even by one who has yet to see that it was opened', async () => {
    await begin()
    await seats(2)
    await credit(1)
    await hours(3)
    const before = [await stored(), await balance()]
    await store.system.write(async (tx) => {
      const { billingMarketplaceCustomers: t } = marketplaceTables(tx)
      await tx.update(t).set({ meteredFromMs: (Math.floor(market.app.clock.now() / HOUR_MS) - 2) * HOUR_MS })
    })
    await market.job('billing.metering')
    expect([await stored(), await balance()]).toEqual(before)
    await hours(1)
    expect(billed()).toEqual([])
  })

  it('settles an hour once, no matter who else asks for it meanwhile', async () => {
    await begin()
    await seats(30)
    await credit(1)
    market.fake.faults.add({ kind: 'delay', match: 'BatchMeterUsage', times: 1, delayMs: 300 })
    market.app.clock.advance(HOUR_MS)
    await Promise.all([market.job('billing.metering'), market.job('billing.metering')])
    const { outstanding } = (await stored())[0] as HourRow
    const counted = (await stored()).map(({ status, attempts }) => [status, attempts])
    expect([counted, outstanding, billed(), await balance()]).toEqual([[['settled', 1]], [], [5], 0])
  })

  it('sends the same again after an answer that was lost', async () => {
    await begin()
    await seats(2)
    market.fake.faults.add({ kind: 'lose_answer', match: 'BatchMeterUsage' })
    await hours(1)
    expect((await stored()).map(({ status }) => status)).toEqual(['open'])
    await credit(1)
    await hours(1)
    expect((await stored()).map(({ status }) => status)).toEqual(['settled', 'settled'])
    expect(billed()).toEqual([2])
    expect(await balance()).toBe(92)
  })

  it('sends again what was left unprocessed, and debits when all is taken', async () => {
    await begin()
    await holds([
      { bundleId: 'seat_pack', quantity: 30 },
      { bundleId: 'pipeline_pack', quantity: 40 },
    ])
    await credit(1)
    market.fake.takes = 1
    await hours(1)
    expect([(await stored())[0]?.status, await balance()]).toEqual(['open', 100])
    market.fake.takes = 25
    await market.job('billing.metering')
    expect((await stored())[0]).toMatchObject({ status: 'settled', outstanding: [] })
    const lines = (await stored())[0]?.plan.lines ?? []
    expect([billed('PipelinePack'), billed('SeatPack')]).toEqual(
      ['PipelinePack', 'SeatPack'].map((name) => {
        const reported = lines.find(({ dimension }) => dimension === name)?.reportedUnits ?? 0
        return reported === 0 ? [] : [reported]
      }),
    )
    expect(await balance()).toBe(1)
  })

  it('gives its credit back for an hour that lapses', async () => {
    await begin()
    await seats(1)
    await credit(1)
    market.fake.faults.add({ kind: 'lose_request', match: 'BatchMeterUsage', times: 1000 })
    await seats(40)
    await hours(2)
    expect((await stored()).map(({ status }) => status)).toEqual(['open', 'open'])
    sleep(24)
    market.fake.faults.clear()
    await market.job('billing.metering')
    const rows = await stored()
    expect(rows.slice(0, 2).map(({ status }) => status)).toEqual(['lapsed', 'lapsed'])
    expect(rows.some(({ status }) => status === 'open')).toBe(false)
  })

  it('ends what is not subscribed, and debits nothing for it', async () => {
    await begin()
    await seats(1)
    await credit(1)
    subscriber.isSubscribed = false
    subscriber.entitlements = []
    await hours(1)
    expect(await balance()).toBe(100 - 4)
    await seats(60)
    await hours(1)
    expect((await stored()).at(-1)?.status).toBe('refused')
    ada = await signInAgain(market.app, ada)
    expect((await market.app.call('GET', '/billing/subscription', { as: ada })).data.subscription).toBeNull()
    await hours(2)
    expect(billed()).toEqual([])
  })

  it('refuses the operator what the marketplace says, and an unknown add-on', async () => {
    await begin()
    const set = (body: object) =>
      confirmed(market.app, 'PUT', `/billing/admin/subscriptions/${subscriptionId}`, { as: root, body })
    expect((await set({ planId: 'pro' })).code).toBe('MANAGED_BY_MARKETPLACE')
    expect((await set({ status: 'canceled' })).code).toBe('MANAGED_BY_MARKETPLACE')
    expect((await set({ addons: [{ bundleId: 'seat_pak', quantity: 1 }] })).code).toBe('VALIDATION_ERROR')
    expect((await seats(3)).addons).toEqual([{ bundleId: 'seat_pack', quantity: 3 }])
  })

  it('reports or withholds every unit, whatever happens on the way', async () => {
    await begin()
    const random = createRandom(20261121).next
    const whole = (max: number) => Math.floor(random() * (max + 1))
    for (let step = 0; step < 16; step++) {
      if (random() < 0.3) await seats(whole(40))
      if (random() < 0.3) await credit(1 + whole(3))
      const kind = (['lose_request', 'lose_answer', 'fail', 'fail_done', 'busy'] as const)[whole(4)]
      if (kind !== undefined && random() < 0.4)
        market.fake.faults.add({ kind, match: 'BatchMeterUsage', times: 1 + whole(4) })
      market.fake.takes = random() < 0.2 ? 0 : Number.POSITIVE_INFINITY
      if (random() < 0.3) sleep(whole(4))
      await hours(1)
    }
    market.fake.faults.clear()
    market.fake.takes = Number.POSITIVE_INFINITY
    await market.job('billing.metering')
    let debited = 0
    for (const { status, hour, plan } of await stored()) {
      expect([hour, status]).toEqual([hour, 'settled'])
      debited += plan.consumedCents
      for (const { dimension, units, withheldUnits } of plan.lines) {
        const atMs = Date.parse(`${hour}:00:00.000Z`)
        const taken = market.fake.state.metered.get(meteredKey(subscriber.id, dimension, atMs))?.quantity ?? 0
        expect([hour, dimension, taken + withheldUnits]).toEqual([hour, dimension, units])
      }
    }
    ada = await signInAgain(market.app, ada)
    const { entries } = (await market.app.call('GET', '/billing/ledger?limit=200', { as: ada })).data
    const consumed = (entries as { type: string; cents: number }[]).filter(({ type }) => type === 'consume')
    expect(-consumed.reduce((sum, { cents }) => sum + cents, 0)).toBe(debited)
  })
})
