/** `explain` names exactly the rules that decided, and the conditions that decided them. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { oracle } from '../../proof/oracle.js'
import { compileRules, evaluateRules, explain, type Rule, renderExplanation } from '../../src/index.js'
import { groupNumbers, groupOf, idOf, idsOf, unambiguous } from './groups.js'

/**
 * The rules that are left when these are gone, and whatever depends on them: a rule that loses what it depends on, or the
 * cycle it was in, is another rule.
 */
function without(ids: readonly string[], rules: readonly Rule[]): Rule[] {
  const gone = new Set(ids)
  const dependsOnGone = (rule: Rule) =>
    rule.conditions?.some(({ dependsOnRule }) => dependsOnRule != null && gone.has(dependsOnRule)) ?? false
  for (let before = -1; before !== gone.size; ) {
    before = gone.size
    for (const rule of rules) {
      if (gone.has(idOf(rule)) || dependsOnGone(rule)) {
        gone.add(idOf(rule))
        gone.add(rule.name)
      }
    }
  }
  return rules.filter((rule) => !gone.has(idOf(rule)))
}

describe('explanation', () => {
  it('names as failed the rules that the oracle finds violated, and as skipped those it finds skipped', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials, redact } = groupOf(number)
        const ruleSet = compileRules(rules, { redact })
        for (const { attributes, context } of trials) {
          const told = explain(ruleSet, attributes, context)
          const evaluation = oracle(rules, attributes, context, redact)
          const named = (...outcomes: readonly string[]) =>
            told.rules.filter(({ outcome }) => outcomes.includes(outcome)).map(({ ruleId }) => ruleId)
          expect(named('failed', 'misconfigured')).toEqual(idsOf(evaluation.violations))
          expect(named('skipped')).toEqual(evaluation.skipped.map(({ ruleId }) => ruleId))
          expect(told.rules.length).toBe(evaluation.rulesEvaluated + evaluation.rulesSkipped)
          expect(told.evaluation).toEqual(ruleSet.evaluate(attributes, context))
        }
      }),
      { numRuns: 250 },
    )
  })

  it('leaves no violation when the rules it names as failed are gone, with whatever depends on them', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials } = unambiguous(groupOf(number))
        const ruleSet = compileRules(rules)
        for (const { attributes, context } of trials) {
          const told = explain(ruleSet, attributes, context)
          const failed = told.rules.filter(({ violation }) => violation !== null).map(({ ruleId }) => ruleId)
          const others = without(failed, rules)
          expect(evaluateRules(others, attributes, context).violations).toEqual([])
        }
      }),
      { numRuns: 250 },
    )
  })

  it('shows for each violation the condition that the violation names, and for each pass conditions that hold', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials } = groupOf(number)
        const ruleSet = compileRules(rules)
        for (const { attributes, context } of trials) {
          for (const rule of explain(ruleSet, attributes, context).rules) {
            const live = rule.conditions.filter(({ outcome }) => outcome !== 'left_out')
            const held = live.filter(({ outcome }) => outcome === 'holds')
            if (rule.outcome === 'passed') {
              expect(rule.mode === 'any' ? held.length > 0 : held.length === live.length).toBe(true)
              expect(live.length).toBeGreaterThan(0)
            }
            if (rule.outcome === 'failed') {
              const first = live.find(({ outcome }) => outcome !== 'holds')
              expect(first?.field).toBe(rule.violation?.field)
              expect(first?.operator).toBe(rule.violation?.operator)
              expect(first?.actual).toEqual(rule.violation?.actualValue)
            }
          }
        }
      }),
      { numRuns: 250 },
    )
  })

  it('renders every explanation to text that names every rule', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials } = groupOf(number)
        const ruleSet = compileRules(rules)
        for (const { attributes, context } of trials.slice(0, 2)) {
          const told = explain(ruleSet, attributes, context)
          const text = renderExplanation(told)
          for (const { ruleName } of told.rules) expect(text).toContain(ruleName)
        }
      }),
      { numRuns: 50 },
    )
  })
})
