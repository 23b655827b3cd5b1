/**
 * Deletes from the registry what no row names any more: what a builder left in the staging repository of a finished
 * build, and the image of a plugin a day after its purge or its replacement by a new upload.
 */

import { and, asc, eq, gt, inArray, lt, or } from 'drizzle-orm'
import Type from 'typebox'
import { deleteAttested, type RegistryClient, readingOf, registryClient } from '../../registry/index.js'
import { MINUTE_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import { perRuntime } from '../../runtime/per-runtime.js'
import type { Db } from '../../runtime/store/db.js'
import { DROP_IMAGE_JOB } from '../build-job/image-messages.js'
import { stagingOf } from '../build-job/staging.js'
import { pluginNames } from '../entities.js'
import { pluginTables } from '../tables.js'
import { removeTag } from './public-copies.js'

/** The first sweep of a process looks back this far: the registry, or every process, may have been away. */
const LOOKED_BACK_MS = 24 * 60 * MINUTE_MS
/** Later sweeps look at these builds again, because a builder that lost its lease may still push for as long. */
const LATE_PUSH_MS = 30 * MINUTE_MS
/** A build that ended later than this ago is left out: its own end deletes its staged image at once. */
const LET_BE_MS = MINUTE_MS
const BUILDS_AT_ONCE = 500

/** The end of what the last whole sweep of this process looked at. */
const sweptOf = perRuntime(() => ({ untilMs: 0 }))

export const sweepStagingJob = defineJob({
  kind: 'plugin.sweep-staging',
  payload: Type.Object({}),
  audit: none('what was staged was never published'),
  concurrency: 1,
  async run({ runtime, read, signal }) {
    if (runtime.settings.REGISTRY_URL === null) return
    const nowMs = runtime.clock.now()
    const swept = sweptOf(runtime)
    const untilMs = nowMs - LET_BE_MS
    const registry = registryClient(runtime)
    let after = { finishedAtMs: Math.max(nowMs - LOOKED_BACK_MS, swept.untilMs - LATE_PUSH_MS), id: '' }
    for (;;) {
      const over = await read((db) => endedBuilds(db, after, untilMs))
      for (const { id } of over) {
        if (signal.aborted) return
        await empty(registry, stagingOf(id))
      }
      const last = over.at(-1)
      if (over.length < BUILDS_AT_ONCE || last === undefined) break
      after = last
    }
    swept.untilMs = untilMs
  },
})

export const sweepStagingSchedule = defineSchedule({
  name: 'plugin.sweep-staging',
  kind: 'plugin.sweep-staging',
  everyMs: 5 * MINUTE_MS,
  payload: {},
})

async function endedBuilds(db: Db, after: { readonly finishedAtMs: number; readonly id: string }, untilMs: number) {
  const { buildJobs: t } = pluginTables(db)
  const rows = await db
    .select({ id: t.id, finishedAtMs: t.finishedAtMs })
    .from(t)
    .where(
      and(
        inArray(t.state, ['completed', 'cancelled', 'dead']),
        or(gt(t.finishedAtMs, after.finishedAtMs), and(eq(t.finishedAtMs, after.finishedAtMs), gt(t.id, after.id))),
        lt(t.finishedAtMs, untilMs),
      ),
    )
    .orderBy(asc(t.finishedAtMs), asc(t.id))
    .limit(BUILDS_AT_ONCE)
  return rows.map(({ id, finishedAtMs }) => ({ id, finishedAtMs: finishedAtMs ?? 0 }))
}

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
    const isMoved = tags.get(tag) !== digest
    // The tag names a newer image of the version. A tag of another version may still name this one.
    // guard: an-image-that-was-replaced-goes
    if (isMoved && [...tags.values()].includes(digest)) return
    await (isMoved ? deleteAttested(registry, repository, digest) : removeTag(registry, repository, tag, tags))
    await finish(({ enqueue }) => enqueue(readingOf(repository)))
  },
})
