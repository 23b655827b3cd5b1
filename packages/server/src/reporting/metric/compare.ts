/** Tests whether a change between two windows is statistically significant, at 5 %. Pure. */
import { logGamma, shareInterval, Z } from './interval.js'

/** Newcombe's interval of the difference of two proportions; null when one has no trials. */
export function sharesDiffer(hits: number, trials: number, hitsBefore: number, trialsBefore: number): boolean | null {
  const [now, before] = [shareInterval(hits, trials), shareInterval(hitsBefore, trialsBefore)]
  if (now === null || before === null) return null
  const [p, q] = [hits / trials, hitsBefore / trialsBefore]
  const low = p - q - Math.hypot(p - now.low, before.high - q)
  const high = p - q + Math.hypot(now.high - p, q - before.low)
  return low > 0 || high < 0
}

/** The exact conditional test of two Poisson counts. */
export function countsDiffer(count: number, days: number, countBefore: number, daysBefore: number): boolean | null {
  const total = count + countBefore
  if (total === 0) return null
  const share = days / (days + daysBefore)
  const upTo = (k: number, p: number): number => {
    let sum = 0
    for (let at = 0; at <= k; at++)
      sum += Math.exp(logChoose(total, at) + at * Math.log(p) + (total - at) * Math.log(1 - p))
    return sum
  }
  return 2 * Math.min(upTo(count, share), upTo(countBefore, 1 - share)) < 0.05
}

const logChoose = (n: number, k: number): number => logGamma(n + 1) - logGamma(k + 1) - logGamma(n - k + 1)

const LEAST = 6

/** The Mann–Whitney test of two samples, by the normal approximation with ties; null when one is too small. */
export function samplesDiffer(now: readonly number[], before: readonly number[]): boolean | null {
  if (now.length < LEAST || before.length < LEAST) return null
  const all = [...now.map((value) => ({ value, isNow: true })), ...before.map((value) => ({ value, isNow: false }))]
  all.sort((a, b) => a.value - b.value)
  let ranks = 0
  let ties = 0
  for (let at = 0; at < all.length; ) {
    let end = at
    while (end < all.length && all[end]?.value === all[at]?.value) end++
    const rank = (at + 1 + end) / 2
    for (let each = at; each < end; each++) if (all[each]?.isNow) ranks += rank
    ties += (end - at) ** 3 - (end - at)
    at = end
  }
  const [n, m, total] = [now.length, before.length, all.length]
  const u = ranks - (n * (n + 1)) / 2
  const spread = Math.sqrt(((n * m) / 12) * (total + 1 - ties / (total * (total - 1))))
  return spread === 0 ? false : Math.abs(u - (n * m) / 2) - 0.5 > Z * spread
}
