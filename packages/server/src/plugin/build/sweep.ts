/** Takes back builds of builders that went away, and forgets what is long over. */
import { and, eq, inArray, lt, or } from 'drizzle-orm'
import Type from 'typebox'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { pluginTables } from '../tables.js'
import { createBuildQueue } from './queue.js'

const KEPT_MS = 30 * 86_400_000

export const sweepBuildsJob = defineJob({
  kind: 'plugin.sweep-builds',
  payload: Type.Object({}),
  audit: none('a build that fails for good writes its own event'),
  concurrency: 1,
  async run(context) {
    await createBuildQueue(context.runtime).reclaim()
    await context.finish(async ({ tx, nowMs }) => {
      const { buildJobs: t } = pluginTables(tx)
      const isOver = or(
        and(inArray(t.state, ['completed', 'cancelled']), lt(t.finishedAtMs, nowMs - KEPT_MS)),
        and(eq(t.state, 'dead'), lt(t.failedAtMs, nowMs - KEPT_MS)),
      )
      await tx.delete(t).where(isOver)
    })
  },
})

export const sweepBuildsSchedule = defineSchedule({
  name: 'plugin.sweep-builds',
  kind: 'plugin.sweep-builds',
  everyMs: 60_000,
  payload: {},
})
