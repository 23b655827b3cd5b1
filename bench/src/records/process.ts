/** The released server in a separate process with its own folder, and one signed-in person. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'

const PERSON = { username: 'bench', email: 'bench@plumbline.test', password: 'Correct-Horse-7' }
const key = (): string => randomBytes(32).toString('base64')

/**
 * Equal for every start on the same folder, as production requires. Rate limits are raised, because they are not
 * measured.
 */
const ENVIRONMENT = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'http://127.0.0.1',
  PORT: '0',
  PLUMBLINE_DEMO: 'false',
  LOG_LEVEL: 'info',
  LIMITER_MAX: '0',
  AUTH_LIMITER_MAX: '100000',
  JWT_KEYS: `k1:${key()}`,
  SECRET_ENCRYPTION_KEYS: `s1:${key()}`,
  AUDIT_CHECKPOINT_KEY: key(),
}

export interface Person {
  readonly accessToken: string
  readonly orgId: string
  readonly userId: string
}

export class ServerProcess {
  readonly url: string
  readonly #child: ChildProcess

  private constructor(url: string, child: ChildProcess) {
    this.url = url
    this.#child = child
  }

  /** @param script the bundled entry of the server. */
  static async start(script: string, folder: string, nodeFlags: readonly string[] = []): Promise<ServerProcess> {
    const child = spawn(process.execPath, [...nodeFlags, script], {
      env: { PATH: process.env['PATH'], ...ENVIRONMENT, DATA_DIR: folder },
      // Standard error is ignored: a server without an e-mail provider writes its e-mails there.
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
    const url = await new Promise<string>((resolve, reject) => {
      const said: string[] = []
      lines.on('line', (line) => {
        if (said.length < 20) said.push(line)
        const found = /"url":"(http:[^"]+)"/.exec(line)?.[1]
        if (found !== undefined) resolve(found)
      })
      child.on('exit', (code) => reject(new Error(`the server ended with ${code}:\n${said.join('\n')}`)))
    })
    return new ServerProcess(url, child)
  }

  get port(): number {
    return Number(new URL(this.url).port)
  }

  get pid(): number {
    return this.#child.pid as number
  }

  /** Resident memory in bytes: the current one, and the peak since the start. Linux only; NaN elsewhere. */
  memory(): { readonly now: number; readonly peak: number } {
    try {
      const status = readFileSync(`/proc/${this.pid}/status`, 'utf8')
      const read = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024
      return { now: read('VmRSS'), peak: read('VmHWM') }
    } catch {
      return { now: Number.NaN, peak: Number.NaN }
    }
  }

  /** @throws Error if the server refuses, because refusals are fast and would distort the figures. */
  async call<T = Record<string, unknown>>(
    method: string,
    path: string,
    person: Person | null,
    body?: unknown,
  ): Promise<T> {
    const response = await fetch(`${this.url}/api${path}`, {
      method,
      headers: {
        ...(person === null ? {} : headersOf(person)),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text.slice(0, 500)}`)
    return JSON.parse(text).data as T
  }

  async register(): Promise<Person> {
    const { organization } = await this.call<{ organization: { id: string } }>('POST', '/auth/register', null, PERSON)
    return this.signIn(organization.id)
  }

  async signIn(orgId: string): Promise<Person> {
    const credentials = { identifier: PERSON.email, password: PERSON.password }
    const { accessToken } = await this.call<{ accessToken: string }>('POST', '/auth/login', null, credentials)
    const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString()) as { sub: string }
    return { accessToken, orgId, userId: claims.sub }
  }

  async stop(): Promise<void> {
    const ended = new Promise((resolve) => this.#child.once('exit', resolve))
    this.#child.kill('SIGTERM')
    await ended
  }
}

export const headersOf = ({ accessToken, orgId }: Person): Record<string, string> => ({
  authorization: `Bearer ${accessToken}`,
  'x-org-id': orgId,
})

/** Fills the database of the folder. No server may use it at the same time. */
export async function seed(
  script: string,
  folder: string,
  person: Omit<Person, 'accessToken'>,
  rows: number,
): Promise<void> {
  await promisify(execFile)(process.execPath, [script, folder, person.orgId, person.userId, String(rows)])
}
