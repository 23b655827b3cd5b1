/**
 * Removes from the registry what no row names any more: what a builder left in the staging repository of a build that is
 * over, and the image of a plugin a day after it was removed for good.
 */
import { and, gt, inArray, lt } from 'drizzle-orm'
import Type from 'typebox'
import { type RegistryClient, readingOf, registryClient } from '../../registry/index.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { DROP_IMAGE_JOB } from '../build-job/image-messages.js'
import { stagingOf } from '../build-job/staging.js'
import { pluginNames } from '../entities.js'
import { pluginTables } from '../tables.js'
import { removeTag } from './public-copies.js'

const MINUTE_MS = 60_000
/** A build that ended later than this before is looked at again by the next sweep. */
const LOOKED_BACK_MS = 30 * MINUTE_MS
/** Its own end takes away what it staged, at once. */
const LET_BE_MS = MINUTE_MS
const BUILDS_MAX = 500

export const sweepStagingJob = defineJob({
  kind: 'plugin.sweep-staging',
  payload: Type.Object({}),
  audit: none('what was staged was never published'),
  concurrency: 1,
  async run({ runtime, read, signal }) {
    if (runtime.settings.REGISTRY_URL === null) return
    const nowMs = runtime.clock.now()
    const over = await read((db) => {
      const { buildJobs: t } = pluginTables(db)
      const isOver = inArray(t.state, ['completed', 'cancelled', 'dead'])
      const isLately = and(gt(t.finishedAtMs, nowMs - LOOKED_BACK_MS), lt(t.finishedAtMs, nowMs - LET_BE_MS))
      return db.select({ id: t.id }).from(t).where(and(isOver, isLately)).limit(BUILDS_MAX)
    })
    const registry = registryClient(runtime)
    for (const { id } of over) {
      if (signal.aborted) return
      await empty(registry, stagingOf(id))
    }
  },
})

export const sweepStagingSchedule = defineSchedule({
  name: 'plugin.sweep-staging',
  kind: 'plugin.sweep-staging',
  everyMs: 5 * MINUTE_MS,
  payload: {},
})

async function empty(registry: RegistryClient, repository: string): Promise<void> {
  for (const tag of await registry.tags(repository)) {
    const digest = await registry.resolve(repository, tag)
    if (digest !== null) await registry.deleteManifest(repository, digest)
  }
}

export const dropImageJob = defineJob({
  kind: DROP_IMAGE_JOB,
  payload: Type.Object({ repository: Type.String(), tag: Type.String(), digest: Type.String() }),
  audit: none('the removal of the plugin is the evidence'),
  concurrency: 1,
  async run({ runtime, read, finish }, { repository, tag, digest }) {
    if (runtime.settings.REGISTRY_URL === null) return
    // guard: an-image-of-a-plugin-that-came-again-stays
    const named = await read((db) => pluginNames.ofImages(db, [digest]))
    if (named.some(({ imageRef }) => imageRef.startsWith(`${repository}:`))) return
    const registry = registryClient(runtime)
    const tags = new Map<string, string>()
    for (const each of await registry.tags(repository)) {
      const found = await registry.resolve(repository, each)
      if (found !== null) tags.set(each, found)
    }
    if (tags.get(tag) !== digest) return
    await removeTag(registry, repository, tag, tags)
    await finish(({ enqueue }) => enqueue(readingOf(repository)))
  },
})
