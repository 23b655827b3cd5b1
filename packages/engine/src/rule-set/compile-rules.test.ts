import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RuleError } from '../errors.js'
import type { Condition, Rule } from '../types.js'
import { compileRules } from './compile-rules.js'

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  name,
  target: 'plugin',
  field: 'x',
  operator: 'exists',
  ...more,
})
const after = (name: string, ...dependencies: string[]): Rule => {
  const gates = dependencies.map((dependsOnRule): Condition => ({ dependsOnRule }))
  return { name, target: 'plugin', conditions: [...gates, { field: 'x', operator: 'exists' }] }
}
const codes = (rules: readonly Rule[]) => compileRules(rules).issues.map(({ ruleId, code }) => [ruleId, code])

describe('order of evaluation', () => {
  it('is priority descending, then name by code unit, then id', () => {
    const rules = [
      rule('b', { priority: 1 }),
      rule('a', { priority: 1 }),
      rule('Z', { priority: 1 }),
      rule('z', { priority: 9 }),
      rule('same', { id: '2' }),
      rule('same', { id: '10' }),
    ]
    expect(compileRules(rules).order).toEqual(['z', 'Z', 'a', 'b', '10', '2'])
  })

  it('puts a rule behind those it depends on, by id or by unique name', () => {
    const rules = [
      { ...after('first', 'id-last'), priority: 100 },
      rule('last', { id: 'id-last' }),
      { ...after('gated', 'last'), priority: 50 },
    ]
    expect(compileRules(rules).order).toEqual(['id-last', 'first', 'gated'])
  })

  it('does not depend on the order in which rules are listed', () => {
    const rules = [
      after('a', 'b', 'c'),
      after('b', 'd'),
      rule('c'),
      rule('d'),
      after('e', 'f'),
      after('f', 'e'),
      after('g', 'e'),
    ]
    const { order } = compileRules(rules)
    fc.assert(
      fc.property(fc.shuffledSubarray(rules, { minLength: rules.length }), (shuffled) => {
        expect(compileRules(shuffled).order).toEqual(order)
      }),
    )
    expect(order.indexOf('g')).toBeGreaterThan(order.indexOf('e'))
  })

  it('orders a chain of 20,000 rules and a cycle of as many', () => {
    const count = 20_000
    const chain = Array.from({ length: count }, (_, index) =>
      index === 0 ? rule('r0') : after(`r${index}`, `r${index - 1}`),
    )
    expect(compileRules(chain).order.at(-1)).toBe(`r${count - 1}`)
    const cycle = Array.from({ length: count }, (_, index) => after(`r${index}`, `r${(index + 1) % count}`))
    expect(compileRules(cycle).issues).toHaveLength(count)
  })
})

