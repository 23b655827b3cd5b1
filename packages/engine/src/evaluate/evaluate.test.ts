import { describe, expect, it } from 'vitest'
import { messageWithoutValues } from '../compile/alternatives.js'
import { compileRules, evaluateRules } from '../rule-set/compile-rules.js'
import type { Attributes, Condition, EvaluationContext, Exemption, Rule, Violation } from '../types.js'

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  name,
  target: 'plugin',
  field: 'x',
  operator: 'exists',
  ...more,
})
const passing = (name: string, more: Partial<Rule> = {}) => rule(name, more)
const failing = (name: string, more: Partial<Rule> = {}) => rule(name, { operator: 'notExists', ...more })
const check = (operator: 'exists' | 'notExists', dependsOnRule?: string): Condition => ({
  field: 'x',
  operator,
  ...(dependsOnRule === undefined ? {} : { dependsOnRule }),
})
const holds = (dependsOnRule?: string) => check('exists', dependsOnRule)
const breaks = (dependsOnRule?: string) => check('notExists', dependsOnRule)
const broken: Condition = { field: 'x', operator: 'in', value: 'no list' }
const gate = (dependsOnRule: string): Condition => ({ dependsOnRule })
const compound = (name: string, conditions: Condition[], more: Partial<Rule> = {}): Rule => ({
  name,
  target: 'plugin',
  conditions,
  ...more,
})
const entity = { x: 1 }
const run = (rules: Rule[], context?: EvaluationContext) => evaluateRules(rules, entity, context)
const violated = (rules: Rule[], context?: EvaluationContext) =>
  run(rules, context).violations.map(({ ruleId }) => ruleId)
const skippedBy = (rules: Rule[], context?: EvaluationContext) =>
  Object.fromEntries(run(rules, context).skipped.map(({ ruleId, reason }) => [ruleId, reason]))

