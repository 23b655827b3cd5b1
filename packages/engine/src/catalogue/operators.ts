/**
 * The operators as data. The documentation, the JSON Schema and tests are made from this table.
 *
 * INVARIANT: the keys are those of `operandReaders`, and a test executes every example. The examples of an operator
 * follow its row of the decision table (spec compliance 2.1): absent, text, number, boolean, list, object.
 */
import type { JsonValue, OperatorName } from '../types.js'

export interface OperatorExample {
  /** The attribute; left out when it is absent. */
  readonly actual?: JsonValue
  /** The rule value; left out when the operator takes none. */
  readonly value?: JsonValue
  /** Whether the attribute satisfies the rule. */
  readonly holds: boolean
}

export interface OperatorEntry {
  readonly name: OperatorName
  /** One sentence: when an attribute satisfies the operator. */
  readonly doc: string
  /** What the rule value may be, in words. */
  readonly takes: string
  /** JSON Schema of the rule value; null when the operator takes none. */
  readonly operand: { readonly [keyword: string]: unknown } | null
  readonly examples: readonly OperatorExample[]
}

type Row = readonly [actual: JsonValue | undefined, value: JsonValue | undefined, holds: boolean]

const rows = (...given: readonly Row[]): readonly OperatorExample[] =>
  given.map(([actual, value, holds]) => ({
    ...(actual === undefined ? {} : { actual }),
    ...(value === undefined ? {} : { value }),
    holds,
  }))

const absent = undefined
const none = undefined

const decimalText = {
  type: 'string',
  pattern: '^\\s*[+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+)(?:[eE][+-]?\\d+)?\\s*$',
} as const
const decimal = { anyOf: [{ type: 'number' }, decimalText] } as const
const size = { anyOf: [{ type: 'integer', minimum: -1, maximum: 1e9 }, decimalText] } as const
const list = {
  type: 'array',
  minItems: 1,
  maxItems: 1_000,
  items: { type: ['string', 'number', 'boolean', 'null'] },
} as const

