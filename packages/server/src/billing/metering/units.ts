/** Which units an hour counts: every hour those that are held, or each unit once a billing period. */
import type { Addon, BundleDimensionMap } from '@plumbline/billing-core'

/** Units by dimension that earlier hours of the period have reported or withheld. */
export type Counted = ReadonlyMap<string, number>

/**
 * The add-ons of which units are still to be counted.
 * LAW: what the hours of a period count of a dimension is the most that was held of it in any of them.
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
