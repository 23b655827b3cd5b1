/**
 * 95 % confidence intervals of counted numbers. Exact where an exact method is known: Garwood for counts in a time,
 * Wilson's score for proportions, binomial ranks for medians.
 *
 * INVARIANT: an interval contains its value, and `low` ≤ `high`.
 */
export interface Interval {
  readonly low: number
  readonly high: number
}

/** The 97.5th percentile of the normal distribution. */
export const Z = 1.959963984540054
const TAIL = 0.025
/** With fewer values, no two ranks contain the median with 95 %. */
export const MEDIAN_LEAST = 6
/** Above this number, the normal distribution gives the same ranks. */
const EXACT_MAX = 1000

/** Wilson's score interval of a proportion, 0 to 1. Null without trials. */
export function shareInterval(hits: number, trials: number): Interval | null {
  if (trials === 0) return null
  const share = hits / trials
  const square = (Z * Z) / trials
  const middle = (share + square / 2) / (1 + square)
  const half = (Z * Math.sqrt((share * (1 - share)) / trials + square / (4 * trials))) / (1 + square)
  return {
    low: hits === 0 ? 0 : Math.min(share, Math.max(0, middle - half)),
    high: hits === trials ? 1 : Math.max(share, Math.min(1, middle + half)),
  }
}

/** Garwood's interval of the mean of a Poisson count. */
export function countInterval(count: number): Interval {
  const low = count === 0 ? 0 : solve((mean) => poissonAtLeast(count, mean), TAIL, count)
  return { low, high: solve((mean) => poissonAtLeast(count + 1, mean), 1 - TAIL, count + 1) }
}

/** Finds the mean at which an increasing probability has this value. */
function solve(chanceAt: (mean: number) => number, wanted: number, near: number): number {
  let low = 0
  let high = near + 10 * Math.sqrt(near + 1) + 10
  for (let step = 0; step < 100 && high - low > 1e-12 * (1 + low); step++) {
    const middle = (low + high) / 2
    if (chanceAt(middle) < wanted) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/**
 * The probability of at least `count` events when `mean` are expected: the regularised lower incomplete gamma function.
 */
export function poissonAtLeast(count: number, mean: number): number {
  if (mean <= 0) return 0
  const scale = Math.exp(count * Math.log(mean) - mean - logGamma(count))
  if (mean < count + 1) {
    let term = 1 / count
    let sum = term
    for (let at = count + 1; term > sum * 1e-16; at++) {
      term *= mean / at
      sum += term
    }
    return Math.min(1, sum * scale)
  }
  return Math.max(0, 1 - scale * upperFraction(count, mean))
}

/** Lentz's continued fraction of the upper incomplete gamma function. */
function upperFraction(count: number, mean: number): number {
  let b = mean + 1 - count
  let c = 1e300
  let d = 1 / b
  let fraction = d
  for (let step = 1; step < 100_000; step++) {
    const a = -step * (step - count)
    b += 2
    d = 1 / nonZero(a * d + b)
    c = nonZero(b + a / c)
    const change = d * c
    fraction *= change
    if (Math.abs(change - 1) < 1e-15) break
  }
  return fraction
}

const nonZero = (value: number): number => (Math.abs(value) < 1e-300 ? 1e-300 : value)

const STIRLING = [1 / 12, -1 / 360, 1 / 1260, -1 / 1680, 1 / 1188] as const

/** Stirling's series, accurate to the last digits of a double. */
export function logGamma(value: number): number {
  let shift = 0
  let x = value
  for (; x < 15; x++) shift += Math.log(x)
  const inverse = 1 / x
  const square = inverse * inverse
  const series = STIRLING.reduceRight((sum, each) => sum * square + each, 0) * inverse
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series - shift
}

/**
 * The interval of the median of n values reaches from this rank, counted from 1, to the same rank from the end; null
 * for fewer than 6.
 */
export function medianRank(n: number): number | null {
  if (n < MEDIAN_LEAST) return null
  return n <= EXACT_MAX ? exactRank(n) : Math.max(1, Math.floor(n / 2 - (Z * Math.sqrt(n)) / 2))
}

/** The interval of the median of these values; null for fewer than 6. @param sorted ascending. */
export function medianInterval(sorted: readonly number[]): Interval | null {
  const rank = medianRank(sorted.length)
  return rank === null ? null : { low: sorted[rank - 1] as number, high: sorted[sorted.length - rank] as number }
}

const ranks = new Map<number, number>()

/** The largest rank r for which the probability that fewer than r of n values are below the median is at most 2.5 %. */
function exactRank(n: number): number {
  const known = ranks.get(n)
  if (known !== undefined) return known
  let rank = 0
  let below = 0
  for (;;) {
    const chance = Math.exp(logGamma(n + 1) - logGamma(rank + 1) - logGamma(n - rank + 1) - n * Math.LN2)
    if (below + chance > TAIL) break
    below += chance
    rank++
  }
  ranks.set(n, Math.max(1, rank))
  return Math.max(1, rank)
}
