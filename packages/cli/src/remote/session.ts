/**
 * A signed-in connection to a server: the address, the token (renewed when it is about to end) and the organization that
 * the command is for. What the server refuses becomes a usage error with its own words.
 */
import { ApiError, createClient, type PlumblineClient, retrying } from '@plumbline/client'
import { type Invocation, type Io, UsageError } from '../command.js'
import { type Credentials, credentialsFile, readCredentials, writeCredentials } from './credentials.js'

export interface Session {
  readonly client: PlumblineClient
  readonly url: string
  /** A request that the typed client has no form for: a download, an event stream. */
  fetch(path: string, init?: RequestInit): Promise<Response>
}

const RENEW_BEFORE_MS = 60_000

export function openSession(invocation: Invocation, io: Io): Session {
  const { credentials, file } = readCredentials(io)
  const organization =
    (typeof invocation.options.org === 'string' ? invocation.options.org : undefined) ??
    io.env.PLUMBLINE_ORG ??
    credentials.organization
  let current = credentials
  const token = async () => {
    const { refreshToken, expiresAtMs } = current
    if (file !== null && refreshToken !== undefined && (expiresAtMs ?? 0) - io.now().getTime() < RENEW_BEFORE_MS) {
      current = await renew(current, refreshToken, io)
      writeCredentials(file, current)
    }
    return current.token
  }
  const send = retrying((request) => reach(request))
  return {
    url: current.url,
    client: createClient({
      url: current.url,
      token,
      fetch: send,
      ...(organization === undefined ? {} : { organization }),
    }),
    async fetch(path, init = {}) {
      const headers = new Headers(init.headers)
      headers.set('authorization', `Bearer ${await token()}`)
      if (organization !== undefined) headers.set('x-org-id', organization)
      return send(new Request(`${current.url}${path}`, { ...init, headers }))
    },
  }
}

/** A connection without credentials, for signing in. */
export const anonymousClient = (url: string): PlumblineClient =>
  createClient({ url, fetch: (request) => reach(request) })

async function renew(credentials: Credentials, refreshToken: string, io: Io): Promise<Credentials> {
  const { data, response } = await anonymousClient(credentials.url).POST('/auth/refresh', { body: { refreshToken } })
  const tokens = data?.data
  if (tokens?.refreshToken === undefined) {
    throw new UsageError(
      response.status === 401 ? 'the session has ended' : `the session can not be renewed (${response.status})`,
      `run \`plumbline login\` again; it is kept in ${credentialsFile(io)}`,
    )
  }
  return {
    ...credentials,
    token: tokens.accessToken,
    refreshToken: tokens.refreshToken,
    expiresAtMs: io.now().getTime() + tokens.expiresIn * 1000,
  }
}

async function reach(request: Request): Promise<Response> {
  try {
    return await globalThis.fetch(request)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new UsageError(`\`${new URL(request.url).origin}\` can not be reached: ${cause}`)
  }
}

/** Runs the command's body; the server's refusals are told as they are. */
export async function telling<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const issues = Array.isArray(error.details.issues)
      ? (error.details.issues as { path: string; message: string }[])
      : []
    throw new UsageError(
      `${error.message} (${error.code})`,
      hintOf(error),
      issues.length > 1 ? issues.map(({ path, message }) => `${path} ${message}`) : [],
    )
  }
}

function hintOf(error: ApiError): string | undefined {
  if (error.code.startsWith('TOKEN_')) return 'run `plumbline login` again'
  if (error.code === 'STEP_UP_REQUIRED') return 'the command asks for your password again: run it on a terminal'
  if (error.retryAfterSeconds !== null) return `try again in ${error.retryAfterSeconds} s`
  return error.requestId === null ? undefined : `the server's log knows it as ${error.requestId}`
}
