/**
 * The session cookie of a browser, and which requests may use it.
 *
 * The cookie is 256 random bits; the row of the session holds their hash. No use changes it, so that tabs and requests side by side never
 * sign one another out. A sign-in, a confirmation of identity and a change of the password give a new value.
 *
 * A browser sends a cookie wherever a request goes, so three layers keep others from using it: SameSite=Strict; the browser's own word
 * (`Sec-Fetch-Site`, or `Origin` without it) that the request comes from our pages; and `x-csrf: 1` on what changes something, which no
 * form and no link can send. A request that fails one of them is anonymous.
 */
import { insufficient, Refusal } from '../../runtime/errors.js'
import type { SentHeaders } from '../../runtime/http/sent-headers.js'
import type { RequestInfo } from '../../runtime/operation/context.js'
import type { Settings } from '../../runtime/settings/load.js'

type CookieSettings = Pick<Settings, 'NODE_ENV' | 'PUBLIC_URL' | 'TLS_CERT'>

/** Over TLS. The prefix makes the browser refuse it from another host and without `Secure`. */
const SECURE_NAME = '__Host-plumbline_session'
/** Over http to this machine, outside production: browsers differ on whether they keep a secure cookie there. */
const LOOPBACK_NAME = 'plumbline_session'

// guard: the-samesite-of-a-session-cookie
const ATTRIBUTES = 'Path=/; HttpOnly; SameSite=Strict'
const SECURE = `${ATTRIBUTES}; Secure`

/** The header that a change by cookie needs; a page of another origin cannot send it unasked. */
const CSRF_HEADER = 'x-csrf'
const NO_CHANGE: ReadonlySet<string> = new Set(['GET', 'HEAD'])

export interface PresentedCookie {
  readonly name: string
  readonly value: string
}

/** The cookie of a request that may use it; null for none, and for one that the request may not use. */
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

/** Whether our own page sent the request, and meant to. */
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
 * The name that the caller's browser keeps the cookie under.
 * @throws Refusal 403 where the request does not come from our own page: nobody is signed in by another site; 409 where the browser
 *   would drop the cookie.
 */
export function cookieNameFor(settings: CookieSettings, request: RequestInfo): string {
  const headers = request.headers ?? new Headers()
  // guard: a-sign-in-by-cookie-comes-from-our-own-page
  if (!isOurs(settings, headers, 'POST')) {
    throw insufficient(
      'origin',
      "a session cookie is given to this server's own pages alone: send `x-csrf: 1` from a page of the same origin, or sign in without `cookie=session`",
    )
  }
  // A proxy in front may be unknown to the settings; the page knows how it was reached.
  const addresses = [settings.PUBLIC_URL, headers.get('origin')]
  const isTls = settings.TLS_CERT !== null || addresses.some((each) => each?.startsWith('https:'))
  if (isTls) return SECURE_NAME
  if (isLoopback(headers)) return settings.NODE_ENV === 'production' ? SECURE_NAME : LOOPBACK_NAME
  throw new Refusal(
    'CONFLICT',
    'a browser keeps no session over plain http from another machine: put TLS in front and set PUBLIC_URL, or open the server as http://localhost',
    { details: { reason: 'plain-http' } },
  )
}

export const setCookie = (name: string, value: string, seconds: number): string =>
  `${name}=${value}; ${name === SECURE_NAME ? SECURE : ATTRIBUTES}; Max-Age=${seconds}`

/** The header that takes the cookie away. */
export const goneCookie = (name: string): string => setCookie(name, '', 0)