describe('the result', () => {
  it('has every violation with all its parts, warnings repeated', () => {
    const rules: Rule[] = [
      failing('w', { severity: 'warning', priority: 1 }),
      failing('e', {
        id: 'id-e',
        description: 'why',
        severity: 'critical',
        policyIds: ['p1', 'p2'],
        source: 'inherited',
        suppressNotification: true,
      }),
      passing('p'),
    ]
    const result = run(rules)
    expect(result).toEqual({
      passed: false,
      blocked: true,
      violations: [
        {
          ruleId: 'w',
          ruleName: 'w',
          description: null,
          policyId: null,
          policyIds: [],
          field: 'x',
          operator: 'notExists',
          expectedValue: null,
          actualValue: 1,
          severity: 'warning',
          message: '`x` must be absent',
          source: 'own',
          suppressNotification: false,
          issue: null,
        },
        {
          ruleId: 'id-e',
          ruleName: 'e',
          description: 'why',
          policyId: 'p1',
          policyIds: ['p1', 'p2'],
          field: 'x',
          operator: 'notExists',
          expectedValue: null,
          actualValue: 1,
          severity: 'critical',
          message: '`x` must be absent',
          source: 'inherited',
          suppressNotification: true,
          issue: null,
        },
      ],
      warnings: [result.violations[0]],
      rulesEvaluated: 3,
      rulesSkipped: 0,
      exemptionsApplied: [],
      skipped: [],
      issues: 0,
    })
    expect(result.warnings[0]).toBe(result.violations[0])
  })

  it('does not block on warnings alone, and blocks on an unknown severity', () => {
    expect(run([failing('a', { severity: 'warning' })])).toMatchObject({ passed: false, blocked: false })
    const odd = run([failing('a', { severity: 'notice' as 'error' })])
    expect(odd).toMatchObject({ passed: false, blocked: true })
    expect(odd.violations[0]?.severity).toBe('notice')
    expect(odd.warnings).toEqual([])
    expect(run([failing('a')]).violations[0]?.severity).toBe('error')
  })

  it('of no rules is a pass', () => {
    expect(run([])).toMatchObject({ passed: true, blocked: false, rulesEvaluated: 0 })
  })

  it('is new each time, so that changing one changes no other', () => {
    const ruleSet = compileRules([passing('a')])
    const first = ruleSet.evaluate(entity)
    ;(first.violations as unknown[]).push('x')
    expect(ruleSet.evaluate(entity).violations).toEqual([])
  })

  it('shares frozen values only: what one caller does to them reaches no other', () => {
    const set = compileRules([failing('a', { value: { list: [1] }, operator: 'eq', policyIds: ['p'] })])
    const [first] = set.evaluate(entity).violations
    const expected = first?.expectedValue as { list: number[] }
    expect(() => expected.list.push(2)).toThrow(TypeError)
    expect(() => Object.assign(expected, { other: 1 })).toThrow(TypeError)
    expect(Object.isFrozen(first?.policyIds)).toBe(true)
    expect(set.evaluate(entity).violations[0]).toMatchObject({ expectedValue: { list: [1] }, policyIds: ['p'] })
  })

  it('fixes messages at compile time, without the value found', () => {
    const message = (more: Partial<Rule>) =>
      evaluateRules([rule('a', { field: 'f', ...more })], { f: ['found'] }).violations[0]?.message
    expect(message({ operator: 'lte', value: 60 })).toBe('`f` must be at most 60')
    expect(message({ operator: 'in', value: ['a', null] })).toBe('`f` must be one of ["a",null]')
    expect(message({ operator: 'eq', value: 'x'.repeat(200) })).toBe(`\`f\` must equal "${'x'.repeat(119)}…`)
    expect(message({ operator: 'regex', value: '^a' })).toBe('`f` must match `^a`')
  })

  it('hides sensitive values on both sides and in the message', () => {
    const sensitive = [
      rule('a', { field: 'env.TOKEN', operator: 'eq', value: 'expected-secret' }),
      rule('b', { field: 'apiKey', operator: 'eq', value: 'expected-secret' }),
    ]
    const attributes = { env: { TOKEN: 'actual-secret' }, apiKey: 'actual-secret' }
    const text = JSON.stringify(evaluateRules(sensitive, attributes))
    expect(text).not.toContain('secret')
    expect(text).toContain('[REDACTED]')
    const open = JSON.stringify(evaluateRules(sensitive, attributes, {}, { redact: false }))
    expect(open).toContain('actual-secret')
    expect(open).toContain('must equal \\"expected-secret\\"')
  })

  it('never hides results of computed functions', () => {
    const result = evaluateRules(
      [
        rule('a', { field: '$count(env)', operator: 'gt', value: 5 }),
        rule('b', { field: '$keys(env)', operator: 'in', value: ['X'] }),
      ],
      { env: { A: '1' } },
    )
    expect(result.violations.map(({ actualValue }) => actualValue)).toEqual([1, ['A']])
  })

  it('shows a container once to every rule its field breaks, and the next entity its own', () => {
    const set = compileRules([
      rule('a', { field: 'list', operator: 'countGt', value: 9 }),
      rule('b', { field: 'list', operator: 'countGt', value: 8 }),
    ])
    const shown = (list: number[]) => set.evaluate({ list }).violations.map(({ actualValue }) => actualValue)
    const [one, other] = shown([1])
    expect([one, other]).toEqual([[1], [1]])
    // The very same copy: a thousand rules on one long list cost one copy of it.
    expect(one).toBe(other)
    expect(shown([2])).toEqual([[2], [2]])
  })

  it('refers to no container of the attributes', () => {
    const list = [1, 2]
    const attributes = { list }
    const result = evaluateRules([rule('a', { field: 'list', operator: 'notExists' })], attributes)
    list.push(3)
    expect(result.violations[0]?.actualValue).toEqual([1, 2])
  })
})

