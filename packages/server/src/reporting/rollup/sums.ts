/** The sums of a pipeline's runs, which can be added up. Pure: a day's sums depend only on its facts. */

import { addFlat, addTo, type Bins, binOf, flatOf, newBins } from '../metric/bins.js'
import type { DailyRunsRow, ExecutionRow } from '../tables.js'

export type RunSums = Omit<DailyRunsRow, 'orgId' | 'pipelineId' | 'part' | 'dayMs'>
type Fact = Pick<ExecutionRow, 'status' | 'startedMs' | 'durationMs'>

/** Used again and again: most days have few runs, and a new array for each would be their largest cost. */
const scratch = newBins()
const emptied = (): Bins => scratch.fill(0)

/** Null without facts. */
export function sumsOf(facts: readonly Fact[]): RunSums | null {
  if (facts.length === 0) return null
  const counts = { succeeded: 0, failed: 0, canceled: 0, open: 0 }
  const bins = emptied()
  let [firstMs, lastMs] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  let [timed, sumMs] = [0, 0]
  let minMs: number | null = null
  let maxMs: number | null = null
  for (const { status, startedMs, durationMs } of facts) {
    const isOver = status === 'succeeded' || status === 'failed'
    counts[isOver ? status : status === 'started' ? 'open' : 'canceled']++
    firstMs = Math.min(firstMs, startedMs)
    lastMs = Math.max(lastMs, startedMs)
    if (!isOver || durationMs === null) continue
    timed++
    sumMs += durationMs
    minMs = Math.min(minMs ?? durationMs, durationMs)
    maxMs = Math.max(maxMs ?? durationMs, durationMs)
    addTo(bins, binOf(durationMs), 1)
  }
  return { ...counts, firstMs, lastMs, timed, sumMs, minMs, maxMs, bins: flatOf(bins) }
}

const least = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.min(one, other)
const greatest = (one: number | null, other: number | null): number | null =>
  one === null ? other : other === null ? one : Math.max(one, other)

/** Adds the sums up. Null without parts. */
export function together(parts: readonly RunSums[]): RunSums | null {
  const [first, ...rest] = parts
  if (first === undefined) return null
  if (rest.length === 0) return first
  const bins = emptied()
  for (const part of parts) addFlat(bins, part.bins)
  const added = rest.reduce(
    (sum, each) => ({
      succeeded: sum.succeeded + each.succeeded,
      failed: sum.failed + each.failed,
      canceled: sum.canceled + each.canceled,
      open: sum.open + each.open,
      firstMs: Math.min(sum.firstMs, each.firstMs),
      lastMs: Math.max(sum.lastMs, each.lastMs),
      timed: sum.timed + each.timed,
      sumMs: sum.sumMs + each.sumMs,
      minMs: least(sum.minMs, each.minMs),
      maxMs: greatest(sum.maxMs, each.maxMs),
      bins: sum.bins,
    }),
    first,
  )
  return { ...added, bins: flatOf(bins) }
}
