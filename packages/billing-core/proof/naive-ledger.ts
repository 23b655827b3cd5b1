/**
 * The ledger again, as plainly as possible: BigInt, a list, a scan for everything. It shares no code with the package
 * and keeps no balance: every figure is summed again whenever it is asked for. The oracle of the model-based tests.
 */
export interface NaiveRow {
  key: string
  sub: string
  type: string
  seq: bigint
  at: string
  cents: bigint
  remaining: bigint
  reversed: bigint
  state: string
  confirmed: boolean
  promo: string | null
}

export interface NaivePromotion {
  id: string
  value: bigint
  cap: bigint | null
  budget: bigint
  spent: bigint
  grants: bigint
  maxGrants: bigint | null
}

const MAX = 9007199254740991n

export class NaiveLedger {
  rows: NaiveRow[] = []
  holds: { key: string; sub: string; cents: bigint }[] = []
  promotions: NaivePromotion[] = []
  redemptions = new Map<string, bigint>()

  balance(sub: string): bigint {
    let total = 0n
    for (const row of this.rows) if (row.sub === sub) total += row.remaining
    return total
  }

  sumOfCents(sub: string): bigint {
    let total = 0n
    for (const row of this.rows) if (row.sub === sub) total += row.cents
    return total
  }

  held(sub: string): bigint {
    let total = 0n
    for (const hold of this.holds) if (hold.sub === sub) total += hold.cents
    return total
  }

  has(key: string): boolean {
    return this.rows.some((row) => row.key === key)
  }

  find(key: string): NaiveRow | undefined {
    return this.rows.find((row) => row.key === key)
  }

  /** Returns whether it happened; the same for every operation below. */
  grant(sub: string, key: string, cents: bigint, at: string, push: boolean, promo: string | null = null): boolean {
    if (this.has(key) || cents <= 0n || this.balance(sub) + cents > MAX) return false
    this.append(sub, key, 'grant', cents, at, !push, promo)
    return true
  }

  consume(sub: string, key: string, wanted: bigint, at: string, upTo: boolean, holdKey: string | null): boolean {
    if (this.has(key) || wanted <= 0n) return false
    let free = this.balance(sub) - this.held(sub)
    const own = this.holds.find((hold) => hold.key === holdKey && hold.sub === sub)
    if (own) free += own.cents
    if (wanted > free && !upTo) return false
    const taken = lesser(wanted, free)
    if (taken > 0n) {
      this.drain(sub, taken)
      this.append(sub, key, 'consume', -taken, at, true, null)
    }
    if (holdKey !== null) this.holds = this.holds.filter((hold) => hold.key !== holdKey)
    return true
  }

  forfeit(sub: string, at: string): boolean {
    const free = this.balance(sub) - this.held(sub)
    if (free > 0n) {
      const seq = this.nextSeq(sub)
      this.drain(sub, free)
      this.append(sub, `forfeit:${sub}:${seq}`, 'forfeit', -free, at, true, null)
    }
    return true
  }

  adjust(sub: string, key: string, cents: bigint, at: string): boolean {
    if (this.has(key) || cents === 0n) return false
    if (cents > 0n) {
      if (this.balance(sub) + cents > MAX) return false
    } else {
      if (-cents > this.balance(sub) - this.held(sub)) return false
      this.drain(sub, -cents)
    }
    this.append(sub, key, 'adjust', cents, at, true, null)
    return true
  }

  clawback(target: string, at: string, push: boolean): boolean {
    return this.reverse(target, `clawback:${target}`, 'clawback', at, push)
  }

  refusePush(target: string, at: string): boolean {
    if (this.find(target)?.confirmed) return false
    return this.reverse(target, `refused:${target}`, 'adjust', at, false)
  }

  confirm(key: string): boolean {
    const row = this.find(key)
    if (!row || row.confirmed) return false
    row.confirmed = true
    if (row.state === 'pending') row.state = 'posted'
    return true
  }

  hold(sub: string, key: string, cents: bigint): boolean {
    if (this.has(key) || this.holds.some((hold) => hold.key === key)) return false
    if (cents <= 0n || cents > this.balance(sub) - this.held(sub)) return false
    this.holds.push({ key, sub, cents })
    return true
  }

  release(key: string): boolean {
    const before = this.holds.length
    this.holds = this.holds.filter((hold) => hold.key !== key)
    return this.holds.length < before
  }

  promote(id: string, sub: string, org: string, at: string): boolean {
    const promotion = this.promotions.find((each) => each.id === id)
    if (!promotion) return false
    let cents = promotion.value
    if (promotion.cap !== null && cents > promotion.cap) cents = promotion.cap
    if (promotion.spent + cents > promotion.budget) return false
    if (promotion.maxGrants !== null && promotion.grants >= promotion.maxGrants) return false
    if (!this.grant(sub, `promo:${id}:${org}`, cents, at, false, id)) return false
    promotion.spent += cents
    promotion.grants += 1n
    return true
  }

  /** A clawback of a promotion's grant, with the budget that it releases. */
  demote(id: string, org: string, at: string): boolean {
    const key = `promo:${id}:${org}`
    if (!this.clawback(key, at, false)) return false
    const row = this.find(key)
    const promotion = this.promotions.find((each) => each.id === id)
    if (!row || !promotion) return false
    promotion.spent -= row.reversed
    if (row.reversed === row.cents) promotion.grants -= 1n
    return true
  }

  redeem(id: string, max: bigint): boolean {
    const count = this.redemptions.get(id) ?? 0n
    if (count >= max) return false
    this.redemptions.set(id, count + 1n)
    return true
  }

  private nextSeq(sub: string): bigint {
    let seq = 1n
    for (const row of this.rows) if (row.sub === sub) seq += 1n
    return seq
  }

  private append(
    sub: string,
    key: string,
    type: string,
    cents: bigint,
    at: string,
    done: boolean,
    promo: string | null,
  ) {
    const remaining = cents > 0n ? cents : 0n
    const state = done ? 'posted' : 'pending'
    const seq = this.nextSeq(sub)
    this.rows.push({ key, sub, type, seq, at, cents, remaining, reversed: 0n, state, confirmed: done, promo })
  }

  /** Oldest first: grantedAt, then sequence. */
  private drain(sub: string, cents: bigint): void {
    const open = this.rows.filter((row) => row.sub === sub && row.remaining > 0n)
    open.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.seq < b.seq ? -1 : 1))
    let left = cents
    for (const row of open) {
      const part = lesser(row.remaining, left)
      row.remaining -= part
      left -= part
    }
    if (left !== 0n) throw new Error('the oracle was asked for more than there is')
  }

  private reverse(target: string, key: string, type: string, at: string, push: boolean): boolean {
    const row = this.find(target)
    if (row?.type !== 'grant' || row.state === 'reversed') return false
    const free = this.balance(row.sub) - this.held(row.sub)
    const taken = lesser(row.remaining, free)
    row.remaining -= taken
    row.reversed = taken
    row.state = 'reversed'
    this.append(row.sub, key, type, -taken, at, !push, null)
    return true
  }
}

function lesser(a: bigint, b: bigint): bigint {
  if (a < b) return a
  return b
}
