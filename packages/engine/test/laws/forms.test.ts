/** Three ways to the same verdict: compiled once, one-shot, and a rule set that other rule sets have used the same rules in. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileRules, createSafeRegex, evaluateRules } from '../../src/index.js'
import { groupNumbers, groupOf } from './groups.js'

describe('forms of evaluation', () => {
  it('gives the one-shot form and the compiled form the same verdict', () => {
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials, redact } = groupOf(number)
        const ruleSet = compileRules(rules, { redact })
        for (const { attributes, context } of trials) {
          const compiled = ruleSet.evaluate(attributes, context)
          expect(JSON.stringify(evaluateRules(rules, attributes, context, { redact }))).toBe(JSON.stringify(compiled))
        }
      }),
      { numRuns: 200 },
    )
  })

  it('gives rule sets that share patterns the verdict of rule sets that do not', () => {
    const regex = createSafeRegex()
    fc.assert(
      fc.property(groupNumbers, (number) => {
        const { rules, trials } = groupOf(number)
        const [sharing, alone] = [compileRules(rules, { regex }), compileRules(rules)]
        for (const { attributes, context } of trials) {
          expect(sharing.evaluate(attributes, context)).toEqual(alone.evaluate(attributes, context))
        }
      }),
      { numRuns: 100 },
    )
  })
})
