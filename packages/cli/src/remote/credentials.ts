/**
 * Who the command line is on which server. From the environment (`PLUMBLINE_URL`, `PLUMBLINE_TOKEN`), else from a file
 * that only this user may read. INVARIANT: a token is never on a command line, in output or in a file that others can read.
 */
import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Io, UsageError } from '../command.js'

export interface Credentials {
  readonly url: string
  /** A personal access token, or the access token of a session. */
  readonly token: string
  /** Renews a session's access token; absent with a personal access token. */
  readonly refreshToken?: string
  /** When the access token ends, in ms. */
  readonly expiresAtMs?: number
  /** The organization that commands are for when none is named. */
  readonly organization?: string
}

export interface CredentialSource {
  readonly credentials: Credentials
  /** The file to write renewed tokens to; null when they came from the environment. */
  readonly file: string | null
}

export function credentialsFile(io: Io): string {
  const named = io.env.PLUMBLINE_CREDENTIALS
  if (named) return named
  const config = io.env.XDG_CONFIG_HOME || join(io.env.HOME || homedir(), '.config')
  return join(config, 'plumbline', 'credentials.json')
}

/** @throws UsageError when nobody is signed in, or the file is readable by others. */
export function readCredentials(io: Io): CredentialSource {
  const url = io.env.PLUMBLINE_URL
  const token = io.env.PLUMBLINE_TOKEN
  if (token) {
    if (!url) throw new UsageError('PLUMBLINE_TOKEN is set without PLUMBLINE_URL', 'set the address of the server too')
    return { credentials: { url: checkedUrl(url), token }, file: null }
  }
  const file = credentialsFile(io)
  const found = readFile(file)
  if (found === null) {
    throw new UsageError('nobody is signed in', 'run `plumbline login`, or set PLUMBLINE_URL and PLUMBLINE_TOKEN')
  }
  return { credentials: url ? { ...found, url: checkedUrl(url) } : found, file }
}

export function writeCredentials(file: string, credentials: Credentials): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  // Written beside and moved, so that a crash leaves the old credentials or the new ones.
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  chmodSync(draft, 0o600)
  renameSync(draft, file)
}

export function removeCredentials(file: string): void {
  rmSync(file, { force: true })
}

/** @throws UsageError for anything but an http or https address. Plain http only to this machine. */
export function checkedUrl(text: string): string {
  let url: URL
  try {
    url = new URL(text)
  } catch {
    throw new UsageError(`\`${text}\` is not an address`, 'give one such as https://plumbline.example.com')
  }
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocal)) {
    throw new UsageError(`a token does not travel to \`${url.origin}\` in the clear`, 'use https')
  }
  return url.origin
}

function readFile(file: string): Credentials | null {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      throw new UsageError(`others can read \`${file}\``, `run \`chmod 600 ${file}\``)
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    if (error instanceof UsageError) throw error
    throw new UsageError(`\`${file}\` can not be read (${(error as NodeJS.ErrnoException).code})`)
  }
  try {
    const value = JSON.parse(text) as Credentials
    if (typeof value.url === 'string' && typeof value.token === 'string') return value
  } catch {
    // Falls through to the one message: what is in the file is a secret.
  }
  throw new UsageError(`\`${file}\` does not hold credentials`, 'run `plumbline login` again')
}
