/**
 * One random operation on the ledger and on the oracle, and the comparison of everything afterwards. Operations are
 * data, so that fast-check can shrink them and the long proof can generate millions.
 */
import {
  adjust,
  apply,
  availableOf,
  balanceOf,
  cents,
  checkLedger,
  checkRedemption,
  clawback,
  confirmPush,
  consume,
  type Discount,
  forfeit,
  grant,
  grantPromotion,
  hold,
  type Instant,
  instant,
  type LedgerOutcome,
  type LedgerState,
  ledgerHolds,
  ledgerRows,
  openLedger,
  type Promotion,
  type PromotionGrantCommand,
  parseCents,
  parseSignedCents,
  percent,
  type Result,
  refusePush,
  release,
  releaseGrant,
  resumeLedger,
  spendOf,
} from '../src/index.js'
import { hasPendingRow } from '../src/ledger/book.js'
import { NaiveLedger } from './naive-ledger.js'
import { must, type Random } from './random.js'

export type Operation =
  | { kind: 'grant'; sub: number; key: number; cents: number; day: number; push: boolean }
  | { kind: 'consume'; sub: number; key: number; cents: number; upTo: boolean }
  | { kind: 'adjust'; sub: number; key: number; cents: number }
  | { kind: 'forfeit'; sub: number }
  | { kind: 'clawback'; key: number; push: boolean }
  | { kind: 'refuse'; key: number; push: boolean }
  | { kind: 'confirm'; key: number }
  | { kind: 'hold'; sub: number; key: number; cents: number }
  | { kind: 'release'; key: number }
  | { kind: 'settle'; key: number; cents: number }
  | { kind: 'promote' | 'demote'; promotion: number; sub: number }
  | { kind: 'redeem'; discount: number }
  | { kind: 'reopen' }

type Of<K extends Operation['kind']> = Extract<Operation, { kind: K }>

export const ORG = 'org_a'
export const SUBS: readonly string[] = ['sub_1', 'sub_2']
const KEYS = 24
export const PROMOTIONS = 3
export const DISCOUNTS = 2
const KINDS =
  'grant grant grant consume consume adjust forfeit clawback refuse confirm hold release settle settle promote demote redeem reopen'.split(
    ' ',
  ) as Operation['kind'][]

export function randomOperation(random: Random): Operation {
  const sub = random.whole(0, SUBS.length - 1)
  const key = random.whole(0, KEYS - 1)
  // Small figures meet each other often; large ones reach the bounds.
  const amount = random.chance(0.02) ? Number.MAX_SAFE_INTEGER - random.whole(0, 50) : random.whole(-1, 60)
  const kind = random.pick(KINDS)
  switch (kind) {
    case 'grant':
      return { kind, sub, key, cents: amount, day: random.whole(1, 28), push: random.chance(0.3) }
    case 'consume':
      return { kind, sub, key, cents: amount, upTo: random.chance(0.4) }
    case 'adjust':
      return { kind, sub, key, cents: random.chance(0.5) ? amount : 0 - amount }
    case 'forfeit':
      return { kind, sub }
    case 'clawback':
    case 'refuse':
      return { kind, key, push: random.chance(0.3) }
    case 'confirm':
    case 'release':
      return { kind, key }
    case 'hold':
      return { kind, sub, key, cents: random.whole(0, 40) }
    case 'settle':
      return { kind, key, cents: random.whole(1, 40) }
    case 'promote':
    case 'demote':
      return { kind, promotion: random.whole(0, PROMOTIONS - 1), sub }
    case 'redeem':
      return { kind, discount: random.whole(0, DISCOUNTS - 1) }
    case 'reopen':
      return { kind }
  }
}

const DAY: Instant = instant('2026-03-01T00:00:00.000Z')

/** A ledger and its oracle, side by side. */
export class LedgerPair {
  state: LedgerState
  readonly naive = new NaiveLedger()
  promotions: Promotion[]
  discounts: Discount[]
  private rowCount = 0
  private readonly keysSeen = new Set<string>()

