/**
 * Which rule values an author may write (spec compliance 2.4). Authoring accepts fewer values than evaluation can read.
 *
 * INVARIANT: `operandReaders` accepts every value that is accepted here. A property test verifies this.
 */
import type { JsonValue, OperatorName } from '../types.js'
import { numberOf, textOf } from '../value/scalar.js'
import { type OperandProblem, usesValue } from './operand.js'

const MAX_LIST = 1_000
const MAX_COUNT = 1e9

const problem = (message: string, fix: string): OperandProblem => ({ code: 'invalid_value', message, fix })

const bound = (value: JsonValue): OperandProblem | null =>
  Number.isNaN(numberOf(value)) ? problem('the value is not a number', 'give a finite number or a decimal text') : null

const size = (value: JsonValue): OperandProblem | null => {
  const number = numberOf(value)
  return Number.isInteger(number) && number >= -1 && number <= MAX_COUNT
    ? null
    : problem('the value is not a size', `give an integer from -1 to ${MAX_COUNT}`)
}

const word = (value: JsonValue): OperandProblem | null =>
  textOf(value) === undefined || value === ''
    ? problem('the value is not a text, number or boolean', 'give the one text to look for, not empty')
    : null

const list = (value: JsonValue): OperandProblem | null => {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_LIST) {
    return problem('the value is not a list of values', `give a list of 1 to ${MAX_LIST} values`)
  }
  return value.every((entry) => entry === null || textOf(entry) !== undefined)
    ? null
    : problem('the list holds a list or an object', 'list texts, numbers, booleans or null')
}

/** Operators that are not listed accept any value. The regular expression port judges patterns. */
const rules: { readonly [name in OperatorName]?: (value: JsonValue) => OperandProblem | null } = {
  gt: bound,
  gte: bound,
  lt: bound,
  lte: bound,
  contains: word,
  notContains: word,
  in: list,
  notIn: list,
  countGt: size,
  countLt: size,
  lengthGt: size,
  lengthLt: size,
}

/** Returns what is wrong with a rule value, or null. `undefined` means that the author wrote no value. */
export const authoringProblem = (operator: OperatorName, value: JsonValue | undefined): OperandProblem | null => {
  if (!usesValue(operator)) {
    return value === undefined || value === null
      ? null
      : { code: 'unexpected_value', message: `\`${operator}\` takes no value`, fix: 'remove `value`' }
  }
  if (value === undefined) {
    return { code: 'missing_value', message: `\`${operator}\` needs a value`, fix: 'give `value`' }
  }
  return rules[operator]?.(value) ?? null
}
