/**
 * A shorter ledger for exports. Of each source the newest keyed rows stay, and the older ones are replaced with one row
 * that has their sum. The stored ledger is never compacted, because its keys must stay for ever.
 *
 * INVARIANT: the sum of all cents is kept, and compacting twice changes nothing.
 */
import { sumSigned } from '../money/arithmetic.js'
import type { SignedCents } from '../money/cents.js'

export interface CompactableRow {
  readonly sourceId: string
  /** Rows without a key are kept unchanged. */
  readonly dedupeKey: string | null
  readonly cents: SignedCents
}

export interface CompactedRow extends CompactableRow {
  readonly dedupeKey: `compacted:${string}`
  /** The number of rows that this row replaces. */
  readonly grantCount: number
}

/**
 * Compacts rows, which must be in order, oldest first. `keepRecent` is the number of keyed rows of each source that
 * stay unchanged.
 */
export function compactLedger<Row extends CompactableRow>(
  rows: readonly Row[],
  keepRecent = 12,
): readonly (Row | CompactedRow)[] {
  if (!Number.isSafeInteger(keepRecent) || keepRecent < 0)
    throw new RangeError('keepRecent must be a whole number from 0')
  const folds = planFolds(rows, keepRecent)
  return rows.flatMap<Row | CompactedRow>((row, index) => {
    const fold = folds.get(row.sourceId)
    if (fold === undefined || !fold.indexes.has(index)) return [row]
    return index === fold.first ? [carry(row.sourceId, rows, fold.indexes)] : []
  })
}

interface Fold {
  readonly first: number
  readonly indexes: ReadonlySet<number>
}

function planFolds(rows: readonly CompactableRow[], keepRecent: number): ReadonlyMap<string, Fold> {
  const keyed = new Map<string, { fresh: number[]; carries: number[] }>()
  rows.forEach((row, index) => {
    if (row.dedupeKey === null) return
    let source = keyed.get(row.sourceId)
    if (source === undefined) {
      source = { fresh: [], carries: [] }
      keyed.set(row.sourceId, source)
    }
    ;(isCarry(row) ? source.carries : source.fresh).push(index)
  })
  const folds = new Map<string, Fold>()
  for (const [sourceId, { fresh, carries }] of keyed) {
    const old = fresh.slice(0, Math.max(0, fresh.length - keepRecent))
    if (old.length === 0) continue
    const indexes = new Set([...carries, ...old])
    folds.set(sourceId, { first: Math.min(...indexes), indexes })
  }
  return folds
}

function carry(sourceId: string, rows: readonly CompactableRow[], indexes: ReadonlySet<number>): CompactedRow {
  const folded = rows.filter((_, index) => indexes.has(index))
  return {
    sourceId,
    dedupeKey: `compacted:${sourceId}`,
    cents: sumSigned(folded.map((row) => row.cents)),
    grantCount: folded.reduce((count, row) => count + ('grantCount' in row ? Number(row.grantCount) : 1), 0),
  }
}

function isCarry(row: CompactableRow): boolean {
  return row.dedupeKey === `compacted:${row.sourceId}`
}
