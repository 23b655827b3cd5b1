/**
 * The smallest pattern that is found in the same texts.
 *
 * A search asks whether a match exists, not where it begins and ends. So what may be left out at either end is left
 * out: a part that can match nothing is dropped, and `x{m,n}` takes no more than its m turns. `[a-z]+x` becomes
 * `[a-z]x`, `.*,` becomes `,`, `^v.*` becomes `^v`. It stops at an assertion, which ties the match to its place.
 * Beside the time saved, many patterns become bounded and may run on `RegExp` (see `native-class.ts`).
 */

import { alternate, concat, EMPTY, type PatternNode } from './ast.js'
import { factorAlternatives } from './factor.js'

export function searchForm(node: PatternNode): PatternNode {
  return factorAlternatives(trim(trim(node, 'left'), 'right'))
}

type Side = 'left' | 'right'

/** The node with nothing on that side that a search could do without. */
function trim(node: PatternNode, side: Side): PatternNode {
  if (matchesNothing(node)) return EMPTY
  switch (node.kind) {
    case 'alt':
      return alternate(node.branches.map((branch) => trim(branch, side)))
    case 'repeat':
      return node.min === 1 ? trim(node.body, side) : { ...node, max: node.min }
    case 'concat': {
      const items = [...node.items]
      // The outermost part that cannot be left out, trimmed on its outer side in turn.
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

/** Can match the empty text anywhere: without an assertion on the way. */
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
