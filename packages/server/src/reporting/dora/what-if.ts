/**
 * Which change would move a metric to another band: the smallest change that reaches the next better band, and the
 * smallest that reaches a worse one; or the outcome of a given change. Pure.
 *
 * INVARIANT: the change for the better band reaches the promised level, and one less does not.
 */
import {
  BANDS,
  type BandedMetric,
  failureLevel,
  frequencyLevel,
  isBetter,
  LEVELS,
  type Level,
  levelOf,
} from '../metric/band.js'
import { medianSeconds, type Sample, withMore } from '../metric/sample.js'

/** The numbers behind the metrics of one environment. */
export interface Basis {
  readonly days: number
  readonly succeeded: number
  readonly failures: number
  readonly attempts: number
  readonly leads: Sample
  readonly restores: Sample
}

/** What a change adds to the window. */
export interface Change {
  readonly cleanDeployments?: number
  readonly failedDeployments?: number
  /** Deployments whose commit has this age when they end. */
  readonly leadTimes?: { readonly count: number; readonly seconds: number }
  /** Incidents that last this long. */
  readonly restores?: { readonly count: number; readonly seconds: number }
}

const added = (sample: Sample, more: Change['leadTimes']): Sample =>
  more === undefined ? sample : withMore(sample, [more])

export const applied = (basis: Basis, change: Change): Basis => {
  const { cleanDeployments: clean = 0, failedDeployments: failed = 0 } = change
  return {
    days: basis.days,
    succeeded: basis.succeeded + clean,
    failures: basis.failures + failed,
    attempts: basis.attempts + clean + failed,
    leads: added(basis.leads, change.leadTimes),
    restores: added(basis.restores, change.restores),
  }
}

export interface Outcome {
  readonly value: number | null
  readonly level: Level | null
}

export function outcomeOf(metric: BandedMetric, basis: Basis): Outcome {
  const { days, succeeded, failures, attempts, leads, restores } = basis
  if (metric === 'deploymentFrequency') {
    return succeeded === 0
      ? { value: null, level: null }
      : { value: succeeded / days, level: frequencyLevel(succeeded, days) }
  }
  if (metric === 'changeFailureRate') {
    return attempts === 0
      ? { value: null, level: null }
      : { value: (100 * failures) / attempts, level: failureLevel(failures, attempts) }
  }
  const sample = metric === 'leadTime' ? leads : restores
  if (sample.count === 0) return { value: null, level: null }
  const value = medianSeconds(sample)
  return { value, level: levelOf(metric, value) }
}

export interface Step {
  readonly change: Change
  readonly level: Level
  /** In words: `2 more clean deployments: high`. */
  readonly says: string
}

export interface WhatIf extends Outcome {
  /** Null in the best band, and when no count can improve it. */
  readonly up: Step | null
  /** Null in the worst band. */
  readonly down: Step | null
}

export function whatIf(metric: BandedMetric, basis: Basis): WhatIf {
  const now = outcomeOf(metric, basis)
  return { ...now, up: stepOf(metric, basis, now, true), down: stepOf(metric, basis, now, false) }
}

/** The smallest change that gives a better band. */
export const stepUp = (metric: BandedMetric, basis: Basis): Step | null =>
  stepOf(metric, basis, outcomeOf(metric, basis), true)

function stepOf(metric: BandedMetric, basis: Basis, now: Outcome, isUp: boolean): Step | null {
  const { level } = now
  if (level === null && !isUp) return null
  if (level === (isUp ? LEVELS[0] : LEVELS[3])) return null
  const make = changeOf(metric, level, isUp)
  if (make === null) return null
  const reaches = (count: number): boolean => {
    const after = outcomeOf(metric, applied(basis, make(count))).level
    if (after === null) return false
    return level === null || (isUp ? isBetter(after, level) : isBetter(level, after))
  }
  const count = least(reaches)
  if (count === null) return null
  const change = make(count)
  const after = outcomeOf(metric, applied(basis, change)).level as Level
  return { change, level: after, says: `${wordsOf(metric, count, change)}: ${after}` }
}

/** The smallest positive number that satisfies the predicate, which must stay true for larger numbers. */
function least(does: (count: number) => boolean): number | null {
  let high = 1
  while (!does(high)) {
    high *= 2
    if (high > COUNT_MAX) return null
  }
  let low = Math.floor(high / 2)
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if (does(middle)) high = middle
    else low = middle
  }
  return high
}

const COUNT_MAX = 1 << 20

function changeOf(metric: BandedMetric, level: Level | null, isUp: boolean): ((count: number) => Change) | null {
  if (metric === 'deploymentFrequency') return isUp ? (count) => ({ cleanDeployments: count }) : null
  if (metric === 'changeFailureRate')
    return (count) => (isUp ? { cleanDeployments: count } : { failedDeployments: count })
  const seconds = secondsFor(metric, level, isUp)
  return metric === 'leadTime'
    ? (count) => ({ leadTimes: { count, seconds } })
    : (count) => ({ restores: { count, seconds } })
}

/** Half the limit of the next better band; or, for a worse band, twice the limit of the current one. */
function secondsFor(metric: BandedMetric, level: Level | null, isUp: boolean): number {
  const { limits } = BANDS[metric]
  const at = level === null ? 3 : LEVELS.indexOf(level)
  return isUp ? (limits[at - 1] as number) / 2 : 2 * (limits[at] as number)
}

const plural = (count: number, word: string): string => `${count} more ${word}${count === 1 ? '' : 's'}`

function wordsOf(metric: BandedMetric, count: number, { failedDeployments, leadTimes, restores }: Change): string {
  if (failedDeployments !== undefined) return plural(count, 'failed deployment')
  if (leadTimes !== undefined) return `${plural(count, 'deployment')} ${hours(leadTimes.seconds)} after the commit`
  if (restores !== undefined) return `${plural(count, 'incident')} restored after ${hours(restores.seconds)}`
  return plural(count, metric === 'deploymentFrequency' ? 'deployment' : 'clean deployment')
}

const hours = (seconds: number): string => `${Math.round((seconds / 3600) * 10) / 10} h`
