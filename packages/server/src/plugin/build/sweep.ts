/** Reclaims the builds of builders that are gone, and deletes builds that ended long ago. */
import { and, inArray, lt } from 'drizzle-orm'
import Type from 'typebox'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { pluginTables } from '../tables.js'
import { removeDead } from './dead-letters.js'
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
      const { buildJobs: t, buildLogs, builders } = pluginTables(tx)
      const isOver = and(inArray(t.state, ['completed', 'cancelled']), lt(t.finishedAtMs, nowMs - KEPT_MS))
      await tx.delete(buildLogs).where(inArray(buildLogs.jobId, tx.select({ id: t.id }).from(t).where(isOver)))
      await tx.delete(t).where(isOver)
      await removeDead(tx, lt(t.failedAtMs, nowMs - KEPT_MS))
      await tx.delete(builders).where(lt(builders.seenAtMs, nowMs - KEPT_MS))
    })
  },
})

export const sweepBuildsSchedule = defineSchedule({
  name: 'plugin.sweep-builds',
  kind: 'plugin.sweep-builds',
  everyMs: 60_000,
  payload: {},
})
