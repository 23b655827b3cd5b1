/** What holds of a whole installation, on each database: the suites share a world, for to build one takes ten seconds. */
import { afterAll, afterEach, beforeAll, describe } from 'vitest'
import type { World } from '../../proof/world/model.js'
import { buildWorld } from '../../proof/world/world.js'
import { postgresMissing } from '../support/stores.js'
import { exemptionsOfDeletedRecords } from './exemptions-of-deleted-records.js'
import { foundByName } from './found-by-name.js'
import { keysOfLists, listsByName } from './lists-by-name.js'
import { listPlans } from './plans.js'
import { whoseEvents } from './whose-events.js'

const missing = await postgresMissing()

describe.each([
  { engine: 'sqlite' as const, reason: null },
  { engine: 'postgres' as const, reason: missing },
])('a world on $engine', ({ engine, reason }) => {
  describe.skipIf(reason !== null)(reason ?? 'of twenty organizations', () => {
    let world: World
    beforeAll(async () => {
      world = await buildWorld(engine)
    })
    afterEach(() => world.reset())
    afterAll(() => world?.close())
    const given = () => world

    if (engine === 'sqlite') keysOfLists(given)
    foundByName(given)
    listsByName(given)
    whoseEvents(given)
    exemptionsOfDeletedRecords(given)
    listPlans(given)
  })
})
