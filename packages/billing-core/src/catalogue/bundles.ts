/** The fourteen add-on bundles. Source: the bundle table of the specification and its engine units. */
import { cents } from '../money/cents.js'
import type { Bundle } from './types.js'
import { type Feature, type LimitField, type SoldTier, soldTiers } from './vocabulary.js'

/** The highest quantity of any bundle. */
export const MAX_QUANTITY = 1_000

interface BundleRow {
  readonly id: string
  readonly name: string
  readonly grants?: Readonly<Partial<Record<LimitField, number>>>
  readonly features?: readonly Feature[]
  /** Cents per month. A year costs ten months. */
  readonly monthly: number
  readonly tiers: readonly SoldTier[]
  readonly stackable?: boolean
  readonly max?: number
  readonly requires?: readonly string[]
}

const rows: readonly BundleRow[] = [
  {
    id: 'seat_pack',
    name: 'Seat pack',
    grants: { seats: 5 },
    monthly: 2_500,
    tiers: ['team', 'enterprise'],
    stackable: true,
  },
  {
    id: 'pipeline_pack',
    name: 'Pipeline pack',
    grants: { pipelines: 10 },
    monthly: 1_500,
    tiers: soldTiers,
    stackable: true,
  },
  {
    id: 'plugin_pack',
    name: 'Plugin pack',
    grants: { plugins: 100 },
    monthly: 1_500,
    tiers: soldTiers,
    stackable: true,
  },
  {
    id: 'api_pack',
    name: 'API pack',
    grants: { apiCalls: 1_000_000 },
    monthly: 2_000,
    tiers: soldTiers,
    stackable: true,
  },
  { id: 'ai_pack', name: 'AI pack', grants: { aiCalls: 5_000 }, monthly: 7_500, tiers: soldTiers, stackable: true },
  {
    id: 'storage_pack',
    name: 'Storage pack',
    grants: { storageBytes: 50 * 1024 ** 3 },
    monthly: 2_500,
    tiers: soldTiers,
    stackable: true,
  },
  { id: 'audit_log', name: 'Audit log', features: ['audit_log'], monthly: 2_000, tiers: ['pro'] },
  {
    id: 'sso',
    name: 'Single sign-on',
    grants: { idpConfigs: 5 },
    features: ['sso'],
    monthly: 4_000,
    tiers: ['pro'],
  },
  {
    id: 'advanced_reporting',
    name: 'Advanced reporting',
    features: ['advanced_reporting'],
    monthly: 3_000,
    tiers: ['developer', 'pro', 'team'],
  },
  {
    id: 'team_usage_analytics',
    name: 'Team usage analytics',
    features: ['team_usage_analytics'],
    monthly: 3_000,
    tiers: ['pro', 'team'],
  },
  {
    id: 'retention_pack',
    name: 'Retention pack',
    grants: { eventRetentionDays: 90 },
    monthly: 1_500,
    tiers: soldTiers,
    stackable: true,
    max: 7,
  },
  {
    id: 'dora_history_pack',
    name: 'DORA history pack',
    grants: { doraRetentionDays: 365 },
    monthly: 3_000,
    tiers: soldTiers,
    stackable: true,
    max: 1,
  },
  {
    id: 'compliance_standard',
    name: 'Compliance standard',
    features: ['compliance_standard'],
    monthly: 2_990,
    tiers: ['developer', 'pro', 'team'],
  },
  {
    id: 'compliance_advanced',
    name: 'Compliance advanced',
    features: ['compliance_advanced'],
    monthly: 9_990,
    tiers: ['developer', 'pro', 'team'],
    requires: ['compliance_standard'],
  },
]

export const defaultBundles: readonly Bundle[] = rows.map((row, sortOrder) => ({
  id: row.id,
  name: row.name,
  grants: row.grants ?? {},
  features: row.features ?? [],
  prices: { monthly: cents(row.monthly), annual: cents(row.monthly * 10) },
  tiers: row.tiers,
  stackable: row.stackable ?? false,
  max: row.stackable ? (row.max ?? MAX_QUANTITY) : 1,
  requires: row.requires ?? [],
  sortOrder,
  isActive: true,
}))
