/**
 * Tallies of windows that overlap, such as the 30 days before each of twelve weeks. Each value is sorted once, not once
 * for each window. Pure.
 *
 * INVARIANT: the counts and the median equal those of the tally of each window.
 */
import { DAY_MS } from '../../runtime/clock.js'
import { dayStart } from '../metric/bucket.js'
import { EXACT_MAX, type Sample, sampleOf } from '../metric/sample.js'
import { type Deployment, isWithin, type Window } from '../model.js'
import type { DeploymentSums } from '../rollup/deployment-sums.js'
import type { Tally } from './compute.js'

/** The lead times are only those in the middle, or bins: enough for the median and for nothing else. */
export type RollingTally = Pick<Tally, 'succeeded' | 'failed' | 'flagged' | 'leads'>

/**
 * @param sums of one environment.
 * @param flagged deployments to it that turned out to be failures.
 * @param windows of whole days.
 */
export function rollingTallies(
  sums: readonly Pick<DeploymentSums, 'dayMs' | 'succeeded' | 'failed' | 'leads'>[],
  flagged: readonly Deployment[],
  windows: readonly Window[],
): RollingTally[] {
  const middleOf = middles(sums)
  return windows.map((window) => {
    const fromMs = dayStart(window.fromMs)
    const own = sums.filter(({ dayMs }) => dayMs >= fromMs && dayMs < window.toMs)
    let [succeeded, failed] = [0, 0]
    for (const each of own) {
      succeeded += each.succeeded
      failed += each.failed
    }
    return {
      succeeded,
      failed,
      flagged: flagged.filter(({ completedAtMs }) => isWithin(completedAtMs as number, window)).length,
      leads: middleOf(own, { fromMs, toMs: window.toMs }),
    }
  })
}

type Led = Pick<DeploymentSums, 'dayMs' | 'leads'>

function middles(sums: readonly Led[]): (own: readonly Led[], days: Window) => Sample {
  const isBinned = sums.some(({ leads }) => leads.count > 0 && leads.bins !== null)
  const total = sums.reduce((sum, { leads }) => sum + leads.count, 0)
  if (isBinned || total > EXACT_MAX) return (own) => sampleInFull(own.map(({ leads }) => leads))
  const { values, days, firstDay } = sortedByValue(sums, total)
  return (own, { fromMs, toMs }) => {
    const count = own.reduce((sum, { leads }) => sum + leads.count, 0)
    const [from, to] = [fromMs / DAY_MS - firstDay, Math.ceil(toMs / DAY_MS) - firstDay]
    const [low, high] = [(count - 1) >> 1, count >> 1]
    const sorted: number[] = []
    for (let at = 0, rank = 0; at < values.length && rank <= high && count > 0; at++) {
      const day = days[at] as number
      if (day < from || day >= to) continue
      if (rank === low || rank === high) sorted.push(values[at] as number)
      rank++
    }
    return { count: sorted.length, sumMs: 0, sorted, bins: null }
  }
}

const sampleInFull = (parts: readonly DeploymentSums['leads'][]): Sample => {
  const isMany = parts.reduce((sum, { count }) => sum + count, 0) > EXACT_MAX
  return sampleOf(parts, isMany || parts.some(({ count, bins }) => count > 0 && bins !== null))
}

/** All values in ascending order, each with its day. A typed array sorts numbers alone, so a number holds both. */
function sortedByValue(sums: readonly Led[], total: number) {
  const numbers = sums.map(({ dayMs }) => dayMs / DAY_MS)
  const firstDay = numbers.reduce((least, day) => Math.min(least, day), Number.POSITIVE_INFINITY)
  const span = numbers.reduce((most, day) => Math.max(most, day), firstDay) - firstDay + 1
  const both = new Float64Array(total)
  let filled = 0
  for (const [at, { leads }] of sums.entries()) {
    const day = (numbers[at] as number) - firstDay
    for (const value of leads.values ?? []) both[filled++] = value * span + day
  }
  both.sort()
  const values = new Float64Array(total)
  const days = new Int32Array(total)
  for (let at = 0; at < total; at++) {
    const value = Math.floor((both[at] as number) / span)
    values[at] = value
    days[at] = (both[at] as number) - value * span
  }
  return { values, days, firstDay }
}
