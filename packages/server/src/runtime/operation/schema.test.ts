/** What is said of wrong values: one issue a mistake, in words. */
import Type from 'typebox'
import { expect, it } from 'vitest'
import { nullable, problems, strictObject } from './schema.js'

const oneOf = (values: string[]) => Type.Unsafe<string>({ type: 'string', enum: values })

const TAGGED = Type.Union([
  strictObject({ how: Type.Literal('a'), password: Type.String() }),
  strictObject({ how: Type.Literal('b'), code: Type.String() }),
])

it.each([
  ['a number for a text or null', nullable(Type.String()), 7, ['/v must be string or null']],
  ['a choice or null', nullable(oneOf(['a', 'b'])), 'c', ['/v must be one of a, b']],
  ['a number for a choice or null', nullable(oneOf(['a', 'b'])), 7, ['/v must be string or null']],
  ['a bound', nullable(Type.Integer({ minimum: 1 })), 0, ['/v must be >= 1']],
  [
    'a field within',
    nullable(strictObject({ inner: nullable(Type.String()) })),
    { inner: 7 },
    ['/v/inner must be string or null'],
  ],
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
])('%s', (_, schema, value, expected) => {
  const issues = problems(strictObject({ v: schema }), { v: value }, '')
  expect(issues.map(({ path, message }) => `${path} ${message}`)).toEqual(expected)
})
