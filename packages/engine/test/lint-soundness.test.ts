/**
 * The static analysis is never wrong: random rule sets, and entities made to refute each of its claims.
 *
 * `npm run proof -- lint` does the same on thousands of sets; here a wrong claim must show within seconds.
 */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plantedPairs } from '../proof/planted-pairs.js'
import { refute } from '../proof/refute.js'
import { lintRules } from '../src/lint/index.js'
import { anyAttributes, anyRuleSet } from '../src/testing/index.js'

const fields = ['a', '$count(a)', '$length(a)', '$lines(a)', '$keys(a)', 'a.b', 'a[0]', 'a.length']

describe('the static analysis', () => {
  it('makes no claim that the engine refutes, shows no wrong witness, changes no verdict by a fix', () => {
    fc.assert(
      fc.property(anyRuleSet({ fields, minLength: 2, maxLength: 3, target: 'plugin' }), fc.nat(), (rules, seed) => {
        const entities = fc.sample(anyAttributes(rules), { numRuns: 60, seed })
        expect(refute(rules, lintRules(rules), entities)).toEqual([])
      }),
      { numRuns: 120 },
    )
  })

  it('finds what is planted, and nothing where nothing is', () => {
    // Every fifth pair: the whole corpus is measured by the proof.
    const pairs = plantedPairs.filter((_, index) => index % 5 === 0)
    const found = pairs.filter(({ label, rules }) => {
      const proved = lintRules(rules).filter(({ status }) => status === 'proved')
      if (label === 'none') return !proved.some((finding) => finding.rules.length === 2)
      const code = label === 'first-implies-second' ? 'subsumed' : label
      return proved.some((finding) => finding.code === code)
    })
    expect(plantedPairs).toHaveLength(300)
    expect(found.length / pairs.length).toBeGreaterThanOrEqual(0.95)
  })

  it('would be caught with a wrong claim', () => {
    const rules = [
      { name: 'a', target: 'plugin' as const, field: 'x', operator: 'lte' as const, value: 5 },
      { name: 'b', target: 'plugin' as const, field: 'x', operator: 'lte' as const, value: 9 },
    ]
    const [claim] = lintRules(rules)
    if (claim === undefined) throw new Error('nothing was claimed')
    const reversed = { ...claim, rules: [...claim.rules].reverse() }
    expect(refute(rules, [reversed], [{ x: 7 }])).toMatchObject([{ what: 'claim' }])
  })
})
