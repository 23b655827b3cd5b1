/**
 * A pattern as sets of positions: the position automaton (Glushkov, 1961), laid out for `matcher.ts`.
 *
 * A position is one leaf of the pattern with its repeats unrolled; a state is the set of positions that took the last
 * unit, one bit each. Between two units stands a boundary. What may follow there is the product of the last positions of one
 * part and the first positions of the next; assertions are decided by the boundary, so each kind of boundary has its own
 * sets, and the program is exact for the whole dialect.
 *
 * Products that come again at every turn of a repeat become shifts of the whole state by one distance; others stay
 * as pairs of sets. INVARIANT: the work of one unit is bounded by `work`, whatever the text is.
 */

import { type Alphabet, alphabetOf } from '../alphabet.js'
import type { AssertionKind, PatternNode } from '../ast.js'
import { type CharSet, hasUnit } from '../char-set.js'

/** A set of positions: the first word it touches, then its words from there on. */
export type Span = readonly number[]

/** What holds at one kind of boundary. */
export interface Boundary {
  /** The pattern matches without taking a unit. */
  readonly empty: boolean
  readonly first: Span
  readonly last: Span
  /** From each of these positions, to the one at this distance. */
  readonly shifts: readonly (readonly [distance: number, from: Span])[]
  /** From any of these positions, to all of those. */
  readonly links: readonly (readonly [from: Span, to: Span])[]
}

/** Numbers only, so that it can be written into a module. */
export interface PositionProgram {
  /** Words of a state. */
  readonly words: number
  readonly starts: readonly number[]
  readonly classes: readonly number[]
  /** For each class `UNIT`, or `WORD_UNIT` where the pattern asks for words. */
  readonly kinds: readonly number[]
  /** For each class the positions that take its units. */
  readonly takes: readonly Span[]
  /** By what stands before the boundary times 3 and what stands after it: `EDGE`, `UNIT` or `WORD_UNIT`. */
  readonly boundaries: readonly Boundary[]
  /** Most words that one unit reads. */
  readonly work: number
}

/** Start or end of the text. */
const EDGE = 0
const UNIT = 1
const WORD_UNIT = 2

export function positionProgram(node: PatternNode): PositionProgram {
  const alphabet = alphabetOf(node)
  const asks = assertionsOf(node)
  const asksForWords = asks.has('word') || asks.has('notWord')
  const positions: CharSet[] = []
  const boundaries: Boundary[] = []
  for (let kind = 0; kind < 9; kind += 1) {
    const same = asks.size === 0 ? boundaries[0] : undefined
    const boundary = same ?? new Linker(Math.floor(kind / 3), kind % 3, positions).boundary(node)
    boundaries.push(boundary)
  }
  const words = Math.max(1, Math.ceil(positions.length / 32))
  return {
    words,
    starts: alphabet.starts,
    classes: alphabet.classes,
    kinds: alphabet.isWord.map((isWord) => (asksForWords && isWord ? WORD_UNIT : UNIT)),
    takes: takenBy(positions, alphabet),
    boundaries,
    work: 3 * words + Math.max(...boundaries.map(workOf)),
  }
}

const size = (span: Span): number => span.length

function workOf({ last, shifts, links }: Boundary): number {
  let work = size(last)
  for (const [, from] of shifts) work += 2 * size(from)
  for (const [from, to] of links) work += size(from) + size(to)
  return work
}

function assertionsOf(node: PatternNode, into = new Set<AssertionKind>()): Set<AssertionKind> {
  if (node.kind === 'assert') into.add(node.assertion)
  else if (node.kind === 'repeat') assertionsOf(node.body, into)
  else if (node.kind === 'concat') for (const item of node.items) assertionsOf(item, into)
  else if (node.kind === 'alt') for (const branch of node.branches) assertionsOf(branch, into)
  return into
}

function takenBy(positions: readonly CharSet[], { starts, classes, size }: Alphabet): Span[] {
  return Array.from({ length: size }, (_, unitClass) => {
    const unit = starts[classes.indexOf(unitClass)] ?? 0
    return spanOf(positions.flatMap((set, position) => (hasUnit(set, unit) ? [position] : [])))
  })
}

function spanOf(positions: readonly number[]): Span {
  let [low, high] = [Number.POSITIVE_INFINITY, 0]
  for (const position of positions) {
    low = Math.min(low, position >> 5)
    high = Math.max(high, position >> 5)
  }
  if (positions.length === 0) return [0]
  const masks = new Array<number>(high - low + 1).fill(0)
  for (const position of positions) masks[(position >> 5) - low] = (masks[(position >> 5) - low] ?? 0) | (1 << position)
  return [low, ...masks]
}

/** What can begin and end a node, and whether it can take no unit. */
interface Part {
  readonly empty: boolean
  readonly first: readonly number[]
  readonly last: readonly number[]
}

