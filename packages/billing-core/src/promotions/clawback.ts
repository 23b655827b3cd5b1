/**
 * Which grants a cancellation, refund, dispute, void or write-off takes back: promotion grants that are younger than
 * the window. The ledger decides how much is recovered (`clawback`). What is recovered is released to the budget.
 */
import type { LedgerRow } from '../ledger/types.js'
import { addMilliseconds, DAY_MS, type Instant } from '../period/instant.js'

export const DEFAULT_CLAWBACK_WINDOW_MS = 7 * DAY_MS

/** Returns grants of `promo:*` with grantedAt ≥ now − window that were not taken back before, oldest first. */
export function clawbackCandidates(
  rows: Iterable<LedgerRow>,
  subscriptionId: string,
  now: Instant,
  windowMs: number = DEFAULT_CLAWBACK_WINDOW_MS,
): readonly LedgerRow[] {
  const since = addMilliseconds(now, -windowMs)
  return [...rows]
    .filter(
      (row) =>
        row.type === 'grant' &&
        row.subscriptionId === subscriptionId &&
        row.sourceId.startsWith('promo:') &&
        row.state !== 'reversed' &&
        row.grantedAt >= since,
    )
    .sort((a, b) => a.seq - b.seq)
}
