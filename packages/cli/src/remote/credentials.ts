/**
 * The credentials for each server: from the environment (a token, or the client id and secret of a service principal),
 * or from a file that only this user may read, with one entry per server.
 * INVARIANT: a secret is never on a command line, in output, in a file that others can read, or sent to a server other
 * than its own.
 */
import { chmodSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Invocation, type Io, UsageError } from '../command.js'
import { readBytes } from '../input/read-bytes.js'

/**
 * How a browser signed the person in. Later confirmations use the same way, because the person may have no password.
 */
export interface SignedInBy {
  readonly way: 'sso' | 'social'
  /** Id or slug of the organization, or id of the social provider. */
  readonly at: string
  readonly opensBrowser: boolean
}

export interface Credentials {
  readonly url: string
  /** A personal access token, or the access token of a session. */
  readonly token: string
  /** Renews a session's access token; absent with a personal access token. */
  readonly refreshToken?: string
  /** When the access token ends, in ms. */
  readonly expiresAtMs?: number
  /** The organization of commands that name none. */
  readonly organization?: string
  /** Absent with a password or a personal access token. */
  readonly signedInBy?: SignedInBy
}

/** A service principal. It is exchanged for a short-lived token when needed, and the token is not stored. */
export interface ServiceCredentials {
  readonly url: string
  readonly clientId: string
  readonly clientSecret: string
}

export type CredentialSource =
  | { readonly from: 'token'; readonly credentials: Credentials }
  | { readonly from: 'service'; readonly credentials: ServiceCredentials }
  | { readonly from: 'file'; readonly credentials: Credentials; readonly file: string }

interface Kept {
  /** The server of commands that name none: the one signed in to last. */
  readonly current: string
  readonly servers: Readonly<Record<string, Credentials>>
}

export const DEFAULT_URL = 'http://127.0.0.1:3000'

export function credentialsFile(io: Io): string {
  const named = io.env.PLUMBLINE_CREDENTIALS
  if (named) return named
  const config = io.env.XDG_CONFIG_HOME || join(io.env.HOME || homedir(), '.config')
  return join(config, 'plumbline', 'credentials.json')
}

/** The server that `--url` names, or else PLUMBLINE_URL. */
export function namedServer(invocation: Invocation, io: Io): string | null {
  const named = invocation.options.url ?? (io.env.PLUMBLINE_URL || undefined)
  return typeof named === 'string' ? checkedUrl(named, isYes(io.env.PLUMBLINE_ALLOW_HTTP)) : null
}

/** @throws UsageError if there are no credentials for the server, or if others can read the file. */
export function readCredentials(invocation: Invocation, io: Io): CredentialSource {
  const url = namedServer(invocation, io)
  const { PLUMBLINE_TOKEN: token, PLUMBLINE_SERVICE_CLIENT_ID: clientId } = io.env
  if (token) return { from: 'token', credentials: { url: url ?? noAddress('PLUMBLINE_TOKEN'), token } }
  if (clientId) {
    const clientSecret = io.env.PLUMBLINE_SERVICE_CLIENT_SECRET
    if (!clientSecret) {
      throw new UsageError('PLUMBLINE_SERVICE_CLIENT_ID is set without PLUMBLINE_SERVICE_CLIENT_SECRET')
    }
    const credentials = { url: url ?? noAddress('PLUMBLINE_SERVICE_CLIENT_ID'), clientId, clientSecret }
    return { from: 'service', credentials }
  }
  const file = credentialsFile(io)
  const kept = readFile(file)
  const credentials = kept?.servers[url ?? kept.current]
  if (credentials === undefined) {
    throw new UsageError(
      url === null ? 'you are not signed in' : `you are not signed in to ${url}`,
      'run `plumbline login`, or set PLUMBLINE_URL and PLUMBLINE_TOKEN',
    )
  }
  return { from: 'file', credentials, file }
}

function noAddress(name: string): never {
  throw new UsageError(`${name} is set without PLUMBLINE_URL`, 'set the address of the server too, or give --url')
}

/**
 * Stores the credentials of a server and keeps those of others. A sign-in makes this server the default of commands.
 */
export function writeCredentials(file: string, credentials: Credentials, { isSignIn = false } = {}): void {
  const kept = readFile(file)
  write(file, {
    current: kept === null || isSignIn ? credentials.url : kept.current,
    servers: { ...kept?.servers, [credentials.url]: credentials },
  })
}

/** Removes the credentials of one server. */
export function removeCredentials(file: string, url: string): void {
  const { [url]: _forgotten, ...servers } = readFile(file)?.servers ?? {}
  const [first] = Object.keys(servers)
  if (first === undefined) rmSync(file, { force: true })
  else write(file, { current: first, servers })
}

function write(file: string, kept: Kept): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Written to a temporary file and renamed, so that a crash leaves either the old or the new credentials.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

const isYes = (value: string | undefined): boolean => /^(1|true|yes)$/i.test(value ?? '')

/**
 * @param allowsHttp for a network that nobody else can listen on, such as that of a compose file.
 * @throws UsageError for anything but an http or https address. Plain http is allowed only to this machine, unless
 * `allowsHttp`.
 */
export function checkedUrl(text: string, allowsHttp: boolean): string {
  // `localhost:3000` parses as an address whose scheme is `localhost:`.
  if (/^[\w.-]+(:\d+)?(\/|$)/.test(text)) {
    throw new UsageError(`\`${text}\` has no scheme`, `write https://${text}, or http://${text} on this machine`)
  }
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new UsageError(`\`${text}\` is not an address`, 'give one such as https://plumbline.example.com')
  }
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && url.protocol !== 'http:') {
    throw new UsageError(
      `\`${text}\` is not an http or https address`,
      'give one such as https://plumbline.example.com',
    )
  }
  if (url.protocol === 'http:' && !isLocal && !allowsHttp) {
    throw new UsageError(
      `plain http would send the token to \`${url.origin}\` unencrypted`,
      'use https; on a private network set PLUMBLINE_ALLOW_HTTP=true',
    )
  }
  const path = url.pathname.replace(/(?<!\/)\/+$/, '')
  return COPIED_PATH.test(path) ? url.origin : `${url.origin}${path}`
}

const DEFAULT_BASE_PATH = '/api'
/** What people copy with the address of a server whose API is below `/api`. */
const COPIED_PATH = /^(?:\/api(?:\/docs)?|\/console(?:\/.*)?)?$/

/** A path in the address of a server is the path of its API (BASE_PATH); without one the API is below `/api`. */
export function apiOf(server: string): { readonly url: string; readonly basePath: string } {
  const { origin, pathname } = new URL(server)
  return { url: origin, basePath: pathname === '/' ? DEFAULT_BASE_PATH : pathname }
}

function readFile(file: string): Kept | null {
  let text: string
  try {
    text = readBytes(file).toString('utf8')
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw new UsageError(`others can read \`${file}\``, `run \`chmod 600 ${file}\``)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    if (error instanceof UsageError) throw error
    const { code, message } = error as NodeJS.ErrnoException
    throw new UsageError(`\`${file}\` cannot be read (${code ?? message})`)
  }
  try {
    const value = JSON.parse(text) as Kept
    if (typeof value.current === 'string' && Object.values(value.servers).every(isCredentials)) return value
  } catch {
    // The one message below covers this: the content of the file is secret.
  }
  throw new UsageError(`\`${file}\` does not hold credentials`, 'run `plumbline login` again after removing it')
}

const isCredentials = (value: Partial<Credentials> | null): boolean =>
  typeof value?.url === 'string' && typeof value.token === 'string'