describe('modes', () => {
  it('all: every entry must hold, the first failing one in list order is named', () => {
    const two = compound('a', [
      { field: 'x', operator: 'exists' },
      { field: 'y', operator: 'exists' },
      { field: 'z', operator: 'eq', value: 1 },
    ])
    expect(run([two]).violations[0]).toMatchObject({ field: 'y', operator: 'exists', actualValue: null })
  })

  it.each<NonNullable<Rule['conditionMode']> | null | undefined>([undefined, null, 'all', 'every' as 'all'])(
    'mode %j means all',
    (conditionMode) => {
      expect(
        violated([compound('a', [holds(), breaks()], conditionMode === undefined ? {} : { conditionMode })]),
      ).toEqual(['a'])
    },
  )

  it('any: one entry suffices', () => {
    expect(violated([compound('a', [breaks(), holds()], { conditionMode: 'any' })])).toEqual([])
    expect(violated([compound('a', [breaks(), breaks()], { conditionMode: 'any' })])).toEqual(['a'])
  })

  it('a misconfigured entry fails all, and does not hold in any', () => {
    expect(run([compound('a', [holds(), broken])]).violations[0]?.issue).toBe('invalid_value')
    const either = run([compound('a', [broken, holds()], { conditionMode: 'any' })])
    expect(either).toMatchObject({ passed: true, issues: 1 })
    const neither = run([compound('a', [broken, breaks()], { conditionMode: 'any' })])
    expect(neither.violations[0]).toMatchObject({ issue: 'invalid_value', operator: null, expectedValue: null })
    const other = run([compound('a', [breaks(), broken])])
    expect(other.violations[0]).toMatchObject({ issue: null, operator: 'notExists' })
    expect(other.issues).toBe(1)
  })

  it('conditions win over the single check', () => {
    expect(violated([failing('a', { conditions: [holds()] })])).toEqual([])
    expect(violated([failing('a', { conditions: [] })])).toEqual(['a'])
  })
})

