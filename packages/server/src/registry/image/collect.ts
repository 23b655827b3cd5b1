/**
 * `POST /admin/gc`: deletes manifests that nothing refers to any more: no tag, no index, no plugin, no copy in
 * `system/`. Also deletes their attestations, and those of images that are gone. The bytes are freed by the registry's
 * garbage collection (`plumbline registry collect`).
 */

import { and, eq, gte, inArray, like, lt } from 'drizzle-orm'
import Type from 'typebox'
import { DAY_MS } from '../../runtime/clock.js'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed, type PrepareContext, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { registryClient } from '../client.js'
import { requirePluginNames } from '../plugin-images.js'
import { readingOf } from '../reading/job.js'
import { type Reading, readRepository } from '../reading/read.js'
import { orUpstream, REGISTRY_ERRORS } from '../refusal.js'
import { below, checkedPrefix } from '../storage/get.js'
import { registryTables } from '../tables.js'
import { requireRegistry } from '../visible.js'
import { attestedBy } from './attestations.js'

const REPOSITORIES_MAX = 500
const SHOWN_MAX = 1000

interface Unnamed {
  readonly repository: string
  readonly digest: string
  readonly bytes: number
}

export const collectImages = command({
  name: 'registry.image.collect',
  summary: 'Delete images that nothing refers to',
  description: `Images without a tag that belong to no index and no plugin, and have no copy in \`system/\`. By default it only lists them; \`dryRun: false\` deletes. At most ${REPOSITORIES_MAX} repositories at a time.`,
  http: { method: 'post', path: '/admin/gc' },
  access: systemAdmin(),
  tenant: noTenant,
  audit: ['registry.gc'],
  silentWhen: 'nothing was deleted',
  input: {
    body: strictObject({
      prefix: Type.String({ maxLength: 255, description: 'Of the names of repositories', examples: ['system/'] }),
      maxAgeDays: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: 3650,
          description: 'Those that were first seen at least this long ago; all when left out',
        }),
      ),
      dryRun: Type.Optional(Type.Boolean({ description: '`true` unless said' })),
    }),
  },
  output: strictObject({
    dryRun: Type.Boolean(),
    count: Type.Integer(),
    bytes: Type.Integer({ description: 'Of these images; blobs that other images use are not freed' }),
    images: Type.Array(strictObject({ repository: Type.String(), digest: Type.String(), bytes: Type.Integer() }), {
      description: `At most ${SHOWN_MAX}`,
    }),
  }),
  errors: ['VALIDATION_ERROR', 'SERVICE_UNAVAILABLE', ...REGISTRY_ERRORS],
  async prepare(context, { body: { prefix: asked, maxAgeDays, dryRun = true } }) {
    requireRegistry(context.runtime)
    const prefix = checkedPrefix(asked, '/body/prefix')
    const before = maxAgeDays === undefined ? null : context.nowMs - maxAgeDays * DAY_MS
    const unnamed: Unnamed[] = []
    for (const name of await context.read((db) => namesBelow(db, prefix))) {
      const found = await orUpstream(() => unnamedIn(context, name, before))
      unnamed.push(...(dryRun ? found : await orUpstream(() => deleteUnnamed(context, name, found))))
    }
    return unnamed
  },
  async run(context, { body: { prefix, dryRun = true } }, unnamed) {
    const bytes = unnamed.reduce((sum, each) => sum + each.bytes, 0)
    const answer = { dryRun, count: unnamed.length, bytes, images: unnamed.slice(0, SHOWN_MAX) }
    if (dryRun || unnamed.length === 0) return unchanged(answer)
    await context.audit('registry.gc', {
      targetType: 'image',
      targetId: prefix,
      details: { prefix, count: unnamed.length, bytes },
    })
    for (const name of new Set(unnamed.map(({ repository }) => repository))) await context.enqueue(readingOf(name))
    return changed(answer)
  },
})

/**
 * Deletes what is still unnamed now. A build or a copy may have tagged an image again since the repository was read.
 *
 * @returns the deleted images.
 */
