import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mergePatch } from './merge-patch.js'

describe('mergePatch', () => {
  // The test cases of RFC 7396, appendix A.
  it.each([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [
      ['a', 'b'],
      ['c', 'd'],
      ['c', 'd'],
    ],
    [{ a: 'b' }, ['c'], ['c']],
    [{ a: 'foo' }, null, null],
    [{ a: 'foo' }, 'bar', 'bar'],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [[1, 2], { a: 'b', c: null }, { a: 'b' }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('merges %j with %j to %j', (base, patch, merged) => {
    expect(mergePatch(base, patch)).toEqual(merged)
  })

  it('alters neither argument, and `__proto__` is an ordinary key', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (base, patch) => {
        const before = JSON.stringify([base, patch])
        mergePatch(base, patch)
        expect(JSON.stringify([base, patch])).toBe(before)
      }),
    )
    const merged = mergePatch({}, JSON.parse('{"__proto__":{"polluted":true}}')) as { polluted?: boolean }
    expect(Object.keys(merged)).toEqual(['__proto__'])
    expect(merged.polluted).toBeUndefined()
  })
})
