/** Goal: what a waiver covers is what there would be without it, each time with the waiver that was applied. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules } from '../rule-set/compile-rules.js'
import type { EvaluationContext, Rule } from '../types.js'
import { exemptedViolations } from './exempted.js'

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  name,
  target: 'plugin',
  field: 'x',
  operator: 'notExists',
  ...more,
})
const covered = (rules: readonly Rule[], context: EvaluationContext, attributes = { x: 1 }) => {
  const set = compileRules(rules)
  return exemptedViolations(set, attributes, context, set.evaluate(attributes, context)).map(
    ({ exemptionId, violation }) => [exemptionId, violation.ruleId],
  )
}

describe('what exemptions cover', () => {
  it('is named with the exemption that was applied, not with one that was not', () => {
    const expired = { id: 'old', ruleId: 'a', expiresAt: '2020-01-01T00:00:00Z' }
    const context = { now: '2026-01-01T00:00:00Z', exemptions: [expired, { id: 'e', ruleId: 'a' }] }
    expect(covered([rule('a'), rule('b')], context)).toEqual([['e', 'a']])
    expect(covered([rule('a'), rule('b')], { ...context, exemptions: [expired] })).toEqual([])
  })

  it('is nothing where the rule holds anyway', () => {
    expect(covered([rule('a', { operator: 'exists' })], { exemptions: [{ id: 'e', ruleId: 'a' }] })).toEqual([])
  })

  it('law: violations and what is covered are together what there is without exemptions, for rules without gates', () => {
    const drafts = fc.uniqueArray(
      fc.record({ name: fc.constantFrom('a', 'b', 'c', 'd'), operator: fc.constantFrom('exists', 'notExists') }),
      { minLength: 1, selector: ({ name }) => name },
    )
    const exempt = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'))
    fc.assert(
      fc.property(drafts, exempt, (all, ids) => {
        const set = compileRules(all.map(({ name, operator }) => rule(name, { operator } as Partial<Rule>)))
        const context = { exemptions: ids.map((ruleId) => ({ id: `e-${ruleId}`, ruleId })) }
        const evaluation = set.evaluate({ x: 1 }, context)
        const waived = exemptedViolations(set, { x: 1 }, context, evaluation)
        const together = [...evaluation.violations, ...waived.map(({ violation }) => violation)]
        const names = (violations: readonly { ruleId: string }[]) => violations.map(({ ruleId }) => ruleId).sort()
        expect(names(together)).toEqual(names(set.evaluate({ x: 1 }).violations))
        for (const { exemptionId, violation } of waived) expect(exemptionId).toBe(`e-${violation.ruleId}`)
      }),
    )
  })
})
