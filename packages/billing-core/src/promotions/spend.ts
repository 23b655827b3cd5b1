/** What a promotion really cost: the ledger's word against the advisory counters. */
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
  /** Cached less committed: above 0 the counter says too much. */
  readonly driftCents: SignedCents
}

/** `rows` may be those of many accounts; only grants of this promotion count. */
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

/** The promotion with its counters set to what the ledger says. */
export function healCounters(promotion: Promotion, spend: PromotionSpend): Promotion {
  return { ...promotion, spentCents: spend.committedCents, grantsCount: spend.committedGrants }
}

/** Whether this subscription has ever been granted the promotion. */
export function hasGrantOf(ledger: LedgerState, promotionId: string, subscriptionId: string): boolean {
  return hasGrantFrom(ledger, subscriptionId, `promo:${promotionId}`)
}
