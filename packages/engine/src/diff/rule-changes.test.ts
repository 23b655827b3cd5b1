/** What a comparison says of one rule, and of the entities whose standing changes with it. */
import { describe, expect, it } from 'vitest'
import { createSafeRegex, type Rule } from '../index.js'
import { diffRules } from './index.js'

const rule = (more: Partial<Rule> = {}): Rule => ({
  name: 'a',
  target: 'plugin',
  field: 'x',
  operator: 'exists',
  ...more,
})
const change = (before: Rule, after: Rule) => diffRules([before], [after]).rules[0]
const limited = (field: string, max: number, more: Partial<Rule> = {}) =>
  rule({ name: field, field, operator: 'lte', value: max, ...more })

describe('what a comparison says of a rule', () => {
  it('that is new', () => {
    expect(diffRules([], [rule({ id: '7' })]).rules).toEqual([
      {
        id: '7',
        name: 'a',
        target: 'plugin',
        severity: { before: null, after: 'error' },
        change: 'added',
        keys: [],
        stricter: {},
        laxer: null,
        reason: 'the rule is new or newly in force',
      },
    ])
  })

  it('that is gone', () => {
    expect(diffRules([rule({ severity: 'critical' })], []).rules).toEqual([
      {
        id: 'a',
        name: 'a',
        target: 'plugin',
        severity: { before: 'critical', after: null },
        change: 'removed',
        keys: [],
        stricter: null,
        laxer: {},
        reason: 'the rule is gone or no longer in force',
      },
    ])
  })

  it('that is switched off or on again', () => {
    expect(change(rule(), rule({ isActive: false }))?.change).toBe('removed')
    expect(change(rule({ isActive: false }), rule())?.change).toBe('added')
  })

  it('that nothing can violate, without an entity', () => {
    const always: Partial<Rule> = {
      field: null,
      operator: null,
      conditionMode: 'any',
      conditions: [
        { field: 'x', operator: 'exists' },
        { field: 'x', operator: 'notExists' },
      ],
    }
    const [added] = diffRules([], [rule(always)]).rules
    expect(added).toMatchObject({ change: 'added', stricter: null, laxer: null })
  })

  it('whose check moved either way, or both', () => {
    const le = (value: number) => rule({ operator: 'lte', value })
    expect(change(le(9), le(5))).toMatchObject({
      change: 'changed',
      reason: 'it is stricter',
      laxer: null,
      keys: ['value'],
    })
    expect(change(le(5), le(9))).toMatchObject({ change: 'changed', reason: 'it is laxer', stricter: null })
    expect(change(rule({ operator: 'eq', value: 'a' }), rule({ operator: 'eq', value: 'b' }))).toMatchObject({
      reason: 'it is stricter for some entities and laxer for others',
      stricter: { x: 'a' },
      laxer: { x: 'b' },
    })
  })

  it('whose severity crossed the line between warning and blocking', () => {
    const severity = (before: Rule['severity'], after: Rule['severity']) =>
      change(rule({ ...(before && { severity: before }) }), rule({ ...(after && { severity: after }) }))
    expect(severity('warning', 'error')).toMatchObject({
      change: 'changed',
      reason: 'it blocks now',
      severity: { before: 'warning', after: 'error' },
    })
    expect(severity('critical', 'warning')).toMatchObject({ change: 'changed', reason: 'it only warns now' })
    expect(severity('error', 'critical')).toMatchObject({
      change: 'cosmetic',
      keys: ['severity'],
      reason: 'both versions are violated by exactly the same entities',
    })
  })

  it('whose target changed', () => {
    expect(change(rule(), rule({ target: 'pipeline' }))).toMatchObject({
      change: 'changed',
      target: 'pipeline',
      keys: ['target'],
      reason: expect.stringContaining('it applies to the other target'),
    })
  })

  it('whose dates changed, at either end', () => {
    const instant = '2026-01-01T00:00:00Z'
    for (const key of ['effectiveFrom', 'effectiveUntil']) {
      expect(change(rule(), rule({ [key]: instant }))).toMatchObject({
        change: 'changed',
        keys: [key],
        reason: 'its dates changed',
      })
    }
    expect(change(rule({ effectiveFrom: instant }), rule({ effectiveFrom: '2026-01-01T01:00:00+01:00' }))?.change).toBe(
      'cosmetic',
    )
  })

  it('of which several things changed', () => {
    const reason = change(
      limited('t', 9, { severity: 'warning' }),
      limited('t', 5, { effectiveFrom: '2026-01-01T00:00:00Z' }),
    )
    expect(reason?.reason).toBe('it is stricter, it blocks now, its dates changed')
    expect(reason?.keys).toEqual(['effectiveFrom', 'severity', 'value'])
  })

  it.each<[string, Partial<Rule>]>([
    ['orgId', { orgId: 'o' }],
    ['description', { description: 'd' }],
    ['priority', { priority: 1 }],
    ['scope', { scope: 'published' }],
    ['tags', { tags: ['t'] }],
    ['policyIds', { policyIds: ['p'] }],
    ['policyId', { policyId: 'p' }],
    ['propagateToChildren', { propagateToChildren: true }],
    ['suppressNotification', { suppressNotification: true }],
    ['forkedFromRuleId', { forkedFromRuleId: 'f' }],
    ['version', { version: 2 }],
    ['createdAt', { createdAt: '2026-01-01T00:00:00Z' }],
    ['createdBy', { createdBy: 'u' }],
    ['updatedAt', { updatedAt: '2026-01-01T00:00:00Z' }],
    ['updatedBy', { updatedBy: 'u' }],
    ['deletedBy', { deletedBy: 'u' }],
    ['purgeAfter', { purgeAfter: '2026-01-01T00:00:00Z' }],
    ['source', { source: 'inherited' }],
  ])('whose `%s` changed: nothing that a verdict depends on', (key, more) => {
    expect(change(rule(), rule(more))).toMatchObject({
      change: 'cosmetic',
      keys: [key],
      reason: 'only keys changed that no verdict depends on',
    })
  })

  it('that bears another name under the same id', () => {
    expect(change(rule({ id: '7' }), rule({ id: '7', name: 'b' }))).toMatchObject({
      id: '7',
      name: 'b',
      change: 'cosmetic',
      keys: ['name'],
      reason: 'only keys changed that no verdict depends on',
    })
  })

  it('that bears an id now', () => {
    expect(change(rule(), rule({ id: 'a' }))).toMatchObject({
      change: 'cosmetic',
      keys: ['id'],
      reason: 'only keys changed that no verdict depends on',
    })
  })

  it('of which a dead twin stands before it: the live one counts', () => {
    const dead = rule({ id: '7', isActive: false, tags: ['dead'] })
    const live = rule({ id: '7' })
    expect(diffRules([dead, live], [live, dead]).rules).toEqual([])
  })

  it('in the order of the rules after, then those that are gone', () => {
    const [a, b, c] = ['a', 'b', 'c'].map((name) => rule({ name, field: name }))
    if (a === undefined || b === undefined || c === undefined) throw new Error('three rules')
    const stricter = (of: Rule): Rule => ({ ...of, operator: 'eq', value: 1 })
    const { rules, unchanged } = diffRules([c, a, rule({ name: 'gone' }), b], [stricter(b), stricter(a), c])
    expect(rules.map(({ name }) => name)).toEqual(['b', 'a', 'gone'])
    expect(unchanged).toBe(1)
  })

  it('under the limits and the regex engine that are given', () => {
    const long = [rule({ operator: 'regex', value: 'abc' })]
    expect(diffRules([], long).rules[0]?.stricter).not.toBeNull()
    // Over the limit the rule is misconfigured, and every entity violates it.
    expect(diffRules([], long, { limits: { regexLength: 2 } }).rules[0]?.stricter).toEqual({})
    let compiled = 0
    const safe = createSafeRegex()
    const regex = {
      check: safe.check.bind(safe),
      cost: safe.cost.bind(safe),
      compile: (pattern: string) => {
        compiled += 1
        return safe.compile(pattern)
      },
    }
    diffRules([], long, { regex })
    expect(compiled).toBeGreaterThan(0)
  })
})

