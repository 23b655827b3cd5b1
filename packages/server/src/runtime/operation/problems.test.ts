/** What is wrong with a value is told within bounds, however much is wrong. */
import Type from 'typebox'
import { expect, it } from 'vitest'
import { nullable, problems, strictObject } from './schema.js'

const Items = strictObject({
  items: Type.Array(strictObject({ name: nullable(Type.String({ minLength: 3, pattern: '^b' })) })),
})

it('tells a hundred of tens of thousands of mistakes, each once', () => {
  // Put together pair by pair these took hours of the event loop.
  const found = problems(Items, { items: Array.from({ length: 50_000 }, () => ({ name: 7 })) }, '/body')
  expect(found).toHaveLength(100)
  expect(new Set(found.map(({ path }) => path)).size).toBe(100)
  expect(found[0]).toMatchObject({ path: '/body/items/0/name', message: 'must be string or null' })
})
