/**
 * `POST /admin/gc`: deletes manifests that nothing names any more: no tag, no index, no plugin, no copy in `system/`. The bytes
 * come free when the registry collects (`plumbline registry collect`).
 */
import { and, eq, gte, inArray, like, lt } from 'drizzle-orm'
import Type from 'typebox'
import { systemAdmin } from '../../runtime/operation/access.js'
import { changed, type PrepareContext, unchanged } from '../../runtime/operation/context.js'
import { command, noTenant } from '../../runtime/operation/operation.js'
import { strictObject } from '../../runtime/operation/schema.js'
import type { Db } from '../../runtime/store/db.js'
import { registryClient } from '../client.js'
import { requirePluginNames } from '../plugin-images.js'
import { readingOf } from '../reading/job.js'
import { readRepository } from '../reading/read.js'
import { orUpstream, REGISTRY_ERRORS } from '../refusal.js'
import { below, checkedPrefix } from '../storage/get.js'
import { registryTables } from '../tables.js'
import { requireRegistry } from '../visible.js'

const DAY_MS = 86_400_000
const REPOSITORIES_MAX = 500
const SHOWN_MAX = 1000

interface Unnamed {
  readonly repository: string
  readonly digest: string
  readonly bytes: number
}

export const collectImages = command({
  name: 'registry.image.collect',
  summary: 'Delete images that nothing names',
  description: `Without a tag, in no index, of no plugin, and with no copy in \`system/\`. It says what it would delete unless \`dryRun\` is false. At most ${REPOSITORIES_MAX} repositories at a time.`,
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
          description: 'Those that were first seen so long ago; all when left out',
        }),
      ),
      dryRun: Type.Optional(Type.Boolean({ description: '`true` unless said' })),
    }),
  },
  output: strictObject({
    dryRun: Type.Boolean(),
    count: Type.Integer(),
    bytes: Type.Integer({ description: 'Of these images; blobs that others hold do not come free' }),
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
      unnamed.push(...(await orUpstream(() => unnamedIn(context, name, before))))
    }
    const registry = registryClient(context.runtime)
    if (!dryRun) {
      for (const { repository, digest } of unnamed) await orUpstream(() => registry.deleteManifest(repository, digest))
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

/** By the registry as it is now, and by every row that may name an image. @throws RegistryFault */
async function unnamedIn(context: PrepareContext, name: string, before: number | null): Promise<Unnamed[]> {
  const { runtime, read } = context
  const names = requirePluginNames(runtime)
  const rows = await read((db) => imagesOf(db, name))
  const known = rows.map(({ digest }) => digest)
  const reading = await readRepository(registryClient(runtime), name, new Map(), known)
  const named = new Set([...reading.tags.values()])
  // guard: what-an-index-names-is-not-collected
  for (const { children } of reading.manifests.values()) for (const child of children) named.add(child)
  const digests = [...reading.manifests.keys()]
  const [owners, promoted] = await read(async (db) => [
    await names.ofImages(db, digests),
    await promotedOf(db, digests),
  ])
  // guard: an-image-of-a-plugin-is-not-collected
  for (const { digest } of owners) named.add(digest)
  // guard: what-was-promoted-is-not-collected
  for (const digest of promoted) named.add(digest)
  return rows.flatMap(({ digest, bytes, createdAtMs }) =>
    named.has(digest) || !reading.manifests.has(digest) || (before !== null && createdAtMs > before)
      ? []
      : [{ repository: name, digest, bytes }],
  )
}

async function imagesOf(db: Db, name: string) {
  const { registryImages: t } = registryTables(db)
  return db
    .select({ digest: t.digest, bytes: t.bytes, createdAtMs: t.createdAtMs })
    .from(t)
    .where(eq(t.repository, name))
}

/** Which of them a tag of the system names. */
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
