/**
 * A base image from the registry that builds are pushed to, fetched with a token of the build, which lists what the
 * plugin's organization may pull. Each blob is hashed during the download and again before each use.
 */
import { createHash } from 'node:crypto'
import { createWriteStream, existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { BaseAway, BaseRefused, RegistryAway } from './base-refused.js'
import { blobOf, putRef } from './base-view.js'
import { Faulty } from './fault-reasons.js'

export interface OwnRegistry {
  readonly url: string
  /** A token that pulls from this repository. */
  token(repository: string): Promise<string>
}

export interface OwnBase {
  readonly repository: string
  /** A tag or a digest. */
  readonly reference: string
  /** The reference name in the layout. */
  refOf(digest: string): string
}

export interface BaseInLayout {
  /** The reference name in the layout. */
  readonly ref: string
  readonly digest: string
}

const DOCUMENT_BYTES_MAX = 4 * 1024 ** 2
const LAYER_BYTES_MAX = 64 * 1024 ** 3
/** Media types of the manifest of one image, and of lists of several. */
const ACCEPTED = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
]
const DIGEST = /^sha256:[0-9a-f]{64}$/
/** The architecture of this machine, as images name it. */
const ARCHITECTURE = { x64: 'amd64', arm64: 'arm64' }[process.arch as string] ?? process.arch

interface Sized {
  readonly digest: string
  readonly size: number
  readonly mediaType?: string
  readonly platform?: { readonly os?: string; readonly architecture?: string }
}

/** @throws BaseRefused when the image does not exist for the organization. */
export async function fetchOwnBase(
  registry: OwnRegistry,
  { repository, reference, refOf }: OwnBase,
  layout: string,
  signal: AbortSignal,
): Promise<BaseInLayout> {
  const token = await registry.token(repository)
  const ask = async (path: string, accept?: string) => {
    const response = await fetch(`${registry.url}/v2/${repository}/${path}`, {
      headers: { authorization: `Bearer ${token}`, ...(accept === undefined ? {} : { accept }) },
      redirect: 'error',
      signal,
    }).catch((error: unknown) => {
      const why = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
      throw new RegistryAway(`the registry ${registry.url} cannot be reached: ${why}`)
    })
    if (response.ok) return response
    await response.body?.cancel()
    if (response.status >= 500 || response.status === 429) {
      throw new RegistryAway(
        `the registry ${registry.url} answered ${response.status} for the base image ${repository}`,
      )
    }
    throw new BaseRefused(
      `the base image ${repository}${reference.startsWith('sha256:') ? '@' : ':'}${reference} does not exist, or the organization cannot pull it`,
    )
  }
  mkdirSync(join(layout, 'blobs', 'sha256'), { recursive: true })
  const manifest = await manifestOf(ask, reference)
  const { config, layers } = JSON.parse(manifest.bytes.toString('utf8')) as { config?: Sized; layers?: Sized[] }
  if (config === undefined || !Array.isArray(layers)) throw new BaseRefused(`${repository} ${reference} has no image`)
  for (const part of [config, ...layers]) await fetchBlob(ask, part, layout, signal)
  writeFileSync(blobOf(layout, manifest.digest), manifest.bytes)
  const ref = refOf(manifest.digest)
  putRef(layout, { mediaType: manifest.media, digest: manifest.digest, size: manifest.bytes.length }, ref)
  return { ref, digest: manifest.digest }
}

type Ask = (path: string, accept?: string) => Promise<Response>

async function manifestOf(
  ask: Ask,
  reference: string,
  depth = 0,
): Promise<{ bytes: Buffer; digest: string; media: string }> {
  const response = await ask(`manifests/${reference}`, ACCEPTED.join(', '))
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > DOCUMENT_BYTES_MAX) throw new BaseRefused(`the manifest of ${reference} is too large`)
    chunks.push(chunk)
  }
  const bytes = Buffer.concat(chunks)
  const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`
  if (reference.startsWith('sha256:') && digest !== reference)
    throw new Faulty('registry', `the content of ${reference} in the registry does not match its digest`)
  const { manifests } = JSON.parse(bytes.toString('utf8')) as { manifests?: Sized[] }
  if (!Array.isArray(manifests)) {
    return { bytes, digest, media: response.headers.get('content-type')?.split(';')[0]?.trim() ?? ACCEPTED[0] ?? '' }
  }
  const own = manifests.find(({ platform }) => platform?.os === 'linux' && platform.architecture === ARCHITECTURE)
  if (own === undefined || depth > 1) throw new BaseRefused(`${reference} has no image for linux/${ARCHITECTURE}`)
  return manifestOf(ask, own.digest, depth + 1)
}

async function fetchBlob(ask: Ask, { digest, size }: Sized, layout: string, signal: AbortSignal): Promise<void> {
  if (!DIGEST.test(digest) || !(size >= 0 && size <= LAYER_BYTES_MAX))
    throw new BaseRefused('the base image has unknown parts')
  const path = blobOf(layout, digest)
  // It is hashed again when a build uses it.
  if (existsSync(path)) return
  const { body } = await ask(`blobs/${digest}`)
  if (body === null) throw new Faulty('registry', `the registry sent nothing for ${digest}`)
  const partial = `${path}.partial`
  const hash = createHash('sha256')
  let bytes = 0
  try {
    await pipeline(
      Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]),
      async function* (chunks: AsyncIterable<Uint8Array>) {
        for await (const chunk of chunks) {
          bytes += chunk.length
          if (bytes > size) throw new BaseAway(`the registry sends more bytes than declared for ${digest}`)
          hash.update(chunk)
          yield chunk
        }
      },
      createWriteStream(partial),
      { signal },
    )
    // guard: a-base-image-has-its-digest
    if (`sha256:${hash.digest('hex')}` !== digest) {
      throw new Faulty('registry', `the content of ${digest} in the registry does not match the digest`)
    }
    renameSync(partial, path)
  } finally {
    await rm(partial, { force: true })
  }
}
