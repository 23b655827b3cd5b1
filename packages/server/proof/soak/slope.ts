/** How fast memory grows, seen through the ups and downs between collections. */

export interface Sample {
  /** Since the first one counted. */
  readonly atMs: number
  /** Resident memory, in MiB. */
  readonly rss: number
  /** Heap in use, in MiB. */
  readonly heap: number
}

/** Samples that are put together: one collection of everything falls into each minute. */
const WINDOW_MS = 60_000

/** By minute, the least value in it. */
export function floorsOf(samples: readonly Sample[], key: 'rss' | 'heap'): [minute: number, floor: number][] {
  const floors = new Map<number, number>()
  for (const sample of samples) {
    const minute = Math.floor(sample.atMs / WINDOW_MS)
    floors.set(minute, Math.min(floors.get(minute) ?? Number.POSITIVE_INFINITY, sample[key]))
  }
  return [...floors]
}

/** The slope of the line closest to the least values of each minute, in MiB a minute. */
export function slopePerMinute(samples: readonly Sample[], key: 'rss' | 'heap'): number {
  const points = floorsOf(samples, key)
  if (points.length < 2) return 0
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [x, y] = [mean(points.map(([minute]) => minute)), mean(points.map(([, floor]) => floor))]
  const over = points.reduce((sum, [minute, floor]) => sum + (minute - x) * (floor - y), 0)
  return over / points.reduce((sum, [minute]) => sum + (minute - x) ** 2, 0)
}
