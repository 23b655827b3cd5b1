/** What is stored of a rule, what refuses to be stored and in which words, and the edges of copying and merging. */
import { describe, expect, it } from 'vitest'
import type { Condition, Rule } from '../types.js'
import { nearestWord } from '../words/index.js'
import { cloneRules } from './clone-rules.js'
import { mergeRulePatch } from './merge-patch.js'
import { mergeRules, type PolicyMembership } from './merge-rules.js'
import { normaliseRule } from './normalise-rule.js'

const rule = (name: string, more: Partial<Rule> = {}): Rule => ({
  name,
  target: 'plugin',
  field: 'x',
  operator: 'exists',
  ...more,
})
const gated = (name: string, reference: string, more: Partial<Rule> = {}): Rule => ({
  name,
  target: 'plugin',
  conditions: [{ field: 'x', operator: 'exists' }, { dependsOnRule: reference }],
  ...more,
})
const said = ({ issues }: ReturnType<typeof normaliseRule>) =>
  issues.map(
    ({ ruleId, ruleName, pointer, code, message, fix }) =>
      `${ruleId} ${ruleName} ${pointer} ${code}: ${message}; ${fix}`,
  )

describe('a stored record', () => {
  it('keeps what the author gave', () => {
    const given = {
      id: '7',
      name: 'a',
      description: 'why',
      target: 'pipeline',
      severity: 'critical',
      priority: 3,
      scope: 'published',
      field: 'x',
      operator: 'eq',
      value: [1],
      conditions: null,
      conditionMode: 'any',
      tags: ['t'],
      policyIds: ['p', 'q', 'p'],
      propagateToChildren: false,
      isTemplate: false,
      isActive: false,
      suppressNotification: true,
      effectiveFrom: '2026-01-01T00:00:00.000Z',
      effectiveUntil: '2026-02-01T00:00:00.000Z',
    } as const
    expect(normaliseRule(given)).toEqual({ issues: [], rule: { ...given, policyIds: ['p', 'q'] } })
    const template = { ...given, scope: 'org', propagateToChildren: true, isTemplate: true } as const
    expect(normaliseRule(template).rule).toMatchObject({ propagateToChildren: true, isTemplate: true })
  })

  it('has dates as ISO text, no matter who set them', () => {
    const dates = {
      effectiveFrom: new Date(0),
      effectiveUntil: new Date(1),
      createdAt: new Date(2),
      updatedAt: '1970-01-01T00:00:00Z',
    }
    expect(normaliseRule({ ...rule('a'), ...dates }).rule).toMatchObject({
      effectiveFrom: '1970-01-01T00:00:00.000Z',
      effectiveUntil: '1970-01-01T00:00:00.001Z',
      createdAt: '1970-01-01T00:00:00.002Z',
      updatedAt: '1970-01-01T00:00:00Z',
    })
  })

  it('has no key of a date unless it was given, and no cycle unless there is one', () => {
    expect(normaliseRule(rule('a')).rule).not.toHaveProperty('createdAt')
    expect(normaliseRule({ ...rule('a'), value: new Date(0), operator: 'eq' }).rule?.value).toBeInstanceOf(Date)
    const [issue] = normaliseRule(gated('a', 'nowhere'), { rulesInScope: [] }).issues
    expect(issue).not.toHaveProperty('cycle')
    expect(normaliseRule(rule('a')).rule?.tags).toEqual([])
  })

  it('has no keys without a value', () => {
    const record = normaliseRule({ ...rule('a'), id: undefined, value: undefined }).rule
    expect(Object.values(record ?? {})).not.toContain(undefined)
    expect(Object.keys(record ?? {})).toEqual(Object.keys(normaliseRule(rule('a')).rule ?? {}))
  })

  it('has conditions without nulls, or null', () => {
    const conditions = (given: unknown) => normaliseRule({ ...rule('a'), conditions: given }).rule?.conditions
    expect(conditions([])).toBeNull()
    expect(conditions(undefined)).toBeNull()
    expect(
      conditions([
        { field: 'x', operator: 'exists', value: null, dependsOnRule: null },
        { field: null, operator: null, value: null, dependsOnRule: 'b' },
        { field: 'x', operator: 'eq', value: 1, dependsOnRule: 'b' },
        { field: 'x', operator: 'exists' },
      ]),
    ).toEqual([
      { field: 'x', operator: 'exists', value: null },
      { dependsOnRule: 'b' },
      { field: 'x', operator: 'eq', value: 1, dependsOnRule: 'b' },
      { field: 'x', operator: 'exists' },
    ])
  })
})