  constructor() {
    const opened = openLedger([])
    if (!opened.ok) throw new Error('an empty ledger opens')
    this.state = opened.state
    this.promotions = [
      promotionOf('p0', 30, 100, null, null),
      promotionOf('p1', 25, 1_000, 20, 2),
      promotionOf('p2', 7, 7, null, null),
    ]
    this.naive.promotions = this.promotions.map((each) => ({
      id: each.id,
      value: BigInt(each.value),
      cap: each.perOrgCapCents === undefined ? null : BigInt(each.perOrgCapCents),
      budget: BigInt(each.budgetCents),
      spent: 0n,
      grants: 0n,
      maxGrants: each.maxGrants === undefined ? null : BigInt(each.maxGrants),
    }))
    this.discounts = [discountOf('disc_0', 3), discountOf('disc_1', 1)]
  }

  /** Runs the operation on both and compares everything. */
  run(operation: Operation): void {
    switch (operation.kind) {
      case 'grant':
        this.grant(operation)
        break
      case 'consume':
        this.consume(operation)
        break
      case 'adjust':
        this.adjust(operation)
        break
      case 'forfeit':
        this.forfeit(operation)
        break
      case 'clawback':
        this.clawback(operation)
        break
      case 'refuse':
        this.refuse(operation)
        break
      case 'confirm':
        this.confirm(operation)
        break
      case 'hold':
        this.placeHold(operation)
        break
      case 'release':
        this.releaseHold(operation)
        break
      case 'settle':
        this.settleHold(operation)
        break
      case 'promote':
        this.promote(operation)
        break
      case 'demote':
        this.demote(operation)
        break
      case 'redeem':
        this.redeem(operation)
        break
      case 'reopen':
        this.reopen()
        break
    }
  }

  private grant(operation: Of<'grant'>): void {
    const { sub, key, day, push } = operation
    const amount = parseCents(operation.cents)
    const at = dayOf(day)
    const expected = this.naive.grant(subOf(sub), keyOf(key), BigInt(operation.cents), at, push)
    if (!amount.ok) {
      must(!expected, () => 'a negative grant happened')
      return
    }
    const command = {
      ...this.row(sub, at),
      orgId: ORG,
      sourceId: `disc_${key}`,
      cents: amount.value,
      dedupeKey: keyOf(key),
    }
    this.settle(
      this.resumed(sub, keyOf(key)),
      (ledger) => grant(ledger, push ? { ...command, fulfillment: 'push' } : command),
      expected,
      operation,
    )
  }

  private consume(operation: Of<'consume'>): void {
    const amount = parseCents(operation.cents)
    const dedupeKey = `inv:${operation.key}`
    const sub = subOf(operation.sub)
    const expected = this.naive.consume(sub, dedupeKey, BigInt(operation.cents), DAY, operation.upTo, null)
    if (!amount.ok) {
      must(!expected, () => 'a negative consumption happened')
      return
    }
    const mode = operation.upTo ? 'upTo' : 'exact'
    const command = { ...this.row(operation.sub, DAY), orgId: ORG, sourceId: 'provider', mode } as const
    this.settle(
      this.resumed(operation.sub, dedupeKey),
      (ledger) => consume(ledger, { ...command, cents: amount.value, dedupeKey }),
      expected,
      operation,
    )
  }

  private adjust(operation: Of<'adjust'>): void {
    const amount = parseSignedCents(operation.cents)
    const dedupeKey = `inv:${operation.key}:adjust`
    const expected = this.naive.adjust(subOf(operation.sub), dedupeKey, BigInt(operation.cents), DAY)
    if (!amount.ok) {
      must(!expected, () => 'an unsafe adjustment happened')
      return
    }
    const command = { ...this.row(operation.sub, DAY), orgId: ORG, cents: amount.value, dedupeKey }
    this.settle(this.resumed(operation.sub, dedupeKey), (ledger) => adjust(ledger, command), expected, operation)
  }

  private forfeit(operation: Of<'forfeit'>): void {
    const expected = this.naive.forfeit(subOf(operation.sub), DAY)
    this.settle(
      this.resumed(operation.sub),
      (ledger) => forfeit(ledger, { ...this.row(operation.sub, DAY), orgId: ORG }),
      expected,
      operation,
    )
  }

  private clawback(operation: Of<'clawback'>): void {
    const expected = this.naive.clawback(keyOf(operation.key), DAY, operation.push)
    const command = { id: this.id(), grantKey: keyOf(operation.key), at: DAY }
    const full = operation.push ? ({ ...command, fulfillment: 'push' } as const) : command
    this.settle(this.resumedFor(command.grantKey), (ledger) => clawback(ledger, full), expected, operation)
  }

