/**
 * Finds the exact heaviest set of pairwise compatible items: at most 24 items, with their conflicts as bit masks.
 *
 * The search branches on the item with the most conflicts among those that are left, and takes isolated items at once.
 * An item with at least two conflicts removes at least three items when it is taken, so the number of branches stays in
 * the thousands.
 */
export interface Items {
  readonly weights: readonly number[]
  /** Bit j of entry i: i and j cannot both be taken. The masks are symmetric, and no item conflicts with itself. */
  readonly conflicts: readonly number[]
}

/** Returns the largest total weight of a compatible subset of `mask`. */
export function heaviest(items: Items, mask: number): number {
  let total = 0
  let open = mask
  let most = -1
  let mostCount = 1
  // An item without open conflicts is always taken. Of a pair that conflicts only with each other, the heavier item is
  // taken.
  for (let rest = open; rest !== 0; rest &= rest - 1) {
    const item = 31 - Math.clz32(rest & -rest)
    const bit = 1 << item
    if ((open & bit) === 0) continue
    const rivals = (items.conflicts[item] ?? 0) & open
    if (rivals === 0) {
      total += weight(items, item)
      open &= ~bit
    } else if ((rivals & (rivals - 1)) === 0) {
      const rival = 31 - Math.clz32(rivals)
      if (((items.conflicts[rival] ?? 0) & open) === bit) {
        total += Math.max(weight(items, item), weight(items, rival))
        open &= ~(bit | rivals)
      }
    } else {
      const count = countBits(rivals)
      if (count > mostCount) {
        mostCount = count
        most = item
      }
    }
  }
  if (open === 0) return total
  // The loop may have taken items that conflict with `most`. It is still open, and branching on any open item is
  // correct.
  const branch = most >= 0 && (open & (1 << most)) !== 0 ? most : 31 - Math.clz32(open)
  const without = open & ~(1 << branch)
  const taken = weight(items, branch) + heaviest(items, without & ~(items.conflicts[branch] ?? 0))
  const left = heaviest(items, without)
  return total + Math.max(taken, left)
}

/**
 * Returns the heaviest subset itself. Of equally heavy subsets it is the smallest list of item numbers, compared
 * element by element: item 0 is taken when some heaviest subset contains it, then item 1, and so on.
 */
export function heaviestSet(items: Items, mask: number): readonly number[] {
  const chosen: number[] = []
  let open = mask
  let best = heaviest(items, open)
  for (let item = 0; open !== 0; item++) {
    const bit = 1 << item
    if ((open & bit) === 0) continue
    open &= ~bit
    const compatible = open & ~(items.conflicts[item] ?? 0)
    const rest = best - weight(items, item)
    if (heaviest(items, compatible) !== rest) continue
    chosen.push(item)
    open = compatible
    best = rest
  }
  return chosen
}

function weight(items: Items, item: number): number {
  return items.weights[item] ?? 0
}

function countBits(mask: number): number {
  let count = 0
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++
  return count
}