describe('entities whose standing changes', () => {
  it('are constructed so that no other rule decides', () => {
    const other = limited('y', 5)
    const { newlyBlocked } = diffRules([other], [other, limited('x', 3)])
    expect(newlyBlocked.total).toBe(1)
    expect(newlyBlocked.samples).toMatchObject([{ before: 'clean', after: 'blocked', rules: ['x'] }])
  })

  it('are not constructed where another rule blocks them before and after', () => {
    const same = rule({ name: 'b', operator: 'lte', value: 3 })
    const diff = diffRules([same], [same, rule({ name: 'c', operator: 'lte', value: 5 })])
    expect(diff.rules).toMatchObject([{ name: 'c', change: 'added' }])
    expect([diff.newlyBlocked.total, diff.newlyAllowed.total, diff.newlyWarned.total]).toEqual([0, 0, 0])
  })

  it('are allowed where the rule that blocked them only warns now', () => {
    const diff = diffRules([rule()], [rule({ severity: 'warning' })])
    expect(diff.newlyWarned.total + diff.newlyAllowed.total).toBe(1)
    const [sample] = [...diff.newlyWarned.samples, ...diff.newlyAllowed.samples]
    expect(sample).toMatchObject({ before: 'blocked', after: 'warned', id: null, name: null, witness: {} })
  })

  it('are not constructed for changes without meaning', () => {
    const diff = diffRules([rule()], [rule({ tags: ['t'] })])
    expect([diff.newlyBlocked.total, diff.newlyAllowed.total, diff.newlyWarned.total]).toEqual([0, 0, 0])
    expect(diff.entities).toBeNull()
  })

  it('are listed once for two rules that one entity separates', () => {
    const diff = diffRules([], [rule({ name: 'a' }), rule({ name: 'b' })])
    const witnesses = diff.newlyBlocked.samples.map(({ witness }) => JSON.stringify(witness))
    expect(new Set(witnesses).size).toBe(witnesses.length)
  })

  it('are compared under their target, or under both', () => {
    const attributes = {}
    const pipelines = rule({ target: 'pipeline' })
    const entities = [
      { id: '1', name: 'one', target: 'plugin' as const, attributes },
      { id: '2', target: 'pipeline' as const, attributes },
      { id: '3', attributes },
    ]
    const { newlyBlocked, entities: count } = diffRules([], [pipelines], { entities })
    expect(count).toBe(3)
    expect(newlyBlocked.samples).toEqual([
      { id: '2', name: null, target: 'pipeline', before: 'clean', after: 'blocked', rules: ['a'], witness: null },
      { id: '3', name: null, target: null, before: 'clean', after: 'blocked', rules: ['a'], witness: null },
    ])
    expect(diffRules([], [rule()], { entities }).newlyBlocked.samples[0]).toMatchObject({ id: '1', name: 'one' })
  })

  it('name the rules that one side alone violates', () => {
    const both = rule({ name: 'both' })
    const diff = diffRules([both, rule({ name: 'old', severity: 'warning' })], [both, rule({ name: 'new' })], {
      entities: [{ id: '1', attributes: {} }],
    })
    expect(diff.newlyBlocked.total).toBe(0)
    const lifted = diffRules([rule({ name: 'old' })], [rule({ name: 'new', severity: 'warning' })], {
      entities: [{ id: '1', attributes: {} }],
    })
    expect([...lifted.newlyAllowed.samples, ...lifted.newlyWarned.samples]).toMatchObject([{ rules: ['new', 'old'] }])
  })

  it('are sampled ten a group unless told otherwise', () => {
    const entities = Array.from({ length: 12 }, (_, index) => ({ id: `${index}`, attributes: {} }))
    const { newlyBlocked } = diffRules([], [rule()], { entities })
    expect([newlyBlocked.total, newlyBlocked.samples.length]).toEqual([12, 10])
  })
})
