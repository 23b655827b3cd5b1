/** The edges of what the engine reads: days of a month, sizes at each width of UTF-8, values that JSON does not know. */
import { describe, expect, it } from 'vitest'
import { deepEqual } from './deep-equal.js'
import { parseInstant, parseNow } from './instant.js'
import { jsonBytes, utf8Length } from './json-bytes.js'
import { isDropped, isObject, isPolluted, memberCount, memberKeys, own, readValue, walksOwnKeys } from './own.js'
import { pathSensitivity, presentable, stepSensitivity } from './redact.js'
import { canonicalNumber, numberOf, numberOfText, textOf } from './scalar.js'

describe('an instant', () => {
  it('may be the last day of each month and no later one', () => {
    const lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    lengths.forEach((days, index) => {
      const month = String(index + 1).padStart(2, '0')
      expect(parseInstant(`2026-${month}-${days}T00:00:00Z`)).toBe(Date.UTC(2026, index, days))
      expect(parseInstant(`2026-${month}-${days + 1}T00:00:00Z`)).toBeNaN()
    })
  })

  it('knows leap years', () => {
    const leap = (year: string) => !Number.isNaN(parseInstant(`${year}-02-29T00:00:00Z`))
    expect(['2000', '2024', '0004', '1900', '2100', '2023', '2026'].map(leap)).toEqual([
      ...[true, true, true],
      ...[false, false, false, false],
    ])
  })

  it('may be the last millisecond of a day, at the greatest offset', () => {
    expect(parseInstant('2026-12-31T23:59:59.999Z')).toBe(Date.UTC(2026, 11, 31, 23, 59, 59, 999))
    expect(parseInstant('2026-01-02T00:00:00+23:59')).toBe(Date.UTC(2026, 0, 1, 0, 1))
    expect(parseInstant('2026-01-01T00:00:00-23:59')).toBe(Date.UTC(2026, 0, 1, 23, 59))
    expect(parseInstant('2026-01-01T01:00:00+0100')).toBe(Date.UTC(2026, 0, 1))
  })

  it('is cut to milliseconds, and read in either case', () => {
    expect(parseInstant('2026-01-01t00:00:00.9999z')).toBe(Date.UTC(2026, 0, 1, 0, 0, 0, 999))
    expect(parseInstant('2026-01-01T00:00:00,1Z')).toBe(Date.UTC(2026, 0, 1, 0, 0, 0, 100))
    expect(parseInstant('2026-01-01T00:00:00.1234567890Z')).toBeNaN()
  })

  it('is nothing that merely looks like one, before or behind it', () => {
    for (const text of ['x2026-01-01T00:00:00Z', '2026-01-01T00:00:00Zx', '2026-01-01T00:00:00.Z', '2026-01-01T00Z']) {
      expect(parseInstant(text)).toBeNaN()
    }
    for (const value of [{ getTime: () => 5 }, {}, [], () => 5, 5, null, undefined]) {
      expect(Object.is(parseInstant(value), Number.NaN)).toBe(true)
    }
  })

  it('of a context is a number as it stands', () => {
    expect(parseNow(5)).toBe(5)
    expect(parseNow('1970-01-01T00:00:01Z')).toBe(1_000)
    expect(parseNow(new Date(7))).toBe(7)
  })
})

describe('the size of JSON text', () => {
  const samples = ['', 'a', '\x7f', '\x80', '\u07ff', '\u0800', '\uffff', '\ud7ff', '\ue000', '😀', 'a😀b']

  it('is that of its UTF-8, at each width', () => {
    for (const text of samples) expect(utf8Length(text)).toBe(Buffer.byteLength(text))
    expect(utf8Length('\u{10000}\u{10ffff}')).toBe(8)
  })

  it('counts escapes and lone surrogates as they are written', () => {
    const controls = Array.from({ length: 33 }, (_, unit) => String.fromCharCode(unit))
    const surrogates = [
      '\ud800',
      '\udbff',
      '\udc00',
      '\udfff',
      '\ud800\ud800',
      '\udc00\ud800',
      '\ud800\ue000',
      '\ud800\uffff',
      '\ud800a',
      '\ud800\udc00',
    ]
    for (const text of [...samples, ...controls, ...surrogates, '"', '\\', '!', '#', '[', ']']) {
      expect(jsonBytes(text, 1_000)).toBe(Buffer.byteLength(JSON.stringify(text)))
    }
  })

  it('is not counted to the end once it is above what is asked', () => {
    expect(jsonBytes('é'.repeat(1_000), 10)).toBe(1_002)
    expect(jsonBytes('é'.repeat(8), 10)).toBeGreaterThan(10)
    expect(jsonBytes('é'.repeat(8), 18)).toBe(18)
  })
})

