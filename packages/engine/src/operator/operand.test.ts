import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evaluateRules } from '../rule-set/compile-rules.js'
import type { JsonValue, OperatorName, Rule } from '../types.js'
import { authoringProblem } from './authoring.js'
import { operandReaders } from './operand.js'

const names = Object.keys(operandReaders) as OperatorName[]
const rule = (operator: OperatorName, value?: JsonValue): Rule => ({
  name: 'rule',
  target: 'plugin',
  field: 'f',
  operator,
  ...(value === undefined ? {} : { value }),
})
const verdict = (operator: OperatorName, actual: unknown, value?: JsonValue) =>
  evaluateRules([rule(operator, value)], actual === undefined ? {} : { f: actual })
const holds = (operator: OperatorName, actual: unknown, value?: JsonValue): boolean =>
  verdict(operator, actual, value).passed

const json = fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>
const scalar: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '-0',
    '1',
    '1.0',
    ' 1',
    '1e3',
    'true',
    'false',
    'null',
    'Infinity',
    'A',
    'a',
    'İ',
    'ß',
    'ſ',
    'K',
  ),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
)

describe('malformed rule values', () => {
  it.each<[OperatorName, JsonValue | undefined]>([
    ['in', 'a'],
    ['in', undefined],
    ['notIn', { a: 1 }],
    ['notIn', null],
    ['contains', ['a']],
    ['contains', undefined],
    ['notContains', { a: 1 }],
    ['notContains', null],
    ['gt', 'many'],
    ['gte', true],
    ['lt', [1]],
    ['lte', ''],
    ['lte', '0x10'],
    ['countGt', null],
    ['countLt', 'x'],
    ['lengthGt', {}],
    ['lengthLt', 'Infinity'],
    ['regex', 5],
    ['regex', ''],
    ['regex', '('],
    ['regex', '(a+)+'],
    ['regex', '(?=a)'],
    ['regex', 'a'.repeat(101)],
  ])('%s %j is misconfigured: a violation whatever the attribute is', (operator, value) => {
    for (const actual of [undefined, 'a', 1, true, ['a'], { a: 1 }]) {
      const result = verdict(operator, actual, value)
      expect(result.violations).toHaveLength(1)
      expect(result.violations[0]?.issue).toMatch(/^(invalid_value|regex_)/)
      expect(result.issues).toBe(1)
    }
  })

  it('refuses a value nested beyond the bound instead of exhausting the stack', () => {
    let value: JsonValue = 1
    for (let depth = 0; depth < 100_000; depth++) value = [value]
    expect(verdict('eq', 1, value).violations[0]?.issue).toBe('invalid_value')
    const cyclic: JsonValue[] = []
    cyclic.push(cyclic)
    expect(verdict('eq', 1, cyclic).violations[0]?.issue).toBe('invalid_value')
  })

  it('what authoring accepts, evaluation accepts', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...names),
        fc.option(fc.oneof(json, scalar, fc.array(scalar)), { nil: undefined }),
        (operator, value) => {
          if (authoringProblem(operator, value) !== null || operator === 'regex') return
          expect(verdict(operator, 'x', value).issues).toBe(0)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('laws of the operators', () => {
  const pairs: readonly (readonly [OperatorName, OperatorName])[] = [
    ['eq', 'neq'],
    ['in', 'notIn'],
    ['contains', 'notContains'],
  ]

  it('an operator and its negation never hold together', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pairs), fc.oneof(json, scalar), fc.oneof(json, scalar), (pair, actual, value) => {
        const [positive, negative] = pair
        const operand = positive === 'in' ? [value] : value
        const positiveHolds = verdict(positive, actual, operand)
        if (positiveHolds.issues > 0) return
        expect(positiveHolds.passed && holds(negative, actual, operand)).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('on scalars exactly one of eq and neq, in and notIn holds', () => {
    fc.assert(
      fc.property(scalar, scalar, (actual, value) => {
        expect(holds('eq', actual, value)).toBe(!holds('neq', actual, value))
        expect(holds('in', actual, [value])).toBe(!holds('notIn', actual, [value]))
        expect(holds('in', actual, [value])).toBe(holds('eq', actual, value))
      }),
      { numRuns: 2_000 },
    )
  })

  it('eq on scalars is equality of texts', () => {
    const textOf = (value: JsonValue) => (Object.is(value, -0) ? '0' : String(value))
    fc.assert(
      fc.property(scalar, scalar, (actual, value) => {
        expect(holds('eq', actual, value)).toBe(textOf(actual) === textOf(value))
        expect(holds('eq', actual, textOf(actual))).toBe(true)
      }),
      { numRuns: 2_000 },
    )
  })

  it('contains ignores case as toLowerCase does', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme', minLength: 1 }), (text, part) => {
        expect(holds('contains', text, part)).toBe(text.toLowerCase().includes(part.toLowerCase()))
        expect(holds('contains', [text], part)).toBe(text.toLowerCase() === part.toLowerCase())
        expect(holds('contains', text + part + text, part.toUpperCase())).toBe(
          (text + part + text).toLowerCase().includes(part.toUpperCase().toLowerCase()),
        )
      }),
    )
  })

  it('deep equality ignores the order of keys only', () => {
    const record = fc.dictionary(fc.string({ maxLength: 3 }), json, { maxKeys: 4, noNullPrototype: true })
    fc.assert(
      fc.property(record, (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse())
        expect(holds('eq', reversed, value)).toBe(true)
        expect(holds('eq', [reversed], [value])).toBe(true)
        expect(holds('neq', reversed, value)).toBe(false)
        expect(holds('eq', { ...reversed, extra: 1 }, { ...value, other: 1 })).toBe(false)
      }),
    )
  })

  it('deep equality is that of the JSON text: dropped members count neither way', () => {
    expect(holds('eq', { a: undefined, b: 1 }, { a: null })).toBe(false)
    expect(holds('eq', { a: undefined, b: 1 }, { b: 1 })).toBe(true)
    expect(holds('eq', { a: null }, { a: null })).toBe(true)
    expect(holds('eq', [undefined, new Date(0)], [null, '1970-01-01T00:00:00.000Z'])).toBe(true)
  })

  it('wrapping a value in a list or an object satisfies no operator but those on presence and count', () => {
    const onContainers = new Set<OperatorName>([
      'exists',
      'notEmpty',
      'countGt',
      'countLt',
      'in',
      'notIn',
      'contains',
      'notContains',
    ])
    for (const operator of names.filter((name) => !onContainers.has(name))) {
      const value = operator === 'regex' ? '.' : operator.startsWith('not') || operator === 'exists' ? undefined : 1
      expect(holds(operator, [1], value)).toBe(false)
      expect(holds(operator, { a: 1 }, value)).toBe(false)
    }
  })
})

