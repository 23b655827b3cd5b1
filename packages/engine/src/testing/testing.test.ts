import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules, evaluateRules, type Rule, validateRule } from '../index.js'
import { anyAttributes, anyRule, anyRuleSet, NoSuchAttributes, satisfying, violating } from './index.js'

const verdict = (rule: Rule, attributes: { readonly [key: string]: unknown }, rules: readonly Rule[] = []) => {
  const { violations, skipped } = evaluateRules([rule, ...rules], attributes)
  if (violations.some(({ ruleId }) => ruleId === rule.name)) return 'violated'
  return skipped.some(({ ruleId }) => ruleId === rule.name) ? 'skipped' : 'passed'
}

describe('anyRule and anyRuleSet', () => {
  it('generate rules that an author could write', () => {
    fc.assert(
      fc.property(anyRule(), (rule) => {
        expect(validateRule(rule)).toEqual([])
      }),
      { numRuns: 200 },
    )
  })

  it('generate sets without an issue, gates included', () => {
    let gates = 0
    fc.assert(
      fc.property(anyRuleSet({ minLength: 1 }), (rules) => {
        gates += rules.filter(({ conditions }) =>
          conditions?.some(({ dependsOnRule }) => dependsOnRule !== undefined),
        ).length
        expect(compileRules(rules).issues).toEqual([])
      }),
      { numRuns: 150 },
    )
    expect(gates).toBeGreaterThan(20)
  })

  it('keep to the fields, operators and target they are given', () => {
    const options = { target: 'pipeline', fields: ['stages.length'], operators: ['gt'] } as const
    fc.assert(
      fc.property(anyRule(options), (rule) => {
        const checks = rule.conditions ?? [rule]
        expect(checks.every(({ field, operator }) => field === 'stages.length' && operator === 'gt')).toBe(true)
        expect(rule.target).toBe('pipeline')
      }),
      { numRuns: 50 },
    )
  })
})

describe('anyAttributes', () => {
  it('lands on both sides of a narrow rule often enough to test it', () => {
    const rule: Rule = { name: 'port', target: 'plugin', field: 'labels.port', operator: 'eq', value: 8443 }
    const verdicts = fc.sample(anyAttributes([rule]), { numRuns: 300, seed: 1 }).map((entity) => verdict(rule, entity))
    expect(verdicts.filter((one) => one === 'passed').length).toBeGreaterThan(10)
    expect(verdicts.filter((one) => one === 'violated').length).toBeGreaterThan(100)
  })
})

describe('satisfying and violating', () => {
  it('hold for every value of every rule that has both sides', () => {
    fc.assert(
      fc.property(anyRule({ target: 'plugin' }), fc.nat(), (rule, seed) => {
        for (const [make, expected] of [[satisfying, 'passed'] as const, [violating, 'violated'] as const]) {
          let arbitrary: ReturnType<typeof make>
          try {
            arbitrary = make(rule)
          } catch (error) {
            expect(error).toBeInstanceOf(NoSuchAttributes)
            continue
          }
          for (const attributes of fc.sample(arbitrary, { numRuns: 10, seed })) {
            expect(verdict(rule, attributes)).toBe(expected)
          }
        }
      }),
      { numRuns: 40 },
    )
  })

  it('keep the base where the rule does not read', () => {
    const rule: Rule = { name: 'timeout', target: 'plugin', field: 'timeout', operator: 'lte', value: 60 }
    const base = { name: 'deploy', timeout: 30 }
    for (const attributes of fc.sample(violating(rule, base), { numRuns: 50, seed: 2 })) {
      expect(attributes.name).toBe('deploy')
      expect(verdict(rule, attributes)).toBe('violated')
    }
  })

  it('open the gates of a rule when its dependencies are given', () => {
    const gate: Rule = { name: 'gate', target: 'plugin', field: 'kind', operator: 'eq', value: 'prod' }
    const gated: Rule = {
      name: 'gated',
      target: 'plugin',
      conditions: [{ dependsOnRule: 'gate' }, { field: 'approved', operator: 'eq', value: true }],
    }
    for (const attributes of fc.sample(satisfying(gated, {}, [gate]), { numRuns: 30, seed: 3 })) {
      expect(verdict(gated, attributes, [gate])).toBe('passed')
    }
    expect(() => satisfying(gated)).toThrow(NoSuchAttributes)
  })

  it('refuse what cannot be, and say whether that is proved', () => {
    const never: Rule = { name: 'never', target: 'plugin', field: '$count(x)', operator: 'lt', value: 0 }
    try {
      satisfying(never)
      expect.unreachable()
    } catch (error) {
      expect(error).toMatchObject({ name: 'NoSuchAttributes', proved: true, message: 'no entity can pass `never`' })
    }
    const always: Rule = { name: 'always', target: 'plugin', field: '$count(x)', operator: 'gte', value: 0 }
    expect(() => violating(always)).toThrow('no entity can violate `always`')
  })
})
