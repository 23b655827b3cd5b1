/**
 * Pushes an image to the registry, from a tar file with an OCI layout or in the format of `docker save`. Nothing in the
 * file is trusted: every blob is hashed while it is written to a separate file under a name of ours, and then sent
 * under that digest.
 */
import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { readTar, TarFault } from '../image/tar.js'
import { RegistryAway } from './base-refused.js'

/** A retry would not help. */
export class NoImage extends Error {}
/** The registry refuses the image, or breaks off on it. */
export class PushFailed extends Error {
  constructor(
    readonly isPermanent: boolean,
    message: string,
  ) {
    super(message)
  }
}

interface Held {
  readonly path: string
  readonly digest: string
  readonly bytes: number
}

interface Part {
  readonly mediaType: string
  readonly held: Held
}

export interface Target {
  readonly url: string
  readonly repository: string
  /** A tag by which the server finds what an attempt left in the repository. */
  readonly tag: string
  readonly token: () => Promise<string>
  readonly signal: AbortSignal
}

const OCI = 'application/vnd.oci.image.'
const DOCUMENT_BYTES_MAX = 4 * 1024 ** 2
const PIECE_BYTES = 4 * 1024 ** 2
const PROBE_MS_MAX = 10_000

/** @returns the digest of the manifest. */
export async function pushImage(file: string, scratch: string, bytesMax: number, target: Target): Promise<string> {
  const files = await unpack(file, scratch, bytesMax)
  const { config, layers } = files.has('index.json') ? await ociParts(files) : await dockerParts(files)
  for (const { held } of [...layers, config]) await upload(target, held)
  const described = ({ mediaType, held }: Part) => ({ mediaType, digest: held.digest, size: held.bytes })
  const manifest = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: `${OCI}manifest.v1+json`,
      config: described(config),
      layers: layers.map(described),
    }),
  )
  const digest = `sha256:${createHash('sha256').update(manifest).digest('hex')}`
  const answer = await ask(target, 'PUT', `manifests/${target.tag}`, {
    headers: { 'content-type': `${OCI}manifest.v1+json` },
    body: new Uint8Array(manifest),
  })
  if (answer.status !== 201) throw await refusal(target, answer)
  return digest
}

async function unpack(file: string, scratch: string, bytesMax: number): Promise<ReadonlyMap<string, Held>> {
  const folder = join(scratch, 'parts')
  mkdirSync(folder, { mode: 0o700 })
  const files = new Map<string, Held>()
  let total = 0
  try {
    for await (const { name, bytes, linkTo, content } of readTar(createReadStream(file))) {
      if (files.has(name)) throw new NoImage(`the image has ${JSON.stringify(name.slice(0, 100))} twice`)
      if (linkTo !== null) {
        const target = files.get(linkTo)
        if (target !== undefined) files.set(name, target)
        continue
      }
      total += bytes
      if (total > bytesMax) throw new NoImage(`the image has more than ${bytesMax} bytes`)
      const path = join(folder, String(files.size))
      const hash = createHash('sha256')
      const hashed = async function* () {
        for await (const chunk of content) {
          hash.update(chunk)
          yield chunk
        }
      }
      await pipeline(hashed, createWriteStream(path, { mode: 0o600, flags: 'wx' }))
      files.set(name, { path, bytes, digest: `sha256:${hash.digest('hex')}` })
    }
  } catch (error) {
    if (error instanceof TarFault) throw new NoImage(`the image cannot be read: ${error.message}`)
    throw error
  }
  return files
}

async function ociParts(files: ReadonlyMap<string, Held>): Promise<{ config: Part; layers: Part[] }> {
  let document = await json(files.get('index.json'), 'index.json')
  for (let depth = 0; Array.isArray(document['manifests']); depth++) {
    const [only, ...more] = document['manifests'].map(objectOf)
    if (only === undefined || more.length > 0 || depth > 3)
      throw new NoImage('the archive holds several images: build one for a single platform')
    document = await json(blobOf(files, only['digest']), 'a manifest')
  }
  const { config, layers } = document
  if (config === undefined || !Array.isArray(layers)) throw new NoImage('the image has no manifest')
  const part = (described: unknown): Part => {
    const { mediaType, digest } = objectOf(described)
    return { mediaType: String(mediaType), held: blobOf(files, digest) }
  }
  return { config: part(config), layers: layers.map(part) }
}

async function dockerParts(files: ReadonlyMap<string, Held>): Promise<{ config: Part; layers: Part[] }> {
  const images = await json(files.get('manifest.json'), 'manifest.json')
  const [image] = Object.values(images).map(objectOf)
  const layers = image?.['Layers'] ?? []
  if (!Array.isArray(layers)) throw new NoImage('the image has no list of layers')
  const held = (name: unknown): Held => {
    const found = files.get(String(name))
    if (found === undefined) throw new NoImage(`the image does not hold ${JSON.stringify(String(name).slice(0, 100))}`)
    return found
  }
  return {
    config: { mediaType: `${OCI}config.v1+json`, held: held(image?.['Config']) },
    layers: layers.map((name) => ({ mediaType: `${OCI}layer.v1.tar`, held: held(name) })),
  }
}

