/** Credit of one account and budgets of promotions once more, in whole numbers of any size: the oldest credit is spent first. */

const WINDOW_MS = 7 * 86_400_000

/** Shared by all accounts that it is for. */
export class Promotion {
  spent = 0n
  grants = 0n

  constructor(
    readonly id: string,
    readonly trigger: 'manual' | 'subscription_created' | 'plan_change' | 'referral',
    readonly value: {
      readonly unit: 'dollar' | 'percent'
      readonly amount: bigint
      /** Of who refers, where it is another one. */
      readonly referrer?: bigint
      readonly isRecurring?: boolean
    },
    readonly limits: { readonly budget: bigint; readonly cap: bigint | null; readonly grantsMax: bigint | null },
  ) {}

  get isRecurring(): boolean {
    return this.value.isRecurring === true
  }

  worth(price: bigint, amount = this.value.amount): bigint {
    const { unit } = this.value
    const whole = unit === 'dollar' ? amount : (price * amount + 50n) / 100n
    return this.limits.cap !== null && whole > this.limits.cap ? this.limits.cap : whole
  }

  /** Whole or not at all. */
  reserve(cents: bigint): boolean {
    const { budget, grantsMax } = this.limits
    if (this.spent + cents > budget || (grantsMax !== null && this.grants >= grantsMax)) return false
    this.spent += cents
    this.grants += 1n
    return true
  }
}

interface Grant {
  cents: bigint
  readonly atMs: number
  readonly promotion: Promotion | null
  readonly combo: string | null
  left: bigint
}

export class Purse {
  #grants: Grant[] = []
  /** For ever, whatever becomes of the credit. */
  readonly #keys = new Set<string>()

  get balance(): bigint {
    return this.#grants.reduce((sum, { left }) => sum + left, 0n)
  }

  /** Once under a key. */
  give(key: string, cents: bigint, atMs: number, promotion: Promotion | null = null): void {
    if (!this.#keys.has(key)) this.#add({ cents, left: cents, atMs, promotion, combo: null })
    this.#keys.add(key)
  }

  #add(grant: Grant): void {
    this.#grants.push(grant)
    this.#grants.sort((a, b) => a.atMs - b.atMs)
  }

  /**
   * What a combo gives to the period that begins then, less what it gave to it before.
   *
   * @param takesBack what the period has too much, as far as it is unspent.
   */
  bring(combo: string, key: string, earned: bigint, atMs: number, takesBack: boolean): void {
    const had = this.#grants.filter((each) => each.combo === combo && each.atMs === atMs)
    const net = () => had.reduce((sum, { cents }) => sum + cents, 0n)
    if (takesBack && net() > earned)
      for (const each of had) Object.assign(each, { cents: each.cents - each.left, left: 0n })
    const missing = earned - net()
    if (missing <= 0n || (had.length === 0 && this.#keys.has(key))) return
    this.#keys.add(key)
    this.#add({ cents: missing, left: missing, atMs, promotion: null, combo })
  }

  /** @param period of one that recurs. @returns granted, or why not. */
  grant(promotion: Promotion, cents: bigint, atMs: number, period = ''): string {
    const key = `promo ${promotion.id} ${period}`
    if (cents === 0n) return 'zero'
    if (this.#keys.has(key)) return 'already_granted'
    if (!promotion.reserve(cents)) return 'budget_exhausted'
    this.give(key, cents, atMs, promotion)
    return 'granted'
  }

  take(cents: bigint): void {
    let due = cents
    for (const each of this.#grants) {
      const isEnough = each.left >= due
      const part = isEnough ? due : each.left
      each.left -= part
      due -= part
    }
  }

  /** What is unspent of young promotions goes back to their budgets; what is spent stays spent. */
  clawBack(nowMs: number): void {
    for (const each of this.#grants) {
      if (each.promotion === null || each.atMs < nowMs - WINDOW_MS) continue
      each.promotion.spent -= each.left
      if (each.left === each.cents) each.promotion.grants -= 1n
      each.left = 0n
    }
    this.#grants = this.#grants.filter(({ promotion, atMs }) => promotion === null || atMs < nowMs - WINDOW_MS)
  }

  forfeit(): void {
    this.#grants = []
  }
}