/** Wrapped in a function so that a bundler can drop the catalogue when nothing uses it. */
const entries = () =>
  ({
    eq: {
      doc: 'The attribute equals the value: scalars by value or by text, case-sensitively; lists and objects deeply. `null` stands for absent.',
      takes: 'any JSON value, null included',
      operand: {},
      examples: rows(
        [absent, 'fail', false],
        [absent, null, true],
        ['fail', 'fail', true],
        ['Fail', 'fail', false],
        [' fail', 'fail', false],
        ['', null, false],
        [30, 30, true],
        [30, '30', true],
        ['30', 30, true],
        ['30.0', 30, false],
        [true, true, true],
        [true, 'true', true],
        [1, true, false],
        [['a'], 'a', false],
        [['a', 'b'], ['a', 'b'], true],
        [['b', 'a'], ['a', 'b'], false],
        [['1'], [1], false],
        [[], null, false],
        [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
        [{ a: '1' }, { a: 1 }, false],
        [{ a: 1, b: 2 }, { a: 1 }, false],
        [{ a: 1 }, { a: 1, b: 2 }, false],
        [{ a: 1 }, 'a', false],
      ),
    },
    neq: {
      doc: 'The attribute does not equal the value; absent satisfies it unless the value is `null`. A scalar against a list or an object satisfies neither `eq` nor `neq`.',
      takes: 'any JSON value, null included',
      operand: {},
      examples: rows(
        [absent, 'latest', true],
        [absent, null, false],
        ['latest', 'latest', false],
        ['1.0.0', 'latest', true],
        ['x', null, true],
        [30, '30', false],
        [31, 30, true],
        ['true', true, false],
        [false, true, true],
        [['latest'], 'latest', false],
        [['a'], ['b'], true],
        [['a'], ['a'], false],
        [['a'], { a: 1 }, false],
        [['a'], null, true],
        ['a', ['a'], false],
        [{ a: 1 }, { a: 2 }, true],
        [{ a: 1 }, { a: 1 }, false],
        [{ a: 1 }, 1, false],
      ),
    },
    gt: {
      doc: 'The attribute is a number, or text of one, greater than the value.',
      takes: 'a finite number, or the text of one',
      operand: decimal,
      examples: rows(
        [absent, 5, false],
        [6, 5, true],
        [5, 5, false],
        ['6', 5, true],
        [' 6.5 ', '6', true],
        ['six', 5, false],
        ['', -1, false],
        ['0x10', 5, false],
        [true, 0, false],
        [[6], 5, false],
        [{ a: 6 }, 5, false],
      ),
    },
    gte: {
      doc: 'The attribute is a number, or text of one, at least the value.',
      takes: 'a finite number, or the text of one',
      operand: decimal,
      examples: rows(
        [absent, 5, false],
        [5, 5, true],
        [4.9, 5, false],
        ['5', 5, true],
        ['many', 5, false],
        [true, 1, false],
        [[5], 5, false],
        [{ a: 5 }, 5, false],
      ),
    },
    lt: {
      doc: 'The attribute is a number, or text of one, less than the value.',
      takes: 'a finite number, or the text of one',
      operand: decimal,
      examples: rows(
        [absent, 60, false],
        [59, 60, true],
        [60, 60, false],
        ['59', 60, true],
        ['1e1', 60, true],
        ['few', 60, false],
        [false, 60, false],
        [[1], 60, false],
        [{}, 60, false],
      ),
    },
    lte: {
      doc: 'The attribute is a number, or text of one, at most the value.',
      takes: 'a finite number, or the text of one',
      operand: decimal,
      examples: rows(
        [absent, 60, false],
        [60, 60, true],
        [61, 60, false],
        ['60', '60', true],
        ['', 60, false],
        [false, 60, false],
        [[60], 60, false],
        [{}, 60, false],
      ),
    },
    contains: {
      doc: 'A text contains the value, or a list has an element of that text; case is ignored.',
      takes: 'a text that is not empty, a number or a boolean',
      operand: { anyOf: [{ type: 'string', minLength: 1 }, { type: ['number', 'boolean'] }] },
      examples: rows(
        [absent, 'a', false],
        ['set -e', 'SET', true],
        ['set -e', 'sudo', false],
        ['build 42', 42, true],
        [42, 4, false],
        [true, 'true', false],
        [['Security', 'ci'], 'security', true],
        [['security-scan'], 'security', false],
        [[1, 2], 2, true],
        [[['a']], 'a', false],
        [[], 'a', false],
        [{ a: 'a' }, 'a', false],
      ),
    },
    notContains: {
      doc: 'A text does not contain the value, or a list has no element of that text and no nested list or object; absent satisfies it.',
      takes: 'a text that is not empty, a number or a boolean',
      operand: { anyOf: [{ type: 'string', minLength: 1 }, { type: ['number', 'boolean'] }] },
      examples: rows(
        [absent, 'sudo', true],
        ['npm test', 'sudo', true],
        ['SUDO npm', 'sudo', false],
        [42, 'sudo', false],
        [true, 'sudo', false],
        [['a', 'b'], 'c', true],
        [['A'], 'a', false],
        [[['a']], 'c', false],
        [[], 'a', true],
        [{ a: 1 }, 'c', false],
      ),
    },
    in: {
      doc: 'The attribute is one of the values; a list is not empty and consists of them. `null` in the list stands for absent.',
      takes: 'a list of 1 to 1,000 texts, numbers, booleans or null',
      operand: list,
      examples: rows(
        [absent, ['a'], false],
        [absent, ['a', null], true],
        ['a', ['a', 'b'], true],
        ['A', ['a', 'b'], false],
        [1, ['1'], true],
        [true, ['true'], true],
        [['a', 'b'], ['a', 'b', 'c'], true],
        [['a', 'z'], ['a', 'b', 'c'], false],
        [[], ['a'], false],
        [[['a']], ['a'], false],
        [[null], ['a', null], true],
        [{ a: 'a' }, ['a'], false],
      ),
    },
    notIn: {
      doc: 'The attribute is none of the values; a list has none of them and no nested list or object. Absent satisfies it unless the list has `null`.',
      takes: 'a list of 1 to 1,000 texts, numbers, booleans or null',
      operand: list,
      examples: rows(
        [absent, ['a'], true],
        [absent, ['a', null], false],
        ['z', ['a', 'b'], true],
        ['a', ['a', 'b'], false],
        [2, ['1'], true],
        [false, ['true'], true],
        [['x', 'y'], ['a'], true],
        [['x', 'a'], ['a'], false],
        [[], ['a'], true],
        [[['x']], ['a'], false],
        [{ a: 'x' }, ['a'], false],
      ),
    },
    regex: {
      doc: 'The pattern is found anywhere in the text of a scalar: ECMAScript syntax, no flags, linear time.',
      takes: 'a regular expression of 1 to 100 characters',
      operand: { type: 'string', minLength: 1, maxLength: 100 },
      examples: rows(
        [absent, '^v', false],
        ['1.2.3', '^\\d+\\.\\d+\\.\\d+$', true],
        ['v1.2.3', '^\\d+\\.\\d+\\.\\d+$', false],
        ['a-b', '-', true],
        [42, '^4', true],
        [true, '^true$', true],
        [['a'], 'a', false],
        [{ a: 'a' }, 'a', false],
      ),
    },
    exists: {
      doc: 'The attribute is present, whatever its value; `null` is absent.',
      takes: 'no value',
      operand: null,
      examples: rows(
        [absent, none, false],
        [null, none, false],
        ['', none, true],
        [0, none, true],
        [false, none, true],
        [[], none, true],
        [{}, none, true],
      ),
    },
    notExists: {
      doc: 'The attribute is absent.',
      takes: 'no value',
      operand: null,
      examples: rows(
        [absent, none, true],
        [null, none, true],
        ['', none, false],
        [0, none, false],
        [false, none, false],
        [[], none, false],
        [{}, none, false],
      ),
    },
    notEmpty: {
      doc: 'The attribute is present and is not an empty text, 0, false, an empty list or an empty object.',
      takes: 'no value',
      operand: null,
      examples: rows(
        [absent, none, false],
        ['', none, false],
        [' ', none, true],
        ['0', none, true],
        [0, none, false],
        [1, none, true],
        [false, none, false],
        ['false', none, true],
        [[], none, false],
        [[null], none, true],
        [{}, none, false],
        [{ a: null }, none, true],
      ),
    },
    countGt: {
      doc: 'A list has more elements, or an object more keys, than the value; a number is compared as it is.',
      takes: 'an integer from -1 to 1,000,000,000, or the text of one',
      operand: size,
      examples: rows(
        [absent, 0, false],
        [['a', 'b'], 1, true],
        [['a'], 1, false],
        [{ a: 1, b: 2 }, 1, true],
        [{}, 0, false],
        [3, 2, true],
        ['abc', 2, false],
        [true, 0, false],
      ),
    },
    countLt: {
      doc: 'A list has fewer elements, or an object fewer keys, than the value; a number is compared as it is.',
      takes: 'an integer from -1 to 1,000,000,000, or the text of one',
      operand: size,
      examples: rows(
        [absent, 5, false],
        [['a'], 2, true],
        [['a', 'b'], 2, false],
        [{ a: 1 }, 2, true],
        [1, 2, true],
        ['a', 2, false],
        [false, 2, false],
      ),
    },
    lengthGt: {
      doc: 'A text is longer than the value, in UTF-16 units; a number is compared as it is.',
      takes: 'an integer from -1 to 1,000,000,000, or the text of one',
      operand: size,
      examples: rows(
        [absent, 0, false],
        ['abc', 2, true],
        ['ab', 2, false],
        ['🚀', 1, true],
        [3, 2, true],
        [true, 0, false],
        [['abc'], 0, false],
        [{ a: 1 }, 0, false],
      ),
    },
    lengthLt: {
      doc: 'A text is shorter than the value, in UTF-16 units; a number is compared as it is.',
      takes: 'an integer from -1 to 1,000,000,000, or the text of one',
      operand: size,
      examples: rows(
        [absent, 5, false],
        ['abc', 4, true],
        ['abcd', 4, false],
        ['', 1, true],
        [3, 4, true],
        [false, 4, false],
        [[], 4, false],
        [{}, 4, false],
      ),
    },
  }) as const satisfies { readonly [name in OperatorName]: Omit<OperatorEntry, 'name'> }

const named = (): readonly OperatorEntry[] =>
  Object.entries(entries()).map(([name, entry]) => ({
    name: name as OperatorName,
    ...entry,
  }))

/** Every operator, in the order of the specification. */
export const operators: readonly OperatorEntry[] = /* @__PURE__ */ named()
