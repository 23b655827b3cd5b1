import type { Rule } from '@plumbline/engine'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mutantsOf } from './mutants.js'

const single = (operator: Rule['operator'], value?: Rule['value']): Rule => ({
  name: 'r',
  target: 'plugin',
  field: 'f',
  ...(operator == null ? {} : { operator }),
  ...(value === undefined ? {} : { value }),
})
const changes = (rule: Rule) => mutantsOf(rule).map((mutant) => mutant.change)

describe('mutantsOf', () => {
  it('moves a bound both ways and confuses strict with inclusive', () => {
    expect(changes(single('gte', 5))).toEqual([
      '`gte` became `gt`',
      '`gte` became `lte`',
      'the bound moved from 5 to 6',
      'the bound moved from 5 to 4',
    ])
  })

  it('reads a bound that is written as text', () => {
    expect(mutantsOf(single('countLt', '7')).map(({ rule }) => rule.value)).toEqual(['7', 8, 6])
  })

  it('takes entries out of a list, but never the last one', () => {
    expect(changes(single('in', ['a', 'b']))).toEqual(['`in` became `notIn`', '"a" left the list', '"b" left the list'])
    expect(changes(single('in', ['a']))).toEqual(['`in` became `notIn`'])
  })

  it('removes anchors, but not an escaped dollar sign', () => {
    expect(mutantsOf(single('regex', '^a$')).map(({ rule }) => rule.value)).toEqual(['a$', '^a'])
    expect(mutantsOf(single('regex', 'a\\$'))).toEqual([])
  })

  it('turns the mode around and drops each condition and gate of a composite rule', () => {
    const rule: Rule = {
      name: 'r',
      target: 'plugin',
      conditionMode: 'any',
      conditions: [
        { dependsOnRule: 'other' },
        { field: 'a', operator: 'exists', dependsOnRule: 'third' },
        { field: 'b', operator: 'eq', value: 1 },
      ],
    }
    expect(mutantsOf(rule).map(({ pointer, change }) => [pointer, change])).toEqual([
      ['/conditionMode', '`any` became `all`'],
      ['/conditions/0/dependsOnRule', 'the gate on `other` was dropped'],
      ['/conditions/1/dependsOnRule', 'the gate on `third` was dropped'],
      ['/conditions/1', 'the condition on `a` was dropped'],
      ['/conditions/1/operator', '`exists` became `notExists`'],
      ['/conditions/2', 'the condition on `b` was dropped'],
      ['/conditions/2/operator', '`eq` became `neq`'],
    ])
  })

  it('keeps the only check of a rule, and its mode', () => {
    const rule: Rule = {
      name: 'r',
      target: 'plugin',
      conditions: [{ dependsOnRule: 'other' }, { field: 'a', operator: 'exists' }],
    }
    expect(mutantsOf(rule).map(({ pointer }) => pointer)).toEqual([
      '/conditions/0/dependsOnRule',
      '/conditions/1/operator',
    ])
  })

  it('never alters the rule, repeats itself exactly, and makes no two mutants alike', () => {
    const operators: Rule['operator'][] = ['eq', 'gt', 'lte', 'in', 'notIn', 'regex', 'countGt', 'notEmpty', 'contains']
    const check = fc.record({
      field: fc.constantFrom('a', 'b'),
      operator: fc.constantFrom(...operators.filter((operator) => operator != null)),
      value: fc.oneof(fc.integer(), fc.constantFrom('^x$', '3'), fc.array(fc.constantFrom('p', 'q', 'r'))),
    })
    fc.assert(
      fc.property(
        fc.array(check, { minLength: 1, maxLength: 4 }),
        fc.constantFrom('all', 'any'),
        (conditions, mode) => {
          const rule: Rule = { name: 'r', target: 'plugin', conditions, conditionMode: mode as 'all' | 'any' }
          const before = JSON.stringify(rule)
          const texts = mutantsOf(rule).map((mutant) => JSON.stringify(mutant.rule))
          expect(JSON.stringify(rule)).toBe(before)
          expect(mutantsOf(rule).map((mutant) => JSON.stringify(mutant.rule))).toEqual(texts)
          expect(new Set([...texts, before]).size).toBe(texts.length + 1)
        },
      ),
    )
  })
})
