import canonicalize from 'canonicalize'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalise } from './jcs.js'
import { normalise } from './normalise.js'

const reference = canonicalize as unknown as (value: unknown) => string

describe('normalisation', () => {
  it.each<[string, unknown, unknown]>([
    ['keeps JSON', { a: [1, 'x', true, null] }, { a: [1, 'x', true, null] }],
    ['writes no negative zero', -0, 0],
    ['has no value for what is not finite', [Number.NaN, Number.POSITIVE_INFINITY], [null, null]],
    ['writes a bigint as decimal text', 10n ** 20n, '100000000000000000000'],
    ['drops members without a value', { a: undefined, b: () => 1, c: Symbol('s'), d: 1 }, { d: 1 }],
    ['keeps the place of items without a value', [undefined, () => 1, Symbol('s'), 1], [null, null, null, 1]],
    ['fills holes', Array(3), [null, null, null]],
    ['writes a date in ISO 8601', new Date(Date.UTC(2026, 0, 31)), '2026-01-31T00:00:00.000Z'],
    ['has no value for an invalid date', new Date(Number.NaN), null],
    ['replaces lone surrogates', 'a\ud800b', 'a\ufffdb'],
    ['keeps pairs', '\ud83d\ude00', '\ud83d\ude00'],
    ['names binary data', [new Uint8Array(3), new ArrayBuffer(5)], ['[BINARY 3]', '[BINARY 5]']],
    ['names other objects', [new Map(), new Set(), new Error('x'), Object('s'), /x/], Array(5).fill('[OBJECT]')],
    ['reads objects without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['takes the last of keys that become equal', { '\ud800': 1, '\udfff': 2 }, { '\ufffd': 2 }],
  ])('%s', (_what, value, expected) => {
    expect(normalise(value)).toEqual(expected)
  })

  it('never calls toJSON, nor an overridden method of a date', () => {
    class Carrier {
      toJSON(): never {
        throw new Error('must not be called')
      }
    }
    const date = new Date(0)
    date.toISOString = () => 'forged'
    expect(normalise([new Carrier(), date])).toEqual(['[OBJECT]', '1970-01-01T00:00:00.000Z'])
  })

  it('survives whatever throws', () => {
    const thrower = {
      get a(): never {
        throw new Error('getter')
      },
      b: 1,
    }
    const hostile = new Proxy(
      {},
      {
        ownKeys: () => {
          throw new Error('trap')
        },
      },
    )
    const { proxy, revoke } = Proxy.revocable({}, {})
    revoke()
    expect(normalise([thrower, hostile, proxy])).toEqual([{ a: '[UNREADABLE]', b: 1 }, '[UNREADABLE]', '[UNREADABLE]'])
  })

  it('names an ancestor met again, but reads a value met twice', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    const shared = { x: 1 }
    expect(normalise([cyclic, shared, shared])).toEqual([{ self: '[CIRCULAR]' }, { x: 1 }, { x: 1 }])
  })

  it('cuts below depth 64 and survives any depth', () => {
    let deep: unknown = 'end'
    for (let level = 0; level < 100_000; level++) deep = [deep]
    const text = canonicalise(deep)
    expect(text).toBe(`${'['.repeat(64)}"[TRUNCATED]"${']'.repeat(64)}`)
  })

  it('survives a sparse array of four billion holes and an exponentially shared structure', () => {
    expect(canonicalise(new Array(2 ** 32 - 1)).length).toBeLessThan(2 ** 27)
    let shared: unknown = 'x'
    for (let level = 0; level < 60; level++) shared = [shared, shared]
    expect(canonicalise(shared).length).toBeLessThan(2 ** 29)
  })

  it('treats __proto__ as a key like any other', () => {
    const value = JSON.parse('{"__proto__":{"polluted":1},"a":2}')
    expect(canonicalise(value)).toBe('{"__proto__":{"polluted":1},"a":2}')
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it('changes nothing the second time', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withTypedArray: true, withMap: true }), (value) => {
        const once = normalise(value)
        expect(normalise(once)).toEqual(once)
        expect(JSON.parse(canonicalise(value))).toEqual(once)
      }),
      { numRuns: 800 },
    )
  })
})

describe('canonical text', () => {
  it('agrees with another implementation of RFC 8785 on any JSON value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary', maxDepth: 6 }), (value) => {
        expect(canonicalise(value)).toBe(reference(value))
      }),
      { numRuns: 1500 },
    )
  })

  it('is a function of the value, not of the order of its keys', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.integer()), (object) => {
        const reversed = Object.fromEntries(Object.entries(object).reverse())
        expect(canonicalise(reversed)).toBe(canonicalise(object))
      }),
    )
  })
})
