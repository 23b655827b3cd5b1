/**
 * The server's client for the registry: manifests, blobs and mounting, with plain fetch. The registry is not trusted:
 * every answer is bounded in size and time, a manifest is verified against its digest, and redirects are not followed.
 */
import { createHash } from 'node:crypto'
import type { Runtime } from '../runtime/operation/context.js'
import { signingKey } from './keys.js'
import { INDEX_MEDIA, MANIFEST_MEDIA } from './media.js'
import { tokenFor } from './sign.js'

const ALL_MEDIA = [...MANIFEST_MEDIA, ...INDEX_MEDIA]
const DOCUMENT_BYTES_MAX = 4 * 1024 ** 2
const ANSWER_MS_MAX = 30_000
/** For a streamed blob, because its reader may be slow. */
const BLOB_MS_MAX = 15 * 60_000

/** `away`: retry later. `refused`: the registry refused. `wrong`: its answer is invalid. The text is for people. */
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
  /** Null when it does not exist. @throws RegistryFault */
  manifest(repository: string, reference: string): Promise<RegistryDocument | null>
  /** The digest that a tag refers to, or the digest itself if it exists. */
  resolve(repository: string, reference: string): Promise<string | null>
  /** The tags of the repository; empty if it does not exist. */
  tags(repository: string): Promise<readonly string[]>
  /** The names of all repositories. */
  repositories(): Promise<readonly string[]>
  /** A configuration blob, verified against its digest. Null when it does not exist. */
  document(repository: string, digest: string): Promise<Buffer | null>
  /** A streamed blob, not verified. @throws RegistryFault, at once or during the stream. */
  blob(repository: string, digest: string): AsyncIterable<Buffer>
  /** The size of a blob; null when it does not exist. */
  blobBytes(repository: string, digest: string): Promise<number | null>
  /** Mounts a blob of one repository in another. @throws RegistryFault when the source does not have it. */
  mount(digest: string, from: string, to: string): Promise<void>
  /** @returns the digest of the blob. */
  putBlob(repository: string, bytes: Uint8Array): Promise<string>
  putManifest(repository: string, reference: string, document: Pick<RegistryDocument, 'bytes' | 'media'>): Promise<void>
  /** Whether the registry accepts writes now. @throws RegistryFault */
  writes(): Promise<'read-only' | 'writable'>
  /** Deleting a manifest that does not exist is not an error. @returns whether it existed. */
  deleteManifest(repository: string, digest: string): Promise<boolean>
}

