/**
 * Purchases at a marketplace once more: what is entitled there, who took which over, and what holds here when notices are hints that come
 * late, twice, out of order or not at all.
 */
import type { Plan, Verdict } from './model.js'

export type Kind = 'customer' | 'license'
export type Hint = 'none' | 'subscribed' | 'ending' | 'ended'

const CLAIM_MS = 86_400_000

/** An organization that may have one subscription. */
export interface Home {
  readonly orgId: string
  live: Purchase | null
}

export class Purchase {
  /** What its subscription here is to; null for none. */
  plan: Plan | null = null
  isEnding = false
  isClaimed = false
  isKnown = false
  home: Home
  token: string | null = null
  #tokenUntilMs = 0
  #hasBegun = false
  #noticeMs = 0

  /** @param dimension that is entitled at the marketplace. */
  constructor(
    readonly kind: Kind,
    public dimension: Plan | null,
  ) {
    this.home = { orgId: '', live: null }
  }

  /** The entitlements decide; a hint says what they do not. */
  read(hint: Hint = 'none'): void {
    if (!this.isKnown) return
    if (this.plan === null) {
      const begins = this.dimension !== null || hint === 'subscribed' || (hint === 'none' && !this.#hasBegun)
      if (!begins || this.home.live !== null) return
      this.#hasBegun = true
      this.home.live = this
      this.isEnding = false
    } else if (hint === 'ended' && this.dimension === null) {
      this.#end()
      return
    } else if (hint === 'ending') this.isEnding = true
    else if (hint === 'subscribed') this.isEnding = false
    this.plan = this.dimension ?? 'developer'
  }

  /** One that is older than another decides nothing by itself. */
  notice(hint: Hint, sentMs: number): void {
    if (!this.isKnown) return
    this.read(sentMs < this.#noticeMs ? 'none' : hint)
    this.#noticeMs = Math.max(sentMs, this.#noticeMs)
  }

  /** The buyer comes with a registration token. @param orgId of the organization that is made for a new one. */
  resolve(orgId: string, claim: string | null, nowMs: number): void {
    if (!this.isKnown) this.home = { orgId, live: null }
    this.isKnown = true
    this.read()
    if (this.isClaimed) return
    ;[this.token, this.#tokenUntilMs] = [claim, nowMs + CLAIM_MS]
  }

  claim(token: string, into: { readonly home: Home; readonly isOwn: boolean } | null, nowMs: number): Verdict {
    if (token !== this.token) return 'CLAIM_NOT_FOUND'
    if (into !== null && into.home !== this.home && !into.isOwn) return 'VALIDATION_ERROR'
    if (nowMs >= this.#tokenUntilMs) return 'CLAIM_NOT_FOUND'
    const moves = into !== null && into.home !== this.home
    if (moves && into.home.live !== null) return 'DUPLICATE_ENTRY'
    if (this.plan === null) return 'CONFLICT'
    this.isClaimed = true
    this.token = null
    if (!moves) return null
    this.home.live = null
    this.home = into.home
    this.home.live = this
    this.isEnding = false
    return null
  }

  #end(): void {
    this.plan = null
    this.home.live = null
  }
}
