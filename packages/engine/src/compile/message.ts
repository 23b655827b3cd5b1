/** The fixed texts of a violation. INVARIANT: made from the rule alone; they never hold an actual value. */
import { usesValue } from '../operator/operand.js'
import type { JsonValue, OperatorName, RuleIssueCode } from '../types.js'

const MAX_VALUE_CHARACTERS = 120

/** Reads after "`field` must". */
const phrases: { readonly [name in OperatorName]: string } = {
  eq: 'equal',
  neq: 'not equal',
  gt: 'be greater than',
  gte: 'be at least',
  lt: 'be less than',
  lte: 'be at most',
  contains: 'contain',
  notContains: 'not contain',
  in: 'be one of',
  notIn: 'not be one of',
  regex: 'match',
  exists: 'be present',
  notExists: 'be absent',
  notEmpty: 'not be empty',
  countGt: 'have a count greater than',
  countLt: 'have a count less than',
  lengthGt: 'have a length greater than',
  lengthLt: 'have a length less than',
}

/** JSON text, cut. */
export const valueText = (value: JsonValue): string => cut(JSON.stringify(value))

const cut = (text: string): string =>
  text.length <= MAX_VALUE_CHARACTERS ? text : `${text.slice(0, MAX_VALUE_CHARACTERS)}…`

/** As its author wrote it: JSON would double every backslash. What a terminal would obey stays escaped. */
const patternText = (pattern: string): string =>
  `\`${cut(pattern.replace(INVISIBLE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))}\``

/** Control characters and halves of surrogate pairs. The escapes mean the same in a pattern. */
const INVISIBLE = /\p{Cc}|\p{Cs}/gu

/** `expected` is already redacted and bounded. */
export const violationMessage = (field: string, operator: OperatorName, expected: JsonValue): string => {
  const required = `\`${field}\` must ${phrases[operator]}`
  if (!usesValue(operator)) return required
  const isPattern = operator === 'regex' && typeof expected === 'string'
  return `${required} ${isPattern ? patternText(expected) : valueText(expected)}`
}

export const misconfiguredMessage = (code: RuleIssueCode): string => `the rule cannot be evaluated: ${code}`
