/** An example of any schema of ours is valid, the same each time, and shows every field. */
import Type, { type TSchema } from 'typebox'
import { expect, it } from 'vitest'
import { exampleOf } from './example.js'
import { Instant, nullable, problems, strictObject, Uuid } from './schema.js'

const plain = (schema: TSchema) => JSON.parse(JSON.stringify(schema)) as Record<string, unknown>

it.each<[string, TSchema, unknown]>([
  ['nothing but null', Type.Null(), null],
  ['what may be null', nullable(Type.Integer({ minimum: 3 })), 3],
  ['one of some words', Type.Enum(['b', 'a']), 'b'],
  ['a number with bounds', Type.Number({ minimum: 2, maximum: 1.5 + 1 }), 2],
  ['a short text', Type.String({ maxLength: 2 }), 'te'],
  ['a long text', Type.String({ minLength: 6 }), 'textxx'],
  ['an instant', Instant, '2026-01-15T09:30:00.000Z'],
  ['several entries', Type.Array(Type.Boolean(), { minItems: 2 }), [true, true]],
  ['a map', Type.Record(Type.String(), Type.Integer()), { example: 1 }],
  ['anything', Type.Unknown(), {}],
  [
    'a field of a known name',
    strictObject({ username: Type.String(), total: Type.Integer() }),
    { username: 'ann', total: 42 },
  ],
  ['a known name whose words are given', strictObject({ tier: Type.Enum(['pro', 'gold']) }), { tier: 'pro' }],
  [
    'another field',
    strictObject({ secretHint: Type.String(), isSystem: Type.Optional(Type.Boolean()) }),
    { secretHint: '<secretHint>', isSystem: false },
  ],
])('shows %s', (_, schema, example) => {
  expect(exampleOf(plain(schema))).toEqual(example)
  expect(problems(schema, example, '')).toEqual([])
})

it('shows a UUID where one is wanted', () => {
  expect(problems(Uuid, exampleOf(plain(Uuid)), '')).toEqual([])
})
