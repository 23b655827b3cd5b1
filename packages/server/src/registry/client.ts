/**
 * The server's way to the registry: manifests, blobs, mounting, by nothing but fetch. The registry is not believed either:
 * every answer is bounded and late ones are given up, a manifest is held to its digest, redirects are not followed.
 */
import { createHash } from 'node:crypto'
import type { Runtime } from '../runtime/operation/context.js'
import { signingKey } from './keys.js'
import { INDEX_MEDIA, MANIFEST_MEDIA } from './media.js'
import { tokenFor } from './sign.js'

const ALL_MEDIA = [...MANIFEST_MEDIA, ...INDEX_MEDIA]
const DOCUMENT_BYTES_MAX = 4 * 1024 ** 2
const ANSWER_MS_MAX = 30_000
/** Of a blob as it comes: its reader may be slow. */
const BLOB_MS_MAX = 15 * 60_000

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
  /** The digest that a tag names, or the digest itself where it is there. */
  resolve(repository: string, reference: string): Promise<string | null>
  /** Its tags; none where there is no such repository. */
  tags(repository: string): Promise<readonly string[]>
  /** The names of all repositories. */
  repositories(): Promise<readonly string[]>
  /** A configuration, held to its digest. Null when it is not there. */
  document(repository: string, digest: string): Promise<Buffer | null>
  /** A blob as it comes, not held to anything. @throws RegistryFault, at once or while it comes. */
  blob(repository: string, digest: string): AsyncIterable<Buffer>
  /** The size of a blob; null when it is not there. */
  blobBytes(repository: string, digest: string): Promise<number | null>
  /** Makes a blob of one repository one of another. @throws RegistryFault when the source does not have it. */
  mount(digest: string, from: string, to: string): Promise<void>
  /** @returns its digest. */
  putBlob(repository: string, bytes: Uint8Array): Promise<string>
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
      const accept = { accept: ALL_MEDIA.join(', ') }
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
    async resolve(repository, reference) {
      const response = await ask('HEAD', `${repository}/manifests/${reference}`, [[repository, 'pull']], {
        headers: { accept: ALL_MEDIA.join(', ') },
      })
      if (response.status === 404) return null
      await expectStatus(response, 200)
      const digest = response.headers.get('docker-content-digest') ?? ''
      if (!DIGEST.test(digest)) throw new RegistryFault('wrong', 'the registry names no digest')
      return digest
    },
    async tags(repository) {
      const response = await ask('GET', `${repository}/tags/list`, [[repository, 'pull']])
      if (response.status === 404) return []
      const { tags } = await listing(response)
      return textsOf(tags, TAG)
    },
    async repositories() {
      const names = new Set<string>()
      for (let last = ''; ; ) {
        const query = new URLSearchParams({ n: '500', ...(last === '' ? {} : { last }) })
        const { repositories } = await listing(await ask('GET', `_catalog?${query}`, CATALOG))
        const some = textsOf(repositories, REPOSITORY).filter((name) => !names.has(name))
        for (const name of some) names.add(name)
        last = some.at(-1) ?? ''
        if (some.length === 0 || names.size > REPOSITORIES_MAX) return [...names]
      }
    },
    ...readingBlobs(ask),
    ...changing(ask, base),
  }
}

/** What reads blobs. */
const readingBlobs = (ask: Ask): Pick<RegistryClient, 'document' | 'blob' | 'blobBytes'> => ({
  async document(repository, digest) {
    const response = await ask('GET', `${repository}/blobs/${digest}`, [[repository, 'pull']])
    if (response.status === 404) return null
    await expectStatus(response, 200)
    const bytes = await bounded(response, DOCUMENT_BYTES_MAX)
    // guard: a-blob-of-the-registry-is-what-its-digest-says
    if (digestOf(bytes) !== digest) throw new RegistryFault('wrong', `the registry has other bytes for ${digest}`)
    return bytes
  },
  async *blob(repository, digest) {
    const response = await ask('GET', `${repository}/blobs/${digest}`, [[repository, 'pull']], {
      answerMs: BLOB_MS_MAX,
    })
    if (response.status === 404) throw new RegistryFault('wrong', `${digest} is not in ${repository}`)
    await expectStatus(response, 200)
    try {
      for await (const chunk of response.body ?? []) yield Buffer.from(chunk)
    } catch {
      throw new RegistryFault('away', 'the answer of the registry broke off')
    }
  },
  async blobBytes(repository, digest) {
    const response = await ask('HEAD', `${repository}/blobs/${digest}`, [[repository, 'pull']])
    if (response.status === 404) return null
    await expectStatus(response, 200)
    const bytes = Number(response.headers.get('content-length'))
    return Number.isSafeInteger(bytes) ? bytes : null
  },
})

