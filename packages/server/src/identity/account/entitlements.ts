/**
 * The features and seats that an account's tier gives. A team refers to the entitlements of its root; it has no copy.
 * While billing is off, tier limits are not enforced. Source: spec platform 3.12, 12.2, 14.
 */
import { effectiveLimits, isTier, type Tier } from '@plumbline/billing-core'
import { FEATURES, type Feature } from '../../runtime/operation/access.js'
import type { Settings } from '../../runtime/settings/load.js'

/** The settings that entitlements depend on. */
export type EntitlementSettings = Pick<Settings, 'BILLING_ENABLED' | 'DEFAULT_QUOTA_TIER' | 'tiers'>

/** The columns of the root's row that entitlements depend on. */
export interface AccountRow {
  readonly isSystem: boolean
  readonly tier: string
  readonly seatLimit: number | null
  readonly addonFeatures: readonly string[]
}

/** The tier that is enforced. It differs from the stored tier while billing is off. */
export function enforcedTier(root: Pick<AccountRow, 'isSystem' | 'tier'>, settings: EntitlementSettings): Tier {
  if (!settings.BILLING_ENABLED) return 'unlimited'
  if (root.isSystem) return 'enterprise'
  // A tier that this build does not know gets the least, not the most.
  return isTier(root.tier) ? root.tier : 'developer'
}

export function featuresOf(root: AccountRow, settings: EntitlementSettings): ReadonlySet<Feature> {
  if (root.isSystem) return new Set(FEATURES)
  const { features } = effectiveLimits(settings.tiers, enforcedTier(root, settings), [])
  const extra = root.addonFeatures.filter((name): name is Feature => (FEATURES as readonly string[]).includes(name))
  return new Set([...features, ...extra])
}

/** Seats of the account: the number that billing set, else the tier's number. −1 means unlimited. */
export function seatsAllowed(root: AccountRow, settings: EntitlementSettings): number {
  const tier = enforcedTier(root, settings)
  if (tier === 'unlimited') return -1
  return root.seatLimit ?? settings.tiers.tiers[tier].limits.seats
}

/** The tier of a new root organization. The caller cannot choose it (spec platform 14). */
export const startingTier = (settings: EntitlementSettings): Tier =>
  settings.BILLING_ENABLED ? settings.DEFAULT_QUOTA_TIER : 'unlimited'

/** The tiers whose accounts may have teams. */
export const TEAM_TIERS: readonly Tier[] = ['team', 'enterprise', 'unlimited']

export const mayHaveTeams = (root: AccountRow, settings: EntitlementSettings): boolean =>
  TEAM_TIERS.includes(enforcedTier(root, settings))
