/**
 * A registry in this process that can lie on request. It implements the part of the distribution protocol that the
 * server uses.
 */
import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { makeTar, type TarPart } from './image-tar.js'

export type Lie =
  | 'none'
  | 'other-manifest'
  | 'other-config'
  | 'huge'
  | 'away'
  | 'lost-blob'
  | 'forgets'
  | 'redirects'
  | 'mounts-nothing'
  | 'rubbish'
  | 'silent'
  | 'deletes-twice'

/** How a single answer is disturbed. */
export type Flap = 'cut' | 'none' | 'doubled' | 'reordered' | 'changed' | 'missing' | 'away' | 'redirect' | 'endless'

export interface FakeRegistry {
  readonly url: string
  readonly blobs: Map<string, Buffer>
  /** `<repository>@<digest>` and `<repository>:<tag>` to a manifest. */
  readonly manifests: Map<string, Buffer>
  /** What has come of uploads in pieces. */
  readonly uploads: Map<string, Buffer>
  lie: Lie
  /** Called before each answer; null for a correct answer. */
  flap: (method: string, path: string) => Flap | null
  /** Number of bytes sent in endless answers. */
  readonly endlessBytes: () => number
  /** Stores an image with these layers. @returns its digest. */
  stage(repository: string, image?: ImageParts): string
  /** Stores a manifest, also under a tag if one is given. @returns its digest. */
  put(repository: string, manifest: object, tag?: string): string
  close(): Promise<void>
}

export interface ImageParts {
  readonly user?: string
  readonly layers?: number
  readonly os?: string
  /** Also stores the image under this tag. */
  readonly tag?: string
  /** Makes its layers differ from those of other images. */
  readonly seed?: string
  /** The contents of its layers, the lowest first. Replaces `layers`. */
  readonly files?: readonly (readonly TarPart[])[]
  /** Uncompressed layers, used unchanged. */
  readonly tars?: readonly Buffer[]
  readonly config?: object
  readonly change?: (manifest: Record<string, unknown>) => void
}