describe('among the rules in scope', () => {
  const rulesInScope = [
    rule('one', { id: '1' }),
    rule('twice', { id: '2' }),
    rule('twice', { id: '3' }),
    rule('pipe', { id: '4', target: 'pipeline' }),
    rule('Org', { id: '5', orgId: 'ORG' }),
    rule('subscribed', { id: '6', source: 'subscribed' }),
    gated('back', 'new', { id: '7' }),
    rule('nameless-id'),
  ]
  const place = (input: unknown) => normaliseRule(input, { rulesInScope })

  it('an author reads what is wrong with a reference', () => {
    const about = 'new new /conditions/1/dependsOnRule'
    expect(said(place(gated('new', 'nowhere')))).toEqual([
      `${about} dependency_unknown: there is no rule \`nowhere\`; give the id or the name of a live rule that the organization can enforce`,
    ])
    expect(said(place(gated('new', 'twice')))).toEqual([
      `${about} dependency_ambiguous: 2 rules have the name \`twice\`; give the id of the rule`,
    ])
    for (const reference of ['pipe', '4']) {
      expect(said(place(gated('new', reference)))).toEqual([
        `${about} dependency_target: \`${reference}\` is not a plugin rule; depend on a rule of the same target`,
      ])
    }
    expect(said(place(gated('new', 'back')))).toEqual([
      'new new /conditions dependency_cycle: the rule would depend on itself through new > 7; ' +
        'remove one `dependsOnRule` of the cycle',
    ])
  })

  it('an author reads that a name is taken', () => {
    expect(said(place(rule('one', { id: '9' })))).toEqual([
      '9 one /name duplicate_name: another rule has the name `one`; choose another name',
    ])
    expect(said(place(rule('Org', { orgId: 'org' })))).toHaveLength(1)
    expect(said(place(rule('Org', { orgId: 'other' })))).toEqual([])
    expect(said(place(rule('Org')))).toEqual([])
    expect(said(place(rule('subscribed')))).toEqual([])
    expect(said(place(rule('subscribed', { source: 'subscribed' })))).toHaveLength(1)
  })

  it('names become ids, checks stay as they are', () => {
    expect(place(gated('new', 'one')).rule?.conditions).toEqual([
      { field: 'x', operator: 'exists' },
      { dependsOnRule: '1' },
    ])
    expect(place(gated('new', 'nameless-id')).rule?.conditions?.[1]).toEqual({ dependsOnRule: 'nameless-id' })
    expect(place(rule('new')).rule?.conditions).toBeNull()
  })

  it('a rule stands in for its stored form', () => {
    expect(place(rule('renamed', { id: '1' })).issues).toEqual([])
    expect(place(rule('nameless-id')).issues).toEqual([])
    // Renamed: nothing bears the name that it had.
    expect(place(gated('renamed', 'one', { id: '1' })).issues).toMatchObject([{ code: 'dependency_unknown' }])
  })
})

describe('a partial update', () => {
  const stored = normaliseRule(rule('a', { id: '1', orgId: 'o', version: 2 })).rule as Rule
  const update = (patch: unknown) => mergeRulePatch(stored, patch)

  it('is refused in words', () => {
    expect(said(update(5))).toEqual([
      '1 a  not_an_object: the change is not an object; write the fields to change as an object',
    ])
    expect(said(update({ 'x/y': 1 }))).toEqual(['1 a /x~1y unknown_key: `x/y` is not known; remove it'])
    expect(said(update({ orgId: 'p' }))).toEqual([
      '1 a /orgId not_allowed: `orgId` cannot be changed; leave `orgId` out',
    ])
    expect(said(mergeRulePatch(rule('b'), { scope: 'published' }))[0]).toMatch(/^b b \/scope not_allowed/)
  })

  it.each(['id', 'target', 'scope', 'isTemplate', 'orgId', 'policyIds', 'version', 'createdAt', 'source', 'deletedAt'])(
    'cannot change %s',
    (key) => {
      expect(update({ [key]: 'else' }).issues[0]).toMatchObject({ pointer: `/${key}`, code: 'not_allowed' })
    },
  )

  it('may send back what it cannot change, null for missing included', () => {
    expect(update({ id: '1', target: 'plugin', policyIds: [], version: 2, createdBy: null }).issues).toEqual([])
  })

  it('passes over undefined, inherited and nothing else', () => {
    expect(update({ description: undefined }).rule).toEqual(stored)
    expect(update(Object.create({ description: 'inherited' })).rule).toEqual(stored)
    expect(update({ tags: ['t'] }).rule).toEqual({ ...stored, tags: ['t'] })
  })

  it('is checked among the rules in scope', () => {
    const rulesInScope = [stored, rule('taken', { id: '2', orgId: 'o' })]
    expect(mergeRulePatch(stored, { name: 'taken' }, { rulesInScope }).issues).toMatchObject([
      { code: 'duplicate_name' },
    ])
  })
})

