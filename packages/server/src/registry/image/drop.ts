/** Empties the repository of an organization that was purged. Idempotent. */
import Type from 'typebox'
import { defineJob } from '../../runtime/jobs/define.js'
import type { OutboxMessage } from '../../runtime/operation/context.js'
import { none } from '../../runtime/operation/operation.js'
import { registryClient } from '../client.js'
import { readingOf } from '../reading/job.js'
import { readRepository } from '../reading/read.js'

const DROP_REPOSITORY_JOB = 'registry.drop-repository'

/** @param digests manifests that may exist without a tag. */
export const dropOf = (repository: string, digests: readonly string[]): OutboxMessage => ({
  kind: DROP_REPOSITORY_JOB,
  payload: { repository, digests: [...digests] },
})

export const dropRepositoryJob = defineJob({
  kind: DROP_REPOSITORY_JOB,
  payload: Type.Object({ repository: Type.String(), digests: Type.Array(Type.String()) }),
  audit: none('the removal of the organization is the evidence'),
  concurrency: 1,
  async run({ runtime, finish }, { repository, digests }) {
    if (runtime.settings.REGISTRY_URL === null) return
    const registry = registryClient(runtime)
    const { manifests } = await readRepository(registry, repository, new Map(), digests)
    // An index is deleted before the manifests that it refers to.
    const indexesFirst = [...manifests.values()].sort((a, b) => b.children.length - a.children.length)
    for (const { digest } of indexesFirst) await registry.deleteManifest(repository, digest)
    // A late event may have created rows again.
    await finish(({ enqueue }) => enqueue(readingOf(repository)))
  },
})
