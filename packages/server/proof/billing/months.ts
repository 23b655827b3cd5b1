/**
 * Purchases at the marketplace through the end of a month: the marketplace is away, answers with half of it or not at all, and this
 * server sleeps. Of every hour that was opened what was reported and what credit paid for are its units, and no hour is billed twice.
 */
import { meteredKey, type Subscriber } from '../../src/billing/fake/marketplace/state.js'
import { type HourRow, marketplaceTables } from '../../src/billing/marketplace-tables.js'
import type { Store } from '../../src/runtime/store/db.js'
import { type MarketplaceApp, marketplaceApp } from '../../test/support/marketplace.js'
import { confirmed, signInAgain, superAdmin } from '../../test/support/organizations.js'
import { type SignedIn, signUp } from '../../test/support/sign-in.js'
import { createRandom, type Random } from '../world/random.js'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** Purchases that live through one month together. */
const TOGETHER = 25
const STEPS = 9

export interface Months {
  readonly months: number
  readonly hours: number
  readonly lapsed: number
  readonly units: number
  readonly withheld: number
}

export interface Buyer {
  readonly subscriber: Subscriber
  readonly subscriptionId: string
  readonly orgId: string
}

/** @throws Error that says which hour of which seed does not add up */
export async function proveMonths(store: Store, { months, seed }: { months: number; seed: number }): Promise<Months> {
  const market = await marketplaceApp(store, {
    MARKETPLACE_DIMENSION_PRICE_MAP: '{"SeatPack":4,"PipelinePack":3}',
    BILLING_METERING_MODE: 'cycle',
  })
  const random = createRandom(seed)
  const tally = { months: 0, hours: 0, lapsed: 0, units: 0, withheld: 0 }
  try {
    const operator = new Operator(market, await superAdmin(market.app, 'operator'))
    for (let month = 0; tally.months < months; month++) {
      await live(store, operator, random, { month, count: Math.min(TOGETHER, months - tally.months) }, tally)
    }
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error })
  } finally {
    await market.close()
  }
  return tally
}

export class Operator {
  constructor(
    readonly market: MarketplaceApp,
    public root: SignedIn,
  ) {}

  async asks(method: string, path: string, body: object) {
    this.root = await signInAgain(this.market.app, this.root)
    const answer = await confirmed(this.market.app, method as 'POST', path, { as: this.root, body })
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`)
    return answer.data
  }

  holds({ subscriptionId }: Buyer, seats: number, pipelines: number): Promise<unknown> {
    const addons = [
      { bundleId: 'seat_pack', quantity: seats },
      { bundleId: 'pipeline_pack', quantity: pipelines },
    ]
    return this.asks('PUT', `/billing/admin/subscriptions/${subscriptionId}`, { addons })
  }

  async gives({ orgId }: Buyer, dollars: number): Promise<void> {
    const made = await this.asks('POST', '/billing/admin/discounts', { code: `${dollars}:dollar:credit` })
    await this.asks('POST', `/billing/admin/discounts/${made.discount.id}/apply`, { targetOrgId: orgId })
  }
}

export const FAULTS = ['lose_request', 'lose_answer', 'fail', 'fail_done', 'busy'] as const

async function live(
  store: Store,
  operator: Operator,
  random: Random,
  { month, count }: { readonly month: number; readonly count: number },
  tally: { -readonly [name in keyof Months]: number },
): Promise<void> {
  const { market } = operator
  // Some hours before the first of a month, when what is not reported by six in the morning is lost.
  const first = Date.UTC(2027, 1 + 2 * month, 1)
  market.app.clock.set(Math.max(market.app.clock.now(), first - (3 + random.below(20)) * HOUR_MS + HOUR_MS / 2))
  await forget(store)
  market.fake.state.metered.clear()
  const buyers: Buyer[] = []
  for (let n = 0; n < count; n++) buyers.push(await buy(market, month * TOGETHER + n))
  for (const buyer of buyers) await operator.holds(buyer, random.below(20), random.below(20))
  for (let step = 0; step < STEPS; step++) {
    for (const buyer of buyers) {
      if (random.below(16) === 0) await operator.holds(buyer, random.below(40), random.below(10))
      if (random.below(12) === 0) await operator.gives(buyer, 1 + random.below(4))
    }
    const kind = random.pick(FAULTS)
    // An outage hits every call of the hour, a mishap some.
    if (random.below(3) === 0) market.fake.faults.add({ kind, match: 'BatchMeterUsage', times: 1 + random.below(40) })
    market.fake.takes = random.pick([0, 1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY])
    // Asleep: from one hour to thirty.
    if (random.below(4) === 0) market.app.clock.advance((1 + random.below(random.below(4) === 0 ? 30 : 5)) * HOUR_MS)
    market.app.clock.advance(HOUR_MS)
    await market.job('billing.metering')
  }
  market.fake.faults.clear()
  market.fake.takes = Number.POSITIVE_INFINITY
  await market.job('billing.metering')
  market.app.clock.advance(2 * DAY_MS)
  await market.job('billing.metering')
  for (const buyer of buyers) await check(store, market, buyer, tally)
  tally.months += count
}

/** Those of the month before report nothing any more. */
export async function forget(store: Store): Promise<void> {
  await store.system.write(async (tx) => {
    await tx.delete(marketplaceTables(tx).billingMarketplaceCustomers)
    await tx.delete(marketplaceTables(tx).billingMeteringHours)
  })
}

export async function buy(market: MarketplaceApp, number: number): Promise<Buyer> {
  const { subscriber, token } = market.buys(number % 2 === 0 ? 'license' : 'customer', 'team')
  const { data } = await market.resolve(token)
  const person = await signUp(market.app, `buyer${number}`)
  const body = { token: data.claim.token, orgId: person.orgId }
  const claimed = await market.app.call('POST', '/billing/marketplace/claim', { as: person, body })
  return { subscriber, subscriptionId: claimed.data.subscription.id, orgId: person.orgId }
}

export async function check(
  store: Store,
  market: MarketplaceApp,
  { subscriber, subscriptionId }: Buyer,
  tally: { -readonly [name in keyof Months]: number },
): Promise<void> {
  const hours = (await store.system.read(async (db) =>
    db.select().from(marketplaceTables(db).billingMeteringHours),
  )) as HourRow[]
  const mine = hours.filter((each) => each.subscriptionId === subscriptionId)
  const seen = new Set<string>()
  for (const { hour, status, plan } of mine) {
    if (status === 'open') throw new Error(`the hour ${hour} stayed open`)
    tally.hours += 1
    if (status === 'lapsed') tally.lapsed += 1
    for (const { dimension, units, withheldUnits } of plan.lines) {
      const key = meteredKey(subscriber.id, dimension, Date.parse(`${hour}:00:00.000Z`))
      seen.add(key)
      const taken = market.fake.state.metered.get(key)?.quantity ?? 0
      tally.units += units
      tally.withheld += withheldUnits
      // An hour that came to nothing gives no units away: it was billed in part, or not at all, and no credit was spent on it.
      const isRight = status === 'settled' ? taken + withheldUnits === units : taken + withheldUnits <= units
      if (!isRight)
        throw new Error(`${hour} ${dimension}, ${status}: ${taken} reported, ${withheldUnits} withheld of ${units}`)
    }
  }
  const more = [...market.fake.state.metered.keys()].filter((key) => key.startsWith(`${subscriber.id}`))
  if (more.some((key) => !seen.has(key))) throw new Error('an hour was billed that nobody opened')
  if (new Set(mine.map(({ hour }) => hour)).size !== mine.length) throw new Error('an hour was opened twice')
}
