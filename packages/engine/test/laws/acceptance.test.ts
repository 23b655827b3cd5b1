/** What authoring accepts is evaluable (spec compliance 1): it never throws and is never misconfigured. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules, type Rule, validateRule } from '../../src/index.js'
import { groupNumbers, groupOf, idOf } from './groups.js'

describe('acceptance', () => {
  it('accepts no rule that is misconfigured, whatever the entity', () => {
    let accepted = 0
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials } = groupOf(number)
        for (const rule of rules) {
          if (validateRule(rule).length > 0 || dependsOnItself(rule)) continue
          accepted++
          const ruleSet = compileRules([rule], { strict: true })
          expect(ruleSet.issues).toEqual([])
          for (const { attributes, context } of trials) {
            const { violations, issues } = ruleSet.evaluate(attributes, context)
            expect(violations.filter(({ issue }) => issue !== null)).toEqual([])
            expect(issues).toBe(0)
          }
        }
      }),
      { numRuns: 400 },
    )
    expect(accepted).toBeGreaterThan(400)
  })

  it('refuses every rule that is misconfigured, with a pointer into the rule, a message and a fix', () => {
    let refused = 0
    fc.assert(
      fc.property(groupNumbers, (number) => {
        for (const rule of groupOf(number).rules) {
          if (dependsOnItself(rule)) continue
          const { issues } = compileRules([rule])
          if (issues.length === 0) continue
          refused++
          const told = validateRule(rule)
          expect(told.length).toBeGreaterThanOrEqual(1)
          for (const issue of told) {
            expect(issue.pointer).toMatch(/^(\/|$)/)
            expect(issue.message).not.toBe('')
            expect(issue.fix).not.toBe('')
          }
        }
      }),
      { numRuns: 400 },
    )
    expect(refused).toBeGreaterThan(40)
  })
})

/** Whether a rule may depend on another is decided with the rules in scope, not on the rule alone. */
const dependsOnItself = (rule: Rule): boolean =>
  (rule.conditions ?? []).some((entry) => entry?.dependsOnRule === idOf(rule) || entry?.dependsOnRule === rule.name)
