/** No byte of one organization reaches another, whatever is asked: a share of the long run. */
import { describe, expect, it } from 'vitest'
import { isolation } from '../proof/isolation/isolation.js'
import type { Engine } from '../proof/world/database.js'
import { buildWorld } from '../proof/world/world.js'

describe.each([
  { engine: 'sqlite', requests: 2000 },
  { engine: 'pglite', requests: 500 },
] as const)('isolation on $engine', ({ engine, requests }) => {
  it(`${requests} requests of every kind of caller show nothing foreign`, { timeout: 240_000 }, async () => {
    const world = await buildWorld(engine as Engine)
    try {
      const { requests: sent, succeeded, mails, failures } = await isolation(world, { requests, seed: 20261121 })
      expect(failures).toEqual([])
      expect(sent).toBe(requests)
      // A run that is refused throughout would prove nothing.
      expect(succeeded).toBeGreaterThan(requests / 10)
      expect(mails).toBeGreaterThan(0)
    } finally {
      await world.close()
    }
  })
})
