/**
 * The domain of numbers: the number line, cut at every constant of the checks.
 *
 * INVARIANT: between two neighbouring cuts the verdict of a check cannot change, unless it is a pattern, so one number
 * of a cell decides the whole cell. When no double exists between two neighbouring cuts, that cell is empty.
 */

import type { Check } from '../operator/check.js'
import { Op } from '../operator/op.js'
import { parsePattern } from '../regex/parse.js'
import { checkHolds } from './literal.js'
import { patternMachine } from './text-machine.js'
import { type Demand, searchText } from './text-search.js'

export interface NumberTest {
  readonly check: Check
  readonly holds: boolean
}

const testMet = (test: NumberTest, value: number): boolean => checkHolds(test.check, value) === test.holds

/** Every number at which the verdict of a check may change. */
const cutsOf = (tests: readonly NumberTest[]): number[] => {
  const cuts = new Set<number>([0])
  for (const { check } of tests) {
    if (Number.isFinite(check.number)) cuts.add(check.number === 0 ? 0 : check.number)
    if (check.numbers !== null) for (const number of check.numbers) cuts.add(number === 0 ? 0 : number)
  }
  return [...cuts].sort((a, b) => a - b)
}

const bits = new DataView(new ArrayBuffer(8))

/** The next double above `value`; Infinity above the largest double. */
export const nextUp = (value: number): number => {
  if (value === 0) return Number.MIN_VALUE
  bits.setFloat64(0, value)
  bits.setBigInt64(0, bits.getBigInt64(0) + (value > 0 ? 1n : -1n))
  return bits.getFloat64(0)
}

export const nextDown = (value: number): number => -nextUp(-value)

export interface NumberCell {
  /** Exclusive bounds of a gap. For a point, both are the same number. */
  readonly low: number
  readonly high: number
  /** A short number inside the cell, for people to read. */
  readonly sample: number
}

/** The points and gaps of the whole line, in ascending order. */
const numberCells = (cuts: readonly number[]): NumberCell[] => {
  const cells: NumberCell[] = []
  const gap = (low: number, high: number): void => {
    const sample = plainBetween(low, high)
    if (sample !== null) cells.push({ low, high, sample })
  }
  gap(Number.NEGATIVE_INFINITY, cuts[0] ?? 0)
  cuts.forEach((cut, index) => {
    cells.push({ low: cut, high: cut, sample: cut })
    gap(cut, cuts[index + 1] ?? Number.POSITIVE_INFINITY)
  })
  return cells
}

/** A short number strictly between the two, or null when no double is between them. */
const plainBetween = (low: number, high: number): number | null => {
  const inside = (value: number): boolean => Number.isFinite(value) && value > low && value < high
  const middle = low / 2 + high / 2
  for (const candidate of [
    Math.floor(low) + 1,
    Math.ceil(high) - 1,
    Math.round(middle),
    Number(middle.toPrecision(3)),
    middle,
    nextUp(low),
    nextDown(high),
  ]) {
    if (inside(candidate)) return candidate
  }
  return null
}

/** The cells in which every test other than a pattern is met. The caller must test the patterns. */
export const openCells = (tests: readonly NumberTest[]): NumberCell[] => {
  const plain = tests.filter(({ check }) => check.op !== Op.matches)
  return numberCells(cutsOf(plain)).filter((cell) => plain.every((test) => testMet(test, cell.sample)))
}

/** An inclusive range of whole numbers. */
interface IntegerRange {
  readonly low: number
  readonly high: number
}

export interface IntegerSet {
  readonly ranges: readonly IntegerRange[]
  /** False when patterns on the number were left out, so that the set may be too large. */
  readonly exact: boolean
}

const MAX_LISTED = 400

/** The whole numbers from `from` upwards that meet every test. Used for lengths, counts and line counts. */
export const integersMeeting = (tests: readonly NumberTest[], from: number): IntegerSet => {
  const ranges: IntegerRange[] = []
  for (const cell of openCells(tests)) {
    const low = Math.max(from, cell.low === cell.high ? Math.ceil(cell.low) : Math.floor(cell.low) + 1)
    const high = cell.low === cell.high ? Math.floor(cell.high) : Math.ceil(cell.high) - 1
    if (low <= high) ranges.push({ low, high })
  }
  const patterns = tests.filter(({ check }) => check.op === Op.matches)
  if (patterns.length === 0) return { ranges, exact: true }
  const size = ranges.reduce((sum, { low, high }) => sum + (high - low + 1), 0)
  if (size > MAX_LISTED && !someIntegerMatches(patterns)) return { ranges: [], exact: true }
  const listed: IntegerRange[] = []
  let left = MAX_LISTED
  for (const { low, high } of ranges) {
    let value = low
    for (; value <= high && left > 0; value++, left--) {
      if (patterns.every((test) => testMet(test, value))) listed.push({ low: value, high: value })
    }
    if (value <= high) listed.push({ low: value, high })
  }
  return { ranges: listed, exact: size <= MAX_LISTED }
}

/** True when the text of some whole number meets the patterns, and also when that cannot be decided. */
const someIntegerMatches = (patterns: readonly NumberTest[]): boolean => {
  const demands: Demand[] = []
  const add = (pattern: string, accepts: boolean): void => {
    const parsed = parsePattern(pattern)
    if ('node' in parsed) demands.push({ machine: patternMachine(parsed.node), accepts })
  }
  add('^(?:0|[1-9]\\d*)$', true)
  for (const { check, holds } of patterns) add(check.text, holds)
  return searchText(demands).status !== 'none'
}

export const hasInteger = (set: IntegerSet, value: number): boolean =>
  set.ranges.some(({ low, high }) => value >= low && value <= high)

/** The smallest member that is at least `from`, or null. */
export const integerFrom = (set: IntegerSet, from: number): number | null => {
  for (const { low, high } of set.ranges) if (high >= from) return Math.max(low, from)
  return null
}

/** At most `most` members to try, small ones first. */
export const someIntegers = (set: IntegerSet, most: number): number[] => {
  const values = new Set<number>()
  for (const { low, high } of set.ranges) {
    for (const value of [low, low + 1, low + 2, high]) {
      if (value >= low && value <= high && Number.isSafeInteger(value) && values.size < most) values.add(value)
    }
  }
  return [...values]
}
