/** The durations behind a median: each value, or, above 50,000 values, the number in each bin of 2 %. Pure. */
import { addFlat, addTo, type Bins, binOf, newBins, percentileOfBins, rankOfBins } from './bins.js'
import { medianRank } from './interval.js'
import { ascendingOf, medianOf } from './percentile.js'

/** Above this number of values, percentiles come from bins. */
export const EXACT_MAX = 50_000

/** A partial result: all values, or alternating bin and count. */
export interface SamplePart {
  readonly count: number
  readonly sumMs: number
  readonly values: readonly number[] | null
  readonly bins: readonly number[] | null
}

export interface Sample {
  readonly count: number
  readonly sumMs: number
  /** Ascending; null when there are bins. */
  readonly sorted: readonly number[] | null
  readonly bins: Bins | null
}

export const partOf = (values: readonly number[]): SamplePart => ({
  count: values.length,
  sumMs: values.reduce((sum, each) => sum + each, 0),
  values,
  bins: null,
})

/** @param isBinned whether bins suffice; parts that consist of bins require it. */
export function sampleOf(parts: readonly SamplePart[], isBinned: boolean): Sample {
  const count = parts.reduce((sum, each) => sum + each.count, 0)
  const sumMs = parts.reduce((sum, each) => sum + each.sumMs, 0)
  if (!isBinned) return { count, sumMs, sorted: ascendingOf(parts.map(({ values }) => values ?? [])), bins: null }
  const bins = newBins()
  for (const part of parts) {
    if (part.bins !== null) addFlat(bins, part.bins)
    for (const value of part.values ?? []) addTo(bins, binOf(value), 1)
  }
  return { count, sumMs, sorted: null, bins }
}

/** Exact for at most `EXACT_MAX` values. */
export const sampleOfValues = (values: readonly number[]): Sample =>
  sampleOf([partOf(values)], values.length > EXACT_MAX)

/** The median in seconds; the sample must not be empty. */
export const medianSeconds = ({ sorted, bins }: Sample): number =>
  (sorted === null ? percentileOfBins(bins as Bins, 0.5) : medianOf(sorted)) / 1000

/** The interval of the median, in seconds; null for fewer than 6 values. */
export function medianBounds({ sorted, bins, count }: Sample): { readonly low: number; readonly high: number } | null {
  const rank = medianRank(count)
  if (rank === null) return null
  const at = (place: number): number => (sorted === null ? rankOfBins(bins as Bins, place) : (sorted[place] as number))
  return { low: at(rank - 1) / 1000, high: at(count - rank) / 1000 }
}

/** The sample with additional values, each a number of times. */
export function withMore(
  sample: Sample,
  more: readonly { readonly count: number; readonly seconds: number }[],
): Sample {
  const given = more.filter(({ count }) => count > 0)
  if (given.length === 0) return sample
  const count = given.reduce((sum, each) => sum + each.count, sample.count)
  const sumMs = given.reduce((sum, each) => sum + each.count * each.seconds * 1000, sample.sumMs)
  if (sample.bins !== null) {
    const bins = sample.bins.slice()
    for (const each of given) addTo(bins, binOf(Math.round(each.seconds * 1000)), each.count)
    return { count, sumMs, sorted: null, bins }
  }
  return { count, sumMs, sorted: merged(sample.sorted ?? [], given), bins: null }
}

/** Ascending like the values. A what-if asks for dozens of these, so the values are not sorted again. */
function merged(
  sorted: readonly number[],
  more: readonly { readonly count: number; readonly seconds: number }[],
): number[] {
  const list: number[] = []
  let at = 0
  for (const { count, seconds } of [...more].sort((a, b) => a.seconds - b.seconds)) {
    const value = seconds * 1000
    while (at < sorted.length && (sorted[at] as number) <= value) list.push(sorted[at++] as number)
    for (let n = 0; n < count; n++) list.push(value)
  }
  while (at < sorted.length) list.push(sorted[at++] as number)
  return list
}
