import { describe, expect, it } from 'vitest'
import { type Draft, patchOf, rebase } from '../src/screens/rules/draft.js'

const base: Draft = {
  name: 'no-root',
  severity: 'error',
  tags: ['a'],
  field: 'image.user',
  operator: 'notEquals',
  value: 'root',
}

describe('a draft on a newer version of its rule', () => {
  it('has the changes of both people, and sends only those of its author', () => {
    const newest = { ...base, severity: 'critical' }
    const { draft, both } = rebase(base, { ...base, description: 'why' }, newest)
    expect(draft).toEqual({ ...newest, description: 'why' })
    expect(both).toEqual([])
    expect(patchOf(newest, draft)).toEqual({ description: 'why' })
  })

  it('has the values of its author where both changed a field, and names the field', () => {
    const { draft, both } = rebase(base, { ...base, severity: 'warning' }, { ...base, severity: 'critical' })
    expect(draft.severity).toBe('warning')
    expect(both).toEqual(['severity'])
    const agreed = { ...base, severity: 'critical' }
    expect(rebase(base, agreed, agreed).both).toEqual([])
  })

  it('keeps what one of them removed', () => {
    const { tags: _tags, ...untagged } = base
    expect(rebase(base, untagged, { ...base, severity: 'critical' }).draft).toEqual({
      ...untagged,
      severity: 'critical',
    })
    expect(rebase(base, { ...base, severity: 'warning' }, untagged).draft).toEqual({ ...untagged, severity: 'warning' })
  })

  it('takes a condition as a whole, so that two of them are never mixed', () => {
    const { field: _field, operator: _operator, value: _value, ...rest } = base
    const newest = { ...rest, conditionMode: 'all', conditions: [{ field: 'x', operator: 'exists' }] }
    const { draft, both } = rebase(base, { ...base, value: '0' }, newest)
    expect(draft).toEqual({ ...base, value: '0' })
    expect(new Set(both)).toEqual(new Set(['field', 'operator', 'value', 'conditionMode', 'conditions']))
  })
})
