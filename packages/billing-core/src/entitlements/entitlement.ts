/**
 * What an account is entitled to: its effective limits while the subscription entitles it, otherwise the baseline of
 * the developer tier. Source: the rules on entitled statuses, retention, compliance sets and the over-cap gate.
 */

import { findPlan } from '../catalogue/lookup.js'
import type { Addon, Catalogue } from '../catalogue/types.js'
import type { Feature, LimitField, Limits, SoldTier, Tier } from '../catalogue/vocabulary.js'
import { type EffectiveLimits, effectiveLimits } from '../limits/effective.js'
import type { Instant } from '../period/instant.js'

export const subscriptionStatuses = ['active', 'trialing', 'past_due', 'canceled', 'incomplete'] as const
export type SubscriptionStatus = (typeof subscriptionStatuses)[number]

/** The part of a subscription that decides whether it entitles its account. */
export interface EntitlingState {
  readonly planId: SoldTier
  readonly status: SubscriptionStatus
  readonly addons: readonly Addon[]
  /** The end of the grace period. Set while payments fail; otherwise null. */
  readonly graceEndsAt: Instant | null
}

/**
 * True for `active`, `trialing`, and `past_due` before the end of the grace period. At that instant the entitlement
 * ends.
 */
export function isEntitled(state: Pick<EntitlingState, 'status' | 'graceEndsAt'>, now: Instant): boolean {
  switch (state.status) {
    case 'active':
    case 'trialing':
      return true
    case 'past_due':
      return state.graceEndsAt === null || now < state.graceEndsAt
    case 'canceled':
    case 'incomplete':
      return false
  }
}

export interface EntitlementInput {
  readonly subscription: EntitlingState | null
  readonly now: Instant
  readonly billingEnabled: boolean
  /** True for the organization that operates the platform. It has every entitlement. */
  readonly isSystemOrg: boolean
}

export interface Entitlement extends EffectiveLimits {
  readonly retention: ReportingRetention
  readonly complianceSets: readonly ComplianceSet[]
  readonly reason: 'billing_disabled' | 'system_org' | 'subscription' | 'no_subscription' | 'not_entitled'
}

/**
 * Returns the limits, features, retention and compliance sets of an account, with the reason for its tier and the steps
 * of the calculation.
 */
export function entitle(catalogue: Catalogue, input: EntitlementInput): Entitlement {
  const { tier, addons, reason } = decide(catalogue, input)
  const effective = effectiveLimits(catalogue, tier, addons)
  return {
    ...effective,
    steps: [{ kind: 'note', text: `tier ${tier}: ${REASONS[reason]}` }, ...effective.steps],
    retention: reportingRetention(effective.limits),
    complianceSets: complianceSets(effective.features),
    reason,
  }
}

const REASONS: Readonly<Record<Entitlement['reason'], string>> = {
  billing_disabled: 'billing is off',
  system_org: 'the system organization has everything',
  subscription: 'the plan of the subscription',
  no_subscription: 'the account has no subscription',
  not_entitled: 'the subscription does not entitle the account now',
}

function decide(
  catalogue: Catalogue,
  input: EntitlementInput,
): { tier: Tier; addons: readonly Addon[]; reason: Entitlement['reason'] } {
  if (input.isSystemOrg) return { tier: 'unlimited', addons: [], reason: 'system_org' }
  if (!input.billingEnabled) return { tier: 'unlimited', addons: [], reason: 'billing_disabled' }
  const { subscription } = input
  if (subscription === null) return { tier: 'developer', addons: [], reason: 'no_subscription' }
  const plan = findPlan(catalogue, subscription.planId)
  if (plan === undefined || !isEntitled(subscription, input.now)) {
    return { tier: 'developer', addons: [], reason: 'not_entitled' }
  }
  return { tier: plan.tier, addons: subscription.addons, reason: 'subscription' }
}

/** The longest retention that reporting keeps, in days. */
export const MAX_RETENTION_DAYS = 730

export interface ReportingRetention {
  readonly eventRetentionDays: number
  readonly doraRetentionDays: number
}

/** The retention that is sent to reporting, in days: −1 unchanged, every other value at most 730. */
export function reportingRetention(limits: Limits): ReportingRetention {
  const clamp = (days: number): number => (days === -1 ? -1 : Math.min(days, MAX_RETENTION_DAYS))
  return {
    eventRetentionDays: clamp(limits.eventRetentionDays),
    doraRetentionDays: clamp(limits.doraRetentionDays),
  }
}

export type ComplianceSet = 'standard' | 'advanced'

/** The advanced set requires both features. `compliance_advanced` alone gives no set. */
export function complianceSets(features: readonly Feature[]): readonly ComplianceSet[] {
  if (!features.includes('compliance_standard')) return []
  return features.includes('compliance_advanced') ? ['standard', 'advanced'] : ['standard']
}

/** The limit fields that the over-cap gate checks. */
export const cappedFields = ['seats', 'plugins', 'pipelines'] as const satisfies readonly LimitField[]
export type CappedField = (typeof cappedFields)[number]
export type Usage = Readonly<Record<CappedField, number>>

export interface Overage {
  readonly quotaType: CappedField
  readonly currentUsage: number
  readonly targetCap: number
  readonly overage: number
}

/** Returns where usage exceeds the limits after a change. An empty list means that the change is allowed. */
export function overages(limits: Limits, usage: Usage): readonly Overage[] {
  return cappedFields.flatMap((quotaType) => {
    const targetCap = limits[quotaType]
    const currentUsage = usage[quotaType]
    if (targetCap === -1 || currentUsage <= targetCap) return []
    return [{ quotaType, currentUsage, targetCap, overage: currentUsage - targetCap }]
  })
}
