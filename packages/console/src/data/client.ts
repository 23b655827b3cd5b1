/**
 * The API as this page calls it: by the session cookie, which the browser sends by itself, with `x-csrf` on every change.
 * A change that needs a fresh confirmation of identity opens the dialog, then goes once more.
 */
import { createClient, type PlumblineClient } from '@plumbline/client'
import { createStore } from '../ui/store.js'

/** Set when the server no longer knows the session: the page stays and asks to sign in over it. */
export const signedOut = createStore(false)

/** A sign-in whose session is a cookie that no script can read; the answer holds no token. */
export const BY_COOKIE = { cookie: 'session' } as const

interface StepUpRequest {
  readonly answer: (token: string | null) => void
}
/** The confirmation that is being asked for. */
export const stepUp = createStore<StepUpRequest | null>(null)

/** Ways in: a 401 there says that a password was wrong, not that a session ended. */
const WAYS_IN = /\/(auth\/(login|register|password|verify-email|step-up|email)|invitation\/accept-new)/

export const basePath = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="plumbline-base-path"]')?.content ?? '/api'

const isRead = (request: Request) => request.method === 'GET' || request.method === 'HEAD'

async function codeOf(response: Response): Promise<string> {
  try {
    const body: unknown = await response.clone().json()
    return String((body as { code?: unknown } | null)?.code ?? '')
  } catch {
    return ''
  }
}

/** The strong ETag of each record as it was last read: a form takes it when it opens, and sends it with its change. */
const etags = new Map<string, string>()
export const etagOf = (path: string): string | null => etags.get(`${basePath()}${path}`) ?? null

export async function send(request: Request): Promise<Response> {
  if (!isRead(request)) request.headers.set('x-csrf', '1')
  const again = request.clone()
  const response = await fetch(request)
  const etag = response.headers.get('etag')
  if (isRead(request) && etag?.startsWith('"') === true) etags.set(new URL(request.url).pathname, etag)
  if (response.status !== 401) return response
  const code = await codeOf(response)
  if (code.startsWith('STEP_UP_')) {
    const token = await new Promise<string | null>((answer) => stepUp.set({ answer }))
    stepUp.set(null)
    if (token === null) return response
    again.headers.set('x-step-up-token', token)
    return fetch(again)
  }
  if (!WAYS_IN.test(new URL(request.url).pathname)) signedOut.set(true)
  return response
}

/** @param organization its slug, as the address names it; none before sign-in. */
export function apiFor(organization: string | null, headers: Readonly<Record<string, string>> = {}): PlumblineClient {
  return createClient({
    url: location.origin,
    basePath: basePath(),
    ...(organization === null ? {} : { organization }),
    fetch(request) {
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
      return send(request)
    },
  })
}

/** The address of a file: a link has no header, so it names the organization itself. */
export function fileAddress(organization: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams({ ...query, org: organization })
  return `${basePath()}${path}?${search}`
}
