/**
 * Billing with the provider `stub` once more, in the smallest way that gives the same answers: whole numbers of any size, lists, no
 * database, nothing of `@plumbline/billing-core`. Where it and the server differ, one of them is wrong.
 */
import { type Promotion, Purse } from './purse.js'

export type Plan = 'developer' | 'pro' | 'team' | 'enterprise'
export type Every = 'monthly' | 'annual'
export const PLANS: readonly Plan[] = ['developer', 'pro', 'team', 'enterprise']
export const MONTHLY: Readonly<Record<Plan, bigint>> = {
  developer: 0n,
  pro: 4_900n,
  team: 14_900n,
  enterprise: 59_900n,
}
/** What each plan allows of pipelines and calls, and in seats. */
export const BASE: Readonly<Record<Plan, readonly [bigint, bigint, bigint]>> = {
  developer: [5n, 25_000n, 1n],
  pro: [10n, 500_000n, 3n],
  team: [200n, 2_000_000n, 10n],
  enterprise: [200n, 10_000_000n, 25n],
}

interface Pack {
  readonly monthly: bigint
  /** Added to pipelines, calls and seats. */
  readonly adds: readonly [bigint, bigint, bigint]
  readonly soldOn: readonly Plan[]
}
export const PACKS: Readonly<Record<string, Pack>> = {
  api_pack: { monthly: 2_000n, adds: [0n, 1_000_000n, 0n], soldOn: PLANS },
  pipeline_pack: { monthly: 1_500n, adds: [10n, 0n, 0n], soldOn: PLANS },
  seat_pack: { monthly: 2_500n, adds: [0n, 0n, 5n], soldOn: ['team', 'enterprise'] },
}
/** Held together they are given back a part each period: credit, and never a lower price. One that stands in two is for the first. */
export const COMBOS = [
  { of: ['advanced_reporting', 'team_usage_analytics'], savesMonthly: 1_800n },
  { of: ['seat_pack', 'team_usage_analytics'], savesMonthly: 1_650n },
]
export const FEATURES: Readonly<Record<string, Pack>> = {
  advanced_reporting: { monthly: 3_000n, adds: [0n, 0n, 0n], soldOn: ['developer', 'pro', 'team'] },
  team_usage_analytics: { monthly: 3_000n, adds: [0n, 0n, 0n], soldOn: ['pro', 'team'] },
}
export const SOLD: Readonly<Record<string, Pack>> = { ...PACKS, ...FEATURES }
/** A feature that the plan has by itself is not kept beside it. */
export const INCLUDED_IN: Plan = 'enterprise'

/** Of dollars or a percentage of the plan, once or with every period. */
export interface Discount {
  readonly code: string
  readonly unit: 'dollar' | 'percent'
  readonly value: bigint
  readonly isRecurring: boolean
}

interface Invoice {
  readonly subtotal: bigint
  readonly credit: bigint
  readonly total: bigint
  readonly status: 'paid' | 'open' | 'uncollectible'
}

/** From its first failed payment on. */
interface Due {
  readonly firstMs: number
  readonly toldMs: number
  /** The days of grace are over: nothing of the plan holds. */
  readonly isOver: boolean
}

const DAY_MS = 86_400_000
/** Of the first subscription of an account, where it is to this plan. */
export const TRIAL: { readonly plan: Plan; readonly days: number } = { plan: 'pro', days: 14 }
const DUNNING_DAYS = [0, 3, 6]
const GRACE_DAYS = 7

export interface Holding {
  readonly plan: Plan
  readonly every: Every
  readonly addons: ReadonlyMap<string, bigint>
}

export interface Live extends Holding {
  readonly anchorMs: number
  readonly startMs: number
  readonly endMs: number
  readonly isTrial: boolean
  readonly isEnding: boolean
  readonly pending: Holding | null
  /** The discount that renews with every period. */
  readonly rule: Discount | null
  readonly due: Due | null
  /** Of promotions that recur where they were given by hand. */
  readonly given: ReadonlySet<string>
}

interface Referral {
  readonly referrer: Account
  readonly promotion: Promotion
  isPaid: boolean
  isOver: boolean
}

/** What a command comes to: the code of its refusal, or null. */
export type Verdict = string | null

export class Account {
  live: Live | null = null
  readonly purse = new Purse()
  readonly invoices: Invoice[] = []
  /** Periods that began with one. */
  combos = 0
  readonly #redeemed = new Set<string>()
  #referral: Referral | null = null
  #isFirst = true
  #failing: { readonly fromMs: number | null; readonly untilMs: number | null } = { fromMs: null, untilMs: null }

