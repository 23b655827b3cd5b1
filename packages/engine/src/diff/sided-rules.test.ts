import { describe, expect, it } from 'vitest'
import type { Rule } from '../types.js'
import { sided, withoutSide } from './sided-rules.js'

describe('rules of one side', () => {
  it('carry it in their ids, names and references', () => {
    const rules = [
      { id: '1', name: 'base', target: 'plugin', field: 'x', operator: 'exists' },
      {
        name: 'heir',
        target: 'plugin',
        conditions: [
          { dependsOnRule: 'base' },
          { field: 'y', operator: 'exists', dependsOnRule: '1' },
          { field: 'z', operator: 'exists' },
        ],
      },
    ] as const
    expect(sided(rules, 'before')).toEqual([
      { ...rules[0], id: 'before 1', name: 'before base' },
      {
        ...rules[1],
        id: 'before heir',
        name: 'before heir',
        conditions: [
          { dependsOnRule: 'before base' },
          { field: 'y', operator: 'exists', dependsOnRule: 'before 1' },
          { field: 'z', operator: 'exists' },
        ],
      },
    ])
    expect(sided(rules, 'after').map(({ id, name }) => [withoutSide(id ?? ''), withoutSide(name)])).toEqual([
      ['1', 'base'],
      ['heir', 'heir'],
    ])
  })

  it('keep what is wrong with them', () => {
    const wrong = [
      5,
      { target: 'plugin' },
      { name: '', target: 'plugin' },
      { name: 5, target: 'plugin' },
      { name: 'a', conditions: [5, null, { dependsOnRule: '' }, { dependsOnRule: 7 }] },
      { name: 'b', conditions: 'none' },
    ] as unknown as Rule[]
    expect(sided(wrong, 'after')).toStrictEqual([
      5,
      { target: 'plugin', id: 'after #1' },
      { name: '', target: 'plugin', id: 'after #2' },
      { name: 5, target: 'plugin', id: 'after #3' },
      { name: 'after a', id: 'after a', conditions: [5, null, { dependsOnRule: '' }, { dependsOnRule: 7 }] },
      { name: 'after b', id: 'after b', conditions: 'none' },
    ])
  })

  it('give back a name as it was written, spaces and all', () => {
    expect(withoutSide('before a  name of words')).toBe('a  name of words')
  })
})
