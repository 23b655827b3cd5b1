/**
 * The way out to places that somebody else names. The name is looked up once, every address of the answer is vetted, and the
 * connection goes to one of these addresses and to nothing else: there is no second look-up that could say something
 * different. Redirects are an answer like any other; of the answer only its status is read.
 */
import { lookup } from 'node:dns/promises'
import { type RequestOptions as HttpOptions, request as httpRequest } from 'node:http'
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

/** `refused`: nothing was connected to. `failed`: no answer came. The reasons hold no address. */
export type Answered =
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }

export interface Egress {
  /** One request, one answer. @throws the signal's reason when it is aborted. */
  post(target: Target, posted: Posted): Promise<Answered>
}

export interface EgressOptions {
  /** Of names that the operator does not vouch for; DNS unless said. */
  readonly resolve?: Resolve
  /** What keeps an address from being connected to, or null; the registries of IANA unless a proof takes them away. */
  readonly vet?: (address: string) => string | null
  /** Certificates to trust instead of the usual ones (PEM). */
  readonly ca?: string
}

/** More is no answer to a notification. */
const HEADER_BYTES_MAX = 16_384

class Refused extends Error {}

export function createEgress({ resolve = dnsResolver(), vet = notPublic, ca }: EgressOptions = {}): Egress {
  const vetted = (target: Target, addresses: readonly string[]): readonly string[] => {
    for (const address of addresses) {
      const reason = target.isAllowed ? (isLinkLocal(address) ? 'link-local' : null) : vet(address)
      if (reason !== null) throw new Refused(`the host has an address that is not public (${reason})`)
    }
    return addresses
  }
  const addressesOf = async (target: Target, signal: AbortSignal): Promise<readonly string[]> =>
    vetted(target, target.isAllowed ? await fromSystem(target.host) : await resolve(target.host, signal))

  return {
    async post(target, { headers, body, timeoutMs, signal }) {
      const late = AbortSignal.timeout(timeoutMs)
      const ends = signal === undefined ? late : AbortSignal.any([late, signal])
      try {
        // Of an address no look-up is made, so it is vetted here.
        if (parseAddress(target.host) !== null) vetted(target, [target.host])
        const options = {
          ...optionsOf(target, headers, body),
          lookup: lookupBy((host) => addressesOf({ ...target, host }, ends)),
          signal: ends,
          ...(ca === undefined ? {} : { ca }),
        }
        return { kind: 'answered', status: await statusOf(target, options, body) }
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason
        if (error instanceof Refused) return { kind: 'refused', reason: error.message }
        return { kind: 'failed', reason: late.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error) }
      }
    },
  }
}

const fromSystem = async (host: string): Promise<readonly string[]> =>
  (await lookup(host, { all: true, verbatim: true })).map(({ address }) => address)

function optionsOf(
  { host, port, path, isTls }: Target,
  headers: Posted['headers'],
  body: string,
): RequestOptions & HttpOptions {
  return {
    method: 'POST',
    host,
    port,
    path,
    headers: { ...headers, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' },
    // A connection of its own: one that is kept open would skip the look-up.
    agent: false,
    maxHeaderSize: HEADER_BYTES_MAX,
    insecureHTTPParser: false,
    ...(isTls ? { rejectUnauthorized: true } : {}),
  }
}

/** In the form that `net.connect` calls; it tries the addresses in their order. */
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
      // Whatever else it says is not read.
      response.destroy()
    })
    request.on('error', reject)
    request.once('close', () => reject(new Error('the connection was closed without an answer')))
    request.end(body)
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

/** By code: the messages of Node hold addresses. */
function reasonOf(error: unknown): string {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return 'the connection failed'
  if (Object.hasOwn(IN_WORDS, code)) return IN_WORDS[code] as string
  if (code.startsWith('HPE_')) return 'the answer is no HTTP'
  return /CERT|TLS|SSL|SIGNATURE|ISSUER/.test(code) ? `TLS failed: ${code}` : `the connection failed: ${code}`
}
