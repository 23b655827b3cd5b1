import { compileRules, type Rule } from '@plumbline/engine'
import { describe, expect, it } from 'vitest'
import { parseText } from '../input/parse-text.js'
import type { LoadedRule } from '../input/rules.js'
import { measureCoverage, totalsOf } from './coverage.js'
import type { Case } from './judge.js'
import type { Expectation, RuleOutcome } from './model.js'
import { mutationScore } from './mutation-score.js'
import { assertedBy, type BoundTest, createSuite, type Suite } from './suite.js'

const suiteOf = (rules: readonly Rule[], tests: readonly (readonly [string, RuleOutcome, object])[]): Suite => {
  const [located] = parseText('rules.json', JSON.stringify(rules)).documents
  if (!located) throw new Error('no document')
  const loaded = rules.map(
    (rule, index): LoadedRule => ({
      rule,
      path: '/rules.json',
      file: 'rules.json',
      located,
      at: [index],
      position: located.positionOf([index]),
    }),
  )
  const bound = tests.map(([rule, outcome, attributes]): BoundTest => {
    const expectation: Expectation = { kind: 'rule', rule, outcome }
    const subject: Case = {
      target: 'plugin',
      attributes: attributes as Case['attributes'],
      entityId: null,
      exemptions: [],
      now: null,
    }
    const asserts = assertedBy(expectation, loaded, rule)
    return { name: rule, file: 't', position: { line: 1, column: 1 }, subject, expectation, ruleId: rule, asserts }
  })
  return createSuite(loaded, compileRules(rules), bound)
}

const timeout: Rule = {
  name: 'timeout',
  target: 'plugin',
  conditions: [
    { field: 'timeout', operator: 'gte', value: 1 },
    { field: 'timeout', operator: 'lte', value: 60 },
  ],
}
const gated: Rule = {
  name: 'gated',
  target: 'plugin',
  conditions: [
    { dependsOnRule: 'timeout' },
    { field: 'a', operator: 'exists', dependsOnRule: 'other' },
    { field: 'b', operator: 'exists' },
  ],
}
const other: Rule = { name: 'other', target: 'plugin', field: 'c', operator: 'exists' }

const flags = (suite: Suite, name: string) =>
  measureCoverage([suite])
    .find(({ rule }) => rule.rule.name === name)
    ?.conditions.map(({ seenTrue, seenFalse }) => `${seenTrue ? 'T' : '-'}${seenFalse ? 'F' : '-'}`)

describe('measureCoverage', () => {
  it('sees each condition on its own, not the rule as a whole', () => {
    const suite = suiteOf([timeout], [['timeout', 'fail', { timeout: 90 }]])
    expect(flags(suite, 'timeout')).toEqual(['T-', '-F'])
    expect(totalsOf(measureCoverage([suite]))).toEqual({ rules: 1, sides: 4, seen: 2, percent: 50 })
  })

  it('counts nothing for a rule that no test asserts', () => {
    const suite = suiteOf([timeout, gated, other], [['gated', 'pass', { timeout: 5, a: 1, b: 1, c: 1 }]])
    expect(flags(suite, 'timeout')).toEqual(['--', '--'])
    expect(flags(suite, 'other')).toEqual(['--'])
  })

  it('sees gates open and closed, and conditions only when the rule was checked', () => {
    const suite = suiteOf([timeout, gated, other], [['gated', 'skip', { timeout: 90, a: 1, b: 1, c: 1 }]])
    expect(flags(suite, 'gated')).toEqual(['-F', 'T-', '--', '--'])
  })

  it('leaves out a condition whose own gate is closed', () => {
    const suite = suiteOf([timeout, gated, other], [['gated', 'pass', { timeout: 5, a: 1, b: 1 }]])
    expect(flags(suite, 'gated')).toEqual(['T-', '-F', '--', 'T-'])
  })

  it('counts a rule once that two suites share', () => {
    const first = suiteOf([timeout], [['timeout', 'fail', { timeout: 90 }]])
    const second = suiteOf([timeout], [['timeout', 'fail', { timeout: 0 }]])
    expect(totalsOf(measureCoverage([first, second]))).toEqual({ rules: 1, sides: 4, seen: 4, percent: 100 })
  })

  it('expects tests of templates, and none of rules that are switched off', () => {
    const suite = suiteOf(
      [
        { ...timeout, isTemplate: true },
        { ...other, isActive: false },
      ],
      [],
    )
    expect(measureCoverage([suite]).map(({ rule }) => rule.rule.name)).toEqual(['timeout'])
  })
})

