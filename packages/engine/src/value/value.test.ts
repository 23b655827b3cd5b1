import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseInstant, parseNow } from './instant.js'
import { jsonBytes, utf8Length } from './json-bytes.js'
import { memberCount } from './own.js'
import { pathSensitivity, presentable, REDACTED } from './redact.js'
import { canonicalNumber, numberOf, numberOfText } from './scalar.js'

describe('instants', () => {
  it.each<[string, string]>([
    ['2026-01-31T00:00:00Z', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T00:00Z', '2026-01-31T00:00:00.000Z'],
    ['2026-01-31T10:30:15.123456+02:00', '2026-01-31T08:30:15.123Z'],
    ['2026-01-31T10:30:15,5-0530', '2026-01-31T16:00:15.500Z'],
    ['2024-02-29T00:00:00+00', '2024-02-29T00:00:00.000Z'],
    ['0050-01-01T00:00:00Z', '0050-01-01T00:00:00.000Z'],
  ])('%s', (text, expected) => {
    expect(new Date(parseInstant(text)).toISOString()).toBe(expected)
  })

  it.each([
    '2026-01-31',
    '2026-01-31T00:00:00',
    '2026-02-30T00:00:00Z',
    '2023-02-29T00:00:00Z',
    '1900-02-29T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-01-01T24:00:00Z',
    '2026-01-01T00:60:00Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+00:60',
    ' 2026-01-01T00:00:00Z',
    'tomorrow',
    '',
    5,
    {},
    null,
    undefined,
    new Date(Number.NaN),
  ])('%j is not an instant', (value) => {
    expect(parseInstant(value)).toBeNaN()
  })

  it('reads what Date writes, and epoch milliseconds as now', () => {
    fc.assert(
      fc.property(fc.date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31') }), (date) => {
        expect(parseInstant(date.toISOString())).toBe(date.getTime())
        expect(parseInstant(date)).toBe(date.getTime())
        expect(parseNow(date.getTime())).toBe(date.getTime())
      }),
    )
    expect(parseNow(undefined)).toBeNaN()
  })
})

describe('numbers of text', () => {
  it.each<[string, number]>([
    ['12', 12],
    ['-1.5', -1.5],
    ['+3', 3],
    ['.5', 0.5],
    ['5.', 5],
    ['1e3', 1000],
    [' 7\n', 7],
  ])('%j', (text, number) => {
    expect(numberOfText(text)).toBe(number)
  })

  it.each(['', ' ', '.', '0x10', '1_000', '1,5', 'Infinity', 'NaN', '1e999', '12abc', '--1', 'e3'])(
    '%j has none',
    (text) => {
      expect(numberOfText(text)).toBeNaN()
    },
  )

  it('reads long digits in linear time', () => {
    const start = performance.now()
    expect(numberOfText(`${'1'.repeat(1_000_000)}x`)).toBeNaN()
    expect(performance.now() - start).toBeLessThan(25_000)
  })

  it('only canonical texts stand for a number', () => {
    expect(canonicalNumber('12')).toBe(12)
    for (const text of ['12.0', '012', ' 12', '', '-0', 'Infinity']) expect(canonicalNumber(text)).toBeNaN()
    expect(numberOf(true)).toBeNaN()
    expect(numberOf(Number.POSITIVE_INFINITY)).toBeNaN()
  })
})

describe('the number of members', () => {
  it('is that of the own members that JSON keeps, whatever the prototype', () => {
    class Inheriting {
      own = 1
      left: unknown
    }
    for (const value of [
      { own: 1, left: undefined, run: () => 1 },
      Object.assign(Object.create({ inherited: 1 }), { own: 1 }),
      Object.assign(Object.create(null), { own: null }),
      new Inheriting(),
    ]) {
      expect(memberCount(value)).toBe(1)
    }
  })

  it('does not grow with members of a polluted prototype', () => {
    Object.defineProperty(Object.prototype, 'polluted', { value: 1, enumerable: true, configurable: true })
    const count = memberCount({ own: 1 })
    Reflect.deleteProperty(Object.prototype, 'polluted')
    expect(count).toBe(1)
  })
})

