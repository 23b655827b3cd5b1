/**
 * How many requests of what kind may be made in a window, as data. An operation names its own bucket; every request
 * counts in `anonymous` or `authenticated` besides. Source: platform decisions 20; rulings, Tenancy.
 */

/** What a bucket is counted by. */
export type BucketKey = 'ip' | 'user' | 'org' | 'user+org' | 'credential' | 'session'

export interface Bucket {
  readonly per: BucketKey
  /** Requests in any window of this length; 0 switches the bucket off. */
  readonly max: number
  readonly windowMs: number
  /** Multiplied by the factor of the organization's tier. */
  readonly byTier?: boolean
}

export const BUCKETS = {
  anonymous: { per: 'ip', max: 100, windowMs: 900_000 },
  authenticated: { per: 'user+org', max: 100, windowMs: 900_000, byTier: true },
  auth: { per: 'ip', max: 20, windowMs: 900_000 },
  /** Counted by the operation itself, which alone knows the session of a refresh token. */
  refresh: { per: 'session', max: 20, windowMs: 900_000 },
  'step-up': { per: 'user', max: 5, windowMs: 60_000 },
  'message-send': { per: 'org', max: 60, windowMs: 60_000 },
  'message-attachment': { per: 'org', max: 30, windowMs: 60_000 },
  'plugin-upload': { per: 'org', max: 30, windowMs: 3_600_000 },
  ai: { per: 'user', max: 20, windowMs: 60_000 },
  invitations: { per: 'org', max: 50, windowMs: 86_400_000 },
  ingest: { per: 'credential', max: 600, windowMs: 60_000 },
  export: { per: 'org', max: 2, windowMs: 3_600_000 },
  /** Evidence is verified from its export, and again by whoever doubts it. */
  'audit-export': { per: 'org', max: 20, windowMs: 3_600_000 },
} as const satisfies Record<string, Bucket>

export type BucketName = keyof typeof BUCKETS

/** Tier names to factors of `authenticated`; an unknown tier counts as the smallest. */
export const TIER_FACTORS: Readonly<Record<string, number>> = {
  developer: 10,
  pro: 25,
  team: 50,
  enterprise: 100,
  unlimited: 200,
}

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
   * Counts one request. A refused request is not counted, or a client that keeps trying would never come back in.
   * Null for a bucket that is off.
   */
  take(bucket: BucketName, key: string, tier?: string): Taken | null | Promise<Taken | null>
}