describe('alternatives', () => {
  const either = (...conditions: Condition[]) => compound('any', conditions, { conditionMode: 'any' })
  const of = (conditions: Condition[], attributes: Attributes) =>
    evaluateRules([either(...conditions)], attributes).violations[0]
  const isProduction: Condition = { field: 'lifecycle', operator: 'neq', value: 'production' }
  const isMain: Condition = { field: 'branch', operator: 'eq', value: 'main' }

  it('are all shown, while the violation stays that of the first', () => {
    const violation = of([isProduction, isMain], { lifecycle: 'production', branch: 'dev' })
    expect(violation).toMatchObject({
      field: 'lifecycle',
      operator: 'neq',
      expectedValue: 'production',
      actualValue: 'production',
    })
    expect(violation?.failures).toEqual([
      { field: 'lifecycle', operator: 'neq', expected: 'production', actual: 'production' },
      { field: 'branch', operator: 'eq', expected: 'main', actual: 'dev' },
    ])
  })

  it.each<[string, Condition, Attributes, string]>([
    ['neq', isProduction, { lifecycle: 'production' }, '`lifecycle` is "production"'],
    ['neq null', { field: 'a', operator: 'neq', value: null }, {}, '`a` is absent'],
    ['notIn', { field: 'a', operator: 'notIn', value: ['x', 'y'] }, { a: 'y' }, '`a` is "y"'],
    ['notExists', { field: 'a', operator: 'notExists' }, { a: { b: 1 } }, '`a` is present'],
    ['notContains of a text', { field: 'a', operator: 'notContains', value: 'b' }, { a: 'abc' }, '`a` contains "b"'],
    ['notContains of a list', { field: 'a', operator: 'notContains', value: 'b' }, { a: ['b'] }, '`a` contains "b"'],
    [
      'notContains of an object',
      { field: 'a', operator: 'notContains', value: 'b' },
      { a: { c: 1 } },
      '`a` is {"c":1}',
    ],
    ['notContains of a number', { field: 'a', operator: 'notContains', value: 'b' }, { a: 7 }, '`a` is 7'],
  ])('%s as the only negated entry is the reason of the others', (_, condition, attributes, reason) => {
    const found = { branch: 'dev', ...attributes }
    const consequence = '`branch` must equal "main" (found "dev")'
    expect(of([condition, isMain], found)?.message).toBe(`because ${reason}, ${consequence}`)
    expect(of([isMain, condition], found)?.message).toBe(`because ${reason}, ${consequence}`)
    const three: Condition[] = [condition, isMain, { field: 'owner', operator: 'exists' }]
    expect(of(three, found)?.message).toBe(`because ${reason}, ${consequence} or \`owner\` must be present`)
  })

  it('are listed where none or several are negated', () => {
    const isBig: Condition = { field: 'size', operator: 'gt', value: 3 }
    expect(of([isMain, isBig], { branch: 'dev' })?.message).toBe(
      'none of these holds: `branch` must equal "main" (found "dev"); `size` must be greater than 3 (found nothing)',
    )
    expect(
      of([isProduction, { field: 'x', operator: 'notExists' }, isMain], { lifecycle: 'production', x: 1 })?.message,
    ).toMatch(
      /^none of these holds: `lifecycle` must not equal "production" \(found "production"\); `x` must be absent/,
    )
  })

  it('are at most ten, and the message says how many more there are', () => {
    const many = Array.from({ length: 13 }, (_, at): Condition => ({ field: `f${at}`, operator: 'eq', value: at }))
    const violation = of([isProduction, ...many.slice(1)], { lifecycle: 'production' })
    expect(violation?.failures).toHaveLength(10)
    expect(violation?.message).toMatch(/^none of these holds: .*`f9` must equal 9 \(found nothing\); and 3 more$/)
    expect(of(many.slice(0, 10), {})?.message).toMatch(/`f9` must equal 9 \(found nothing\)$/)
  })

  it('hide and cut what they show, as the violation does', () => {
    const secret = 'hunter2'
    const attributes = { apiToken: secret, env: { A: secret }, long: 'x'.repeat(5_000), list: Array(900).fill('abc') }
    const violation = of(
      [
        { field: 'apiToken', operator: 'notExists' },
        { field: 'apiToken', operator: 'regex', value: '^secret:' },
        { field: 'env.A', operator: 'eq', value: 'else' },
        { field: 'long', operator: 'eq', value: 'else' },
        { field: 'list', operator: 'contains', value: 'else' },
      ],
      attributes,
    )
    expect(JSON.stringify(violation)).not.toContain(secret)
    expect(violation?.failures?.map(({ actual }) => JSON.stringify(actual).length <= 1_030)).not.toContain(false)
    expect(violation?.failures?.slice(0, 3).map(({ actual }) => actual)).toEqual(Array(3).fill('[REDACTED]'))
    expect(violation?.message).toContain('because `apiToken` is present, `apiToken` must match `[REDACTED]` (found "[R')
    expect(violation?.message.length).toBeLessThan(1_000)
  })

  it('of which one alone was looked at are one demand', () => {
    const gated = [
      either(broken, isMain),
      rule('no', failing('no')),
      either({ ...isMain, dependsOnRule: 'no' }, isProduction),
    ]
    const [, alone] = evaluateRules(
      [
        { ...(gated[1] as Rule), priority: 9 },
        { ...(gated[2] as Rule), id: 'g' },
      ],
      {
        x: 1,
        lifecycle: 'production',
      },
    ).violations
    expect(alone?.message).toBe('`lifecycle` must not equal "production" (found "production")')
    expect(alone?.failures).toHaveLength(1)
  })

  it('are none where the first is misconfigured, one entry is all there is, or every entry must hold', () => {
    const found = { x: 1, branch: 'dev' }
    expect(of([broken, isMain], found)).not.toHaveProperty('failures')
    expect(of([isMain, broken], found)?.failures).toHaveLength(1)
    expect(of([isMain], found)).not.toHaveProperty('failures')
    const all = evaluateRules([compound('all', [isMain, breaks()])], found).violations[0]
    expect(all).not.toHaveProperty('failures')
  })

  it('have a text without values, for what must not show them', () => {
    const violation = of([isProduction, isMain], { lifecycle: 'production', branch: 'dev' }) as Violation
    expect(messageWithoutValues(violation)).toBe(
      '`lifecycle` must not equal "production" or `branch` must equal "main"',
    )
    const { failures: _, ...plain } = violation
    expect(messageWithoutValues({ ...plain, message: 'as it was' })).toBe('as it was')
  })
})

