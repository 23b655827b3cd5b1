/**
 * Removes every add-on whose requirement is neither held nor part of the tier, and repeats until nothing more is
 * removed.
 */
import { activeBundles } from '../catalogue/lookup.js'
import type { Addon, Catalogue } from '../catalogue/types.js'
import type { BundleId, Tier } from '../catalogue/vocabulary.js'
import type { Step } from '../explain/step.js'
import { isCovered } from './hold.js'

export interface Cascade {
  readonly kept: readonly Addon[]
  /** In the order of removal. `cascadedFrom` is the requirement whose loss removed the add-on. */
  readonly removed: readonly { readonly bundleId: BundleId; readonly cascadedFrom: BundleId }[]
}

export function cascade(catalogue: Catalogue, tier: Tier, addons: readonly Addon[], steps?: Step[]): Cascade {
  const removed: { bundleId: BundleId; cascadedFrom: BundleId }[] = []
  let kept = addons
  for (;;) {
    const lost = findLost(catalogue, tier, kept)
    if (lost === null) return { kept, removed }
    removed.push(lost)
    steps?.push({ kind: 'addon_removed', reason: 'requires_missing', ...lost })
    kept = kept.filter((addon) => addon.bundleId !== lost.bundleId)
  }
}

function findLost(
  catalogue: Catalogue,
  tier: Tier,
  addons: readonly Addon[],
): { bundleId: BundleId; cascadedFrom: BundleId } | null {
  const tierFeatures = catalogue.tiers[tier].features
  const isHeld = (id: BundleId): boolean => addons.some((addon) => addon.bundleId === id && addon.quantity > 0)
  for (const { bundleId } of addons) {
    for (const required of activeBundles(catalogue).get(bundleId)?.requires ?? []) {
      if (!isCovered(catalogue, required, isHeld, tierFeatures)) return { bundleId, cascadedFrom: required }
    }
  }
  return null
}
