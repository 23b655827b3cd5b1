/**
 * Requests to hosts that users name.
 *
 * The name is resolved once and every address of the answer is vetted. The connection goes to one of these addresses
 * only, so no second look-up can return another address (DNS rebinding). A redirect is an answer like any other and is
 * not followed. Of the answer to a POST only the status is read; of the answer to a GET, a limited number of bytes.
 * `fetch` treats a redirect as a failure, because a second host would receive what was meant for the first.
 */
import { lookup } from 'node:dns/promises'
import { type RequestOptions as HttpOptions, request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest, type RequestOptions } from 'node:https'
import type { LookupFunction } from 'node:net'
import { isLinkLocal, notPublic } from './address.js'
import { parseAddress } from './parse-address.js'
import { dnsResolver, type Resolve } from './resolve.js'
import type { Target } from './target.js'

export interface Posted {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** From the look-up to the status of the answer, in ms. */
  readonly timeoutMs: number
  /** Aborts the attempt; it rejects then. */
  readonly signal?: AbortSignal
}

/** `refused`: no connection was made. `failed`: no answer arrived. The reasons contain no address. */
export type Answered =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

export interface Fetching {
  readonly headers?: Readonly<Record<string, string>>
  /** From the look-up to the end of the body, in ms. */
  readonly timeoutMs: number
  /** The largest body, in bytes; a larger one is `failed`. At most 64 KiB. */
  readonly bytesMax?: number
  readonly signal?: AbortSignal
}

export type Fetched =
  | Exclude<Answered, { kind: 'answered' }>
  | (Answered & { readonly kind: 'answered' } & { readonly body: Buffer })

export interface FetchInit {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Aborts the request and what is left of the answer. */
  readonly signal?: AbortSignal
}

export interface FetchLimits {
  /** The largest body of an answer, in bytes. */
  readonly bytesMax: number
  /** From the look-up to the end of the body, in ms. */
  readonly timeoutMs: number
}

export interface Egress {
  /** One request, one answer. @throws the signal's reason when it is aborted. */
  post(target: Target, posted: Posted): Promise<Answered>
  /** One request, one answer with its body; a redirect is not followed. @throws the signal's reason when it is aborted. */
  get(target: Target, fetching: Fetching): Promise<Fetched>
  /**
   * One request, and its answer as it arrives. The body fails beyond `bytesMax` and after `timeoutMs`; canceling it closes the
   * connection.
   * @throws EgressFailed, also while the body is read; the signal's reason when it is aborted.
   */
  fetch(target: Target, init: FetchInit, limits: FetchLimits): Promise<Response>
}

/** Why there was no answer, or no complete one. The message contains no address. */
export class EgressFailed extends Error {
  readonly kind: 'refused' | 'failed' | 'late' | 'redirect' | 'too-large'

  constructor(kind: EgressFailed['kind'], message: string) {
    super(message)
    this.name = 'EgressFailed'
    this.kind = kind
  }
}

export interface EgressOptions {
  /** Resolves names that the operator does not vouch for; DNS by default. */
  readonly resolve?: Resolve
  /**
   * Returns why an address must not be connected to, or null. The IANA registries by default; a proof may replace them.
   */
  readonly vet?: (address: string) => string | null
  /** Certificates (PEM) to trust instead of the default ones. */
  readonly ca?: string
}

/** An answer to a notification needs no larger headers. */
const HEADER_BYTES_MAX = 16_384
const BODY_BYTES_MAX = 65_536

class Refused extends Error {}

