/**
 * Counts requests in a sliding window of sixty slots. A slot counts until its last instant has left the window, so that
 * no window of the given length ever has more than `max` requests. A request is forgotten at most a sixtieth of the
 * window too late. Source: spec platform 20.
 */
import { LRUCache } from 'lru-cache'
import type { Clock } from '../clock.js'
import type { Bucket, BucketName, Limiter, Taken } from '../operation/buckets.js'

const SLOTS = 60

export interface CountRequest {
  readonly key: string
  readonly max: number
  readonly windowMs: number
  readonly slotMs: number
  readonly nowMs: number
}

export interface Counted {
  readonly allowed: boolean
  /** The number of requests in the window, including this one when it was allowed. */
  readonly used: number
  /** The number of the oldest slot that counts. */
  readonly oldestSlot: number
}

/** Where the counts are kept. */
export interface RateStore {
  count(request: CountRequest): Counted | Promise<Counted>
}

export interface LimiterOptions {
  readonly clock: Clock
  readonly store: RateStore
  /** A bucket that is absent, or whose `max` is 0, is off. */
  readonly buckets: ReadonlyMap<BucketName, Bucket>
  readonly tierFactors: Readonly<Record<string, number>>
}

export function createLimiter({ clock, store, buckets, tierFactors }: LimiterOptions): Limiter {
  const sizes = new Map(
    [...buckets].map(([name, bucket]) => [name, { ...bucket, slotMs: Math.ceil(bucket.windowMs / SLOTS) }] as const),
  )
  const smallestFactor = Math.min(...Object.values(tierFactors))
  return {
    take(name, key, tier) {
      const bucket = sizes.get(name)
      if (bucket === undefined || bucket.max === 0) return null
      const { windowMs, slotMs } = bucket
      const factor = bucket.byTier ? (tierFactors[tier ?? ''] ?? smallestFactor) : 1
      const limit = bucket.max * factor
      if (limit === 0) return null
      const nowMs = clock.now()
      const taken = ({ allowed, used, oldestSlot }: Counted): Taken => ({
        allowed,
        limit,
        remaining: Math.max(0, limit - used),
        resetMs: Math.max(0, (oldestSlot + 1) * slotMs + windowMs - nowMs),
      })
      const counted = store.count({ key: `${name}:${key}`, max: limit, windowMs, slotMs, nowMs })
      return counted instanceof Promise ? counted.then(taken) : taken(counted)
    },
  }
}

interface Window {
  /** Numbers of the slots that have requests, ascending, and the number of requests in each. */
  readonly slots: number[]
  readonly counts: number[]
  used: number
}

/** The most keys that one process remembers. The keys that were unused for longest are forgotten first. */
const KEYS_MAX = 50_000

/** A store that counts in this process only. */
export function memoryRateStore(): RateStore {
  const windows = new LRUCache<string, Window>({ max: KEYS_MAX })
  return {
    count({ key, max, windowMs, slotMs, nowMs }) {
      let window = windows.get(key)
      if (window === undefined) {
        window = { slots: [], counts: [], used: 0 }
        windows.set(key, window)
      }
      const { slots, counts } = window
      while (slots.length > 0 && ((slots[0] as number) + 1) * slotMs + windowMs <= nowMs) {
        slots.shift()
        window.used -= counts.shift() as number
      }
      const slot = Math.floor(nowMs / slotMs)
      const last = slots.length - 1
      // guard: the-limit-of-a-bucket
      if (window.used >= max) return { allowed: false, used: window.used, oldestSlot: slots[0] ?? slot }
      // When the clock steps back, the request counts in the newest slot.
      if (last >= 0 && slot <= (slots[last] as number)) counts[last] = (counts[last] as number) + 1
      else {
        slots.push(slot)
        counts.push(1)
      }
      window.used += 1
      return { allowed: true, used: window.used, oldestSlot: slots[0] ?? slot }
    },
  }
}
