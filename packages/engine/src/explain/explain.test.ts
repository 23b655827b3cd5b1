import { describe, expect, it } from 'vitest'
import { compileRules } from '../rule-set/compile-rules.js'
import type { Condition, Rule, RuleSet } from '../types.js'
import { explain, renderExplanation } from './index.js'

const rules: Rule[] = [
  { name: 'version', target: 'plugin', field: 'version', operator: 'regex', value: '^\\d+$', priority: 9 },
  { name: 'waived', target: 'plugin', field: 'name', operator: 'notExists', severity: 'warning' },
  {
    name: 'timeout',
    target: 'plugin',
    severity: 'critical',
    conditions: [
      { dependsOnRule: 'version' },
      { dependsOnRule: 'waived' },
      { field: 'timeout', operator: 'lte', value: 60 },
      { field: 'env.TOKEN', operator: 'exists', dependsOnRule: 'nowhere' },
      { field: 'apiToken', operator: 'eq', value: 'x' },
    ],
  },
  {
    name: 'either',
    target: 'plugin',
    conditionMode: 'any',
    conditions: [{ field: 'a..b', operator: 'exists' } as Condition, { field: 'version', operator: 'eq', value: 2 }],
  },
  { name: 'later', target: 'plugin', field: 'x', operator: 'exists', effectiveFrom: '2099-01-01T00:00:00Z' },
  { name: 'heir', target: 'plugin', conditions: [{ dependsOnRule: 'timeout' }, { field: 'x', operator: 'exists' }] },
  { name: 'other', target: 'pipeline', field: 'x', operator: 'exists' },
]
const attributes = { name: 'n', version: '2', timeout: 90, apiToken: 'actual' }
const context = { target: 'plugin', now: '2026-01-01T00:00:00Z', exemptions: [{ id: 'e1', ruleId: 'waived' }] } as const
const ruleSet = compileRules(rules)
const explanation = explain(ruleSet, attributes, context)
const of = (id: string) => explanation.rules.find(({ ruleId }) => ruleId === id)

