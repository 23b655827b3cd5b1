/**
 * Updates the rows of a repository to match the registry. Notifications are only hints: the rows always end as a full
 * reading finds them, no matter in which order hints arrive or how often.
 *
 * INVARIANT: a reading is written completely or not at all, and only if no later reading of the repository has started.
 */
import { and, eq } from 'drizzle-orm'
import { HOUR_MS } from '../../runtime/clock.js'
import type { JobContext } from '../../runtime/jobs/define.js'
import { findPort } from '../../runtime/port.js'
import { pluginNamesPort } from '../../runtime/records/plugin-names.js'
import type { Db, Tx } from '../../runtime/store/db.js'
import { registryClient } from '../client.js'
import { pluginsIn } from '../plugin-images.js'
import { type Repository, repositoryOf } from '../repository.js'
import { registryTables } from '../tables.js'
import type { ManifestParts } from './document.js'
import { type KnownParts, type Reading, readRepository } from './read.js'

export interface Hint {
  /** Digests that may exist without a tag. */
  readonly digests: readonly string[]
  readonly pushedBy: string | null
}

/** A reading of the whole registry. */
const NO_HINT: Hint = { digests: [], pushedBy: null }

/**
 * Each image is measured again once a day, in one of 24 readings: rows that an earlier version of the server wrote
 * have the sizes that manifests claim.
 */
// guard: stored-sizes-are-measured-again
const isDueAt = (nowMs: number) => (digest: string) =>
  Number.parseInt(digest.slice(7, 15), 16) % 24 === Math.floor(nowMs / HOUR_MS) % 24

/** @returns what was read; null for a name that is not ours. @throws RegistryFault */
export async function syncRepository(
  context: Pick<JobContext, 'runtime' | 'read' | 'write'>,
  name: string,
  hint: Hint = NO_HINT,
): Promise<Reading | null> {
  // guard: only-repositories-of-ours-are-counted
  const repository = repositoryOf(name)
  if (repository === null) return null
  const number = await context.write(({ tx, nowMs }) => begin(tx, repository, nowMs))
  const names = findPort(context.runtime, pluginNamesPort)
  const [stored, owners] = await context.read(async (db) => [
    await knownParts(db, name),
    await pluginsIn(names, db, repository),
  ])
  const isDue = hint === NO_HINT ? isDueAt(context.runtime.clock.now()) : () => false
  const known = new Map([...stored].filter(([digest]) => !isDue(digest)))
  const hints = [...stored.keys(), ...hint.digests, ...owners.map(({ digest }) => digest)]
  const reading = await readRepository(registryClient(context.runtime), name, known, hints)
  await context.write(async ({ tx, nowMs }) => {
    const { registryRepositories: t } = registryTables(tx)
    // The row is also the lock of its repository.
    const [taken] = await tx
      .update(t)
      .set({ orgId: repository.orgId })
      .where(eq(t.name, name))
      .returning({ reading: t.reading })
    // guard: an-older-reading-writes-nothing
    if (taken?.reading !== number) return
    await put(tx, repository, { reading, hint, known, nowMs })
  })
  return reading
}

async function begin(tx: Tx, { name, orgId, isShared }: Repository, nowMs: number): Promise<number> {
  const { registryRepositories: t } = registryTables(tx)
  const none = { images: 0, tags: 0, bytes: 0 }
  await tx
    .insert(t)
    .values({ name, orgId, isShared, ...none, createdAtMs: nowMs, updatedAtMs: nowMs, reading: 0 })
    .onConflictDoNothing()
  const [row] = await tx.select({ reading: t.reading }).from(t).where(eq(t.name, name))
  // Includes the clock, so that a repository that was deleted and created again continues to count upwards.
  const reading = Math.max((row?.reading ?? 0) + 1, nowMs)
  await tx.update(t).set({ reading }).where(eq(t.name, name))
  return reading
}

async function knownParts(db: Db, name: string): Promise<Map<string, ManifestParts>> {
  const { registryImages: images, registryBlobs: blobs } = registryTables(db)
  const parts = new Map<string, ManifestParts & { readonly blobs: Map<string, number> }>()
  for (const row of await db.select().from(images).where(eq(images.repository, name))) {
    const { digest, mediaType, children } = row
    parts.set(digest, { digest, mediaType, children, blobs: new Map() })
  }
  for (const { image, digest, bytes } of await db.select().from(blobs).where(eq(blobs.repository, name))) {
    parts.get(image)?.blobs.set(digest, bytes)
  }
  return parts
}

interface Read {
  readonly reading: Reading
  readonly hint: Hint
  readonly known: KnownParts
  readonly nowMs: number
}