const NOTHING: Part = { empty: true, first: [], last: [] }
/** An assertion that does not hold. */
const NEVER: Part = { ...NOTHING, empty: false }

/** Most pairs of a product that are looked at for distances. */
const MAX_PAIRS = 32

/** Walks the pattern for one kind of boundary and keeps every product of sets it meets. */
class Linker {
  readonly #before: number
  readonly #after: number
  readonly #positions: CharSet[]
  readonly #products: (readonly [from: readonly number[], to: readonly number[]])[] = []
  #count = 0

  constructor(before: number, after: number, positions: CharSet[]) {
    this.#before = before
    this.#after = after
    this.#positions = positions
  }

  boundary(node: PatternNode): Boundary {
    const { empty, first, last } = this.#part(node)
    return { empty, first: spanOf(first), last: spanOf(last), ...arrange(this.#products) }
  }

  #part(node: PatternNode): Part {
    switch (node.kind) {
      case 'empty':
        return NOTHING
      case 'assert':
        return this.#holds(node.assertion) ? NOTHING : NEVER
      case 'set': {
        const position = this.#count++
        this.#positions[position] = node.set
        return { empty: false, first: [position], last: [position] }
      }
      case 'concat':
        return node.items.reduce<Part>((before, item) => this.#sequence(before, this.#part(item)), NOTHING)
      case 'alt':
        return node.branches.map((branch) => this.#part(branch)).reduce(choice)
      case 'repeat':
        return this.#repeat(node.body, node.min, node.max)
    }
  }

  #sequence(a: Part, b: Part): Part {
    this.#link(a.last, b.first)
    return {
      empty: a.empty && b.empty,
      first: a.empty ? a.first.concat(b.first) : a.first,
      last: b.empty ? a.last.concat(b.last) : b.last,
    }
  }

  #link(from: readonly number[], to: readonly number[]): void {
    if (from.length > 0 && to.length > 0) this.#products.push([from, to])
  }

  /** `X{2,4}` as `XX(X(X)?)?`. */
  #repeat(body: PatternNode, min: number, max: number): Part {
    const isEndless = max === Number.POSITIVE_INFINITY
    const turns = Array.from({ length: isEndless ? Math.max(min, 1) : max }, () => this.#part(body))
    const last = turns.at(-1)
    if (last !== undefined && isEndless) this.#link(last.last, last.first)
    // Turns that take nothing may as well come last, unless an assertion ties them to their place.
    const canSkip = last?.empty === true && assertionsOf(body).size === 0
    const needed = canSkip ? 0 : min
    return turns.reduceRight<Part>((rest, turn, index) => {
      const sequence = this.#sequence(canSkip ? { ...turn, empty: false } : turn, rest)
      return index < needed ? sequence : { ...sequence, empty: true }
    }, NOTHING)
  }

  #holds(assertion: AssertionKind): boolean {
    if (assertion === 'start') return this.#before === EDGE
    if (assertion === 'end') return this.#after === EDGE
    const isBetween = (this.#before === WORD_UNIT) !== (this.#after === WORD_UNIT)
    return isBetween === (assertion === 'word')
  }
}

function choice(a: Part, b: Part): Part {
  return { empty: a.empty || b.empty, first: a.first.concat(b.first), last: a.last.concat(b.last) }
}

/** Products with the same distances, which the turns of a repeat have, become shifts where that is less work. */
function arrange(
  products: readonly (readonly [from: readonly number[], to: readonly number[]])[],
): Pick<Boundary, 'shifts' | 'links'> {
  const groups = new Map<string, { distances: Map<number, number[]>; links: (readonly [Span, Span])[]; work: number }>()
  const links: (readonly [Span, Span])[] = []
  const shifts = new Map<number, number[]>()
  for (const [from, to] of products) {
    const link = [spanOf(from), spanOf(to)] as const
    if (from.length * to.length > MAX_PAIRS) {
      links.push(link)
      continue
    }
    const pairs = from.flatMap((position) => to.map((next) => [next - position, position] as const))
    const key = pairs.map(([distance]) => distance).join()
    const group = groups.get(key) ?? { distances: new Map<number, number[]>(), links: [], work: 0 }
    groups.set(key, group)
    for (const [distance, position] of pairs) append(group.distances, distance, [position])
    group.links.push(link)
    group.work += size(link[0]) + size(link[1])
  }
  for (const { distances, links: own, work } of groups.values()) {
    const shifted = [...distances.values()].reduce((sum, positions) => sum + 2 * size(spanOf(positions)), 0)
    if (shifted > work) links.push(...own)
    else for (const [distance, positions] of distances) append(shifts, distance, positions)
  }
  return { shifts: [...shifts].map(([distance, positions]) => [distance, spanOf(positions)] as const), links }
}

function append(lists: Map<number, number[]>, key: number, positions: readonly number[]): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [...positions])
  else for (const position of positions) known.push(position)
}
