/**
 * A pattern as sets of positions: the position automaton (Glushkov, 1961), in the layout that `step.ts` reads.
 *
 * A position is one leaf of the pattern with its repeats unrolled. A state is the set of positions that took the last
 * unit, one bit for each position. Between two units is a boundary. The positions that may follow there are the product
 * of the last positions of one part and the first positions of the next. The boundary also decides assertions, so each
 * kind of boundary has its own sets, and the program is exact for the whole dialect.
 *
 * Products that recur at every turn of a repeat become shifts of the whole state by one distance. Other products stay
 * pairs of sets. INVARIANT: `work` bounds the cost of one unit, whatever the text is.
 */

import { type Alphabet, alphabetOf } from '../alphabet.js'
import type { AssertionKind, PatternNode } from '../ast.js'
import { type CharSet, hasUnit } from '../char-set.js'

/** A set of positions: the index of its first word, then its words from there on. */
export type Span = readonly number[]

/** What applies at one kind of boundary. */
export interface Boundary {
  /** True when the pattern matches without taking a unit. */
  readonly empty: boolean
  readonly first: Span
  readonly last: Span
  /** From each position in `from`, to the position at this distance. */
  readonly shifts: readonly (readonly [distance: number, from: Span])[]
  /** From any position in `from`, to all positions in `to`. */
  readonly links: readonly (readonly [from: Span, to: Span])[]
}

/** Contains only numbers and booleans, so that it can be written into a module. */
export interface PositionProgram {
  /** The number of words of a state. */
  readonly words: number
  readonly starts: readonly number[]
  readonly classes: readonly number[]
  /** For each class `UNIT`; or `WORD_UNIT` for word characters, when the pattern asks for word boundaries. */
  readonly kinds: readonly number[]
  /** For each class, the positions that take its units. */
  readonly takes: readonly Span[]
  /** By 3 times the kind before the boundary plus the kind after it. The kinds are `EDGE`, `UNIT` and `WORD_UNIT`. */
  readonly boundaries: readonly Boundary[]
  /** The most words that one unit reads. */
  readonly work: number
}

/** The start or the end of the text. */
export const EDGE = 0
const UNIT = 1
const WORD_UNIT = 2

/** 3 times the kind before a boundary plus the kind after it. */
const KINDS: readonly number[] = Array.from({ length: 9 }, (_, kind) => kind)
const sidesOf = (kind: number): readonly [before: number, after: number] => [Math.floor(kind / 3), kind % 3]
const isBetweenUnits = (kind: number): boolean => !sidesOf(kind).includes(EDGE)

export function positionProgram(node: PatternNode): PositionProgram {
  const alphabet = alphabetOf(node)
  const asks = assertionsOf(node)
  const asksForWords = asks.has('word') || asks.has('notWord')
  const positions: CharSet[] = []
  const truthOf = (kind: number) => [...asks].map((assertion) => holds(assertion, ...sidesOf(kind))).join()
  // A state has transitions only where units are on both sides. At an edge, a match can only begin or end.
  const withMoves = new Set(KINDS.filter(isBetweenUnits).map(truthOf))
  // Boundaries at which the same assertions of the pattern hold are equivalent.
  const distinct = new Map<string, Boundary>()
  const boundaries = KINDS.map((kind) => {
    const truth = truthOf(kind)
    const boundary = distinct.get(truth) ?? new Linker(kind, positions).boundary(node, withMoves.has(truth))
    distinct.set(truth, boundary)
    return boundary
  })
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
  let [low, high] = [Infinity, 0]
  for (const position of positions) {
    low = Math.min(low, position >> 5)
    high = Math.max(high, position >> 5)
  }
  if (positions.length === 0) return [0]
  const masks = new Array<number>(high - low + 1).fill(0)
  for (const position of positions) masks[(position >> 5) - low] = (masks[(position >> 5) - low] ?? 0) | (1 << position)
  return [low, ...masks]
}

/** The positions that can begin and end a node, and whether it can match without taking a unit. */
interface Part {
  readonly empty: boolean
  readonly first: readonly number[]
  readonly last: readonly number[]
}

