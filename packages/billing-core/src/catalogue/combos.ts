/** The three combos at their combined prices. Source: the combo table of the specification. */
import { cents } from '../money/cents.js'
import type { Combo } from './types.js'

export const defaultCombos: readonly Combo[] = [
  {
    id: 'analytics_suite',
    name: 'Analytics suite',
    members: [
      { bundleId: 'advanced_reporting', minQuantity: 1 },
      { bundleId: 'team_usage_analytics', minQuantity: 1 },
    ],
    prices: { monthly: cents(4_200), annual: cents(42_000) },
    sortOrder: 0,
    isActive: true,
  },
  {
    id: 'team_growth',
    name: 'Team growth',
    members: [
      { bundleId: 'seat_pack', minQuantity: 1 },
      { bundleId: 'team_usage_analytics', minQuantity: 1 },
    ],
    prices: { monthly: cents(3_850), annual: cents(38_500) },
    sortOrder: 1,
    isActive: true,
  },
  {
    id: 'compliance_suite',
    name: 'Compliance suite',
    members: [
      { bundleId: 'compliance_standard', minQuantity: 1 },
      { bundleId: 'compliance_advanced', minQuantity: 1 },
    ],
    prices: { monthly: cents(9_086), annual: cents(90_860) },
    sortOrder: 2,
    isActive: true,
  },
]

/** The packing is exact for up to this many active combos. A catalogue with more is refused. */
export const MAX_ACTIVE_COMBOS = 24