describe('what is misconfigured', () => {
  it('is complete at compile time, each with pointer and fix', () => {
    const { issues } = compileRules([
      rule('a', { field: 'x..y', operator: 'like' as 'eq' }),
      rule('b', { operator: 'in', value: 'x' }),
      rule('c', { operator: 'regex', value: '(a+)+' }),
      {
        name: 'd',
        target: 'plugin',
        conditions: [
          { field: '$size(x)', operator: 'exists' },
          { field: 'x' },
          'nonsense' as Condition,
          { field: 'x', operator: 'gt', value: 'many' },
        ],
      },
    ])
    expect(issues.map(({ ruleId, pointer, code }) => [ruleId, pointer, code])).toEqual([
      ['a', '/field', 'invalid_path'],
      ['a', '/operator', 'unknown_operator'],
      ['b', '/value', 'invalid_value'],
      ['c', '/value', 'regex_unsafe'],
      ['d', '/conditions/0/field', 'unknown_function'],
      ['d', '/conditions/1', 'invalid_condition'],
      ['d', '/conditions/2', 'invalid_condition'],
      ['d', '/conditions/3/value', 'invalid_value'],
    ])
    for (const issue of issues) expect(issue.fix).not.toBe('')
  })

  it('of one rule is complete, too', () => {
    expect(codes([{ field: 'a..b', operator: 'in', value: 1 } as unknown as Rule])).toEqual([
      ['#0', 'missing_name'],
      ['#0', 'unknown_target'],
      ['#0', 'invalid_path'],
      ['#0', 'invalid_value'],
    ])
  })

  it('looks operators up by own name only', () => {
    for (const operator of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      expect(codes([rule('a', { operator: operator as 'eq' })])).toEqual([['a', 'unknown_operator']])
    }
  })

  it.each<[string, unknown, string]>([
    ['null', null, 'not_an_object'],
    ['a list', [], 'not_an_object'],
    ['a text', 'rule', 'not_an_object'],
    ['no name', { target: 'plugin', field: 'x', operator: 'exists' }, 'missing_name'],
    ['no target', { name: 'a', field: 'x', operator: 'exists' }, 'unknown_target'],
    ['no check', { name: 'a', target: 'plugin' }, 'no_check'],
    ['a field alone', { name: 'a', target: 'plugin', field: 'x' }, 'no_check'],
    ['an operator alone', { name: 'a', target: 'plugin', operator: 'exists' }, 'no_check'],
    ['empty conditions', { name: 'a', target: 'plugin', conditions: [] }, 'no_check'],
    ['conditions of another type', { name: 'a', target: 'plugin', conditions: 'x' }, 'invalid_type'],
    ['gates alone', { name: 'a', target: 'plugin', conditions: [{ dependsOnRule: 'b' }] }, 'no_live_check'],
  ])('%s never passes silently', (_, given, code) => {
    const rules = [given as Rule, rule('b')]
    const ruleSet = compileRules(rules)
    expect(ruleSet.issues.map((issue) => issue.code)).toEqual([code])
    for (const target of [undefined, 'plugin'] as const) {
      const result = ruleSet.evaluate({ x: 1 }, target === undefined ? {} : { target })
      expect(result.blocked).toBe(true)
      expect(result.violations[0]?.issue).toBe(code)
      expect(result.violations[0]?.message).toContain(code)
    }
  })

  it('names each cycle in order and leaves other rules alone', () => {
    const ruleSet = compileRules([
      after('a', 'b'),
      after('b', 'c'),
      after('c', 'a'),
      after('self', 'self'),
      after('d', 'a'),
      rule('e'),
    ])
    expect(ruleSet.issues.map(({ ruleId, cycle }) => [ruleId, cycle])).toEqual([
      ['a', ['a', 'b', 'c']],
      ['b', ['b', 'c', 'a']],
      ['c', ['c', 'a', 'b']],
      ['self', ['self']],
    ])
    const result = ruleSet.evaluate({ x: 1 })
    expect(result.violations.map(({ ruleId, issue }) => [ruleId, issue])).toEqual([
      ['a', 'dependency_cycle'],
      ['b', 'dependency_cycle'],
      ['c', 'dependency_cycle'],
      ['self', 'dependency_cycle'],
    ])
    expect(result.skipped).toEqual([{ ruleId: 'd', ruleName: 'd', reason: 'dependency_failed' }])
  })

  it('a dependency on the other target', () => {
    const rules = [after('a', 'b'), rule('b', { target: 'pipeline' })]
    expect(codes(rules)).toEqual([['a', 'dependency_target']])
    for (const context of [{}, { target: 'plugin' }] as const) {
      const result = compileRules(rules).evaluate({ x: 1 }, context)
      expect(result.violations.map(({ ruleId, issue }) => [ruleId, issue])).toEqual([['a', 'dependency_target']])
    }
  })

  it('a second rule with the same id, which is then not evaluated', () => {
    const rules = [rule('a', { id: '1' }), rule('b', { id: '1', operator: 'notExists' })]
    expect(codes(rules)).toEqual([['1', 'duplicate_id']])
    expect(compileRules(rules).evaluate({ x: 1 })).toMatchObject({ passed: true, rulesEvaluated: 1, issues: 0 })
  })

  it('strict throws once, with every issue', () => {
    const bad = [rule('a', { field: '' }), rule('b', { operator: 'in', value: 1 })]
    expect(() => compileRules(bad, { strict: true })).toThrow(RuleError)
    try {
      compileRules(bad, { strict: true })
    } catch (error) {
      expect((error as RuleError).issues).toEqual(compileRules(bad).issues)
      expect((error as RuleError).issues).toHaveLength(2)
    }
    expect(() => compileRules([rule('a')], { strict: true })).not.toThrow()
  })

  it('throws a TypeError for rules that are not a list', () => {
    expect(() => compileRules({} as unknown as Rule[])).toThrow(TypeError)
  })
})

