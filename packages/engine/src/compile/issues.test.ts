/** What compilation says of a rule, and what a rule that is misconfigured or violated shows of itself. */
import { describe, expect, it } from 'vitest'
import { operandReaders } from '../operator/operand.js'
import { compileRules } from '../rule-set/compile-rules.js'
import type { Attributes, OperatorName, Rule } from '../types.js'

const valid = { name: 'rule', target: 'plugin', field: 'a', operator: 'exists' }
const check = { field: 'a', operator: 'exists' }
const operators = Object.keys(operandReaders).join(', ')
const deep = Array.from({ length: 500 }).reduce<unknown>((inner) => [inner], 1)
const neither =
  'invalid_condition: the condition is neither a check nor a gate; give `field` and `operator`, or `dependsOnRule` alone'

const said = (rules: readonly unknown[]): string[] =>
  compileRules(rules as Rule[]).issues.map(
    ({ pointer, code, message, fix }) => `${pointer} ${code}: ${message}; ${fix}`,
  )
const violation = (rule: object, attributes: Attributes = {}) =>
  compileRules([{ ...valid, ...rule } as Rule]).evaluate(attributes).violations[0]

describe('compilation says', () => {
  it.each<[string, unknown, ...string[]]>([
    ['no object', 5, ' not_an_object: the rule is not an object; write the rule as an object'],
    ['no name', { ...valid, name: '' }, '/name missing_name: the rule has no name; give the rule a name'],
    [
      'a name that is not a text',
      { ...valid, name: 5 },
      '/name missing_name: the rule has no name; give the rule a name',
    ],
    [
      'an unknown target',
      { ...valid, target: 'job' },
      '/target unknown_target: the target is unknown; give `plugin` or `pipeline`',
    ],
    ['no field', { ...valid, field: null }, '/field no_check: the rule has no check; give `field`'],
    ['no operator', { ...valid, operator: null }, '/operator no_check: the rule has no check; give `operator`'],
    [
      'neither',
      { name: 'rule', target: 'plugin', conditions: null },
      ' no_check: the rule has no check; give `field` and `operator`, or `conditions`',
    ],
    [
      'conditions that are not a list',
      { ...valid, conditions: 'x' },
      '/conditions invalid_type: `conditions` is not a list; give a list of conditions',
    ],
    [
      'gates alone',
      { ...valid, conditions: [{ dependsOnRule: 'x' }] },
      '/conditions no_live_check: no condition checks a field; add a condition with `field` and `operator`',
    ],
    [
      'a condition that is not an object',
      { ...valid, conditions: [5] },
      '/conditions/0 invalid_condition: the condition is not an object; write the condition as an object',
    ],
    [
      'gates that name no rule',
      { ...valid, conditions: [check, { ...check, dependsOnRule: '' }, { dependsOnRule: 5 }] },
      '/conditions/1/dependsOnRule invalid_condition: the gate names no rule; give the id or name of a rule',
      '/conditions/2/dependsOnRule invalid_condition: the gate names no rule; give the id or name of a rule',
    ],
    [
      'conditions of half a check',
      {
        ...valid,
        conditions: [
          { field: 'a' },
          { operator: 'exists' },
          { dependsOnRule: 'b', value: 1 },
          { dependsOnRule: 'b', field: 'a' },
          { dependsOnRule: 'b', operator: 'exists' },
          {},
        ],
      },
      ...[0, 1, 2, 3, 4, 5].map((at) => `/conditions/${at} ${neither}`),
    ],
    [
      'an unknown operator',
      { ...valid, operator: 'like' },
      `/operator unknown_operator: the operator is unknown; use one of ${operators}`,
    ],
    [
      'a field that is not a text',
      { ...valid, field: 5 },
      '/field invalid_path: the field is not a text; name an attribute, for example `version`',
    ],
    [
      'a deep value',
      { ...valid, operator: 'eq', value: deep },
      '/value invalid_value: the value is nested too deeply; give a flatter value',
    ],
    ['a deep value that is not used', { ...valid, value: deep }],
    [
      'a broken pattern',
      { ...valid, operator: 'regex', value: '(' },
      '/value regex_syntax: unterminated group; correct the pattern',
    ],
    [
      'a broken path and a broken pattern',
      { ...valid, conditions: [{ field: 'a..b', operator: 'regex', value: '(' }] },
      '/conditions/0/field invalid_path: the field path has an empty segment; name a key between the dots',
      '/conditions/0/value regex_syntax: unterminated group; correct the pattern',
    ],
    [
      'a rule that waits for itself',
      { ...valid, conditions: [{ dependsOnRule: 'rule' }, check] },
      ' dependency_cycle: the rule depends on itself through rule; remove one `dependsOnRule` of the cycle',
    ],
  ])('of %s', (_, rule, ...expected) => {
    expect(said([rule])).toEqual(expected)
  })

  it('of a second rule with an id that is taken', () => {
    expect(said([valid, { ...valid, id: 'rule' }])).toEqual([
      '/id duplicate_id: another rule before this one has the id `rule`; ' + 'give each rule its own id or name',
    ])
  })

  it('of a gate on a rule of the other target', () => {
    const rules = [
      { ...valid, conditions: [{ dependsOnRule: 'p' }, check] },
      { ...valid, name: 'p', target: 'pipeline' },
    ]
    expect(said(rules)).toEqual([
      '/conditions/0/dependsOnRule dependency_target: `p` is a rule of the other target; depend on a rule of the same target',
    ])
  })

  it('whose rule it is: by id and name, by name, or by place', () => {
    const of = (rule: object) => {
      const [issue] = compileRules([valid, { ...rule, target: 'plugin' }] as Rule[]).issues
      return [issue?.ruleId, issue?.ruleName]
    }
    expect(of({ id: '7', name: 'n' })).toEqual(['7', 'n'])
    expect(of({ id: '', name: 'n' })).toEqual(['n', 'n'])
    expect(of({ id: '7' })).toEqual(['7', '7'])
    expect(of({ id: 7, name: 7 })).toEqual(['#1', '#1'])
  })

  it('to a caller without types that a list of rules and attributes are needed', () => {
    expect(() => compileRules('rules' as unknown as Rule[])).toThrow(new TypeError('rules must be a list'))
    expect(() => compileRules([]).evaluate([] as unknown as Attributes)).toThrow(
      new TypeError('attributes must be an object'),
    )
  })
})

