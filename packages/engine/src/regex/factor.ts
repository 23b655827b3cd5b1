/**
 * Factors out common prefixes of alternatives: `dev|develop` becomes `dev(?:|elop)`.
 *
 * The language stays the same, because concatenation distributes over alternation, and only the language decides
 * whether a text matches. With common prefixes factored out, many lists of names become one-unambiguous, so that
 * `RegExp` runs them in linear time.
 */

import { alternate, concat, EMPTY, type PatternNode } from './ast.js'
import { equalSets } from './char-set.js'

export function factorAlternatives(node: PatternNode): PatternNode {
  switch (node.kind) {
    case 'concat':
      return concat(node.items.map(factorAlternatives))
    case 'repeat':
      return { ...node, body: factorAlternatives(node.body) }
    case 'alt':
      return factorBranches(node.branches.flatMap(flatten))
    default:
      return node
  }
}

/** Flattens nested alternatives into one list. */
function flatten(node: PatternNode): readonly PatternNode[] {
  return node.kind === 'alt' ? node.branches.flatMap(flatten) : [node]
}

function factorBranches(branches: readonly PatternNode[]): PatternNode {
  const groups: { head: PatternNode | null; tails: PatternNode[] }[] = []
  for (const branch of branches) {
    const { head, tail } = split(branch)
    const group = groups.find((candidate) => sameHead(candidate.head, head))
    if (group === undefined) groups.push({ head, tails: [tail] })
    // A second empty alternative adds nothing and would make the choice ambiguous.
    else if (head?.kind !== 'empty') group.tails.push(tail)
  }
  return alternate(
    groups.map(({ head, tails }) => {
      const rest = tails.length === 1 ? factorAlternatives(tails[0] ?? EMPTY) : factorBranches(tails)
      return head === null ? rest : concat([head, rest])
    }),
  )
}

/**
 * Splits off the first item. A branch that begins with a group or a repeat has no head and is not grouped with others.
 */
function split(branch: PatternNode): { head: PatternNode | null; tail: PatternNode } {
  if (isHead(branch)) return { head: branch, tail: EMPTY }
  const first = branch.kind === 'concat' ? branch.items[0] : undefined
  if (branch.kind !== 'concat' || first === undefined || !isHead(first)) return { head: null, tail: branch }
  return { head: first, tail: concat(branch.items.slice(1)) }
}

function isHead(node: PatternNode): boolean {
  return node.kind === 'set' || node.kind === 'assert' || node.kind === 'empty'
}

function sameHead(a: PatternNode | null, b: PatternNode | null): boolean {
  if (a?.kind === 'set' && b?.kind === 'set') return equalSets(a.set, b.set)
  if (a?.kind === 'assert' && b?.kind === 'assert') return a.assertion === b.assertion
  return a?.kind === 'empty' && b?.kind === 'empty'
}
