/** Generated requests make no operation fail: a share of the long run. */
import { expect, it } from 'vitest'
import { fuzz } from '../proof/fuzz/fuzz.js'
import { buildWorld } from '../proof/world/world.js'

const EACH = 20

it(`${EACH} requests to every operation are answered as declared`, { timeout: 240_000 }, async () => {
  const world = await buildWorld('sqlite')
  try {
    const { requests, operations, statuses, failures } = await fuzz(world, EACH, 20261121)
    expect(failures).toEqual([])
    expect(requests).toBe(operations * EACH)
    // Both what is allowed and what is malformed was among them.
    expect(statuses[200] ?? 0).toBeGreaterThan(requests / 10)
    expect(statuses[400] ?? 0).toBeGreaterThan(requests / 20)
  } finally {
    await world.close()
  }
})
