/**
 * Reduces a pattern to the smallest pattern that is found in the same texts.
 *
 * A search asks whether a match exists, not where it begins and ends. So optional parts at either end are removed: a
 * part that can match nothing is dropped, and `x{m,n}` becomes its m required turns. `[a-z]+x` becomes `[a-z]x`, `.*,`
 * becomes `,`, `^v.*` becomes `^v`. The reduction stops at an assertion, which ties the match to its place. It saves
 * time, and many patterns become bounded, so that they may run on `RegExp` (see `native-class.ts`).
 */

import { alternate, concat, EMPTY, type PatternNode } from './ast.js'
import { factorAlternatives } from './factor.js'

export function searchForm(node: PatternNode): PatternNode {
  return factorAlternatives(trim(trim(node, 'left'), 'right'))
}

type Side = 'left' | 'right'

/** Removes what a search does not need on that side of the node. */
function trim(node: PatternNode, side: Side): PatternNode {
  if (matchesNothing(node)) return EMPTY
  switch (node.kind) {
    case 'alt':
      return alternate(node.branches.map((branch) => trim(branch, side)))
    case 'repeat':
      return node.min === 1 ? trim(node.body, side) : { ...node, max: node.min }
    case 'concat': {
      const items = [...node.items]
      // The outermost part that is needed; its outer side is trimmed in turn.
      const at = side === 'left' ? items.findIndex(isNeeded) : items.findLastIndex(isNeeded)
      const kept = items[at]
      if (kept === undefined) return EMPTY
      items[at] = trim(kept, side)
      return concat(side === 'left' ? items.slice(at) : items.slice(0, at + 1))
    }
    default:
      return node
  }
}

const isNeeded = (node: PatternNode): boolean => !matchesNothing(node)

/** True when the node can match the empty text at any place, without an assertion. */
function matchesNothing(node: PatternNode): boolean {
  switch (node.kind) {
    case 'empty':
      return true
    case 'concat':
      return node.items.every(matchesNothing)
    case 'alt':
      return node.branches.some(matchesNothing)
    case 'repeat':
      return node.min === 0 || matchesNothing(node.body)
    default:
      return false
  }
}