  private refuse(operation: Of<'refuse'>): void {
    const expected = this.naive.refusePush(keyOf(operation.key), DAY)
    const command = { id: this.id(), grantKey: keyOf(operation.key), at: DAY }
    this.settle(this.resumedFor(command.grantKey), (ledger) => refusePush(ledger, command), expected, operation)
  }

  private confirm(operation: Of<'confirm'>): void {
    const expected = this.naive.confirm(keyOf(operation.key))
    const fulfillmentRef = { kind: 'balance', ref: 'cbt_1' }
    const command = { dedupeKey: keyOf(operation.key), fulfillmentRef }
    this.settle(this.resumedFor(command.dedupeKey), (ledger) => confirmPush(ledger, command), expected, operation)
  }

  private placeHold(operation: Of<'hold'>): void {
    const key = `meter:${operation.key}`
    const subscriptionId = subOf(operation.sub)
    const expected = this.naive.hold(subscriptionId, key, BigInt(operation.cents))
    const command = { orgId: ORG, subscriptionId, key, cents: cents(operation.cents) }
    this.settle(this.resumed(operation.sub, key), (ledger) => hold(ledger, command), expected, operation)
  }

  private releaseHold(operation: Of<'release'>): void {
    const key = `meter:${operation.key}`
    const resumed = this.resumed(this.heldBy(key))
    const expected = this.naive.release(key)
    this.settle(resumed, (ledger) => release(ledger, { orgId: ORG, key }), expected, operation)
  }

  private settleHold(operation: Of<'settle'>): void {
    const key = `meter:${operation.key}`
    const held = this.naive.holds.find((each) => each.key === key)
    if (held === undefined) return
    const sub = SUBS.indexOf(held.sub)
    const expected = this.naive.consume(held.sub, key, held.cents, DAY, false, key)
    const command = {
      ...this.row(sub, DAY),
      orgId: ORG,
      sourceId: 'metering',
      holdKey: key,
      dedupeKey: key,
    } as const
    this.settle(
      this.resumed(sub, key),
      (ledger) => consume(ledger, { ...command, cents: cents(Number(held.cents)) }),
      expected,
      operation,
    )
  }

  private promote(operation: Extract<Operation, { promotion: number }>): void {
    const promotion = this.promotions[operation.promotion] as Promotion
    const subscriptionId = subOf(operation.sub)
    const expected = this.naive.promote(promotion.id, subscriptionId, ORG, DAY)
    const command: PromotionGrantCommand = {
      rowId: this.id(),
      promotion,
      account: {
        orgId: ORG,
        subscriptionId,
        tier: 'pro',
        interval: 'monthly',
        planPriceCents: cents(4_900),
        isFirstSubscription: true,
        isEntitled: true,
        subscriptionStartedAt: DAY,
      },
      cause: 'subscription_created',
      creditSupported: true,
      now: DAY,
    }
    const result = grantPromotion(this.state, command)
    const twin = grantPromotion(this.resumed(operation.sub, `promo:${promotion.id}:${ORG}`), command)
    must(
      twin.reason === result.reason && JSON.stringify(twin.outcome?.rows) === JSON.stringify(result.outcome?.rows),
      () => `promotion ${promotion.id}: ${result.reason}, resumed ${twin.reason}`,
    )
    must(result.granted === expected, () => `promotion ${promotion.id}: ${result.reason}, oracle ${expected}`)
    this.promotions[operation.promotion] = result.promotion
    if (result.outcome !== null) this.commit(result.outcome)
    this.compare(operation)
  }

  private demote(operation: Extract<Operation, { promotion: number }>): void {
    const promotion = this.promotions[operation.promotion] as Promotion
    const grantKey = `promo:${promotion.id}:${ORG}`
    const expected = this.naive.demote(promotion.id, ORG, DAY)
    const result = clawback(this.state, { id: this.id(), grantKey, at: DAY })
    must(result.ok === expected, () => `clawback of ${grantKey}: ${result.ok}, oracle ${expected}`)
    if (result.ok) {
      this.commit(result.value)
      const { recoveredCents, isWhole } = result.value
      this.promotions[operation.promotion] = releaseGrant(promotion, recoveredCents, isWhole)
    }
    this.compare(operation)
  }

