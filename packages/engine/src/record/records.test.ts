import { describe, expect, it } from 'vitest'
import { compileRules } from '../rule-set/compile-rules.js'
import type { Rule } from '../types.js'
import { cloneRules } from './clone-rules.js'
import { mergeRulePatch } from './merge-patch.js'
import { type MergeInput, mergeRules } from './merge-rules.js'
import { normaliseRule } from './normalise-rule.js'

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  name,
  target: 'plugin',
  field: 'x',
  operator: 'exists',
  ...more,
})

describe('normaliseRule', () => {
  it('fills in the defaults', () => {
    expect(
      normaliseRule({ ...rule(' a '), tags: ['t', 'u', 't'], effectiveFrom: '2026-01-01T02:00:00+02:00' }),
    ).toEqual({
      issues: [],
      rule: {
        name: 'a',
        description: null,
        target: 'plugin',
        severity: 'error',
        priority: 0,
        scope: 'org',
        field: 'x',
        operator: 'exists',
        conditions: null,
        conditionMode: 'all',
        tags: ['t', 'u'],
        policyIds: [],
        propagateToChildren: false,
        isTemplate: false,
        isActive: true,
        suppressNotification: false,
        effectiveFrom: '2026-01-01T00:00:00.000Z',
        effectiveUntil: null,
      },
    })
  })

  it('gives a rule or issues, never both', () => {
    expect(normaliseRule({ name: 'a' }).rule).toBeNull()
    expect(normaliseRule(null).issues.map(({ code }) => code)).toEqual(['not_an_object'])
  })

  it('is settled: what comes out comes out again', () => {
    const once = normaliseRule({
      ...rule('a'),
      conditions: [{ field: 'x', operator: 'eq', value: null, dependsOnRule: null }],
    })
    expect(normaliseRule(once.rule)).toEqual(once)
    expect(once.rule?.conditions).toEqual([{ field: 'x', operator: 'eq', value: null }])
  })

  it('reads nothing inherited', () => {
    const inherited = Object.assign(Object.create({ severity: 'warning' }), rule('a'))
    expect(normaliseRule(inherited).rule?.severity).toBe('error')
  })

  const depends = (reference: string) => ({
    ...rule('new', { id: 'n' }),
    conditions: [{ dependsOnRule: reference }, { field: 'x', operator: 'exists' }],
  })
  const inScope = [
    rule('one', { id: '1' }),
    rule('twice', { id: '2' }),
    rule('twice', { id: '3', orgId: 'parent' }),
    rule('pipe', { id: '4', target: 'pipeline' }),
    rule('gone', { id: '5', deletedAt: '2026-01-01T00:00:00Z' }),
    rule('off', { id: '7', isActive: false }),
    // Named as the ids of rules that are not in force.
    rule('5', { id: '8' }),
    rule('7', { id: '9' }),
    { ...rule('back', { id: '6' }), conditions: [{ dependsOnRule: 'n' }, { field: 'x', operator: 'exists' as const }] },
  ]
  const codes = (input: unknown) =>
    normaliseRule(input, { rulesInScope: inScope }).issues.map(({ pointer, code }) => [pointer, code])

  it('turns names into ids', () => {
    expect(normaliseRule(depends('one'), { rulesInScope: inScope }).rule?.conditions?.[0]).toEqual({
      dependsOnRule: '1',
    })
    expect(normaliseRule(depends('1'), { rulesInScope: inScope }).rule?.conditions?.[0]).toEqual({ dependsOnRule: '1' })
    expect(normaliseRule(depends('one')).rule?.conditions?.[0]).toEqual({ dependsOnRule: 'one' })
  })

  it.each([
    ['nowhere', 'dependency_unknown'],
    ['gone', 'dependency_unknown'],
    ['5', 'dependency_unknown'],
    ['7', 'dependency_unknown'],
    ['twice', 'dependency_ambiguous'],
    ['pipe', 'dependency_target'],
    ['4', 'dependency_target'],
  ])('refuses a dependency on %s', (reference, code) => {
    expect(codes(depends(reference))).toEqual([['/conditions/0/dependsOnRule', code]])
  })

  it('refuses a cycle through rules in scope and names it', () => {
    const { issues } = normaliseRule(depends('back'), { rulesInScope: inScope })
    expect(issues).toMatchObject([{ code: 'dependency_cycle', cycle: ['n', '6'] }])
  })

  it('refuses a name that another live rule of the organization has', () => {
    expect(codes(rule('one'))).toEqual([['/name', 'duplicate_name']])
    expect(codes(rule('one', { id: '1' }))).toEqual([])
    expect(codes(rule('gone'))).toEqual([])
    expect(codes(rule('one', { orgId: 'child' }))).toEqual([])
  })
})

