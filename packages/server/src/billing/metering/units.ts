/** Which units an hour counts: the units that are held in every hour, or each unit once in a billing period. */
import type { Addon, BundleDimensionMap } from '@plumbline/billing-core'

/** By dimension: the units that earlier hours of the period have reported or withheld. */
export type Counted = ReadonlyMap<string, number>

/**
 * Returns the add-ons whose units are not counted yet. LAW: what the hours of a period count of a dimension is the most
 * that was held of it in any of them.
 */
export function uncounted(addons: readonly Addon[], dimensions: BundleDimensionMap, counted: Counted): Addon[] {
  const left = new Map(counted)
  return addons.flatMap(({ bundleId, quantity }) => {
    const dimension = dimensions.get(bundleId as never)
    const known = dimension === undefined ? 0 : (left.get(dimension) ?? 0)
    const taken = Math.min(known, quantity)
    if (dimension !== undefined) left.set(dimension, known - taken)
    return quantity === taken ? [] : [{ bundleId, quantity: quantity - taken }]
  })
}
