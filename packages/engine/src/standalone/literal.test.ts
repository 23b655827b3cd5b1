import { isDeepStrictEqual } from 'node:util'
import { runInThisContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HOSTILE_PIECES } from '../../test/support/hostile-pieces.js'
import type { JsonValue } from '../types.js'
import { literal } from './literal.js'

const hostileText = fc.array(fc.constantFrom(...HOSTILE_PIECES), { maxLength: 6 }).map((pieces) => pieces.join(''))

const json = fc.letrec<{ value: JsonValue; object: { [key: string]: JsonValue } }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostileText,
    fc.constantFrom<JsonValue>(null, true, false, 0, -0, 1.5, -1e21, 5e-324),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc.array(fc.tuple(hostileText, tie('value')), { maxLength: 3 }).map((entries) => {
    const object: { [key: string]: JsonValue } = {}
    for (const [key, value] of entries)
      Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true })
    return object
  }),
})).value

const evaluated = (source: string): unknown => runInThisContext(`(${source})`)

describe('the escaper', () => {
  it('gives back every value, from printable ASCII that ends nothing', () => {
    fc.assert(
      fc.property(json, (value) => {
        const source = literal(value)
        expect(source).toMatch(/^[ -~]*$/)
        expect(source).not.toMatch(/[`<>$&'\u2028]|\/\/|\/\*/)
        expect(isDeepStrictEqual(evaluated(source), value)).toBe(true)
      }),
      { numRuns: 10_000 },
    )
  })

  it('defines __proto__ as a plain key', () => {
    const value = JSON.parse('{"__proto__":{"polluted":true},"a":1}')
    const back = evaluated(literal(value)) as object
    expect(Object.getPrototypeOf(back)).toBe(Object.prototype)
    expect(Object.keys(back)).toEqual(['__proto__', 'a'])
  })

  it('keeps a null prototype', () => {
    const value = Object.assign(Object.create(null), { a: 1 })
    expect(Object.getPrototypeOf(evaluated(literal(value)))).toBeNull()
  })

  it('keeps the sign of zero', () => {
    expect(evaluated(literal(-0))).toBe(-0)
  })
})
