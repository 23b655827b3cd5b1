import { describe, expect, it } from 'vitest'
import type { Rule } from '../types.js'
import { applyFixes, type Finding, type PatchOperation } from './index.js'

const rule: Rule = {
  name: 'a',
  target: 'plugin',
  tags: ['p', 'q', 'r', 's'],
  conditions: [
    { field: 'x', operator: 'in', value: ['1', '2', '3'] },
    { field: 'y', operator: 'eq', value: { 'a/b': 1, 'c~d': 2, e: { f: 3 } } },
    ...Array.from({ length: 9 }, (_, at) => ({ field: `z${at}`, operator: 'exists' as const })),
  ],
}
const fix = (pointer: string, patch: readonly PatchOperation[], position = 0): Finding => ({
  code: 'duplicate-tag',
  severity: 'info',
  status: 'proved',
  rules: [],
  pointer,
  message: '',
  advice: '',
  reason: '',
  fix: { description: '', position, patch },
})
const remove = (path: string) => fix(path, [{ op: 'remove', path }])
const replace = (path: string, value: string) => fix(path, [{ op: 'replace', path, value }])
const add = (path: string, value: string) => fix(path, [{ op: 'add', path, value }])
const apply = (...findings: Finding[]) => {
  const { rules, applied, postponed } = applyFixes([rule], findings)
  return { ...(rules[0] as Rule), applied: applied.length, postponed: postponed.length }
}

describe('a patch', () => {
  it('replaces, adds and removes in lists', () => {
    expect(apply(replace('/tags/1', 'new')).tags).toEqual(['p', 'new', 'r', 's'])
    expect(apply(add('/tags/1', 'new')).tags).toEqual(['p', 'new', 'q', 'r', 's'])
    expect(apply(remove('/tags/1')).tags).toEqual(['p', 'r', 's'])
  })

  it('replaces, adds and removes in objects, whatever their keys hold', () => {
    const value = (finding: Finding) => apply(finding).conditions?.[1]?.value
    expect(value(replace('/conditions/1/value/a~1b', 'new'))).toEqual({ 'a/b': 'new', 'c~d': 2, e: { f: 3 } })
    expect(value(remove('/conditions/1/value/c~0d'))).toStrictEqual({ 'a/b': 1, e: { f: 3 } })
    expect(value(add('/conditions/1/value/g', 'new'))).toEqual({ 'a/b': 1, 'c~d': 2, e: { f: 3 }, g: 'new' })
    expect(value(remove('/conditions/1/value/e/f'))).toStrictEqual({ 'a/b': 1, 'c~d': 2, e: {} })
  })

  it('leaves alone what is not a container, and makes one where there is nothing', () => {
    expect(apply(replace('/name/x', 'new')).name).toBe('a')
    expect(apply(replace('/description/x', 'new')).description).toBeNull()
  })

  it('copies what it changes and nothing else', () => {
    const before = JSON.stringify(rule)
    const other: Rule = { ...rule, name: 'b' }
    const { rules } = applyFixes([rule, other], [remove('/tags/1')])
    expect(JSON.stringify(rule)).toBe(before)
    expect(rules[0]).not.toBe(rule)
    expect(rules[1]).toBe(other)
    expect(rules[0]?.conditions).toBe(rule.conditions)
  })
})

describe('several fixes', () => {
  it('are made from the end of each list to its beginning, by number', () => {
    const { tags, applied } = apply(remove('/tags/0'), remove('/tags/3'), remove('/tags/1'))
    expect([tags, applied]).toEqual([['r'], 3])
    const fields = apply(remove('/conditions/2'), remove('/conditions/10'), remove('/conditions/9')).conditions
    expect(fields?.map(({ field }) => field)).toEqual(['x', 'y', 'z1', 'z2', 'z3', 'z4', 'z5', 'z6'])
  })

  it('are made within an entry before the entry is removed', () => {
    const { conditions, applied, postponed } = apply(remove('/conditions/0/value/2'), replace('/name', 'new'))
    expect([conditions?.[0]?.value, applied, postponed]).toEqual([['1', '2'], 2, 0])
  })

  it.each([
    [remove('/tags/1'), remove('/tags/1')],
    [remove('/conditions/0'), remove('/conditions/0/value/1')],
    [remove('/conditions/0/value/1'), remove('/conditions/0')],
    // Made first, because findings are ordered by what they are about.
    [fix('/z', [{ op: 'replace', path: '/tags', value: [] }]), remove('/tags/1')],
    [
      remove('/tags/1'),
      fix('', [
        { op: 'replace', path: '/name', value: 'new' },
        { op: 'remove', path: '/tags/1' },
      ]),
    ],
  ])('that touch one another wait for the next run', (one, other) => {
    expect(apply(one, other)).toMatchObject({ applied: 1, postponed: 1 })
  })

  it('of names that begin alike do not touch one another', () => {
    expect(apply(remove('/tags/1'), remove('/tags/10'))).toMatchObject({ applied: 2, postponed: 0 })
  })

  it('of several rules do not touch one another, and one of a rule that is not there is left out', () => {
    const { rules, applied, postponed } = applyFixes(
      [rule, { ...rule, name: 'b' }],
      [
        fix('/tags/1', [{ op: 'remove', path: '/tags/1' }], 0),
        fix('/tags/1', [{ op: 'remove', path: '/tags/1' }], 1),
        fix('/tags/1', [{ op: 'remove', path: '/tags/1' }], 2),
      ],
    )
    expect(rules.map(({ tags }) => tags)).toEqual([
      ['p', 'r', 's'],
      ['p', 'r', 's'],
    ])
    expect([applied.length, postponed.length]).toEqual([2, 0])
  })

  it('of findings without a fix are none', () => {
    const { fix: _, ...unfixed } = remove('/tags/0')
    expect(applyFixes([rule], [unfixed])).toEqual({ rules: [rule], applied: [], postponed: [] })
  })
})
