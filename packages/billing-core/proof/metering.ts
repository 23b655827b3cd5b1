/**
 * Months of metering, hour by hour, against a marketplace that bills what it takes: outages of up to 30 hours, partial
 * answers, crashes after the call and before the debit, invoices and clawbacks between. For every hour that settles, what
 * the marketplace bills and what credit pays for are the units held; an hour that does not settle debits nothing.
 */
import {
  addMilliseconds,
  apply,
  availableOf,
  type BundleDimensionMap,
  balanceOf,
  type Catalogue,
  type Cents,
  cents,
  checkLedger,
  clawback,
  consume,
  type DimensionPriceMap,
  defaultCatalogue,
  grant,
  hourKey,
  type Instant,
  instant,
  type LedgerOutcome,
  type LedgerState,
  lapseHour,
  ledgerHolds,
  ledgerRows,
  type MeteringHour,
  type MeteringRecord,
  type MeteringStep,
  openHour,
  openLedger,
  planMetering,
  settleHour,
  toMilliseconds,
} from '../src/index.js'
import { must, type Random } from './random.js'

const HOURS = 24 * 32
const OWNER = { orgId: 'org_a', subscriptionId: 'sub_1' }
// Ten minutes past, so that an hour is late for the end of a month and not by a round number; the month's end is inside.
const START = instant('2026-03-01T00:10:00.000Z')
const HOUR_MS = 3_600_000
/** An outage over the end of the month in every run: what it leaves is refused from six in the morning on. */
const LAST_EVENING = 24 * 31 - 4

export interface MeteringTotals {
  readonly hours: number
  readonly crashes: number
  readonly lapsed: number
  /** Hours that were still open an hour later, and settled all the same. */
  readonly late: number
  readonly withheldCents: number
}

/** Takes each dimension of an hour once; the same record again is taken again, other units are an error of ours. */
class Marketplace {
  readonly billed = new Map<string, bigint>()

  take(hour: string, { dimension, quantity }: MeteringRecord, now: Instant): void {
    must(toMilliseconds(now) < refusedFrom(hour), () => `${hour} is reported at ${now}, when it is refused`)
    const key = `${hour} ${dimension}`
    const before = this.billed.get(key)
    must(before === undefined || before === BigInt(quantity), () => `${key}: ${before} and ${quantity} reported`)
    this.billed.set(key, BigInt(quantity))
  }
}

/** The marketplace's own rule, by the calendar: 24 hours, and six in the morning of the first. */
function refusedFrom(hour: string): number {
  const start = Date.parse(`${hour}:00:00Z`)
  const [year, month] = hour.split('-').map(Number) as [number, number]
  return Math.min(start + 24 * HOUR_MS, Date.UTC(year, month, 1, 6))
}

export function proveMeteringMonth(random: Random, hours = HOURS): MeteringTotals {
  const catalogue = defaultCatalogue()
  const { addons, dimensions, prices } = randomAccount(catalogue, random)
  const marketplace = new Marketplace()
  const stored = new Map<string, MeteringHour>()
  let ledger = reopen([], [])
  let [crashes, lapsed, late, rowId, outage] = [0, 0, 0, 0, 0]
  let [withheld, debited] = [0n, 0n]
  const keep = (step: MeteringStep): MeteringHour => {
    const before = balanceOf(ledger, OWNER.subscriptionId)
    if (step.outcome !== null) must(apply(ledger, step.outcome).ok, () => 'an outcome of metering does not apply')
    debited += BigInt(before - balanceOf(ledger, OWNER.subscriptionId))
    stored.set(step.hour.hour, step.hour)
    return step.hour
  }
  for (let index = 0; index < hours; index++) {
    let now: Instant = addMilliseconds(START, index * HOUR_MS)
    if (index % 240 === 0 || random.chance(0.02)) {
      const amount = cents(random.whole(1, 30_000))
      const sourceId = random.chance(0.5) ? 'promo:spring' : 'disc_1'
      const command = { id: `cr_${rowId++}`, ...OWNER, sourceId, cents: amount, dedupeKey: `g:${index}`, at: now }
      commit(ledger, grant(ledger, command))
    }
    if (outage > 0) outage--
    else if (index === LAST_EVENING) outage = 12
    else if (random.chance(0.03)) outage = random.whole(1, 30)
    const creditCents = availableOf(ledger, OWNER.subscriptionId)
    const plan = planMetering(catalogue, { addons, dimensions, prices, creditCents })
    checkPlan(plan, creditCents)
    keep(take(openHour(ledger, OWNER, plan, now)))
    must(!openHour(ledger, OWNER, plan, now).ok || plan.consumedCents === 0, () => 'an hour opened twice')
    for (const hour of [...stored.values()].filter((each) => each.status === 'open')) {
      if (random.chance(0.05)) disturb(ledger, random, now, `cr_${rowId++}`)
      const inTime = keep(take(lapseHour(ledger, hour, now)))
      if (inTime.status === 'lapsed') {
        const due = Math.min(refusedFrom(hour.hour) - 15 * 60_000, Date.parse(`${hour.hour}:00:00Z`) + 23 * HOUR_MS)
        must(toMilliseconds(now) >= due, () => `${hour.hour} lapsed at ${now} already`)
        lapsed++
        continue
      }
      if (outage > 0) continue
      // What goes out is what was frozen, however often.
      const answered = inTime.outstanding.filter(() => random.chance(0.9))
      for (const record of answered) marketplace.take(hour.hour, record, now)
      if (random.chance(0.05)) {
        // The worker dies after the call and before the debit; the next one reads what is stored.
        crashes++
        ledger = reopen(ledgerRows(ledger), ledgerHolds(ledger))
        continue
      }
      now = addMilliseconds(now, 1_000)
      const results = answered.map(({ dimension }) => ({ dimension, status: 'Success' as const }))
      const current = keep(take(settleHour(ledger, inTime, { results, rowId: `cr_${rowId++}` }, now)))
      if (current.status !== 'settled') continue
      withheld += BigInt(current.plan.consumedCents)
      if (current.hour !== hourKey(now)) late++
      for (const line of current.plan.lines) {
        const reported = marketplace.billed.get(`${current.hour} ${line.dimension}`) ?? 0n
        must(reported + BigInt(line.withheldUnits) === BigInt(line.units), () => `${current.hour}: units are lost`)
      }
      const again = take(settleHour(ledger, current, { results, rowId: 'cr_x' }, now))
      must(again.outcome === null, () => 'settled twice')
    }
    must(withheld === debited, () => `withheld ${withheld}, debited ${debited}`)
    const findings = index % 24 === 0 ? checkLedger(ledgerRows(ledger), ledgerHolds(ledger)) : []
    must(findings.length === 0, () => JSON.stringify(findings))
  }
  return { hours, crashes, lapsed, late, withheldCents: Number(withheld) }
}