describe('a copy', () => {
  it('of everything an author decides, and of nothing else', () => {
    const record = { version: 3, createdAt: 'c', createdBy: 'c', updatedAt: 'u', updatedBy: 'u', deletedAt: null }
    const gone = { deletedBy: 'd', purgeAfter: 'p', source: 'inherited', orgId: 'o' } as const
    const authored = {
      description: 'd',
      severity: 'warning',
      priority: 4,
      effectiveFrom: 'f',
      suppressNotification: true,
    } as const
    const { rules } = cloneRules([rule('a', { ...record, ...gone, ...authored })], { names: [], newId: () => 'new' })
    expect(rules).toEqual([
      {
        ...rule('a'),
        ...authored,
        id: 'new',
        scope: 'org',
        isTemplate: false,
        isActive: true,
        propagateToChildren: false,
        tags: [],
        policyId: null,
        policyIds: [],
        forkedFromRuleId: null,
      },
    ])
  })

  it('has the organization that is given, null included', () => {
    const copy = (orgId?: string | null) =>
      cloneRules([rule('a', { orgId: 'o' })], {
        names: [],
        newId: () => 'new',
        ...(orgId === undefined ? {} : { orgId }),
      }).rules[0]
    expect([copy('p')?.orgId, copy(null)?.orgId, copy()?.orgId]).toEqual(['p', null, undefined])
  })

  it('of a reference goes by id before name, and by a name that is unique', () => {
    const newId = ({ id, name }: Rule) => `new-${id ?? name}`
    const references = (rules: Rule[]) => {
      const { rules: copies, leaving } = cloneRules(rules, { names: [], newId })
      return [
        copies.at(-1)?.conditions?.map((condition) => condition.dependsOnRule ?? null),
        leaving.map(({ ruleId }) => ruleId),
      ]
    }
    expect(references([rule('a', { id: 'b' }), rule('b', { id: 'c' }), gated('heir', 'b')])).toEqual([
      [null, 'new-b'],
      [],
    ])
    expect(references([rule('a'), gated('heir', 'a')])).toEqual([[null, 'new-a'], []])
    expect(references([rule('n', { id: '1' }), rule('n', { id: '2' }), gated('heir', 'n')])).toEqual([
      [null, 'n'],
      ['heir'],
    ])
    expect(
      references([rule('n', { id: '1' }), rule('n', { id: '2' }), rule('n', { id: '3' }), gated('heir', 'n')])[1],
    ).toEqual(['heir'])
  })

  it('leaves conditions and gates without a rule alone', () => {
    const conditions = [{ field: 'x', operator: 'exists', dependsOnRule: null }] as unknown as Condition[]
    const { rules, leaving } = cloneRules([rule('a', { conditions }), rule('b', { conditions: null })], {
      names: [],
      newId: ({ name }) => name,
    })
    expect(rules[0]?.conditions).toEqual(conditions)
    expect(rules[1]).toHaveProperty('conditions', null)
    expect(leaving).toEqual([])
  })
})

