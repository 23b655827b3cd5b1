/** The rules satisfy the laws. A failure prints the smallest plugin that breaks one, and the seed to reproduce it. */
import { describe, it } from 'node:test'
import fc from 'fast-check'
import * as laws from './laws.mjs'
import { loadRules, rulesWith } from './load-rules.mjs'

const rules = loadRules()
const runs = { numRuns: 500 }

describe('for every plugin', () => {
  it('root is blocked', () => fc.assert(laws.rootIsAlwaysBlocked(rules), runs))
  it('a foreign image is blocked', () => fc.assert(laws.foreignImagesAreAlwaysBlocked(rules), runs))
  it('timeouts are accepted from one to sixty', () => fc.assert(laws.timeoutsAreAcceptedFromOneToSixty(rules), runs))
  it('leaving a field out never helps', () => fc.assert(laws.leavingOutNeverHelps(rules), runs))
})

describe('every rule can be held and broken', () => {
  for (const rule of rules) it(rule.name, () => fc.assert(laws.ruleCanBeHeldAndBroken(rules, rule), { numRuns: 100 }))
})

describe('a change of rules', () => {
  it('with a lower bound for the timeout is stricter', () => {
    const [, { conditions }] = rules
    const stricter = rulesWith('timeout-bounded', { conditions: [conditions[0], { ...conditions[1], value: 45 }] })
    fc.assert(laws.neverLaxer(rules, stricter), runs)
  })
})