describe('a pattern in a message', () => {
  it.each([
    ['^\\d+\\.\\d+$', '`f` must match `^\\d+\\.\\d+$`'],
    ['a"b', '`f` must match `a"b`'],
    ['a\nb\u009b', '`f` must match `a\\u000ab\\u009b`'],
  ])('%j is shown as its author wrote it', (value, text) => {
    expect(evaluateRules([rule('p', { field: 'f', operator: 'regex', value })], {}).violations[0]?.message).toBe(text)
  })
})

describe('gates', () => {
  it('are open behind a rule that passed and closed behind one that failed, warnings included', () => {
    expect(skippedBy([passing('a'), compound('b', [gate('a'), holds()])])).toEqual({})
    expect(skippedBy([failing('a'), compound('b', [gate('a'), holds()])])).toEqual({ b: 'dependency_failed' })
    expect(skippedBy([failing('a', { severity: 'warning' }), compound('b', [gate('a'), holds()])])).toEqual({
      b: 'dependency_failed',
    })
  })

  it('close along a chain', () => {
    const chain = [failing('a'), compound('b', [gate('a'), holds()]), compound('c', [gate('b'), holds()])]
    expect(skippedBy(chain)).toEqual({ b: 'dependency_failed', c: 'dependency_skipped' })
  })

  it('are closed behind a rule that is absent or outside its dates', () => {
    expect(skippedBy([compound('b', [gate('nowhere'), holds()])])).toEqual({ b: 'dependency_unavailable' })
    const dated = [passing('a', { effectiveUntil: '2020-01-01T00:00:00Z' }), compound('b', [gate('a'), holds()])]
    expect(skippedBy(dated, { now: 1.7e12 })).toEqual({ a: 'not_effective', b: 'dependency_unavailable' })
  })

  it('stay open behind an exempt rule: a waiver switches no other rule off', () => {
    const rules = [failing('a'), compound('b', [gate('a'), breaks()])]
    const result = run(rules, { exemptions: [{ id: 'e', ruleId: 'a' }] })
    expect(result.violations.map(({ ruleId }) => ruleId)).toEqual(['b'])
  })

  it('must all be open; the first closed one in list order gives the reason', () => {
    const rules = [passing('a'), failing('f'), compound('b', [gate('a'), gate('nowhere'), gate('f'), holds()])]
    expect(skippedBy(rules)).toEqual({ b: 'dependency_unavailable' })
  })

  it('a gated check is left out, and the rest is still evaluated', () => {
    const rules = (last: Condition) => [failing('f'), compound('b', [breaks('f'), last])]
    expect(violated(rules(holds()))).toEqual(['f'])
    expect(violated(rules(breaks()))).toEqual(['f', 'b'])
  })

  it('a rule whose every check was left out is skipped, not passed', () => {
    const rules = [failing('f'), compound('b', [holds('nowhere'), holds('f')])]
    expect(skippedBy(rules)).toEqual({ b: 'dependency_unavailable' })
  })

  it('what a gate leaves out is not inspected', () => {
    const rules = [failing('f'), compound('b', [{ ...broken, dependsOnRule: 'f' }, holds()])]
    const result = run(rules)
    expect(result.violations.map(({ ruleId }) => ruleId)).toEqual(['f'])
    expect(result.issues).toBe(1)
  })

  it('a misconfigured rule is skipped by its gates like any other', () => {
    const rules = [failing('f'), compound('b', [gate('f'), broken])]
    expect(skippedBy(rules)).toEqual({ b: 'dependency_failed' })
    expect(run(rules).issues).toBe(0)
  })

  it('a pattern behind a closed gate is not run', () => {
    let tests = 0
    const regex = {
      check: () => null,
      cost: () => 1,
      compile: (pattern: string) => ({
        pattern,
        engine: 're2js' as const,
        test: (): boolean => {
          tests += 1
          return true
        },
      }),
    }
    const rules = [
      failing('f'),
      compound('b', [{ field: 'x', operator: 'regex', value: 'a', dependsOnRule: 'f' }, holds()]),
    ]
    expect(evaluateRules(rules, entity, {}, { regex }).violations.map(({ ruleId }) => ruleId)).toEqual(['f'])
    expect(tests).toBe(0)
    expect(evaluateRules(rules, {}, {}, { regex }).violations.map(({ ruleId }) => ruleId)).toEqual(['b'])
    const open = [passing('f'), ...rules.slice(1)]
    expect(evaluateRules(open, entity, {}, { regex }).passed).toBe(true)
    expect(tests).toBe(1)
  })
})

