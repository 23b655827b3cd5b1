/**
 * Solves one place in an entity, with all demands on it and on the places below it.
 *
 * The value is absent or has one of five types, and each case is decided on its own. INVARIANT: `none` for a type is a
 * proof from demands that no value of that type can escape. A value that is found has been tested with every literal of
 * the place.
 */

import type { Check } from '../operator/check.js'
import { Op } from '../operator/op.js'
import type { JsonValue } from '../types.js'
import { isMemberCheck, type MemberTest, membersMeeting } from './element-domain.js'
import {
  applyCalls,
  checkHolds,
  firstFound,
  found,
  type Literal,
  meets,
  none,
  type PlaceNode,
  type Search,
  unknown,
} from './literal.js'
import {
  hasInteger,
  type IntegerSet,
  integerFrom,
  integersMeeting,
  type NumberTest,
  openCells,
  someIntegers,
} from './number-domain.js'
import { searchNumberText, solveText } from './text-domain.js'

/** The largest list or object that is built. */
const MAX_BUILT = 5_000

export const solvePlace = (node: PlaceNode): Search<unknown> => {
  if (meets(node, undefined)) return found(undefined)
  return solvePresent(node)
}

/** Like `solvePlace`, for a value that is present. */
const solvePresent = (node: PlaceNode): Search<unknown> =>
  firstFound<unknown>([
    () => solveNumber(node),
    () => solveString(node),
    () => solveBoolean(node),
    () => solveArray(node),
    () => solveObject(node),
  ])

const callsKey = (literal: Literal): string => literal.path.calls.join()

/** Checks the literals whose verdict depends on the type alone. Any value of the type can be the sample. */
const constantsMet = (literals: readonly Literal[], sample: unknown): boolean =>
  literals.every(({ check, path, holds }) => checkHolds(check, applyCalls(path.calls, sample)) === holds)

const childrenAbsentMet = (node: PlaceNode): boolean => {
  for (const child of node.children.values()) if (!meets(child, undefined)) return false
  return true
}

const split = (
  literals: readonly Literal[],
  varies: (literal: Literal) => boolean,
): { varying: Literal[]; constant: Literal[] } => {
  const varying: Literal[] = []
  const constant: Literal[] = []
  for (const literal of literals) (varies(literal) ? varying : constant).push(literal)
  return { varying, constant }
}

const solveBoolean = (node: PlaceNode): Search<unknown> => {
  for (const value of [true, false]) if (meets(node, value)) return found(value)
  return none
}

const variesOnNumber = new Set<Op>([
  Op.equalText,
  Op.notEqualText,
  Op.in,
  Op.notIn,
  Op.greater,
  Op.greaterOrEqual,
  Op.less,
  Op.lessOrEqual,
  Op.countGreater,
  Op.countLess,
  Op.lengthGreater,
  Op.lengthLess,
  Op.matches,
  Op.notEmpty,
])

const solveNumber = (node: PlaceNode): Search<unknown> => {
  const { varying, constant } = split(
    node.own,
    ({ check, path }) => path.calls.length === 0 && variesOnNumber.has(check.op),
  )
  if (!childrenAbsentMet(node) || !constantsMet(constant, 1)) return none
  const verify = (value: number): boolean => meets(node, value)
  const patterns = varying.filter(({ check }) => check.op === Op.matches)
  const tests: NumberTest[] = varying
  const attempts = openCells(tests).map((cell) => (): Search<number> => {
    if (verify(cell.sample)) return found(cell.sample)
    if (patterns.length === 0 || cell.low === cell.high) return none
    for (const value of [cell.sample + 1, cell.sample + 0.5, cell.sample - 1, 10, 100, -1]) {
      if (value > cell.low && value < cell.high && verify(value)) return found(value)
    }
    return searchNumberText(patterns, cell, verify)
  })
  return firstFound(attempts)
}

const variesOnText = new Set<Op>([
  Op.equalText,
  Op.notEqualText,
  Op.in,
  Op.notIn,
  Op.greater,
  Op.greaterOrEqual,
  Op.less,
  Op.lessOrEqual,
  Op.lengthGreater,
  Op.lengthLess,
  Op.contains,
  Op.notContains,
  Op.matches,
  Op.notEmpty,
])

const solveString = (node: PlaceNode): Search<unknown> => {
  const { varying, constant } = split(node.own, ({ check, path }) => {
    const calls = path.calls.join()
    return calls === '' ? variesOnText.has(check.op) : calls === '$length' || calls === '$lines'
  })
  if (!childrenAbsentMet(node) || !constantsMet(constant, 'x')) return none
  return solveText(varying, (text) => meets(node, text))
}

const isCountCheck = (op: Op): boolean => op === Op.countGreater || op === Op.countLess

const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value)

