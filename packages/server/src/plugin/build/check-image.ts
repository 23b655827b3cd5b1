/**
 * Checks an image against the limits of plugin images: one platform, and layers that exist and are not too large. Pure
 * except for the lookups that it is given.
 */
import Type, { type Static, type TSchema } from 'typebox'
import { problems } from '../../runtime/operation/schema.js'
import type { ComplianceViolation } from '../../runtime/records/compliance.js'
import { type ImageConfig, RunConfig } from '../image/built-image.js'
import type { BuildCategory } from './plan.js'

const LAYERS_MAX = 127

const Digest = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })
const Descriptor = Type.Object({
  mediaType: Type.String({ maxLength: 200 }),
  digest: Digest,
  size: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  urls: Type.Optional(Type.Array(Type.String())),
})
const Manifest = Type.Object({ schemaVersion: Type.Literal(2), config: Descriptor, layers: Type.Array(Descriptor) })
const Config = Type.Object({
  architecture: Type.String({ minLength: 1, maxLength: 50 }),
  os: Type.String({ minLength: 1, maxLength: 50 }),
  created: Type.Optional(Type.Union([Type.Null(), Type.String({ maxLength: 100 })])),
  config: Type.Optional(Type.Union([Type.Null(), RunConfig])),
  rootfs: Type.Object({ type: Type.Literal('layers'), diff_ids: Type.Array(Digest) }),
})
const LAYER_MEDIA =
  /^application\/vnd\.(?:oci\.image\.layer\.v1\.tar(?:\+gzip|\+zstd)?|docker\.image\.rootfs\.diff\.tar(?:\.gzip)?)$/
const CONFIG_MEDIA = /^application\/vnd\.(?:oci\.image\.config\.v1|docker\.container\.image\.v1)\+json$/

/** A new build would not help. The message is for the author. */
export class ImageRefused extends Error {
  constructor(
    readonly category: BuildCategory,
    message: string,
    /** Violations of the rules that blocked it. */
    readonly violations?: readonly ComplianceViolation[],
  ) {
    super(message)
    this.name = 'ImageRefused'
  }
}

export interface CheckedImage {
  /** Total size of everything that a pull fetches, including the manifest. */
  readonly bytes: number
  /** Digests of the configuration and of the layers, each once. */
  readonly blobs: readonly string[]
  /** The lowest layer first. */
  readonly layers: readonly { readonly digest: string; readonly mediaType: string; readonly size: number }[]
  readonly config: ImageConfig
  /** Digests of the unpacked layers. */
  readonly diffIds: readonly string[]
  /** The configuration exactly as stored. */
  readonly configText: string
}

interface Sources {
  readonly bytesMax: number
  /** The configuration with this digest, verified; null when it is missing. */
  configOf(digest: string): Promise<Buffer | null>
  /** Size of a blob; null when it is missing. */
  blobBytes(digest: string): Promise<number | null>
}

/** @throws ImageRefused */
export async function checkImage(
  { bytes }: { readonly bytes: Buffer },
  { bytesMax, configOf, blobBytes }: Sources,
): Promise<CheckedImage> {
  const { config, layers } = parsed('manifest', bytes, Manifest)
  // guard: an-image-has-so-many-layers
  if (layers.length > LAYERS_MAX) throw refused(`the image has ${layers.length} layers, and the limit is ${LAYERS_MAX}`)
  if (!CONFIG_MEDIA.test(config.mediaType)) throw refused('the configuration of the image has an unknown media type')
  const foreign = [config, ...layers].some(({ urls = [] }) => urls.length > 0)
  // guard: an-image-lies-in-the-registry-alone
  if (foreign) throw refused('the image has layers outside the registry')
  const strange = layers.find(({ mediaType }) => !LAYER_MEDIA.test(mediaType))
  if (strange !== undefined) throw refused(`the image has a layer of the unknown media type ${strange.mediaType}`)
  const blobs = new Map([config, ...layers].map(({ digest, size }) => [digest, size]))
  const total = [...blobs.values()].reduce((sum, size) => sum + size, bytes.length)
  // guard: an-image-is-so-large
  if (total > bytesMax) {
    throw new ImageRefused('quota', `the image has ${total} bytes, more than PLUGIN_IMAGE_MAX_MB allows (${bytesMax})`)
  }
  for (const [digest, size] of blobs) {
    const stored = await blobBytes(digest)
    // guard: the-blobs-of-an-image-are-there
    if (stored !== size)
      throw refused(`the blob ${digest} of the image ${stored === null ? 'is missing' : 'has another size'}`)
  }
  const text = await configOf(config.digest)
  if (text === null) throw refused('the configuration of the image is missing')
  const image = parsed('configuration', text, Config)
  if (image.os !== 'linux') throw refused(`the image is for ${image.os}: build it for linux`)
  const { length } = image.rootfs.diff_ids
  if (length !== layers.length) {
    throw refused(`the image has ${layers.length} layers, and its configuration names ${length}`)
  }
  return {
    bytes: total,
    blobs: [...blobs.keys()],
    layers,
    config: image,
    diffIds: image.rootfs.diff_ids,
    configText: text.toString('utf8'),
  }
}

const refused = (message: string): ImageRefused => new ImageRefused('validation', message)

function parsed<S extends TSchema>(what: string, bytes: Buffer, schema: S): Static<S> {
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch {
    throw refused(`the ${what} of the image is not JSON`)
  }
  const [problem] = problems(schema, value, '')
  if (problem !== undefined) throw refused(`the ${what} of the image: ${problem.path} ${problem.message}`)
  return value as Static<S>
}
