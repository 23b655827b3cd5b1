/** Which rule values each operator takes, when it is written and when it is evaluated, and what it says of others. */
import { describe, expect, it } from 'vitest'
import { compileRules } from '../rule-set/compile-rules.js'
import type { JsonValue, OperatorName, RegexRefusal, Rule } from '../types.js'
import { authoringProblem } from './authoring.js'
import { isOperatorName, usesValue } from './operand.js'

const text = 'invalid_value: the value is not a text, number or boolean; give the one text to look for'
const number = 'invalid_value: the value is not a number; give a finite number or a decimal text'
const size = 'invalid_value: the value is not a size; give an integer from -1 to 1000000000'
const list = 'invalid_value: the value is not a list of values; give a list of 1 to 1000 values'
const entry = 'invalid_value: the list holds a list or an object; list texts, numbers, booleans or null'

const authored = (operator: OperatorName, value?: JsonValue): string | null => {
  const problem = authoringProblem(operator, value)
  return problem === null ? null : `${problem.code}: ${problem.message}; ${problem.fix}`
}
const evaluated = (operator: OperatorName, value?: JsonValue): string | null => {
  const rule: Rule = { name: 'a', target: 'plugin', field: 'x', operator, ...(value === undefined ? {} : { value }) }
  const [issue] = compileRules([rule]).issues
  return issue === undefined ? null : `${issue.code}: ${issue.message}; ${issue.fix}`
}

describe('an author who writes a value', () => {
  it.each<[OperatorName, readonly JsonValue[], readonly JsonValue[], string]>([
    ['gt', [1, '1', ' 1.5 '], ['x', '', true, null, []], number],
    ['gte', [1], ['x'], number],
    ['lt', [1], ['x'], number],
    ['lte', [1], ['x'], number],
    ['contains', ['a', 1, false, ' '], ['', null, ['a'], {}], `${text}, not empty`],
    ['notContains', ['a'], [''], `${text}, not empty`],
    ['in', [['a'], [null], [1, true], Array(1_000).fill('a')], [[], 'a', null, {}, Array(1_001).fill('a')], list],
    ['in', [], [[['a']], [{}], ['a', []]], entry],
    ['notIn', [['a']], [[]], list],
    ['countGt', [-1, 0, 1e9, '7'], [-2, 1e9 + 1, 1.5, 'x', null], size],
    ['countLt', [1], [1.5], size],
    ['lengthGt', [1], [1.5], size],
    ['lengthLt', [1], [1.5], size],
    ['eq', [1, null, [], {}], [], ''],
    ['neq', [1, null, [], {}], [], ''],
  ])('of %s', (operator, good, bad, problem) => {
    expect(good.map((value) => authored(operator, value))).toEqual(good.map(() => null))
    expect(bad.map((value) => authored(operator, value))).toEqual(bad.map(() => problem))
  })

  it('learns which operators need one and which take none', () => {
    const without: readonly OperatorName[] = ['exists', 'notExists', 'notEmpty']
    for (const operator of without) {
      expect([authored(operator), authored(operator, null)]).toEqual([null, null])
      expect(authored(operator, false)).toBe(`unexpected_value: \`${operator}\` takes no value; remove \`value\``)
      expect(usesValue(operator)).toBe(false)
    }
    for (const operator of ['eq', 'in', 'regex', 'countGt', 'contains'] as const) {
      expect(authored(operator)).toBe(`missing_value: \`${operator}\` needs a value; give \`value\``)
      expect(usesValue(operator)).toBe(true)
    }
  })
})

describe('a value that cannot be compared', () => {
  it.each<[OperatorName, JsonValue | undefined, string]>([
    ['gt', 'x', number],
    ['countGt', null, number],
    ['contains', [], text],
    ['notContains', undefined, text],
    ['in', 'a', 'invalid_value: the value is not a list; give a list of values'],
    ['notIn', undefined, 'invalid_value: the value is not a list; give a list of values'],
    ['regex', 5, 'invalid_value: the value is not a pattern; give the regular expression as text'],
    [
      'regex',
      'a'.repeat(101),
      'regex_too_long: the pattern has 101 characters, more than 100; shorten the pattern or split the rule',
    ],
    ['regex', '(', 'regex_syntax: unterminated group; correct the pattern'],
    ['regex', '', 'regex_empty: the pattern is empty; give a pattern, or use `exists`'],
  ])('of %s %j is named', (operator, value, problem) => {
    expect(evaluated(operator, value)).toBe(problem)
  })

  it('of a pattern says how to mend it, for each reason', () => {
    const fixes = (['too_long', 'syntax', 'unsafe', 'unsupported', 'empty', 'budget'] as const).map((reason) => {
      const refusal: RegexRefusal = { reason, message: 'why', position: 0 }
      const regex = { check: () => refusal, cost: () => 1, compile: () => expect.unreachable() }
      const rule: Rule = { name: 'a', target: 'plugin', field: 'x', operator: 'regex', value: 'p' }
      return compileRules([rule], { regex }).issues.map(({ code, message, fix }) => `${code}: ${message}; ${fix}`)
    })
    expect(fixes.flat()).toEqual([
      'regex_too_long: why; shorten the pattern or split the rule',
      'regex_syntax: why; correct the pattern',
      'regex_unsafe: why; remove the repetition inside a repetition',
      'regex_unsupported: why; remove look-around, back-references and inline flags',
      'regex_empty: why; give a pattern, or use `exists`',
      'regex_budget: why; use fewer or simpler patterns',
    ])
  })
})

describe('operators', () => {
  it('are known by their own names only', () => {
    expect(['eq', 'lengthLt', 'toString', '__proto__', 'EQ', '', 5, null, ['eq']].map(isOperatorName)).toEqual([
      ...[true, true],
      ...[false, false, false, false, false, false, false],
    ])
  })
})
