/** What is wrong with a value is told within bounds, however much is wrong. */
import { expect, it } from 'vitest'
import { problems } from './schema.js'

const ITEMS = 1000

it('tells a hundred mistakes, each once, and puts no more of them together', () => {
  let looks = 0
  const schema = {
    type: 'array',
    items: {
      anyOf: [
        { type: 'string' },
        {
          get type() {
            looks += 1
            return 'null'
          },
        },
      ],
    },
  }
  // Compiles it.
  problems(schema, [], '/body')
  looks = 0
  const found = problems(schema, Array(ITEMS).fill(7), '/body')
  expect(found).toHaveLength(100)
  expect(new Set(found.map(({ path }) => path)).size).toBe(100)
  expect(found[0]).toMatchObject({ path: '/body/0', message: 'must be string or null' })
  // The schema is looked at twice an item: for sizes, and for everything. Putting a mistake together looks twice more: done
  // for every item, pair by pair, that took hours of the event loop for a body of a few megabytes.
  expect(looks).toBeGreaterThan(ITEMS)
  expect(looks).toBeLessThan(2.5 * ITEMS)
})