  /** @param promotions of all accounts together. @param name by which others know it. */
  constructor(
    public nowMs: number,
    readonly promotions: readonly Promotion[] = [],
    readonly name = '',
  ) {}

  get balance(): bigint {
    return this.purse.balance
  }

  /** @param referrer whose code is named. @returns what becomes of the code, where there is one. */
  subscribe(plan: Plan, every: Every, referrer: Account | null = null): Verdict {
    if (this.live !== null) return 'DUPLICATE_ENTRY'
    const at = this.nowMs
    const isTrial = this.#isFirst && plan === TRIAL.plan
    if (!isTrial && this.#failsAt(at) && MONTHLY[plan] > 0n) return 'PAYMENT_FAILED'
    this.#isFirst = false
    const endMs = isTrial ? at + TRIAL.days * DAY_MS : boundary(at, every, 1)
    const period = { anchorMs: at, startMs: at, endMs, isTrial }
    const nothing = { isEnding: false, pending: null, rule: null, due: null, given: new Set<string>() }
    this.live = { plan, every, addons: new Map(), ...period, ...nothing }
    const referred = referrer === null ? null : this.#refer(referrer)
    // What was given before it is for later ones.
    if (!isTrial) this.#draw([priceOf(MONTHLY[plan], every)], at, 'refuse', 0n)
    this.#earn('subscription_created')
    return referred
  }

  #refer(referrer: Account): string {
    if (referrer === this) return 'self_referral'
    if (referrer.live === null) return 'referrer_not_subscribed'
    if (this.#referral !== null) return 'already_referred'
    const promotion = this.promotions.find(({ trigger }) => trigger === 'referral')
    if (promotion === undefined) return 'no_promotion'
    this.#referral = { referrer, promotion, isPaid: false, isOver: false }
    if (this.live?.isTrial === false) this.grant(promotion)
    return 'recorded'
  }

  get isReferralDue(): boolean {
    return this.#referral?.isPaid === true && !this.#referral.isOver
  }

  /** After the first payment: this account is given its own where it had to wait, and then who referred theirs. */
  settleReferral(): void {
    if (this.#referral === null || !this.isReferralDue) return
    this.#referral.isOver = true
    const { referrer, promotion } = this.#referral
    this.grant(promotion)
    const { live } = referrer
    if (live !== null && live.due === null) {
      const cents = promotion.worth(priceOf(MONTHLY[live.plan], live.every), promotion.value.referrer)
      referrer.purse.grant(promotion, cents, referrer.nowMs, `for ${this.name}`)
    }
  }

  changePlan(plan: Plan): Verdict {
    const { live } = this
    if (live === null) return 'NOT_FOUND'
    if (plan === live.plan) return null
    const goes = PLANS.indexOf(plan) < PLANS.indexOf(live.plan)
    const kept = [...live.addons].filter(([id]) => {
      if (id in FEATURES && plan === INCLUDED_IN) return false
      return !goes || (SOLD[id]?.soldOn ?? []).includes(plan)
    })
    const verdict = this.#changeNow(live, { plan, every: live.every, addons: new Map(kept) })
    if (verdict === null) this.#earn('plan_change')
    return verdict
  }

  changeInterval(every: Every): Verdict {
    const { live } = this
    if (live === null) return 'NOT_FOUND'
    if (every === live.every) return null
    this.live = { ...live, pending: { plan: live.plan, every, addons: live.addons } }
    return null
  }

  dropChange(): Verdict {
    const { live } = this
    if (live === null || live.pending === null) return 'NOT_FOUND'
    this.live = { ...live, pending: null }
    return null
  }

  setAddon(id: string, quantity: bigint): Verdict {
    const { live } = this
    if (live === null) return 'NOT_FOUND'
    const held = live.addons.get(id) ?? 0n
    const wanted = id in FEATURES ? 1n : quantity
    if (wanted > held && !(SOLD[id]?.soldOn ?? []).includes(live.plan)) return 'VALIDATION_ERROR'
    return this.#changeNow(live, { plan: live.plan, every: live.every, addons: new Map(live.addons).set(id, wanted) })
  }

  /** With the next period, together with what waits for it. */
  setAddonLater(id: string, quantity: bigint): Verdict {
    const { live } = this
    if (live === null) return 'NOT_FOUND'
    const then = live.pending ?? { plan: live.plan, every: live.every, addons: live.addons }
    const wanted = id in FEATURES ? 1n : quantity
    const isMore = wanted > (then.addons.get(id) ?? 0n)
    if (isMore && !(SOLD[id]?.soldOn ?? []).includes(then.plan)) return 'VALIDATION_ERROR'
    const addons = new Map(then.addons).set(id, wanted)
    const isHeld = then.plan === live.plan && then.every === live.every && isSame(addons, live.addons)
    this.live = { ...live, pending: isHeld ? null : { ...then, addons } }
    return null
  }

  removeAddon(id: string): Verdict {
    const { live } = this
    if (live === null || !live.addons.has(id)) return 'NOT_FOUND'
    const addons = new Map(live.addons)
    addons.delete(id)
    return this.#changeNow(live, { plan: live.plan, every: live.every, addons })
  }

  redeem(discount: Discount): Verdict {
    const { live } = this
    const { code, isRecurring } = discount
    if (live === null) return 'NOT_FOUND'
    if (live.due !== null) return 'SUBSCRIPTION_NOT_REDEEMABLE'
    if (this.#redeemed.has(code)) return 'ALREADY_REDEEMED'
    if (isRecurring && live.rule !== null) return 'RECURRING_ALREADY_PRESENT'
    if (worthOf(discount, live) === 0n) return 'DISCOUNT_ZERO_VALUE'
    this.#redeemed.add(code)
    const key = isRecurring ? `${code} ${periodOf(live.startMs, live.every)}` : code
    if (isRecurring) this.live = { ...live, rule: discount }
    this.purse.give(key, worthOf(discount, live), this.nowMs)
    return null
  }

  /** It renews nothing any more; what was given stays. */
  dropDiscount({ code }: Discount): Verdict {
    const { live } = this
    if (live === null || live.rule?.code !== code) return 'NOT_FOUND'
    this.live = { ...live, rule: null }
    return null
  }

  setEnding(isEnding: boolean): Verdict {
    const { live } = this
    if (live === null) return 'NOT_FOUND'
    if (isEnding && !live.isEnding) this.purse.clawBack(this.nowMs)
    this.live = { ...live, isEnding }
    return null
  }

  /** By an operator. @returns what is answered as the reason. */
  grant(promotion: Promotion): string {
    const { live } = this
    if (live === null || live.due !== null) return 'ineligible'
    const cents = promotion.worth(priceOf(MONTHLY[live.plan], live.every))
    const period = promotion.isRecurring ? periodOf(live.startMs, live.every) : ''
    const reason = this.purse.grant(promotion, cents, this.nowMs, period)
    if (reason === 'granted') this.live = { ...live, given: new Set([...live.given, promotion.id]) }
    return reason
  }

  /** Payments fail from now on, or through again. */
  failPayments(untilMs: number | null | 'over'): void {
    const isOver = untilMs === 'over'
    this.#failing = isOver ? { fromMs: null, untilMs: this.nowMs } : { fromMs: this.nowMs, untilMs }
    this.advance(this.nowMs)
  }

  /** Everything that falls due on the way, each at its own moment. */
  advance(toMs: number): void {
    for (let next = this.#nextDue(); next !== null && next.atMs <= toMs; next = this.#nextDue()) next.run(next.atMs)
    this.nowMs = toMs
  }

  /** The plan of which something holds. */
  get holds(): Plan {
    return this.live === null || this.live.due?.isOver === true ? 'developer' : this.live.plan
  }

  limits(): readonly bigint[] {
    const addons = this.live?.due?.isOver === true ? [] : [...(this.live?.addons ?? [])]
    return BASE[this.holds].map((each, index) =>
      addons.reduce((sum, [id, held]) => sum + (SOLD[id]?.adds[index] ?? 0n) * held, each),
    )
  }

  #nextDue(): { readonly atMs: number; run(atMs: number): void } | null {
    const { live } = this
    if (live === null) return null
    const { due } = live
    const all: { readonly atMs: number; run(atMs: number): void }[] = []
    if (due !== null) {
      const { untilMs } = this.#failing
      if (untilMs !== null) all.push({ atMs: untilMs, run: () => this.#recover() })
      for (const days of DUNNING_DAYS) {
        const atMs = due.firstMs + days * DAY_MS
        if (atMs > due.toldMs) all.push({ atMs, run: () => this.#dun(live, due, atMs) })
      }
      const endsMs = due.firstMs + GRACE_DAYS * DAY_MS
      if (!due.isOver) all.push({ atMs: endsMs, run: () => this.#endGrace(live, due) })
    }
    all.push({ atMs: live.endMs, run: () => this.#roll(live) })
    return all.reduce((first, each) => (each.atMs < first.atMs ? each : first))
  }

  #endGrace(live: Live, due: Due): void {
    this.live = { ...live, due: { ...due, isOver: true } }
  }

  /** Tried again on each day but the first, on which it was tried already. */
  #dun(live: Live, due: Due, atMs: number): void {
    this.live = { ...live, due: { ...due, toldMs: atMs } }
    if (atMs > due.firstMs && !this.#failsAt(atMs)) this.#recover()
  }

  #recover(): void {
    if (this.live !== null) this.live = { ...this.live, due: null }
    for (const { total } of this.invoices.filter(({ status }) => status === 'open')) this.#notePayment(total)
    this.#closeOpen('paid')
  }

  #closeOpen(status: 'paid' | 'uncollectible'): void {
    this.invoices.forEach((each, at) => {
      if (each.status === 'open') this.invoices[at] = { ...each, status }
    })
  }

  #failsAt(atMs: number): boolean {
    const { fromMs, untilMs } = this.#failing
    return fromMs !== null && atMs >= fromMs && (untilMs === null || atMs < untilMs)
  }

  #earn(trigger: Promotion['trigger']): void {
    for (const each of this.promotions) if (each.trigger === trigger && !each.isRecurring) this.grant(each)
  }

  #roll(live: Live): void {
    const isUnpaid = live.due?.isOver === true
    if (live.isEnding || isUnpaid) {
      this.#closeOpen('uncollectible')
      this.live = null
      this.purse.clawBack(live.endMs)
      this.purse.forfeit()
      return
    }
    const { plan, every, addons } = live.pending ?? live
    // A period that would overlap the one that is over begins its own count: a year is not cut short by months before it.
    const isCounted = !live.isTrial && isBoundary(live.anchorMs, every, live.endMs)
    const anchorMs = isCounted ? live.anchorMs : live.endMs
    const endMs = nextBoundary(anchorMs, every, live.endMs)
    const next = { plan, every, addons, pending: null, anchorMs, startMs: live.endMs, endMs, isTrial: false }
    this.live = { ...live, ...next }
    const period = periodOf(live.endMs, every)
    if (live.rule !== null)
      this.purse.give(`${live.rule.code} ${period}`, worthOf(live.rule, { plan, every }), live.endMs)
    const combo = COMBOS.find(({ of }) => of.every((id) => addons.has(id)))
    if (combo !== undefined) {
      this.combos++
      this.purse.give(`${combo.of} ${period}`, priceOf(combo.savesMonthly, every), live.endMs)
    }
    const price = priceOf(MONTHLY[plan], every)
    for (const each of this.promotions.filter(({ isRecurring }) => isRecurring)) {
      if (each.trigger === 'manual' && !live.given.has(each.id)) continue
      this.purse.grant(each, each.worth(price), live.endMs, period)
    }
    if (
      this.#draw(
        [...linesOf({ plan, every, addons }).values()].map(({ cents }) => cents),
        live.endMs,
        'open',
      )
    )
      return
    const due = live.due ?? { firstMs: live.endMs, toldMs: Number.NEGATIVE_INFINITY, isOver: false }
    if (this.live !== null) this.live = { ...this.live, due }
  }

  /** The old line is given back and the new one taken for the seconds that are left, each rounded by itself. */
  #changeNow(live: Live, to: Holding): Verdict {
    const [total, left] = [seconds(live.endMs) - seconds(live.startMs), seconds(live.endMs) - seconds(this.nowMs)]
    const part = (cents: bigint): bigint => (2n * cents * left + total) / (2n * total)
    // A trial costs nothing, whatever it is for.
    const [before, after] = live.isTrial ? [new Map(), new Map()] : [linesOf(live), linesOf(to)]
    const differ = (a: Map<string, Line>, b: Map<string, Line>) =>
      [...a].filter(([id, { cents, quantity }]) => b.get(id)?.cents !== cents || b.get(id)?.quantity !== quantity)
    const gone = differ(before, after).map(([, { cents }]) => -part(cents))
    const come = differ(after, before).map(([, { cents }]) => part(cents))
    // What waits is another interval or add-ons: another plan takes its place, and add-ons are taken along.
    const then = to.plan === live.plan ? live.pending : null
    const scheduled = then === null ? to.addons : this.#scheduled(live.addons, to.addons, then.addons)
    const isHeld = then === null || (then.every === to.every && isSame(scheduled, to.addons))
    const pending = isHeld ? null : { ...to, every: then.every, addons: scheduled }
    const isPaid = gone.length + come.length === 0 || this.#draw([...gone, ...come], this.nowMs, 'refuse')
    if (!isPaid) return 'PAYMENT_FAILED'
    this.live = { ...live, plan: to.plan, every: to.every, addons: to.addons, pending }
    return null
  }

  /** What changes now changes then too; the rest of what waits stays. */
  #scheduled(was: Holding['addons'], is: Holding['addons'], then: Holding['addons']): Holding['addons'] {
    const next = new Map(then)
    for (const id of new Set([...was.keys(), ...is.keys()])) {
      const quantity = is.get(id)
      if (quantity === was.get(id)) continue
      if (quantity === undefined) next.delete(id)
      else next.set(id, quantity)
    }
    return next
  }

  /** Credit pays first; what a bill gives back becomes credit. @returns whether it is paid; one that is refused leaves nothing. */
  #draw(lines: readonly bigint[], atMs: number, whenDeclined: 'refuse' | 'open', balance = this.balance): boolean {
    const net = lines.reduce((sum, each) => sum + each, 0n)
    const subtotal = net > 0n ? net : 0n
    const credit = balance < subtotal ? balance : subtotal
    const total = subtotal - credit
    const isPaid = total === 0n || !this.#failsAt(atMs)
    if (!isPaid && whenDeclined === 'refuse') return false
    this.purse.take(credit)
    if (net < 0n) this.purse.give(`invoice ${this.invoices.length}`, -net, atMs)
    this.invoices.push({ subtotal, credit, total, status: isPaid ? 'paid' : 'open' })
    if (isPaid) this.#notePayment(total)
    return isPaid
  }

  #notePayment(cents: bigint): void {
    if (this.#referral !== null && cents > 0n) this.#referral.isPaid = true
  }
}

export interface Line {
  readonly cents: bigint
  readonly quantity: bigint
}

const worthOf = ({ unit, value }: Discount, { plan, every }: Pick<Holding, 'plan' | 'every'>): bigint =>
  unit === 'dollar' ? 100n * value : (priceOf(MONTHLY[plan], every) * value) / 100n
/** The year or the month in which it begins. */
export const periodOf = (startMs: number, every: Every): string =>
  new Date(startMs).toISOString().slice(0, every === 'annual' ? 4 : 7)
export const priceOf = (monthly: bigint, every: Every): bigint => (every === 'annual' ? 10n * monthly : monthly)
const seconds = (ms: number): bigint => BigInt(Math.floor(ms / 1000))

export function linesOf({ plan, every, addons }: Holding): Map<string, Line> {
  const lines = new Map<string, Line>([[plan, { cents: priceOf(MONTHLY[plan], every), quantity: 1n }]])
  for (const [id, quantity] of addons) {
    lines.set(id, { cents: priceOf(SOLD[id]?.monthly ?? 0n, every) * quantity, quantity })
  }
  return lines
}

/** So many periods after the anchor: its day, or the last of a month that is shorter. */
export function boundary(anchorMs: number, every: Every, periods: number): number {
  const anchor = new Date(anchorMs)
  const months = periods * (every === 'annual' ? 12 : 1)
  const [year, month] = [anchor.getUTCFullYear(), anchor.getUTCMonth() + months]
  const day = Math.min(anchor.getUTCDate(), new Date(Date.UTC(year, month + 1, 0)).getUTCDate())
  return Date.UTC(year, month, day) + (anchorMs % 86_400_000)
}

const isBoundary = (anchorMs: number, every: Every, ms: number): boolean => nextBoundary(anchorMs, every, ms - 1) === ms

function nextBoundary(anchorMs: number, every: Every, afterMs: number): number {
  for (let periods = 1; ; periods++) {
    const endMs = boundary(anchorMs, every, periods)
    if (endMs > afterMs) return endMs
  }
}

export const isSame = (a: ReadonlyMap<string, bigint>, b: ReadonlyMap<string, bigint>): boolean =>
  a.size === b.size && [...a].every(([id, quantity]) => b.get(id) === quantity)
