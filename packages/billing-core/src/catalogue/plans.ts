/** The four plans that are sold, at their list prices. Source: the price table of the specification. */
import { cents } from '../money/cents.js'
import { defaultTiers } from './tiers.js'
import type { Plan } from './types.js'
import type { SoldTier } from './vocabulary.js'

function plan(id: SoldTier, name: string, monthly: number, sortOrder: number, description: string): Plan {
  return {
    id,
    name,
    description,
    tier: id,
    prices: { monthly: cents(monthly), annual: cents(monthly * 10) },
    features: defaultTiers[id].features,
    isDefault: id === 'developer',
    sortOrder,
    trialDays: 0,
  }
}

export const defaultPlans: readonly Plan[] = [
  plan('developer', 'Developer', 0, 0, 'For one person: build pipelines from plugins'),
  plan('pro', 'Pro', 4_900, 1, 'For a small team: AI generation, bulk operations, priority support'),
  plan('team', 'Team', 14_900, 2, 'For several teams: audit log and single sign-on'),
  plan('enterprise', 'Enterprise', 59_900, 3, 'For a whole organization: every feature'),
]