export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`

/** @throws Refusal 503 when no registry is configured. */
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
        throw new RegistryFault('wrong', `the registry answered with ${digest} for ${reference}`)
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
      if (!DIGEST.test(digest)) throw new RegistryFault('wrong', 'the registry sent no digest')
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

/** The part that reads blobs. */
const readingBlobs = (ask: Ask): Pick<RegistryClient, 'document' | 'blob' | 'blobBytes'> => ({
  async document(repository, digest) {
    const response = await ask('GET', `${repository}/blobs/${digest}`, [[repository, 'pull']])
    if (response.status === 404) return null
    await expectStatus(response, 200)
    const bytes = await bounded(response, DOCUMENT_BYTES_MAX)
    // guard: a-blob-of-the-registry-is-what-its-digest-says
    if (digestOf(bytes) !== digest)
      throw new RegistryFault('wrong', `the content of ${digest} in the registry does not match the digest`)
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

/** The part that changes the registry. */
const changing = (
  ask: Ask,
  base: string,
): Pick<RegistryClient, 'mount' | 'putBlob' | 'putManifest' | 'deleteManifest' | 'writes'> => ({
  async mount(digest, from, to) {
    const query = new URLSearchParams({ mount: digest, from })
    const access = [[from, 'pull'] as const, [to, 'pull', 'push'] as const]
    const response = await expectStatus(await ask('POST', `${to}/blobs/uploads/?${query}`, access), 201, 202)
    await response.body?.cancel()
    // The registry started an upload instead, because the source has no such blob.
    if (response.status !== 201) throw new RegistryFault('wrong', `${digest} is not in ${from}`)
  },
  async putBlob(repository, bytes) {
    const access = [[repository, 'pull', 'push'] as const]
    const digest = digestOf(bytes)
    const begun = await expectStatus(await ask('POST', `${repository}/blobs/uploads/`, access), 202)
    await begun.body?.cancel()
    const at = new URL(begun.headers.get('location') ?? '', `${base}/v2/`)
    // guard: an-upload-stays-in-the-registry
    if (at.origin !== new URL(base).origin) throw new RegistryFault('wrong', 'the registry redirects an upload')
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
  async writes() {
    const access = [[PROBE, 'pull', 'push'] as const]
    const begun = await ask('POST', `${PROBE}/blobs/uploads/`, access, { isProbe: true })
    await begun.body?.cancel()
    if (begun.status === 405) return 'read-only'
    await expectStatus(begun, 202)
    const at = new URL(begun.headers.get('location') ?? '', `${base}/v2/`)
    if (at.origin === new URL(base).origin) await (await ask('DELETE', at.href, access)).body?.cancel()
    return 'writable'
  },
  async deleteManifest(repository, digest) {
    const access = [[repository, 'pull', 'push', 'delete'] as const]
    const response = await ask('DELETE', `${repository}/manifests/${digest}`, access)
    await (await expectStatus(response, 202, 404)).body?.cancel()
    return response.status === 202
  },
})

const DIGEST = /^sha256:[0-9a-f]{64}$/
const TAG = /^\w[\w.-]{0,127}$/
const REPOSITORY = /^[a-z0-9][a-z0-9._/-]{0,254}$/
const REPOSITORIES_MAX = 1_000_000
const LISTING_BYTES_MAX = 32 * 1024 ** 2
/** The scope for the catalogue, instead of a repository. */
const CATALOG = [['', '*'] as const]
/** The repository for testing whether the registry accepts uploads; nothing is stored there. */
const PROBE = 'staging/probe'

async function listing(response: Response): Promise<Record<string, unknown>> {
  const bytes = await bounded(await expectStatus(response, 200), LISTING_BYTES_MAX)
  try {
    return (JSON.parse(bytes.toString('utf8')) ?? {}) as Record<string, unknown>
  } catch {
    throw new RegistryFault('wrong', 'the registry sent no JSON')
  }
}

/** Entries that are not valid names are ignored. */
const textsOf = (value: unknown, form: RegExp): string[] =>
  Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string' && form.test(each)) : []

type Ask = (
  method: string,
  path: string,
  access: readonly (readonly [name: string, ...actions: string[]])[],
  sent?: { headers?: Record<string, string>; body?: Uint8Array; answerMs?: number; isProbe?: boolean },
) => Promise<Response>

/** Calls the registry with a token for exactly this access. @throws RegistryFault when it does not answer. */
function asking(runtime: Runtime, base: string, fetch: typeof globalThis.fetch): Ask {
  return async (method, path, access, { headers = {}, body, answerMs = ANSWER_MS_MAX, isProbe = false } = {}) => {
    const scopes = access.map(([name, ...actions]) =>
      name === ''
        ? { type: 'registry' as const, name: 'catalog', actions }
        : { type: 'repository' as const, name, actions },
    )
    const token = tokenFor(runtime, 'service:server', scopes)
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
    // 405: the registry is read-only during garbage collection.
    if (response.status >= 500 || response.status === 429 || (response.status === 405 && !isProbe)) {
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

/** The whole answer, up to this size. */
async function bounded(response: Response, bytesMax: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length
      // guard: an-answer-of-the-registry-is-bounded
      if (bytes > bytesMax) throw new RegistryFault('wrong', `the registry sent more than ${bytesMax} bytes`)
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof RegistryFault) throw error
    throw new RegistryFault('away', 'the answer of the registry broke off')
  }
  return Buffer.concat(chunks)
}