describe('merged rules', () => {
  const merge = (input: Partial<Parameters<typeof mergeRules>[0]>) =>
    mergeRules({ orgId: 'org', own: [], subscriptions: [], inherited: [], policies: [], ...input })

  it('are told apart by id, or by name where there is none', () => {
    const own = [rule('a'), rule('a'), rule('b', { id: 'a' }), rule('a', { id: 'c' })]
    expect(merge({ own }).map(({ id, name }) => [id, name])).toEqual([
      [undefined, 'a'],
      ['c', 'a'],
    ])
  })

  it('bear the id by which they are known when they are pinned', () => {
    const subscriptions = [
      { rule: rule('now', { scope: 'published' }), pinned: rule('then', { id: 'x' }), isActive: true },
    ]
    expect(merge({ subscriptions })).toMatchObject([
      { id: 'now', name: 'then', isActive: true, isTemplate: false, deletedAt: null, source: 'subscribed' },
    ])
    const unpinned = [{ rule: rule('now', { scope: 'published', priority: 5 }), pinned: null, isActive: true }]
    expect(merge({ subscriptions: unpinned })).toEqual([{ ...unpinned[0]?.rule, source: 'subscribed' }])
  })

  it('are the caller’s where they name no organization', () => {
    expect(
      merge({ own: [rule('a', { orgId: null }), rule('b', { orgId: 'Org' }), rule('c', { orgId: 'x' })] }),
    ).toHaveLength(2)
  })

  it('may say in as many words that they are not deleted', () => {
    expect(merge({ own: [rule('a', { deletedAt: null })] })).toHaveLength(1)
  })

  it('propagate only where they say so, and only if they are the organization’s', () => {
    const inherited = [
      rule('yes', { propagateToChildren: true, scope: 'org' }),
      rule('published', { propagateToChildren: true, scope: 'published' }),
      rule('no', { propagateToChildren: false }),
    ]
    expect(merge({ inherited }).map(({ name }) => name)).toEqual(['yes'])
  })

  it('of one target are those of every source', () => {
    const pipeline = { target: 'pipeline', propagateToChildren: true } as const
    const input = {
      own: [rule('o1'), rule('o2', pipeline)],
      inherited: [rule('i1', { propagateToChildren: true }), rule('i2', pipeline)],
      subscriptions: [rule('s1', { scope: 'published' }), rule('s2', { scope: 'published', target: 'pipeline' })].map(
        (each) => ({ rule: each, isActive: true }),
      ),
    }
    expect(merge({ ...input, target: 'pipeline' }).map(({ name }) => name)).toEqual(['o2', 'i2', 's2'])
    expect(merge({ ...input, target: 'plugin' }).map(({ name }) => name)).toEqual(['o1', 'i1', 's1'])
  })

  it('hold unless every policy that lists them is inactive, whichever side lists them', () => {
    const policies: PolicyMembership[] = [
      { id: 'off', isActive: false, ruleIds: ['r', 'shared'] },
      { id: 'on', isActive: true, ruleIds: ['shared'] },
      { id: 'later', isActive: false, ruleIds: ['shared'] },
    ]
    const held = (more: Partial<Rule>) => merge({ own: [rule('r', more)], policies }).length === 1
    expect([held({}), held({ id: 'shared' }), held({ id: 'free' })]).toEqual([false, true, true])
    expect([held({ policyIds: ['on'] }), held({ policyIds: ['off'] }), held({ policyIds: [] })]).toEqual([
      true,
      false,
      false,
    ])
    expect([held({ id: 'free', policyId: 'on' }), held({ id: 'free', policyId: 'off' })]).toEqual([true, false])
    expect(held({ id: 'free', policyId: null })).toBe(true)
    expect(held({ id: 'free', policyIds: ['on'], policyId: 'off' })).toBe(true)
  })
})

describe('the nearest word', () => {
  it('is within one change for short words, two or a third for longer ones', () => {
    const known = ['eq', 'name', 'severity', 'suppressNotification']
    const near = (word: string) => nearestWord(word, known)
    expect([near('eqq'), near('e'), near('q'), near('xyq')]).toEqual(['eq', 'eq', 'eq', null])
    expect([near('nmae'), near('anme'), near('xxme'), near('xxxe')]).toEqual(['name', 'name', 'name', null])
    expect([near('sevirety'), near('sev'), near('SEVERITY')]).toEqual(['severity', null, 'severity'])
    expect([near('suppressNotifcatoin'), near('supressNotifikasjon')]).toEqual([
      'suppressNotification',
      'suppressNotification',
    ])
    expect([near('suppressXXXXXXXXXXXX')]).toEqual([null])
  })

  it('is the first of several as near, and none for long words', () => {
    expect(nearestWord('ac', ['ab', 'ad'])).toBe('ab')
    expect(nearestWord('acd', ['abd', 'acd'])).toBe('acd')
    expect(nearestWord('x'.repeat(64), ['x'.repeat(63)])).toBe('x'.repeat(63))
    expect(nearestWord('x'.repeat(65), ['x'.repeat(65)])).toBeNull()
    expect(nearestWord('abc', [])).toBeNull()
  })
})