describe('mergeRulePatch', () => {
  const stored = normaliseRule(
    rule('a', { id: '1', description: 'why', createdAt: '2026-01-01T00:00:00Z', version: 2 }),
  ).rule as Rule

  it('keeps what is omitted, changes what is given, clears with null', () => {
    const { rule: merged } = mergeRulePatch(stored, { severity: 'warning', description: null })
    expect(merged).toEqual({ ...stored, severity: 'warning', description: null })
  })

  it('accepts what an author cannot change when it is sent back unchanged', () => {
    expect(mergeRulePatch(stored, { ...stored, priority: 5 }).rule?.priority).toBe(5)
  })

  it.each([
    { target: 'pipeline' },
    { scope: 'published' },
    { isTemplate: true },
    { orgId: 'x' },
    { id: '2' },
    { version: 9 },
  ])('refuses %j', (patch) => {
    expect(mergeRulePatch(stored, patch)).toMatchObject({ rule: null, issues: [{ code: 'not_allowed' }] })
  })

  it('checks the merged rule', () => {
    expect(mergeRulePatch(stored, { operator: 'in' }).issues).toMatchObject([
      { pointer: '/value', code: 'missing_value' },
    ])
    expect(mergeRulePatch(stored, { field: null }).issues).toMatchObject([{ code: 'no_check' }])
    expect(mergeRulePatch(stored, { surprise: 1, priority: -1 }).issues.map(({ code }) => code)).toEqual([
      'unknown_key',
      'out_of_range',
    ])
    expect(mergeRulePatch(stored, 'x').issues).toMatchObject([{ code: 'not_an_object' }])
  })
})

describe('cloneRules', () => {
  const group: Rule[] = [
    rule('base', { id: '1', tags: ['set:standard', 'security'], scope: 'published', policyIds: ['p'], version: 4 }),
    {
      ...rule('heir', { id: '2', isTemplate: true, propagateToChildren: true }),
      conditions: [{ dependsOnRule: 'base' }, { field: 'x', operator: 'exists', dependsOnRule: '1' }],
    },
  ]
  const clone = (rules: Rule[], names: string[] = []) => cloneRules(rules, { names, newId: ({ id }) => `copy-${id}` })

  it('makes active rules of the organization, without policy, propagation or set tags', () => {
    const [base] = clone(group).rules
    expect(base).toMatchObject({
      id: 'copy-1',
      name: 'base',
      scope: 'org',
      isTemplate: false,
      isActive: true,
      propagateToChildren: false,
      tags: ['security'],
      policyId: null,
      policyIds: [],
      forkedFromRuleId: '1',
    })
    expect(base).not.toHaveProperty('version')
  })

  it('remaps references to the copies, by id and by name', () => {
    const { rules, leaving } = clone(group)
    expect(leaving).toEqual([])
    expect(rules[1]?.conditions?.map(({ dependsOnRule }) => dependsOnRule)).toEqual(['copy-1', 'copy-1'])
    expect(compileRules(rules, { strict: true }).order).toEqual(['copy-1', 'copy-2'])
  })

  it('lists references that leave the group', () => {
    expect(clone(group.slice(1)).leaving).toEqual([
      { ruleId: '2', ruleName: 'heir', pointer: '/conditions/0/dependsOnRule', dependsOnRule: 'base' },
      { ruleId: '2', ruleName: 'heir', pointer: '/conditions/1/dependsOnRule', dependsOnRule: '1' },
    ])
  })

  it('finds free names', () => {
    expect(clone(group, ['base', 'base-2']).rules.map(({ name }) => name)).toEqual(['base-3', 'heir'])
    expect(clone([rule('a', { id: '1' }), rule('a', { id: '2' })]).rules.map(({ name }) => name)).toEqual(['a', 'a-2'])
    const long = 'x'.repeat(255)
    expect(clone([rule(long)], [long]).rules[0]?.name).toBe(`${'x'.repeat(253)}-2`)
    const custom = cloneRules([rule('a')], {
      names: [],
      newId: () => '9',
      nameOf: ({ name }) => `${name}-custom`,
      orgId: 'o',
    })
    expect(custom.rules[0]).toMatchObject({ name: 'a-custom', orgId: 'o' })
  })
})

