import { compileRules, type Rule } from '@plumbline/engine'
import { describe, expect, it } from 'vitest'
import { type Case, judge } from './judge.js'
import { formatMismatch } from './report.js'

const rules: Rule[] = [
  { name: 'semver', target: 'plugin', priority: 2, field: 'version', operator: 'regex', value: '^\\d+$' },
  { name: 'described', target: 'plugin', severity: 'warning', field: 'description', operator: 'notEmpty' },
  {
    name: 'gated',
    target: 'plugin',
    conditions: [{ dependsOnRule: 'semver' }, { field: 'owner', operator: 'exists' }],
  },
]
const ruleSet = compileRules(rules)
const about = (attributes: Case['attributes'], more: Partial<Case> = {}): Case => ({
  target: 'plugin',
  attributes,
  entityId: null,
  exemptions: [],
  now: null,
  ...more,
})

describe('judging one rule', () => {
  it('agrees with what happens', () => {
    expect(
      judge(ruleSet, about({ version: '1' }), { kind: 'rule', rule: 'semver', outcome: 'pass' }, 'semver'),
    ).toEqual([])
    expect(judge(ruleSet, about({}), { kind: 'rule', rule: 'semver', outcome: 'fail' }, 'semver')).toEqual([])
    expect(judge(ruleSet, about({}), { kind: 'rule', rule: 'gated', outcome: 'skip' }, 'gated')).toEqual([])
  })

  it('says why another outcome came about', () => {
    const [mismatch] = judge(
      ruleSet,
      about({ version: 'x' }),
      { kind: 'rule', rule: 'semver', outcome: 'pass' },
      'semver',
    )
    expect(mismatch).toMatchObject({ kind: 'value', what: 'outcome', expected: 'pass', actual: 'fail' })
    expect(mismatch?.kind === 'value' ? mismatch.why : null).toContain('"x"')
    expect(judge(ruleSet, about({}), { kind: 'rule', rule: 'gated', outcome: 'fail' }, 'gated')).toEqual([
      { kind: 'value', what: 'outcome', expected: 'fail', actual: 'skip', why: 'dependency_failed' },
    ])
  })

  it('compares field and reason when they are expected', () => {
    const failing = { kind: 'rule', rule: 'semver', outcome: 'fail' } as const
    expect(judge(ruleSet, about({}), { ...failing, field: 'version' }, 'semver')).toEqual([])
    expect(judge(ruleSet, about({}), { ...failing, field: 'name' }, 'semver')).toMatchObject([{ what: 'field' }])
    const skipped = { kind: 'rule', rule: 'gated', outcome: 'skip' } as const
    expect(judge(ruleSet, about({}), { ...skipped, reason: 'dependency_failed' }, 'gated')).toEqual([])
    expect(judge(ruleSet, about({}), { ...skipped, reason: 'exempt' }, 'gated')).toMatchObject([{ what: 'reason' }])
  })

  it('honours exemptions', () => {
    const subject = about({}, { exemptions: [{ id: 'e', ruleId: 'semver' }] })
    const expectation = { kind: 'rule', rule: 'semver', outcome: 'skip', reason: 'exempt' } as const
    expect(judge(ruleSet, subject, expectation, 'semver')).toEqual([])
  })
})

describe('judging an entity', () => {
  it('tells pass, warn and block apart', () => {
    const verdictOf = (attributes: Case['attributes']) =>
      (['pass', 'warn', 'block'] as const).filter(
        (verdict) => judge(ruleSet, about(attributes), { kind: 'entity', verdict }, null).length === 0,
      )
    expect(verdictOf({ version: '1', description: 'd', owner: 'o' })).toEqual(['pass'])
    expect(verdictOf({ version: '1', owner: 'o' })).toEqual(['warn'])
    expect(verdictOf({ version: 'x' })).toEqual(['block'])
  })

  it('names violations that are missing and those that were not expected', () => {
    const expectation = { kind: 'entity', violations: [{ rule: 'gated' }, { rule: 'described' }] } as const
    const mismatches = judge(ruleSet, about({ version: 'x' }), expectation, null)
    expect(mismatches).toEqual([{ kind: 'list', what: 'violations', missing: ['gated'], unexpected: ['semver'] }])
    expect(mismatches.flatMap(formatMismatch)).toEqual([
      'violations differ:',
      '- gated was expected and did not happen',
      '+ semver happened and was not expected',
    ])
  })

  it('an empty list means that nothing is violated', () => {
    expect(judge(ruleSet, about({ version: 'x' }), { kind: 'entity', violations: [] }, null)).toHaveLength(1)
  })

  it('compares severity, field and reason of what is expected', () => {
    const violations = [{ rule: 'described', severity: 'error' as const, field: 'name' }]
    const mismatches = judge(ruleSet, about({ version: '1', owner: 'o' }), { kind: 'entity', violations }, null)
    expect(mismatches).toMatchObject([
      { what: 'field of described', expected: 'name', actual: 'description' },
      { what: 'severity of described', expected: 'error', actual: 'warning' },
    ])
    const skipped = [{ rule: 'gated', reason: 'exempt' as const }]
    expect(judge(ruleSet, about({}), { kind: 'entity', skipped }, null)).toMatchObject([{ what: 'reason of gated' }])
  })
})
