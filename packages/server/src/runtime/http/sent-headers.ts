/**
 * Reads the headers of a request one at a time. Most headers that the HTTP layer knows are absent from most requests.
 * Node's parser knows whether a header is present, so the adapter searches its list and joins duplicates only for
 * headers that are.
 */
import type { Context } from 'hono'

/** The part of `Headers` that requests are read by. Names in lower case. */
export interface SentHeaders {
  get(name: string): string | null
}

/** What `@hono/node-server` provides; absent in tests without a socket. */
export interface NodeBindings {
  readonly incoming?: {
    readonly headers?: Readonly<Record<string, unknown>>
    readonly socket?: { readonly remoteAddress?: string | undefined }
  }
  /** The template of the path that answered, for the request metrics. */
  route?: string
}

export const bindingsOf = (c: Context): NodeBindings | undefined => c.env as NodeBindings | undefined

/**
 * For these headers Node keeps only the first of several, while `Headers` joins them. A request with two credentials
 * must be detected.
 */
const FIRST_KEPT: ReadonlySet<string> = new Set(['authorization', 'content-length', 'content-type', 'user-agent'])

class IncomingHeaders implements SentHeaders {
  readonly #all: Headers
  readonly #known: Readonly<Record<string, unknown>>

  constructor(all: Headers, known: Readonly<Record<string, unknown>>) {
    this.#all = all
    this.#known = known
  }

  get(name: string): string | null {
    const value = this.#known[name]
    if (value === undefined) return null
    return typeof value === 'string' && !FIRST_KEPT.has(name) ? value : this.#all.get(name)
  }
}

export function sentHeaders(c: Context): SentHeaders {
  const { headers } = c.req.raw
  const known = bindingsOf(c)?.incoming?.headers
  return known === undefined ? headers : new IncomingHeaders(headers, known)
}