async function put(tx: Tx, repository: Repository, read: Read): Promise<void> {
  const { name } = repository
  const { reading, nowMs } = read
  const t = registryTables(tx)
  const isChanged = [await putImages(tx, repository, read), await putTags(tx, repository, reading, nowMs)].includes(
    true,
  )
  const blobs = new Map([...reading.manifests.values()].flatMap((parts) => [...parts.blobs]))
  if (reading.manifests.size === 0) {
    await tx.delete(t.registryRepositories).where(eq(t.registryRepositories.name, name))
    return
  }
  await tx
    .update(t.registryRepositories)
    .set({
      images: reading.manifests.size,
      tags: reading.tags.size,
      bytes: [...blobs.values()].reduce((sum, bytes) => sum + bytes, 0),
      ...(isChanged ? { updatedAtMs: nowMs } : {}),
    })
    .where(eq(t.registryRepositories.name, name))
}

/** @returns whether anything changed. */
async function putImages(
  tx: Tx,
  { name, orgId }: Repository,
  { reading: { manifests }, hint: { digests, pushedBy }, known, nowMs }: Read,
): Promise<boolean> {
  const { registryImages: t, registryBlobs: b } = registryTables(tx)
  const stored = await tx.select().from(t).where(eq(t.repository, name))
  const there = new Map(stored.map((row) => [row.digest, row]))
  const putBlobs = (image: string, blobs: ReadonlyMap<string, number>) =>
    tx.insert(b).values([...blobs].map(([digest, bytes]) => ({ repository: name, image, digest, orgId, bytes })))
  for (const parts of manifests.values()) {
    const { digest, mediaType, children, blobs } = parts
    const bytes = bytesOf(digest, manifests)
    const by = digests.includes(digest) ? pushedBy : null
    const row = there.get(digest)
    if (row !== undefined) {
      const isRead = known.get(digest) !== parts
      if (isRead || row.bytes !== bytes || (by !== null && row.pushedBy !== by))
        await tx
          .update(t)
          .set({ mediaType, children, bytes, pushedBy: by ?? row.pushedBy })
          .where(and(eq(t.repository, name), eq(t.digest, digest)))
      if (isRead) {
        await tx.delete(b).where(and(eq(b.repository, name), eq(b.image, digest)))
        await putBlobs(digest, blobs)
      }
      continue
    }
    await tx.insert(t).values({
      ...{ repository: name, digest, orgId, mediaType, bytes, children },
      pushedBy: by,
      createdAtMs: nowMs,
    })
    await putBlobs(digest, blobs)
  }
  const gone = stored.filter(({ digest }) => !manifests.has(digest))
  for (const { digest } of gone) {
    await tx.delete(t).where(and(eq(t.repository, name), eq(t.digest, digest)))
    await tx.delete(b).where(and(eq(b.repository, name), eq(b.image, digest)))
  }
  return gone.length > 0 || manifests.size > stored.length - gone.length
}

/** The bytes of an image, including all manifests of an index, each blob once. */
function bytesOf(digest: string, manifests: Reading['manifests']): number {
  const blobs = new Map<string, number>()
  const seen = new Set<string>()
  const waiting = [digest]
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    const parts = manifests.get(at)
    if (parts === undefined || seen.has(at)) continue
    seen.add(at)
    for (const [blob, size] of parts.blobs) blobs.set(blob, size)
    waiting.push(...parts.children)
  }
  return [...blobs.values()].reduce((sum, bytes) => sum + bytes, 0)
}

async function putTags(
  tx: Tx,
  { name, orgId, isShared }: Repository,
  { tags, manifests }: Reading,
  nowMs: number,
): Promise<boolean> {
  const { registryTags: t } = registryTables(tx)
  const stored = await tx.select().from(t).where(eq(t.repository, name))
  const there = new Map(stored.map((row) => [row.tag, row]))
  let isChanged = false
  for (const [tag, digest] of tags) {
    const before = there.get(tag)
    const bytes = bytesOf(digest, manifests)
    const isSame = before?.digest === digest
    if (isSame && before.bytes === bytes) continue
    if (!isSame) isChanged = true
    const row = { digest, bytes, createdAtMs: isSame ? before.createdAtMs : nowMs }
    await tx
      .insert(t)
      .values({ repository: name, tag, orgId, isShared, ...row })
      .onConflictDoUpdate({ target: [t.repository, t.tag], set: row })
  }
  for (const { tag } of stored) {
    if (tags.has(tag)) continue
    isChanged = true
    await tx.delete(t).where(and(eq(t.repository, name), eq(t.tag, tag)))
  }
  return isChanged
}
