/** Goal: what an exemption covers is what there would be without it, each time with the exemption that was applied. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EvaluationContext, Rule } from '../types.js'
import { compileRules } from './compile-rules.js'
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

  it('is found behind a gate that is exempt as well', () => {
    const exemptions = ['a', 'b', 'c'].map((ruleId) => ({ id: `e-${ruleId}`, ruleId }))
    const gated = (name: string, gate: string): Rule => ({
      name,
      target: 'plugin',
      conditions: [{ dependsOnRule: gate }, { field: 'x', operator: 'notExists' }],
    })
    const rules = [rule('a'), gated('b', 'a'), gated('c', 'b')]
    expect(covered(rules, { exemptions })).toEqual([
      ['e-a', 'a'],
      ['e-b', 'b'],
      ['e-c', 'c'],
    ])
    // Without the exemption of the gate the rule is skipped, so its own exemption waives nothing.
    expect(covered(rules, { exemptions: exemptions.slice(1) })).toEqual([])
  })

  it('law: an exemption covers a violation exactly when that violation appears without this exemption alone', () => {
    const names = ['a', 'b', 'c', 'd'] as const
    const condition = (earlier: readonly string[]) =>
      fc.record(
        {
          field: fc.constantFrom('x', 'y'),
          operator: fc.constantFrom('exists' as const, 'notExists' as const),
          ...(earlier.length === 0 ? {} : { dependsOnRule: fc.constantFrom(...earlier) }),
        },
        { requiredKeys: ['field', 'operator'] },
      )
    const drafts = fc.tuple(
      ...names.map((name, at) =>
        fc.record({
          name: fc.constant(name),
          target: fc.constant('plugin' as const),
          conditionMode: fc.constantFrom('all' as const, 'any' as const),
          conditions: fc.array(condition(names.slice(0, at)), { minLength: 1, maxLength: 3 }),
        }),
      ),
    )
    fc.assert(
      fc.property(drafts, fc.subarray([...names]), (rules, ids) => {
        const set = compileRules(rules as Rule[])
        const all = ids.map((ruleId) => ({ id: `e-${ruleId}`, ruleId }))
        const expected = ids.flatMap((id) =>
          set
            .evaluate({ x: 1 }, { exemptions: all.filter(({ ruleId }) => ruleId !== id) })
            .violations.filter(({ ruleId }) => ruleId === id)
            .map((violation) => ({ exemptionId: `e-${id}`, violation })),
        )
        const found = exemptedViolations(
          set,
          { x: 1 },
          { exemptions: all },
          set.evaluate({ x: 1 }, { exemptions: all }),
        )
        const sorted = (list: typeof found) =>
          [...list].sort((one, other) => one.exemptionId.localeCompare(other.exemptionId))
        expect(sorted(found)).toEqual(sorted(expected))
      }),
    )
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