async function deleteUnnamed(
  { runtime, read }: PrepareContext,
  repository: string,
  found: readonly Unnamed[],
): Promise<Unnamed[]> {
  if (found.length === 0) return []
  const registry = registryClient(runtime)
  const tagged = new Set<string>()
  for (const tag of await registry.tags(repository)) {
    // The tag of attestations names no image.
    const digest = attestedBy(tag) === null ? await registry.resolve(repository, tag) : null
    if (digest !== null) tagged.add(digest)
  }
  const deleted: Unnamed[] = []
  for (const each of found) {
    const owners = await read((db) => requirePluginNames(runtime).ofImages(db, [each.digest]))
    if (tagged.has(each.digest) || owners.length > 0) continue
    if (await registry.deleteManifest(repository, each.digest)) deleted.push(each)
  }
  return deleted
}

async function namesBelow(db: Db, prefix: string): Promise<string[]> {
  const { registryRepositories: t } = registryTables(db)
  const [from, until] = below(prefix)
  const rows = await db
    .select({ name: t.name })
    .from(t)
    .where(and(gte(t.name, from), lt(t.name, until)))
    .orderBy(t.name)
    .limit(REPOSITORIES_MAX)
  return rows.map(({ name }) => name)
}

/** Compares the current state of the registry with every row that may refer to an image. @throws RegistryFault */
async function unnamedIn(context: PrepareContext, name: string, before: number | null): Promise<Unnamed[]> {
  const { runtime, read } = context
  const names = requirePluginNames(runtime)
  const rows = await read((db) => imagesOf(db, name))
  const known = rows.map(({ digest }) => digest)
  const reading = await readRepository(registryClient(runtime), name, new Map(), known)
  const { named, attestations } = namedIn(reading)
  const digests = [...reading.manifests.keys()]
  const [owners, promoted] = await read(async (db) => [
    await names.ofImages(db, digests),
    await promotedOf(db, digests),
  ])
  // guard: an-image-of-a-plugin-is-not-collected
  for (const { digest } of owners) named.add(digest)
  // guard: what-was-promoted-is-not-collected
  for (const digest of promoted) named.add(digest)
  const due = (kept: (digest: string) => boolean) =>
    rows.flatMap(({ digest, bytes, createdAtMs }) =>
      named.has(digest) || kept(digest) || !reading.manifests.has(digest) || (before !== null && createdAtMs > before)
        ? []
        : [{ repository: name, digest, bytes }],
    )
  const going = new Set(due((digest) => attestations.has(digest)).map(({ digest }) => digest))
  // guard: what-is-known-of-an-image-stays-with-it
  const isAbout = (digest: string) => {
    const subject = attestations.get(digest)
    return subject !== undefined && reading.manifests.has(subject) && !going.has(subject)
  }
  // An index is deleted before the manifests that it refers to, so that it is never broken.
  const childrenOf = (digest: string) => reading.manifests.get(digest)?.children.length ?? 0
  return due(isAbout).sort((a, b) => childrenOf(b.digest) - childrenOf(a.digest))
}

interface NamedIn {
  /** Digests with their own tag, or in an index of several images. */
  readonly named: Set<string>
  /** Attestations: from the index and what it refers to, to the image. */
  readonly attestations: ReadonlyMap<string, string>
}

function namedIn({ tags, manifests }: Reading): NamedIn {
  const named = new Set<string>()
  const attestations = new Map<string, string>()
  for (const [tag, digest] of tags) {
    const subject = attestedBy(tag)
    if (subject === null) named.add(digest)
    else for (const each of [digest, ...(manifests.get(digest)?.children ?? [])]) attestations.set(each, subject)
  }
  for (const { digest, children } of manifests.values()) {
    // guard: what-an-index-names-is-not-collected
    if (!attestations.has(digest)) for (const child of children) named.add(child)
  }
  return { named, attestations }
}

async function imagesOf(db: Db, name: string) {
  const { registryImages: t } = registryTables(db)
  return db
    .select({ digest: t.digest, bytes: t.bytes, createdAtMs: t.createdAtMs })
    .from(t)
    .where(eq(t.repository, name))
}

/** Those digests that a tag of the system refers to. */
async function promotedOf(db: Db, digests: readonly string[]): Promise<string[]> {
  const { registryTags: t } = registryTables(db)
  const found: string[] = []
  for (let at = 0; at < digests.length; at += 500) {
    const some = digests.slice(at, at + 500)
    const rows = await db
      .selectDistinct({ digest: t.digest })
      .from(t)
      .where(and(inArray(t.digest, some), like(t.repository, 'system/%')))
    found.push(...rows.map(({ digest }) => digest))
  }
  return found
}