  private redeem(operation: Extract<Operation, { discount: number }>): void {
    const discount = this.discounts[operation.discount] as Discount
    const expected = this.naive.redeem(discount.id, BigInt(discount.maxRedemptions ?? 0))
    const result = checkRedemption(discount, {
      now: DAY,
      orgId: ORG,
      creditSupported: true,
      subscription: {
        status: 'active',
        tier: 'pro',
        interval: 'monthly',
        planPriceCents: cents(4_900),
        currentPeriodStart: DAY,
        hasRecurringDiscount: false,
      },
      hasRedeemed: false,
    })
    must(result.ok === expected, () => `redemption ${discount.timesRedeemed + 1} of ${discount.maxRedemptions}`)
    if (result.ok) this.discounts[operation.discount] = { ...discount, timesRedeemed: discount.timesRedeemed + 1 }
  }

  /** What is stored opens again as the same ledger. */
  private reopen(): void {
    const opened = openLedger(ledgerRows(this.state), ledgerHolds(this.state))
    must(opened.ok, () => `a sound ledger does not open: ${JSON.stringify(opened)}`)
    if (opened.ok) this.state = opened.state
    this.compare({ kind: 'reopen' })
  }

  /**
   * The ledger of one subscription, resumed from stored columns alone, as a server holds them. It is computed before the
   * oracle moves on.
   */
  private resumed(sub: number, ...keys: readonly string[]): LedgerState {
    const rows = ledgerRows(this.state)
    const own = rows.filter((row) => row.subscriptionId === subOf(sub))
    const opened = resumeLedger({
      orgId: ORG,
      subscriptionId: subOf(sub),
      balanceCents: own.reduce((total, row) => total + row.remainingCents, 0),
      lastSeq: Math.max(0, ...own.map((row) => row.seq)),
      pending: own.filter((row) => row.state === 'pending').length,
      openGrants: own.filter((row) => row.remainingCents > 0),
      holds: ledgerHolds(this.state),
      keys,
      rows: rows.filter((row) => keys.includes(row.dedupeKey)),
    })
    if (!opened.ok) throw new Error(`a sound ledger does not resume: ${JSON.stringify(opened.findings)}`)
    return opened.state
  }

  /** Resumed for the subscription that the row of the key belongs to. */
  private resumedFor(key: string): LedgerState {
    const row = ledgerRows(this.state).find((each) => each.dedupeKey === key)
    return this.resumed(row === undefined ? 0 : SUBS.indexOf(row.subscriptionId), key)
  }

  private heldBy(key: string): number {
    const hold = ledgerHolds(this.state).find((each) => each.key === key)
    return hold === undefined ? 0 : SUBS.indexOf(hold.subscriptionId)
  }

  /** The command over the replayed ledger and over the resumed one: the same answer, the same state afterwards. */
  private settle(
    resumed: LedgerState,
    command: (ledger: LedgerState) => Result<LedgerOutcome>,
    expected: boolean,
    operation: Operation,
  ): void {
    const result = command(this.state)
    const twin = command(resumed)
    must(
      JSON.stringify(withoutVersion(twin)) === JSON.stringify(withoutVersion(result)),
      () => `${JSON.stringify(operation)}: ${JSON.stringify(result)}, resumed ${JSON.stringify(twin)}`,
    )
    must(result.ok === expected, () => `${JSON.stringify(operation)}: ${JSON.stringify(result)}, oracle ${expected}`)
    if (result.ok && twin.ok) {
      const { subscriptionId } = result.value
      this.commit(result.value)
      must(apply(resumed, twin.value).ok, () => 'an outcome of a resumed ledger does not apply')
      for (const read of [balanceOf, availableOf, hasPendingRow]) {
        const [theirs, ours] = [read(resumed, subscriptionId), read(this.state, subscriptionId)]
        must(theirs === ours, () => `${read.name} is ${ours}, of the resumed ledger ${theirs}`)
      }
    }
    this.compare(operation)
  }

