/** A small share of the proof for every run of the tests; `npm run proof -- engine` runs the large one. */
import { describe, expect, it } from 'vitest'
import { TRIALS_PER_GROUP } from '../../proof/generate/group.js'
import { runShard } from '../../proof/shard.js'

const GROUPS = 400

describe('the oracle', () => {
  it('and the engine, compiled, one-shot and standalone, give one verdict', () => {
    const request = { seed: 1, first: 0, step: 1, end: GROUPS, maxDifferences: 1, shrinks: true }
    const report = runShard(request)
    expect(report.failures.map(({ at, text }) => `${at}\n${text}`)).toEqual([])
    expect(report.cases).toBe(GROUPS * TRIALS_PER_GROUP)
    expect(report.violations).toBeGreaterThan(GROUPS)
    expect(report.oneShotCases).toBeGreaterThan(0)
    expect(report.standaloneCases).toBeGreaterThan(0)
  })
})