describe('an engine for patterns that gives up', () => {
  const regex = {
    check: () => null,
    cost: () => 1,
    compile: (pattern: string) => ({
      pattern,
      engine: 're2js' as const,
      test: (): boolean => {
        throw new Error('no memory')
      },
    }),
  }
  const matches: Condition = { field: 'x', operator: 'regex', value: 'a' }

  it.each<[string, Rule[], EvaluationContext]>([
    ['alone', [rule('r', matches)], {}],
    ['beside a failing rule', [rule('r', matches), failing('f')], {}],
    ['behind a gate', [passing('p'), compound('r', [gate('p'), matches])], {}],
    ['beside an exempt rule', [rule('r', matches), failing('f')], { exemptions: [{ id: 'e', ruleId: 'f' }] }],
    ['in a rule with dates', [rule('r', { ...matches, effectiveFrom: '2020-01-01T00:00:00Z' })], {}],
  ])('is an issue of the result, %s', (_, rules, context) => {
    const result = evaluateRules(rules, { x: 'a' }, context, { regex })
    expect(result.violations.find(({ ruleId }) => ruleId === 'r')?.issue).toBe('regex_engine')
    expect(result.issues).toBe(1)
    expect(evaluateRules(rules, {}, context, { regex }).issues).toBe(0)
  })
})

describe('dates', () => {
  const from = '2026-01-01T00:00:00Z'
  const until = '2026-12-31T00:00:00+02:00'
  const dated = [failing('a', { effectiveFrom: from, effectiveUntil: new Date(until) })]

  it('are inclusive at both ends', () => {
    for (const now of [from, Date.parse(from), new Date(until), until]) expect(violated(dated, { now })).toEqual(['a'])
    expect(skippedBy(dated, { now: Date.parse(from) - 1 })).toEqual({ a: 'not_effective' })
    expect(skippedBy(dated, { now: Date.parse(until) + 1 })).toEqual({ a: 'not_effective' })
  })

  it('without a readable now the rule is in force', () => {
    for (const context of [undefined, {}, { now: 'soon' }, { now: new Date(Number.NaN) }]) {
      expect(violated(dated, context)).toEqual(['a'])
    }
  })

  it('that cannot be read mean in force', () => {
    expect(violated([failing('a', { effectiveFrom: '2099-01-01', effectiveUntil: 'x' })], { now: 0 })).toEqual(['a'])
  })

  it('come before exemptions and cycles', () => {
    const cyclic = compound('a', [gate('a'), holds()], { effectiveFrom: from })
    const context = { now: 0, exemptions: [{ id: 'e', ruleId: 'a' }] }
    expect(skippedBy([cyclic], context)).toEqual({ a: 'not_effective' })
    expect(run([cyclic], context).exemptionsApplied).toEqual([])
  })
})

