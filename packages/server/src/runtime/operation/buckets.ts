/**
 * How many requests of each kind are allowed in a window. An operation names its own bucket; in addition every request
 * counts in `anonymous` or `authenticated`. Source: spec platform 20.
 */

import type { BucketKey, DeclaredBucket } from '../declare.js'
import { declared } from '../declared.js'
import type { Settings } from '../settings/load.js'

/** A bucket with the limits of this process. */
export interface Bucket extends DeclaredBucket {
  readonly max: number
  readonly windowMs: number
}

const BUCKETS = declared('buckets')

export type BucketName = keyof typeof BUCKETS
export const BUCKET_NAMES = Object.keys(BUCKETS) as BucketName[]

export const bucketKey = (name: BucketName): BucketKey => BUCKETS[name].per

export function bucketsOf(settings: Settings): ReadonlyMap<BucketName, Bucket> {
  const figure = (value: number | string) => (typeof value === 'number' ? value : Number(settings[value as never]))
  return new Map(
    BUCKET_NAMES.map((name) => {
      const bucket: DeclaredBucket = BUCKETS[name]
      return [name, { ...bucket, max: figure(bucket.max), windowMs: figure(bucket.windowMs) }]
    }),
  )
}

/** Maps tiers to factors of `authenticated`. An unknown tier counts as the smallest. */
export const tierFactors = (settings: Settings): Readonly<Record<string, number>> => ({
  developer: settings.LIMITER_MULT_DEVELOPER,
  pro: settings.LIMITER_MULT_PRO,
  team: settings.LIMITER_MULT_TEAM,
  enterprise: settings.LIMITER_MULT_ENTERPRISE,
  unlimited: settings.LIMITER_MULT_UNLIMITED,
})

/** The state of a bucket after a request was counted, or refused. */
export interface Taken {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Milliseconds until the oldest counted request leaves the window. */
  readonly resetMs: number
}

export interface Limiter {
  /**
   * Counts one request. A refused request is not counted; otherwise a client that keeps retrying would stay refused.
   * Null for a bucket that is off.
   */
  take(bucket: BucketName, key: string, tier?: string): Taken | null | Promise<Taken | null>
}
