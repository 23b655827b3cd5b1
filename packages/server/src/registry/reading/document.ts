/** Parses a manifest of an image or an index. Any other document counts only with its own bytes. */
import Type from 'typebox'
import { problems } from '../../runtime/operation/schema.js'
import type { RegistryDocument } from '../client.js'
import { DIGEST } from '../repository.js'

// A wrong size does not hide what a manifest refers to.
const Descriptor = Type.Object({ digest: Type.String({ pattern: DIGEST.source }), size: Type.Optional(Type.Unknown()) })
const Image = Type.Object({ config: Descriptor, layers: Type.Array(Descriptor, { maxItems: 1000 }) })
const Index = Type.Object({ manifests: Type.Array(Descriptor, { maxItems: 1000 }) })

export interface ManifestParts {
  readonly digest: string
  readonly mediaType: string
  /** The digests that an index refers to. */
  readonly children: readonly string[]
  /**
   * The sizes of configuration, layers and the manifest itself, each once. Those of the blobs are what the manifest
   * claims; 0 where that is not a size.
   */
  readonly blobs: ReadonlyMap<string, number>
}

export function partsOf({ bytes, digest, media }: RegistryDocument): ManifestParts {
  const content = contentOf(bytes)
  const own = [digest, bytes.length] as const
  if (problems(Image, content, '').length === 0) {
    const { config, layers } = content as { config: Sized; layers: Sized[] }
    const blobs = new Map([...[config, ...layers].map(({ digest, size }) => [digest, claimed(size)] as const), own])
    return { digest, mediaType: media, children: [], blobs }
  }
  const isIndex = problems(Index, content, '').length === 0
  const children = isIndex ? (content as { manifests: Sized[] }).manifests.map((child) => child.digest) : []
  return { digest, mediaType: media, children: [...new Set(children)], blobs: new Map([own]) }
}

interface Sized {
  readonly digest: string
  readonly size?: unknown
}

const claimed = (size: unknown): number => (Number.isSafeInteger(size) ? Math.max(0, size as number) : 0)

/** Null for bytes that are not JSON. */
export function contentOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}
