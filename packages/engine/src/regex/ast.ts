/**
 * The syntax tree of a pattern, reduced to what decides whether a text matches.
 *
 * Groups, captures and lazy quantifiers are removed: they change what is captured, never whether there is a match.
 * Every leaf is one UTF-16 unit or one zero-width assertion.
 */

import type { CharSet } from './char-set.js'

export type AssertionKind = 'start' | 'end' | 'word' | 'notWord'

export type PatternNode =
  | { readonly kind: 'empty' }
  | { readonly kind: 'set'; readonly set: CharSet }
  | { readonly kind: 'assert'; readonly assertion: AssertionKind }
  | { readonly kind: 'concat'; readonly items: readonly PatternNode[] }
  | { readonly kind: 'alt'; readonly branches: readonly PatternNode[] }
  /** `max` is Infinity for an unbounded repeat. */
  | { readonly kind: 'repeat'; readonly body: PatternNode; readonly min: number; readonly max: number }

export const EMPTY: PatternNode = { kind: 'empty' }

export function concat(items: readonly PatternNode[]): PatternNode {
  const flat: PatternNode[] = []
  for (const item of items) {
    if (item.kind === 'concat') flat.push(...item.items)
    else if (item.kind !== 'empty') flat.push(item)
  }
  const [only] = flat
  if (only === undefined) return EMPTY
  return flat.length === 1 ? only : { kind: 'concat', items: flat }
}

export function alternate(branches: readonly PatternNode[]): PatternNode {
  const [only] = branches
  return only !== undefined && branches.length === 1 ? only : { kind: 'alt', branches }
}

/**
 * Upper bound of the number of instructions that RE2 compiles a node to. A repeat is unrolled, a loop adds a branch,
 * and every program has a start and an end.
 */
export function programCost(node: PatternNode): number {
  return nodeCost(node) + 3
}

function nodeCost(node: PatternNode): number {
  switch (node.kind) {
    case 'empty':
    case 'set':
    case 'assert':
      return 1
    case 'concat':
      return node.items.reduce((sum, item) => sum + nodeCost(item), 0)
    case 'alt':
      return node.branches.reduce((sum, branch) => sum + nodeCost(branch) + 1, 0)
    case 'repeat': {
      const body = nodeCost(node.body)
      if (node.max === Infinity) return Math.max(node.min, 1) * body + 2
      return node.max * body + (node.max - node.min) + 1
    }
  }
}
