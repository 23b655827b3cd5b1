/**
 * A pattern as a nondeterministic program over classes of UTF-16 units, for callers that run it themselves.
 *
 * INVARIANT: units of one class are alike to every instruction, and to word boundaries where the program has them.
 */

import type { AssertionKind, PatternNode } from './ast.js'
import { type CharSet, hasUnit, LAST_UNIT, WORD } from './char-set.js'

export type Instruction =
  | { readonly op: 'match' }
  /** Takes one unit of a class in `classes`. */
  | { readonly op: 'unit'; readonly classes: ReadonlySet<number>; readonly next: number }
  | { readonly op: 'split'; readonly next: number; readonly other: number }
  | { readonly op: 'assert'; readonly assertion: AssertionKind; readonly next: number }

export interface Program {
  readonly instructions: readonly Instruction[]
  readonly start: number
  readonly alphabet: Alphabet
}

/** Classes of units: `classes[i]` is that of the units from `starts[i]` up to the next start. */
export interface Alphabet {
  readonly starts: readonly number[]
  readonly classes: readonly number[]
  readonly size: number
  /** For each class whether its units are word characters; only meaningful where the program asks. */
  readonly isWord: readonly boolean[]
}

export function compileProgram(node: PatternNode): Program {
  const sets: CharSet[] = []
  collectSets(node, sets)
  const alphabet = divide(sets)
  const assembler = new Assembler(alphabet)
  const end = assembler.add({ op: 'match' })
  const start = assembler.assemble(node, end)
  return { instructions: assembler.instructions, start, alphabet }
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

/** Cuts the units at every border of a set, and gives the pieces that lie in the same sets one class. */
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

/** Builds back to front: each node is assembled for the instruction that follows it. */
class Assembler {
  readonly instructions: Instruction[] = []
  readonly #alphabet: Alphabet
  readonly #classesOf = new Map<string, ReadonlySet<number>>()

  constructor(alphabet: Alphabet) {
    this.#alphabet = alphabet
  }

  add(instruction: Instruction): number {
    return this.instructions.push(instruction) - 1
  }

  assemble(node: PatternNode, next: number): number {
    switch (node.kind) {
      case 'empty':
        return next
      case 'set':
        return this.add({ op: 'unit', classes: this.#classes(node.set), next })
      case 'assert':
        return this.add({ op: 'assert', assertion: node.assertion, next })
      case 'concat':
        return node.items.reduceRight((following, item) => this.assemble(item, following), next)
      case 'alt':
        return node.branches
          .map((branch) => this.assemble(branch, next))
          .reduceRight((other, branch) => this.add({ op: 'split', next: branch, other }))
      case 'repeat':
        return this.#repeat(node.body, node.min, node.max, next)
    }
  }

  #repeat(body: PatternNode, min: number, max: number, next: number): number {
    let start = next
    if (max === Number.POSITIVE_INFINITY) {
      const loop = this.instructions.length
      this.instructions.push({ op: 'match' })
      const first = this.assemble(body, loop)
      this.instructions[loop] = { op: 'split', next: first, other: next }
      start = loop
    } else {
      for (let i = min; i < max; i += 1)
        start = this.add({ op: 'split', next: this.assemble(body, start), other: next })
    }
    for (let i = 0; i < min; i += 1) start = this.assemble(body, start)
    return start
  }

  #classes(set: CharSet): ReadonlySet<number> {
    const key = set.join()
    let classes = this.#classesOf.get(key)
    if (classes === undefined) {
      const { starts } = this.#alphabet
      classes = new Set(this.#alphabet.classes.filter((_, i) => hasUnit(set, starts[i] ?? 0)))
      this.#classesOf.set(key, classes)
    }
    return classes
  }
}
