/**
 * Percentiles by linear interpolation between ranks, like `percentile_cont` of SQL, so that every database gives the
 * same.
 */

/** @param sorted ascending, not empty. @param fraction 0 to 1. */
export function percentileOf(sorted: readonly number[], fraction: number): number {
  const place = (sorted.length - 1) * fraction
  const below = Math.floor(place)
  const low = sorted[below] as number
  const high = sorted[Math.min(below + 1, sorted.length - 1)] as number
  // guard: percentiles-are-interpolated
  return low + (high - low) * (place - below)
}

/** A typed array sorts numbers, and copying it back by hand takes a fraction of what its iterator takes. */
export const ascending = (values: readonly number[]): number[] => ascendingOf([values])

/** All values of the lists. They are not joined to a list first, which would take longer than sorting them. */
export function ascendingOf(lists: readonly (readonly number[])[]): number[] {
  if (lists.every(({ length }) => length === 0)) return []
  const sorted = new Float64Array(lists.reduce((sum, { length }) => sum + length, 0))
  let filled = 0
  for (const list of lists) {
    sorted.set(list, filled)
    filled += list.length
  }
  sorted.sort()
  const list: number[] = []
  for (let at = 0; at < sorted.length; at++) list.push(sorted[at] as number)
  return list
}

export const medianOf = (sorted: readonly number[]): number => percentileOf(sorted, 0.5)

/** Rounds half up, only for display: bands compare exact values. */
export function rounded(value: number, places: number): number {
  const factor = 10 ** places
  return Math.floor(value * factor + 0.5 + 1e-9) / factor
}
