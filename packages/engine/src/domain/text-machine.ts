/**
 * Deterministic machines over UTF-16 units, built as they are walked: patterns, substrings, lists of texts, lengths.
 *
 * INVARIANT: a machine accepts exactly the texts that the engine's check is satisfied by (patterns: of texts up to the
 * engine's bound of 65,536 units). What cannot be modelled exactly gets no machine, never an approximate one.
 */

import type { PatternNode } from '../regex/ast.js'
import { type CharSet, hasUnit, single, WORD } from '../regex/char-set.js'

export interface TextMachine {
  /** Sets whose borders the alphabet must respect. */
  readonly sets: readonly CharSet[]
  readonly start: number
  step(state: number, unit: number): number
  /** Whether the text may end here. */
  accepts(state: number): boolean
  /** The answer of every continuation, or null while it is open. */
  settled(state: number): boolean | null
}

type Instruction =
  | { readonly kind: 'set'; readonly set: CharSet; next: number }
  | { readonly kind: 'split'; readonly to: number[] }
  | { readonly kind: 'assert'; readonly assertion: 'start' | 'end' | 'word' | 'notWord'; next: number }
  | { readonly kind: 'match' }

/** Thompson's construction, from the end backwards, so that each node knows what follows it. */
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
  /** Instructions that wait for the next unit. */
  readonly waiting: readonly number[]
  readonly before: Before
  readonly matched: boolean
}

/** An unanchored search: a match anywhere settles the text. */
export const patternMachine = (node: PatternNode): TextMachine => {
  const { program, start } = assemble(node)
  const sets: CharSet[] = []
  let readsWords = false
  for (const instruction of program) {
    if (instruction.kind === 'set') sets.push(instruction.set)
    if (instruction.kind === 'assert' && (instruction.assertion === 'word' || instruction.assertion === 'notWord')) {
      readsWords = true
    }
  }
  if (readsWords) sets.push(WORD)

  const states: PatternState[] = []
  const byName = new Map<string, number>()
  const steps = new Map<number, number>()
  const intern = (waiting: readonly number[], before: Before, matched: boolean): number => {
    const state: PatternState = matched ? { waiting: [], before: Before.other, matched } : { waiting, before, matched }
    const name = matched ? 'matched' : `${before} ${waiting.join(' ')}`
    const known = byName.get(name)
    if (known !== undefined) return known
    states.push(state)
    byName.set(name, states.length - 1)
    return states.length - 1
  }

  /** Instructions reachable without reading; null when a match is among them. `after` is null at the end. */
  const reach = (state: PatternState, after: boolean | null): readonly number[] | null => {
    const seen = new Set<number>()
    const stack = [...state.waiting, start]
    const found: number[] = []
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      const instruction = program[at]
      if (instruction === undefined) continue
      if (instruction.kind === 'match') return null
      if (instruction.kind === 'set') found.push(at)
      else if (instruction.kind === 'split') stack.push(...instruction.to)
      else if (asserted(instruction.assertion, state.before, after)) stack.push(instruction.next)
    }
    return found
  }

  /** Whether a search can begin behind the first unit at all. */
  const restarts = (() => {
    const seen = new Set<number>()
    const stack = [start]
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (seen.has(at)) continue
      seen.add(at)
      const instruction = program[at]
      if (instruction === undefined) continue
      if (instruction.kind === 'set' || instruction.kind === 'match') return true
      if (instruction.kind === 'split') stack.push(...instruction.to)
      else if (instruction.assertion !== 'start') stack.push(instruction.next)
    }
    return false
  })()

  return {
    sets,
    start: intern([], Before.nothing, false),
    step(at, unit) {
      const key = at * 0x10000 + unit
      const known = steps.get(key)
      if (known !== undefined) return known
      const state = states[at] as PatternState
      let next = at
      if (!state.matched) {
        const isWord = hasUnit(WORD, unit)
        const reached = reach(state, isWord)
        const before = readsWords && isWord ? Before.word : Before.other
        if (reached === null) next = intern([], before, true)
        else {
          const waiting = new Set<number>()
          for (const index of reached) {
            const instruction = program[index]
            if (instruction?.kind === 'set' && hasUnit(instruction.set, unit)) waiting.add(instruction.next)
          }
          next = intern(
            [...waiting].sort((a, b) => a - b),
            before,
            false,
          )
        }
      }
      steps.set(key, next)
      return next
    },
    accepts(at) {
      const state = states[at] as PatternState
      return state.matched || reach(state, null) === null
    },
    settled(at) {
      const state = states[at] as PatternState
      if (state.matched) return true
      return !restarts && state.waiting.length === 0 && state.before !== Before.nothing ? false : null
    },
  }
}

const asserted = (assertion: 'start' | 'end' | 'word' | 'notWord', before: Before, after: boolean | null): boolean => {
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

/** Lower-casing looks at neighbours for sigma and reads surrogates in pairs; such texts get no machine. */
const dependsOnNeighbours = /[\u03c2\u03c3\ud800-\udfff]/

const lowered = (unit: number): string => String.fromCharCode(unit).toLowerCase()

let sourcesByUnit: ReadonlyMap<number, readonly number[]> | undefined

/** For each unit, those that become it (or a text with it) in lower case, besides itself. */
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

/** `contains`: ignores case as the engine does. `text` is in lower case; null when no exact machine exists. */
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

/** Accepts exactly the listed texts. */
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
 * Counts units that are in `set`, and accepts when the count is allowed.
 *
 * @param cap Counts from here on are alike.
 */
export const countMachine = (
  set: CharSet | null,
  first: number,
  cap: number,
  allowed: (count: number) => boolean,
): TextMachine => {
  const answers = Array.from({ length: cap + 1 }, (_, count) => allowed(count))
  /** From which count on the answer no longer changes. */
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
