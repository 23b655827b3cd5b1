/**
 * Reads a prebuilt image: `image.tar` as an OCI layout, in the format of `docker save`, or both in one. Every blob must
 * match its digest. The facts come from the configuration of the image: which user it runs as, and what it was built
 * from. Source: spec platform 10.2 (prebuilt: config digest verified); OCI image specification 1.1.
 */
import { createHash } from 'node:crypto'
import Type, { type Static, type TSchema } from 'typebox'
import { problems } from '../../runtime/operation/schema.js'
import { isRootUser } from '../dockerfile/facts.js'
import { readTar, TarFault } from './tar.js'

export interface ImageFacts {
  /** `sha256:` and 64 digits: the digest of the configuration, which identifies the image. */
  readonly configDigest: string
  readonly usesRootUser: boolean
  /** The base image that it declares; null when it declares none. */
  readonly baseImage: string | null
}

/** Why the file is not an image; the message is for the uploader. */
export class ImageFault extends Error {}

/** Limits for manifests and configurations. Layers are larger, and only their digests are kept. */
const TEXT_BYTES_MAX = 1_048_576
const TEXTS_BYTES_MAX = 8 * 1_048_576
const INDEX_DEPTH_MAX = 3

const Digest = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' })
const Descriptor = Type.Object({ digest: Digest, size: Type.Integer({ minimum: 0 }) })
const DockerManifest = Type.Array(
  Type.Object({ Config: Type.String({ maxLength: 1024 }), Layers: Type.Array(Type.String({ maxLength: 1024 })) }),
  { minItems: 1, maxItems: 1 },
)
const Index = Type.Object({ manifests: Type.Array(Descriptor, { minItems: 1, maxItems: 100 }) })
const Manifest = Type.Object({ config: Descriptor, layers: Type.Array(Descriptor) })
const Config = Type.Object({
  config: Type.Optional(
    Type.Union([
      Type.Null(),
      Type.Object({
        User: Type.Optional(Type.String()),
        Labels: Type.Optional(Type.Union([Type.Null(), Type.Record(Type.String(), Type.String())])),
      }),
    ]),
  ),
  rootfs: Type.Object({ type: Type.Literal('layers'), diff_ids: Type.Array(Digest) }),
})
const BASE_NAME = 'org.opencontainers.image.base.name'

interface Held {
  readonly bytes: number
  readonly digest: string
  /** Null for a file that is too large to be kept as text. */
  readonly text: Buffer | null
}

/** @throws ImageFault */
export async function readImage(pieces: AsyncIterable<Buffer>): Promise<ImageFacts> {
  const files = await holdFiles(pieces)
  const docker = files.has('manifest.json') ? dockerConfig(files) : null
  const oci = files.has('oci-layout') ? ociConfig(files) : null
  const configs = [docker, oci].filter((each) => each !== null)
  const [config] = configs
  if (config === undefined) {
    throw new ImageFault('is not an image: it has neither `manifest.json` (docker save) nor `oci-layout`')
  }
  if (configs.some(({ digest }) => digest !== config.digest)) {
    throw new ImageFault('has one image in `manifest.json` and another in `index.json`')
  }
  const { config: said } = config.value
  const baseImage = said?.Labels?.[BASE_NAME] ?? null
  return { configDigest: config.digest, usesRootUser: isRootUser(said?.User ?? null), baseImage }
}

async function holdFiles(pieces: AsyncIterable<Buffer>): Promise<ReadonlyMap<string, Held>> {
  const files = new Map<string, Held>()
  const links: { name: string; linkTo: string }[] = []
  let textBytes = 0
  try {
    for await (const { name, bytes, linkTo, content } of readTar(pieces)) {
      if (files.has(name) || links.some((link) => link.name === name)) {
        throw new ImageFault(`has ${shown(name)} twice`)
      }
      if (linkTo !== null) {
        links.push({ name, linkTo })
        continue
      }
      const isText = bytes <= TEXT_BYTES_MAX && textBytes + bytes <= TEXTS_BYTES_MAX
      const hash = createHash('sha256')
      const chunks: Buffer[] = []
      for await (const chunk of content) {
        hash.update(chunk)
        // A copy, because the chunk is a view of a larger buffer that would stay in memory.
        if (isText) chunks.push(Buffer.from(chunk))
      }
      if (isText) textBytes += bytes
      files.set(name, { bytes, digest: `sha256:${hash.digest('hex')}`, text: isText ? Buffer.concat(chunks) : null })
    }
  } catch (error) {
    if (error instanceof TarFault) throw new ImageFault(`cannot be read: ${error.message}`)
    throw error
  }
  for (const [name, { digest }] of files) {
    const [, hex] = /^blobs\/sha256\/(.+)$/.exec(name) ?? []
    // guard: a-blob-is-what-its-digest-says
    if (hex !== undefined && digest !== `sha256:${hex}`)
      throw new ImageFault(`has ${shown(name)} with a digest that does not match`)
  }
  // Older versions of docker save write a layer once and link to it.
  for (const { name, linkTo } of links) {
    const target = files.get(linkTo) ?? files.get(joined(name, linkTo))
    if (target === undefined) throw new ImageFault(`has the link ${shown(name)} to a file that it does not contain`)
    files.set(name, target)
  }
  return files
}

