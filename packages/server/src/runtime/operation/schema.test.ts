/** What is said of wrong values: one issue a mistake, in words. */
import Type, { type TSchema } from 'typebox'
import { describe, expect, it } from 'vitest'
import { Begin, End } from './period.js'
import { Instant, nullable, problems, strictObject } from './schema.js'

const oneOf = (values: string[]) => Type.Unsafe<string>({ type: 'string', enum: values })

const TAGGED = Type.Union([
  strictObject({ how: Type.Literal('a'), password: Type.String() }),
  strictObject({ how: Type.Literal('b'), code: Type.String() }),
])

it.each([
  ['a number for a text or null', nullable(Type.String()), 7, ['/v must be string or null']],
  ['a choice or null', nullable(oneOf(['a', 'b'])), 'c', ['/v must be one of a, b']],
  ['a near choice', oneOf(['pro', 'team']), 'tean', ['/v must be one of pro, team; did you mean team']],
  ['a choice that is near none', oneOf(['pro', 'team']), 'gold', ['/v must be one of pro, team']],
  ['a number for a choice or null', nullable(oneOf(['a', 'b'])), 7, ['/v must be string or null']],
  ['a bound', nullable(Type.Integer({ minimum: 1 })), 0, ['/v must be >= 1']],
  [
    'a field within',
    nullable(strictObject({ inner: nullable(Type.String()) })),
    { inner: 7 },
    ['/v/inner must be string or null'],
  ],
  [
    'a field that is near one',
    strictObject({ field: Type.Optional(Type.String()) }),
    { feild: 'x' },
    ['/v/feild is not a known field; did you mean field'],
  ],
  ['a field that is near none', strictObject({}), { feild: 'x' }, ['/v/feild is not a known field']],
  ['several forms', Type.Union([Type.String(), Type.Boolean()]), 7, ['/v must be string, or boolean']],
  [
    'several forms or null',
    Type.Union([Type.String(), Type.Number(), Type.Null()]),
    true,
    ['/v must be string, or number, or null'],
  ],
  [
    'a pattern with words',
    Type.String({ pattern: '^[0-9]+$', 'x-says': 'must be digits' }),
    'a',
    ['/v must be digits'],
  ],
  ['the form that is meant', TAGGED, { how: 'b' }, ['/v/code is required']],
  ['no form', TAGGED, { how: 'c' }, ['/v/how must be one of a, b']],
  ['a form that is not said', TAGGED, { code: 1 }, ['/v/how is required']],
  ['none of the forms', TAGGED, 7, ['/v must be object']],
  [
    'a key of a map',
    Type.Unsafe<object>({
      type: 'object',
      patternProperties: { '^[a-z]+$': {} },
      additionalProperties: false,
      'x-says': 'must be a key of small letters',
    }),
    { A: 1 },
    ['/v/A must be a key of small letters'],
  ],
  [
    'the one value with words',
    Type.Unsafe<false>({ type: 'boolean', const: false, 'x-says': 'is set one by one' }),
    true,
    ['/v is set one by one'],
  ],
  ['nothing', nullable(Type.String()), null, []],
  [
    'an instant that clocks do not tell',
    Instant,
    '2016-12-31T23:59:60Z',
    ['/v must be an instant such as 2026-11-23T09:00:00Z'],
  ],
  [
    'a day that is none',
    Begin,
    '2026-02-30',
    ['/v must be an instant such as 2026-11-01T09:30:00Z, or a day such as 2026-11-01'],
  ],
  ['a day', Begin, '2024-02-29', []],
  ['an instant', End, '2026-11-01T09:30:00+02:00', []],
])('%s', (_, schema, value, expected) => {
  const issues = problems(strictObject({ v: schema }), { v: value }, '')
  expect(issues.map(({ path, message }) => `${path} ${message}`)).toEqual(expected)
})

it.each([
  [Type.Array(Type.Integer(), { minItems: 1 }), [], 'must have at least 1 item'],
  [Type.Array(Type.Integer(), { minItems: 2 }), [1], 'must have at least 2 items'],
  [
    Type.Array(Type.Integer(), { uniqueItems: true }),
    [4, 2, 4],
    'must not repeat an item: those at 0 and 2 are the same',
  ],
  [Type.String({ minLength: 1 }), '', 'must have at least 1 character'],
  [Type.Object({}, { minProperties: 1 }), {}, 'must have at least 1 field'],
])('a count is told as a person would: %#', (schema, value, message) => {
  expect(problems(strictObject({ v: schema }), { v: value }, '')).toMatchObject([{ path: '/v', message }])
})

