/**
 * Attestations of an image are stored with it, in an index under the tag `sha256-<hex>` (OCI distribution specification
 * 1.1, referrers tag schema). They are deleted with the image, because nothing else refers to them.
 */
import type { RegistryClient } from '../client.js'
import { partsOf } from '../reading/document.js'

const TAG = /^sha256-([0-9a-f]{64})$/

export const attestationTag = (digest: string): string => digest.replace(':', '-')

/** The image that an index under this tag describes; null for any other tag. */
export function attestedBy(tag: string): string | null {
  const [, hex] = TAG.exec(tag) ?? []
  return hex === undefined ? null : `sha256:${hex}`
}

/** Deletes the image, its attestations first. Idempotent. @returns whether it existed. @throws RegistryFault */
export async function deleteAttested(registry: RegistryClient, repository: string, digest: string): Promise<boolean> {
  const index = await registry.manifest(repository, attestationTag(digest))
  if (index !== null) {
    // The index before the manifests that it refers to, so that it is never broken.
    await registry.deleteManifest(repository, index.digest)
    for (const child of partsOf(index).children) await registry.deleteManifest(repository, child)
  }
  return registry.deleteManifest(repository, digest)
}
