/** The laws are useful: each finds a mistake that looks right and that a quick review would miss. */
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import * as laws from './laws.mjs'
import { loadRules, rulesWith } from './load-rules.mjs'

/** The smallest counterexample that fast-check finds. */
function counterexample(law) {
  const { failed, counterexample: found } = fc.check(law, { numRuns: 2000, seed: 20_260_101 })
  assert.ok(failed, 'the mistake was not found')
  return found
}

describe('a mistake that is found', () => {
  it('a misspelt field: it is absent, and absent is not equal to true', () => {
    const rules = rulesWith('unprivileged', { field: 'useRootUser' }).filter(({ name }) => name === 'unprivileged')
    counterexample(laws.rootIsAlwaysBlocked(rules))
  })

  it('a pattern without its anchor', () => {
    const [, image] = loadRules().find(({ name }) => name === 'image-from-own-registry').conditions
    const conditions = [
      { field: 'image', operator: 'notExists' },
      { ...image, value: 'registry\\.example\\.com/' },
    ]
    const rules = rulesWith('image-from-own-registry', { conditions }).filter(({ name }) => name.startsWith('image'))
    const [, host, path] = counterexample(laws.foreignImagesAreAlwaysBlocked(rules))
    console.log(`    accepted: ${host}/${path}`)
  })

  it('a pattern in which a dot is any character', () => {
    const conditions = [{ field: 'image', operator: 'regex', value: '^registry.example.com/' }]
    const rules = rulesWith('image-from-own-registry', { conditions }).filter(({ name }) => name.startsWith('image'))
    const [, host] = counterexample(laws.foreignImagesAreAlwaysBlocked(rules))
    assert.equal(host, 'registryxexample.com')
  })

  it('a strict bound where an inclusive one was meant', () => {
    const conditions = [
      { field: 'timeout', operator: 'gt', value: 1 },
      { field: 'timeout', operator: 'lte', value: 60 },
    ]
    assert.deepEqual(
      counterexample(laws.timeoutsAreAcceptedFromOneToSixty(rulesWith('timeout-bounded', { conditions }))),
      [1],
    )
  })

  it('`any` where `all` was meant', () => {
    const [timeout] = counterexample(
      laws.timeoutsAreAcceptedFromOneToSixty(rulesWith('timeout-bounded', { conditionMode: 'any' })),
    )
    assert.ok(timeout < 1 || timeout > 60)
  })

  it('a bound written as what is forbidden, which an absent field satisfies', () => {
    const names = ['timeout-bounded', 'version-is-semantic']
    const conditions = [{ field: 'timeout', operator: 'notIn', value: [0, 61, 120] }]
    const rules = rulesWith('timeout-bounded', { conditions }).filter(({ name }) => names.includes(name))
    const [plugin, dropped] = counterexample(laws.leavingOutNeverHelps(rules))
    assert.equal(dropped, 'timeout')
    console.log(`    allowed without a timeout: ${JSON.stringify(plugin)}`)
  })

  it('a change that was meant to be stricter and is not', () => {
    const laxer = rulesWith('timeout-bounded', { conditions: [{ field: 'timeout', operator: 'lte', value: 30 }] })
    const [plugin] = counterexample(laws.neverLaxer(loadRules().slice(1, 2), laxer.slice(1, 2)))
    console.log(`    stopped before, allowed now: ${JSON.stringify(plugin)}`)
  })
})