describe('sizes of JSON text', () => {
  it('are those of the encoded text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme' }),
      fc.string({ unit: fc.constantFrom('\ud800', '\udc00', '"', '\\', '\u0001', '\n', 'a', 'é', '漢') }),
    )
    fc.assert(
      fc.property(text, (value) => {
        const json = JSON.stringify(value)
        expect(jsonBytes(value, Number.POSITIVE_INFINITY)).toBe(Buffer.byteLength(json))
        expect(utf8Length(json)).toBe(Buffer.byteLength(json))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('what a result shows of a value', () => {
  const show = (value: unknown, segments: readonly string[] = ['field'], redact = true) =>
    presentable(value, pathSensitivity(segments), redact)
  const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

  it('hides whatever is reached through env and buildArgs', () => {
    for (const path of [['env'], ['env', 'HOME'], ['buildArgs', 'x', 'y'], ['stages', '0', 'env', 'A']]) {
      expect(show('value', path)).toBe(REDACTED)
      expect(show(42, path)).toBe(REDACTED)
      expect(show({ a: 1 }, path)).toBe(REDACTED)
    }
    expect(plain(show({ step: { env: { A: '1' }, name: 'x' }, buildArgs: ['y'] }))).toEqual({
      step: { env: REDACTED, name: 'x' },
      buildArgs: REDACTED,
    })
    expect(show(undefined, ['env'])).toBeNull()
    expect(show('value', ['environment'])).toBe('value')
  })

  it('hides texts whose nearest key is sensitive by name, and only texts', () => {
    for (const key of [
      'apiToken',
      'CLIENT_SECRET',
      'password',
      'passPhrase',
      'credentials',
      'myApiKey',
      'accessKeyId',
      'privateKey',
    ]) {
      expect(show('x', [key])).toBe(REDACTED)
      expect(show('x', [key, '0'])).toBe(REDACTED)
      expect(show(7, [key])).toBe(7)
      expect(plain(show({ [key]: 'x', other: 'y' }))).toEqual({ [key]: REDACTED, other: 'y' })
      expect(plain(show({ [key]: ['x', 1] }))).toEqual({ [key]: [REDACTED, 1] })
      expect(plain(show({ [key]: { user: 'x' } }))).toEqual({ [key]: { user: 'x' } })
    }
    expect(show('x', ['password', 'hint'])).toBe('x')
    expect(plain(show(['a'], ['tokens']))).toEqual([REDACTED])
  })

  it('shows declarations of secrets', () => {
    expect(plain(show([{ name: 'A_TOKEN', required: true }], ['secrets']))).toEqual([
      { name: 'A_TOKEN', required: true },
    ])
    expect(show('x', ['secrets', '0'])).toBe('x')
    expect(show('x', ['requiredSecrets'])).toBe('x')
    expect(show('x', ['Secrets'])).toBe(REDACTED)
  })

  it('hides nothing when redaction is off', () => {
    expect(show('x', ['env', 'A'], false)).toBe('x')
    expect(plain(show({ password: 'x', env: { a: 1 } }, ['f'], false))).toEqual({ password: 'x', env: { a: 1 } })
  })

  it('cuts texts at 1,024 units', () => {
    expect(show('a'.repeat(1_024))).toBe('a'.repeat(1_024))
    expect(show('a'.repeat(1_025))).toBe(`${'a'.repeat(1_024)}…`)
  })

  it('keeps the first entries of a container within 1,024 bytes', () => {
    const fits = Array.from({ length: 511 }, () => 1)
    expect(show(fits)).toEqual(fits)
    expect(Buffer.byteLength(JSON.stringify(fits))).toBe(1_023)
    const over = Array.from({ length: 600 }, () => 1)
    expect(show(over)).toEqual([...Array.from({ length: 511 }, () => 1), '…'])
    expect(plain(show({ a: 1, b: 'x'.repeat(2_000), c: 2 }))).toEqual({ a: 1, '…': true })
    expect(show([{ deep: ['x'.repeat(1_100)] }, 1])).toEqual(['…'])
  })

  it('counts escapes when it decides whether a list of texts fits', () => {
    const control = String.fromCharCode(1).repeat(10)
    const fits = Array.from({ length: 16 }, () => control)
    expect(show(fits)).toEqual(fits)
    expect(show([...fits, control])).toEqual([...fits, '…'])
    const plainest = Array.from({ length: 78 }, () => 'a'.repeat(10))
    expect(show(plainest)).toEqual(plainest)
    expect(show([...plainest, 'a'.repeat(10)])).toEqual([...plainest, '…'])
    expect(show(['x'], ['token'])).toEqual([REDACTED])
  })

  it('bounds cyclic, deep and huge values', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.self = cyclic
    expect(plain(show(cyclic))).toEqual({ '…': true })
    expect(show(new Array(5_000_000).fill('abc'))).toHaveLength(Math.floor((1_024 - 2 + 1) / 6) + 1)
  })

  it('copies: no container of the result is one of the value', () => {
    const value = { a: [1, { b: 2 }] }
    const shown = show(value) as unknown as typeof value
    value.a.push(3)
    expect(plain(shown)).toEqual({ a: [1, { b: 2 }] })
    expect(Object.getPrototypeOf(shown)).toBeNull()
  })

  it('is JSON text of at most 1,024 bytes before the ellipsis', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), fc.integer({ min: 0, max: 200 }), (value, copies) => {
        const shown = show({ list: Array.from({ length: copies }, () => value), tail: value })
        const kept = { ...(plain(shown) as object) } as Record<string, unknown>
        delete kept['…']
        expect(Buffer.byteLength(JSON.stringify(kept))).toBeLessThanOrEqual(1_024)
      }),
    )
  })
})
