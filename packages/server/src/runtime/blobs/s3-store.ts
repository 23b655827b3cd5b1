/**
 * Blobs in a bucket of an S3-compatible store: five requests (put, head, get, delete, list), signed with version 4 of
 * the AWS signature. Content is streamed and not hashed first, so only the connection protects it: use `https`.
 */
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { AwsV4Signer } from 'aws4fetch'
import { Refusal } from '../errors.js'
import type { BlobBackend } from './backend.js'
import { checkBlobKey } from './key.js'
import { errorCodeOf, readListing } from './s3-answers.js'

export interface S3Options {
  /** `https://s3.eu-central-1.amazonaws.com`, `http://minio:9000`. */
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | null
  /** Begins each name in the bucket; empty or with a slash at its end. */
  readonly prefix: string
  /** `<endpoint>/<bucket>/<key>` instead of `<bucket>.<endpoint>/<key>`. */
  readonly pathStyle: boolean
}

interface Asked {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'DELETE'
  /** Empty for the bucket itself. */
  readonly key?: string
  readonly query?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readable
}

const ATTEMPTS = 3
const FIRST_WAIT_MS = 100
const ANSWER_MS_MAX = 30_000

export const s3BlobStore = (options: S3Options): BlobBackend => new S3BlobStore(options)

class S3BlobStore implements BlobBackend {
  readonly #options: S3Options
  readonly #base: string

  constructor(options: S3Options) {
    this.#options = options
    this.#base = baseOf(options)
  }

  async put(key: string, content: Readable, bytes: number): Promise<void> {
    checkBlobKey(key)
    let broken: { readonly error: unknown } | null = null
    content.once('error', (error) => {
      broken = { error }
    })
    const headers = { 'content-length': String(bytes), 'content-type': 'application/octet-stream' }
    let response: Response
    try {
      response = await this.#ask({ method: 'PUT', key, headers, body: content })
    } catch (error) {
      // The error that broke off the content belongs to the caller.
      const cause = broken as { readonly error: unknown } | null
      throw cause === null ? error : cause.error
    }
    if (response.status !== 200) throw await refusal(response)
    await response.body?.cancel()
  }

  async stat(key: string): ReturnType<BlobBackend['stat']> {
    checkBlobKey(key)
    const response = await this.#ask({ method: 'HEAD', key })
    if (response.status === 404) return null
    if (response.status !== 200) throw await refusal(response)
    return { bytes: Number(response.headers.get('content-length')) }
  }

  async open(...[key, range]: Parameters<BlobBackend['open']>): ReturnType<BlobBackend['open']> {
    checkBlobKey(key)
    const headers: Record<string, string> = range === undefined ? {} : { range: `bytes=${range.first}-${range.last}` }
    const response = await this.#ask({ method: 'GET', key, headers })
    if (response.status !== (range === undefined ? 200 : 206)) {
      const failed = await failureOf(response)
      if (failed.status === 404 && failed.code !== 'NoSuchBucket') return null
      throw upstream(failed)
    }
    return response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as ReadableStream)
  }

  async delete(key: string): Promise<void> {
    checkBlobKey(key)
    const response = await this.#ask({ method: 'DELETE', key })
    if (response.status !== 204 && response.status !== 200 && response.status !== 404) throw await refusal(response)
    await response.body?.cancel()
  }

  async *list(prefix: string): ReturnType<BlobBackend['list']> {
    for (let token: string | null = ''; token !== null; ) {
      const page = await this.#page(prefix, token === '' ? {} : { 'continuation-token': token })
      for (const { key, ...found } of page.objects) yield { key: key.slice(this.#options.prefix.length), ...found }
      token = page.next
    }
  }

  async ping(): Promise<void> {
    await this.#page('', { 'max-keys': '1' })
  }

  /** A put is atomic, so it leaves nothing unfinished. */
  async tidy(): Promise<void> {}

  async #page(prefix: string, more: Readonly<Record<string, string>>) {
    const query = { 'list-type': '2', prefix: `${this.#options.prefix}${prefix}`, ...more }
    const response = await this.#ask({ method: 'GET', query })
    if (response.status !== 200) throw await refusal(response)
    return readListing(await response.text())
  }

  /**
   * Sends a request, and retries it while the store is overloaded. A put is not retried, because its content was
   * consumed.
   */
  async #ask(asked: Asked): Promise<Response> {
    for (let attempt = 1; ; attempt++) {
      const isLast = attempt === ATTEMPTS || asked.body !== undefined
      try {
        const response = await this.#send(asked)
        if (isLast || response.status < 500) return response
        await response.body?.cancel()
      } catch (cause) {
        if (isLast) throw unanswered(cause)
      }
      await new Promise((resolve) => setTimeout(resolve, FIRST_WAIT_MS * 2 ** (attempt - 1)))
    }
  }

  async #send({ method, key = '', query = {}, headers = {}, body }: Asked): Promise<Response> {
    const { accessKeyId, secretAccessKey, sessionToken, region, prefix } = this.#options
    const url = new URL(`${this.#base}/${key === '' ? '' : `${prefix}${key}`}`)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signed = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers },
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === null ? {} : { sessionToken }),
      service: 's3',
      region,
    }).sign()
    const late = new AbortController()
    // The body of a large blob takes time. For any other request the answer begins soon.
    const timer = body === undefined ? setTimeout(() => late.abort(), ANSWER_MS_MAX) : undefined
    try {
      return await fetch(signed.url, {
        method,
        headers: signed.headers,
        // A signed request is valid for one address only.
        redirect: 'manual',
        signal: late.signal,
        ...(body === undefined ? {} : { body: Readable.toWeb(body), duplex: 'half' }),
      } as RequestInit)
    } finally {
      clearTimeout(timer)
    }
  }
}

function baseOf({ endpoint, bucket, pathStyle }: S3Options): string {
  const url = new URL(endpoint)
  if (!pathStyle) url.hostname = `${bucket}.${url.hostname}`
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  return `${url.origin}${path}${pathStyle ? `/${bucket}` : ''}`
}

interface Failed {
  readonly status: number
  readonly code: string
}

async function failureOf(response: Response): Promise<Failed> {
  const text = await response.text().catch(() => '')
  return { status: response.status, code: errorCodeOf(text) }
}

const refusal = async (response: Response): Promise<Refusal> => upstream(await failureOf(response))

const upstream = ({ status, code }: Failed): Refusal =>
  new Refusal(
    'UPSTREAM_ERROR',
    'the store of files refuses the request: the operator checks BLOB_S3_BUCKET and its keys',
    {
      cause: new Error(`the bucket answers ${status} ${code}`),
    },
  )

const unanswered = (cause: unknown): Refusal =>
  new Refusal('UPSTREAM_ERROR', 'the store of files does not answer: try again', { cause })
