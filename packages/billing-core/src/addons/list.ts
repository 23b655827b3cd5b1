/** Lists of add-ons: the stored form (one entry for each bundle, sorted by id) and the check of untrusted lists. */
import { activeBundles, compareIds } from '../catalogue/lookup.js'
import type { Addon, Catalogue } from '../catalogue/types.js'
import type { BundleId } from '../catalogue/vocabulary.js'
import { invalid, type Result, show } from '../refusal/refusal.js'
import { didYouMean } from '../settings/nearest.js'

/** Returns the list as a subscription stores it: one entry for each bundle, quantities of at least 1, sorted by id. */
export function normaliseAddons(catalogue: Catalogue, addons: readonly Addon[]): readonly Addon[] {
  const quantities = new Map<BundleId, number>()
  for (const { bundleId, quantity } of addons) {
    if (quantity > 0) quantities.set(bundleId, (quantities.get(bundleId) ?? 0) + quantity)
  }
  return [...quantities]
    .map(([bundleId, quantity]) => {
      const bundle = activeBundles(catalogue).get(bundleId)
      return { bundleId, quantity: bundle === undefined ? quantity : Math.min(quantity, bundle.max) }
    })
    .sort((a, b) => compareIds(a.bundleId, b.bundleId))
}

/** Returns the units of one bundle in a list, summed over its entries; 0 when the bundle is absent. */
export function quantityOf(addons: readonly Addon[], bundleId: BundleId): number {
  return addons.reduce((total, addon) => (addon.bundleId === bundleId ? total + addon.quantity : total), 0)
}

/** Returns the list with one bundle set to an absolute quantity; 0 removes the bundle. */
export function withQuantity(
  catalogue: Catalogue,
  addons: readonly Addon[],
  bundleId: BundleId,
  quantity: number,
): readonly Addon[] {
  const others = addons.filter((addon) => addon.bundleId !== bundleId)
  return normaliseAddons(catalogue, [...others, { bundleId, quantity }])
}

/**
 * Checks an untrusted list: every bundle is known and listed once, and every quantity is a whole number from 1 to the
 * bundle's maximum.
 */
export function parseAddons(catalogue: Catalogue, value: unknown, field = 'addons'): Result<readonly Addon[]> {
  if (!Array.isArray(value)) return invalid(field, `${field} must be a list of {bundleId, quantity}`)
  const addons: Addon[] = []
  for (const [index, entry] of (value as readonly unknown[]).entries()) {
    const path = `${field}[${index}]`
    const { bundleId, quantity } = (typeof entry === 'object' && entry !== null ? entry : {}) as Record<string, unknown>
    const bundle = typeof bundleId === 'string' ? activeBundles(catalogue).get(bundleId) : undefined
    if (bundle === undefined) {
      const hint = didYouMean(bundleId, activeBundles(catalogue).keys())
      return invalid(`${path}.bundleId`, `${path}.bundleId must name a bundle, not ${show(bundleId)}${hint}`)
    }
    if (typeof quantity !== 'number' || !Number.isSafeInteger(quantity) || quantity < 1 || quantity > bundle.max) {
      return invalid(
        `${path}.quantity`,
        `${path}.quantity must be a whole number from 1 to ${bundle.max} for ${bundle.id}, not ${show(quantity)}`,
      )
    }
    if (addons.some((addon) => addon.bundleId === bundle.id)) {
      return invalid(`${path}.bundleId`, `${path}.bundleId must not repeat ${bundle.id}; give its whole quantity once`)
    }
    addons.push({ bundleId: bundle.id, quantity })
  }
  return { ok: true, value: normaliseAddons(catalogue, addons) }
}