export function createEgress({ resolve = dnsResolver(), vet = notPublic, ca }: EgressOptions = {}): Egress {
  const vetted = (target: Target, addresses: readonly string[]): readonly string[] => {
    // guard: every-address-of-a-name-is-vetted
    for (const address of addresses) {
      const reason = target.isAllowed ? (isLinkLocal(address) ? 'link-local' : null) : vet(address)
      if (reason !== null) throw new Refused(`the host has an address that is not public (${reason})`)
    }
    return addresses
  }
  const addressesOf = async (target: Target, signal: AbortSignal): Promise<readonly string[]> =>
    vetted(target, target.isAllowed ? await fromSystem(target.host) : await resolve(target.host, signal))

  const connection = (target: Target, ends: AbortSignal): RequestOptions => {
    // There is no look-up for an address, so it is vetted here.
    // guard: an-address-in-the-place-of-a-name-is-vetted
    if (parseAddress(target.host) !== null) vetted(target, [target.host])
    return {
      lookup: lookupBy((host) => addressesOf({ ...target, host }, ends)),
      // guard: an-attempt-ends-in-time
      signal: ends,
      ...(ca === undefined ? {} : { ca }),
    }
  }

  /** Vets the host, connects, and returns the reason when there is no answer. */
  const ask = async <T>(
    target: Target,
    { timeoutMs, signal }: Pick<Fetching, 'timeoutMs' | 'signal'>,
    send: (connection: RequestOptions) => Promise<T>,
  ): Promise<T | Exclude<Answered, { kind: 'answered' }>> => {
    const late = AbortSignal.timeout(timeoutMs)
    const ends = signal === undefined ? late : AbortSignal.any([late, signal])
    try {
      return await send(connection(target, ends))
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason
      if (error instanceof Refused) return { kind: 'refused', reason: error.message }
      return { kind: 'failed', reason: late.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error) }
    }
  }

  return {
    async fetch(target, { method, headers, body, signal }, { bytesMax, timeoutMs }) {
      const late = AbortSignal.timeout(timeoutMs)
      const ends = signal === undefined ? late : AbortSignal.any([late, signal])
      const reason = (error: unknown): unknown =>
        signal?.aborted === true ? signal.reason : failureOf(error, late.aborted ? timeoutMs : null)
      try {
        const sent = { ...headers, ...lengthOf(body) }
        const options = { ...optionsOf(target, method, sent), ...connection(target, ends) }
        return responseOf(await headOf(target, options, body), { bytesMax, ends, reason })
      } catch (error) {
        throw reason(error)
      }
    },
    post: (target, posted) =>
      ask(target, posted, async (connected): Promise<Answered> => {
        const { headers, body } = posted
        const options = { ...optionsOf(target, 'POST', { ...headers, ...lengthOf(body) }), ...connected }
        return { kind: 'answered', status: await statusOf(target, options, body) }
      }),
    get: (target, fetching) =>
      ask(target, fetching, async (connected): Promise<Fetched> => {
        const options = { ...optionsOf(target, 'GET', fetching.headers ?? {}), ...connected }
        const bytesMax = Math.min(fetching.bytesMax ?? BODY_BYTES_MAX, BODY_BYTES_MAX)
        return { kind: 'answered', ...(await bodyOf(target, options, bytesMax)) }
      }),
  }
}

const lengthOf = (body: string | Uint8Array | undefined): Record<string, string> =>
  body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) }

/** @param lateMs The timeout when it was exceeded; otherwise null. */
function failureOf(error: unknown, lateMs: number | null): EgressFailed {
  if (error instanceof EgressFailed) return error
  if (error instanceof Refused) return new EgressFailed('refused', error.message)
  if (lateMs !== null) return new EgressFailed('late', `no complete answer within ${lateMs} ms`)
  return new EgressFailed('failed', reasonOf(error))
}

const fromSystem = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

function optionsOf(
  { host, port, path, isTls }: Target,
  method: 'GET' | 'POST',
  headers: Posted['headers'],
): RequestOptions & HttpOptions {
  return {
    method,
    host,
    port,
    path,
    headers: { ...headers, Connection: 'close' },
    // A new connection for each request: a kept-alive connection would skip the look-up.
    agent: false,
    // guard: the-headers-of-an-answer-are-bounded
    maxHeaderSize: HEADER_BYTES_MAX,
    insecureHTTPParser: false,
    ...(isTls ? { rejectUnauthorized: true } : {}),
  }
}

/** The look-up in the form that `net.connect` calls. It tries the addresses in their order. */
function lookupBy(addressesOf: (host: string) => Promise<readonly string[]>): LookupFunction {
  return (host, options, callback) => {
    addressesOf(host).then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
        const [first] = all
        if (first === undefined) callback(new Error('the host has no address'), '')
        else if (options.all === true) callback(null, all)
        else callback(null, first.address, first.family)
      },
      (error: Error) => callback(error, ''),
    )
  }
}

function statusOf({ isTls }: Target, options: RequestOptions & HttpOptions, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = (isTls ? httpsRequest : httpRequest)(options)
    request.once('response', (response) => {
      resolve(response.statusCode ?? 0)
      // The body is not read.
      response.destroy()
    })
    request.on('error', reject)
    request.once('close', () => reject(new Error('the connection was closed without an answer')))
    request.end(body)
  })
}

/** The head of the answer; its body was not read yet. */
function headOf(
  { isTls }: Target,
  options: RequestOptions & HttpOptions,
  body: FetchInit['body'],
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (isTls ? httpsRequest : httpRequest)(options)
    request.once('response', resolve)
    request.on('error', reject)
    request.once('close', () => reject(new Error('the connection was closed without an answer')))
    request.end(body)
  })
}

