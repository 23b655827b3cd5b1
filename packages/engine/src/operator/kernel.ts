/**
 * The decision table (spec compliance 2.1), with one function for each JSON type of the field value.
 *
 * A kernel runs all checks of one field on its value. So the type is tested once, and the readings that checks share
 * (number, lower case) are computed once. INVARIANT: a kernel marks a check that does not hold in `outcome`, and does
 * nothing else. When the operator cannot be applied to the value, the positive and the negative operator both fail.
 */

import { deepEqual } from '../value/deep-equal.js'
import { isDropped, memberCount, readValue } from '../value/own.js'
import { numberOfText, textOf } from '../value/scalar.js'
import { type Check, FAULT, type Outcome } from './check.js'
import { Op } from './op.js'

/** A pattern check fails on text that is longer than this, in UTF-16 units (spec compliance 2.3). */
const MAX_REGEX_INPUT = 65_536

const runPattern = (check: Check, text: string, outcome: Outcome): void => {
  if (text.length > MAX_REGEX_INPUT) {
    outcome.mark(check.index)
    return
  }
  try {
    if (check.pattern?.test(text) !== true) outcome.mark(check.index)
  } catch {
    outcome.mark(check.index, FAULT)
  }
}

const checkText = (checks: readonly Check[], value: string, outcome: Outcome): void => {
  let lower: string | undefined
  let number: number | undefined
  for (let at = 0; at < checks.length; at++) {
    const check = checks[at] as Check
    let holds: boolean
    switch (check.op) {
      case Op.equalText:
        holds = value === check.text
        break
      case Op.notEqualText:
        holds = value !== check.text
        break
      case Op.notEmpty:
        holds = value !== ''
        break
      case Op.exists:
        holds = true
        break
      case Op.in:
        holds = check.texts?.has(value) === true
        break
      case Op.notIn:
        holds = check.texts?.has(value) === false
        break
      case Op.contains:
        if (lower === undefined) lower = value.toLowerCase()
        holds = lower.includes(check.text)
        break
      case Op.notContains:
        if (lower === undefined) lower = value.toLowerCase()
        holds = !lower.includes(check.text)
        break
      case Op.matches:
        runPattern(check, value, outcome)
        holds = true
        break
      case Op.lengthGreater:
        holds = value.length > check.number
        break
      case Op.lengthLess:
        holds = value.length < check.number
        break
      case Op.greater:
      case Op.greaterOrEqual:
      case Op.less:
      case Op.lessOrEqual:
        if (number === undefined) number = numberOfText(value)
        holds = compare(check.op, number, check.number)
        break
      default:
        holds = false
    }
    if (!holds) outcome.mark(check.index)
  }
}

/** Every comparison with NaN is false. */
const compare = (op: Op, left: number, right: number): boolean =>
  op === Op.greater
    ? left > right
    : op === Op.greaterOrEqual
      ? left >= right
      : op === Op.less
        ? left < right
        : left <= right

const checkNumber = (checks: readonly Check[], value: number, outcome: Outcome): void => {
  for (let at = 0; at < checks.length; at++) {
    const check = checks[at] as Check
    let holds: boolean
    switch (check.op) {
      case Op.equalText:
        holds = value === check.number
        break
      case Op.notEqualText:
        holds = value !== check.number
        break
      case Op.greater:
      case Op.countGreater:
      case Op.lengthGreater:
        holds = value > check.number
        break
      case Op.less:
      case Op.countLess:
      case Op.lengthLess:
        holds = value < check.number
        break
      case Op.greaterOrEqual:
        holds = value >= check.number
        break
      case Op.lessOrEqual:
        holds = value <= check.number
        break
      case Op.in:
        holds = check.numbers?.has(value) === true
        break
      case Op.notIn:
        holds = check.numbers?.has(value) === false
        break
      case Op.exists:
        holds = true
        break
      case Op.notEmpty:
        holds = value !== 0
        break
      case Op.matches:
        runPattern(check, String(value), outcome)
        holds = true
        break
      default:
        holds = false
    }
    if (!holds) outcome.mark(check.index)
  }
}

const checkBoolean = (checks: readonly Check[], value: boolean, outcome: Outcome): void => {
  const text = value ? 'true' : 'false'
  for (let at = 0; at < checks.length; at++) {
    const check = checks[at] as Check
    let holds: boolean
    switch (check.op) {
      case Op.equalText:
        holds = text === check.text
        break
      case Op.notEqualText:
        holds = text !== check.text
        break
      case Op.in:
        holds = check.texts?.has(text) === true
        break
      case Op.notIn:
        holds = check.texts?.has(text) === false
        break
      case Op.exists:
        holds = true
        break
      case Op.notEmpty:
        holds = value
        break
      case Op.matches:
        runPattern(check, text, outcome)
        holds = true
        break
      default:
        holds = false
    }
    if (!holds) outcome.mark(check.index)
  }
}

