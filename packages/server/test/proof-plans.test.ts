/** Lists find the rows of an organization along indexes that begin with it, whatever they are asked for, on each database. */
import { expect, it } from 'vitest'
import type { PlansReport } from '../proof/isolation/plans.js'
import { plans } from '../proof/isolation/plans.js'
import { postgresPlans } from '../proof/isolation/plans-postgres.js'
import { buildWorld } from '../proof/world/world.js'
import { postgresMissing } from './support/stores.js'

function expectGood({ lists, unreached, statements, failures }: PlansReport): void {
  expect(failures).toEqual([])
  // The world has no pipeline whose history could be listed, no source of deliveries, and no registry.
  const absent = /^(pipeline\.revision|reporting\.source-delivery|registry\.(image|tag))\.list:/
  expect(unreached.filter((each) => !absent.test(each))).toEqual([])
  expect(lists.length).toBeGreaterThan(30)
  expect(statements).toBeGreaterThan(lists.length)
}

it('no list walks through the rows of everybody', { timeout: 240_000 }, async () => {
  const world = await buildWorld('sqlite')
  try {
    expectGood(await plans(world))
  } finally {
    await world.close()
  }
})

const missing = await postgresMissing()
it.skipIf(missing !== null)('nor does it on PostgreSQL', { timeout: 480_000 }, async () => {
  const world = await buildWorld('postgres')
  try {
    expectGood(await postgresPlans(world))
  } finally {
    await world.close()
  }
})
