/**
 * A repository is readable as a whole, so the public versions of a plugin are copied to a separate repository:
 * published by mounting blobs, withdrawn by deleting the tag.
 *
 * INVARIANT: the plugin tags of that repository are those of versions that are public, ready and not deleted, in
 * whatever order changes arrived: each run compares all versions of the name with the repository.
 */
import { and, eq } from 'drizzle-orm'
import Type from 'typebox'
import {
  attestationTag,
  copyWhole,
  deleteAttested,
  type RegistryClient,
  readingOf,
  registryClient,
} from '../../registry/index.js'
import { SYSTEM_ORG_ID } from '../../runtime/ids.js'
import { defineJob } from '../../runtime/jobs/define.js'
import { none } from '../../runtime/operation/operation.js'
import type { Db } from '../../runtime/store/db.js'
import { type NamedPlugin, PUBLIC_COPIES_JOB, publicCopiesOf } from '../build-job/image-messages.js'
import { repositoryOf, tagOf } from '../build-job/staging.js'
import { isPublicImage } from '../entities.js'
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
    const rows = await read((db) => versionsOf(db, named))
    const registry = registryClient(runtime)
    const target = publicRepositoryOf(named)
    const tags = new Map<string, string>()
    for (const tag of await registry.tags(target)) {
      const digest = await registry.resolve(target, tag)
      if (digest !== null) tags.set(tag, digest)
    }
    const shown = shownOf(rows)
    // guard: what-is-withdrawn-is-not-public
    for (const { version, imageDigest } of rows) {
      const tag = tagOf(version)
      // A version that is built again has forgotten its image; whatever its tag names is not the version any more.
      const isItsImage = imageDigest === null ? tags.has(tag) : tags.get(tag) === imageDigest
      if (!shown.has(tag) && isItsImage) await removeTag(registry, target, tag, tags)
    }
    const source = repositoryOf(named)
    for (const [tag, digest] of shown) {
      const attested = attestationTag(digest)
      // The attestations of an image may be published after the image.
      const isWhole = tags.get(tag) === digest && tags.get(attested) === (await orUndefined(registry, source, attested))
      if (!isWhole) await copyWhole(registry, { source, target }, digest, tag)
    }
    await finish(async ({ tx, enqueue }) => {
      await enqueue(readingOf(target, [...shown.values()], 'service:server'))
      // Another process may have compared a later state meanwhile, and this one undone it.
      // guard: copies-follow-what-changed-meanwhile
      if (!isSame(shown, shownOf(await versionsOf(tx, named)))) await enqueue(publicCopiesOf(named))
    })
  },
})

/** The digests of the versions that everybody may pull, by tag. */
const shownOf = (rows: readonly PluginRow[]): ReadonlyMap<string, string> =>
  new Map(rows.flatMap((row) => (isPublicImage(row) ? [[tagOf(row.version), row.imageDigest ?? ''] as const] : [])))

const isSame = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): boolean =>
  one.size === other.size && [...one].every(([tag, digest]) => other.get(tag) === digest)

const orUndefined = async (registry: RegistryClient, repository: string, tag: string): Promise<string | undefined> =>
  (await registry.resolve(repository, tag)) ?? undefined

/** All versions of the name, deleted ones too. */
async function versionsOf(db: Db, { orgId, name }: NamedPlugin): Promise<PluginRow[]> {
  const { plugins: t } = pluginTables(db)
  return db
    .select()
    .from(t)
    .where(and(eq(t.orgId, orgId), eq(t.name, name)))
}

/** A registry deletes a digest with all its tags, so the other tags are written again. */
export async function removeTag(
  registry: RegistryClient,
  repository: string,
  tag: string,
  tags: Map<string, string>,
): Promise<void> {
  const digest = tags.get(tag) ?? ''
  const document = await registry.manifest(repository, digest)
  tags.delete(tag)
  const others = [...tags].filter(([, named]) => named === digest)
  // guard: what-is-known-of-an-image-goes-with-it
  if (others.length === 0) return void (await deleteAttested(registry, repository, digest))
  await registry.deleteManifest(repository, digest)
  if (document === null) return
  for (const [other] of others) await registry.putManifest(repository, other, document)
}
