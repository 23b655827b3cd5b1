/** Durations in bins of 2 %: their boundaries are integers of one table, so that every machine sorts alike. Pure. */

const BINS_MAX = 1500

/** The least value of each bin. A value differs from the middle of its bin by at most 1 %. */
const BOUNDS: readonly number[] = (() => {
  const bounds = [0]
  while (bounds.length < BINS_MAX) {
    const last = bounds.at(-1) as number
    bounds.push(Math.max(last + 1, Math.floor((last * 102) / 100)))
  }
  return bounds
})()

/** @param value a whole number from 0 on. */
export function binOf(value: number): number {
  let low = 0
  let high = BOUNDS.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((BOUNDS[middle] as number) <= value) low = middle
    else high = middle - 1
  }
  return low
}

const middleOf = (bin: number): number => {
  const low = BOUNDS[bin] as number
  return (low + (BOUNDS[bin + 1] ?? low + 1) - 1) / 2
}

/** Counts by bin. */
export type Bins = Map<number, number>

export function addFlat(bins: Bins, flat: readonly number[]): void {
  for (let at = 0; at + 1 < flat.length; at += 2) addTo(bins, flat[at] as number, flat[at + 1] as number)
}

export const addTo = (bins: Bins, bin: number, count: number): void => {
  bins.set(bin, (bins.get(bin) ?? 0) + count)
}

/** Bin and count, one after another, in the order of bins: equal bins are equal lists. */
export const flatOf = (bins: Bins): number[] => [...bins].sort(([a], [b]) => a - b).flat()

/** @param fraction 0 to 1. @returns the percentile to within 1 %, interpolated between ranks as `percentileOf`; the bins hold something. */
export function percentileOfBins(bins: Bins, fraction: number): number {
  const ordered = [...bins].sort(([a], [b]) => a - b)
  const total = ordered.reduce((sum, [, count]) => sum + count, 0)
  const place = (total - 1) * fraction
  const below = Math.floor(place)
  const low = atRank(ordered, below)
  const high = atRank(ordered, Math.min(below + 1, total - 1))
  return low + (high - low) * (place - below)
}

function atRank(ordered: readonly (readonly [number, number])[], rank: number): number {
  let seen = 0
  for (const [bin, count] of ordered) {
    seen += count
    if (rank < seen) return middleOf(bin)
  }
  return middleOf(ordered.at(-1)?.[0] ?? 0)
}
