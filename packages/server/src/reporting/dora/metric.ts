/** A metric: its value, how sure it is, or why there is none. Pure. */
import { type BandedMetric, failureLevel, frequencyLevel, type Level, levelOf } from '../metric/band.js'
import { countInterval, type Interval, medianInterval, shareInterval } from '../metric/interval.js'
import { ascending, medianOf } from '../metric/percentile.js'

export const WHYS = [
  'no_pipelines',
  'no_events',
  'parked',
  'no_environment',
  'retention',
  'not_in_range',
  'still_running',
  'all_canceled',
  'no_deployments',
  'no_attempts',
  'no_commit_time',
  'only_redeploys',
  'no_recovery',
  'unresolved_only',
  'no_link',
] as const
export type Why = (typeof WHYS)[number]

export interface Metric {
  /** Exact: rounding is for display. Null for the reason that `why` gives. */
  readonly value: number | null
  readonly numerator: number
  readonly denominator: number
  readonly why: Why | null
  readonly level: Level | null
  /** The bands of the ends of the interval, the better one first. */
  readonly levelRange: readonly [Level, Level] | null
  /** Whether the whole interval lies in one band; null where there are no bands. */
  readonly sure: boolean | null
  readonly interval: Interval | null
}

const none = (why: Why, numerator: number, denominator: number, sure: boolean | null = false): Metric => ({
  value: null,
  numerator,
  denominator,
  why,
  level: null,
  levelRange: null,
  sure,
  interval: null,
})

const sureOf = (level: Level, range: readonly [Level, Level] | null): boolean =>
  range !== null && range[0] === level && range[1] === level

/** So many in so many days. */
export function frequencyOf(count: number, days: number, why: Why): Metric {
  if (count === 0) return none(why, 0, days)
  const { low, high } = countInterval(count)
  const interval = { low: low / days, high: high / days }
  const level = frequencyLevel(count, days)
  const levelRange = [
    levelOf('deploymentFrequency', interval.high),
    levelOf('deploymentFrequency', interval.low),
  ] as const
  return {
    value: count / days,
    numerator: count,
    denominator: days,
    why: null,
    level,
    levelRange,
    sure: sureOf(level, levelRange),
    interval,
  }
}

/** Percent of a whole. @param isBanded whether DORA publishes bands for it. */
export function rateOf(hits: number, trials: number, why: Why, isBanded: boolean): Metric {
  const share = shareInterval(hits, trials)
  if (share === null) return none(why, hits, trials, isBanded ? false : null)
  const interval = { low: 100 * share.low, high: 100 * share.high }
  const value = (100 * hits) / trials
  if (!isBanded) {
    return {
      value,
      numerator: hits,
      denominator: trials,
      why: null,
      level: null,
      levelRange: null,
      sure: null,
      interval,
    }
  }
  const level = failureLevel(hits, trials)
  const levelRange = [levelOf('changeFailureRate', interval.low), levelOf('changeFailureRate', interval.high)] as const
  return {
    value,
    numerator: hits,
    denominator: trials,
    why: null,
    level,
    levelRange,
    sure: sureOf(level, levelRange),
    interval,
  }
}

/** The median of seconds. @param of how many could have had one. @param openSeconds of what is not over: it may become worse than all. */
export function medianMetric(
  seconds: readonly number[],
  of: number,
  why: Why,
  banded: BandedMetric | null,
  openSeconds: readonly number[] = [],
): Metric & { readonly mean: number | null } {
  if (seconds.length === 0) return { ...none(why, 0, of, banded === null ? null : false), mean: null }
  const sorted = ascending(seconds)
  const value = medianOf(sorted)
  const mean = seconds.reduce((sum, each) => sum + each, 0) / seconds.length
  const interval = medianInterval(sorted)
  const counted = { value, mean, numerator: seconds.length, denominator: of, why: null, interval }
  if (banded === null) return { ...counted, level: null, levelRange: null, sure: null }
  const level = levelOf(banded, value)
  const levelRange =
    interval === null ? null : ([levelOf(banded, interval.low), levelOf(banded, interval.high)] as const)
  // What is still open is at least as long as it has been: if that alone is another band, the value is not sure.
  const withOpen = openSeconds.length === 0 ? value : medianOf(ascending([...seconds, ...openSeconds]))
  const isHeld = withOpen <= value || levelOf(banded, withOpen) === level
  return { ...counted, level, levelRange, sure: sureOf(level, levelRange) && isHeld }
}
