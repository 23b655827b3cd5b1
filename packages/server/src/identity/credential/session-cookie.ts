/**
 * The session cookie of a browser, and which requests may use it.
 *
 * The cookie is 256 random bits; the session's row holds their hash. Using the cookie does not change it, so that
 * parallel tabs and requests never sign one another out. A sign-in, a step-up and a change of the password give a new
 * value.
 *
 * A browser attaches a cookie no matter which site caused the request, so three layers prevent misuse: SameSite=Strict;
 * the browser's statement (`Sec-Fetch-Site`, or else `Origin`) that the request comes from our pages; and `x-csrf: 1`
 * on requests that change something, which no form or link can send. A request that fails one of them is anonymous.
 */
import { insufficient, Refusal } from '../../runtime/errors.js'
import type { SentHeaders } from '../../runtime/http/sent-headers.js'
import type { RequestInfo } from '../../runtime/operation/context.js'
import type { Settings } from '../../runtime/settings/load.js'

type CookieSettings = Pick<Settings, 'NODE_ENV' | 'PUBLIC_URL' | 'TLS_CERT'>

/** The name over TLS. With this prefix the browser refuses the cookie from another host and without `Secure`. */
const SECURE_NAME = '__Host-plumbline_session'
/**
 * The name over http to this machine, outside production: browsers differ on whether they keep a secure cookie there.
 */
const LOOPBACK_NAME = 'plumbline_session'

// guard: the-samesite-of-a-session-cookie
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict'
const SECURE = `${ATTRIBUTES}; Secure`

/**
 * A request that changes something by cookie needs this header. A page of another origin cannot send it without CORS
 * consent.
 */
const CSRF_HEADER = 'x-csrf'
const NO_CHANGE: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export interface PresentedCookie {
  readonly name: string
  readonly value: string
}

/** The cookie, if the request may use it; otherwise null. */
export function presentedCookie(
  settings: CookieSettings,
  headers: SentHeaders,
  method: string,
): PresentedCookie | null {
  const sent = headers.get('cookie')
  if (sent === null) return null
  const cookie =
    cookieNamed(sent, SECURE_NAME) ?? (isPlainAllowed(settings, headers) ? cookieNamed(sent, LOOPBACK_NAME) : null)
  return cookie !== null && isOurs(settings, headers, method) ? cookie : null
}

/** Whether the request comes from our own page and was intended. */
export function isOurs(settings: CookieSettings, headers: SentHeaders, method: string): boolean {
  // guard: a-cookie-counts-from-our-own-pages
  if (!isFromOurPages(settings, headers)) return false
  // guard: a-change-by-cookie-is-meant
  return NO_CHANGE.has(method) || headers.get(CSRF_HEADER) === '1'
}

function isFromOurPages(settings: CookieSettings, headers: SentHeaders): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  // guard: a-browser-without-that-word-is-asked-for-its-origin
  return isOwnOrigin(settings, headers)
}

function isOwnOrigin({ PUBLIC_URL }: CookieSettings, headers: SentHeaders): boolean {
  const origin = headers.get('origin')
  if (origin === null) return false
  if (PUBLIC_URL !== null) return origin === new URL(PUBLIC_URL).origin
  const host = headers.get('host')
  return host !== null && (origin === `https://${host}` || origin === `http://${host}`)
}

const isPlainAllowed = ({ NODE_ENV }: CookieSettings, headers: SentHeaders): boolean =>
  // guard: a-cookie-without-a-prefix-is-for-this-machine-alone
  NODE_ENV !== 'production' && isLoopback(headers)

const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i

const isLoopback = (headers: SentHeaders): boolean => LOOPBACK.test(headers.get('host') ?? '')

function cookieNamed(sent: string, name: string): PresentedCookie | null {
  for (const pair of sent.split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return { name, value: pair.slice(at + 1).trim() }
  }
  return null
}

/**
 * The name under which the caller's browser keeps the cookie.
 * @throws Refusal 403 when the request does not come from our own page, because another site must not sign a person in;
 *   409 when the browser would drop the cookie.
 */
export function cookieNameFor(settings: CookieSettings, request: RequestInfo): string {
  const headers = request.headers ?? new Headers()
  // guard: a-sign-in-by-cookie-comes-from-our-own-page
  if (!isOurs(settings, headers, 'POST')) {
    throw insufficient(
      'origin',
      'only pages of this server can get a session cookie: send `x-csrf: 1` from a page of the same origin, or sign in without `cookie=session`',
    )
  }
  // The settings may not know about a proxy in front; the page's origin shows how it was reached.
  const addresses = [settings.PUBLIC_URL, headers.get('origin')]
  const isTls = settings.TLS_CERT !== null || addresses.some((each) => each?.startsWith('https:'))
  if (isTls) return SECURE_NAME
  if (isLoopback(headers)) return settings.NODE_ENV === 'production' ? SECURE_NAME : LOOPBACK_NAME
  throw new Refusal(
    'CONFLICT',
    'a browser stores no session over plain http from another machine: put TLS in front and set PUBLIC_URL, or open the server as http://localhost',
    { details: { reason: 'plain-http' } },
  )
}

export const setCookie = (name: string, value: string, seconds: number): string =>
  `${name}=${value}; ${name === SECURE_NAME ? SECURE : ATTRIBUTES}; Max-Age=${seconds}`

/** The header that deletes the cookie. */
export const goneCookie = (name: string): string => setCookie(name, '', 0)
