/**
 * What a change of plan does to the add-ons.
 *
 * Add-ons that the new tier includes are removed. Add-ons that a lower tier does not sell are removed, and with them
 * the add-ons that required them. The others stay, even when the new tier does not sell them.
 */
import { activeBundles } from '../catalogue/lookup.js'
import type { Addon, Bundle, Catalogue } from '../catalogue/types.js'
import { type BundleId, rankOf, type Tier } from '../catalogue/vocabulary.js'
import type { Step } from '../explain/step.js'
import { cascade } from './cascade.js'

export type PruneReason = 'tier_included' | 'tier_ineligible' | 'requires_missing'

export interface PrunedAddon {
  readonly bundleId: BundleId
  readonly pruneReason: PruneReason
  readonly cascadedFrom?: BundleId
}

export interface Pruning {
  readonly kept: readonly Addon[]
  readonly pruned: readonly PrunedAddon[]
  readonly steps: readonly Step[]
}

export function pruneForTier(catalogue: Catalogue, from: Tier, to: Tier, addons: readonly Addon[]): Pruning {
  const steps: Step[] = []
  const pruned: PrunedAddon[] = []
  const survivors: Addon[] = []
  for (const addon of addons) {
    const bundle = activeBundles(catalogue).get(addon.bundleId)
    const pruneReason = bundle === undefined ? null : reasonToPrune(catalogue, bundle, from, to)
    if (pruneReason === null) survivors.push(addon)
    else {
      pruned.push({ bundleId: addon.bundleId, pruneReason })
      steps.push({ kind: 'addon_removed', bundleId: addon.bundleId, reason: pruneReason })
    }
  }
  const { kept, removed } = cascade(catalogue, to, survivors, steps)
  for (const each of removed) pruned.push({ ...each, pruneReason: 'requires_missing' })
  for (const { bundleId } of kept) {
    const sold = (activeBundles(catalogue).get(bundleId)?.tiers ?? []) as readonly Tier[]
    steps.push({ kind: 'addon_kept', bundleId, soldOnTier: sold.includes(to) })
  }
  return { kept, pruned, steps }
}

function reasonToPrune(catalogue: Catalogue, bundle: Bundle, from: Tier, to: Tier): PruneReason | null {
  const grantsNothing = Object.keys(bundle.grants).length === 0
  const included = bundle.features.every((feature) => catalogue.tiers[to].features.includes(feature))
  if (grantsNothing && bundle.features.length > 0 && included) return 'tier_included'
  const isDowngrade = rankOf(to) < rankOf(from)
  if (isDowngrade && !(bundle.tiers as readonly Tier[]).includes(to)) return 'tier_ineligible'
  return null
}
