/** What a plan knows of its rules beforehand: this is where an evaluation saves its time, so it has to be true. */
import { describe, expect, it } from 'vitest'
import { compilationOf, compileRules } from '../rule-set/compile-rules.js'
import type { Condition, Rule, Target } from '../types.js'

const exists: Condition = { field: 'x', operator: 'exists' }
const matches = (value: string): Condition => ({ field: 'x', operator: 'regex', value })
const gate = (dependsOnRule: string): Condition => ({ dependsOnRule })
const rule = (name: string, more: Partial<Rule>): Rule => ({ name, target: 'plugin', ...more })
const planOf = (rules: readonly Rule[], target?: Target) => compilationOf(compileRules(rules)).planFor(target)
/** In evaluation order: names are given in theirs. */
const only = (rules: readonly Rule[]) => [...planOf(rules).only].map((check) => check >= 0)

describe('a plan', () => {
  it('knows which rules one check alone decides, and has the violation of those ready', () => {
    const rules = [
      rule('a single check', exists),
      rule('b one condition', { conditions: [exists] }),
      rule('c two conditions', { conditions: [exists, matches('a')] }),
      rule('d a gate', { conditions: [gate('a single check'), exists] }),
      rule('e a gated check', { conditions: [{ ...exists, dependsOnRule: 'a single check' }] }),
      rule('f a start', { ...exists, effectiveFrom: '2026-01-01T00:00:00Z' }),
      rule('g an end', { ...exists, effectiveUntil: '2026-01-01T00:00:00Z' }),
      rule('h broken', { field: 'a..b', operator: 'exists' }),
      rule('i no target', { ...exists, target: 'job' as 'plugin' }),
      rule('j circular', { conditions: [gate('j circular'), exists] }),
    ]
    expect(only(rules)).toEqual([true, true, ...Array(8).fill(false)])
    const { violations } = planOf(rules)
    expect(violations.map((violation) => violation?.ruleId ?? null)).toEqual([
      'a single check',
      'b one condition',
      ...Array(8).fill(null),
    ])
  })

  it.each<[string, boolean, Rule[]]>([
    ['single checks', true, [rule('a', exists), rule('b', matches('a'))]],
    ['gates that lead to rules', true, [rule('a', exists), rule('b', { conditions: [gate('a'), exists] })]],
    [
      'gated checks that lead to rules',
      true,
      [rule('a', exists), rule('b', { conditions: [{ ...exists, dependsOnRule: 'a' }, exists] })],
    ],
    ['a gate that leads nowhere', false, [rule('a', { conditions: [gate('gone'), exists] })]],
    [
      'gates of which one leads nowhere',
      false,
      [rule('a', exists), rule('b', { conditions: [gate('a'), gate('gone'), exists] })],
    ],
    ['a gated check that leads nowhere', false, [rule('a', { conditions: [{ ...exists, dependsOnRule: 'gone' }] })]],
    ['a date', false, [rule('a', { ...exists, effectiveUntil: '2026-01-01T00:00:00Z' })]],
    ['a misconfigured check', false, [rule('a', { conditions: [exists, { field: 'a..b', operator: 'exists' }] })]],
    ['a misconfigured rule', false, [rule('a', { ...exists, target: 'job' as 'plugin' })]],
    ['a cycle', false, [rule('a', { conditions: [gate('a'), exists] })]],
  ])('of %s is clean: %s', (_, clean, rules) => {
    expect(planOf(rules).clean).toBe(clean)
    expect(planOf([...rules, rule('z', exists)]).clean).toBe(clean)
  })

  it('keeps the state of rules only where some rule asks for it', () => {
    expect(planOf([rule('a', exists), rule('b', { conditions: [exists, matches('a')] })]).gated).toBe(false)
    expect(planOf([rule('a', exists), rule('b', { conditions: [gate('a'), exists] })]).gated).toBe(true)
    expect(planOf([rule('a', exists), rule('b', { conditions: [{ ...exists, dependsOnRule: 'a' }] })]).gated).toBe(true)
  })

  it('lets a pattern wait until it is asked for, unless a rule consists of it', () => {
    const compound = rule('a', { conditions: [exists, matches('a')] })
    const { deferred, checks } = planOf([compound])
    expect(deferred.map((index) => checks[index]?.text)).toEqual(['a'])
    expect(planOf([compound, rule('b', matches('a'))]).deferred).toEqual([])
    expect(planOf([rule('b', matches('a')), rule('c', exists)]).deferred).toEqual([])
  })

  it('reads each distinct path once, and each step of it once', () => {
    const on = (field: string) => rule(field, { field, operator: 'exists' })
    const fields = ['a', 'a.b', 'a.c', 'a.b.d', '$count(a.b)', '$length(a.b)', '$count($keys(a.b))', 'a["b"].d']
    const { slots, roots } = planOf(fields.map(on))
    // a, b, c, d, count, length, keys, count of keys
    expect(slots).toHaveLength(8)
    expect([...roots.keys()]).toEqual(['a'])
  })

  it('visits a rule once for each check, however many of its conditions are the same', () => {
    const { positions } = planOf([rule('a', { conditions: [matches('a'), matches('a'), exists] }), rule('b', exists)])
    expect([...positions].sort()).toEqual([[0], [0, 1]])
  })

  it('of a target is made once, and is the whole where no rule is of the other', () => {
    const compilation = compilationOf(compileRules([rule('a', exists), rule('b', { ...exists, target: 'pipeline' })]))
    for (const target of ['plugin', 'pipeline'] as const) {
      expect(compilation.planFor(target)).toBe(compilation.planFor(target))
      expect(compilation.planFor(target).rules).toHaveLength(1)
    }
    const plugins = compilationOf(compileRules([rule('a', exists)]))
    expect(plugins.planFor('plugin')).toBe(plugins.planFor(undefined))
    // Words that are not a target are not kept: a caller could bring any number of them.
    const unknown = 'job' as Target
    expect(compilation.planFor(unknown)).not.toBe(compilation.planFor(unknown))
  })
})
