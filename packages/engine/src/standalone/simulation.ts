/**
 * The engine that `inline` modules carry: runs a program on all its paths at once, so a text of n units costs at most
 * n times the size of the program. No table, no state that grows.
 */

import { MAX_TEXT_UNITS } from '../regex/limits.js'

/** Kinds of instruction in the flat form. */
export const MATCH = 0
export const UNIT = 1
export const SPLIT = 2
export const AT_START = 3
export const AT_END = 4
export const AT_WORD = 5
export const NOT_AT_WORD = 6

/** One instruction: kind, the instruction after it, and its other branch or its set of classes. */
export type FlatInstruction = readonly [kind: number, next: number, extra: number]

/**
 * @param starts first unit of each range, ascending; `classes` has the class of each
 * @param words the classes of word characters
 * @param sets the classes that a `UNIT` takes, by its `extra`
 */
export function simulator(
  instructions: readonly FlatInstruction[],
  start: number,
  starts: readonly number[],
  classes: readonly number[],
  words: readonly number[],
  sets: readonly (readonly number[])[],
): (text: string) => boolean {
  const members = sets.map((set) => new Set(set))
  const wordClasses = new Set(words)
  const classOf = (unit: number): number => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] as number) <= unit) low = middle
      else high = middle - 1
    }
    return classes[low] as number
  }
  const seen = new Int32Array(instructions.length)
  let round = 0
  /** Follows everything that takes no unit; true on a match. Units to take are left in `units`. */
  const spread = (places: number[], units: number[], atStart: boolean, atEnd: boolean, atWord: boolean): boolean => {
    round += 1
    units.length = 0
    for (let place = places.pop(); place !== undefined; place = places.pop()) {
      if (seen[place] === round) continue
      seen[place] = round
      const [kind, next, extra] = instructions[place] as FlatInstruction
      if (kind === MATCH) return true
      if (kind === UNIT) units.push(place)
      else if (kind === SPLIT) places.push(extra, next)
      else if (kind === AT_START ? atStart : kind === AT_END ? atEnd : atWord === (kind === AT_WORD)) places.push(next)
    }
    return false
  }
  return (text) => {
    if (text.length > MAX_TEXT_UNITS) return false
    if (round > 2_000_000_000) {
      seen.fill(0)
      round = 0
    }
    const units: number[] = []
    const places = [start]
    let wasWord = false
    for (let at = 0; at <= text.length; at++) {
      const atEnd = at === text.length
      const unitClass = atEnd ? -1 : classOf(text.charCodeAt(at))
      const isWord = wordClasses.has(unitClass)
      if (spread(places, units, at === 0, atEnd, isWord !== wasWord)) return true
      places.length = 0
      for (const place of units) {
        const [, next, extra] = instructions[place] as FlatInstruction
        if (members[extra]?.has(unitClass) === true) places.push(next)
      }
      places.push(start)
      wasWord = isWord
    }
    return false
  }
}
