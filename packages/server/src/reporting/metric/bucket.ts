/** Days, ISO weeks (starting on Monday) and months, in UTC. */
import { DAY_MS } from '../../runtime/clock.js'

export const INTERVALS = ['day', 'week', 'month'] as const
export type IntervalName = (typeof INTERVALS)[number]

export interface Bucket {
  /** The day on which it starts: `2026-11-16`. */
  readonly period: string
  readonly fromMs: number
  readonly toMs: number
  /** The window starts or ends inside the bucket. */
  readonly partial: boolean
}

export const dayStart = (ms: number): number => Math.floor(ms / DAY_MS) * DAY_MS

export function bucketStart(ms: number, interval: IntervalName): number {
  const day = dayStart(ms)
  if (interval === 'day') return day
  // 1970-01-01 was a Thursday, so the Monday before it is day −3.
  // guard: weeks-begin-on-monday
  if (interval === 'week') return day - ((((day / DAY_MS + 3) % 7) + 7) % 7) * DAY_MS
  const date = new Date(day)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

export function nextStart(start: number, interval: IntervalName): number {
  if (interval === 'day') return start + DAY_MS
  if (interval === 'week') return start + 7 * DAY_MS
  const date = new Date(start)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1)
}

export const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The buckets of the window in order, including empty ones. */
export function bucketsOf(fromMs: number, toMs: number, interval: IntervalName): Bucket[] {
  const buckets: Bucket[] = []
  for (let start = bucketStart(fromMs, interval); start < toMs; start = nextStart(start, interval)) {
    const end = nextStart(start, interval)
    buckets.push({
      period: dayOf(start),
      fromMs: Math.max(start, fromMs),
      toMs: Math.min(end, toMs),
      partial: start < fromMs || end > toMs,
    })
  }
  return buckets
}

/** The items in each bucket of the window, by instant; items outside the window are dropped. */
export function byBucket<T>(
  buckets: readonly Bucket[],
  interval: IntervalName,
  items: readonly T[],
  instantOf: (item: T) => number,
): T[][] {
  const places = new Map(buckets.map(({ fromMs }, at) => [bucketStart(fromMs, interval), at]))
  const filled: T[][] = buckets.map(() => [])
  for (const item of items) {
    const ms = instantOf(item)
    const at = places.get(bucketStart(ms, interval))
    if (at === undefined) continue
    const { fromMs, toMs } = buckets[at] as Bucket
    if (ms >= fromMs && ms < toMs) filled[at]?.push(item)
  }
  return filled
}