describe('values as JSON knows them', () => {
  it('are scalars as they stand, dates and big integers as text, and nothing else', () => {
    expect(['a', '', true, false, 0, -1.5].map(readValue)).toEqual(['a', '', true, false, 0, -1.5])
    const absent = [
      null,
      undefined,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      () => 1,
      Symbol('x'),
    ]
    for (const value of absent) expect(readValue(value)).toBeUndefined()
    expect(readValue(12n)).toBe('12')
    expect(readValue(new Date(0))).toBe('1970-01-01T00:00:00.000Z')
    expect(readValue(new Date(Number.NaN))).toBeUndefined()
  })

  it('are containers themselves, whatever their prototype', () => {
    class Own {}
    for (const value of [[], {}, Object.create(null), new Own(), new Map()]) expect(readValue(value)).toBe(value)
  })

  it('are dates by what they are, and not by what they call themselves', () => {
    const foreign = Object.setPrototypeOf(new Date(0), { [Symbol.toStringTag]: undefined })
    expect(readValue(foreign)).toBe('1970-01-01T00:00:00.000Z')
    expect(readValue(Object.create(Date.prototype))).toBeUndefined()
    class Pretender {
      get [Symbol.toStringTag]() {
        return 'Date'
      }
    }
    expect(readValue(new Pretender())).toBeUndefined()
  })

  it('are read from own members only', () => {
    expect(own({ a: 1 }, 'a')).toBe(1)
    expect(own({ a: undefined }, 'a')).toBeUndefined()
    expect(own(Object.create({ a: 1 }), 'a')).toBeUndefined()
    expect(own([7], 0)).toBe(7)
    expect([{}, Object.create(null), [], null, 'x', () => 1].map(isObject)).toEqual([
      true,
      true,
      false,
      false,
      false,
      false,
    ])
  })

  it('leave out the members that JSON drops, and keep null', () => {
    const odd = { a: 1, b: undefined, c: () => 1, d: Symbol('x'), e: null, f: Number.NaN }
    expect(memberKeys(odd)).toEqual(['a', 'e', 'f'])
    expect(memberKeys({ z: 1, a: 2 })).toEqual(['z', 'a'])
    expect(memberCount(odd)).toBe(3)
    expect([undefined, () => 1, Symbol('x'), null, 0, ''].map(isDropped)).toEqual([
      true,
      true,
      true,
      false,
      false,
      false,
    ])
  })

  it('are walked with `for in` only where that walks own keys', () => {
    expect([{}, Object.create(null), Object.create({}), [], new Map()].map(walksOwnKeys)).toEqual([
      ...[true, true],
      ...[false, false, false],
    ])
    expect(isPolluted()).toBe(false)
    Object.defineProperty(Object.prototype, 'polluted', { value: 1, enumerable: true, configurable: true })
    const seen = [isPolluted(), walksOwnKeys({}), memberCount(Object.create({ inherited: 1 }))]
    Reflect.deleteProperty(Object.prototype, 'polluted')
    expect(seen).toEqual([true, false, 0])
  })
})

describe('equality of values', () => {
  it.each<[unknown, unknown, boolean]>([
    [null, null, true],
    [null, undefined, true],
    [null, Number.NaN, true],
    [null, 0, false],
    [undefined, null, true],
    [undefined, 'a', false],
    [1, 1, true],
    [1, '1', false],
    ['1', 1, false],
    [true, true, true],
    [true, 1, false],
    [[], [], true],
    [[], {}, false],
    [{}, [], false],
    [[], null, false],
    [[1], 1, false],
    [[1, 2], [1, 2], true],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[1, 2], [1], false],
    [[null], [undefined], true],
    [[[1]], [[1]], true],
    [[[1]], [[2]], false],
    [{}, {}, true],
    [{}, null, false],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1, b: 2 }, { a: 1 }, false],
    [{ a: 1 }, { a: 1, b: undefined }, true],
    [{ a: null }, { a: null }, true],
    [{ a: null }, { a: undefined, b: 1 }, false],
    [{ a: null }, { b: 1 }, false],
    [{ a: { b: [1] } }, { a: { b: [1] } }, true],
    [{ a: { b: [1] } }, { a: { b: [2] } }, false],
    ['1970-01-01T00:00:00.000Z', new Date(0), true],
  ])('%j and %j', (expected, actual, equal) => {
    expect(deepEqual(expected as never, actual)).toBe(equal)
  })

  it('reads own members only', () => {
    expect(deepEqual({ a: 1 }, Object.create({ a: 1 }))).toBe(false)
    expect(deepEqual({ a: null }, Object.assign(Object.create({ a: 1 }), { b: 1 }))).toBe(false)
    expect(deepEqual(JSON.parse('{"__proto__": 1}'), JSON.parse('{"__proto__": 1}'))).toBe(true)
  })
})

