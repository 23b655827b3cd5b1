/**
 * 429 `QUOTA_EXCEEDED`: which quota is used up, until when, and what the caller can do. Source: spec platform 2, 12.3.
 */
import type { QuotaType } from '@plumbline/billing-core'
import { toIso } from '../../runtime/clock.js'
import { Refusal } from '../../runtime/errors.js'
import { KINDS } from './kinds.js'

export interface QuotaState {
  readonly type: QuotaType
  /** −1 is unlimited. */
  readonly limit: number
  readonly used: number
  /** When the next period of a metered type starts; null for capacity. */
  readonly resetAtMs: number | null
}

export const remainingOf = ({ limit, used }: Pick<QuotaState, 'limit' | 'used'>): number =>
  limit < 0 ? -1 : Math.max(0, limit - used)

export const isoOrNull = (ms: number | null): string | null => (ms === null ? null : toIso(ms))

/** The headers that report the quota that a request used. */
export function quotaHeaders(state: QuotaState): Record<string, string> {
  const { limit, used, resetAtMs } = state
  return {
    'x-quota-limit': String(limit),
    'x-quota-used': String(used),
    'x-quota-remaining': String(remainingOf(state)),
    ...(resetAtMs === null ? {} : { 'x-quota-reset': toIso(resetAtMs) }),
  }
}

/**
 * @param whose `account`, or `team` when the team's own limit is exceeded.
 * @param wanted how many records the request would add, when it is more than one.
 */
export function quotaExceeded(state: QuotaState, whose: 'account' | 'team', nowMs: number, wanted = 1): Refusal {
  const { type, limit, used, resetAtMs } = state
  const quota = { type, limit, used, remaining: remainingOf(state), resetAt: isoOrNull(resetAtMs) }
  const who = whose === 'team' ? 'the team' : 'the account'
  const ways =
    KINDS[type] === 'capacity'
      ? 'delete records, or upgrade the plan'
      : `the period ends at ${quota.resetAt}; until then, upgrade the plan`
  const more = wanted > 1 ? ` and would need ${wanted} more` : ''
  return new Refusal('QUOTA_EXCEEDED', `${who} has used ${used} of ${limit} ${type}${more}: ${ways}`, {
    details: { quota },
    headers: {
      ...quotaHeaders(state),
      ...(resetAtMs === null ? {} : { 'retry-after': String(Math.max(1, Math.ceil((resetAtMs - nowMs) / 1000))) }),
    },
  })
}
