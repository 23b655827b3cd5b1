/**
 * The fixed texts of a violation. INVARIANT: they are made from the rule alone and never contain a value of the entity.
 */
import { usesValue } from '../operator/operand.js'
import type { JsonValue, OperatorName, RuleIssueCode } from '../types.js'

const MAX_VALUE_CHARACTERS = 120

/** The phrase that follows "`field` must". */
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

/** JSON text, shortened. Plain texts are only put in quotes, because `JSON.stringify` takes several times as long. */
export const valueText = (value: JsonValue): string =>
  cut(typeof value === 'string' && !NOT_PLAIN.test(value) ? `"${value}"` : JSON.stringify(value))

const NOT_PLAIN = /[^ !#-[\]-~]/

const cut = (text: string): string =>
  text.length <= MAX_VALUE_CHARACTERS ? text : `${text.slice(0, MAX_VALUE_CHARACTERS)}…`

/**
 * The pattern as its author wrote it, since JSON would double every backslash. Characters that control a terminal are
 * escaped.
 */
const patternText = (pattern: string): string =>
  `\`${cut(pattern.replace(INVISIBLE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`))}\``

/** Control characters and lone surrogates. Their escapes mean the same in a pattern. */
const INVISIBLE = /\p{Cc}|\p{Cs}/gu

/** `expected` must be redacted and bounded already. */
export const violationMessage = (field: string, operator: OperatorName, expected: JsonValue): string => {
  const required = `\`${field}\` must ${phrases[operator]}`
  if (!usesValue(operator)) return required
  const isPattern = operator === 'regex' && typeof expected === 'string'
  return `${required} ${isPattern ? patternText(expected) : valueText(expected)}`
}

export const misconfiguredMessage = (code: RuleIssueCode): string => `the rule cannot be evaluated: ${code}`
