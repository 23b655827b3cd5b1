/**
 * Decides which plan a marketplace account is entitled to, and at which interval. The highest entitled plan is chosen;
 * without one the plan is developer. A dimension that maps to no plan is a mistake of the deployment and never a free
 * upgrade.
 */
import { rankOf, type SoldTier } from '../catalogue/vocabulary.js'
import type { Step } from '../explain/step.js'
import type { PlanDimensionMap } from '../metering/dimensions.js'
import { addDays, type Instant } from '../period/instant.js'
import type { Interval } from '../period/interval.js'
import { accept, invalid, type Result, show } from '../refusal/refusal.js'

export interface MarketplaceEntitlement {
  readonly dimension: string
  /** A count, a flag, or the text `Enabled`. */
  readonly value: unknown
  readonly expiresAt?: Instant
}

export interface EntitledPlan {
  readonly planId: SoldTier
  readonly interval: Interval
  /** The dimension that decided; null when no dimension is entitled. */
  readonly dimension: string | null
  readonly steps: readonly Step[]
}

const ANNUAL_BEYOND_DAYS = 180

/** True for a whole number above 0, `true`, and `Enabled`. */
export function isEntitledValue(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && value > 0
  return value === true || value === 'Enabled'
}

/** Returns the entitled plan. `current` is the interval so far: monthly can become annual, and never the reverse. */
export function entitledPlan(
  entitlements: readonly MarketplaceEntitlement[],
  map: PlanDimensionMap,
  now: Instant,
  current: Interval = 'monthly',
): Result<EntitledPlan> {
  let best: { planId: SoldTier; entitlement: MarketplaceEntitlement } | null = null
  for (const entitlement of entitlements) {
    if (!isEntitledValue(entitlement.value)) continue
    const planId = map.get(entitlement.dimension)
    if (planId === undefined) {
      return invalid(
        'MARKETPLACE_DIMENSION_MAP',
        `MARKETPLACE_DIMENSION_MAP must map dimension ${show(entitlement.dimension)} to a plan`,
      )
    }
    if (best === null || rankOf(planId) > rankOf(best.planId)) best = { planId, entitlement }
  }
  if (best === null) {
    const steps: readonly Step[] = [{ kind: 'note', text: 'no dimension is entitled: plan developer' }]
    return accept({ planId: 'developer', interval: current, dimension: null, steps })
  }
  const { expiresAt, dimension } = best.entitlement
  const isLong = expiresAt !== undefined && expiresAt > addDays(now, ANNUAL_BEYOND_DAYS)
  const interval = isLong ? 'annual' : current
  const expiry = expiresAt === undefined ? 'without an expiry' : `until ${expiresAt}`
  const text = `dimension ${dimension} entitles to plan ${best.planId} ${expiry}: billed as ${interval}`
  return accept({ planId: best.planId, interval, dimension, steps: [{ kind: 'note', text }] })
}
