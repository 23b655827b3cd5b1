/**
 * What each operator accepts as rule value at evaluation, and the form in which it is compared.
 *
 * INVARIANT: there is one entry for each operator. The documentation of the same names is in `catalogue/operators.ts`,
 * and a test verifies that both have the same keys. A value that has no meaning for the operator is a problem: the rule
 * is misconfigured (spec compliance 2.1). Authoring (`validateRule`) refuses more values.
 */
import type { CompiledPattern, JsonValue, OperatorName, RuleIssueCode, SafeRegex } from '../types.js'
import { canonicalNumber, numberOf, textOf } from '../value/scalar.js'
import { Op } from './op.js'

/** A rule value, prepared for its operator. Every field is always present. */
export interface Operand {
  readonly op: Op
  /** True when an absent value satisfies the check. */
  readonly onAbsent: boolean
  readonly text: string
  /** The bound of a comparison, or the number whose canonical text is `text`; NaN when there is none. */
  readonly number: number
  readonly texts: ReadonlySet<string> | null
  readonly numbers: ReadonlySet<number> | null
  /** True when the list of `in` or `notIn` contains null. */
  readonly listsNull: boolean
  readonly deep: JsonValue
  readonly pattern: CompiledPattern | null
}

export interface OperandProblem {
  readonly code: RuleIssueCode
  readonly message: string
  readonly fix: string
}

type OperandResult =
  | { readonly ok: true; readonly operand: Operand }
  | { readonly ok: false; readonly problem: OperandProblem }

/** What is needed to read a rule value: the regular expression port and its length limit. */
export interface OperandContext {
  readonly regex: SafeRegex
  readonly regexLength: number
  /**
   * Counts a pattern against the budget of the rule set. Returns a problem when the budget is used up, otherwise null.
   */
  admit(pattern: string): OperandProblem | null
}

type OperandReader = (value: JsonValue, context: OperandContext) => OperandResult

/** Rule values that are nested deeper are refused, so that a comparison cannot overflow the stack. */
export const MAX_VALUE_DEPTH = 100

const plain: Operand = {
  op: Op.exists,
  onAbsent: false,
  text: '',
  number: Number.NaN,
  texts: null,
  numbers: null,
  listsNull: false,
  deep: null,
  pattern: null,
}

const accept = (
  op: Op,
  onAbsent: boolean,
  parts: Partial<Omit<Operand, 'op' | 'onAbsent'>> = plain,
): OperandResult => ({
  ok: true,
  operand: { ...plain, ...parts, op, onAbsent },
})

const refuse = (code: RuleIssueCode, message: string, fix: string): OperandResult => ({
  ok: false,
  problem: { code, message, fix },
})

const equality =
  (positive: boolean): OperandReader =>
  (value) => {
    if (value === null) return positive ? accept(Op.notExists, true) : accept(Op.exists, false)
    const text = textOf(value)
    if (text !== undefined) {
      const number = canonicalNumber(text)
      return accept(positive ? Op.equalText : Op.notEqualText, !positive, { text, number })
    }
    return accept(positive ? Op.equalDeep : Op.notEqualDeep, !positive, { deep: value })
  }

const bound =
  (op: Op): OperandReader =>
  (value) => {
    const number = numberOf(value)
    return Number.isNaN(number)
      ? refuse('invalid_value', 'the value is not a number', 'give a finite number or a decimal text')
      : accept(op, false, { number })
  }

const containment =
  (op: Op, onAbsent: boolean): OperandReader =>
  (value) => {
    const text = textOf(value)
    return text === undefined
      ? refuse('invalid_value', 'the value is not a text, number or boolean', 'give the one text to look for')
      : accept(op, onAbsent, { text: text.toLowerCase() })
  }

const membership =
  (positive: boolean): OperandReader =>
  (value) => {
    if (!Array.isArray(value)) return refuse('invalid_value', 'the value is not a list', 'give a list of values')
    const texts = new Set<string>()
    const numbers = new Set<number>()
    let listsNull = false
    for (const entry of value as readonly JsonValue[]) {
      if (entry === null) listsNull = true
      const text = textOf(entry)
      if (text === undefined) continue
      texts.add(text)
      const number = canonicalNumber(text)
      if (!Number.isNaN(number)) numbers.add(number)
    }
    return accept(positive ? Op.in : Op.notIn, positive === listsNull, { texts, numbers, listsNull })
  }

/** What the author can do about a pattern, by the reason of its refusal. */
export const refusalFix = {
  too_long: 'shorten the pattern or split the rule',
  syntax: 'correct the pattern',
  unsafe: 'remove the repetition inside a repetition',
  unsupported: 'remove look-around, back-references and inline flags',
  empty: 'give a pattern, or use `exists`',
  budget: 'use fewer or simpler patterns',
} as const

const pattern: OperandReader = (value, context) => {
  if (typeof value !== 'string') {
    return refuse('invalid_value', 'the value is not a pattern', 'give the regular expression as text')
  }
  const refusal = context.regex.check(value, context.regexLength)
  if (refusal !== null) {
    return refuse(`regex_${refusal.reason}`, refusal.message, refusalFix[refusal.reason])
  }
  const excess = context.admit(value)
  if (excess !== null) return { ok: false, problem: excess }
  return accept(Op.matches, false, { text: value, pattern: context.regex.compile(value) })
}

const presence =
  (op: Op, onAbsent: boolean): OperandReader =>
  () =>
    accept(op, onAbsent)

/** The readers of rule values by operator name. Look a name up as an own key only. */
export const operandReaders: { readonly [name in OperatorName]: OperandReader } = {
  eq: equality(true),
  neq: equality(false),
  gt: bound(Op.greater),
  gte: bound(Op.greaterOrEqual),
  lt: bound(Op.less),
  lte: bound(Op.lessOrEqual),
  contains: containment(Op.contains, false),
  notContains: containment(Op.notContains, true),
  in: membership(true),
  notIn: membership(false),
  regex: pattern,
  exists: presence(Op.exists, false),
  notExists: presence(Op.notExists, true),
  notEmpty: presence(Op.notEmpty, false),
  countGt: bound(Op.countGreater),
  countLt: bound(Op.countLess),
  lengthGt: bound(Op.lengthGreater),
  lengthLt: bound(Op.lengthLess),
}

export const isOperatorName = (name: unknown): name is OperatorName =>
  typeof name === 'string' && Object.hasOwn(operandReaders, name)

/** True when the operator reads the rule value. */
export const usesValue = (operator: OperatorName): boolean =>
  operator !== 'exists' && operator !== 'notExists' && operator !== 'notEmpty'
