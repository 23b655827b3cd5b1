/**
 * Reads the layers of an image one after another, as streams. Each layer must match its digests, is searched for the
 * secret values of its build, and is read for installed packages. Nothing is unpacked to disk, and memory is bounded.
 */
import { createHash, type Hash } from 'node:crypto'
import { PassThrough, Readable, Transform, type TransformCallback } from 'node:stream'
import * as zlib from 'node:zlib'
import { createGunzip } from 'node:zlib'
import { readTar, TarFault, type TarFile } from '../image/tar.js'
import { type Needle, searchFor } from './needles.js'
import { type Package, type Release, type Source, sourceOf, type Told } from './packages.js'
import { LayerTree } from './tree.js'

export interface Layer {
  readonly digest: string
  readonly mediaType: string
  readonly size: number
  /** Digest of the unpacked tar file, from the configuration of the image. */
  readonly diffId: string
}

export interface LayerLimits {
  readonly entriesMax: number
  /** Limit for all layers together, unpacked. */
  readonly unpackedBytesMax: number
  readonly packagesMax: number
}

export interface LayerContents {
  readonly packages: readonly (Package & { readonly location: string })[]
  readonly release: Release | null
  /**
   * False when the limit of packages was reached or a source could not be read: packages outside the list may be
   * installed.
   */
  readonly isComplete: boolean
}

/** Why an image is refused; the message is for its author. */
export class LayerFault extends Error {
  constructor(
    readonly category: 'validation' | 'auth-secrets' | 'quota',
    message: string,
  ) {
    super(message)
    this.name = 'LayerFault'
  }
}

interface Held {
  readonly told: Told
}

/** @param take returns the given number of next bytes. @throws LayerFault */
export async function inspectLayers(
  layers: readonly Layer[],
  needles: readonly Needle[],
  limits: LayerLimits,
  take: (bytes: number) => AsyncIterable<Buffer>,
): Promise<LayerContents> {
  const tree = new LayerTree<Held>()
  const left = { bytes: limits.unpackedBytesMax, entries: limits.entriesMax }
  let isComplete = true
  for (const [index, layer] of layers.entries()) {
    const what = `layer ${index + 1} of ${layers.length}`
    const reading = new LayerReading(layer, what, needles, left)
    try {
      const tar = readTar(reading.tar(take(layer.size)), { entriesMax: left.entries, isFileSystem: true })
      for await (const file of tar) {
        left.entries -= 1
        if (!(await addTo(tree, file, what))) isComplete = false
      }
      await reading.end()
    } catch (error) {
      if (error instanceof TarFault)
        throw new LayerFault('validation', `${what} of the image cannot be read: ${error.message}`)
      throw error
    }
    tree.endLayer()
  }
  return contentsOf(tree, limits.packagesMax, isComplete)
}

/** Reads one layer, from the bytes of the registry to the files in it. */
class LayerReading {
  readonly #packed: Hash = createHash('sha256')
  readonly #plain: Hash = createHash('sha256')
  readonly #search: ReturnType<typeof searchFor>
  readonly #layer: Layer
  readonly #what: string
  readonly #left: { bytes: number }
  #pieces: AsyncIterator<Buffer> | null = null
  #packedBytes = 0

  constructor(layer: Layer, what: string, needles: readonly Needle[], left: { bytes: number }) {
    this.#layer = layer
    this.#what = what
    this.#left = left
    this.#search = searchFor(needles)
  }

  tar(packed: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    const pieces = this.#unpacked(packed)[Symbol.asyncIterator]()
    this.#pieces = pieces
    // The iterator has no `return`, so that a reader that stops early does not end the layer: the bytes after the files
    // are checked too.
    return { [Symbol.asyncIterator]: () => ({ next: () => pieces.next() }) }
  }

