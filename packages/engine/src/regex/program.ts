/**
 * A pattern as a nondeterministic program over classes of UTF-16 units, for callers that run it themselves.
 *
 * INVARIANT: no instruction distinguishes two units of one class, and neither do word boundaries when the program has
 * them.
 */

import { type Alphabet, alphabetOf } from './alphabet.js'
import type { AssertionKind, PatternNode } from './ast.js'
import { type CharSet, hasUnit } from './char-set.js'

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

export function compileProgram(node: PatternNode): Program {
  const alphabet = alphabetOf(node)
  const assembler = new Assembler(alphabet)
  const end = assembler.add({ op: 'match' })
  const start = assembler.assemble(node, end)
  return { instructions: assembler.instructions, start, alphabet }
}

/** Assembles the program from its end to its start, because each node needs the instruction that follows it. */
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
    if (max === Infinity) {
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
