/**
 * Deterministic automata over UTF-16 units, built lazily: for patterns, substrings, lists of texts, and counts.
 *
 * INVARIANT: an automaton accepts exactly the texts that satisfy the engine's check (for patterns: texts up to the
 * engine's bound of 65,536 units). What cannot be modelled exactly gets no automaton, never an approximate one.
 */

import type { PatternNode } from '../regex/ast.js'
import { type CharSet, hasUnit, single, WORD } from '../regex/char-set.js'

export interface TextMachine {
  /** The sets whose borders the alphabet must respect. */
  readonly sets: readonly CharSet[]
  readonly start: number
  step(state: number, unit: number): number
  /** True when the text may end in this state. */
  accepts(state: number): boolean
  /** The answer when it is the same for every continuation; null while it is still open. */
  settled(state: number): boolean | null
}

type Assertion = 'start' | 'end' | 'word' | 'notWord'

type Instruction =
  | { readonly kind: 'set'; readonly set: CharSet; next: number }
  | { readonly kind: 'split'; readonly to: number[] }
  | { readonly kind: 'assert'; readonly assertion: Assertion; next: number }
  | { readonly kind: 'match' }

/** Thompson's construction, from the end of the pattern to its start, so that each node knows what follows it. */
const assemble = (node: PatternNode): { program: Instruction[]; start: number } => {
  const program: Instruction[] = [{ kind: 'match' }]
  const emit = (instruction: Instruction): number => program.push(instruction) - 1
  const build = (part: PatternNode, next: number): number => {
    switch (part.kind) {
      case 'empty':
        return next
      case 'set':
        return emit({ kind: 'set', set: part.set, next })
      case 'assert':
        return emit({ kind: 'assert', assertion: part.assertion, next })
      case 'concat':
        return part.items.reduceRight((after, item) => build(item, after), next)
      case 'alt':
        return emit({ kind: 'split', to: part.branches.map((branch) => build(branch, next)) })
      case 'repeat': {
        let after = next
        if (part.max === Number.POSITIVE_INFINITY) {
          const loop: Instruction & { kind: 'split' } = { kind: 'split', to: [next] }
          after = emit(loop)
          loop.to.push(build(part.body, after))
        } else {
          for (let count = part.min; count < part.max; count++) {
            after = emit({ kind: 'split', to: [next, build(part.body, after)] })
          }
        }
        for (let count = 0; count < part.min; count++) after = build(part.body, after)
        return after
      }
    }
  }
  const start = build(node, 0)
  return { program, start }
}

enum Before {
  nothing = 0,
  word = 1,
  other = 2,
}

interface PatternState {
  /** The instructions that wait for the next unit. */
  readonly waiting: readonly number[]
  readonly before: Before
  readonly matched: boolean
}

interface Program {
  readonly program: readonly Instruction[]
  readonly start: number
}

const checksWord = (instruction: Instruction): boolean =>
  instruction.kind === 'assert' && (instruction.assertion === 'word' || instruction.assertion === 'notWord')

/**
 * Returns the instructions that are reachable without reading a unit, each once; null when a match is among them.
 *
 * @param passes Returns whether an assertion holds at this place.
 */
const reachable = (
  { program }: Program,
  from: readonly number[],
  passes: (assertion: Assertion) => boolean,
): readonly number[] | null => {
  const seen = new Set<number>()
  const stack = [...from]
  const found: number[] = []
  for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
    if (seen.has(at)) continue
    seen.add(at)
    const instruction = program[at]
    if (instruction === undefined) continue
    if (instruction.kind === 'match') return null
    if (instruction.kind === 'set') found.push(at)
    else if (instruction.kind === 'split') stack.push(...instruction.to)
    else if (passes(instruction.assertion)) stack.push(instruction.next)
  }
  return found
}

/** True when a match can begin after the first unit. */
const canRestart = (machine: Program): boolean => {
  const found = reachable(machine, [machine.start], (assertion) => assertion !== 'start')
  return found === null || found.length > 0
}

/** Numbers the states of one pattern. */
class PatternStates {
  readonly #states: PatternState[] = []
  readonly #byName = new Map<string, number>()

  at(number: number): PatternState {
    return this.#states[number] as PatternState
  }

  matched(): number {
    return this.#intern('matched', { waiting: [], before: Before.other, matched: true })
  }

  waiting(waiting: readonly number[], before: Before): number {
    return this.#intern(`${before} ${waiting.join(' ')}`, { waiting, before, matched: false })
  }

  #intern(name: string, state: PatternState): number {
    const known = this.#byName.get(name)
    if (known !== undefined) return known
    const number = this.#states.push(state) - 1
    this.#byName.set(name, number)
    return number
  }
}

/** The instructions after those that read this unit, in order. */
const behind = ({ program }: Program, reached: readonly number[], unit: number): readonly number[] => {
  const waiting = new Set<number>()
  for (const index of reached) {
    const instruction = program[index]
    if (instruction?.kind === 'set' && hasUnit(instruction.set, unit)) waiting.add(instruction.next)
  }
  return [...waiting].sort((a, b) => a - b)
}

