/**
 * Gets the access token of a service principal: it signs in when the token is first needed, keeps it for most of its
 * life, and gets a new one when the server refuses it.
 */
import { type Clock, systemClock } from '../clock.js'

/** Returns a bearer token. `refused` is a token that the server answered with 401, so that another is fetched. */
export type TokenSource = (refused?: string) => Promise<string>

export interface ServiceTokenOptions {
  /** Base of the API, such as `https://plumbline.example/api`. */
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
  /** The scope of the token; `audit:ingest` by default. */
  readonly scope?: string
  readonly timeoutMs: number
  readonly fetch?: typeof globalThis.fetch
  readonly clock?: Clock
}

/** Repeated sign-ins with wrong credentials cannot succeed, and the server's limits count every attempt. */
const REFUSED_PAUSE_MS = 5000
/** The share of a token's life after which another one is fetched, so that none expires on its way. */
const USED_SHARE = 0.8

interface Held {
  readonly token: string
  readonly untilMs: number
}

const DEFAULT_SCOPE = 'audit:ingest'

export class SignInRefused extends Error {
  /** The server itself refuses, not a proxy before it: its answers have a code. */
  readonly isByServer: boolean

  constructor(status: number, code: string, { url, scope = DEFAULT_SCOPE }: ServiceTokenOptions) {
    super(
      status === 404
        ? `${url} is not the API of a Plumbline server (404): check the address, and the BASE_PATH of the server`
        : `the server refused the client credentials (${status} ${code}): check PLUMBLINE_SERVICE_CLIENT_ID and _SECRET, and that the service principal has the scope ${scope}`,
    )
    this.name = 'SignInRefused'
    this.isByServer = status !== 404 && code !== ''
  }
}

export function serviceToken(options: ServiceTokenOptions): TokenSource {
  const { clock = systemClock, scope = DEFAULT_SCOPE } = options
  let held: Held | null = null
  let coming: Promise<Held> | null = null
  let refusal: { readonly error: SignInRefused; readonly untilMs: number } | null = null

  async function signIn(): Promise<Held> {
    if (refusal !== null && clock.now() < refusal.untilMs) throw refusal.error
    const askedAtMs = clock.now()
    const response = await (options.fetch ?? fetch)(`${options.url}/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        grant_type: 'client_credentials',
        clientId: options.clientId,
        clientSecret: options.clientSecret,
        scope,
      }),
      signal: AbortSignal.timeout(options.timeoutMs),
      redirect: 'error',
    })
    const body = (await response.json().catch(() => ({}))) as {
      data?: { accessToken?: unknown; expiresIn?: unknown }
      code?: unknown
    }
    const { accessToken, expiresIn } = body.data ?? {}
    if (response.ok && typeof accessToken === 'string' && typeof expiresIn === 'number') {
      refusal = null
      return { token: accessToken, untilMs: askedAtMs + expiresIn * 1000 * USED_SHARE }
    }
    if (![400, 401, 403, 404].includes(response.status)) throw new Error(`signing in: HTTP ${response.status}`)
    const error = new SignInRefused(response.status, typeof body.code === 'string' ? body.code : '', options)
    refusal = { error, untilMs: clock.now() + REFUSED_PAUSE_MS }
    throw error
  }

  return async (refused) => {
    if (held !== null && held.token !== refused && clock.now() < held.untilMs) return held.token
    coming ??= signIn().finally(() => {
      coming = null
    })
    held = await coming
    return held.token
  }
}
