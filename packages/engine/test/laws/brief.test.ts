/** `detail: 'brief'` is a projection of the full verdict, whatever the rules, the entity and the context. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type BriefEvaluation, compileRules, type Evaluation, type Rule } from '../../src/index.js'
import { groupNumbers, groupOf } from './groups.js'

const projected = ({ violations, warnings, ...rest }: Evaluation): BriefEvaluation => {
  const brief = (shown: Evaluation['violations']) =>
    shown.map(({ ruleId, severity, field }) => ({ ruleId, severity, field }))
  return { ...rest, violations: brief(violations), warnings: brief(warnings) }
}

describe('a verdict in brief', () => {
  it('is the full one with three members of each violation', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials, redact } = groupOf(number)
        const ruleSet = compileRules(rules, { redact })
        for (const { attributes, context } of trials) {
          const full = ruleSet.evaluate(attributes, context)
          expect(ruleSet.evaluate(attributes, { ...context, detail: 'brief' })).toEqual(projected(full))
        }
      }),
      { numRuns: 250 },
    )
  })

  it('is so for plain rules, few and many, with alternatives and warnings among them', () => {
    const rule = fc.record({
      field: fc.constantFrom('a', 'b', 'c.d', 'e'),
      operator: fc.constantFrom('exists' as const, 'notExists' as const, 'notEmpty' as const),
      severity: fc.constantFrom('warning' as const, 'error' as const, 'critical' as const),
      other: fc.constantFrom(null, 'a', 'e'),
    })
    const entity = fc.record({ a: fc.constant(1), b: fc.string(), c: fc.constant({ d: [] }) }, { requiredKeys: [] })
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 200 }), entity, (drafts, attributes) => {
        const rules = drafts.map(({ field, operator, severity, other }, at): Rule => {
          const check = { field, operator }
          const conditions = other === null ? [check] : [check, { field: other, operator: 'notExists' as const }]
          return { name: `r${at}`, target: 'plugin', severity, conditionMode: 'any', conditions }
        })
        const ruleSet = compileRules(rules)
        const full = ruleSet.evaluate(attributes)
        expect(ruleSet.evaluate(attributes, { detail: 'brief' })).toEqual(projected(full))
      }),
      { numRuns: 300 },
    )
  })

  it('shares frozen values only', () => {
    const ruleSet = compileRules([{ name: 'r', target: 'plugin', field: 'a', operator: 'exists' }])
    const [violation] = ruleSet.evaluate({}, { detail: 'brief' }).violations
    expect(Object.isFrozen(violation)).toBe(true)
    expect(ruleSet.evaluate({}, { detail: 'brief' }).violations[0]).toBe(violation)
  })
})