const sha = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`
const OCI = 'application/vnd.oci.image.manifest.v1+json'

export async function fakeRegistry(): Promise<FakeRegistry> {
  const blobs = new Map<string, Buffer>()
  const manifests = new Map<string, Buffer>()
  const put = (bytes: Buffer) => {
    blobs.set(sha(bytes), bytes)
    return { digest: sha(bytes), size: bytes.length }
  }
  let endless = 0
  const fake: FakeRegistry = {
    url: '',
    blobs,
    manifests,
    uploads: new Map(),
    lie: 'none',
    flap: () => null,
    endlessBytes: () => endless,
    stage(
      repository,
      { user = '1000', layers = 2, os = 'linux', change, tag, seed = '', files, tars, config: more } = {},
    ) {
      const parts = files ?? Array.from({ length: layers }, (_, n) => [{ name: `etc/layer-${n}`, content: seed }])
      const plain = tars ?? parts.map(makeTar)
      const each = plain.map((tar) => put(gzipSync(tar)))
      const config = put(
        Buffer.from(
          JSON.stringify({
            architecture: 'amd64',
            os,
            config: { User: user, ...more },
            rootfs: { type: 'layers', diff_ids: plain.map(sha) },
          }),
        ),
      )
      const manifest: Record<string, unknown> = {
        schemaVersion: 2,
        mediaType: OCI,
        config: { mediaType: 'application/vnd.oci.image.config.v1+json', ...config },
        layers: each.map((layer) => ({ mediaType: 'application/vnd.oci.image.layer.v1.tar+gzip', ...layer })),
      }
      change?.(manifest)
      return fake.put(repository, manifest, tag)
    },
    put(repository, manifest, tag) {
      const bytes = Buffer.from(JSON.stringify(manifest))
      manifests.set(`${repository}@${sha(bytes)}`, bytes)
      if (tag !== undefined) manifests.set(`${repository}:${tag}`, bytes)
      return sha(bytes)
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const [method, url] = [request.method ?? '', new URL(request.url ?? '', 'http://x')]
    const flap = fake.flap(method, url.pathname)
    if (flap === 'endless' && method !== 'HEAD') return void flood(response, (bytes) => (endless += bytes))
    const sent = { body: Buffer.concat(chunks), range: request.headers['content-range'] }
    answer(fake, method, url, sent, flap === null ? response : flapping(response, flap))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(fake, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

/** Sends up to a gigabyte, as long as the client reads. */
function flood(response: ServerResponse, count: (bytes: number) => void): void {
  const piece = Buffer.alloc(65_536, ' ')
  let left = 16_384
  response.writeHead(200, { 'content-type': OCI })
  const more = () => {
    while (left > 0 && !response.destroyed) {
      left -= 1
      count(piece.length)
      if (!response.write(piece)) return void response.once('drain', more)
    }
    response.end()
  }
  more()
}

/** Handles the request correctly, and changes the answer. */
function flapping(response: ServerResponse, flap: Flap): ServerResponse {
  const { writeHead, end } = { writeHead: response.writeHead.bind(response), end: response.end.bind(response) }
  const status = { missing: 404, away: 503, redirect: 307 }[flap as string]
  let head: [number, Record<string, string>] = [200, {}]
  return Object.assign(response, {
    writeHead(code: number, headers: Record<string, string>) {
      head = [status ?? code, headers]
      return response
    },
    end(given: unknown) {
      const body = Buffer.from((given as Uint8Array | undefined) ?? [])
      if (flap === 'none') return response.destroy()
      if (status !== undefined) {
        writeHead(status, { location: 'http://169.254.169.254/' })
        return end()
      }
      if (flap === 'cut') {
        writeHead(head[0], head[1])
        response.write(body.subarray(0, body.length >> 1))
        return response.destroy()
      }
      const half = body.length >> 1
      const other = {
        doubled: Buffer.concat([body, body]),
        reordered: Buffer.concat([body.subarray(half), body.subarray(0, half)]),
      }[flap as string]
      const bytes = other ?? Buffer.concat([body, Buffer.from(' ')])
      writeHead(head[0], given === undefined ? head[1] : { ...head[1], 'content-length': String(bytes.length) })
      return end(given === undefined ? undefined : bytes)
    },
  }) as unknown as ServerResponse
}

interface Sent {
  readonly body: Buffer
  readonly range: string | undefined
}

type End = (status: number, bytes?: Uint8Array, headers?: Record<string, string>) => undefined

/** A piece of an upload, or its end. */
function receive(fake: FakeRegistry, method: string, url: URL, { body, range }: Sent, end: End): undefined {
  const received = Buffer.concat([fake.uploads.get(url.pathname) ?? Buffer.alloc(0), body])
  if (method === 'PATCH') {
    const expected = `${received.length - body.length}-${received.length - 1}`
    if (range !== expected) return end(416)
    fake.uploads.set(url.pathname, received)
    return end(202, Buffer.alloc(0), { location: url.pathname })
  }
  fake.uploads.delete(url.pathname)
  if (sha(received) !== url.searchParams.get('digest')) return end(400)
  fake.blobs.set(sha(received), received)
  return end(201)
}

function answer(fake: FakeRegistry, method: string, url: URL, sent: Sent, response: ServerResponse): undefined {
  const { body } = sent
  const end = (
    status: number,
    bytes: Uint8Array = Buffer.alloc(0),
    headers: Record<string, string> = {},
  ): undefined => {
    response.writeHead(status, { ...headers, 'content-length': String(bytes.length) })
    response.end(method === 'HEAD' ? undefined : bytes)
    return undefined
  }
  if (fake.lie === 'silent') return undefined
  if (fake.lie === 'rubbish') return end(200, Buffer.from('<html>Sign in</html>'), { 'content-type': 'text/html' })
  if (fake.lie === 'away') return end(503)
  if (fake.lie === 'redirects') return end(307, Buffer.alloc(0), { location: 'http://169.254.169.254/' })
  if (url.pathname === '/v2/_catalog') {
    const names = [...new Set([...fake.manifests.keys()].map((key) => key.replace(/[@:].*$/, '')))].sort()
    const last = url.searchParams.get('last') ?? ''
    const some = names.filter((name) => name > last).slice(0, Number(url.searchParams.get('n') ?? 100))
    return end(200, Buffer.from(JSON.stringify({ repositories: some })))
  }
  const [, listed] = /^\/v2\/(.+)\/tags\/list$/.exec(url.pathname) ?? []
  if (listed !== undefined) {
    const keys = [...fake.manifests.keys()].filter(
      (key) => key.startsWith(`${listed}:`) || key.startsWith(`${listed}@`),
    )
    const tags = keys.filter((key) => key.startsWith(`${listed}:`)).map((key) => key.slice(listed.length + 1))
    return keys.length === 0 ? end(404) : end(200, Buffer.from(JSON.stringify({ name: listed, tags })))
  }
  const [, repository = '', kind = '', reference = ''] =
    /^\/v2\/(.+)\/(manifests|blobs|blobs\/uploads)\/([^/]*)$/.exec(url.pathname) ?? []
  if (kind === 'blobs/uploads') {
    if (method !== 'POST') return receive(fake, method, url, sent, end)
    return end(fake.blobs.has(url.searchParams.get('mount') ?? '') ? 201 : 202, Buffer.alloc(0), {
      location: url.pathname + '1',
    })
  }
  if (kind === 'blobs') {
    const isNotMounted = fake.lie === 'mounts-nothing' && !repository.startsWith('staging/')
    const blob = fake.lie === 'lost-blob' || isNotMounted ? undefined : fake.blobs.get(reference)
    if (blob === undefined) return end(404)
    return end(200, method === 'GET' && fake.lie === 'other-config' ? Buffer.concat([blob, Buffer.from(' ')]) : blob)
  }
  const key = `${repository}${reference.startsWith('sha256:') ? '@' : ':'}${reference}`
  if (method === 'PUT') {
    if (fake.lie !== 'forgets') {
      fake.manifests.set(`${repository}@${sha(body)}`, body)
      if (!reference.startsWith('sha256:')) fake.manifests.set(`${repository}:${reference}`, body)
    }
    return end(201)
  }
  if (method === 'DELETE') {
    if (!reference.startsWith('sha256:')) return end(400)
    // Deletes the manifest with all of its tags.
    for (const [other, bytes] of fake.manifests) {
      if (other.startsWith(`${repository}:`) && sha(bytes) === reference) fake.manifests.delete(other)
    }
    return end(fake.manifests.delete(key) || fake.lie === 'deletes-twice' ? 202 : 404)
  }
  const found = fake.manifests.get(key)
  if (found === undefined) return end(404)
  if (fake.lie === 'huge') return end(200, Buffer.alloc(5 * 1024 ** 2), { 'content-type': OCI })
  return end(200, fake.lie === 'other-manifest' ? Buffer.concat([found, Buffer.from('\n')]) : found, {
    'content-type': (JSON.parse(found.toString()) as { mediaType?: string }).mediaType ?? OCI,
    'docker-content-digest': sha(found),
  })
}