describe('exemptions', () => {
  const applied = (exemption: Partial<Exemption>, context: EvaluationContext = {}) => {
    const result = run([failing('a')], { ...context, exemptions: [{ id: 'e', ruleId: 'a', ...exemption }] })
    expect(result.passed).toBe(result.exemptionsApplied.length === 1)
    return result.passed
  }
  const ref = { orgId: 'Org-1', type: 'plugin', id: 'p1' } as const

  it('waive the rule, which is skipped and not passed', () => {
    const result = run([failing('a'), failing('b')], { exemptions: [{ id: 'e', ruleId: 'a' }] })
    expect(result).toMatchObject({ rulesEvaluated: 1, rulesSkipped: 1, exemptionsApplied: ['e'] })
    expect(result.skipped).toEqual([{ ruleId: 'a', ruleName: 'a', reason: 'exempt' }])
  })

  it('waive a misconfigured rule and a member of a cycle too', () => {
    const context = { exemptions: [{ id: 'e', ruleId: 'a' }] }
    expect(run([compound('a', [broken])], context)).toMatchObject({ passed: true, issues: 0 })
    expect(run([compound('a', [gate('a'), holds()])], context).passed).toBe(true)
  })

  it('apply when approved or without a status', () => {
    expect(applied({})).toBe(true)
    expect(applied({ status: 'approved' })).toBe(true)
    for (const status of ['pending', 'rejected', 'expired', 'revoked', 'APPROVED', ''])
      expect(applied({ status })).toBe(false)
  })

  it('end when they expire, and need now to know', () => {
    const expiresAt = '2026-06-01T00:00:00Z'
    expect(applied({ expiresAt }, { now: Date.parse(expiresAt) - 1 })).toBe(true)
    expect(applied({ expiresAt }, { now: expiresAt })).toBe(false)
    expect(applied({ expiresAt })).toBe(false)
    expect(applied({ expiresAt: 'never' }, { now: 0 })).toBe(false)
    expect(applied({ expiresAt: null })).toBe(true)
  })

  it('apply within their scope only, and not when the entity lacks the field', () => {
    expect(applied({ orgId: 'org-1', entityType: 'plugin', entityId: 'p1' }, { entity: ref })).toBe(true)
    expect(applied({ orgId: 'org-2' }, { entity: ref })).toBe(false)
    expect(applied({ entityType: 'pipeline' }, { entity: ref })).toBe(false)
    expect(applied({ entityId: 'P1' }, { entity: ref })).toBe(false)
    for (const scope of [{ orgId: 'org-1' }, { entityType: 'plugin' }, { entityId: 'p1' }] as const) {
      expect(applied(scope)).toBe(false)
      expect(applied(scope, { entity: {} })).toBe(false)
    }
  })

  it('name rules by id', () => {
    expect(violated([failing('a', { id: '1' })], { exemptions: [{ id: 'e', ruleId: 'a' }] })).toEqual(['1'])
  })

  it('count once, the first that applies', () => {
    const exemptions = [
      { id: 'no', ruleId: 'a', status: 'pending' },
      { id: 'yes', ruleId: 'a' },
      { id: 'too', ruleId: 'a' },
    ]
    expect(run([failing('a')], { exemptions }).exemptionsApplied).toEqual(['yes'])
  })
})

describe('targets', () => {
  const rules = [failing('a'), failing('b', { target: 'pipeline' })]

  it('leave rules of the other target out of everything', () => {
    const result = run(rules, { target: 'pipeline' })
    expect(result).toMatchObject({ rulesEvaluated: 1, rulesSkipped: 0 })
    expect(result.violations.map(({ ruleId }) => ruleId)).toEqual(['b'])
  })

  it('without one every rule is evaluated', () => {
    expect(violated(rules)).toEqual(['a', 'b'])
  })
})

