/** A registry in this process that can be told to lie: enough of the distribution protocol for what the server asks. */
import { createHash } from 'node:crypto'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { makeTar, type TarPart } from './image-tar.js'

export type Lie = 'none' | 'other-manifest' | 'other-config' | 'huge' | 'away' | 'lost-blob' | 'forgets' | 'redirects'

export interface FakeRegistry {
  readonly url: string
  readonly blobs: Map<string, Buffer>
  /** `<repository>@<digest>` and `<repository>:<tag>` to a manifest. */
  readonly manifests: Map<string, Buffer>
  lie: Lie
  /** Puts an image of these layers there. @returns its digest. */
  stage(repository: string, image?: ImageParts): string
  /** Puts a manifest there, under a tag too where one is given. @returns its digest. */
  put(repository: string, manifest: object, tag?: string): string
  close(): Promise<void>
}

export interface ImageParts {
  readonly user?: string
  readonly layers?: number
  /** Under this tag too. */
  readonly tag?: string
  /** What tells its layers from those of others. */
  readonly seed?: string
  /** What its layers hold, the lowest first; in place of `layers`. */
  readonly files?: readonly (readonly TarPart[])[]
  /** Layers as they are, unpacked. */
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
  const fake: FakeRegistry = {
    url: '',
    blobs,
    manifests,
    lie: 'none',
    stage(repository, { user = '1000', layers = 2, change, tag, seed = '', files, tars, config: more } = {}) {
      const parts = files ?? Array.from({ length: layers }, (_, n) => [{ name: `etc/layer-${n}`, content: seed }])
      const plain = tars ?? parts.map(makeTar)
      const each = plain.map((tar) => put(gzipSync(tar)))
      const config = put(
        Buffer.from(
          JSON.stringify({
            architecture: 'amd64',
            os: 'linux',
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
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    answer(fake, request.method ?? '', new URL(request.url ?? '', 'http://x'), Buffer.concat(chunks), response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(fake, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

function answer(fake: FakeRegistry, method: string, url: URL, body: Buffer, response: ServerResponse): undefined {
  const end = (
    status: number,
    bytes: Uint8Array = Buffer.alloc(0),
    headers: Record<string, string> = {},
  ): undefined => {
    response.writeHead(status, { ...headers, 'content-length': String(bytes.length) })
    response.end(method === 'HEAD' ? undefined : bytes)
    return undefined
  }
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
    if (method === 'PUT') {
      if (sha(body) !== url.searchParams.get('digest')) return end(400)
      fake.blobs.set(sha(body), body)
      return end(201)
    }
    return end(fake.blobs.has(url.searchParams.get('mount') ?? '') ? 201 : 202, Buffer.alloc(0), {
      location: url.pathname + '1',
    })
  }
  if (kind === 'blobs') {
    const blob = fake.lie === 'lost-blob' ? undefined : fake.blobs.get(reference)
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
    // With every tag of it.
    for (const [other, bytes] of fake.manifests) {
      if (other.startsWith(`${repository}:`) && sha(bytes) === reference) fake.manifests.delete(other)
    }
    return end(fake.manifests.delete(key) ? 202 : 404)
  }
  const found = fake.manifests.get(key)
  if (found === undefined) return end(404)
  if (fake.lie === 'huge') return end(200, Buffer.alloc(5 * 1024 ** 2), { 'content-type': OCI })
  return end(200, fake.lie === 'other-manifest' ? Buffer.concat([found, Buffer.from('\n')]) : found, {
    'content-type': (JSON.parse(found.toString()) as { mediaType?: string }).mediaType ?? OCI,
    'docker-content-digest': sha(found),
  })
}