describe('a violation', () => {
  it.each<[OperatorName, unknown, unknown, string]>([
    ['eq', 1, 2, '`a` must equal 1'],
    ['neq', 2, 2, '`a` must not equal 2'],
    ['gt', 5, 2, '`a` must be greater than 5'],
    ['gte', 5, 2, '`a` must be at least 5'],
    ['lt', 1, 2, '`a` must be less than 1'],
    ['lte', 1, 2, '`a` must be at most 1'],
    ['contains', 'x', 'y', '`a` must contain "x"'],
    ['notContains', 'y', 'y', '`a` must not contain "y"'],
    ['in', ['x'], 'y', '`a` must be one of ["x"]'],
    ['notIn', ['y'], 'y', '`a` must not be one of ["y"]'],
    ['regex', '^x$', 'y', '`a` must match `^x$`'],
    ['exists', null, null, '`a` must be present'],
    ['notExists', null, 'y', '`a` must be absent'],
    ['notEmpty', null, '', '`a` must not be empty'],
    ['countGt', 1, [], '`a` must have a count greater than 1'],
    ['countLt', 1, ['y'], '`a` must have a count less than 1'],
    ['lengthGt', 1, '', '`a` must have a length greater than 1'],
    ['lengthLt', 1, 'y', '`a` must have a length less than 1'],
  ])('of %s says what must be', (operator, value, actual, message) => {
    expect(violation({ operator, value }, { a: actual })?.message).toBe(message)
  })

  it('cuts an expected value after 120 characters of JSON', () => {
    const message = (length: number) => violation({ operator: 'eq', value: 'x'.repeat(length - 2) })?.message
    expect(message(120)).toBe(`\`a\` must equal "${'x'.repeat(118)}"`)
    expect(message(121)).toBe(`\`a\` must equal "${'x'.repeat(119)}…`)
  })

  it('carries what the rule says of itself', () => {
    const said = {
      description: 'd',
      policyIds: ['p', 5, 'q'],
      severity: 'critical',
      source: 'inherited',
      suppressNotification: true,
    }
    expect(violation({ ...said, id: '7' })).toEqual({
      ruleId: '7',
      ruleName: 'rule',
      description: 'd',
      policyId: 'p',
      policyIds: ['p', 'q'],
      field: 'a',
      operator: 'exists',
      expectedValue: null,
      actualValue: null,
      severity: 'critical',
      message: '`a` must be present',
      source: 'inherited',
      suppressNotification: true,
      issue: null,
    })
    expect(violation({ policyId: 'own', policyIds: ['p'] })?.policyId).toBe('own')
    expect(violation({ source: 'subscribed' })?.source).toBe('subscribed')
  })

  it('carries defaults where the rule says nothing, or nonsense', () => {
    const defaults = {
      description: null,
      policyId: null,
      policyIds: [],
      severity: 'error',
      source: 'own',
      suppressNotification: false,
    }
    expect(violation({})).toMatchObject(defaults)
    const nonsense = {
      description: 5,
      policyId: 5,
      policyIds: 'p',
      severity: 5,
      source: 'elsewhere',
      suppressNotification: 'yes',
    }
    expect(violation(nonsense)).toMatchObject(defaults)
  })

  it('of a misconfigured rule shows its own field, operator and value, redacted', () => {
    const broken = violation({ field: 'token', operator: 'in', value: 'secret' })
    expect(broken).toMatchObject({ field: 'token', operator: 'in', expectedValue: '[REDACTED]', actualValue: null })
    expect(broken?.message).toBe('the rule cannot be evaluated: invalid_value')
    expect(violation({ field: 5, operator: 5 })).toMatchObject({
      field: 'unknown',
      operator: null,
      issue: 'invalid_path',
    })
    expect(violation({ field: '$size(token)', operator: 'eq', value: 'x' })?.expectedValue).toBe('x')
    expect(violation({ field: '$length(token)', operator: 'eq', value: 9 })?.expectedValue).toBe(9)
  })

  it('is misconfigured for the first reason that is found', () => {
    expect(violation({ name: '', field: 'a..b' })?.issue).toBe('missing_name')
    expect(violation({ field: 'a..b', operator: 'like' })?.issue).toBe('invalid_path')
    expect(violation({ field: 'a..b', operator: 'eq', value: deep })?.issue).toBe('invalid_path')
    expect(violation({ field: 'a..b', operator: 'regex', value: '(' })?.issue).toBe('invalid_path')
  })
})

