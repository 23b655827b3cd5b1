/**
 * Compiles a pattern to a table: the states of its unanchored search, with one row for each state and one column for
 * each class of units.
 *
 * A state is what the program can still do, together with what was before the current place (start of text, word
 * character or not), as far as assertions need it. State 0 can no longer match. State 1 has matched.
 */

import type { Alphabet } from '../regex/alphabet.js'
import type { AssertionKind, PatternNode } from '../regex/ast.js'
import { compileProgram, type Program } from '../regex/program.js'

/** A table with more states would be too large for a module. */
const MAX_STATES = 2000
/** Limits the work of building, for patterns whose states contain many instructions. */
const MAX_STEPS = 4_000_000

const LOST = 0
const FOUND = 1

export interface Dfa {
  readonly alphabet: Alphabet
  readonly start: number
  /** `next[state * alphabet.size + class]` is the state after a unit of the class. */
  readonly next: readonly number[]
  /** The states in which a match is complete at the end of the text. */
  readonly accepting: readonly number[]
}

/** Returns the table, or null when it would be too large. */
export function buildDfa(node: PatternNode): Dfa | null {
  return new Builder(compileProgram(node)).build()
}

/** What was before the current place. */
type Before = 'start' | 'word' | 'other'

interface State {
  /** The instructions to continue from, after every split: units, assertions, the match. In ascending order. */
  readonly at: readonly number[]
  readonly before: Before
}

class Builder {
  readonly #program: Program
  readonly #asksForWords: boolean
  readonly #ids = new Map<string, number>()
  readonly #states: State[] = []
  readonly #next: number[] = []
  #steps = 0

  constructor(program: Program) {
    this.#program = program
    this.#asksForWords = program.instructions.some(
      (each) => each.op === 'assert' && (each.assertion === 'word' || each.assertion === 'notWord'),
    )
  }

  build(): Dfa | null {
    const { size } = this.#program.alphabet
    // The rows of the two absorbing states.
    this.#states.push({ at: [], before: 'other' }, { at: [], before: 'other' })
    for (let column = 0; column < size; column += 1) this.#next[LOST * size + column] = LOST
    for (let column = 0; column < size; column += 1) this.#next[FOUND * size + column] = FOUND
    const start = this.#id(this.#settle([this.#program.start], 'start'))
    const accepting = [FOUND]
    for (let id = 2; id < this.#states.length; id += 1) {
      const state = this.#states[id]
      if (state === undefined || id >= MAX_STATES || this.#steps > MAX_STEPS) return null
      for (let column = 0; column < size; column += 1) this.#next[id * size + column] = this.#step(state, column)
      if (this.#reach(state, null) === null) accepting.push(id)
    }
    return { alphabet: this.#program.alphabet, start, next: this.#next, accepting }
  }

  #id(state: State): number {
    if (state.at.length === 0) return LOST
    const key = `${state.before} ${state.at.join()}`
    const known = this.#ids.get(key)
    if (known !== undefined) return known
    const id = this.#states.push(state) - 1
    this.#ids.set(key, id)
    return id
  }

  #step(state: State, column: number): number {
    const units = this.#reach(state, column)
    if (units === null) return FOUND
    const { instructions, start, alphabet } = this.#program
    const targets = [start]
    for (const at of units) {
      const instruction = instructions[at]
      if (instruction?.op === 'unit' && instruction.classes.has(column)) targets.push(instruction.next)
    }
    const before = this.#asksForWords && alphabet.isWord[column] === true ? 'word' : 'other'
    return this.#id(this.#settle(targets, before))
  }

  /** Follows splits. After a unit was taken `^` cannot hold again, so it is dropped. */
  #settle(targets: readonly number[], before: Before): State {
    const seen = new Set<number>()
    const at: number[] = []
    const pending = [...targets]
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (seen.has(place)) continue
      seen.add(place)
      const instruction = this.#program.instructions[place]
      if (instruction?.op === 'split') pending.push(instruction.other, instruction.next)
      else if (instruction?.op !== 'assert' || instruction.assertion !== 'start' || before === 'start') at.push(place)
    }
    this.#steps += seen.size
    return { at: at.sort((a, b) => a - b), before }
  }

  /**
   * Returns the instructions that can take the next unit, or null on a match. Assertions are decided by `column`, the
   * class of the next unit; null is the end of the text.
   */
  #reach(state: State, column: number | null): readonly number[] | null {
    const seen = new Set<number>()
    const units: number[] = []
    const pending = [...state.at]
    for (let place = pending.pop(); place !== undefined; place = pending.pop()) {
      if (seen.has(place)) continue
      seen.add(place)
      const instruction = this.#program.instructions[place]
      switch (instruction?.op) {
        case 'match':
          return null
        case 'unit':
          units.push(place)
          break
        case 'split':
          pending.push(instruction.other, instruction.next)
          break
        case 'assert':
          if (this.#holds(instruction.assertion, state.before, column)) pending.push(instruction.next)
          break
      }
    }
    this.#steps += seen.size
    return units
  }

  #holds(assertion: AssertionKind, before: Before, column: number | null): boolean {
    if (assertion === 'start') return before === 'start'
    if (assertion === 'end') return column === null
    const isWord = column !== null && this.#program.alphabet.isWord[column] === true
    return (isWord !== (before === 'word')) === (assertion === 'word')
  }
}