export const checkArray = (checks: readonly Check[], value: readonly unknown[], outcome: Outcome): void => {
  for (let at = 0; at < checks.length; at++) {
    const check = checks[at] as Check
    let holds: boolean
    switch (check.op) {
      case Op.exists:
        holds = true
        break
      case Op.notEmpty:
        holds = value.length > 0
        break
      case Op.countGreater:
        holds = value.length > check.number
        break
      case Op.countLess:
        holds = value.length < check.number
        break
      case Op.contains:
        holds = someTextEquals(value, check.text)
        break
      case Op.notContains:
        holds = !hasContainer(value) && !someTextEquals(value, check.text)
        break
      case Op.in:
        holds = value.length > 0 && eachListed(value, check, true)
        break
      case Op.notIn:
        holds = eachListed(value, check, false)
        break
      case Op.equalDeep:
        holds = deepEqual(check.deep, value)
        break
      case Op.notEqualDeep:
        holds = Array.isArray(check.deep) && !deepEqual(check.deep, value)
        break
      default:
        holds = false
    }
    if (!holds) outcome.mark(check.index)
  }
}

export const checkObject = (checks: readonly Check[], value: object, outcome: Outcome): void => {
  let count = -1
  for (let at = 0; at < checks.length; at++) {
    const check = checks[at] as Check
    let holds: boolean
    switch (check.op) {
      case Op.exists:
        holds = true
        break
      case Op.notEmpty:
      case Op.countGreater:
      case Op.countLess:
        if (count === -1) count = memberCount(value)
        holds = check.op === Op.countLess ? count < check.number : count > (check.op === Op.notEmpty ? 0 : check.number)
        break
      case Op.equalDeep:
        holds = deepEqual(check.deep, value)
        break
      case Op.notEqualDeep:
        holds = check.deep !== null && !Array.isArray(check.deep) && !deepEqual(check.deep, value)
        break
      default:
        holds = false
    }
    if (!holds) outcome.mark(check.index)
  }
}

/**
 * `text` is in lower case. Lower-casing never shortens a text, so an element that is longer than `text` cannot be
 * equal.
 */
const someTextEquals = (value: readonly unknown[], text: string): boolean => {
  for (let at = 0; at < value.length; at++) {
    const element = value[at]
    if (typeof element === 'string') {
      if (element === text || (element.length <= text.length && element.toLowerCase() === text)) return true
    } else if (textOf(readValue(element))?.toLowerCase() === text) return true
  }
  return false
}

const hasContainer = (value: readonly unknown[]): boolean => {
  for (let at = 0; at < value.length; at++) {
    const element = value[at]
    if (typeof element === 'object' && typeof readValue(element) === 'object') return true
  }
  return false
}

/** Whether an element is in the list. Null for a nested container: neither `in` nor `notIn` can be applied to it. */
const isListed = (element: unknown, check: Check): boolean | null => {
  if (typeof element === 'string') return check.texts?.has(element) === true
  const read = isDropped(element) ? undefined : readValue(element)
  if (read === undefined) return check.listsNull
  const text = textOf(read)
  return text === undefined ? null : check.texts?.has(text) === true
}

/** Whether every element is in the list (`listed`), or every element is not. */
const eachListed = (value: readonly unknown[], check: Check, listed: boolean): boolean => {
  for (let at = 0; at < value.length; at++) {
    if (isListed(value[at], check) !== listed) return false
  }
  return true
}

/** Runs all checks of one field on its value, which is present and was read as JSON. */
export const checkPresent = (checks: readonly Check[], value: unknown, outcome: Outcome): void => {
  if (typeof value === 'string') checkText(checks, value, outcome)
  else if (typeof value === 'number') checkNumber(checks, value, outcome)
  else if (typeof value === 'boolean') checkBoolean(checks, value, outcome)
  else if (Array.isArray(value)) checkArray(checks, value, outcome)
  else checkObject(checks, value as object, outcome)
}

/** Runs one check on one value; `undefined` is absent. */
export const checkValue = (check: Check, value: unknown, outcome: Outcome): void => {
  if (value !== undefined) checkPresent([check], value, outcome)
  else if (!check.onAbsent) outcome.mark(check.index)
}
