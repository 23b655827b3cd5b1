/** Lists find the rows of an organization along indexes that begin with it, whatever they are asked for, on each database. */
import { expect, it } from 'vitest'
import type { PlansReport } from '../../proof/isolation/plans.js'
import { plans } from '../../proof/isolation/plans.js'
import { postgresPlans } from '../../proof/isolation/plans-postgres.js'
import type { World } from '../../proof/world/model.js'

function expectGood({ lists, unreached, statements, failures }: PlansReport): void {
  expect(failures).toEqual([])
  // The world has no pipeline whose history could be listed, no source of deliveries, and no registry.
  const absent = /^(pipeline\.revision|reporting\.source-delivery|registry\.(image|tag))\.list:/
  expect(unreached.filter((each) => !absent.test(each))).toEqual([])
  expect(lists.length).toBeGreaterThan(30)
  expect(statements).toBeGreaterThan(lists.length)
}

/** It leaves the database as no other suite would find it: its planner believes that every table is large. */
export function listPlans(world: () => World): void {
  it('has no list that walks through the rows of everybody', async () => {
    expectGood(await (world().database.engine === 'sqlite' ? plans : postgresPlans)(world()))
  })
}
