/**
 * Months of metering, hour by hour, with refused records, retries and crashes at every point, and invoices and
 * clawbacks between. What the marketplace was told and what was debited must agree to the cent.
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
} from '../src/index.js'
import { must, type Random } from './random.js'

const HOURS = 24 * 30
const OWNER = { orgId: 'org_a', subscriptionId: 'sub_1' }
const START = instant('2026-03-01T00:10:00.000Z')

export interface MeteringTotals {
  readonly hours: number
  readonly crashes: number
  readonly lapsed: number
  readonly withheldCents: number
}

export function proveMeteringMonth(random: Random, hours = HOURS): MeteringTotals {
  const catalogue = defaultCatalogue()
  const { addons, dimensions, prices } = randomAccount(catalogue, random)
  let ledger = reopen([], [])
  let stored: MeteringHour | null = null
  let crashes = 0
  let lapsed = 0
  let withheld = 0n
  let debited = 0n
  let rowId = 0
  for (let hour = 0; hour < hours; hour++) {
    let now: Instant = addMilliseconds(START, hour * 3_600_000)
    if (hour % 240 === 0 || random.chance(0.02)) {
      const amount = cents(random.whole(1, 30_000))
      const sourceId = random.chance(0.5) ? 'promo:spring' : 'disc_1'
      const command = { id: `cr_${rowId++}`, ...OWNER, sourceId, cents: amount, dedupeKey: `g:${hour}`, at: now }
      commit(ledger, grant(ledger, command))
    }
    // The hour before may be open still: the worker crashed, or the marketplace did not take everything.
    if (stored !== null && stored.status === 'open') {
      const step = take(lapseHour(ledger, stored, now))
      if (step.outcome !== null) must(apply(ledger, step.outcome).ok, () => 'a release does not apply')
      stored = step.hour
      if (stored.status === 'lapsed') lapsed++
    }
    const creditCents = availableOf(ledger, OWNER.subscriptionId)
    const plan = planMetering(catalogue, { addons, dimensions, prices, creditCents })
    checkPlan(plan, creditCents)
    const opened = take(openHour(ledger, OWNER, plan, now))
    if (opened.outcome !== null) must(apply(ledger, opened.outcome).ok, () => 'a hold does not apply')
    let current: MeteringHour = opened.hour
    must(!openHour(ledger, OWNER, plan, now).ok || plan.consumedCents === 0, () => 'an hour opened twice')
    let told: readonly MeteringRecord[] = []
    for (let attempt = 0; attempt < 3 && current.status === 'open'; attempt++) {
      // Between the attempts others use credit; what is held is not theirs to take.
      if (random.chance(0.15)) disturb(ledger, random, now, `cr_${rowId++}`)
      // What goes out is what was frozen, however often.
      const sent: readonly MeteringRecord[] = current.outstanding
      const unprocessed = random.chance(0.2) ? sent.filter(() => random.chance(0.5)) : []
      told = [...told, ...sent.filter((record) => !unprocessed.includes(record))]
      if (random.chance(0.1)) {
        // The worker dies after the call and before the debit; the next one reads what is stored.
        crashes++
        ledger = reopen(ledgerRows(ledger), ledgerHolds(ledger))
        told = []
        continue
      }
      now = addMilliseconds(now, 60_000)
      const step: MeteringStep = take(settleHour(ledger, current, { unprocessed, rowId: `cr_${rowId++}` }, now))
      const before = balanceOf(ledger, OWNER.subscriptionId)
      if (step.outcome !== null) must(apply(ledger, step.outcome).ok, () => 'a settlement does not apply')
      current = step.hour
      if (current.status === 'settled') {
        withheld += BigInt(plan.consumedCents)
        debited += BigInt(before - balanceOf(ledger, OWNER.subscriptionId))
        // A second delivery of the same answer changes nothing.
        must(
          take(settleHour(ledger, current, { unprocessed: [], rowId: 'cr_x' }, now)).outcome === null,
          () => 'settled twice',
        )
      }
    }
    for (const record of told) {
      const line = plan.lines.find((each) => each.dimension === record.dimension)
      must(line?.reportedUnits === record.quantity, () => `${record.dimension} told ${record.quantity}`)
    }
    stored = current
    must(withheld === debited, () => `withheld ${withheld}, debited ${debited}`)
    const findings = hour % 24 === 0 ? checkLedger(ledgerRows(ledger), ledgerHolds(ledger)) : []
    must(findings.length === 0, () => JSON.stringify(findings))
  }
  return { hours, crashes, lapsed, withheldCents: Number(withheld) }
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
