/**
 * The alphabet of one pattern: UTF-16 units grouped into classes, so that a program has one column for each class, not
 * for each unit.
 *
 * INVARIANT: no set of the pattern distinguishes two units of one class, and neither do word boundaries when the
 * pattern has them.
 */

import type { PatternNode } from './ast.js'
import { type CharSet, hasUnit, LAST_UNIT, WORD } from './char-set.js'

/** The classes of units. `classes[i]` is the class of the units from `starts[i]` up to the next start. */
export interface Alphabet {
  readonly starts: readonly number[]
  readonly classes: readonly number[]
  readonly size: number
  /**
   * For each class, true when its units are word characters. Meaningful only when the program asks for word boundaries.
   */
  readonly isWord: readonly boolean[]
}

export function alphabetOf(node: PatternNode): Alphabet {
  const sets: CharSet[] = []
  collectSets(node, sets)
  return divide(sets)
}

function collectSets(node: PatternNode, into: CharSet[]): void {
  switch (node.kind) {
    case 'set':
      into.push(node.set)
      break
    case 'assert':
      if (node.assertion === 'word' || node.assertion === 'notWord') into.push(WORD)
      break
    case 'concat':
      for (const item of node.items) collectSets(item, into)
      break
    case 'alt':
      for (const branch of node.branches) collectSets(branch, into)
      break
    case 'repeat':
      collectSets(node.body, into)
      break
  }
}

/** Cuts the units at every border of a set. Pieces that lie in the same sets get one class. */
function divide(sets: readonly CharSet[]): Alphabet {
  const distinct = [...new Map(sets.map((set) => [set.join(), set])).values()]
  const borders = new Set<number>([0])
  for (const set of distinct) {
    for (let i = 0; i + 1 < set.length; i += 2) {
      borders.add(set[i] ?? 0)
      if ((set[i + 1] ?? 0) < LAST_UNIT) borders.add((set[i + 1] ?? 0) + 1)
    }
  }
  const starts = [...borders].sort((a, b) => a - b)
  const ids = new Map<string, number>()
  const isWord: boolean[] = []
  const classes = starts.map((unit) => {
    const signature = distinct.map((set) => (hasUnit(set, unit) ? '1' : '0')).join('')
    let id = ids.get(signature)
    if (id === undefined) {
      id = ids.size
      ids.set(signature, id)
      isWord.push(hasUnit(WORD, unit))
    }
    return id
  })
  return { starts, classes, size: ids.size, isWord }
}