/** The constants that a check compares deeply, for one kind of container. */
const deepConstants = (literals: readonly Literal[], arrays: boolean): JsonValue[] =>
  literals.flatMap(({ check }) =>
    (check.op === Op.equalDeep || check.op === Op.notEqualDeep) &&
    check.deep !== null &&
    typeof check.deep === 'object' &&
    isArray(check.deep) === arrays
      ? [check.deep]
      : [],
  )

/** True when the value must be one of the deep constants. */
const mustBeConstant = (literals: readonly Literal[], arrays: boolean): boolean =>
  literals.some(({ check, holds }) => {
    if (check.deep === null || isArray(check.deep) !== arrays) return false
    return check.op === Op.equalDeep ? holds : check.op === Op.notEqualDeep && !holds
  })

const solveArray = (node: PlaceNode): Search<unknown> => {
  const { varying, constant } = split(node.own, ({ check, path }) => {
    const calls = path.calls.join()
    if (calls === '$count') return true
    if (calls !== '') return false
    if (check.op === Op.equalDeep || check.op === Op.notEqualDeep) return isArray(check.deep)
    return isMemberCheck(check.op) || isCountCheck(check.op) || check.op === Op.notEmpty
  })
  if (!constantsMet(constant, [])) return none
  const indexed = new Map<number, PlaceNode[]>()
  const counts: NumberTest[] = []
  for (const [segment, child] of node.children) {
    if (segment === 'length') {
      const own = split(child.own, ({ path }) => path.calls.length === 0)
      if (!childrenAbsentMet(child) || !constantsMet(own.constant, 1)) return none
      counts.push(...own.varying)
    } else if (/^\d+$/.test(segment)) indexed.set(Number(segment), [...(indexed.get(Number(segment)) ?? []), child])
    else if (!meets(child, undefined)) return none
  }
  const constants = deepConstants(varying, true)
  for (const value of [[], ...constants]) if (meets(node, value)) return found(value)
  if (mustBeConstant(varying, true)) return none

  const members: MemberTest[] = []
  for (const literal of varying) {
    if (callsKey(literal) === '$count' || isCountCheck(literal.check.op)) counts.push(literal)
    else if (isMemberCheck(literal.check.op)) members.push(literal)
    else if (literal.check.op === Op.notEmpty && !literal.holds) return none
  }
  const allowedCounts = integersMeeting(counts, 1)
  const [mostRange] = allowedCounts.ranges.slice(-1)
  if (mostRange === undefined) return none
  const { allowed, needed, complete } = membersMeeting(members, false, [], mostRange.high)
  if (complete && (allowed.length === 0 || needed === null)) return none
  return fillArray(node, indexed, allowed, needed ?? [], allowedCounts, constants)
}

const tooMany = 'a list or an object would have to be too large to build'
const intertwined = 'conditions on a container and on its members meet in one value'

const fillArray = (
  node: PlaceNode,
  indexed: ReadonlyMap<number, readonly PlaceNode[]>,
  allowed: readonly unknown[],
  needed: readonly unknown[],
  counts: IntegerSet,
  constants: readonly JsonValue[],
): Search<unknown> => {
  const placed = new Map<number, unknown>()
  let doubt: Search<unknown> = none
  for (const [index, places] of indexed) {
    for (const place of places) {
      const value = solvePlace(place)
      if (value.status === 'none') return none
      if (value.status === 'unknown') doubt = value
      else if (value.value !== undefined) placed.set(index, value.value)
    }
  }
  const last = Math.max(-1, ...placed.keys())
  if (last >= MAX_BUILT) return unknown(tooMany)
  for (const filling of [...allowed.slice(0, 4), 'x', null]) {
    const elements: unknown[] = []
    const waiting = [...needed]
    for (let index = 0; index <= last; index++) {
      elements.push(placed.has(index) ? placed.get(index) : waiting.length > 0 ? waiting.shift() : filling)
    }
    elements.push(...waiting)
    for (const size of sizesFrom(counts, Math.max(1, elements.length))) {
      const value = [...elements, ...new Array<unknown>(size - elements.length).fill(filling)]
      if (meets(node, value)) return found(value)
      const reversed = [...value].reverse()
      if (meets(node, reversed)) return found(reversed)
    }
  }
  if (doubt.status === 'unknown') return doubt
  const tooLarge = sizesFrom(counts, 1).length === 0
  return unknown(tooLarge ? tooMany : constants.length > 0 ? 'too many lists are excluded one by one' : intertwined)
}

const sizesFrom = (counts: IntegerSet, least: number): number[] => {
  const first = integerFrom(counts, least)
  if (first === null) return []
  return [...new Set([first, first + 1, first + 2, ...someIntegers(counts, 8)])].filter(
    (size) => size >= least && size <= MAX_BUILT && hasInteger(counts, size),
  )
}

