/**
 * Which add-ons of a list count under the catalogue, and with what quantity: quantities are summed for each bundle,
 * truncated and clamped, and bundles without their requirement are left out. These are the first three steps of the
 * limits formula. Combos and metering use them too.
 */
import { activeBundles } from '../catalogue/lookup.js'
import type { Addon, Bundle, Catalogue } from '../catalogue/types.js'
import type { BundleId, Feature, Tier } from '../catalogue/vocabulary.js'
import type { Step } from '../explain/step.js'

export interface HeldBundle {
  readonly bundle: Bundle
  readonly quantity: number
}

/** `trunc` of finite values above 0; every other value is 0. */
function unitsOf(quantity: number): number {
  return quantity > 0 && quantity < Number.POSITIVE_INFINITY ? Math.trunc(quantity) : 0
}

/**
 * Sums the quantity of each known bundle, in order of first mention. Finite values above 0 are truncated; other values
 * and unknown ids count 0.
 */
export function sumQuantities(
  catalogue: Catalogue,
  addons: readonly Addon[],
  steps?: Step[],
): ReadonlyMap<BundleId, number> {
  const bundles = activeBundles(catalogue)
  const held = new Map<BundleId, number>()
  for (const { bundleId, quantity } of addons) {
    const units = unitsOf(quantity)
    if (units > 0 && bundles.has(bundleId)) {
      held.set(bundleId, Math.min((held.get(bundleId) ?? 0) + units, Number.MAX_SAFE_INTEGER))
    } else {
      steps?.push({ kind: 'addon_ignored', bundleId, reason: bundles.has(bundleId) ? 'no_quantity' : 'unknown' })
    }
  }
  return held
}

/** True when the bundle with this id is held, or everything it unlocks is part of the tier. */
export function isCovered(
  catalogue: Catalogue,
  id: BundleId,
  isHeld: (id: BundleId) => boolean,
  tierFeatures: readonly Feature[],
): boolean {
  if (isHeld(id)) return true
  const bundle = activeBundles(catalogue).get(id)
  return (
    bundle !== undefined &&
    bundle.features.length > 0 &&
    bundle.features.every((feature) => tierFeatures.includes(feature))
  )
}

/** Returns the bundles that count, each with the quantity that counts. */
export function holdBundles(
  catalogue: Catalogue,
  tier: Tier,
  addons: readonly Addon[],
  steps?: Step[],
): readonly HeldBundle[] {
  const quantities = sumQuantities(catalogue, addons, steps)
  const bundles = activeBundles(catalogue)
  const tierFeatures = catalogue.tiers[tier].features
  const result: HeldBundle[] = []
  for (const [bundleId, asked] of quantities) {
    const bundle = bundles.get(bundleId) as Bundle
    if (bundle.requires.length > 0) {
      const missing = bundle.requires.filter(
        (id) => !isCovered(catalogue, id, (held) => quantities.has(held), tierFeatures),
      )
      if (missing.length > 0) {
        steps?.push({ kind: 'addon_without_requirement', bundleId, missing })
        continue
      }
    }
    const quantity = bundle.stackable ? Math.min(asked, bundle.max) : 1
    if (quantity !== asked) steps?.push({ kind: 'addon_clamped', bundleId, asked, quantity })
    result.push({ bundle, quantity })
  }
  return result
}
