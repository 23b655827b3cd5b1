/** The fixed texts of a violation. INVARIANT: made from the rule alone; they never hold an actual value. */
import type { JsonValue, OperatorName, RuleIssueCode } from '../types.js'

const MAX_VALUE_CHARACTERS = 120

/** Reads after "`field` must". The flag says whether the expected value follows. */
const phrases: { readonly [name in OperatorName]: readonly [phrase: string, withValue: boolean] } = {
  eq: ['equal', true],
  neq: ['not equal', true],
  gt: ['be greater than', true],
  gte: ['be at least', true],
  lt: ['be less than', true],
  lte: ['be at most', true],
  contains: ['contain', true],
  notContains: ['not contain', true],
  in: ['be one of', true],
  notIn: ['not be one of', true],
  regex: ['match', true],
  exists: ['be present', false],
  notExists: ['be absent', false],
  notEmpty: ['not be empty', false],
  countGt: ['have a count greater than', true],
  countLt: ['have a count less than', true],
  lengthGt: ['have a length greater than', true],
  lengthLt: ['have a length less than', true],
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
  const [phrase, withValue] = phrases[operator]
  const required = `\`${field}\` must ${phrase}`
  if (!withValue) return required
  const isPattern = operator === 'regex' && typeof expected === 'string'
  return `${required} ${isPattern ? patternText(expected) : valueText(expected)}`
}

export const misconfiguredMessage = (code: RuleIssueCode): string => `the rule cannot be evaluated: ${code}`