const solveObject = (node: PlaceNode): Search<unknown> => {
  const { varying, constant } = split(node.own, ({ check, path }) => {
    const calls = path.calls.join()
    if (calls === '$count' || calls === '$keys' || calls === '$count,$keys') return true
    if (calls !== '') return false
    if (check.op === Op.equalDeep || check.op === Op.notEqualDeep) return !isArray(check.deep)
    return isCountCheck(check.op) || check.op === Op.notEmpty
  })
  if (!constantsMet(constant, {})) return none
  const direct = varying.filter(({ path }) => path.calls.length === 0)
  for (const value of [{}, ...deepConstants(direct, false)]) if (meets(node, value)) return found(value)
  if (mustBeConstant(direct, false)) return none

  const counts: NumberTest[] = []
  const keyTests: MemberTest[] = []
  const keyLists: Check[] = []
  for (const literal of varying) {
    const { check, holds } = literal
    const calls = callsKey(literal)
    if (calls === '$count' || calls === '$count,$keys' || isCountCheck(check.op)) counts.push(literal)
    else if (calls === '$keys' && isMemberCheck(check.op)) keyTests.push(literal)
    else if (calls === '$keys' && check.op === Op.equalDeep) {
      if (holds && !isArray(check.deep)) return none
      if (holds) keyLists.push(check)
    } else if (calls === '$keys' && check.op === Op.notEqualDeep) {
      if (holds && !isArray(check.deep)) return none
      if (!holds && isArray(check.deep)) keyLists.push(check)
    } else if (check.op === Op.notEmpty) {
      if (!holds) return none
    } else if (calls === '$keys' && checkHolds(check, ['x']) !== holds) return none
  }
  const required = [...node.children].filter(([, child]) => !meets(child, undefined)).map(([key]) => key)
  const allowedCounts = integersMeeting(counts, Math.max(1, required.length))
  const [mostRange] = allowedCounts.ranges.slice(-1)
  if (mostRange === undefined) return none
  const names = [...node.children.keys()]
  const keys = membersMeeting(keyTests, true, required, mostRange.high, names)
  const forbidden = required.some((key) =>
    keyTests.some((test) => !membersMeeting([test], true, [], Number.POSITIVE_INFINITY, [key]).allowed.includes(key)),
  )
  if (forbidden) return none
  if (keys.complete && (keys.allowed.length === 0 || keys.needed === null)) return none
  // When every key must be in a list, that list also limits how many keys are possible.
  const closed = keyTests.some(({ check, holds }) => check.op === Op.in && holds)
  const leastCount = integerFrom(allowedCounts, 1) ?? 1
  if (closed && keys.allowed.length < leastCount) return none
  return fillObject(
    node,
    required,
    keys.allowed as readonly string[],
    (keys.needed ?? []) as readonly string[],
    allowedCounts,
    keyLists,
  )
}

const fillObject = (
  node: PlaceNode,
  required: readonly string[],
  allowed: readonly string[],
  needed: readonly string[],
  counts: IntegerSet,
  keyLists: readonly Check[],
): Search<unknown> => {
  const members = new Map<string, unknown>()
  let doubt: Search<unknown> = none
  for (const [key, child] of node.children) {
    const value = required.includes(key) ? solvePresent(child) : solvePlace(child)
    if (value.status === 'none') return none
    if (value.status === 'unknown') doubt = value
    else if (value.value !== undefined) members.set(key, value.value)
  }
  const build = (keys: readonly string[]): { [key: string]: unknown } => {
    const value: { [key: string]: unknown } = {}
    for (const key of keys) {
      const child = node.children.get(key)
      define(value, key, members.has(key) ? members.get(key) : child === undefined ? 'x' : null)
    }
    return value
  }
  for (const { deep } of keyLists) {
    if (!isArray(deep) || !deep.every((key) => typeof key === 'string')) continue
    const value = build(deep as readonly string[])
    if (meets(node, value)) return found(value)
  }
  const base = [...new Set([...members.keys(), ...needed])]
  for (const size of sizesFrom(counts, Math.max(1, base.length))) {
    const keys = [...base]
    for (const key of [...allowed, ...numbered(allowed, size)]) {
      if (keys.length >= size) break
      if (!keys.includes(key) && !node.children.has(key)) keys.push(key)
    }
    for (const key of node.children.keys()) if (keys.length < size && !keys.includes(key)) keys.push(key)
    const value = build(keys)
    if (meets(node, value)) return found(value)
  }
  if (doubt.status === 'unknown') return doubt
  return unknown(sizesFrom(counts, 1).length === 0 ? tooMany : intertwined)
}

/** Defines an own member, also for names such as `__proto__`. */
const define = (object: { [key: string]: unknown }, key: string, value: unknown): void => {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
}

function* numbered(allowed: readonly string[], most: number): Generator<string> {
  if (allowed.length === 0) return
  for (let index = 1; index <= most + 20; index++) yield `key-${index}`
}
