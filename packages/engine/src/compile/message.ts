/**
 * The fixed text of a violation. INVARIANT: made from the rule alone; it never holds an actual value (rulings).
 */
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
const valueText = (value: JsonValue): string => {
  const text = JSON.stringify(value)
  return text.length <= MAX_VALUE_CHARACTERS ? text : `${text.slice(0, MAX_VALUE_CHARACTERS)}…`
}

/** `expected` is already redacted and bounded. */
export const violationMessage = (field: string, operator: OperatorName, expected: JsonValue): string => {
  const [phrase, withValue] = phrases[operator]
  return withValue ? `\`${field}\` must ${phrase} ${valueText(expected)}` : `\`${field}\` must ${phrase}`
}

export const misconfiguredMessage = (code: RuleIssueCode): string => `the rule can not be evaluated: ${code}`
