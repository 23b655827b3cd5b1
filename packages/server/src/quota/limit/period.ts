/**
 * Periods of metered types: a calendar month in UTC, or a number of days counted from 1970, so that all processes
 * compute the same periods without coordination. Source: spec platform 12.3.
 */
import type { Tier } from '@plumbline/billing-core'
import { DAY_MS } from '../../runtime/clock.js'
import type { QuotaPeriod } from '../../runtime/setting/types.js'
import type { Settings } from '../../runtime/settings/load.js'

export interface Period {
  readonly startMs: number
  /** The first instant of the next period. */
  readonly endMs: number
}

export function periodAt(length: QuotaPeriod, nowMs: number): Period {
  if (length === 'monthly') {
    const at = new Date(nowMs)
    const [year, month] = [at.getUTCFullYear(), at.getUTCMonth()]
    return { startMs: Date.UTC(year, month), endMs: Date.UTC(year, month + 1) }
  }
  const lengthMs = length * DAY_MS
  const startMs = Math.floor(nowMs / lengthMs) * lengthMs
  return { startMs, endMs: startMs + lengthMs }
}

/** How long the periods of a tier are. */
export const periodLength = (settings: Settings, tier: Tier): QuotaPeriod =>
  ({
    developer: settings.QUOTA_TIER_DEVELOPER_RESET_PERIOD,
    pro: settings.QUOTA_TIER_PRO_RESET_PERIOD,
    team: settings.QUOTA_TIER_TEAM_RESET_PERIOD,
    enterprise: settings.QUOTA_TIER_ENTERPRISE_RESET_PERIOD,
    unlimited: null,
  })[tier] ?? settings.QUOTA_PERIOD

export const periodOf = (settings: Settings, tier: Tier, nowMs: number): Period =>
  periodAt(periodLength(settings, tier), nowMs)
