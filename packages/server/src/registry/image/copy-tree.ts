/** Copies an image within the registry: children first, blobs mounted, the manifest last. Idempotent. */
import { Refusal } from '../../runtime/errors.js'
import type { RegistryClient } from '../client.js'
import { partsOf } from '../reading/document.js'
import { attestationTag } from './attestations.js'

const DEPTH_MAX = 4

interface Places {
  readonly source: string
  readonly target: string
}

interface Tree extends Places {
  readonly blobs: Set<string>
  readonly done: Set<string>
  readonly depth: number
}

/** Copies the image with its attestations. @throws Refusal 409 when it is incomplete; RegistryFault */
export async function copyWhole(
  registry: RegistryClient,
  { source, target }: Places,
  digest: string,
  as: string,
): Promise<{ readonly manifests: number; readonly blobs: number }> {
  const tree = { source, target, blobs: new Set<string>(), done: new Set<string>(), depth: 0 }
  await copyTree(registry, tree, digest, as)
  const attestation = attestationTag(digest)
  const attested = await registry.resolve(source, attestation)
  if (attested !== null) await copyTree(registry, tree, attested, attestation)
  return { manifests: tree.done.size, blobs: tree.blobs.size }
}

async function copyTree(registry: RegistryClient, tree: Tree, digest: string, as: string): Promise<void> {
  const { source, target, blobs, done, depth } = tree
  const document = await registry.manifest(source, digest)
  // guard: an-incomplete-image-is-not-copied
  if (document === null || depth > DEPTH_MAX) throw incomplete(digest)
  const parts = partsOf(document)
  for (const child of parts.children) {
    if (!done.has(child)) await copyTree(registry, { ...tree, depth: depth + 1 }, child, child)
  }
  for (const blob of parts.blobs.keys()) {
    if (blob === digest || blobs.has(blob)) continue
    if ((await registry.blobBytes(source, blob)) === null) throw incomplete(blob)
    if (source !== target) await registry.mount(blob, source, target)
    blobs.add(blob)
  }
  await registry.putManifest(target, as, document)
  done.add(digest)
}

const incomplete = (digest: string): Refusal =>
  new Refusal('CONFLICT', `the source is incomplete: ${digest} is missing`, { details: { digest } })