describe('rules that are never evaluated', () => {
  it.each<Partial<Rule>>([{ isActive: false }, { isTemplate: true }, { deletedAt: '2026-01-01T00:00:00Z' }])(
    '%j',
    (state) => {
      const ruleSet = compileRules([rule('dead', { ...state, operator: 'notExists' }), after('heir', 'dead')])
      expect(ruleSet.order).toEqual(['heir'])
      expect(ruleSet.issues).toEqual([])
      const result = ruleSet.evaluate({ x: 1 })
      expect(result).toMatchObject({ passed: true, rulesEvaluated: 0, rulesSkipped: 1 })
      expect(result.skipped[0]?.reason).toBe('dependency_unavailable')
    },
  )

  it('an id of one is not taken for the name of another', () => {
    const ruleSet = compileRules([
      rule('dead', { isActive: false }),
      rule('dead', { id: 'other' }),
      after('heir', 'dead'),
    ])
    expect(ruleSet.evaluate({ x: 1 }).skipped[0]?.reason).toBe('dependency_unavailable')
  })
})

describe('references by name', () => {
  it('resolve only when the name is unique in the evaluated set', () => {
    const twice = [rule('n', { id: '1' }), rule('n', { id: '2' }), after('heir', 'n')]
    expect(compileRules(twice).evaluate({ x: 1 }).skipped[0]?.reason).toBe('dependency_unavailable')
    const perTarget = [rule('n', { id: '1' }), rule('n', { id: '2', target: 'pipeline' }), after('heir', 'n')]
    expect(compileRules(perTarget).evaluate({ x: 1 }).skipped[0]?.reason).toBe('dependency_unavailable')
    expect(compileRules(perTarget).evaluate({ x: 1 }, { target: 'plugin' }).skipped).toEqual([])
  })

  it('prefer an id over a name', () => {
    const rules = [rule('a', { id: 'b', operator: 'notExists' }), rule('b', { id: 'c' }), after('heir', 'b')]
    expect(compileRules(rules).evaluate({ x: 1 }).skipped[0]?.reason).toBe('dependency_failed')
  })
})

describe('a rule set', () => {
  it('keeps the rules as they were given, in evaluation order', () => {
    const [first, second] = [rule('a'), rule('b', { priority: 5 })]
    expect(compileRules([first, second]).rules).toEqual([second, first])
    expect(compileRules([first]).rules[0]).toBe(first)
  })

  it('is not changed by a later change of a rule', () => {
    const value = ['a']
    const given = { ...rule('a'), operator: 'in' as const, value }
    const ruleSet = compileRules([given])
    value.push('b')
    Object.assign(given, { severity: 'warning', field: 'y' })
    expect(ruleSet.evaluate({ x: 'b' }).violations[0]).toMatchObject({ severity: 'error', expectedValue: ['a'] })
  })

  it('evaluates an identical check of many rules once', () => {
    let tests = 0
    const regex = {
      check: () => null,
      cost: () => 1,
      compile: (pattern: string) => ({
        pattern,
        engine: 're2js' as const,
        test: () => {
          tests += 1
          return true
        },
      }),
    }
    const same: Partial<Rule> = { field: 'a["b"]', operator: 'regex', value: 'x' }
    const rules = [rule('a', same), rule('b', { ...same, field: 'a.b' }), rule('c', { ...same, severity: 'warning' })]
    expect(compileRules(rules, { regex }).evaluate({ a: { b: 'x' } }).passed).toBe(true)
    expect(tests).toBe(1)
  })

  it('reads rules by own properties only', () => {
    const inherited = Object.create({ isActive: false, severity: 'warning' }) as Rule
    Object.assign(inherited, rule('a', { operator: 'notExists' }))
    expect(compileRules([inherited]).evaluate({ x: 1 }).blocked).toBe(true)
  })
})
