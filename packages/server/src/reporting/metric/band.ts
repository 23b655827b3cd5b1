/** The bands of the metrics, compared with unrounded values. Source: spec platform 18. */
export const LEVELS = ['elite', 'high', 'medium', 'low'] as const
export type Level = (typeof LEVELS)[number]

export type BandedMetric = 'deploymentFrequency' | 'changeFailureRate' | 'leadTime' | 'meanTimeToRestore'

const HOUR = 3600
const DAY = 24 * HOUR

interface Band {
  /** Whether a larger value is better. */
  readonly isMoreBetter: boolean
  /** The worst value of elite, high and medium. */
  readonly limits: readonly [number, number, number]
  /** Whether a value at the limit belongs to the better band. */
  readonly isInclusive: boolean
}

/** Units: deployments per day; percent; seconds; seconds. */
export const BANDS: Readonly<Record<BandedMetric, Band>> = {
  deploymentFrequency: { isMoreBetter: true, limits: [1, 1 / 7, 1 / 30], isInclusive: true },
  changeFailureRate: { isMoreBetter: false, limits: [5, 10, 15], isInclusive: true },
  leadTime: { isMoreBetter: false, limits: [DAY, 7 * DAY, 30 * DAY], isInclusive: false },
  meanTimeToRestore: { isMoreBetter: false, limits: [HOUR, DAY, 7 * DAY], isInclusive: false },
}

export function levelOf(metric: BandedMetric, value: number): Level {
  const { isMoreBetter, limits, isInclusive } = BANDS[metric]
  const isWithin = (limit: number) => (value === limit ? isInclusive : isMoreBetter ? value > limit : value < limit)
  const at = limits.findIndex(isWithin)
  return LEVELS[at < 0 ? 3 : at] as Level
}

/**
 * The level of a count in a number of days, computed without a rounding division: at least one in seven days is high.
 */
export function frequencyLevel(count: number, days: number): Level {
  if (count >= days) return 'elite'
  if (count * 7 >= days) return 'high'
  return count * 30 >= days ? 'medium' : 'low'
}

/** The level of a number of failures among attempts, computed without a rounding division. */
export function failureLevel(failures: number, attempts: number): Level {
  if (failures * 100 <= 5 * attempts) return 'elite'
  if (failures * 100 <= 10 * attempts) return 'high'
  // guard: bands-compare-exact-values
  return failures * 100 <= 15 * attempts ? 'medium' : 'low'
}

export const isBetter = (one: Level, other: Level): boolean => LEVELS.indexOf(one) < LEVELS.indexOf(other)

/** The worst existing level; null if there is none. */
export const worstOf = (levels: readonly (Level | null)[]): Level | null =>
  levels.reduce((worst, each) => (each === null || (worst !== null && !isBetter(worst, each)) ? worst : each), null)
