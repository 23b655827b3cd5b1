/**
 * Changes the plan or interval: which add-ons are removed, whether usage fits the new caps, and what the subscription
 * costs afterwards.
 */
import { type PrunedAddon, pruneForTier } from '../addons/prune.js'
import type { Addon, Catalogue } from '../catalogue/types.js'
import { isSoldTier, type Limits, soldTiers } from '../catalogue/vocabulary.js'
import { type AppliedCombo, compareCombos, pack } from '../combos/pack.js'
import type { Usage } from '../entitlements/entitlement.js'
import type { Step } from '../explain/step.js'
import { effectiveLimits } from '../limits/effective.js'
import { parseInterval } from '../period/interval.js'
import { type Quote, quote } from '../quote/quote.js'
import { accept, invalid, type Result, refuse, show } from '../refusal/refusal.js'
import { didYouMean } from '../settings/nearest.js'
import { type AddonHolder, describeOverages, loweredOverages } from './change-addons.js'

export interface PlanChange extends AddonHolder {
  readonly addons: readonly Addon[]
  readonly pruned: readonly PrunedAddon[]
  readonly effectiveLimits: Limits
  readonly quote: Quote
  readonly lostCombos: readonly AppliedCombo[]
  readonly gainedCombos: readonly AppliedCombo[]
  readonly steps: readonly Step[]
}

/** Describes the change. `usage` is null when it could not be read: a change that lowers a cap is then refused. */
export function changePlan(
  catalogue: Catalogue,
  holder: AddonHolder,
  body: { readonly planId?: unknown; readonly interval?: unknown },
  usage: Usage | null,
): Result<PlanChange> {
  if (body.planId === undefined && body.interval === undefined) {
    return refuse('MISSING_REQUIRED_FIELD', 'planId or interval is required', { field: 'planId' })
  }
  const planId = body.planId ?? holder.planId
  if (!isSoldTier(planId)) {
    return invalid(
      'planId',
      `planId must be one of ${soldTiers.join(', ')}, not ${show(planId)}${didYouMean(planId, soldTiers)}`,
    )
  }
  const interval = parseInterval(body.interval ?? holder.interval)
  if (!interval.ok) return interval
  const pruning = pruneForTier(catalogue, holder.planId, planId, holder.addons)
  const before = effectiveLimits(catalogue, holder.planId, holder.addons)
  const after = effectiveLimits(catalogue, planId, pruning.kept)
  const over = loweredOverages(before.limits, after.limits, usage)
  if (over === null) {
    return refuse('SERVICE_UNAVAILABLE', 'usage cannot be read now, so caps cannot be lowered; try again')
  }
  if (over.length > 0) return refuse('PLAN_OVER_CAP', describeOverages(over), { details: { overages: over } })
  const priced = quote(catalogue, { planId, interval: interval.value, addons: pruning.kept })
  const { lost, gained } = compareCombos(pack(catalogue, holder.addons, holder.interval), priced.packing)
  return accept({
    planId,
    interval: interval.value,
    addons: pruning.kept,
    pruned: pruning.pruned,
    effectiveLimits: after.limits,
    quote: priced,
    lostCombos: lost,
    gainedCombos: gained,
    steps: [...pruning.steps, ...after.steps, ...priced.steps],
  })
}
