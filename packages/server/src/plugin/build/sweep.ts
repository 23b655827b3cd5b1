/** Reclaims the builds of builders that are gone, ends those of deleted organizations, and deletes what ended long ago. */
import { and, inArray, lt } from 'drizzle-orm'
import Type from 'typebox'
import { findOrganization } from '../../identity/index.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { pluginTables } from '../tables.js'
import { removeDead } from './dead-letters.js'
import { endBuildsOfDeleted, organizationsWithBuilds } from './end-builds.js'
import { createBuildQueue } from './queue.js'

const KEPT_MS = 30 * 86_400_000

export const sweepBuildsJob = defineJob({
  kind: 'plugin.sweep-builds',
  payload: Type.Object({}),
  audit: ['plugin.build.cancel'],
  concurrency: 1,
  async run(context) {
    const { runtime, read, write, signal } = context
    await createBuildQueue(runtime).reclaim()
    for (const orgId of await read(organizationsWithBuilds)) {
      if (signal.aborted) return
      const org = await read((db) => findOrganization(db, orgId))
      // guard: a-build-queued-at-a-deletion-ends-too
      if (org?.deletedAtMs !== null) await write((ending) => endBuildsOfDeleted(ending, orgId))
    }
    await context.finish(async (ending) => {
      const { tx, nowMs } = ending
      const { buildJobs: t, buildLogs, builders } = pluginTables(tx)
      const isOver = and(inArray(t.state, ['completed', 'cancelled']), lt(t.finishedAtMs, nowMs - KEPT_MS))
      await tx.delete(buildLogs).where(inArray(buildLogs.jobId, tx.select({ id: t.id }).from(t).where(isOver)))
      await tx.delete(t).where(isOver)
      await removeDead(ending, lt(t.failedAtMs, nowMs - KEPT_MS))
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