describe('mutationScore', () => {
  const thorough = [
    ['timeout', 'pass', { timeout: 1 }],
    ['timeout', 'pass', { timeout: 60 }],
    ['timeout', 'fail', { timeout: 0 }],
    ['timeout', 'fail', { timeout: 61 }],
  ] as const

  it('is 100 % when every mistake is noticed', () => {
    const score = mutationScore([suiteOf([timeout], thorough)])
    expect(score.survivors).toEqual([])
    expect(score).toMatchObject({ mutants: 11, noticed: 11, percent: 100 })
  })

  it('names the mistake that no test notices', () => {
    const score = mutationScore([suiteOf([timeout], thorough.slice(0, 3))])
    expect(score.survivors.map(({ mutant }) => mutant.change)).toEqual([
      'the condition on `timeout` was dropped',
      'the bound moved from 60 to 61',
    ])
  })

  it('notices a dropped gate by a test that expects the rule to be skipped', () => {
    const tests = [
      ['gated', 'pass', { timeout: 5, a: 1, b: 1, c: 1 }],
      ['gated', 'skip', { timeout: 90 }],
    ] as const
    const survivors = mutationScore([suiteOf([timeout, gated, other], tests)]).survivors
    const changes = survivors.filter(({ rule }) => rule.rule.name === 'gated').map(({ mutant }) => mutant.change)
    expect(changes).not.toContain('the gate on `timeout` was dropped')
    expect(changes).toContain('the gate on `other` was dropped')
  })

  it('tells untested rules from weak tests', () => {
    const score = mutationScore([suiteOf([timeout, other], thorough)])
    expect(score.survivors.map(({ rule, untested }) => [rule.rule.name, untested])).toEqual([['other', true]])
  })

  it('takes any suite that notices', () => {
    const score = mutationScore([suiteOf([timeout], thorough.slice(0, 2)), suiteOf([timeout], thorough.slice(2))])
    expect(score.percent).toBe(100)
  })

  it('counts no mutant that an author could not save', () => {
    const counted: Rule = { name: 'counted', target: 'plugin', field: 'list', operator: 'countGt', value: -1 }
    const tests = [
      ['counted', 'pass', { list: [] }],
      ['counted', 'fail', {}],
    ] as const
    // The bound -2 is out of range; what remains is 0 and the other operator.
    expect(mutationScore([suiteOf([counted], tests)])).toMatchObject({ mutants: 2, noticed: 2, equivalent: 0 })
  })

  it('leaves out what means the same, but not a dropped gate, which a test can see', () => {
    const present: Rule = { name: 'present', target: 'plugin', field: 'x', operator: 'exists' }
    const redundant: Rule = {
      name: 'redundant',
      target: 'plugin',
      conditionMode: 'any',
      conditions: [
        { dependsOnRule: 'present' },
        { field: 'x', operator: 'notExists' },
        { field: 'b', operator: 'exists' },
      ],
    }
    const tests = [
      ['redundant', 'pass', { x: 1, b: 1 }],
      ['redundant', 'fail', { x: 1 }],
    ] as const
    const { survivors } = mutationScore([suiteOf([redundant, present], tests)])
    expect(survivors.map(({ mutant }) => mutant.change)).toContain('the gate on `present` was dropped')
    const skipped = [...tests, ['redundant', 'skip', {}]] as const
    const changes = mutationScore([suiteOf([redundant, present], skipped)]).survivors.map(({ mutant }) => mutant.change)
    expect(changes).not.toContain('the gate on `present` was dropped')
  })
})
