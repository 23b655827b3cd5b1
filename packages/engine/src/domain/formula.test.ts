import { describe, expect, it } from 'vitest'
import { compileRules, type Rule } from '../index.js'
import { and, not, solveFormula } from './formula.js'
import { modelRules } from './rule-model.js'

const solve = (rules: readonly Rule[], pick: 'passes' | 'violated' = 'passes') => {
  const model = modelRules(rules)
  return solveFormula(and(model.rules.map((rule) => rule[pick])))
}

const check = (field: string, operator: Rule['operator'], value?: Rule['value']): Rule =>
  ({ name: `${field} ${operator} ${JSON.stringify(value)}`, target: 'plugin', field, operator, value }) as Rule

const nothing: readonly (readonly [string, readonly Rule[]])[] = [
  ['bounds that leave no double between them', [check('a', 'gt', 1), check('a', 'lt', 1.0000000000000002)]],
  ['a count below zero', [check('$count(a)', 'lt', 0)]],
  ['a length between two whole numbers', [check('$length(a)', 'gt', 2), check('$length(a)', 'lt', 3)]],
  ['a pattern whose number text no count has', [check('$count(a)', 'regex', 'x')]],
  ['a decimal pattern and a bound out of its reach', [check('a', 'regex', '^\\d{1,3}$'), check('a', 'gt', 1000)]],
  ['a text without the one a pattern needs', [check('a', 'regex', 'abc'), check('a', 'notContains', 'B')]],
  ['word borders that cannot be', [check('a', 'regex', '\\bx\\b'), check('a', 'regex', '^[xy]{2}$')]],
  ['a member of what is absent', [check('a.b', 'exists'), check('a', 'notExists')]],
  ['a key that no key may be', [check('a.KEY', 'exists'), check('$keys(a)', 'notContains', 'key')]],
  ['more keys than the list allows', [check('$keys(a)', 'in', ['x', 'y']), check('$count(a)', 'gt', 2)]],
  ['members that are allowed and forbidden', [check('a', 'in', ['x']), check('a', 'contains', 'y')]],
]

const something: readonly (readonly [string, readonly Rule[]])[] = [
  ['the largest double', [check('a', 'gte', Number.MAX_VALUE)]],
  ['a decimal text that holds a text', [check('a', 'gt', 5), check('a', 'contains', '9')]],
  ['a number beside countGt', [check('a', 'countGt', 5), check('a', 'lt', 7)]],
  ['a spelling outside the list', [check('a', 'contains', 'x'), check('a', 'notIn', ['x'])]],
  ['a key with a null', [check('$keys(a)', 'contains', 'b'), check('a.b', 'notExists')]],
  ['an object with a member named length', [check('a.length', 'eq', 'long'), check('$count(a)', 'eq', 2)]],
  ['a text beyond the bound of patterns', [check('a', 'contains', 'x'), check('a', 'notEmpty')]],
  ['a negative count, which only a number has', [check('a', 'countLt', 0)]],
]

describe('solveFormula', () => {
  it.each(nothing)('proves that no entity has %s', (_, rules) => {
    expect(solve(rules).status).toBe('none')
  })

  it.each(something)('finds %s, and the engine agrees', (_, rules) => {
    const result = solve(rules)
    expect(result.status).toBe('found')
    if (result.status === 'found') expect(compileRules(rules).evaluate(result.value).violations).toEqual([])
  })

  it('knows that a text over 64 KiB fails every pattern, whatever it holds', () => {
    const model = modelRules([check('a', 'contains', 'x'), check('a', 'regex', '[xX]'), check('a', 'lengthGt', 0)])
    const [contains, pattern, length] = ['contains', 'regex', 'lengthGt'].map((operator) =>
      model.rules.find(({ rule }) => rule.operator === operator),
    )
    if (contains === undefined || pattern === undefined || length === undefined) throw new Error('rules are missing')
    const result = solveFormula(and([contains.passes, length.passes, not(pattern.violated)]))
    expect(result.status).toBe('found')
    const huge = solveFormula(and([contains.passes, length.passes, pattern.violated]))
    expect(huge.status).toBe('found')
    if (huge.status === 'found') expect(String(huge.value.a).length).toBeGreaterThan(65_536)
  })

  it('says unknown, with the reason, where the domains do not reach', () => {
    const result = solve([check('a', 'regex', '^\\d+$'), check('a', 'lt', 0)])
    expect(result).toEqual({ status: 'unknown', reason: expect.stringContaining('pattern') })
  })
})
