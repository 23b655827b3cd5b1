/**
 * Which subtrees a proof consists of, as ranges of leaves [start, end) in the order of the proof. To make a proof, hash
 * these ranges, from stored nodes or from a stream of leaves. Source: RFC 9162, sections 2.1.3.1 and 2.1.4.1.
 */
export interface LeafRange {
  readonly start: number
  readonly end: number
}

/** Returns the largest power of two below `count`, where RFC 9162 splits a tree of `count` leaves (`count` ≥ 2). */
export function splitPoint(count: number): number {
  let power = 1
  while (power * 2 < count) power *= 2
  return power
}

/**
 * Returns the level of the largest complete subtree that fits: the exponent of the highest power of two up to `count`
 * (≥ 1).
 */
export function topLevel(count: number): number {
  let level = 0
  for (let power = 2; power <= count; power *= 2) level++
  return level
}

/** Returns the audit path of leaf `index` in a tree of `size` leaves, from the leaf's sibling upwards. */
export function inclusionRanges(index: number, size: number): LeafRange[] {
  assertSizes(0 <= index && index < size, 'an inclusion proof needs 0 ≤ index < size')
  const ranges: LeafRange[] = []
  let start = 0
  let end = size
  while (end - start > 1) {
    const middle = start + splitPoint(end - start)
    if (index < middle) {
      ranges.push({ start: middle, end })
      end = middle
    } else {
      ranges.push({ start, end: middle })
      start = middle
    }
  }
  return ranges.reverse()
}

/**
 * Returns the proof that the tree of `first` leaves is a prefix of the tree of `second` leaves. It is empty when
 * `first` is 0 or equals `second`.
 */
export function consistencyRanges(first: number, second: number): LeafRange[] {
  assertSizes(0 <= first && first <= second, 'a consistency proof needs 0 ≤ first ≤ second')
  if (first === 0 || first === second) return []
  const ranges: LeafRange[] = []
  let start = 0
  let end = second
  // Walks down to the subtree that ends at leaf `first`, and records the sibling at each split.
  while (end !== first) {
    const middle = start + splitPoint(end - start)
    if (first <= middle) {
      ranges.push({ start: middle, end })
      end = middle
    } else {
      ranges.push({ start, end: middle })
      start = middle
    }
  }
  // The verifier knows the old root. So the subtree is left out when it is the whole old tree.
  if (start !== 0) ranges.push({ start, end })
  return ranges.reverse()
}

function assertSizes(holds: boolean, message: string): void {
  if (!holds) throw new RangeError(message)
}
