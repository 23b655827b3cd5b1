/** Parses a manifest of an image or an index. Any other document counts only with its own bytes. */
import Type from 'typebox'
import { problems } from '../../runtime/operation/schema.js'
import type { RegistryDocument } from '../client.js'
import { DIGEST } from '../repository.js'

const Descriptor = Type.Object({
  digest: Type.String({ pattern: DIGEST.source }),
  size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
})
const Image = Type.Object({ config: Descriptor, layers: Type.Array(Descriptor, { maxItems: 1000 }) })
const Index = Type.Object({ manifests: Type.Array(Descriptor, { maxItems: 1000 }) })

export interface ManifestParts {
  readonly digest: string
  readonly mediaType: string
  /** The digests that an index refers to. */
  readonly children: readonly string[]
  /** The sizes of configuration, layers and the manifest itself, each once. */
  readonly blobs: ReadonlyMap<string, number>
}

export function partsOf({ bytes, digest, media }: RegistryDocument): ManifestParts {
  const content = contentOf(bytes)
  const own = [digest, bytes.length] as const
  if (problems(Image, content, '').length === 0) {
    const { config, layers } = content as { config: Sized; layers: Sized[] }
    const blobs = new Map([...[config, ...layers].map(({ digest, size }) => [digest, size] as const), own])
    return { digest, mediaType: media, children: [], blobs }
  }
  const isIndex = problems(Index, content, '').length === 0
  const children = isIndex ? (content as { manifests: Sized[] }).manifests.map((child) => child.digest) : []
  return { digest, mediaType: media, children: [...new Set(children)], blobs: new Map([own]) }
}

interface Sized {
  readonly digest: string
  readonly size: number
}

/** Null for bytes that are not JSON. */
export function contentOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return null
  }
}