describe('dates and priorities that cannot be read', () => {
  it('leave the interval open', () => {
    const now = new Date('2026-06-01T00:00:00Z')
    const skipped = (more: object) =>
      compileRules([{ ...valid, ...more } as Rule])
        .evaluate({}, { now })
        .skipped.map(({ reason }) => reason)
    expect(skipped({ effectiveFrom: 'soon', effectiveUntil: 'later' })).toEqual([])
    expect(skipped({ effectiveFrom: '2026-06-01T00:00:00Z', effectiveUntil: '2026-06-01T00:00:00Z' })).toEqual([])
    expect(skipped({ effectiveFrom: '2026-06-01T00:00:00.001Z' })).toEqual(['not_effective'])
    expect(skipped({ effectiveUntil: '2026-05-31T23:59:59.999Z' })).toEqual(['not_effective'])
  })

  it('count as the priority 0', () => {
    const order = (priority: unknown) =>
      compileRules([
        { ...valid, name: 'b', priority: -1 },
        { ...valid, name: 'a', priority },
        { ...valid, name: 'c', priority: 1 },
      ] as Rule[]).order
    for (const priority of ['9', Number.NaN, Number.POSITIVE_INFINITY, null, undefined]) {
      expect(order(priority)).toEqual(['c', 'a', 'b'])
    }
  })
})

describe('the budget for patterns', () => {
  const patterns = (count: number) =>
    Array.from({ length: count }, (_, i) => ({ ...valid, name: `r${i}`, operator: 'regex', value: `p${i}` }))
  const never = { pattern: '', engine: 're2js' as const, test: () => false }
  const costing = (cost: number) => ({ check: () => null, cost: () => cost, compile: () => never })
  const issues = (count: number, cost: number) =>
    compileRules(patterns(count) as Rule[], { regex: costing(cost) }).issues

  it('is 2,000,000 program instructions, each pattern counted once', () => {
    expect(issues(2, 1_000_000)).toEqual([])
    expect(issues(3, 1_000_000)).toMatchObject([
      {
        ruleId: 'r2',
        pointer: '/value',
        code: 'regex_budget',
        message: 'more than 5000 distinct patterns or 2000000 instructions in the rule set',
        fix: 'use fewer or simpler patterns',
      },
    ])
    const twice = [...patterns(1), ...patterns(1).map((rule) => ({ ...rule, name: 'again', field: 'b' }))] as Rule[]
    expect(compileRules(twice, { regex: costing(1_500_000) }).issues).toEqual([])
  })

  it('is 5,000 patterns', () => {
    expect(issues(5_000, 1)).toEqual([])
    expect(issues(5_001, 1)).toHaveLength(1)
  })
})

describe('a condition that cannot be read', () => {
  it.each<[string, unknown, string, string]>([
    ['is not an object', 5, 'invalid_condition', 'unknown'],
    ['has a gate that names no rule', { dependsOnRule: 5, field: 'x', operator: 'exists' }, 'invalid_condition', 'x'],
    ['has an empty gate alone', { dependsOnRule: '' }, 'invalid_condition', 'unknown'],
    ['has no operator', { field: 'x' }, 'invalid_condition', 'x'],
    ['has neither field nor gate', { operator: 'exists' }, 'invalid_condition', 'unknown'],
    ['has an empty field', { field: '', operator: 'exists' }, 'invalid_path', 'unknown'],
    ['has a broken path', { field: 'a..b', operator: 'exists' }, 'invalid_path', 'a..b'],
    ['has a broken path and operator', { field: 'a..b', operator: 'is' }, 'invalid_path', 'a..b'],
    ['has a broken path and value', { field: 'a..b', operator: 'gt', value: 'x' }, 'invalid_path', 'a..b'],
    ['has an unknown operator', { field: 'x', operator: 'is' }, 'unknown_operator', 'x'],
  ])('%s: the violation names issue and field', (_, condition, issue, field) => {
    const { field: __, operator: ___, ...rest } = valid
    const result = compileRules([{ ...rest, conditions: [condition] } as unknown as Rule]).evaluate({ x: 1 })
    expect(result.violations).toMatchObject([{ issue, field, operator: null, expectedValue: null, actualValue: null }])
  })
})
