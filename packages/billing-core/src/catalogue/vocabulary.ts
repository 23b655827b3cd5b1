/**
 * The closed vocabularies of the catalogue: tiers in rank order, limit fields, quota types, and features in canonical
 * order. Ids of bundles and combos are open (`string`): the catalogue of a deployment decides which exist.
 */
export const tiers = ['developer', 'pro', 'team', 'enterprise', 'unlimited'] as const
export type Tier = (typeof tiers)[number]

/** The tiers with a price. `unlimited` is never sold. */
export const soldTiers = ['developer', 'pro', 'team', 'enterprise'] as const
export type SoldTier = (typeof soldTiers)[number]

/** What the quota service counts. */
export const quotaTypes = [
  'plugins',
  'pipelines',
  'apiCalls',
  'aiCalls',
  'storageBytes',
  'dashboards',
  'alertRules',
  'alertDestinations',
  'idpConfigs',
] as const
export type QuotaType = (typeof quotaTypes)[number]

/** Every field of the effective limits: the quota types, then seats and the two retentions in days. */
export const limitFields = [...quotaTypes, 'seats', 'eventRetentionDays', 'doraRetentionDays'] as const
export type LimitField = (typeof limitFields)[number]

/** −1 means unlimited. For a retention it means that nothing is ever deleted. */
export type Limits = Readonly<Record<LimitField, number>>
export const UNLIMITED = -1

export const features = [
  'priority_support',
  'ai_generation',
  'bulk_operations',
  'custom_integrations',
  'audit_log',
  'sso',
  'advanced_reporting',
  'team_usage_analytics',
  'compliance_standard',
  'compliance_advanced',
] as const
export type Feature = (typeof features)[number]

export type BundleId = string
export type ComboId = string

/** True for the name of a tier, exactly as it is in `tiers`. */
export function isTier(value: unknown): value is Tier {
  return (tiers as readonly unknown[]).includes(value)
}

/** True for the name of a tier that is sold. */
export function isSoldTier(value: unknown): value is SoldTier {
  return (soldTiers as readonly unknown[]).includes(value)
}

/** The position of a tier in `tiers`, from 0. A higher tier has a higher rank. */
export function rankOf(tier: Tier): number {
  return tiers.indexOf(tier)
}
