/**
 * Moves the state of a position automaton over one unit, on all its paths at once, 32 positions in one operation. The
 * cost is bounded by the program's `work`.
 */

import { type Boundary, EDGE, type PositionProgram } from './program.js'

/** The results of `step`: what a unit did to a state. */
export const MATCHED = 0
/** Nothing that follows can match. */
export const FAILED = 1
/** No position is live, but a match can begin later. */
export const EMPTY = 2
export const LIVE = 3

export interface Stepper {
  /** The number of words of a state. */
  readonly words: number
  /** The classes of units; `kinds` has one entry for each. */
  readonly kinds: readonly number[]
  classOf(unit: number): number
  /**
   * Moves `state`, in place, over a unit of the class.
   *
   * @param isLive True when `state` has a position. Without one it is all zeros.
   * @param before The kind before the unit: `EDGE` or an entry of `kinds`.
   */
  step(state: Int32Array, isLive: boolean, before: number, unitClass: number): number
  /** True when the text may end here. */
  endsMatched(state: Int32Array, isLive: boolean, before: number): boolean
}

/** The sets of one boundary as flat arrays. */
interface Tables {
  readonly empty: boolean
  readonly first: Int32Array
  readonly last: Int32Array
  /** For each shift: words and bits of the distance, the index of the first word, the number of words, the words. */
  readonly shifts: Int32Array
  /**
   * For each link, for the one set and then for the other: the index of the first word, the number of words, the words.
   */
  readonly links: Int32Array
}

export function stepperOf(program: PositionProgram): Stepper {
  const { words, starts, classes, kinds } = program
  const tables = program.boundaries.map(tablesOf)
  const takes = program.takes.map((span) => Int32Array.from(span))
  // True when a match can begin only at the start of the text.
  const isAnchored = tables.every(({ empty, first }, kind) => kind < 3 || (!empty && first.length === 1))
  const search = (unit: number): number => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] as number) <= unit) low = middle
      else high = middle - 1
    }
    return classes[low] as number
  }
  const ascii = Int32Array.from({ length: 128 }, (_, unit) => search(unit))
  /** The positions that may take the next unit. One extra word at each end, which shifts may touch but never fill. */
  const next = new Int32Array(words + 2)

  return {
    words,
    kinds,
    classOf: (unit) => (unit < 128 ? (ascii[unit] as number) : search(unit)),
    step(state, isLive, before, unitClass) {
      const boundary = tables[before * 3 + (kinds[unitClass] as number)] as Tables
      if (boundary.empty || (isLive && meets(state, boundary.last))) return MATCHED
      const taking = takes[unitClass] as Int32Array
      if (isLive) {
        // A loop, because on lists this short it is faster than `fill`.
        for (let i = 0; i < next.length; i++) next[i] = 0
        shift(state, boundary.shifts, next)
        link(state, boundary.links, next)
        add(boundary.first, next)
        return takeFrom(next, taking, state) ? LIVE : EMPTY
      }
      if (isAnchored && before !== EDGE) return FAILED
      return begin(boundary.first, taking, state) ? LIVE : EMPTY
    },
    endsMatched(state, isLive, before) {
      const end = tables[before * 3] as Tables
      return end.empty || (isLive && meets(state, end.last))
    },
  }
}

function tablesOf({ empty, first, last, shifts, links }: Boundary): Tables {
  const sized = ([from = 0, ...masks]: readonly number[]) => [from, masks.length, ...masks]
  return {
    empty,
    first: Int32Array.from(first),
    last: Int32Array.from(last),
    shifts: Int32Array.from(shifts.flatMap(([distance, from]) => [distance >> 5, distance & 31, ...sized(from)])),
    links: Int32Array.from(links.flatMap(([from, to]) => [...sized(from), ...sized(to)])),
  }
}

function meets(state: Int32Array, span: Int32Array): boolean {
  const from = (span[0] as number) - 1
  for (let i = 1; i < span.length; i++) if (((state[from + i] as number) & (span[i] as number)) !== 0) return true
  return false
}

function shift(state: Int32Array, shifts: Int32Array, next: Int32Array): void {
  for (let at = 0; at < shifts.length; ) {
    const bits = shifts[at + 1] as number
    const from = shifts[at + 2] as number
    const count = shifts[at + 3] as number
    const to = from + (shifts[at] as number) + 1
    at += 4
    for (let i = 0; i < count; i++) {
      const moved = (state[from + i] as number) & (shifts[at + i] as number)
      if (moved === 0) continue
      next[to + i] = (next[to + i] as number) | (moved << bits)
      if (bits > 0) next[to + i + 1] = (next[to + i + 1] as number) | (moved >>> (32 - bits))
    }
    at += count
  }
}

function link(state: Int32Array, links: Int32Array, next: Int32Array): void {
  for (let at = 0; at < links.length; ) {
    const from = links[at] as number
    const end = (links[at + 1] as number) + at + 2
    let any = 0
    for (let i = at + 2; i < end; i++) any |= (state[from + i - at - 2] as number) & (links[i] as number)
    const to = (links[end] as number) + 1
    const count = links[end + 1] as number
    at = end + 2
    if (any !== 0) for (let i = 0; i < count; i++) next[to + i] = (next[to + i] as number) | (links[at + i] as number)
    at += count
  }
}

function add(span: Int32Array, next: Int32Array): void {
  const from = span[0] as number
  for (let i = 1; i < span.length; i++) next[from + i] = (next[from + i] as number) | (span[i] as number)
}

/** Computes the state after a unit. Returns true when a position is left. */
function takeFrom(next: Int32Array, takes: Int32Array, state: Int32Array): boolean {
  const from = takes[0] as number
  let any = 0
  for (let i = 0; i < state.length; i++) {
    const at = i - from + 1
    const taken = at > 0 && at < takes.length ? (next[i + 1] as number) & (takes[at] as number) : 0
    state[i] = taken
    any |= taken
  }
  return any !== 0
}

/**
 * Like `takeFrom` for a state without a live position: only first positions can take the unit. `state` must be all
 * zeros.
 */
function begin(first: Int32Array, takes: Int32Array, state: Int32Array): boolean {
  const from = first[0] as number
  const offset = from - (takes[0] as number)
  let any = 0
  for (let i = 1; i < first.length; i++) {
    const at = i + offset
    if (at < 1 || at >= takes.length) continue
    const taken = (first[i] as number) & (takes[at] as number)
    state[from + i - 1] = taken
    any |= taken
  }
  return any !== 0
}