describe('mergeRules', () => {
  const published = (name: string, more: Partial<Rule> = {}) => rule(name, { scope: 'published', ...more })
  const merge = (input: Partial<MergeInput>) =>
    mergeRules({ orgId: 'org', own: [], subscriptions: [], inherited: [], policies: [], ...input }).map(
      ({ name, source }) => [name, source],
    )

  it('lists own, inherited, subscribed, each with its source', () => {
    expect(
      merge({
        own: [rule('o')],
        inherited: [rule('i', { propagateToChildren: true, orgId: 'parent' })],
        subscriptions: [{ rule: published('s'), isActive: true }],
      }),
    ).toEqual([
      ['o', 'own'],
      ['i', 'inherited'],
      ['s', 'subscribed'],
    ])
  })

  it('leaves out what is not live, templates, and what is not the organization’s', () => {
    const dead: Partial<Rule>[] = [{ isActive: false }, { deletedAt: '2026-01-01T00:00:00Z' }, { isTemplate: true }]
    for (const state of dead) {
      expect(merge({ own: [rule('o', state)] })).toEqual([])
      expect(merge({ inherited: [rule('i', { propagateToChildren: true, ...state })] })).toEqual([])
      expect(
        merge({ subscriptions: [{ rule: published('s', state), pinned: published('s'), isActive: true }] }),
      ).toEqual([])
    }
    expect(merge({ own: [published('o')] })).toEqual([])
    expect(merge({ own: [rule('o', { orgId: 'other' })] })).toEqual([])
    expect(merge({ own: [rule('o', { orgId: 'ORG' })] })).toHaveLength(1)
    expect(merge({ inherited: [rule('i')] })).toEqual([])
    expect(merge({ subscriptions: [{ rule: published('s'), isActive: false }] })).toEqual([])
    expect(merge({ subscriptions: [{ rule: rule('s'), isActive: true }] })).toEqual([])
  })

  it('takes the body of a pin and the liveness of the rule', () => {
    const [merged] = mergeRules({
      orgId: 'org',
      own: [],
      inherited: [],
      policies: [],
      subscriptions: [
        {
          rule: published('now', { id: '1' }),
          pinned: published('then', { id: '1', severity: 'warning', isActive: false }),
          isActive: true,
        },
      ],
    })
    expect(merged).toMatchObject({ id: '1', name: 'then', severity: 'warning', isActive: true })
  })

  it('counts one id once, in the order of sources', () => {
    const same = { id: '1', propagateToChildren: true }
    expect(
      merge({
        own: [rule('o', same)],
        inherited: [rule('i', same)],
        subscriptions: [{ rule: published('s', { id: '1' }), isActive: true }],
      }),
    ).toEqual([['o', 'own']])
    expect(
      merge({ own: [rule('n', { id: '1' })], inherited: [rule('n', { id: '2', propagateToChildren: true })] }),
    ).toHaveLength(2)
  })

  it('does not enforce a rule whose every policy is inactive, own or inherited', () => {
    const policies = [
      { id: 'on', isActive: true, ruleIds: ['both', 'active'] },
      { id: 'off', isActive: false, ruleIds: ['both', 'inactive'] },
    ]
    const own = ['both', 'active', 'inactive', 'none'].map((name) => rule(name))
    expect(merge({ own, policies }).map(([name]) => name)).toEqual(['both', 'active', 'none'])
    expect(merge({ inherited: [rule('inactive', { propagateToChildren: true })], policies })).toEqual([])
    expect(merge({ own: [rule('x', { policyIds: ['off'] })], policies })).toEqual([])
    expect(merge({ own: [rule('x', { policyId: 'off' })], policies })).toEqual([])
    expect(merge({ own: [rule('x', { policyIds: ['off', 'on'] })], policies })).toHaveLength(1)
    expect(merge({ own: [rule('x', { policyIds: ['deleted'] })], policies })).toHaveLength(1)
  })

  it('exempts the system organization, except for a scan of its own rules', () => {
    const everything = {
      own: [rule('o')],
      inherited: [rule('i', { propagateToChildren: true })],
      subscriptions: [{ rule: published('s'), isActive: true }],
      isSystemOrg: true,
    }
    expect(merge(everything)).toEqual([])
    expect(merge({ ...everything, systemScan: true })).toEqual([['o', 'own']])
  })

  it('takes one target when asked', () => {
    const own = [rule('a'), rule('b', { target: 'pipeline' })]
    expect(merge({ own, target: 'pipeline' })).toEqual([['b', 'own']])
    expect(merge({ own })).toHaveLength(2)
  })
})
