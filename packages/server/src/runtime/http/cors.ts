/** Cross-origin calls from browsers (CORS): off unless origins are configured (spec platform 1.18). */
import type { Context } from 'hono'

export interface Cors {
  /** Headers of the answer to a preflight request; none for an origin that is not allowed. */
  preflight(c: Context, methods: readonly string[]): Record<string, string>
  /** Allows the browser to pass the answer to the page. */
  expose(c: Context, response: Response): Response
}

const REQUEST_HEADERS =
  'authorization, content-type, idempotency-key, if-match, if-none-match, last-event-id, traceparent, x-csrf, x-org-id, x-request-id, x-step-up-token'
const RESPONSE_HEADERS =
  'etag, idempotency-replayed, location, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after, www-authenticate, x-api-version, x-request-id'

export function corsOf(origins: readonly string[]): Cors | null {
  if (origins.length === 0) return null
  const isAny = origins.includes('*')
  const allowed = new Set(origins)

  /** Never `*` together with credentials: any page could then act as a signed-in user. */
  function allow(c: Context): Record<string, string> | null {
    const origin = c.req.header('origin')
    if (origin === undefined) return null
    if (allowed.has(origin))
      return { 'access-control-allow-origin': origin, 'access-control-allow-credentials': 'true' }
    return isAny ? { 'access-control-allow-origin': '*' } : null
  }

  return {
    preflight(c, methods) {
      const headers = allow(c)
      if (headers === null) return { vary: 'Origin' }
      return {
        ...headers,
        vary: 'Origin',
        'access-control-allow-methods': methods.join(', '),
        'access-control-allow-headers': REQUEST_HEADERS,
        'access-control-max-age': '600',
      }
    },
    expose(c, response) {
      response.headers.append('vary', 'Origin')
      const headers = allow(c)
      if (headers === null) return response
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
      response.headers.set('access-control-expose-headers', RESPONSE_HEADERS)
      return response
    },
  }
}