function checkPlan(plan: ReturnType<typeof planMetering>, credit: Cents): void {
  let left = BigInt(credit)
  for (const line of plan.lines) {
    must(line.reportedUnits + line.withheldUnits === line.units, () => `${line.dimension}: units do not add up`)
    const price = BigInt(line.priceCents ?? 0)
    // The definition: as many whole units as the rest of the credit buys.
    const expected = price === 0n ? 0n : left / price < BigInt(line.units) ? left / price : BigInt(line.units)
    must(BigInt(line.withheldUnits) === expected, () => `${line.dimension}: ${line.withheldUnits}, not ${expected}`)
    left -= expected * price
  }
  must(left >= 0n && BigInt(plan.remainingCents) === left, () => 'the remainder is not carried exactly')
  must(plan.consumedCents + plan.remainingCents === credit, () => 'consumed and remaining do not add up')
  must(new Set(plan.records.map((each) => each.dimension)).size === plan.records.length, () => 'a dimension twice')
  must(
    plan.records.every((record) => record.quantity > 0),
    () => 'an empty record is sent',
  )
}

/** An invoice or a cancellation in the middle of an hour. */
function disturb(ledger: LedgerState, random: Random, now: Instant, id: string): void {
  const held = ledgerHolds(ledger).reduce((total, hold) => total + hold.cents, 0)
  if (random.chance(0.5)) {
    const wanted = { id, ...OWNER, sourceId: 'provider', mode: 'upTo', dedupeKey: `inv:${id}`, at: now } as const
    commit(ledger, consume(ledger, { ...wanted, cents: cents(random.whole(1, 5_000)) }))
  } else {
    const target = ledgerRows(ledger).find(
      (row) => row.type === 'grant' && row.sourceId === 'promo:spring' && row.state !== 'reversed',
    )
    if (target !== undefined) commit(ledger, clawback(ledger, { id, grantKey: target.dedupeKey, at: now }))
  }
  must(balanceOf(ledger, OWNER.subscriptionId) >= held, () => 'held credit was taken')
}

function randomAccount(
  catalogue: Catalogue,
  random: Random,
): { addons: { bundleId: string; quantity: number }[]; dimensions: BundleDimensionMap; prices: DimensionPriceMap } {
  const held = catalogue.bundles.filter(() => random.chance(0.5))
  const shared = random.chance(0.3)
  const dimensions = new Map<string, string>()
  const prices = new Map<string, Cents>()
  for (const bundle of held) {
    if (random.chance(0.1)) continue
    const dimension = shared && random.chance(0.4) ? 'Shared' : `D-${bundle.id}`
    dimensions.set(bundle.id, dimension)
    if (random.chance(0.85)) prices.set(dimension, cents(random.whole(1, 3_000)))
  }
  return {
    addons: held.map((bundle) => ({ bundleId: bundle.id, quantity: random.whole(1, Math.min(bundle.max, 6)) })),
    dimensions,
    prices,
  }
}

function reopen(...parts: Parameters<typeof openLedger>): LedgerState {
  const opened = openLedger(...parts)
  if (!opened.ok) throw new Error(JSON.stringify(opened.findings))
  return opened.state
}

function take<T>(result: { ok: true; value: T } | { ok: false; refusal: { message: string } }): T {
  if (!result.ok) throw new Error(result.refusal.message)
  return result.value
}

function commit(
  ledger: LedgerState,
  result: { ok: true; value: LedgerOutcome } | { ok: false; refusal: { message: string } },
): void {
  must(apply(ledger, take(result)).ok, () => 'an outcome does not apply')
}
