/**
 * Billing with the provider `stub` once more, in the smallest way that gives the same answers: whole numbers of any size, lists, no
 * database, nothing of `@plumbline/billing-core`. Where it and the server differ, one of them is wrong.
 */
export type Plan = 'developer' | 'pro' | 'team' | 'enterprise'
export type Every = 'monthly' | 'annual'
const PLANS: readonly Plan[] = ['developer', 'pro', 'team', 'enterprise']
const MONTHLY: Readonly<Record<Plan, bigint>> = { developer: 0n, pro: 4_900n, team: 14_900n, enterprise: 59_900n }
/** What each plan allows of pipelines and calls, and in seats. */
const BASE: Readonly<Record<Plan, readonly [bigint, bigint, bigint]>> = {
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
/** Held together they are given back a part each period: credit, and never a lower price. */
const COMBO = { of: ['advanced_reporting', 'team_usage_analytics'], savesMonthly: 1_800n }
export const FEATURES: Readonly<Record<string, Pack>> = {
  advanced_reporting: { monthly: 3_000n, adds: [0n, 0n, 0n], soldOn: ['developer', 'pro', 'team'] },
  team_usage_analytics: { monthly: 3_000n, adds: [0n, 0n, 0n], soldOn: ['pro', 'team'] },
}
const SOLD: Readonly<Record<string, Pack>> = { ...PACKS, ...FEATURES }
/** A feature that the plan has by itself is not kept beside it. */
const INCLUDED_IN: Plan = 'enterprise'

interface Invoice {
  readonly subtotal: bigint
  readonly credit: bigint
  readonly total: bigint
  readonly status: 'paid'
}

interface Holding {
  readonly plan: Plan
  readonly every: Every
  readonly addons: ReadonlyMap<string, bigint>
}

interface Live extends Holding {
  readonly anchorMs: number
  readonly startMs: number
  readonly endMs: number
  readonly isEnding: boolean
  readonly pending: Holding | null
}

/** What a command comes to: the code of its refusal, or null. */
export type Verdict = string | null

export class Account {
  live: Live | null = null
  balance = 0n
  readonly invoices: Invoice[] = []
  /** Keys of credit that was given, for ever: of combos one a year or month. */
  readonly #given = new Set<string>()
  readonly #redeemed = new Set<string>()

  constructor(public nowMs: number) {}

  subscribe(plan: Plan, every: Every): Verdict {
    if (this.live !== null) return 'DUPLICATE_ENTRY'
    const endMs = boundary(this.nowMs, every, 1)
    const addons = new Map<string, bigint>()
    const at = this.nowMs
    const began = { plan, every, addons, anchorMs: at, startMs: at, endMs, isEnding: false, pending: null }
    this.live = began
    this.#draw([priceOf(MONTHLY[plan], every)])
    return null
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
    this.#changeNow(live, { plan, every: live.every, addons: new Map(kept) })
    return null
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
    this.#changeNow(live, { plan: live.plan, every: live.every, addons: new Map(live.addons).set(id, wanted) })
    return null
  }

  removeAddon(id: string): Verdict {
    const { live } = this
    if (live === null || !live.addons.has(id)) return 'NOT_FOUND'
    const addons = new Map(live.addons)
    addons.delete(id)
    this.#changeNow(live, { plan: live.plan, every: live.every, addons })
    return null
  }

  redeem(code: string, amount: bigint): Verdict {
    if (this.live === null) return 'NOT_FOUND'
    if (this.#redeemed.has(code)) return 'ALREADY_REDEEMED'
    this.#redeemed.add(code)
    this.balance += amount
    return null
  }

  setEnding(isEnding: boolean): Verdict {
    if (this.live === null) return 'NOT_FOUND'
    this.live = { ...this.live, isEnding }
    return null
  }

  /** Everything that falls due on the way, each at its own moment. */
  advance(toMs: number): void {
    for (let { live } = this; live !== null && live.endMs <= toMs; live = this.live) this.#roll(live)
    this.nowMs = toMs
  }

  limits(): readonly bigint[] {
    const { live } = this
    const base = BASE[live?.plan ?? 'developer']
    return base.map((each, index) =>
      [...(live?.addons ?? [])].reduce((sum, [id, held]) => sum + (SOLD[id]?.adds[index] ?? 0n) * held, each),
    )
  }

  #roll(live: Live): void {
    if (live.isEnding) {
      this.live = null
      this.balance = 0n
      return
    }
    const { plan, every, addons } = live.pending ?? live
    // A period that would overlap the one that is over begins its own count: a year is not cut short by months before it.
    const isCounted = isBoundary(live.anchorMs, every, live.endMs)
    const anchorMs = isCounted ? live.anchorMs : live.endMs
    const endMs = nextBoundary(anchorMs, every, live.endMs)
    this.live = { ...live, anchorMs, plan, every, addons, pending: null, startMs: live.endMs, endMs }
    if (COMBO.of.every((id) => (addons.get(id) ?? 0n) > 0n)) {
      const key = new Date(live.endMs).toISOString().slice(0, every === 'annual' ? 4 : 7)
      if (!this.#given.has(key)) this.balance += priceOf(COMBO.savesMonthly, every)
      this.#given.add(key)
    }
    this.#draw([...linesOf({ plan, every, addons }).values()].map(({ cents }) => cents))
  }

  /** The old line is given back and the new one taken for the seconds that are left, each rounded by itself. */
  #changeNow(live: Live, to: Holding): void {
    const [total, left] = [seconds(live.endMs) - seconds(live.startMs), seconds(live.endMs) - seconds(this.nowMs)]
    const part = (cents: bigint): bigint => (2n * cents * left + total) / (2n * total)
    const [before, after] = [linesOf(live), linesOf(to)]
    const differ = (a: Map<string, Line>, b: Map<string, Line>) =>
      [...a].filter(([id, { cents, quantity }]) => b.get(id)?.cents !== cents || b.get(id)?.quantity !== quantity)
    const gone = differ(before, after).map(([, { cents }]) => -part(cents))
    const come = differ(after, before).map(([, { cents }]) => part(cents))
    // What waits is another interval: another plan takes its place, and add-ons are taken along.
    const waits = live.pending !== null && to.plan === live.plan
    const pending = waits ? { ...to, every: live.pending?.every ?? to.every } : null
    this.live = { ...live, plan: to.plan, every: to.every, addons: to.addons, pending }
    if (gone.length + come.length > 0) this.#draw([...gone, ...come])
  }

  /** Credit pays first; what a bill gives back becomes credit. */
  #draw(lines: readonly bigint[]): void {
    const net = lines.reduce((sum, each) => sum + each, 0n)
    const subtotal = net > 0n ? net : 0n
    const credit = this.balance < subtotal ? this.balance : subtotal
    this.balance += (net < 0n ? -net : 0n) - credit
    this.invoices.push({ subtotal, credit, total: subtotal - credit, status: 'paid' })
  }
}

interface Line {
  readonly cents: bigint
  readonly quantity: bigint
}

const priceOf = (monthly: bigint, every: Every): bigint => (every === 'annual' ? 10n * monthly : monthly)
const seconds = (ms: number): bigint => BigInt(Math.floor(ms / 1000))

function linesOf({ plan, every, addons }: Holding): Map<string, Line> {
  const lines = new Map<string, Line>([[plan, { cents: priceOf(MONTHLY[plan], every), quantity: 1n }]])
  for (const [id, quantity] of addons) {
    lines.set(id, { cents: priceOf(SOLD[id]?.monthly ?? 0n, every) * quantity, quantity })
  }
  return lines
}

/** So many periods after the anchor: its day, or the last of a month that is shorter. */
function boundary(anchorMs: number, every: Every, periods: number): number {
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
