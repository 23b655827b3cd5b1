/**
 * A signed-in connection to a server: its address, the token (renewed shortly before it expires) and the organization
 * of the command.
 */
import { ApiError, createClient, type PlumblineClient, retrying } from '@plumbline/client'
import { type Invocation, type Io, NotDoneError, UsageError } from '../command.js'
import {
  apiOf,
  type CredentialSource,
  type Credentials,
  credentialsFile,
  readCredentials,
  type ServiceCredentials,
  type SignedInBy,
  writeCredentials,
} from './credentials.js'
import { refusalError, type Typed } from './refusal.js'

export interface Session {
  readonly client: PlumblineClient
  readonly url: string
  /** Signed in with a client id and secret. There is no person, so no confirmation can be asked for. */
  readonly isService: boolean
  /** Null for a sign-in with a password, and for credentials from the environment. */
  readonly signedInBy: SignedInBy | null
  /**
   * A request that the typed client does not cover: a download, an event stream, or an upload (which is sent once).
   *
   * @param path below the path of the API.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** A request whose method and path are data. @throws ApiError */
  send<T = unknown>(request: ApiRequest): Promise<Reply<T>>
}

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the path of the API, with its parameters filled in. */
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface Reply<T> {
  readonly status: number
  readonly headers: Headers
  readonly data: T
}

const RENEW_BEFORE_MS = 60_000

/** @param signal aborts every request. With a signal, requests are not retried. */
export function openSession(invocation: Invocation, io: Io, signal?: AbortSignal): Session {
  const source = readCredentials(invocation, io)
  const { url } = source.credentials
  const api = apiOf(url)
  const organization = organizationOf(invocation, io, source)
  const once = signal === undefined ? reach : (request: Request) => reach(new Request(request, { signal }))
  const token = tokenSource(source, io, once)
  const requestTo = async (path: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers)
    headers.set('authorization', `Bearer ${await token()}`)
    if (organization !== undefined) headers.set('x-org-id', organization)
    return new Request(`${api.url}${api.basePath}${path}`, { ...init, headers })
  }
  const send = signal === undefined ? retrying(reach) : once
  return {
    url,
    isService: source.from === 'service',
    signedInBy: source.from === 'file' ? (source.credentials.signedInBy ?? null) : null,
    client: createClient({ ...api, token, fetch: send, ...(organization === undefined ? {} : { organization }) }),
    fetch: async (path, init) => {
      const request = await requestTo(path, init)
      return request.method === 'GET' ? send(request) : once(request)
    },
    async send<T>({ method, path, query = {}, body, headers = {} }: ApiRequest): Promise<Reply<T>> {
      const search = new URLSearchParams(query).toString()
      const request = await requestTo(`${path}${search === '' ? '' : `?${search}`}`, {
        method,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return replyOf<T>(await send(request))
    },
  }
}

/** The data of an answer. @throws ApiError if the server refused. */
export async function replyOf<T>(response: Response): Promise<Reply<T>> {
  const { status, headers } = response
  const body = (await response.json().catch(() => undefined)) as { data?: T } | undefined
  if (!response.ok) throw new ApiError(response, body as ConstructorParameters<typeof ApiError>[1])
  return { status, headers, data: body?.data as T }
}

function organizationOf(invocation: Invocation, io: Io, source: CredentialSource): string | undefined {
  if (typeof invocation.options.org === 'string') return invocation.options.org
  if (io.env.PLUMBLINE_ORG) return io.env.PLUMBLINE_ORG
  return source.from === 'file' ? source.credentials.organization : undefined
}

/** Sends a request. */
type Reach = (request: Request) => Promise<Response>

function tokenSource(source: CredentialSource, io: Io, once: Reach): () => Promise<string> {
  if (source.from === 'service') return serviceToken(source.credentials, io, once)
  let current = source.credentials
  return async () => {
    const { refreshToken, expiresAtMs } = current
    if (source.from === 'file' && refreshToken !== undefined && isEnding(expiresAtMs ?? 0, io)) {
      current = await renew(current, refreshToken, io, once)
      writeCredentials(source.file, current)
    }
    return current.token
  }
}

const isEnding = (atMs: number, io: Io): boolean => atMs - io.now().getTime() < RENEW_BEFORE_MS

function serviceToken({ url, clientId, clientSecret }: ServiceCredentials, io: Io, once: Reach): () => Promise<string> {
  let token: { readonly text: string; readonly expiresAtMs: number } | null = null
  return async () => {
    if (token === null || isEnding(token.expiresAtMs, io)) {
      const { data, error, response } = await anonymousClient(url, once).POST('/auth/token', {
        body: { grant_type: 'client_credentials', clientId, clientSecret },
      })
      if (data === undefined) throw new ApiError(response, error as ConstructorParameters<typeof ApiError>[1])
      const { accessToken, expiresIn } = data.data
      token = { text: accessToken, expiresAtMs: io.now().getTime() + expiresIn * 1000 }
    }
    return token.text
  }
}

/** A connection without credentials, for the sign-in. */
export const anonymousClient = (url: string, fetch: Reach = reach): PlumblineClient =>
  createClient({ ...apiOf(url), fetch })

/** Nothing can renew the session any more. */
export class EndedSession extends UsageError {}

async function renew(credentials: Credentials, refreshToken: string, io: Io, once: Reach): Promise<Credentials> {
  const { data, response } = await anonymousClient(credentials.url, once).POST('/auth/refresh', {
    body: { refreshToken },
  })
  const tokens = data?.data
  if (tokens?.refreshToken === undefined) {
    const hint = `run \`plumbline login\` again; the session is stored in ${credentialsFile(io)}`
    if (response.status === 401) throw new EndedSession('the session has ended', hint)
    throw new UsageError(`the session cannot be renewed (${response.status})`, hint)
  }
  return {
    ...credentials,
    token: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    expiresAtMs: io.now().getTime() + tokens.expiresIn * 1000,
  }
}

/** Whether the server answered a TLS handshake in plain text. */
function isPlainHttp(error: unknown): boolean {
  const { code } = (error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined) ?? {}
  return code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'EPROTO'
}

/** @throws NotDoneError if the server does not answer. */
export async function reach(request: Request): Promise<Response> {
  try {
    // A redirect would send the body, which may hold a password, to another server.
    const redirect = request.method === 'GET' || request.method === 'HEAD' ? 'follow' : 'error'
    return await globalThis.fetch(request, { redirect })
  } catch (error) {
    if (isPlainHttp(error)) {
      const { origin } = new URL(request.url)
      throw new UsageError(`${origin} does not answer with TLS`, `write ${origin.replace('https:', 'http:')}`)
    }
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new NotDoneError(
      `\`${new URL(request.url).origin}\` cannot be reached: ${cause}`,
      'check that the server runs (`plumbline serve` starts one), or name another with --url or PLUMBLINE_URL',
    )
  }
}

/**
 * Runs the body of a command. A refusal of the server becomes the error that ends the command.
 * @param typed what the user typed for each field of the request.
 */
export async function telling<T>(run: () => Promise<T>, typed?: Typed): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw error instanceof ApiError ? refusalError(error, undefined, typed) : error
  }
}