/** What changes the registry. */
const changing = (
  ask: Ask,
  base: string,
): Pick<RegistryClient, 'mount' | 'putBlob' | 'putManifest' | 'deleteManifest'> => ({
  async mount(digest, from, to) {
    const query = new URLSearchParams({ mount: digest, from })
    const access = [[from, 'pull'] as const, [to, 'pull', 'push'] as const]
    const response = await expectStatus(await ask('POST', `${to}/blobs/uploads/?${query}`, access), 201, 202)
    await response.body?.cancel()
    // An upload was begun in place of it: the source has no such blob.
    if (response.status !== 201) throw new RegistryFault('wrong', `${digest} is not in ${from}`)
  },
  async putBlob(repository, bytes) {
    const access = [[repository, 'pull', 'push'] as const]
    const digest = digestOf(bytes)
    const begun = await expectStatus(await ask('POST', `${repository}/blobs/uploads/`, access), 202)
    await begun.body?.cancel()
    const at = new URL(begun.headers.get('location') ?? '', `${base}/v2/`)
    // guard: an-upload-stays-in-the-registry
    if (at.origin !== new URL(base).origin) throw new RegistryFault('wrong', 'the registry leads an upload elsewhere')
    at.searchParams.set('digest', digest)
    const headers = { 'content-type': 'application/octet-stream' }
    const response = await ask('PUT', at.href, access, { headers, body: bytes })
    await (await expectStatus(response, 201)).body?.cancel()
    return digest
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
})

const DIGEST = /^sha256:[0-9a-f]{64}$/
const TAG = /^\w[\w.-]{0,127}$/
const REPOSITORY = /^[a-z0-9][a-z0-9._/-]{0,254}$/
const REPOSITORIES_MAX = 1_000_000
const LISTING_BYTES_MAX = 32 * 1024 ** 2
/** The catalogue in place of a repository. */
const CATALOG = [['', '*'] as const]

async function listing(response: Response): Promise<Record<string, unknown>> {
  const bytes = await bounded(await expectStatus(response, 200), LISTING_BYTES_MAX)
  try {
    return (JSON.parse(bytes.toString('utf8')) ?? {}) as Record<string, unknown>
  } catch {
    throw new RegistryFault('wrong', 'the registry answered no JSON')
  }
}

/** What is not a name is none of ours. */
const textsOf = (value: unknown, form: RegExp): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string' && form.test(each)) : []

type Ask = (
  method: string,
  path: string,
  access: readonly (readonly [name: string, ...actions: string[]])[],
  sent?: { headers?: Record<string, string>; body?: Uint8Array; answerMs?: number },
) => Promise<Response>

/** Asks the registry with a token for exactly this access. @throws RegistryFault when it is away. */
function asking(runtime: Runtime, base: string, fetch: typeof globalThis.fetch): Ask {
  return async (method, path, access, { headers = {}, body, answerMs = ANSWER_MS_MAX } = {}) => {
    const scopes = access.map(([name, ...actions]) =>
      name === ''
        ? { type: 'registry' as const, name: 'catalog', actions }
        : { type: 'repository' as const, name, actions },
    )
    const token = await tokenFor(runtime, 'service:server', scopes)
    const init: RequestInit = {
      method,
      headers: { ...headers, authorization: `Bearer ${token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(answerMs),
      ...(body === undefined ? {} : { body: new Uint8Array(body) }),
    }
    let response: Response
    try {
      response = await fetch(path.startsWith(base) ? path : `${base}/v2/${path}`, init)
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
