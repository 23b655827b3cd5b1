/**
 * The closed vocabularies of the catalogue: tiers in rank order, limit fields, quota types, features in canonical
 * order. Bundle and combo ids are open (`string`): a deployment's catalogue decides which exist.
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

/** Every field of effective limits: the quota types, then seats and the two retentions. */
export const limitFields = [...quotaTypes, 'seats', 'eventRetentionDays', 'doraRetentionDays'] as const
export type LimitField = (typeof limitFields)[number]

/** −1 means unlimited (for a retention: never swept). */
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

/** True for the text of a tier, exactly as it is written in `tiers`. */
export function isTier(value: unknown): value is Tier {
  return (tiers as readonly unknown[]).includes(value)
}

/** True for the text of a tier that has a plan and a price. */
export function isSoldTier(value: unknown): value is SoldTier {
  return (soldTiers as readonly unknown[]).includes(value)
}

/** The place of a tier in `tiers`, from 0: a higher one has more. */
export function rankOf(tier: Tier): number {
  return tiers.indexOf(tier)
}