describe('text and number of scalars', () => {
  it('has a text for each scalar and none for others', () => {
    expect(['a', '', 12, -0, 1e21, true, false].map(textOf)).toEqual(['a', '', '12', '0', '1e+21', 'true', 'false'])
    for (const value of [null, undefined, {}, [], 12n]) expect(textOf(value)).toBeUndefined()
  })

  it('has a number for finite numbers and decimal texts', () => {
    expect([7, -1.5, '7', ' -1.5 ', '1E3', '1e+3', '1e-3', '00012'].map(numberOf)).toEqual([
      7, -1.5, 7, -1.5, 1e3, 1e3, 1e-3, 12,
    ])
    for (const value of [Number.NaN, Number.NEGATIVE_INFINITY, true, null, '1e', '1e+', '+', '1.2.3', 'x1', '1 2']) {
      expect(numberOf(value)).toBeNaN()
    }
    expect(numberOfText('-1e999')).toBeNaN()
    expect(['.25', '1.', '12.50', '1e10', '2E-12'].map(numberOfText)).toEqual([0.25, 1, 12.5, 1e10, 2e-12])
    expect([canonicalNumber('-7'), canonicalNumber('1e+21'), canonicalNumber('0.5')]).toEqual([-7, 1e21, 0.5])
  })
})

describe('what is shown of a value', () => {
  it('of a sensitive key reaches through lists and ends at the next key', () => {
    expect(pathSensitivity(['token', '0', '1'])).toBe('strings')
    expect(pathSensitivity(['token', '0', 'name'])).toBe('none')
    expect(pathSensitivity(['token', '10', '207'])).toBe('strings')
    expect(['x1', '1x', '-1', ''].map((key) => pathSensitivity(['token', key]))).toEqual(Array(4).fill('none'))
    expect(pathSensitivity(['env', 'name', '0'])).toBe('all')
    expect([stepSensitivity('none', 'secrets'), stepSensitivity('strings', 'requiredSecrets')]).toEqual([
      'none',
      'none',
    ])
  })

  it('of -0 is 0, of absent is null, of others themselves', () => {
    for (const value of [0, -0]) expect(Object.is(presentable(value, 'none', true), 0)).toBe(true)
    expect([undefined, null, Number.NaN, true, 5].map((value) => presentable(value, 'none', true))).toEqual([
      ...[null, null, null, true, 5],
    ])
    expect(presentable([-0, undefined], 'strings', true)).toEqual([0, null])
    expect(Object.is((presentable([-0, 1], 'none', true) as number[])[0], 0)).toBe(true)
  })

  it('in a container is bounded at the byte', () => {
    const list = (bytes: number) => [1, 'x'.repeat(bytes - 6)]
    expect(JSON.stringify(list(1_024))).toHaveLength(1_024)
    expect(presentable(list(1_024), 'none', true)).toEqual(list(1_024))
    expect(presentable(list(1_025), 'none', true)).toEqual([1, '…'])
    const record = (bytes: number) => ({ a: 1, b: 'x'.repeat(bytes - 14) })
    expect(JSON.stringify(record(1_024))).toHaveLength(1_024)
    expect({ ...(presentable(record(1_024), 'none', true) as object) }).toEqual(record(1_024))
    expect({ ...(presentable(record(1_025), 'none', true) as object) }).toEqual({ a: 1, '…': true })
  })

  it('in nested containers counts their brackets, commas and keys', () => {
    const nested = (count: number) => Array.from({ length: count }, () => [{ a: true }, []])
    const bytes = (count: number) => JSON.stringify(nested(count)).length
    const most =
      Array.from({ length: 200 }, (_, count) => count)
        .filter((count) => bytes(count) <= 1_024)
        .at(-1) ?? 0
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
    expect(plain(presentable(nested(most), 'none', true))).toEqual(nested(most))
    expect(plain(presentable(nested(most + 1), 'none', true))).toEqual([...nested(most), '…'])
  })

  it('in a container counts the bytes of what it hides, as it is shown', () => {
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
    // {"env":"[REDACTED]","b":"…"} takes 27 bytes and the text.
    const record = (length: number) => ({ env: 'x'.repeat(5_000), b: 'y'.repeat(length) })
    expect(JSON.stringify({ env: '[REDACTED]', b: 'y'.repeat(997) })).toHaveLength(1_024)
    expect(plain(presentable(record(997), 'none', true))).toEqual({ env: '[REDACTED]', b: 'y'.repeat(997) })
    expect(plain(presentable(record(998), 'none', true))).toEqual({ env: '[REDACTED]', '…': true })
  })

  it('in a list of texts and others counts the commas', () => {
    const list = (count: number) => [...Array(count).fill(1), 'a']
    expect(JSON.stringify(list(509))).toHaveLength(1_023)
    expect(presentable(list(509), 'none', true)).toEqual(list(509))
    expect(presentable(list(510), 'none', true)).toEqual([...Array(510).fill(1), '…'])
  })

  it('in a container under a sensitive key hides texts, and under env all', () => {
    const plain = (value: unknown) => JSON.parse(JSON.stringify(value))
    expect(plain(presentable([['a', 1, { token: ['b', 2], name: 'c' }]], 'strings', true))).toEqual([
      ['[REDACTED]', 1, { token: ['[REDACTED]', 2], name: 'c' }],
    ])
    expect(plain(presentable({ env: [1], buildArgs: undefined, none: null }, 'none', true))).toEqual({
      env: '[REDACTED]',
      none: null,
    })
    expect(plain(presentable({ env: null }, 'none', true))).toEqual({ env: null })
    expect(plain(presentable({ list: [{ token: 'x' }] }, 'none', false))).toEqual({ list: [{ token: 'x' }] })
  })
})
