/**
 * The cookie that binds a sign-in to the browser that started it. With `__Host-`, no neighbouring host can plant one.
 */
import { randomBytes } from 'node:crypto'
import { tokenHash } from '../../identity/index.js'
import type { OutcomeHeaders, RequestInfo } from '../../runtime/operation/context.js'

const NAME = '__Host-plumbline_sso'
const VALUE = /^[A-Za-z0-9_-]{43}$/
const SECONDS = 3600

/** The cookie's value; null if it is missing or not ours. */
export function browserOf(request: RequestInfo): string | null {
  for (const pair of (request.headers?.get('cookie') ?? '').split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === NAME) {
      const value = pair.slice(at + 1).trim()
      return VALUE.test(value) ? value : null
    }
  }
  return null
}

/** The hash that a flow stores for the browser, and the header that sets the cookie. Several tabs share one value. */
export function bindBrowser(request: RequestInfo): { readonly hash: string; readonly headers: OutcomeHeaders } {
  const value = browserOf(request) ?? randomBytes(32).toString('base64url')
  return {
    hash: tokenHash(value),
    headers: { 'set-cookie': [`${NAME}=${value}; Path=/; HttpOnly; Secure; SameSite=Lax; Max-Age=${SECONDS}`] },
  }
}
