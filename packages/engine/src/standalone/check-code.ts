/**
 * Generates the code of one check as an expression: the row of the decision table (spec compliance 2.1) for its
 * operator and value. The expression tests the type of the field value inline. Lists and objects are passed to the
 * engine's own kernels.
 */

import type { Check } from '../operator/check.js'
import { Op } from '../operator/op.js'
import type { JsonValue } from '../types.js'
import type { Constants } from './constants.js'
import { literal } from './literal.js'
import type { PatternSource } from './patterns.js'

/** A list of `in` or `notIn` with more members is looked up in a set. */
const MAX_INLINE_MEMBERS = 6

/** The readings of one slot's value that its checks share. Each is computed only when a check uses it. */
export class SlotReadings {
  readonly value: string
  readonly #suffix: string
  readonly #lines = new Map<string, string>()

  constructor(slot: number, value: string) {
    this.value = value
    this.#suffix = String(slot)
  }

  get lines(): readonly string[] {
    return [...this.#lines.values()]
  }

  /** The number that a text or number stands for; NaN for any other value. */
  number(): string {
    const v = this.value
    return this.#reading('n', `typeof ${v} === 'number' ? ${v} : typeof ${v} === 'string' ? numberOfText(${v}) : NaN`)
  }

  lower(): string {
    return this.#reading('l', `typeof ${this.value} === 'string' ? ${this.value}.toLowerCase() : ''`)
  }

  count(): string {
    const v = this.value
    const size = `Array.isArray(${v}) ? ${v}.length : memberCount(${v})`
    return this.#reading('k', `typeof ${v} === 'object' ? ${size} : typeof ${v} === 'number' ? ${v} : NaN`)
  }

  length(): string {
    const v = this.value
    return this.#reading('g', `typeof ${v} === 'string' ? ${v}.length : typeof ${v} === 'number' ? ${v} : NaN`)
  }

  #reading(prefix: string, expression: string): string {
    const name = `${prefix}${this.#suffix}`
    this.#lines.set(name, `const ${name} = ${expression}`)
    return name
  }
}

/** Returns an expression that is true when the check holds. */
export function checkExpression(
  check: Check,
  readings: SlotReadings,
  constants: Constants,
  pattern: PatternSource | null,
): string {
  const v = readings.value
  switch (check.op) {
    case Op.equalText:
      return anyOf(scalars(check).map((scalar) => `${v} === ${scalar}`))
    case Op.notEqualText:
      return allOf([`typeof ${v} !== 'object'`, ...scalars(check).map((scalar) => `${v} !== ${scalar}`)])
    case Op.exists:
      return `${v} !== undefined`
    case Op.notExists:
      return `${v} === undefined`
    case Op.notEmpty:
      return notEmpty(v)
    case Op.greater:
      return `${readings.number()} > ${literal(check.number)}`
    case Op.greaterOrEqual:
      return `${readings.number()} >= ${literal(check.number)}`
    case Op.less:
      return `${readings.number()} < ${literal(check.number)}`
    case Op.lessOrEqual:
      return `${readings.number()} <= ${literal(check.number)}`
    case Op.countGreater:
      return `${readings.count()} > ${literal(check.number)}`
    case Op.countLess:
      return `${readings.count()} < ${literal(check.number)}`
    case Op.lengthGreater:
      return `${readings.length()} > ${literal(check.number)}`
    case Op.lengthLess:
      return `${readings.length()} < ${literal(check.number)}`
    case Op.contains:
      return `(typeof ${v} === 'string' ? ${readings.lower()}.includes(${literal(check.text)}) : ${inContainer(check, v, constants)})`
    case Op.notContains:
      return `(typeof ${v} === 'string' ? !${readings.lower()}.includes(${literal(check.text)}) : ${v} === undefined || ${inContainer(check, v, constants)})`
    case Op.in:
      return membership(check, v, constants, true)
    case Op.notIn:
      return membership(check, v, constants, false)
    case Op.equalDeep:
      return inContainer(check, v, constants)
    case Op.notEqualDeep:
      return `(${v} === undefined || ${inContainer(check, v, constants)})`
    case Op.matches:
      return matches(v, pattern, constants)
  }
}

/** The literals of every scalar whose text is the text of the check. */
function scalars({ text, number }: Check): string[] {
  const found = [literal(text)]
  if (!Number.isNaN(number)) found.push(literal(number))
  if (text === 'true' || text === 'false') found.push(text)
  return found
}

function notEmpty(v: string): string {
  const size = `Array.isArray(${v}) ? ${v}.length > 0 : memberCount(${v}) > 0`
  return `(typeof ${v} === 'object' ? ${size} : ${v} !== undefined && ${v} !== '' && ${v} !== 0 && ${v} !== false)`
}

function membership(check: Check, v: string, constants: Constants, positive: boolean): string {
  const listed = listedScalar(check, v, constants)
  const scalar = positive ? listed : `!${listed}`
  const absent = check.onAbsent ? 'true' : 'false'
  return `(typeof ${v} === 'object' ? ${container(check, v, constants)} : ${v} === undefined ? ${absent} : ${scalar})`
}

/** Returns an expression for whether a scalar is in the list. Texts and numbers are compared as in the engine. */
function listedScalar({ texts, numbers }: Check, v: string, constants: Constants): string {
  const listed: JsonValue[] = [...(texts ?? []), ...(numbers ?? [])]
  if (texts?.has('true') === true) listed.push(true)
  if (texts?.has('false') === true) listed.push(false)
  if (listed.length <= MAX_INLINE_MEMBERS) {
    return listed.length === 0 ? 'false' : anyOf(listed.map((each) => `${v} === ${literal(each)}`))
  }
  return `${constants.named('L', `new Set(${literal(listed)})`)}.has(${v})`
}

function inContainer(check: Check, v: string, constants: Constants): string {
  return `(typeof ${v} === 'object' && ${container(check, v, constants)})`
}

function container(check: Check, v: string, constants: Constants): string {
  return `holdsForContainer(${constants.named('K', checkLiteral(check))}, ${v})`
}

/** A check as an object literal that the kernels of containers can read. */
function checkLiteral(check: Check): string {
  const texts = check.texts === null ? 'null' : `new Set(${literal([...check.texts])})`
  const parts = [
    `op:${check.op}`,
    'index:0',
    `text:${literal(check.text)}`,
    `number:${Number.isNaN(check.number) ? 'NaN' : literal(check.number)}`,
    `texts:${texts}`,
    `listsNull:${check.listsNull}`,
    `deep:${literal(check.deep)}`,
  ]
  return `{${parts.join(',')}}`
}

function matches(v: string, pattern: PatternSource | null, constants: Constants): string {
  if (pattern === null) return 'false'
  const name = constants.named('P', pattern.matcher)
  const onText = (text: string) => (pattern.isLiteral ? `${name}.test(${text})` : `${name}(${text})`)
  const bounded = pattern.isLiteral ? `${v}.length <= MAX_TEXT_UNITS && ${onText(v)}` : onText(v)
  return `(typeof ${v} === 'string' ? ${bounded} : (typeof ${v} === 'number' || typeof ${v} === 'boolean') && ${onText(`String(${v})`)})`
}

const anyOf = (expressions: readonly string[]): string => `(${expressions.join(' || ')})`
const allOf = (expressions: readonly string[]): string => `(${expressions.join(' && ')})`
