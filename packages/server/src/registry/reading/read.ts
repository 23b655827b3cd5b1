/**
 * Reads a whole repository: its tags, the manifests that they refer to, their children, and known manifests without a
 * tag.
 */
import type { RegistryClient } from '../client.js'
import { type ManifestParts, partsOf } from './document.js'

export interface Reading {
  readonly tags: ReadonlyMap<string, string>
  readonly manifests: ReadonlyMap<string, ManifestParts>
}

/** Manifests are immutable, so a known digest is only checked for existence. */
export type KnownParts = ReadonlyMap<string, ManifestParts>

/** @throws RegistryFault */
export async function readRepository(
  registry: RegistryClient,
  name: string,
  known: KnownParts,
  hints: readonly string[] = [],
): Promise<Reading> {
  const tags = new Map<string, string>()
  const manifests = new Map<string, ManifestParts>()
  for (const tag of await registry.tags(name)) {
    const digest = await registry.resolve(name, tag)
    if (digest !== null) tags.set(tag, digest)
  }
  const isTagged = new Set(tags.values())
  const waiting = [...new Set([...isTagged, ...known.keys(), ...hints])]
  for (let digest = waiting.pop(); digest !== undefined; digest = waiting.pop()) {
    if (manifests.has(digest)) continue
    const parts = await partsIn(registry, name, digest, known.get(digest), isTagged.has(digest))
    if (parts === null) continue
    manifests.set(digest, parts)
    waiting.push(...parts.children)
  }
  for (const [tag, digest] of tags) if (!manifests.has(digest)) tags.delete(tag)
  return { tags, manifests }
}

async function partsIn(
  registry: RegistryClient,
  name: string,
  digest: string,
  known: ManifestParts | undefined,
  isThere: boolean,
): Promise<ManifestParts | null> {
  if (known !== undefined) return isThere || (await registry.resolve(name, digest)) === digest ? known : null
  const document = await registry.manifest(name, digest)
  return document === null ? null : measured(registry, name, partsOf(document))
}

/** With the sizes that the registry stores: a manifest may claim any size of its blobs. */
async function measured(registry: RegistryClient, name: string, parts: ManifestParts): Promise<ManifestParts> {
  const blobs = new Map(parts.blobs)
  for (const blob of blobs.keys()) {
    // guard: storage-counts-what-is-stored
    if (blob !== parts.digest) blobs.set(blob, (await registry.blobBytes(name, blob)) ?? 0)
  }
  return { ...parts, blobs }
}
