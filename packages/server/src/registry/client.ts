/**
 * The server's way to the registry: manifests, blobs, mounting, by nothing but fetch. The registry is not believed either:
 * every answer is bounded and late ones are given up, a manifest is held to its digest, redirects are not followed.
 */
import { createHash } from 'node:crypto'
import type { Runtime } from '../runtime/operation/context.js'
import { signingKey } from './keys.js'
import { tokenFor } from './sign.js'

export const MANIFEST_MEDIA = [
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.v2+json',
] as const
const DOCUMENT_BYTES_MAX = 4 * 1024 ** 2
const ANSWER_MS_MAX = 30_000

/** `away`: try again. `refused`: it said no. `wrong`: it answered what cannot be. The text is for people. */
export class RegistryFault extends Error {
  constructor(
    readonly kind: 'away' | 'refused' | 'wrong',
    message: string,
  ) {
    super(message)
    this.name = 'RegistryFault'
  }
}

export interface RegistryDocument {
  readonly bytes: Buffer
  readonly digest: string
  readonly media: string
}

export interface RegistryClient {
  /** Null when it is not there. @throws RegistryFault */
  manifest(repository: string, reference: string): Promise<RegistryDocument | null>
  /** A configuration, held to its digest. Null when it is not there. */
  document(repository: string, digest: string): Promise<Buffer | null>
  /** The size of a blob; null when it is not there. */
  blobBytes(repository: string, digest: string): Promise<number | null>
  /** Makes a blob of one repository one of another. @throws RegistryFault when the source does not have it. */
  mount(digest: string, from: string, to: string): Promise<void>
  putManifest(repository: string, reference: string, document: Pick<RegistryDocument, 'bytes' | 'media'>): Promise<void>
  /** What is not there is none to delete. */
  deleteManifest(repository: string, digest: string): Promise<void>
}

export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** @throws Refusal 503 where there is no registry. */
export function registryClient(runtime: Runtime, fetch: typeof globalThis.fetch = globalThis.fetch): RegistryClient {
  signingKey(runtime)
  const base = runtime.settings.REGISTRY_URL ?? ''

  const ask = asking(runtime, base, fetch)

  return {
    async manifest(repository, reference) {
      const accept = { accept: MANIFEST_MEDIA.join(', ') }
      const response = await ask('GET', `${repository}/manifests/${reference}`, [[repository, 'pull']], {
        headers: accept,
      })
      if (response.status === 404) return null
      await expectStatus(response, 200)
      const bytes = await bounded(response, DOCUMENT_BYTES_MAX)
      const digest = digestOf(bytes)
      // guard: a-manifest-is-what-its-digest-says
      if (reference.startsWith('sha256:') && reference !== digest) {
        throw new RegistryFault('wrong', `the registry answered ${digest} for ${reference}`)
      }
      return { bytes, digest, media: response.headers.get('content-type')?.split(';')[0]?.trim() ?? '' }
    },
    async document(repository, digest) {
      const response = await ask('GET', `${repository}/blobs/${digest}`, [[repository, 'pull']])
      if (response.status === 404) return null
      await expectStatus(response, 200)
      const bytes = await bounded(response, DOCUMENT_BYTES_MAX)
      // guard: a-blob-of-the-registry-is-what-its-digest-says
      if (digestOf(bytes) !== digest) throw new RegistryFault('wrong', `the registry has other bytes for ${digest}`)
      return bytes
    },
    async blobBytes(repository, digest) {
      const response = await ask('HEAD', `${repository}/blobs/${digest}`, [[repository, 'pull']])
      if (response.status === 404) return null
      await expectStatus(response, 200)
      const bytes = Number(response.headers.get('content-length'))
      return Number.isSafeInteger(bytes) ? bytes : null
    },
    async mount(digest, from, to) {
      const query = new URLSearchParams({ mount: digest, from })
      const access = [[from, 'pull'] as const, [to, 'pull', 'push'] as const]
      const response = await expectStatus(await ask('POST', `${to}/blobs/uploads/?${query}`, access), 201, 202)
      await response.body?.cancel()
      // An upload was begun in place of it: the source has no such blob.
      if (response.status !== 201) throw new RegistryFault('wrong', `${digest} is not in ${from}`)
    },
    async putManifest(repository, reference, { bytes, media }) {
      const response = await ask('PUT', `${repository}/manifests/${reference}`, [[repository, 'pull', 'push']], {
        headers: { 'content-type': media },
        body: bytes,
      })
      await (await expectStatus(response, 201)).body?.cancel()
    },
    async deleteManifest(repository, digest) {
      const access = [[repository, 'pull', 'push', 'delete'] as const]
      const response = await ask('DELETE', `${repository}/manifests/${digest}`, access)
      await (await expectStatus(response, 202, 404)).body?.cancel()
    },
  }
}

type Ask = (
  method: string,
  path: string,
  access: readonly (readonly [name: string, ...actions: string[]])[],
  sent?: { headers?: Record<string, string>; body?: Uint8Array },
) => Promise<Response>

/** Asks the registry with a token for exactly this access. @throws RegistryFault when it is away. */
function asking(runtime: Runtime, base: string, fetch: typeof globalThis.fetch): Ask {
  return async (method, path, access, { headers = {}, body } = {}) => {
    const scopes = access.map(([name, ...actions]) => ({ type: 'repository' as const, name, actions }))
    const token = await tokenFor(runtime, 'service:server', scopes)
    const init: RequestInit = {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    }
    let response: Response
    try {
      response = await fetch(`${base}/v2/${path}`, init)
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
      throw new RegistryFault('away', `the registry does not answer: ${cause}`)
    }
    if (response.status >= 500 || response.status === 429) {
      await response.body?.cancel()
      throw new RegistryFault('away', `the registry answered ${response.status}`)
    }
    return response
  }
}

async function expectStatus(response: Response, ...good: number[]): Promise<Response> {
  if (good.includes(response.status)) return response
  const text = (await bounded(response, 2000).catch(() => Buffer.alloc(0))).toString().slice(0, 300)
  throw new RegistryFault('refused', `the registry answered ${response.status}: ${text}`)
}

/** The whole answer, as long as it is no longer than this. */
async function bounded(response: Response, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      // guard: an-answer-of-the-registry-is-bounded
      if (bytes > bytesMax) throw new RegistryFault('wrong', `the registry answered more than ${bytesMax} bytes`)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof RegistryFault) throw error
    throw new RegistryFault('away', 'the answer of the registry broke off')
  }
  return Buffer.concat(chunks)
}
