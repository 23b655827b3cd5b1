/**
 * An account that a card provider charges, once more: what both sides come to when everything has arrived. It knows neither deliveries
 * nor calls, so no order of theirs and no failure may show. Moments come from the provider, amounts do not.
 */
import {
  BASE,
  boundary,
  COMBOS,
  type Every,
  FEATURES,
  type Holding,
  INCLUDED_IN,
  isSame,
  linesOf,
  MONTHLY,
  PLANS,
  type Plan,
  periodOf,
  priceOf,
  SOLD,
  type Verdict,
} from './model.js'
import { type Promotion, Purse } from './purse.js'

const DAY_S = 86_400
const ANNOUNCED_DAYS = 7
/** Days after the invoice on which the provider tries again; after the last one it gives up. */
const RETRY_DAYS = [3, 8, 15]
const GRACE_DAYS = 7

interface Invoice {
  readonly subtotal: bigint
  readonly credit: bigint
  readonly total: bigint
  paid: bigint
  status: 'paid' | 'open' | 'refunded' | 'disputed'
}

export class CardAccount {
  readonly purse = new Purse()
  readonly invoices: Invoice[] = []
  addons: ReadonlyMap<string, bigint> = new Map()
  isLive = true
  isEnding = false
  card: 'good' | 'declines' = 'good'
  /** Of the renewal that is not paid. */
  failedS: number | null = null
  endS: number
  /** With the next period, and there at once; null for nothing. */
  pending: Holding | null = null
  /** The provider holds this period until its end, also after the change was taken back: nothing in it can be charged. */
  isHeld = false
  readonly #redeemed = new Set<string>()
  #isAnnounced = false
  #startS: number
  #anchorS: number

  /** @param isFirst when nothing was free before. */
  constructor(
    public plan: Plan,
    beganS: number,
    public every: Every,
    isFirst: boolean,
  ) {
    if (!isFirst) this.invoices.push({ subtotal: 0n, credit: 0n, total: 0n, paid: 0n, status: 'paid' })
    this.#startS = beganS
    this.#anchorS = beganS
    this.endS = boundary(beganS * 1000, every, 1) / 1000
    this.#draw([priceOf(MONTHLY[plan], every)])
  }

  get status(): 'active' | 'past_due' {
    return this.failedS === null ? 'active' : 'past_due'
  }

  hasLapsed(nowS: number): boolean {
    return this.failedS !== null && nowS >= this.failedS + GRACE_DAYS * DAY_S
  }

  holds(nowS: number): Plan {
    return !this.isLive || this.hasLapsed(nowS) ? 'developer' : this.plan
  }

  limits(nowS: number): bigint[] {
    const addons = this.isLive && !this.hasLapsed(nowS) ? [...this.addons] : []
    return BASE[this.holds(nowS)].map((each, index) =>
      addons.reduce((sum, [id, held]) => sum + (SOLD[id]?.adds[index] ?? 0n) * held, each),
    )
  }

