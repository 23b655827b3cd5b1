/** What a promotion really cost: the sum in the ledger, compared with the advisory counters. */
import { hasGrantFrom, type LedgerState } from '../ledger/book.js'
import type { LedgerRow } from '../ledger/types.js'
import { subtractToZero, sum } from '../money/arithmetic.js'
import { type Cents, cents, type SignedCents, signedCents } from '../money/cents.js'
import type { Promotion } from './types.js'

export interface PromotionSpend {
  readonly budgetCents: Cents
  readonly committedCents: Cents
  readonly committedGrants: number
  readonly cachedSpentCents: Cents
  readonly cachedGrantsCount: number
  readonly remainingBudgetCents: Cents
  /** Cached less committed. Above 0, the counter is too high. */
  readonly driftCents: SignedCents
}

/** Sums the grants of this promotion. `rows` may contain rows of many accounts; other rows are ignored. */
export function spendOf(promotion: Promotion, rows: Iterable<LedgerRow>): PromotionSpend {
  const committed: Cents[] = []
  let committedGrants = 0
  for (const row of rows) {
    if (row.type !== 'grant' || row.sourceId !== `promo:${promotion.id}`) continue
    const kept = cents(row.cents - row.reversedCents)
    committed.push(kept)
    if (kept > 0) committedGrants++
  }
  const committedCents = sum(committed)
  return {
    budgetCents: promotion.budgetCents,
    committedCents,
    committedGrants,
    cachedSpentCents: promotion.spentCents,
    cachedGrantsCount: promotion.grantsCount,
    remainingBudgetCents: subtractToZero(promotion.budgetCents, committedCents),
    driftCents: signedCents(promotion.spentCents - committedCents),
  }
}

/** Returns the promotion with its counters set to the sums of the ledger. */
export function healCounters(promotion: Promotion, spend: PromotionSpend): Promotion {
  return { ...promotion, spentCents: spend.committedCents, grantsCount: spend.committedGrants }
}

/** True when this subscription was ever granted the promotion. */
export function hasGrantOf(ledger: LedgerState, promotionId: string, subscriptionId: string): boolean {
  return hasGrantFrom(ledger, subscriptionId, `promo:${promotionId}`)
}
