/** Goal: a poll shows every event since the one before, however many there are and whatever is written meanwhile. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { allPages } from './all-pages.js'

it('has each record once, in order, also when more are written between two pages', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.nat(60),
      fc.array(fc.nat(3), { maxLength: 10 }),
      fc.integer({ min: 4, max: 9 }),
      async (count, later, size) => {
        const log = Array.from({ length: count }, (_, n) => ({ id: String(n) }))
        const writes = [...later]
        const found = await allPages(async (offset) => {
          const page = log
            .toReversed()
            .slice(offset, offset + size)
            .toReversed()
          for (let n = writes.shift() ?? 0; n > 0; n--) log.push({ id: String(log.length) })
          return page
        }, size)
        const ids = found.map(({ id }) => Number(id))
        // What is written after the first page comes with the next poll.
        expect(ids).toEqual(Array.from({ length: count }, (_, n) => n))
      },
    ),
  )
})
