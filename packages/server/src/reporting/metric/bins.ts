/** Durations in bins of 2 %. The bounds are integers of one table, so that every machine sorts values alike. Pure. */

const BINS_MAX = 1500

/** The lower bound of each bin. A value differs from the middle of its bin by at most 1 %. */
const BOUNDS: readonly number[] = (() => {
  const bounds = [0]
  while (bounds.length < BINS_MAX) {
    const last = bounds.at(-1) as number
    bounds.push(Math.max(last + 1, Math.floor((last * 102) / 100)))
  }
  return bounds
})()

/** @param value a non-negative integer. */
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

/** One count per bin. A dense array, because a sum over two years has most of the bins. */
export type Bins = Float64Array

export const newBins = (): Bins => new Float64Array(BINS_MAX)

export function addFlat(bins: Bins, flat: readonly number[]): void {
  for (let at = 0; at + 1 < flat.length; at += 2) addTo(bins, flat[at] as number, flat[at + 1] as number)
}

/**
 * Adds flat lists that a database joined to one text. Reading the digits takes a third of the time of `JSON.parse`,
 * which makes an array of them first.
 */
export function addJoined(bins: Bins, text: string): void {
  let bin = -1
  for (let at = 0; at < text.length; ) {
    let digit = text.charCodeAt(at++) - ZERO
    if (digit < 0 || digit > 9) continue
    let value = 0
    for (; digit >= 0 && digit <= 9; digit = text.charCodeAt(at++) - ZERO) value = value * 10 + digit
    if (bin < 0) bin = value
    else {
      bins[bin] = (bins[bin] as number) + value
      bin = -1
    }
  }
}
const ZERO = 48

export const addTo = (bins: Bins, bin: number, count: number): void => {
  bins[bin] = (bins[bin] as number) + count
}

/** Alternating bin and count, ordered by bin, so that equal bins give equal lists. */
export function flatOf(bins: Bins): number[] {
  const flat: number[] = []
  for (let bin = 0; bin < BINS_MAX; bin++) {
    const count = bins[bin] as number
    if (count !== 0) flat.push(bin, count)
  }
  return flat
}

/** The value of this rank, counted from 0, accurate to 1 %. */
export function rankOfBins(bins: Bins, rank: number): number {
  let seen = 0
  let last = 0
  for (let bin = 0; bin < BINS_MAX; bin++) {
    const count = bins[bin] as number
    if (count === 0) continue
    seen += count
    if (rank < seen) return middleOf(bin)
    last = bin
  }
  return middleOf(last)
}

/**
 * @param fraction 0 to 1. @returns the percentile, accurate to 1 %, interpolated between ranks like `percentileOf`. The
 *   bins must not be empty.
 */
export function percentileOfBins(bins: Bins, fraction: number): number {
  let total = 0
  for (let bin = 0; bin < BINS_MAX; bin++) total += bins[bin] as number
  const place = (total - 1) * fraction
  const below = Math.floor(place)
  const low = rankOfBins(bins, below)
  const high = rankOfBins(bins, Math.min(below + 1, total - 1))
  return low + (high - low) * (place - below)
}
