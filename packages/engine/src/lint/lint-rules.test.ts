import { describe, expect, it } from 'vitest'
import type { Condition, Rule } from '../index.js'
import { applyFixes, type Finding, type FindingCode, findingCatalogue, lintReport, lintRules } from './index.js'

const rule = (name: string, parts: Partial<Rule>): Rule => ({ name, target: 'plugin', ...parts })
const check = (name: string, field: string, operator: Rule['operator'], value?: Rule['value']): Rule =>
  rule(name, { field, operator: operator ?? null, ...(value === undefined ? {} : { value }) })
const all = (name: string, ...conditions: readonly Condition[]): Rule => rule(name, { conditions })
const only = (findings: readonly Finding[], code: FindingCode) => findings.filter((finding) => finding.code === code)

/** One example for each code; the keys are checked to be all of them. */
const examples: { readonly [code in FindingCode]: readonly Rule[] } = {
  misconfigured: [check('a', 'name', 'regex', '(')],
  unsatisfiable: [all('a', { field: 'x', operator: 'gt', value: 5 }, { field: 'x', operator: 'lt', value: 5 })],
  contradictory: [check('a', 'x', 'gt', 5), check('b', 'x', 'lt', 3)],
  'dependency-cycle': [
    all('a', { dependsOnRule: 'b' }, { field: 'x', operator: 'exists' }),
    all('b', { dependsOnRule: 'a' }, { field: 'x', operator: 'exists' }),
  ],
  'dependency-wrong-target': [
    all('a', { dependsOnRule: 'b' }, { field: 'x', operator: 'exists' }),
    rule('b', { target: 'pipeline', field: 'x', operator: 'exists' }),
  ],
  'dependency-dangling': [all('a', { dependsOnRule: 'gone' }, { field: 'x', operator: 'exists' })],
  'unknown-set-tag': [rule('a', { field: 'x', operator: 'exists', scope: 'published', tags: ['set:golden'] })],
  unreachable: [check('a', '$count(x)', 'lt', 0), all('b', { dependsOnRule: 'a' }, { field: 'y', operator: 'exists' })],
  'never-violated': [check('a', '$count(x)', 'gte', 0)],
  duplicate: [check('a', '$count(x)', 'gt', 2), check('b', '$count(x)', 'gte', 3)],
  subsumed: [check('a', 'x', 'lte', 100), check('b', 'x', 'lte', 50)],
  'redundant-condition': [all('a', { field: 'x', operator: 'gt', value: 3 }, { field: 'x', operator: 'gt', value: 5 })],
  'duplicate-name': [
    rule('a', { id: '1', field: 'x', operator: 'exists' }),
    rule('a', { id: '2', field: 'y', operator: 'exists' }),
  ],
  'type-confused-value': [check('a', 'x', 'gt', '10')],
  'redundant-list-entry': [check('a', 'x', 'in', ['5', 5])],
  'cheaper-operator': [check('a', 'x', 'regex', '^latest$')],
  'set-tag-without-effect': [rule('a', { field: 'x', operator: 'exists', tags: ['set:standard'] })],
  'duplicate-tag': [rule('a', { field: 'x', operator: 'exists', tags: ['q', 'q'] })],
  'invisible-name': [check('Ad\u200bmin', 'x', 'exists')],
  'untrimmed-name': [check(' a', 'x', 'exists')],
  'similar-name': [check('a', 'x', 'exists'), check('A', 'y', 'exists')],
}