describe('reading an entity', () => {
  const ruleSet = compileRules([
    failing('polluted', { field: 'polluted' }),
    failing('nested', { field: 'o.polluted' }),
    failing('inList', { field: 'list[0]' }),
  ])

  /** Only the evaluations run while the prototype is polluted; the test framework would stumble over it. */
  const polluted = <T>(descriptor: PropertyDescriptor, evaluateAll: () => T): T => {
    try {
      Object.defineProperty(Object.prototype, 'polluted', { ...descriptor, configurable: true })
      return evaluateAll()
    } finally {
      delete (Object.prototype as Record<string, unknown>).polluted
    }
  }

  it.each([true, false])('a polluted Object.prototype is not seen (enumerable %j)', (enumerable) => {
    const entities = [{ o: {}, list: [] }, { o: { polluted: 1 } }, { polluted: 1 }]
    for (const descriptor of [
      { value: 'yes', enumerable, writable: true },
      { get: () => 'yes', enumerable },
    ]) {
      const results = polluted(descriptor, () => entities.map((each) => ruleSet.evaluate(each)))
      expect(results.map(({ violations }) => violations.map(({ ruleId }) => ruleId))).toEqual([
        [],
        ['nested'],
        ['polluted'],
      ])
    }
  })

  it('a hostile or null prototype is not seen', () => {
    const hostile = Object.create({ polluted: 'yes' }) as Attributes
    expect(ruleSet.evaluate(hostile).passed).toBe(true)
    Object.assign(hostile, { o: Object.create({ polluted: 1 }) })
    expect(ruleSet.evaluate(hostile).passed).toBe(true)
    const bare = Object.assign(Object.create(null), { polluted: 1 }) as Attributes
    expect(ruleSet.evaluate(bare).passed).toBe(false)
    class Entity {
      own = 1
      get polluted() {
        return 1
      }
    }
    expect(ruleSet.evaluate(new Entity() as unknown as Attributes).passed).toBe(true)
  })

  it('keys named like prototype members are data', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    const set = compileRules(names.map((name) => failing(name, { field: name })))
    expect(set.evaluate({}).passed).toBe(true)
    const data = JSON.parse('{"__proto__":1,"constructor":1,"toString":1,"hasOwnProperty":1}')
    expect(set.evaluate(data).violations).toHaveLength(4)
  })

  it('values that JSON does not know are read as JSON would write them', () => {
    const odd = {
      date: new Date(0),
      invalid: new Date(Number.NaN),
      nan: Number.NaN,
      big: 10n,
      fn: () => 1,
      none: undefined,
      symbol: Symbol('x'),
    }
    const absent = (field: string) => rule(`absent-${field}`, { field, operator: 'notExists' })
    const set = compileRules([
      rule('date', { field: 'date', operator: 'eq', value: '1970-01-01T00:00:00.000Z' }),
      rule('big', { field: 'big', operator: 'gt', value: 9 }),
      ...['invalid', 'nan', 'fn', 'none', 'symbol'].map(absent),
    ])
    expect(set.evaluate(odd).violations).toEqual([])
    expect(set.evaluate(Object.assign(Object.create({}), odd)).violations).toEqual([])
  })

  it('an evaluation inside an evaluation does not disturb it', () => {
    const outer = compileRules([passing('a', { field: 'first' }), passing('b', { field: 'second' })])
    const tricky: Attributes = {
      first: 1,
      get second() {
        return outer.evaluate({}).passed ? undefined : 2
      },
    }
    expect(outer.evaluate(tricky).passed).toBe(true)
  })

  it('a getter that throws leaves nothing behind', () => {
    const set = compileRules([passing('a', { field: 'first' }), passing('b', { field: 'second' })])
    const angry: Attributes = {
      first: 1,
      get second(): number {
        throw new Error('angry')
      },
    }
    expect(() => set.evaluate(angry)).toThrow('angry')
    expect(set.evaluate({ second: 1 }).violations.map(({ ruleId }) => ruleId)).toEqual(['a'])
  })

  it('one evaluation tells the next nothing', () => {
    const set = compileRules([passing('a', { field: 'first' }), failing('b', { field: 'o.second' })])
    expect(set.evaluate({ first: 1, o: { second: 1 } }).violations.map(({ ruleId }) => ruleId)).toEqual(['b'])
    expect(set.evaluate({}).violations.map(({ ruleId }) => ruleId)).toEqual(['a'])
    expect(set.evaluate({ first: 1 }).passed).toBe(true)
  })

  it('keys may come in any order', () => {
    const names = ['a', 'b', 'c', 'd']
    const set = compileRules(names.map((name) => rule(name, { field: name, operator: 'eq', value: name })))
    for (const order of [names, [...names].reverse(), ['c', 'zz', 'a', 'd', 'b'], ['b', 'a', 'c', 'd'], names]) {
      expect(set.evaluate(Object.fromEntries(order.map((name) => [name, name]))).passed).toBe(true)
    }
    expect(set.evaluate({ a: 'a', b: 'x', c: 'c', d: 'd' }).violations.map(({ ruleId }) => ruleId)).toEqual(['b'])
  })

  it('refuses attributes that are not an object', () => {
    for (const attributes of [null, [], 'x', 1, undefined]) {
      expect(() => ruleSet.evaluate(attributes as unknown as Attributes)).toThrow(TypeError)
    }
  })
})