const NOTHING: Part = { empty: true, first: [], last: [] }
/** An assertion that does not hold. */
const NEVER: Part = { ...NOTHING, empty: false }

/** The most pairs of a product whose distances are computed. */
const MAX_PAIRS = 32

/** Walks the pattern for one kind of boundary and records every product of sets. */
class Linker {
  readonly #kind: number
  readonly #positions: CharSet[]
  readonly #products: Product[] = []
  #count = 0

  constructor(kind: number, positions: CharSet[]) {
    this.#kind = kind
    this.#positions = positions
  }

  boundary(node: PatternNode, withMoves: boolean): Boundary {
    const { empty, first, last } = this.#part(node)
    return { empty, first: spanOf(first), last: spanOf(last), ...arrange(withMoves ? this.#products : []) }
  }

  #part(node: PatternNode): Part {
    switch (node.kind) {
      case 'empty':
        return NOTHING
      case 'assert':
        return holds(node.assertion, ...sidesOf(this.#kind)) ? NOTHING : NEVER
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

  /** Unrolls a repeat: `X{2,4}` as `XX(X(X)?)?`. */
  #repeat(body: PatternNode, min: number, max: number): Part {
    const isEndless = max === Infinity
    const turns = Array.from({ length: isEndless ? Math.max(min, 1) : max }, () => this.#part(body))
    const last = turns.at(-1)
    if (last !== undefined && isEndless) this.#link(last.last, last.first)
    // Turns that take nothing can all come last, unless an assertion ties them to their place.
    const canSkip = last?.empty === true && assertionsOf(body).size === 0
    const needed = canSkip ? 0 : min
    return turns.reduceRight<Part>((rest, turn, index) => {
      const sequence = this.#sequence(canSkip ? { ...turn, empty: false } : turn, rest)
      return index < needed ? sequence : { ...sequence, empty: true }
    }, NOTHING)
  }
}

function holds(assertion: AssertionKind, before: number, after: number): boolean {
  if (assertion === 'start') return before === EDGE
  if (assertion === 'end') return after === EDGE
  const isBetween = (before === WORD_UNIT) !== (after === WORD_UNIT)
  return isBetween === (assertion === 'word')
}

function choice(a: Part, b: Part): Part {
  return { empty: a.empty || b.empty, first: a.first.concat(b.first), last: a.last.concat(b.last) }
}

type Product = readonly [from: readonly number[], to: readonly number[]]

/** Turns products with the same distances, as the turns of a repeat have them, into shifts when that is less work. */
function arrange(products: readonly Product[]): Pick<Boundary, 'shifts' | 'links'> {
  const linked: Product[] = []
  const groups = new Map<string, Product[]>()
  for (const product of products) {
    const [from, to] = product
    if (from.length * to.length > MAX_PAIRS) linked.push(product)
    else appendTo(groups, distancesOf(product), product)
  }
  const shifts = new Map<number, number[]>()
  for (const group of groups.values()) {
    const own = new Map<number, number[]>()
    let work = 0
    for (const [from, to] of group) {
      work += sizeOf(from) + sizeOf(to)
      for (const position of from) for (const next of to) appendTo(own, next - position, position)
    }
    for (const positions of own.values()) work -= 2 * sizeOf(positions)
    if (work < 0) linked.push(...group)
    else for (const [distance, positions] of own) for (const each of positions) appendTo(shifts, distance, each)
  }
  return {
    shifts: [...shifts].map(([distance, positions]) => [distance, spanOf(positions)] as const),
    links: linked.map(([from, to]) => [spanOf(from), spanOf(to)] as const),
  }
}

function distancesOf([from, to]: Product): string {
  let distances = ''
  for (const position of from) for (const next of to) distances += `${next - position},`
  return distances
}

/** The number of entries in the span of these positions. */
function sizeOf(positions: readonly number[]): number {
  let [low, high] = [Infinity, 0]
  for (const position of positions) {
    low = Math.min(low, position >> 5)
    high = Math.max(high, position >> 5)
  }
  return high - low + 2
}

function appendTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const known = lists.get(key)
  if (known === undefined) lists.set(key, [value])
  else known.push(value)
}