/** The automaton of an unanchored search: a match at any place settles the text as accepted. */
export const patternMachine = (node: PatternNode): TextMachine => {
  const machine = assemble(node)
  const readsWords = machine.program.some(checksWord)
  const restarts = canRestart(machine)
  const states = new PatternStates()
  const steps = new Map<number, number>()
  /** @param after True when the next unit is a word character; null at the end of the text. */
  const reach = ({ waiting, before }: PatternState, after: boolean | null) =>
    reachable(machine, [...waiting, machine.start], (assertion) => asserted(assertion, before, after))
  const next = (state: PatternState, unit: number): number => {
    const isWord = hasUnit(WORD, unit)
    const reached = reach(state, isWord)
    if (reached === null) return states.matched()
    return states.waiting(behind(machine, reached, unit), readsWords && isWord ? Before.word : Before.other)
  }
  return {
    sets: [
      ...machine.program.flatMap((each) => (each.kind === 'set' ? [each.set] : [])),
      ...(readsWords ? [WORD] : []),
    ],
    start: states.waiting([], Before.nothing),
    step(at, unit) {
      const key = at * 0x10000 + unit
      const known = steps.get(key)
      if (known !== undefined) return known
      const state = states.at(at)
      const to = state.matched ? at : next(state, unit)
      steps.set(key, to)
      return to
    },
    accepts(at) {
      const state = states.at(at)
      return state.matched || reach(state, null) === null
    },
    settled(at) {
      const state = states.at(at)
      if (state.matched) return true
      return !restarts && state.waiting.length === 0 && state.before !== Before.nothing ? false : null
    },
  }
}

const asserted = (assertion: Assertion, before: Before, after: boolean | null): boolean => {
  switch (assertion) {
    case 'start':
      return before === Before.nothing
    case 'end':
      return after === null
    case 'word':
      return (before === Before.word) !== (after === true)
    case 'notWord':
      return (before === Before.word) === (after === true)
  }
}

/** Lower-casing a sigma depends on its neighbours, and surrogates are read in pairs. Such texts get no automaton. */
const dependsOnNeighbours = /[\u03c2\u03c3\ud800-\udfff]/

const lowered = (unit: number): string => String.fromCharCode(unit).toLowerCase()

let sourcesByUnit: ReadonlyMap<number, readonly number[]> | undefined

/** The other units whose lower-case form is this unit or contains it. */
const sourcesOf = (unit: number): readonly number[] => {
  if (sourcesByUnit === undefined) {
    const sources = new Map<number, number[]>()
    for (let source = 0; source <= 0xffff; source++) {
      const lower = lowered(source)
      if (lower.length === 1 && lower.charCodeAt(0) === source) continue
      for (let at = 0; at < lower.length; at++) {
        const list = sources.get(lower.charCodeAt(at))
        if (list === undefined) sources.set(lower.charCodeAt(at), [source])
        else list.push(source)
      }
    }
    sourcesByUnit = sources
  }
  return sourcesByUnit.get(unit) ?? []
}

/**
 * The automaton of `contains`, case-insensitive as in the engine. `text` is in lower case. Null when no exact automaton
 * exists.
 */
export const substringMachine = (text: string): TextMachine | null => {
  if (dependsOnNeighbours.test(text)) return null
  const fallback = new Array<number>(text.length).fill(0)
  for (let at = 1, length = 0; at < text.length; at++) {
    while (length > 0 && text[at] !== text[length]) length = fallback[length - 1] ?? 0
    if (text[at] === text[length]) length += 1
    fallback[at] = length
  }
  const advance = (state: number, unit: number): number => {
    let length = state
    while (length > 0 && text.charCodeAt(length) !== unit) length = fallback[length - 1] ?? 0
    return text.charCodeAt(length) === unit ? length + 1 : length
  }
  const sets: CharSet[] = []
  for (const unit of new Set(Array.from({ length: text.length }, (_, at) => text.charCodeAt(at)))) {
    sets.push(single(unit), ...sourcesOf(unit).map(single))
  }
  return {
    sets,
    start: 0,
    step(state, unit) {
      let next = state
      const lower = lowered(unit)
      for (let at = 0; at < lower.length && next < text.length; at++) next = advance(next, lower.charCodeAt(at))
      return next
    },
    accepts: (state) => state === text.length,
    settled: (state) => (state === text.length ? true : null),
  }
}

/** The automaton that accepts exactly the listed texts. */
export const listMachine = (texts: Iterable<string>): TextMachine => {
  const OFF = 0
  const branches: Map<number, number>[] = [new Map(), new Map()]
  const ends = new Set<number>()
  const units = new Set<number>()
  for (const text of texts) {
    let node = 1
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at)
      units.add(unit)
      let next = branches[node]?.get(unit)
      if (next === undefined) {
        next = branches.push(new Map()) - 1
        branches[node]?.set(unit, next)
      }
      node = next
    }
    ends.add(node)
  }
  return {
    sets: [...units].map(single),
    start: 1,
    step: (state, unit) => branches[state]?.get(unit) ?? OFF,
    accepts: (state) => ends.has(state),
    settled: (state) => (state === OFF ? false : null),
  }
}

/**
 * Counts the units that are in `set`, and accepts when the count is allowed.
 *
 * @param cap From this count on, all counts have the same answer.
 */
export const countMachine = (
  set: CharSet | null,
  first: number,
  cap: number,
  allowed: (count: number) => boolean,
): TextMachine => {
  const answers = Array.from({ length: cap + 1 }, (_, count) => allowed(count))
  /** The count from which the answer no longer changes. */
  let stable = cap
  while (stable > 0 && answers[stable - 1] === answers[cap]) stable -= 1
  return {
    sets: set === null ? [] : [set],
    start: Math.min(first, cap),
    step: (state, unit) => (set === null || hasUnit(set, unit) ? Math.min(state + 1, cap) : state),
    accepts: (state) => answers[state] === true,
    settled: (state) => (state >= stable ? answers[cap] === true : null),
  }
}