/** The target of a link, relative to the folder of the link. */
function joined(name: string, target: string): string {
  const path = name.split('/').slice(0, -1)
  for (const segment of target.split('/')) {
    if (segment === '..') path.pop()
    else path.push(segment)
  }
  return path.join('/')
}

interface FoundConfig {
  readonly digest: string
  readonly value: Static<typeof Config>
}

function dockerConfig(files: ReadonlyMap<string, Held>): FoundConfig {
  const [image] = parsed('manifest.json', fileOf(files, 'manifest.json'), DockerManifest)
  if (image === undefined) throw new ImageFault('names no image in `manifest.json`')
  const file = fileOf(files, image.Config)
  const [, hex = ''] = /^(?:blobs\/sha256\/)?([0-9a-f]{64})(?:\.json)?$/.exec(image.Config) ?? []
  // guard: a-configuration-is-what-its-digest-says
  if (file.digest !== `sha256:${hex}`)
    throw new ImageFault(`has a configuration, ${shown(image.Config)}, with a digest that does not match`)
  const value = parsed(image.Config, file, Config)
  for (const layer of image.Layers) fileOf(files, layer)
  checkLayers(value, image.Layers.length)
  return { digest: file.digest, value }
}

function ociConfig(files: ReadonlyMap<string, Held>): FoundConfig {
  const layout = parsed('oci-layout', fileOf(files, 'oci-layout'), Type.Object({ imageLayoutVersion: Type.String() }))
  if (layout.imageLayoutVersion !== '1.0.0') throw new ImageFault('is an OCI layout of another version than 1.0.0')
  const { manifests } = parsed('index.json', fileOf(files, 'index.json'), Index)
  const manifest = onlyManifest(files, manifests, 1)
  const value = parsed('the configuration', blobOf(files, manifest.config), Config)
  for (const layer of manifest.layers) blobOf(files, layer)
  checkLayers(value, manifest.layers.length)
  return { digest: manifest.config.digest, value }
}

/** The manifest of the single image; an index may contain another index. */
function onlyManifest(
  files: ReadonlyMap<string, Held>,
  [first, ...more]: readonly Static<typeof Descriptor>[],
  depth: number,
): Static<typeof Manifest> {
  if (first === undefined || more.length > 0 || depth > INDEX_DEPTH_MAX) {
    throw new ImageFault('contains several images: save one for a single platform')
  }
  const text = json('a manifest', blobOf(files, first))
  if (problems(Index, text, '').length === 0) {
    return onlyManifest(files, (text as Static<typeof Index>).manifests, depth + 1)
  }
  return checked('a manifest', text, Manifest)
}

function checkLayers({ rootfs }: Static<typeof Config>, layers: number): void {
  if (rootfs.diff_ids.length === layers) return
  throw new ImageFault(`has ${layers} layers, and its configuration names ${rootfs.diff_ids.length}`)
}

function fileOf(files: ReadonlyMap<string, Held>, name: string): Held {
  const file = files.get(name)
  if (file === undefined) throw new ImageFault(`refers to ${shown(name)}, which it does not contain`)
  return file
}

function blobOf(files: ReadonlyMap<string, Held>, { digest, size }: Static<typeof Descriptor>): Held {
  const file = fileOf(files, `blobs/sha256/${digest.slice('sha256:'.length)}`)
  if (file.bytes !== size) throw new ImageFault(`has a blob ${digest} with a size that does not match`)
  return file
}

function json(name: string, { text }: Held): unknown {
  if (text === null) throw new ImageFault(`has ${shown(name)} of more than ${TEXT_BYTES_MAX} bytes`)
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    throw new ImageFault(`has ${shown(name)}, which is not JSON`)
  }
}

const parsed = <S extends TSchema>(name: string, file: Held, schema: S): Static<S> =>
  checked(name, json(name, file), schema)

function checked<S extends TSchema>(name: string, value: unknown, schema: S): Static<S> {
  const [problem] = problems(schema, value, '')
  if (problem !== undefined) throw new ImageFault(`has ${shown(name)}: ${problem.path} ${problem.message}`)
  return value as Static<S>
}

const shown = (name: string): string => JSON.stringify(name.slice(0, 100))
