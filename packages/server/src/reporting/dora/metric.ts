/** A metric: its value with its certainty, or the reason why there is none. Pure. */
import { type BandedMetric, failureLevel, frequencyLevel, type Level, levelOf } from '../metric/band.js'
import { countInterval, type Interval, shareInterval } from '../metric/interval.js'
import { medianBounds, medianSeconds, type Sample, withMore } from '../metric/sample.js'

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
  'no_commit_time',
  'only_redeploys',
  'no_recovery',
  'unresolved_only',
  'no_link',
] as const
export type Why = (typeof WHYS)[number]

export interface Metric {
  /** Exact: only the display rounds. Null for the reason in `why`. */
  readonly value: number | null
  readonly numerator: number
  readonly denominator: number
  readonly why: Why | null
  readonly level: Level | null
  /** The bands of both ends of the interval, the better one first. */
  readonly levelRange: readonly [Level, Level] | null
  /** Whether the whole interval is in one band; null for a metric without bands. */
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

/** A count per number of days. */
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

/** A percentage. @param isBanded whether DORA publishes bands for it. */
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

export interface MedianMetric extends Metric {
  readonly mean: number | null
  /** Whether the value comes from bins of 2 %, so it is accurate to 1 %. */
  readonly approximate: boolean
}

/**
 * The median of a sample, in seconds.
 * @param of the number of items that could have had a value.
 * @param openSeconds the durations so far of open items, which may become longer than all others.
 */
export function medianMetric(
  sample: Sample,
  of: number,
  why: Why,
  banded: BandedMetric | null,
  openSeconds: readonly number[] = [],
): MedianMetric {
  const approximate = sample.bins !== null
  if (sample.count === 0) return { ...none(why, 0, of, banded === null ? null : false), mean: null, approximate }
  const value = medianSeconds(sample)
  const mean = sample.sumMs / 1000 / sample.count
  const interval = medianBounds(sample)
  const counted = { value, mean, numerator: sample.count, denominator: of, why: null, interval, approximate }
  if (banded === null) return { ...counted, level: null, levelRange: null, sure: null }
  const level = levelOf(banded, value)
  const levelRange =
    interval === null ? null : ([levelOf(banded, interval.low), levelOf(banded, interval.high)] as const)
  // An open item lasts at least as long as it has lasted so far. If that alone changes the band, the value is not
  // certain.
  const open = openSeconds.map((seconds) => ({ count: 1, seconds }))
  const withOpen = open.length === 0 ? value : medianSeconds(withMore(sample, open))
  const isHeld = withOpen <= value || levelOf(banded, withOpen) === level
  return { ...counted, level, levelRange, sure: sureOf(level, levelRange) && isHeld }
}