describe('sizes come first', () => {
  const tooMany = { path: '/v', message: 'must have at most 2 items', code: 'maxItems' }
  const tooLong = { path: '/v', message: 'must have at most 3 characters', code: 'maxLength' }
  const texts = Type.Array(Type.String({ pattern: '^[0-9]$' }), { maxItems: 2, uniqueItems: true })
  const digits = Type.String({ maxLength: 3, pattern: '^[0-9]+$' })
  const told = (schema: TSchema, value: unknown) => problems(strictObject({ v: schema }), { v: value }, '')

  it('a text that is too long meets no pattern and no format', () => {
    expect(told(digits, 'aaaa')).toEqual([tooLong])
    expect(told(Type.String({ maxLength: 3, format: 'email' }), 'aaaa')).toEqual([tooLong])
    expect(told(digits, 'a')).toMatchObject([{ code: 'pattern' }])
  })

  it('a list that is too long is not looked into', () => {
    expect(told(texts, ['a', 'a', 7])).toEqual([tooMany])
    expect(told(texts, ['1', '1'])).toMatchObject([{ code: 'uniqueItems' }])
  })

  it('of a body with thousands of values its first mistake is told', () => {
    const wrong = (count: number) => told(Type.Array(Type.Integer()), Array(count).fill('a'))
    expect(wrong(5001)).toEqual([{ path: '/v/0', message: 'must be integer', code: 'type' }])
    expect(wrong(50)).toHaveLength(50)
    const inner = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`k${n}`, Array(80).fill('a')]))
    expect(told(Type.Record(Type.String(), Type.Array(Type.Integer())), inner)).toHaveLength(1)
    // Of a form that a list is not, and one that it is too long for.
    expect(told(Type.Union([strictObject({ one: Type.String() }), texts]), Array(6000).fill('a'))).toEqual([
      { ...tooMany, path: '/v' },
    ])
  })

  it('an object with far too many fields is not told each of them', () => {
    const fields = Object.fromEntries(Array.from({ length: 102 }, (_, n) => [`f${n}`, n]))
    const { f101: _, ...fewer } = fields
    const one = strictObject({ known: Type.Optional(Type.String()) })
    expect(told(one, fields)).toEqual([{ path: '/v', message: 'must have at most 101 fields', code: 'maxProperties' }])
    expect(told(one, fewer)).toHaveLength(100)
    const map = Type.Unsafe<object>({ type: 'object', maxProperties: 2, propertyNames: { pattern: '^x' } })
    expect(told(map, fewer)).toMatchObject([{ path: '/v', code: 'maxProperties' }])
  })

  it('wherever it is: in lists, maps, and the form that is meant', () => {
    expect(told(Type.Array(digits), ['1', 'aaaa'])).toEqual([{ ...tooLong, path: '/v/1' }])
    expect(told(nullable(digits), 'aaaa')).toEqual([tooLong])
    expect(told(Type.Unsafe({ type: 'object', additionalProperties: digits }), { 'a/b': 'aaaa' })).toEqual([
      { ...tooLong, path: '/v/a~1b' },
    ])
    const forms = Type.Union([
      strictObject({ how: Type.Literal('a'), text: digits }),
      strictObject({ how: Type.Literal('b'), text: Type.String() }),
    ])
    expect(told(forms, { how: 'a', text: 'aaaa' })).toEqual([{ ...tooLong, path: '/v/text' }])
    expect(told(forms, { how: 'b', text: 'aaaa' })).toEqual([])
  })

  it('a character is one, however many units it has', () => {
    expect(told(Type.String({ maxLength: 3 }), '\u{1f600}'.repeat(3))).toEqual([])
    expect(told(digits, '\u{1f600}'.repeat(3))).toMatchObject([{ code: 'pattern' }])
    expect(told(digits, '\u{1f600}'.repeat(4))).toEqual([tooLong])
  })

  it('sizes that are right hide nothing', () => {
    expect(
      problems(strictObject({ a: digits, b: Type.Integer() }), { a: 'x', b: 'y' }, '').map(({ path }) => path),
    ).toEqual(['/a', '/b'])
  })
})
