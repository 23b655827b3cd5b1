/** Background readings: of a repository after an event, and of all repositories every hour. */

import { lt } from 'drizzle-orm'
import Type from 'typebox'
import { HOUR_MS } from '../../runtime/clock.js'
import { defineJob, defineSchedule, type JobContext } from '../../runtime/jobs/define.js'
import type { OutboxMessage } from '../../runtime/operation/context.js'
import { none } from '../../runtime/operation/operation.js'
import { registryClient } from '../client.js'
import { repositoryOf } from '../repository.js'
import { registryTables } from '../tables.js'
import { putBack } from './drift.js'
import { syncRepository } from './sync.js'

export const READ_REPOSITORY_JOB = 'registry.read-repository'
const READ_ALL_JOB = 'registry.read-all'

/** The registry does not resend an event after this time. */
const EVENTS_KEPT_MS = 86_400_000

const Payload = Type.Object({
  repository: Type.String(),
  digests: Type.Array(Type.String()),
  pushedBy: Type.Union([Type.String(), Type.Null()]),
})

export const readingOf = (
  repository: string,
  digests: readonly string[] = [],
  pushedBy: string | null = null,
): OutboxMessage => ({ kind: READ_REPOSITORY_JOB, payload: { repository, digests: [...digests], pushedBy } })

export const readRepositoryJob = defineJob({
  kind: READ_REPOSITORY_JOB,
  payload: Payload,
  audit: none('it brings rows up to what the registry has'),
  concurrency: 2,
  async run(context, { repository, digests, pushedBy }) {
    if (context.runtime.settings.REGISTRY_URL === null) return
    await readOne(context, repository, { digests, pushedBy })
  },
})

async function readOne(context: JobContext, name: string, hint?: Parameters<typeof syncRepository>[2]): Promise<void> {
  const reading = await syncRepository(context, name, hint)
  if (reading !== null && (await putBack(context, name, reading))) await syncRepository(context, name)
}

/** Reads all, because events get lost when the registry restarts before it could deliver them. */
export const readAllJob = defineJob({
  kind: READ_ALL_JOB,
  payload: Type.Object({}),
  audit: none('it brings rows up to what the registry has'),
  concurrency: 1,
  leaseMs: 300_000,
  async run(context) {
    const { runtime } = context
    await context.write(async ({ tx, nowMs }) => {
      const { registryEvents: t } = registryTables(tx)
      await tx.delete(t).where(lt(t.seenAtMs, nowMs - EVENTS_KEPT_MS))
    })
    if (runtime.settings.REGISTRY_URL === null) return
    const { registryRepositories } = registryTables(runtime.store)
    const known = await context.read((db) => db.select({ name: registryRepositories.name }).from(registryRepositories))
    const there = await registryClient(runtime).repositories()
    const names = new Set([...there, ...known.map(({ name }) => name)])
    for (const name of [...names].sort()) {
      if (context.signal.aborted) return
      if (repositoryOf(name) !== null) await readOne(context, name)
    }
  },
})

export const readAllSchedule = defineSchedule({
  name: 'registry.read-all',
  kind: READ_ALL_JOB,
  everyMs: HOUR_MS,
  payload: {},
})
