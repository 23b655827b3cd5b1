import { describe, expect, it } from 'vitest'
import type { Attributes } from '../types.js'
import { checkAttributes } from './check-attributes.js'

const nested = (depth: number): Attributes => {
  let value: unknown = 1
  for (let level = 1; level < depth; level++) value = level % 2 === 0 ? [value] : { inner: value }
  return { root: value }
}
const keyed = (count: number): Attributes => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]))

describe('checkAttributes', () => {
  it('allows 100 keys of the root and no more', () => {
    expect(checkAttributes(keyed(100))).toBeNull()
    expect(checkAttributes(keyed(101))).toEqual({ limit: 'keys', max: 100, actual: 101 })
    expect(checkAttributes({ a: keyed(101) })).toBeNull()
  })

  it('allows 10 path segments and no more, scalars and list indexes counted', () => {
    expect(checkAttributes(nested(10))).toBeNull()
    expect(checkAttributes(nested(11))).toEqual({ limit: 'depth', max: 10, actual: 11 })
    expect(checkAttributes({ a: nested(9) })).toBeNull()
    expect(checkAttributes({ a: nested(10) })).toMatchObject({ limit: 'depth' })
  })

  it('allows 20,000 values and no more', () => {
    expect(checkAttributes({ a: new Array(19_999).fill(null) })).toBeNull()
    expect(checkAttributes({ a: new Array(20_000).fill(null) })).toEqual({
      limit: 'nodes',
      max: 20_000,
      actual: 20_001,
    })
  })

  it('takes other limits', () => {
    expect(checkAttributes(keyed(3), { keys: 2 })).toEqual({ limit: 'keys', max: 2, actual: 3 })
    expect(checkAttributes(nested(3), { depth: 2 })).toEqual({ limit: 'depth', max: 2, actual: 3 })
    expect(checkAttributes({ a: [1, 2] }, { nodes: 2 })).toEqual({ limit: 'nodes', max: 2, actual: 3 })
  })

  it('counts what JSON keeps', () => {
    const odd = { a: undefined, b: () => 1, c: Symbol('x'), d: new Date(0), e: null }
    expect(checkAttributes(odd, { nodes: 2 })).toBeNull()
    expect(checkAttributes(odd, { nodes: 1 })).toMatchObject({ limit: 'nodes' })
  })

  it('counts every element of a list: what JSON cannot write there, it writes as null', () => {
    const list = { a: [undefined, () => 1, Symbol('x')] }
    expect(checkAttributes(list, { nodes: 4 })).toBeNull()
    expect(checkAttributes(list, { nodes: 3 })).toEqual({ limit: 'nodes', max: 3, actual: 4 })
  })

  it('refuses attributes that are not an object', () => {
    for (const attributes of [null, [], 'x', undefined]) {
      const check = () => checkAttributes(attributes as unknown as Attributes)
      expect(check).toThrow(new TypeError('attributes must be an object'))
    }
  })

  it('stops early on deep, cyclic and huge values', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const start = performance.now()
    expect(checkAttributes(cyclic)).toMatchObject({ limit: 'depth' })
    expect(checkAttributes(nested(200_000))).toMatchObject({ limit: 'depth' })
    expect(checkAttributes({ a: new Array(5_000_000) })).toMatchObject({ limit: 'nodes' })
    expect(performance.now() - start).toBeLessThan(25_000)
  })
})