  /** Reads the rest of the layer, and verifies its size and digests. */
  async end(): Promise<void> {
    while ((await this.#pieces?.next())?.done === false);
    const { digest, diffId, size } = this.#layer
    if (this.#packedBytes < size) {
      throw new LayerFault(
        'validation',
        `${this.#what} of the image has extra bytes after its end: build the image again`,
      )
    }
    // guard: a-layer-is-what-its-digest-says
    if (`sha256:${this.#packed.digest('hex')}` !== digest) {
      throw new LayerFault('validation', `${this.#what} of the image does not match its digest: push it again`)
    }
    // guard: a-layer-is-what-the-configuration-says
    if (`sha256:${this.#plain.digest('hex')}` !== diffId) {
      throw new LayerFault(
        'validation',
        `${this.#what} of the image does not match the configuration when unpacked (diff_ids): build the image again`,
      )
    }
  }

  async *#unpacked(packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    const hashed = new Transform({
      transform: (chunk: Buffer, _encoding, done: TransformCallback) => {
        this.#packed.update(chunk)
        this.#packedBytes += chunk.length
        done(null, chunk)
      },
    })
    const source = Readable.from(packed, { objectMode: false })
    const unpacker = this.#unpacker()
    const whole = source.pipe(hashed).pipe(unpacker)
    source.on('error', (error) => unpacker.destroy(error))
    try {
      for await (const piece of whole as AsyncIterable<Buffer>) yield this.#looked(piece)
    } catch (error) {
      if (!isOfUnpacker(error)) throw error
      throw new LayerFault('validation', `${this.#what} of the image cannot be unpacked: build the image again`)
    }
  }

  #looked(piece: Buffer): Buffer {
    this.#left.bytes -= piece.length
    // guard: layers-unpack-to-so-many-bytes
    if (this.#left.bytes < 0) {
      throw new LayerFault(
        'quota',
        `the layers of the image unpack to more bytes than the limit of the server: ${this.#what}`,
      )
    }
    this.#plain.update(piece)
    // guard: no-secret-of-a-build-in-its-image
    const name = this.#search.look(piece)
    if (name !== null) throw secretFault(name, this.#what)
    return piece
  }

  #unpacker(): Transform {
    const { mediaType } = this.#layer
    if (/[+.]gzip$/.test(mediaType)) return createGunzip({ chunkSize: 262_144 })
    if (!mediaType.endsWith('+zstd')) return new PassThrough()
    const { createZstdDecompress } = zlib as { createZstdDecompress?: () => Transform }
    if (createZstdDecompress !== undefined) return createZstdDecompress()
    throw new LayerFault(
      'validation',
      `${this.#what} of the image is compressed with zstd, which this server cannot read: use gzip`,
    )
  }
}

const isOfUnpacker = (error: unknown): boolean =>
  error instanceof Error && /^(?:Z_|ZSTD_|ERR_ZSTD|ERR_BUFFER)/.test(String((error as NodeJS.ErrnoException).code))

/** The message says how to fix it, and does not contain the value that was found. */
export const secretFault = (name: string, where: string): LayerFault =>
  new LayerFault(
    'auth-secrets',
    `the image contains the value of the secret ${name} in ${where}: read it in one RUN with \`--mount=type=secret,id=${name}\`, do not write it to a file; and change the secret`,
  )

/** @returns false when the file may list packages that could not be read. */
async function addTo(tree: LayerTree<Held>, file: TarFile, what: string): Promise<boolean> {
  const path = pathOf(file.name, what)
  if (path === '' || tree.takeAway(path)) return true
  if (file.kind === 'folder') return true
  const source = sourceOf(path)
  if (file.kind === 'hard-link') {
    const linked = tree.get(pathOf(file.linkTo ?? '', what))
    tree.add(path, source === null ? null : (linked ?? null))
    return source === null || source.isRelease === true || linked !== undefined
  }
  if (file.kind !== 'file' || source === null) {
    tree.add(path, null)
    // The target of a link is not read.
    return source === null || source.isRelease === true || file.kind !== 'link'
  }
  const text = await textOf(file, source)
  const told = text === null ? null : source.read(text)
  tree.add(path, told === null ? null : { told })
  return text !== null || source.isRelease === true
}

/** @throws LayerFault for a name that leads out of the image. */
function pathOf(name: string, what: string): string {
  const segments = name.split('/').filter((segment) => segment !== '' && segment !== '.')
  // guard: no-name-leads-out-of-an-image
  if (segments.includes('..')) {
    throw new LayerFault(
      'validation',
      `${what} of the image contains ${JSON.stringify(name.slice(0, 100))}, which leads out of it`,
    )
  }
  return segments.join('/')
}

async function textOf({ bytes, content }: TarFile, { bytesMax, isHeadEnough = false }: Source): Promise<string | null> {
  if (bytes > bytesMax && !isHeadEnough) return null
  const chunks: Buffer[] = []
  let held = 0
  for await (const chunk of content) {
    if (held >= bytesMax) continue
    // A copy, because the chunk is a view of a larger buffer that would stay in memory.
    chunks.push(Buffer.from(chunk))
    held += chunk.length
  }
  return Buffer.concat(chunks).subarray(0, bytesMax).toString('utf8')
}

function contentsOf(tree: LayerTree<Held>, packagesMax: number, isComplete: boolean): LayerContents {
  const packages: LayerContents['packages'][number][] = []
  let release: Release | null = null
  for (const [location, { told }] of tree.files) {
    if (told.kind === 'packages') for (const each of told.packages) packages.push({ ...each, location })
    else if (release === null || location === 'etc/os-release') release = told.release
  }
  return {
    packages: packages.slice(0, packagesMax),
    release,
    isComplete: isComplete && packages.length <= packagesMax,
  }
}