describe('regex', () => {
  it('fails text of more than 64 Ki units without running the engine', () => {
    expect(holds('regex', 'a'.repeat(65_536), 'a')).toBe(true)
    expect(holds('regex', 'a'.repeat(65_537), 'a')).toBe(false)
  })

  it('an engine that gives up is a misconfigured rule, never "no match"', () => {
    const regex = {
      check: () => null,
      cost: () => 1,
      compile: (pattern: string) => ({
        pattern,
        engine: 're2js' as const,
        test: () => {
          throw new Error('fault')
        },
      }),
    }
    const result = evaluateRules([rule('regex', 'a')], { f: 'a' }, {}, { regex })
    expect(result.violations[0]).toMatchObject({ issue: 'regex_engine', actualValue: null, operator: 'regex' })
    expect(result.issues).toBe(1)
    const either: Rule = {
      name: 'either',
      target: 'plugin',
      conditionMode: 'any',
      conditions: [
        { field: 'f', operator: 'regex', value: 'a' },
        { field: 'f', operator: 'exists' },
      ],
    }
    expect(evaluateRules([either], { f: 'a' }, {}, { regex }).passed).toBe(true)
  })

  it('refuses patterns beyond the budget of the set, in evaluation order', () => {
    const regex = {
      check: () => null,
      cost: () => 1_500_000,
      compile: (pattern: string) => ({ pattern, engine: 're2js' as const, test: () => true }),
    }
    const rules: Rule[] = [
      { ...rule('regex', 'late'), name: 'late' },
      { ...rule('regex', 'early'), name: 'early' },
      { ...rule('regex', 'early'), name: 'again', field: 'g' },
    ]
    const result = evaluateRules(rules, { f: 'x', g: 'x' }, {}, { regex })
    expect(result.violations.map(({ ruleId, issue }) => [ruleId, issue])).toEqual([['late', 'regex_budget']])
  })

  it('refuses more than 5,000 distinct patterns in a set', () => {
    const regex = {
      check: () => null,
      cost: () => 1,
      compile: (pattern: string) => ({ pattern, engine: 're2js' as const, test: () => true }),
    }
    const rules = Array.from(
      { length: 5_001 },
      (_, i): Rule => ({ ...rule('regex', `p${i}`), name: `r${i}`, priority: -i }),
    )
    const result = evaluateRules(rules, { f: 'x' }, {}, { regex })
    expect(result.violations.map(({ ruleId, issue }) => [ruleId, issue])).toEqual([['r5000', 'regex_budget']])
  })
})
