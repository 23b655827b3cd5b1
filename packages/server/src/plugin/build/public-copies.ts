/**
 * A repository is readable as a whole, so the public versions of a plugin stand again in one of their own: published by
 * mounting, withdrawn with the tag.
 *
 * INVARIANT: the tags of plugins there are those of versions that are public, ready and not deleted, whatever order the
 * changes came in: each run compares all versions of the name with what is there.
 */
import { and, eq, isNotNull } from 'drizzle-orm'
import Type from 'typebox'
import { copyWhole, type RegistryClient, readingOf, registryClient } from '../../registry/index.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { defineJob } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import type { Db } from '../../runtime/store/db.js'
import { type NamedPlugin, PUBLIC_COPIES_JOB } from '../build-job/image-messages.js'
import { repositoryOf, tagOf } from '../build-job/staging.js'
import { type PluginRow, pluginTables } from '../tables.js'

const publicRepositoryOf = ({ orgId, name }: NamedPlugin): string =>
  orgId === SYSTEM_ORG_ID ? `system/${name}` : `org-${orgId}/public/${name}`

export const publicCopiesJob = defineJob({
  kind: PUBLIC_COPIES_JOB,
  payload: Type.Object({ orgId: Type.String(), name: Type.String() }),
  audit: none('the change of the plugin is the evidence'),
  concurrency: 1,
  async run({ runtime, read, finish }, named) {
    if (runtime.settings.REGISTRY_URL === null) return
    const rows = await read((db) => withImages(db, named))
    const registry = registryClient(runtime)
    const target = publicRepositoryOf(named)
    const isShown = (row: PluginRow) => row.accessModifier === 'public' && row.deletedAtMs === null
    const tags = new Map<string, string>()
    for (const tag of await registry.tags(target)) {
      const digest = await registry.resolve(target, tag)
      if (digest !== null) tags.set(tag, digest)
    }
    const shown = new Map(rows.filter(isShown).map((row) => [tagOf(row.version), row.imageDigest ?? '']))
    // guard: what-is-withdrawn-is-not-public
    for (const row of rows.filter((each) => !isShown(each))) {
      const tag = tagOf(row.version)
      if (!shown.has(tag) && tags.get(tag) === row.imageDigest) await removeTag(registry, target, tag, tags)
    }
    for (const [tag, digest] of shown) {
      if (tags.get(tag) !== digest) await copyWhole(registry, { source: repositoryOf(named), target }, digest, tag)
    }
    await finish(({ enqueue }) => enqueue(readingOf(target, [...shown.values()], 'service:server')))
  },
})

async function withImages(db: Db, { orgId, name }: NamedPlugin): Promise<PluginRow[]> {
  const { plugins: t } = pluginTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.name, name), eq(t.buildStatus, 'ready'), isNotNull(t.imageDigest)))
}

/** A registry deletes a digest with all its tags: the others are put again. */
export async function removeTag(
  registry: RegistryClient,
  repository: string,
  tag: string,
  tags: Map<string, string>,
): Promise<void> {
  const digest = tags.get(tag) ?? ''
  const document = await registry.manifest(repository, digest)
  await registry.deleteManifest(repository, digest)
  tags.delete(tag)
  for (const [other, named] of tags) {
    if (named === digest && document !== null) await registry.putManifest(repository, other, document)
  }
}
