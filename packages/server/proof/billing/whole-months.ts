/**
 * Purchases through whole months where a unit is billed once a period: the marketplace and this server are away for up to five hours at a
 * time, answers are partial or lost, and holdings change. No hour lapses, and of each period and dimension the most that was held in any
 * hour was billed or paid for by credit, once.
 */
import { type HourRow, marketplaceTables } from '../../src/billing/marketplace-tables.js'
import type { Store } from '../../src/runtime/store/db.js'
import { type MarketplaceApp, marketplaceApp } from '../../test/support/marketplace.js'
import { superAdmin } from '../../test/support/organizations.js'
import { createRandom, type Random } from '../world/random.js'
import { type Buyer, buy, check, FAULTS, forget, type Months, Operator } from './months.js'

const HOUR_MS = 3_600_000
const TOGETHER = 6
const DAYS = 33
const AWAY_HOURS = 5
const PACKS = { SeatPack: 'seats', PipelinePack: 'pipelines' } as const

interface Held {
  readonly fromMs: number
  readonly seats: number
  readonly pipelines: number
}

/** @throws Error that says which period of which seed does not add up */
export async function proveWholeMonths(
  store: Store,
  { months, seed }: { months: number; seed: number },
): Promise<Months> {
  const market = await marketplaceApp(store, {
    MARKETPLACE_DIMENSION_PRICE_MAP: '{"SeatPack":400,"PipelinePack":300}',
    BILLING_METERING_MODE: 'period',
  })
  const random = createRandom(seed)
  const tally = { months: 0, hours: 0, lapsed: 0, units: 0, withheld: 0 }
  try {
    const operator = new Operator(market, await superAdmin(market.app, 'operator'))
    for (let round = 0; tally.months < months; round++) {
      await live(store, operator, random, { round, count: Math.min(TOGETHER, months - tally.months) }, tally)
    }
  } catch (error) {
    throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error })
  } finally {
    await market.close()
  }
  return tally
}

async function live(
  store: Store,
  operator: Operator,
  random: Random,
  { round, count }: { readonly round: number; readonly count: number },
  tally: { -readonly [name in keyof Months]: number },
): Promise<void> {
  const { market } = operator
  const { clock } = market.app
  const beganMs = Math.max(clock.now(), Date.UTC(2027, 3 * round, 1 + random.below(27), random.below(24), 30))
  clock.set(beganMs)
  await forget(store)
  market.fake.state.metered.clear()
  const buyers: Buyer[] = []
  const held = new Map<Buyer, Held[]>()
  const holds = async (buyer: Buyer): Promise<void> => {
    const [seats, pipelines] = [random.below(12), random.below(12)]
    await operator.holds(buyer, seats, pipelines)
    held.set(buyer, [...(held.get(buyer) ?? []), { fromMs: clock.now(), seats, pipelines }])
  }
  for (let n = 0; n < count; n++) buyers.push(await buy(market, 1_000_000 + round * TOGETHER + n))
  for (const buyer of buyers) await holds(buyer)
  while (clock.now() < beganMs + DAYS * 24 * HOUR_MS) {
    for (const buyer of buyers) {
      if (random.below(40) === 0) await holds(buyer)
      if (random.below(60) === 0) await operator.gives(buyer, 1 + random.below(9))
    }
    await pass(market, random)
  }
  market.fake.faults.clear()
  market.fake.takes = Number.POSITIVE_INFINITY
  await market.job('billing.metering')
  const lapsedBefore = tally.lapsed
  for (const buyer of buyers) {
    await check(store, market, buyer, tally)
    await checkPeriods(store, buyer, held.get(buyer) ?? [], clock.now())
  }
  if (tally.lapsed > lapsedBefore)
    throw new Error(`${tally.lapsed - lapsedBefore} hours lapsed, and nothing was away for long`)
  tally.months += count
}

/** An hour, or an outage; what the marketplace refuses from six in the morning of the first is reported before. */
async function pass(market: MarketplaceApp, random: Random): Promise<void> {
  const { clock } = market.app
  const isMonthEnd = new Date(clock.now() + 8 * HOUR_MS).getUTCDate() === 1
  const hours = isMonthEnd || random.below(3) > 0 ? 1 : 1 + random.below(AWAY_HOURS)
  market.fake.faults.clear()
  if (!isMonthEnd && random.below(4) === 0) {
    market.fake.faults.add({ kind: random.pick(FAULTS), match: 'BatchMeterUsage', times: 1 + random.below(12) })
  }
  market.fake.takes = isMonthEnd
    ? Number.POSITIVE_INFINITY
    : random.pick([0, 1, ...Array(4).fill(Number.POSITIVE_INFINITY)])
  clock.advance(hours * HOUR_MS)
  await market.job('billing.metering')
}

/** Of each period the most that was held at the beginning of an hour. */
async function checkPeriods(
  store: Store,
  { subscriptionId }: Buyer,
  held: readonly Held[],
  nowMs: number,
): Promise<void> {
  const hours = (
    (await store.system.read(async (db) => db.select().from(marketplaceTables(db).billingMeteringHours))) as HourRow[]
  ).filter((each) => each.subscriptionId === subscriptionId)
  const starts = [...new Set(hours.map(({ periodStartMs }) => periodStartMs))].sort((a, b) => a - b)
  for (const [at, startMs] of starts.entries()) {
    const endMs = starts[at + 1] ?? Number.POSITIVE_INFINITY
    for (const [dimension, name] of Object.entries(PACKS) as [keyof typeof PACKS, 'seats' | 'pipelines'][]) {
      const counted = hours
        // What was refused was not billed, and is counted by a later hour.
        .filter(({ periodStartMs, status }) => periodStartMs === startMs && status === 'settled')
        .flatMap(({ plan }) => plan.lines.filter((line) => line.dimension === dimension))
        .reduce((sum, { units }) => sum + units, 0)
      const most = mostHeld(held, name, Math.max(startMs, held[0]?.fromMs ?? 0), Math.min(endMs, nowMs))
      if (counted !== most)
        throw new Error(
          `${dimension} of the period from ${new Date(startMs).toISOString()}: ${counted} units of ${most}`,
        )
    }
  }
}

function mostHeld(held: readonly Held[], name: 'seats' | 'pipelines', fromMs: number, toMs: number): number {
  let most = 0
  for (let hourMs = Math.ceil(fromMs / HOUR_MS) * HOUR_MS; hourMs < toMs; hourMs += HOUR_MS) {
    most = Math.max(most, held.findLast((each) => each.fromMs <= hourMs)?.[name] ?? 0)
  }
  return most
}