function objectOf(value: unknown): Record<string, unknown> {
  // guard: what-an-image-names-has-the-form-of-one
  if (typeof value !== 'object' || value === null) throw new NoImage('the image has an invalid manifest')
  return value as Record<string, unknown>
}

function blobOf(files: ReadonlyMap<string, Held>, digest: unknown): Held {
  const held = files.get(`blobs/sha256/${String(digest).replace('sha256:', '')}`)
  if (held === undefined) throw new NoImage(`the image does not hold the blob ${String(digest).slice(0, 80)}`)
  if (held.digest !== digest)
    throw new NoImage(`the content of ${String(digest).slice(0, 80)} in the image does not match the digest`)
  return held
}

async function json(held: Held | undefined, name: string): Promise<Record<string, unknown>> {
  if (held === undefined) throw new NoImage('it is not an image: it has neither index.json nor manifest.json')
  if (held.bytes > DOCUMENT_BYTES_MAX) throw new NoImage(`the image has ${name} of ${held.bytes} bytes`)
  let value: unknown
  try {
    value = JSON.parse(await readFile(held.path, 'utf8'))
  } catch {
    throw new NoImage(`the image has ${name} that is not JSON`)
  }
  return objectOf(value)
}

/** Sent in pieces, because proxies and registries end a request that takes minutes. */
async function upload(target: Target, { path, digest, bytes }: Held): Promise<void> {
  const there = await ask(target, 'HEAD', `blobs/${digest}`)
  if (there.status === 200) return
  const begun = await ask(target, 'POST', 'blobs/uploads/')
  if (begun.status !== 202) throw await refusal(target, begun)
  let at = await nextPlace(target, begun)
  let from = 0
  // guard: a-large-blob-goes-in-pieces
  for (; bytes - from > PIECE_BYTES; from += PIECE_BYTES) {
    const taken = await ask(target, 'PATCH', at.href, piece(path, from, from + PIECE_BYTES))
    if (taken.status !== 202) throw await refusal(target, taken)
    at = await nextPlace(target, taken)
  }
  at.searchParams.set('digest', digest)
  const done = await ask(target, 'PUT', at.href, piece(path, from, bytes))
  if (done.status !== 201) throw await refusal(target, done)
  await done.body?.cancel()
}

/** Where the next piece of an upload goes. */
async function nextPlace({ url }: Target, answer: Response): Promise<URL> {
  await answer.body?.cancel()
  const at = new URL(answer.headers.get('location') ?? '', url)
  if (at.origin !== new URL(url).origin) throw new PushFailed(false, 'the registry redirects an upload')
  return at
}

/** The bytes of the file from one place up to another. */
function piece(path: string, from: number, to: number): RequestInit {
  const headers = {
    'content-type': 'application/octet-stream',
    'content-length': String(to - from),
    ...(to === from ? {} : { 'content-range': `${from}-${to - 1}` }),
  }
  if (to === from) return { headers }
  const body = Readable.toWeb(createReadStream(path, { start: from, end: to - 1 })) as ReadableStream
  return { headers, body, duplex: 'half' } as RequestInit
}

async function ask(target: Target, method: string, path: string, init: RequestInit = {}): Promise<Response> {
  const { url, repository, token, signal } = target
  const address = path.startsWith('http') ? path : `${url}/v2/${repository}/${path}`
  const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${await token()}` }
  try {
    return await fetch(address, { ...init, method, headers, redirect: 'manual', signal })
  } catch (error) {
    if (signal.aborted) throw signal.reason
    const { message, cause } = error instanceof Error ? error : { message: String(error), cause: undefined }
    const why = cause instanceof Error && cause.message !== '' ? cause.message : message
    throw await unlessAway(target, `the registry does not answer: ${why}`)
  }
}

/** Answers that another attempt may not get. */
const PASSING = new Set([408, 425, 429])

async function refusal(target: Target, answer: Response): Promise<Error> {
  const { status } = answer
  const text = (await answer.text().catch(() => '')).slice(0, 300)
  // The registry runs a garbage collection, which is not the plugin's fault.
  if (status === 405) return new RegistryAway('the registry is read-only')
  const says = `the registry answered ${status}: ${text}`
  if (status >= 500) return unlessAway(target, says)
  return new PushFailed(status >= 400 && !PASSING.has(status), says)
}

/**
 * A registry that is away is not the plugin's fault. One that answers, but not for this image, fails the attempt: the
 * build would otherwise be given back for ever.
 */
async function unlessAway({ url, signal }: Target, message: string): Promise<Error> {
  try {
    const answer = await fetch(`${url}/v2/`, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS_MAX)]),
    })
    await answer.body?.cancel()
    // guard: a-registry-that-is-away-costs-no-attempt
    if (answer.status < 500) return new PushFailed(false, message)
  } catch {
    // It is away.
  }
  return signal.aborted ? signal.reason : new RegistryAway(message)
}
