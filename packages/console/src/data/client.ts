/**
 * Sends the requests of this page: with the session cookie, which the browser adds, and with `x-csrf` on every change.
 * If a change needs a fresh confirmation of identity, a dialog asks for it and the change is sent once more.
 */
import { createClient, type PlumblineClient } from '@plumbline/client'
import { createStore } from '../ui/store.js'

/** Set when the session has ended. The page stays, and a dialog over it asks to sign in. */
export const signedOut = createStore(false)

/** The slug of the organization that asked for its single sign-on, because the session has no proof of it any more. */
export const closed = createStore<string | null>(null)

/** Asks for a session cookie that no script can read, and for an answer without a token. */
export const BY_COOKIE = { cookie: 'session' } as const

/** A running impersonation. Only this page holds the token, so a reload ends the impersonation. */
interface Acting {
  readonly token: string
  readonly username: string
  /** By the clock of this browser, which may differ from the clock of the server. */
  readonly endsAtMs: number
  readonly isReadOnly: boolean
}
export const acting = createStore<Acting | null>(null)

interface StepUpRequest {
  readonly id: number
  readonly answer: (token: string | null) => void
}
/** The confirmation that the dialog currently asks for. */
export const stepUp = createStore<StepUpRequest | null>(null)

let asked = 0
let lastAnswer: Promise<unknown> = Promise.resolve()

/** Asks for a confirmation, after those of earlier requests have their answers. Each token is good for one request. */
function confirmation(): Promise<string | null> {
  const ask = async () => {
    asked += 1
    const id = asked
    const token = await new Promise<string | null>((answer) => stepUp.set({ id, answer }))
    stepUp.set(null)
    return token
  }
  const mine = lastAnswer.then(ask)
  lastAnswer = mine
  return mine
}

/** Routes without a session: a 401 there means a wrong password, and not that a session has ended. */
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

/**
 * The strong ETag of each record when it was last read. A form stores it when it opens, and sends it with its change.
 */
const etags = new Map<string, string>()
export const etagOf = (path: string): string | null => etags.get(`${basePath()}${path}`) ?? null

export type Transport = (request: Request) => Promise<Response>

export async function send(request: Request, transport: Transport = (each) => fetch(each)): Promise<Response> {
  if (!isRead(request)) request.headers.set('x-csrf', '1')
  const as = acting.get()
  // The server prefers this token to the cookie.
  if (as !== null) request.headers.set('authorization', `Bearer ${as.token}`)
  const again = request.clone()
  const response = await transport(request)
  const etag = response.headers.get('etag')
  if (isRead(request) && etag?.startsWith('"') === true) etags.set(new URL(request.url).pathname, etag)
  if (response.status !== 401) return response
  const code = await codeOf(response)
  if (code.startsWith('STEP_UP_')) {
    const token = await confirmation()
    if (token === null) return response
    again.headers.set('x-step-up-token', token)
    return transport(again)
  }
  const isWayIn = WAYS_IN.test(new URL(request.url).pathname)
  // The session goes on: the organization asks for its single sign-on.
  if (code === 'SSO_REQUIRED') {
    if (!isWayIn) closed.set(request.headers.get('x-org-id'))
  }
  // Only the impersonation has ended; the session of the administrator continues.
  else if (as !== null) acting.set(null)
  else if (!isWayIn) signedOut.set(true)
  return response
}

/** @param organization its slug, as in the address; null before the sign-in. */
export function apiFor(
  organization: string | null,
  headers: Readonly<Record<string, string>> = {},
  transport?: Transport,
): PlumblineClient {
  return createClient({
    url: location.origin,
    basePath: basePath(),
    ...(organization === null ? {} : { organization }),
    fetch(request) {
      for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
      return send(request, transport)
    },
  })
}

/** The address of a file. A link cannot send a header, so the address names the organization. */
export function fileAddress(organization: string, path: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams({ ...query, org: organization })
  return `${basePath()}${path}?${search}`
}
