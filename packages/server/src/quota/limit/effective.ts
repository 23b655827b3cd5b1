/**
 * The effective limit: the one set by hand, else the tier's baseline plus the grants of add-ons. Source: spec platform
 * 12.3.
 */
import type { QuotaType, Tier } from '@plumbline/billing-core'
import { enforcedTier } from '../../identity/index.js'
import type { Settings } from '../../runtime/settings/load.js'

export const UNLIMITED = -1

/** Tier of the account's root. */
export interface AccountTier {
  readonly tier: string
  readonly isSystem: boolean
}

/** Limits set for the account and a type, apart from its tier. */
export interface SetLimit {
  /** Set by hand; null when there is none. */
  readonly override: number | null
  /** Granted by add-ons. */
  readonly granted: number
}

export interface EffectiveLimit {
  /** −1 is unlimited. */
  readonly limit: number
  readonly baseline: number
  readonly addons: number
  readonly override: number | null
}

/** The tier whose limits apply. The system organization is unlimited. */
export const limitedTier = (account: AccountTier, settings: Settings): Tier =>
  account.isSystem ? 'unlimited' : enforcedTier(account, settings)

export function effectiveLimit(settings: Settings, tier: Tier, type: QuotaType, set: SetLimit): EffectiveLimit {
  const baseline = settings.tiers.tiers[tier].limits[type]
  const withAddons = baseline === UNLIMITED ? UNLIMITED : Math.min(baseline + set.granted, Number.MAX_SAFE_INTEGER)
  return { limit: set.override ?? withAddons, baseline, addons: set.granted, override: set.override }
}
