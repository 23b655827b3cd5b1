/** The laws once more on the generators that users get: they must reach both verdicts, and every form of evaluation. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareEvaluations } from '../../proof/compare.js'
import { oracle } from '../../proof/oracle.js'
import type { Random } from '../../proof/random.js'
import { compileRules, evaluateRules, explain } from '../../src/index.js'
import { toModule } from '../../src/standalone/index.js'
import { anyAttributes, anyRuleSet } from '../../src/testing/index.js'
import { loadModule } from '../support/load-module.js'
import { deepFreeze, idsOf, shuffled } from './groups.js'

const now = '2026-06-01T12:00:00Z'
const cases = anyRuleSet({ minLength: 1, target: 'plugin' }).chain((rules) =>
  fc.record({
    rules: fc.constant(rules),
    entities: fc.array(anyAttributes(rules), { minLength: 4, maxLength: 4 }),
    order: fc.infiniteStream(fc.nat()),
  }),
)

describe('the public generators', () => {
  it('reach passing, failing and skipped rules, on which engine and oracle agree', () => {
    const seen = { passed: 0, violated: 0, skipped: 0 }
    fc.assert(
      fc.property(cases, ({ rules, entities }) => {
        const ruleSet = compileRules(rules, { strict: true })
        for (const entity of entities) {
          const verdict = ruleSet.evaluate(entity, { target: 'plugin', now })
          seen.violated += verdict.violations.length
          seen.skipped += verdict.skipped.length
          seen.passed += verdict.rulesEvaluated - verdict.violations.length
          expect(compareEvaluations(oracle(rules, entity, { target: 'plugin', now }), verdict)).toBeNull()
        }
      }),
      { numRuns: 300 },
    )
    expect(Math.min(seen.passed, seen.violated, seen.skipped)).toBeGreaterThan(150)
  })

  it('give one verdict in every order and every form, from frozen input', () => {
    fc.assert(
      fc.property(cases, ({ rules, entities, order }) => {
        const other = shuffled(rules, { below: (bound) => (order.next().value as number) % bound } as Random)
        const ruleSet = compileRules(deepFreeze(rules))
        const module = loadModule(toModule(ruleSet, { regex: 'inline' }))
        for (const entity of entities) {
          const verdict = JSON.stringify(ruleSet.evaluate(deepFreeze(entity)))
          expect(JSON.stringify(evaluateRules(other, entity))).toBe(verdict)
          expect(JSON.stringify(module(entity))).toBe(verdict)
        }
      }),
      { numRuns: 60 },
    )
  })

  it('have explanations that name the rules that decided', () => {
    fc.assert(
      fc.property(cases, ({ rules, entities }) => {
        const ruleSet = compileRules(rules)
        for (const entity of entities) {
          const { rules: explained } = explain(ruleSet, entity)
          const failed = explained.filter(({ outcome }) => outcome === 'failed').map(({ ruleId }) => ruleId)
          expect(failed).toEqual(idsOf(ruleSet.evaluate(entity).violations))
        }
      }),
      { numRuns: 100 },
    )
  })
})