  /** What a change to these would be refused with. */
  change(plan: Plan, addons: ReadonlyMap<string, bigint>, atS: number): Verdict {
    const [whole, left] = [BigInt(this.endS - this.#startS), BigInt(this.endS - atS)]
    const part = (cents: bigint): bigint => (2n * cents * left + whole) / (2n * whole)
    const [before, after] = [this, { plan, addons }].map((each) =>
      linesOf({ plan: each.plan, addons: each.addons, every: this.every }),
    )
    const lines: bigint[] = []
    for (const [id, line] of before ?? []) if (!isSameLine(after?.get(id), line)) lines.push(-part(line.cents))
    for (const [id, line] of after ?? []) if (!isSameLine(before?.get(id), line)) lines.push(part(line.cents))
    if (lines.length > 0 && (this.isHeld || this.pending !== null)) return 'CONFLICT'
    if (lines.length > 0 && !this.#draw(lines)) return 'PAYMENT_FAILED'
    const net = lines.reduce((sum, each) => sum + each, 0n)
    ;[this.plan, this.addons] = [plan, addons]
    // The invoice of a higher price uses the credit.
    if (lines.length > 0) this.#giveAnnounced(net <= 0n)
    return null
  }

  /** Those that a plan does not sell go with it. */
  keptOn(plan: Plan): Map<string, bigint> {
    const goes = PLANS.indexOf(plan) < PLANS.indexOf(this.plan)
    return new Map(
      [...this.addons].filter(([id]) => {
        if (id in FEATURES && plan === INCLUDED_IN) return false
        return !goes || (SOLD[id]?.soldOn ?? []).includes(plan)
      }),
    )
  }

  /** What holds with the next period, as far as it is known now. */
  get upcoming(): Holding {
    return this.pending ?? this
  }

  /** Another interval or plan with the next period, in place of what waits. */
  changeLater(plan: Plan, every: Every): void {
    this.#wait({ plan, every, addons: plan === this.plan ? this.addons : this.keptOn(plan) })
  }

  /** Together with what waits. @param quantity 0 to remove it. */
  setAddonLater(id: string, quantity: bigint): Verdict {
    const then = this.upcoming
    const held = then.addons.get(id) ?? 0n
    if (quantity === 0n && held === 0n) return 'NOT_FOUND'
    if (quantity > held && !(SOLD[id]?.soldOn ?? []).includes(then.plan)) return 'VALIDATION_ERROR'
    const addons = new Map(then.addons)
    if (quantity === 0n) addons.delete(id)
    else addons.set(id, quantity)
    this.#wait({ ...then, addons })
    return null
  }

  dropChange(): void {
    this.#wait(this)
  }

  /** For another interval than the provider knows it holds the period, from whose end months and years are counted then. */
  #wait({ plan, every, addons }: Holding): void {
    if (every !== this.upcoming.every) {
      this.#anchorS = this.endS
      this.isHeld = true
    }
    const isNow = plan === this.plan && every === this.every && isSame(addons, this.addons)
    this.pending = isNow ? null : { plan, every, addons }
    this.#giveAnnounced(true)
  }

  /** A combo of the invoice that is announced already is there before it is drawn. */
  #giveAnnounced(takesBack: boolean): void {
    if (this.#isAnnounced && !this.isEnding) this.#giveCombo(this.endS, takesBack)
  }

  redeem(code: string, cents: bigint, nowMs: number): Verdict {
    if (this.failedS !== null) return 'SUBSCRIPTION_NOT_REDEEMABLE'
    if (this.#redeemed.has(code)) return 'ALREADY_REDEEMED'
    this.#redeemed.add(code)
    this.purse.give(code, cents, nowMs)
    return null
  }

  grant(promotion: Promotion, nowMs: number): string {
    return this.failedS !== null
      ? 'ineligible'
      : this.purse.grant(promotion, promotion.worth(priceOf(MONTHLY[this.plan], this.every)), nowMs)
  }

  setEnding(isEnding: boolean, nowMs: number): void {
    if (isEnding && !this.isEnding) this.purse.clawBack(nowMs)
    this.isEnding = isEnding
  }

  useCard(card: 'good' | 'declines'): void {
    this.card = card
  }

  /** The newest that was paid for: what was given for paying goes back with the first cent. */
  reverse(cents: bigint | 'disputed', nowMs: number): void {
    const invoice = this.invoices.findLast(({ paid }) => paid > 0n)
    if (invoice === undefined) return
    if (invoice.status === 'paid') this.purse.clawBack(nowMs)
    if (cents === 'disputed') invoice.status = 'disputed'
    else
      Object.assign(invoice, {
        paid: invoice.paid - cents,
        status: invoice.status === 'disputed' ? 'disputed' : 'refunded',
      })
  }

  /** With a card that is good: on the page of the provider, or as it tries again. */
  pay(): void {
    this.card = 'good'
    for (const each of this.invoices)
      if (each.status === 'open') Object.assign(each, { status: 'paid', paid: each.total })
    this.failedS = null
  }

  /** @param nowS when the provider looked at what is due. */
  tick(nowS: number): void {
    if (this.failedS !== null) {
      const tries = RETRY_DAYS.filter((days) => nowS >= (this.failedS ?? 0) + days * DAY_S).length
      if (tries > 0 && this.card === 'good') this.pay()
      else if (tries === RETRY_DAYS.length) this.#end(nowS)
    }
    if (!this.isLive) return
    // The provider announces the next invoice once, so that the credit for what is held then is there in time.
    if (!this.isEnding && !this.#isAnnounced && nowS >= this.announcedS) {
      this.#isAnnounced = true
      this.#giveCombo(this.endS)
    }
    if (nowS < this.endS) return
    if (this.isEnding) {
      this.#end(nowS)
      return
    }
    this.#startS = this.endS
    this.#isAnnounced = false
    ;({ plan: this.plan, every: this.every, addons: this.addons } = this.upcoming)
    this.pending = null
    this.isHeld = false
    for (let n = 1; this.endS <= this.#startS; n++) this.endS = boundary(this.#anchorS * 1000, this.every, n) / 1000
    const { plan, every, addons } = this
    const lines = [...linesOf({ plan, every, addons }).values()]
    if (
      !this.#draw(
        lines.map(({ cents }) => cents),
        'open',
      )
    )
      this.failedS = nowS
    // Where the invoice was not announced, because the subscription was to end then, the credit comes after it.
    this.#giveCombo(this.#startS)
  }

  /** When the provider announces the next invoice. */
  get announcedS(): number {
    return this.endS - ANNOUNCED_DAYS * DAY_S
  }

  /** Once a period, for what is held. */
  #giveCombo(startS: number, takesBack = false): void {
    const { every, addons } = this.upcoming
    const held = COMBOS.find(({ of }) => of.every((id) => addons.has(id)))
    for (const combo of COMBOS) {
      const earned = combo === held ? priceOf(combo.savesMonthly, every) : 0n
      const key = `${combo.of} ${periodOf(startS * 1000, every)}`
      this.purse.bring(`${combo.of}`, key, earned, startS * 1000, takesBack)
    }
  }

  #end(nowS: number): void {
    this.isLive = false
    this.failedS = null
    this.purse.clawBack(nowS * 1000)
    this.purse.forfeit()
  }

  /** @returns whether it is paid; one that is not to stay leaves nothing. */
  #draw(lines: readonly bigint[], whenDeclined: 'refuse' | 'open' = 'refuse'): boolean {
    const net = lines.reduce((sum, each) => sum + each, 0n)
    const subtotal = net > 0n ? net : 0n
    const { balance } = this.purse
    const credit = balance < subtotal ? balance : subtotal
    const total = subtotal - credit
    const isPaid = total === 0n || this.card === 'good'
    if (!isPaid && whenDeclined === 'refuse') return false
    this.purse.take(credit)
    if (net < 0n) this.purse.give(`invoice ${this.invoices.length}`, -net, 0)
    this.invoices.push({ subtotal, credit, total, paid: isPaid ? total : 0n, status: isPaid ? 'paid' : 'open' })
    return isPaid
  }
}

const isSameLine = (
  a: { cents: bigint; quantity: bigint } | undefined,
  b: { cents: bigint; quantity: bigint },
): boolean => a !== undefined && a.cents === b.cents && a.quantity === b.quantity