const NO_BODY: readonly number[] = [204, 205, 304]

interface Bounds {
  readonly bytesMax: number
  readonly ends: AbortSignal
  readonly reason: (error: unknown) => unknown
}

function responseOf(answer: IncomingMessage, bounds: Bounds): Response {
  const { bytesMax } = bounds
  const status = answer.statusCode ?? 0
  // The connection may break after an answer whose body is not read to its end.
  answer.on('error', () => undefined)
  const refuse = (kind: EgressFailed['kind'], message: string): never => {
    answer.destroy()
    throw new EgressFailed(kind, message)
  }
  // guard: a-fetch-follows-no-redirect
  if (status >= 300 && status < 400 && status !== 304) refuse('redirect', 'the host answered with a redirect')
  if (status < 200 || status > 599) refuse('failed', 'the answer is not HTTP')
  const encoding = answer.headers['content-encoding']
  // A compressed body may be small on the wire and large when decompressed. The request did not ask for compression.
  // guard: a-fetched-answer-is-not-packed
  if (encoding !== undefined && encoding !== 'identity') refuse('failed', 'the answer is compressed')
  if (Number(answer.headers['content-length']) > bytesMax)
    refuse('too-large', `the answer has more than ${bytesMax} bytes`)
  const headers = new Headers()
  for (const [name, values] of Object.entries(answer.headersDistinct)) {
    for (const value of values ?? []) headers.append(name, value)
  }
  if (NO_BODY.includes(status)) {
    answer.resume()
    return new Response(null, { status, headers })
  }
  return new Response(bounded(answer, bounds), { status, headers })
}

/** The body in pieces. The next piece is read when the consumer asks for it. */
function bounded(answer: IncomingMessage, { bytesMax, ends, reason }: Bounds): ReadableStream<Uint8Array> {
  const pieces = answer[Symbol.asyncIterator]() as AsyncIterator<Buffer>
  let bytes = 0
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await pieces.next()
          // A body without a length ends with its connection, so one that we closed looks complete.
          // guard: a-body-that-was-cut-off-is-not-complete
          ends.throwIfAborted()
          if (done) return controller.close()
          bytes += value.byteLength
          // guard: a-fetched-body-is-bounded
          if (bytes > bytesMax) throw new EgressFailed('too-large', `the answer has more than ${bytesMax} bytes`)
          controller.enqueue(new Uint8Array(value))
        } catch (error) {
          answer.destroy()
          controller.error(reason(error))
        }
      },
      cancel() {
        answer.destroy()
      },
    },
    { highWaterMark: 0 },
  )
}

class TooLarge extends Error {}

/**
 * The status and the whole body.
 *
 * @throws TooLarge when the announced or the received length exceeds the limit.
 */
function bodyOf(
  { isTls }: Target,
  options: RequestOptions & HttpOptions,
  bytesMax: number,
): Promise<{ status: number; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const request = (isTls ? httpsRequest : httpRequest)(options)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.byteLength
        // guard: the-body-of-a-fetched-answer-is-bounded
        if (bytes > bytesMax) {
          reject(new TooLarge())
          request.destroy()
        } else chunks.push(chunk)
      })
      response.once('error', reject)
      response.once('end', () => {
        if (options.signal?.aborted === true) reject(new Error('the connection was closed before the end'))
        else resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks) })
      })
    })
    request.on('error', reject)
    request.once('close', () => reject(new Error('the connection was closed without an answer')))
    request.end()
  })
}

const IN_WORDS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed without an answer',
  EPIPE: 'the connection was closed without an answer',
  ENOTFOUND: 'the host name is not known',
  ENODATA: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEOUT: 'the host name could not be looked up',
  ESERVFAIL: 'the host name could not be looked up',
  ETIMEDOUT: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  EHOSTUNREACH: 'the host cannot be reached',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too long',
}

/** The reason by error code, because Node's messages contain addresses. */
function reasonOf(error: unknown): string {
  if (error instanceof TooLarge) return 'the answer is too large'
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return 'the connection failed'
  if (Object.hasOwn(IN_WORDS, code)) return IN_WORDS[code] as string
  if (code.startsWith('HPE_')) return 'the answer is not HTTP'
  return /CERT|TLS|SSL|SIGNATURE|ISSUER/.test(code) ? `TLS failed: ${code}` : `the connection failed: ${code}`
}
