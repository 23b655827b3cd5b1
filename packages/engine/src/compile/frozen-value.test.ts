import { describe, expect, it } from 'vitest'
import { MAX_VALUE_DEPTH } from '../operator/operand.js'
import { deepFrozen, frozenValue } from './frozen-value.js'

const nested = (depth: number, wrap: (inner: unknown) => unknown): unknown =>
  Array.from({ length: depth }).reduce<unknown>(wrap, 1)

describe('a private copy of a rule value', () => {
  it.each<[string, (inner: unknown) => unknown]>([
    ['lists', (inner) => [inner]],
    ['objects', (inner) => ({ a: inner })],
    ['both', (inner) => ({ a: [0, inner] })],
  ])('ends at the bound of nesting, in %s', (kind, wrap) => {
    const levels = kind === 'both' ? MAX_VALUE_DEPTH / 2 : MAX_VALUE_DEPTH
    const deepest = nested(levels, wrap)
    expect(JSON.stringify(frozenValue(deepest))).toBe(JSON.stringify(deepest))
    expect(frozenValue(nested(levels + 1, wrap))).toBeUndefined()
    expect(frozenValue([0, nested(levels + 1, wrap)])).toBeUndefined()
    expect(frozenValue({ a: 0, b: nested(levels + 1, wrap) })).toBeUndefined()
  })

  it('is JSON, frozen at every level, and shares nothing', () => {
    const value = { a: [null, undefined, { b: new Date(0) }], c: undefined }
    const copy = frozenValue(value) as { a: readonly [null, null, { b: string }] }
    expect(JSON.stringify(copy)).toBe('{"a":[null,null,{"b":"1970-01-01T00:00:00.000Z"}]}')
    expect([copy, copy.a, copy.a[2]].every(Object.isFrozen)).toBe(true)
    expect(frozenValue(null)).toBeNull()
    expect(Object.isFrozen(value.a)).toBe(false)
  })

  it('can be frozen in place', () => {
    const value = { a: [{ b: null }], c: 'x' }
    expect(deepFrozen(value)).toBe(value)
    expect([value, value.a, value.a[0]].every(Object.isFrozen)).toBe(true)
    expect([deepFrozen(null), deepFrozen('x')]).toEqual([null, 'x'])
  })
})