describe('lintRules', () => {
  it.each(Object.entries(examples) as [FindingCode, readonly Rule[]][])('reports %s', (code, rules) => {
    const [finding] = only(lintRules(rules), code)
    expect(finding).toMatchObject({ code, status: 'proved', severity: findingCatalogue[code].severity })
    expect(finding?.message).not.toBe('')
    expect(finding?.advice).not.toBe('')
    expect(finding?.reason).not.toBe('')
  })

  it('compares names as a server does', () => {
    const twins = [check('\uff21dmin', 'x', 'exists'), check('admin', 'y', 'exists')]
    expect(only(lintRules(twins), 'similar-name')).toHaveLength(1)
    for (const name of ['two\nlines', 'bell\u0007', 'right\u202eleft', 'soft\u00adhyphen']) {
      expect(only(lintRules([check(name, 'x', 'exists')]), 'invisible-name'), JSON.stringify(name)).toHaveLength(1)
    }
  })

  it('has nothing to say about rules that go together', () => {
    const rules = [
      check('semver', 'version', 'regex', '^\\d+\\.\\d+\\.\\d+$'),
      check('timeout', 'timeout', 'lte', 120),
      check('secrets', '$count(secrets)', 'countLt', 5),
      all('described', { dependsOnRule: 'semver' }, { field: 'description', operator: 'notEmpty' }),
    ]
    expect(lintReport(rules)).toMatchObject({ findings: [], summary: { rules: 4, unknown: 0 } })
  })

  it('shows a contradiction by an entity that passes one rule and violates the other', () => {
    const [finding] = only(lintRules(examples.contradictory), 'contradictory')
    expect(finding?.rules.map(({ name }) => name)).toEqual(['b', 'a'])
    expect(finding?.reason).toContain('must be greater than 5')
    expect(finding?.witness).toEqual({ x: 6 })
  })

  it('does not call rules contradictory that never apply to one entity', () => {
    const rules = [
      check('on', 'kind', 'eq', 'a'),
      check('off', 'kind', 'neq', 'a'),
      all('x', { dependsOnRule: 'on' }, { field: 'y', operator: 'eq', value: 1 }),
      all('y', { dependsOnRule: 'off' }, { field: 'y', operator: 'eq', value: 2 }),
    ]
    const pairs = only(lintRules(rules), 'contradictory').map(({ rules: [a, b] }) => [a?.name, b?.name])
    expect(pairs).not.toContainEqual(['y', 'x'])
  })

  it('leaves rules alone that are not in force together', () => {
    const early = { ...check('a', 'x', 'gt', 5), effectiveUntil: '2026-01-01T00:00:00Z' }
    const late = { ...check('b', 'x', 'lt', 3), effectiveFrom: '2026-06-01T00:00:00Z' }
    expect(only(lintRules([early, late]), 'contradictory')).toEqual([])
  })

  it('compares neither other targets nor rules that are not live', () => {
    const rules = [
      check('a', 'x', 'gt', 5),
      rule('b', { target: 'pipeline', field: 'x', operator: 'lt', value: 3 }),
      { ...check('c', 'x', 'lt', 3), isActive: false },
    ]
    expect(lintRules(rules)).toEqual([])
  })

  it('reports a chain of subsumptions link by link', () => {
    const rules = [10, 20, 30, 40].map((value) => check(`lte-${value}`, 'x', 'lte', value))
    const { findings, summary } = lintReport(rules)
    expect(only(findings, 'subsumed').map(({ rules: pair }) => pair.map(({ name }) => name))).toEqual([
      ['lte-20', 'lte-10'],
      ['lte-30', 'lte-20'],
      ['lte-40', 'lte-30'],
    ])
    expect(summary.notReported).toBe(3)
  })

  it('says unknown with the reason, as information, and counts it', () => {
    const { findings, summary } = lintReport([check('a', 'x', 'regex', '^\\d+$'), check('b', 'x', 'lt', 0)])
    expect(findings).toMatchObject([{ code: 'contradictory', status: 'unknown', severity: 'info' }])
    expect(summary.unknown).toBe(1)
  })

  it('stops comparing at the given number of questions, and says so', () => {
    const rules = Array.from({ length: 20 }, (_, index) => check(`eq-${index}`, 'x', 'eq', index))
    const { summary } = lintReport(rules, { maxQuestions: 5 })
    expect(summary.questions).toBe(5)
    expect(summary.notCompared).toBeGreaterThan(0)
  })

  it('never throws for what is not a rule', () => {
    const wrong = [
      null,
      5,
      {},
      { name: 'x' },
      { name: 'y', target: 'plugin', conditions: [null, {}, 5] },
    ] as unknown as Rule[]
    expect(lintRules(wrong).every(({ code }) => code === 'misconfigured')).toBe(true)
  })

  it('asks only about rules that read related places, and only what no sample has settled', () => {
    const rules = Array.from({ length: 300 }, (_, index) =>
      index % 2 === 0
        ? check(`n${index}`, `field${index % 40}`, 'lte', index)
        : check(`t${index}`, `labels.team${index % 40}`, 'regex', `^[a-z]+-${index}$`),
    )
    const { summary } = lintReport(rules)
    expect(summary.rules).toBe(300)
    // 44,850 pairs, each with three questions.
    expect(summary.questions).toBeLessThan(1_500)
  })
})

describe('applyFixes', () => {
  it('applies every fix of a rule without one moving the place of another', () => {
    const rules = [
      rule('a', {
        tags: ['q', 'q', 'r', 'r'],
        conditions: [
          { field: 'x', operator: 'gt', value: '3' },
          { field: 'y', operator: 'in', value: ['5', 5, 'z', 'z'] },
          { field: 'v', operator: 'regex', value: '^1\\.0$' },
        ],
      }),
    ]
    const { rules: fixed, applied, postponed } = applyFixes(rules, lintRules(rules))
    expect(fixed[0]).toMatchObject({
      tags: ['q', 'r'],
      conditions: [
        { field: 'x', operator: 'gt', value: 3 },
        { field: 'y', operator: 'in', value: ['5', 'z'] },
        { field: 'v', operator: 'eq', value: '1.0' },
      ],
    })
    expect([applied.length, postponed.length]).toEqual([6, 0])
    expect(lintRules(fixed)).toEqual([])
    expect(rules[0]?.tags).toHaveLength(4)
  })
})