describe('explain', () => {
  it('has the verdict that evaluate gives, and every rule of the target in order', () => {
    expect(explanation.evaluation).toEqual(ruleSet.evaluate(attributes, context))
    expect(explanation.rules.map(({ ruleId, outcome, reason }) => [ruleId, outcome, reason])).toEqual([
      ['version', 'passed', null],
      ['either', 'passed', null],
      ['later', 'skipped', 'not_effective'],
      ['waived', 'skipped', 'exempt'],
      ['timeout', 'failed', null],
      ['heir', 'skipped', 'dependency_failed'],
    ])
  })

  it('shows every condition, beyond the one that decided', () => {
    expect(
      of('timeout')?.conditions.map(({ field, outcome, actual, expected }) => [field, outcome, actual, expected]),
    ).toEqual([
      ['timeout', 'fails', 90, 60],
      ['env.TOKEN', 'left_out', null, null],
      ['apiToken', 'fails', '[REDACTED]', '[REDACTED]'],
    ])
    expect(of('either')?.conditions.map(({ outcome, issue }) => [outcome, issue])).toEqual([
      ['misconfigured', 'invalid_path'],
      ['holds', null],
    ])
  })

  it('shows what opened or closed each gate', () => {
    expect(of('timeout')?.gates).toEqual([
      { dependsOnRule: 'version', state: 'passed', open: true },
      { dependsOnRule: 'waived', state: 'exempt', open: true },
    ])
    expect(of('timeout')?.conditions[1]?.gate).toEqual({ dependsOnRule: 'nowhere', state: 'unavailable', open: false })
    expect(of('heir')?.gates).toEqual([{ dependsOnRule: 'timeout', state: 'failed', open: false }])
    expect(of('waived')?.exemptionId).toBe('e1')
  })

  it('renders to text', () => {
    expect(renderExplanation(explanation)).toBe(
      [
        '✓ version [error] passed',
        '    ✓ `version` must match `^\\d+$`: found "2"',
        '✓ either [error] passed',
        '    any of',
        '      ! a..b: invalid_path',
        '      ✓ `version` must equal 2: found "2"',
        '- later [error] skipped: it is not in force at this time',
        '    ✗ `x` must be present: found nothing',
        '- waived [warning] skipped: an exemption waives it (e1)',
        '    ✗ `name` must be absent: found "n"',
        '✗ timeout [critical] failed',
        '    gate open: version passed',
        '    gate open: waived exempt',
        '    all of',
        '      ✗ `timeout` must be at most 60: found 90',
        '      - `env.TOKEN` must be present: left out (gate closed: nowhere unavailable)',
        '      ✗ `apiToken` must equal "[REDACTED]": found "[REDACTED]"',
        '- heir [error] skipped: a rule it depends on failed',
        '    gate closed: timeout failed',
        '    ✗ `x` must be present: found nothing',
        'blocked: 3 evaluated, 3 skipped, 1 blocking, 0 warnings',
      ].join('\n'),
    )
  })

  it('renders why a rule is skipped, and gates beside what they guard', () => {
    const text = renderExplanation(
      explain(
        compileRules([
          { name: 'late', target: 'plugin', field: 'x', operator: 'exists', effectiveFrom: '2999-01-01T00:00:00Z' },
          {
            name: 'heir',
            target: 'plugin',
            conditions: [{ dependsOnRule: 'lost' }, { field: 'x', operator: 'exists' }],
          },
          {
            name: 'lost',
            target: 'plugin',
            conditions: [{ dependsOnRule: 'gone' }, { field: 'x', operator: 'exists' }],
          },
          { name: 'first', target: 'plugin', field: 'x', operator: 'eq', value: null },
          {
            name: 'broken',
            target: 'plugin',
            severity: 'warning',
            conditionMode: 'any',
            conditions: [
              { field: 'a..b', operator: 'exists', dependsOnRule: 'first' },
              { field: 'x', operator: 'eq', value: 1, dependsOnRule: 'first' },
            ],
          },
        ]),
        {},
        { now: new Date('2026-01-01T00:00:00Z') },
      ),
    )
    expect(text.split('\n')).toEqual([
      '✓ first [error] passed',
      '    ✓ `x` must equal null: found nothing',
      '! broken [warning] cannot be evaluated: invalid_path',
      '    any of',
      '      ! a..b: invalid_path (gate open: first passed)',
      '      ✗ `x` must equal 1: found nothing (gate open: first passed)',
      '- late [error] skipped: it is not in force at this time',
      '    ✗ `x` must be present: found nothing',
      '- lost [error] skipped: a rule it depends on is not available',
      '    gate closed: gone unavailable',
      '    ✗ `x` must be present: found nothing',
      '- heir [error] skipped: a rule it depends on was skipped',
      '    gate closed: lost skipped',
      '    ✗ `x` must be present: found nothing',
      'passed with warnings: 2 evaluated, 3 skipped, 0 blocking, 1 warnings',
    ])
  })

  it('renders a clean verdict', () => {
    const clean = compileRules([{ name: 'a', target: 'plugin', field: 'x', operator: 'exists' }])
    expect(renderExplanation(explain(clean, { x: 1 }), { hidePassed: true })).toBe(
      'passed: 1 evaluated, 0 skipped, 0 blocking, 0 warnings',
    )
    expect(renderExplanation(explain(clean, { x: 1 }), { hidePassed: false })).toContain('✓ a [error] passed')
    expect(renderExplanation(explain(clean, {}), { hidePassed: true })).toContain('✗ a [error] failed')
  })

  it('renders the rules that are asked for', () => {
    const one = renderExplanation(explanation, { only: ['heir'] })
    expect(one.split('\n')[0]).toBe('- heir [error] skipped: a rule it depends on failed')
    expect(one).not.toContain('version [')
    expect(renderExplanation(explanation, { hidePassed: true })).not.toContain('✓ version')
  })

  it('explains a misconfigured rule and a cycle', () => {
    const broken = explain(
      compileRules([
        { name: 'a', target: 'plugin', field: 'x', operator: 'in', value: 1 },
        { name: 'c', target: 'plugin', conditions: [{ dependsOnRule: 'c' }, { field: 'x', operator: 'exists' }] },
      ]),
      { x: 1 },
    )
    expect(broken.rules.map(({ outcome, violation }) => [outcome, violation?.issue])).toEqual([
      ['misconfigured', 'invalid_value'],
      ['misconfigured', 'dependency_cycle'],
    ])
    expect(renderExplanation(broken)).toContain('! c [error] cannot be evaluated: dependency_cycle')
  })

  it('does not look behind a closed gate', () => {
    let tests = 0
    const regex = {
      check: () => null,
      cost: () => 1,
      compile: (pattern: string) => ({
        pattern,
        engine: 're2js' as const,
        test: () => {
          tests += 1
          return true
        },
      }),
    }
    const gated: Rule = {
      name: 'a',
      target: 'plugin',
      conditions: [
        { field: 'x', operator: 'regex', value: 'a', dependsOnRule: 'nowhere' },
        { field: 'y', operator: 'regex', value: 'a' },
      ],
    }
    const { rules: explained } = explain(compileRules([gated], { regex }), { x: 'a', y: 'a' })
    expect(explained[0]?.conditions.map(({ outcome }) => outcome)).toEqual(['left_out', 'holds'])
    expect(tests).toBe(1)
  })

  it('shows of a condition behind a closed gate neither its value nor its issue', () => {
    const { rules: explained } = explain(
      compileRules([
        { name: 'no', target: 'plugin', field: 'x', operator: 'notExists' },
        { name: 'later', target: 'plugin', field: 'x', operator: 'exists', effectiveFrom: '2099-01-01T00:00:00Z' },
        {
          name: 'gated',
          target: 'plugin',
          conditions: [
            { field: 'x', operator: 'eq', value: 'a', dependsOnRule: 'no' },
            { field: 'a..b', operator: 'exists', dependsOnRule: 'no' } as Condition,
            { field: 'x', operator: 'eq', value: 'a', dependsOnRule: 'later' },
            { field: 'x', operator: 'eq', value: 'b' },
          ],
        },
      ]),
      { x: 'a' },
      { now: '2026-01-01T00:00:00Z', exemptions: [{ id: 'e', ruleId: 'later' }] },
    )
    const gated = explained.find(({ ruleId }) => ruleId === 'gated')
    expect(gated?.conditions.map(({ outcome, actual, issue, gate }) => [outcome, actual, issue, gate])).toEqual([
      ['left_out', null, null, { dependsOnRule: 'no', state: 'failed', open: false }],
      ['left_out', null, null, { dependsOnRule: 'no', state: 'failed', open: false }],
      ['left_out', null, null, { dependsOnRule: 'later', state: 'unavailable', open: false }],
      ['fails', 'a', null, null],
    ])
    // An exemption for a rule that is not in force yet decides nothing.
    const later = explained.find(({ ruleId }) => ruleId === 'later')
    expect([later?.reason, later?.exemptionId]).toEqual(['not_effective', null])
  })

  it('shows conditions that could not be evaluated as such, without a value', () => {
    const regex = {
      check: () => null,
      cost: () => 1,
      compile: (pattern: string) => ({
        pattern,
        engine: 're2js' as const,
        test: () => {
          throw new Error('no memory')
        },
      }),
    }
    const { rules: explained } = explain(
      compileRules(
        [
          {
            name: 'a',
            target: 'plugin',
            conditions: [
              { field: 'x', operator: 'regex', value: 'a' },
              { field: 'x', operator: 'eq', value: 'a', dependsOnRule: 'pipeline' },
            ],
          },
          { name: 'pipeline', target: 'pipeline', field: 'x', operator: 'exists' },
        ],
        { regex },
      ),
      { x: 'a' },
      { target: 'plugin' },
    )
    expect(explained[0]?.conditions.map(({ outcome, actual, issue, gate }) => [outcome, actual, issue, gate])).toEqual([
      ['misconfigured', null, 'regex_engine', null],
      ['misconfigured', null, 'dependency_target', null],
    ])
  })

  it('works on a rule set of foreign make', () => {
    const { issues, order, rules: given, options } = ruleSet
    const foreign: RuleSet = { issues, order, rules: given, options, evaluate: () => explanation.evaluation }
    expect(explain(foreign, attributes, context)).toEqual(explanation)
  })

  it('redacts unless its rule set does not', () => {
    const rules: Rule[] = [{ name: 'a', target: 'plugin', field: 'token', operator: 'eq', value: 's3cret' }]
    const shown = (options: { redact?: boolean }) =>
      JSON.stringify(explain(compileRules(rules, options), { token: 't0p' }))
    for (const options of [{}, { redact: true }]) expect(shown(options)).not.toMatch(/s3cret|t0p/)
    expect(shown({ redact: false })).toMatch(/s3cret.*t0p|t0p.*s3cret/)
  })

  it('refuses attributes that are not an object', () => {
    const given = null as unknown as typeof attributes
    expect(() => explain(ruleSet, given)).toThrow(new TypeError('attributes must be an object'))
  })
})
