/**
 * What would change a band: the least change that brings the next better one, and the least that brings a worse one; or the
 * outcome of a given change. Pure.
 *
 * INVARIANT: applied, the change up gives the level that it promises, and one less does not.
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
import { ascending, medianOf } from '../metric/percentile.js'

/** What the metrics of one environment rest on. */
export interface Basis {
  readonly days: number
  readonly succeeded: number
  readonly failures: number
  readonly attempts: number
  readonly leadSeconds: readonly number[]
  readonly restoreSeconds: readonly number[]
}

/** What is added to the window. */
export interface Change {
  readonly cleanDeployments?: number
  readonly failedDeployments?: number
  /** Deployments whose commit is so old when they end. */
  readonly leadTimes?: { readonly count: number; readonly seconds: number }
  /** Incidents that last so long. */
  readonly restores?: { readonly count: number; readonly seconds: number }
}

const added = (values: readonly number[], more: Change['leadTimes']): readonly number[] =>
  more === undefined ? values : [...values, ...Array.from({ length: more.count }, () => more.seconds)]

export const applied = (basis: Basis, change: Change): Basis => {
  const { cleanDeployments: clean = 0, failedDeployments: failed = 0 } = change
  return {
    days: basis.days,
    succeeded: basis.succeeded + clean,
    failures: basis.failures + failed,
    attempts: basis.attempts + clean + failed,
    leadSeconds: added(basis.leadSeconds, change.leadTimes),
    restoreSeconds: added(basis.restoreSeconds, change.restores),
  }
}

export interface Outcome {
  readonly value: number | null
  readonly level: Level | null
}

export function outcomeOf(metric: BandedMetric, basis: Basis): Outcome {
  const { days, succeeded, failures, attempts, leadSeconds, restoreSeconds } = basis
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
  const seconds = metric === 'leadTime' ? leadSeconds : restoreSeconds
  if (seconds.length === 0) return { value: null, level: null }
  const value = medianOf(ascending(seconds))
  return { value, level: levelOf(metric, value) }
}

export interface Step {
  readonly change: Change
  readonly level: Level
  /** In words: `2 more clean deployments: high`. */
  readonly says: string
}

export interface WhatIf extends Outcome {
  /** Null in the best band, and where nothing is counted yet that could be better. */
  readonly up: Step | null
  /** Null in the worst band. */
  readonly down: Step | null
}

export function whatIf(metric: BandedMetric, basis: Basis): WhatIf {
  const now = outcomeOf(metric, basis)
  return { ...now, up: stepOf(metric, basis, now, true), down: stepOf(metric, basis, now, false) }
}

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

/** The smallest number from 1 on that does; what does stays so as the number grows. */
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

/** Half of the limit of the next better band, or the limit of the present one: long enough to fall out of it. */
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