  private commit(outcome: LedgerOutcome): void {
    must(apply(this.state, outcome).ok, () => 'a fresh outcome does not apply')
    const again = apply(this.state, outcome)
    must(!again.ok && again.refusal.code === 'CONFLICT', () => 'an outcome applied twice')
    for (const row of outcome.rows) {
      must(!this.keysSeen.has(row.dedupeKey), () => `key ${row.dedupeKey} stands twice`)
      this.keysSeen.add(row.dedupeKey)
      this.rowCount++
    }
    must(
      outcome.balanceCents === balanceOf(this.state, outcome.subscriptionId),
      () => 'the outcome named another balance',
    )
  }

  private compare(operation: Operation): void {
    const { naive, state } = this
    const rows = ledgerRows(state)
    const where = (): string => `after ${JSON.stringify(operation)}`
    must(rows.length === naive.rows.length && rows.length === this.rowCount, () => `row counts differ ${where()}`)
    for (const sub of SUBS) {
      const balance = BigInt(balanceOf(state, sub))
      must(balance >= 0n, () => `balance below zero ${where()}`)
      must(balance === naive.balance(sub), () => `balance ${balance}, oracle ${naive.balance(sub)} ${where()}`)
      must(balance === naive.sumOfCents(sub), () => `balance is not the sum of cents ${where()}`)
      must(BigInt(availableOf(state, sub)) === balance - naive.held(sub), () => `available differs ${where()}`)
    }
    for (const row of rows) {
      const twin = naive.find(row.dedupeKey)
      must(
        twin !== undefined &&
          twin.cents === BigInt(row.cents) &&
          twin.remaining === BigInt(row.remainingCents) &&
          twin.reversed === BigInt(row.reversedCents) &&
          twin.state === row.state &&
          twin.seq === BigInt(row.seq),
        () => `row ${JSON.stringify(row)} differs ${where()}`,
      )
      must(row.cents <= 0 || row.remainingCents + row.reversedCents <= row.cents, () => `more than granted ${where()}`)
    }
    const findings = checkLedger(rows, ledgerHolds(state))
    must(findings.length === 0, () => `${JSON.stringify(findings)} ${where()}`)
    for (const [index, promotion] of this.promotions.entries()) {
      const twin = naive.promotions[index]
      must(promotion.spentCents <= promotion.budgetCents, () => `budget of ${promotion.id} exceeded ${where()}`)
      must(BigInt(promotion.spentCents) === twin?.spent, () => `spent of ${promotion.id} differs ${where()}`)
      must(BigInt(promotion.grantsCount) === twin?.grants, () => `grants of ${promotion.id} differ ${where()}`)
      must(spendOf(promotion, rows).driftCents === 0, () => `counters of ${promotion.id} drift ${where()}`)
    }
    for (const discount of this.discounts) {
      must(discount.timesRedeemed <= (discount.maxRedemptions ?? 0), () => `${discount.id} redeemed too often`)
    }
  }

  private id(): string {
    return `cr_${this.rowCount + 1}`
  }

  private row(sub: number, at: Instant): { id: string; subscriptionId: string; at: Instant } {
    return { id: this.id(), subscriptionId: subOf(sub), at }
  }
}

function subOf(index: number): string {
  return SUBS[index] ?? 'sub_1'
}

function keyOf(key: number): string {
  return `disc:disc_${key}`
}

function dayOf(day: number): Instant {
  return instant(`2026-03-${String(day).padStart(2, '0')}T00:00:00.000Z`)
}

function promotionOf(
  id: string,
  value: number,
  budget: number,
  cap: number | null,
  maxGrants: number | null,
): Promotion {
  return {
    id,
    unit: 'dollar',
    value: cents(value),
    kind: 'onetime',
    trigger: { type: 'subscription_created' },
    budgetCents: cents(budget),
    ...(cap === null ? {} : { perOrgCapCents: cents(cap) }),
    ...(maxGrants === null ? {} : { maxGrants }),
    isActive: true,
    createdAt: DAY,
    spentCents: cents(0),
    grantsCount: 0,
  }
}

function discountOf(id: string, maxRedemptions: number): Discount {
  return { id, unit: 'percent', value: percent(20), kind: 'onetime', maxRedemptions, timesRedeemed: 0, isActive: true }
}

function withoutVersion(result: Result<LedgerOutcome>): unknown {
  return result.ok ? { ...result.value, version: 0 } : result.refusal
}
