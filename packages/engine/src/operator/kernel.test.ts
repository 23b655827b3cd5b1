/** The decision table (spec compliance 2.1), a value of each JSON type against each operator, one check at a time. */
import { describe, expect, it } from 'vitest'
import { createSafeRegex } from '../regex/safe-regex.js'
import type { CompiledPattern, JsonValue, OperatorName } from '../types.js'
import { type Check, FAILS, FAULT, HOLDS, makeCheck, Outcome } from './check.js'
import { checkValue } from './kernel.js'
import { operandReaders } from './operand.js'

const regex = createSafeRegex()
const operandOf = (operator: OperatorName, value: JsonValue) => {
  const read = operandReaders[operator](value, { regex, regexLength: 100, admit: () => null })
  if (!read.ok) throw new Error(read.problem.message)
  return read.operand
}
const markOf = (check: Check, actual: unknown): number => {
  const outcome = new Outcome(1)
  checkValue(check, actual, outcome)
  return outcome.marks[0] as number
}
const holds = (operator: OperatorName, value: JsonValue, actual: unknown): boolean =>
  markOf(makeCheck(operandOf(operator, value), 0), actual) === HOLDS

type Row = readonly [OperatorName, JsonValue, readonly unknown[], readonly unknown[]]

/** Operator, rule value, actual values that satisfy it, actual values that do not. */
const table: readonly Row[] = [
  ['eq', 'a', ['a'], ['A', '', ['a'], { a: 'a' }, undefined]],
  ['eq', '5', ['5', 5], ['5.0', 5.5, true, [5], undefined]],
  ['eq', true, [true, 'true'], [false, 1, ['true'], undefined]],
  ['eq', null, [undefined], ['', 0, false, [], {}]],
  ['eq', [1, 'a'], [[1, 'a']], [['a', 1], [1], 'a', { 0: 1 }, undefined]],
  ['eq', { a: 1 }, [{ a: 1 }], [{ a: 2 }, {}, [1], 'a', undefined]],
  ['neq', 'a', ['b', 1, false, undefined], ['a', ['b'], {}]],
  ['neq', 5, [6, '6', '5.0', true, undefined], [5, '5', [6], {}]],
  ['neq', false, [true, 'x', 0, undefined], [false, 'false', [], {}]],
  ['neq', null, ['', 0, false, [], {}], [undefined]],
  ['neq', [1], [[2], [], undefined], [[1], { 0: 2 }, 'a', 1, true]],
  ['neq', { a: 1 }, [{ a: 2 }, {}, undefined], [{ a: 1 }, [2], 'a', 1, true]],
  ['gt', 5, [6, '6', '5.5'], [5, '5', 4, 'x', true, [6], { a: 6 }, undefined]],
  ['gte', 5, [5, '5', 6], [4, '4', '', true, [5], {}, undefined]],
  ['lt', 5, [4, '4', '-1'], [5, '5', 6, '6', 'x', false, [4], {}, undefined]],
  ['lte', 5, [5, '5', 4], [6, '6', 'x', false, [5], {}, undefined]],
  [
    'contains',
    'B',
    ['abc', 'B', ['b'], ['a', 'B'], [null, 'b']],
    ['a', ['abc'], [['b']], 5, true, { b: 1 }, undefined],
  ],
  ['contains', 5, ['a5', [5], ['5']], [5, [55], undefined]],
  ['contains', true, ['it is TRUE', [true]], [true, [false]]],
  [
    'notContains',
    'B',
    ['a', '', ['a'], [], [null], [new Date(0)], [undefined], ['abc'], undefined],
    ['ab', ['b'], ['a', 'B'], [['a']], [{}], 5, true, {}],
  ],
  [
    'in',
    ['a', 5, true],
    ['a', 5, '5', true, ['a'], [5, true]],
    ['b', 6, false, [], ['a', 6], [7], [['a']], {}, undefined],
  ],
  ['in', ['a', null], [undefined, [null], ['a', undefined]], [[{}], 'null']],
  ['in', ['a'], [['a']], [[null], [undefined], undefined]],
  ['notIn', ['a', 5, true], ['b', 6, false, [], ['b', 6], [null], undefined], ['a', 5, true, ['b', 5], [['b']], {}]],
  ['notIn', ['a', null], ['b'], [undefined, [null], ['b', undefined], [{}]]],
  ['regex', '^5$', ['5', 5], ['55', 55, true, ['5'], {}, undefined]],
  ['regex', '^true$', [true, 'true'], [false, [true], undefined]],
  ['exists', null, ['', 'a', 0, 1, true, false, [], [1], {}, { a: 1 }], [undefined]],
  ['notExists', null, [undefined], ['', 'a', 0, 1, true, false, [], [1], {}, { a: 1 }]],
  ['notEmpty', null, ['a', ' ', '0', 1, -1, true, [0], { a: null }], ['', 0, false, [], {}, undefined]],
  ['countGt', 1, [2, [1, 2], { a: 1, b: 2 }], [1, [1], { a: 1 }, 'ab', true, undefined]],
  ['countLt', 1, [0, [], {}], [1, [1], { a: 1 }, '', false, undefined]],
  ['lengthGt', 1, [2, 'ab'], [1, 'a', [1, 2], { a: 1, b: 2 }, true, undefined]],
  ['lengthLt', 1, [0, ''], [1, 'a', [], {}, false, undefined]],
]

describe('the decision table', () => {
  it.each(table)('%s %j', (operator, value, satisfying, violating) => {
    expect(satisfying.filter((actual) => !holds(operator, value, actual))).toEqual([])
    expect(violating.filter((actual) => holds(operator, value, actual))).toEqual([])
  })

  it('has a row for every operator', () => {
    expect(new Set(table.map(([operator]) => operator))).toEqual(new Set(Object.keys(operandReaders)))
  })

  it('gives several checks on one value the verdict that each has alone', () => {
    const both = (operator: OperatorName, value: JsonValue, other: JsonValue, actual: unknown) => [
      holds(operator, value, actual),
      holds(operator, other, actual),
    ]
    expect(both('contains', 'A', 'c', 'ab')).toEqual([true, false])
    expect(both('lt', 6, 5, '5')).toEqual([true, false])
  })
})

describe('a pattern', () => {
  const matching = (test: CompiledPattern['test']) =>
    makeCheck({ ...operandOf('regex', 'a'), pattern: { pattern: 'a', engine: 're2js', test } }, 0)

  it('is not asked about a text of more than 64 Ki units, which fails', () => {
    const check = matching(() => true)
    expect(markOf(check, 'a'.repeat(65_536))).toBe(HOLDS)
    expect(markOf(check, 'a'.repeat(65_537))).toBe(FAILS)
  })

  it('that fails is a fault and no verdict', () => {
    const broken = matching(() => {
      throw new Error('no memory')
    })
    for (const actual of ['a', 5, true]) expect(markOf(broken, actual)).toBe(FAULT)
    expect(markOf(broken, ['a'])).toBe(FAILS)
  })
})
