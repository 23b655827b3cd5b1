/** What must not matter to a verdict: how rules were listed, and rules that nothing depends on. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules, evaluateRules, type Rule } from '../../src/index.js'
import { choices, distinct, groupNumbers, groupOf, shuffled } from './groups.js'

describe('independence', () => {
  it('gives the same verdict, byte for byte, in whatever order the rules are listed', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials } = distinct(groupOf(number))
        const other = shuffled(rules, choices(number))
        expect(compileRules(other).order).toEqual(compileRules(rules).order)
        for (const { attributes, context } of trials) {
          const verdict = evaluateRules(rules, attributes, context)
          expect(JSON.stringify(evaluateRules(other, attributes, context))).toBe(JSON.stringify(verdict))
        }
      }),
      { numRuns: 250 },
    )
  })

  it('keeps every other verdict when an unrelated rule is added', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials } = groupOf(number)
        const random = choices(number)
        const donor = random.pick(groupOf(number + 1).rules)
        const { conditions: _, ...rest } = donor
        const added = { field: 'name', operator: 'eq', value: 'x', ...rest, id: 'unrelated', name: 'unrelated' } as Rule
        const at = random.below(rules.length + 1)
        const more = [...rules.slice(0, at), added, ...rules.slice(at)]
        for (const { attributes, context } of trials) {
          const before = evaluateRules(rules, attributes, context)
          const after = evaluateRules(more, attributes, context)
          expect(after.violations.filter(({ ruleId }) => ruleId !== 'unrelated')).toEqual(before.violations)
          expect(after.skipped.filter(({ ruleId }) => ruleId !== 'unrelated')).toEqual(before.skipped)
          expect(after.exemptionsApplied).toEqual(before.exemptionsApplied)
        }
      }),
      { numRuns: 250 },
    )
  })

  it('counts each rule once when the same rule is listed twice', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials } = groupOf(number)
        for (const { attributes, context } of trials) {
          const once = evaluateRules(rules, attributes, context)
          expect(evaluateRules([...rules, ...rules], attributes, context)).toEqual(once)
        }
      }),
      { numRuns: 100 },
    )
  })

  it('lets no warning or passing rule hide a blocking one', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials } = groupOf(number)
        for (const { attributes, context } of trials) {
          const verdict = evaluateRules(rules, attributes, context)
          const blocking = verdict.violations.filter(({ severity }) => severity !== 'warning')
          expect(verdict.blocked).toBe(blocking.length > 0)
          expect(verdict.passed).toBe(verdict.violations.length === 0)
          expect(verdict.rulesEvaluated + verdict.rulesSkipped).toBeLessThanOrEqual(rules.length)
        }
      }),
      { numRuns: 100 },
    )
  })
})
