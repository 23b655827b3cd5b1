/**
 * The address of a receiver, as a user typed it, parsed once: the same value is stored, vetted and connected to. The
 * URL parser accepts every notation of an IPv4 address (decimal, octal, hexadecimal, short, full-width digits) and
 * returns the address that it means, so the server need not guess.
 */
import { notPublic } from './address.js'
import { parseAddress } from './parse-address.js'

export interface Target {
  /** The URL as it is sent and stored. */
  readonly url: string
  readonly isTls: boolean
  /** A name, or an address without brackets. */
  readonly host: string
  readonly port: number
  /** Path and query. */
  readonly path: string
  /** The operator vouches for this origin. It may use http and may have an address that is not public. */
  readonly isAllowed: boolean
}

const URL_MAX = 500
const DEFAULT_PORT = { 'https:': 443, 'http:': 80 } as const

/**
 * @param allowedOrigins such as `http://127.0.0.1:9000`, from the operator's settings.
 * @returns what is wrong, in words that follow the field's name, when it cannot be a receiver.
 */
export function readTarget(text: string, allowedOrigins: readonly string[], charsMax = URL_MAX): Target | string {
  if (text.length > charsMax) return `has more than ${charsMax} characters`
  if (!URL.canParse(text)) return 'is not a URL'
  const url = new URL(text)
  const { protocol, hostname, pathname, search } = url
  if (protocol !== 'https:' && protocol !== 'http:') return 'must begin with https://'
  // guard: no-credentials-in-an-address
  if (url.username !== '' || url.password !== '') return 'must not hold credentials'
  if (url.hash !== '') return 'must not have a fragment'
  const host = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname.replace(/\.$/, '')
  if (host === '') return 'names no host'
  const isAllowed = allowedOrigins.some((origin) => URL.canParse(origin) && new URL(origin).origin === url.origin)
  // guard: no-plain-http-but-where-the-operator-vouches
  if (protocol === 'http:' && !isAllowed) return 'must begin with https://'
  if (!isAllowed && (host === 'localhost' || host.endsWith('.localhost'))) return 'has an address that is not public'
  if (!isAllowed && parseAddress(host) !== null && notPublic(host) !== null) return 'has an address that is not public'
  return {
    url: url.href,
    isTls: protocol === 'https:',
    host,
    port: url.port === '' ? DEFAULT_PORT[protocol] : Number(url.port),
    path: `${pathname}${search}`,
    isAllowed,
  }
}
