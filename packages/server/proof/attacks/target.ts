/** The server as it is released, in a process of its own, and the people who attack it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TEST_ENVIRONMENT } from '../../test/support/settings.js'
import { postgresStore } from '../../test/support/stores.js'
import { bundle } from '../bundle.js'

export const PASSWORD = 'Correct-Horse-7'
export const BOSS = 'boss@corp.test'

export interface Answer {
  readonly status: number
  readonly code: string
  // biome-ignore lint/suspicious/noExplicitAny: what an answer holds is known where it is read
  readonly data: any
  readonly headers: Headers
}

export interface Person {
  readonly name: string
  readonly id: string
  readonly orgId: string
  readonly token: string
}

export interface Target {
  readonly url: string
  readonly pid: number
  /** What the process holds after a full collection, in MB. What is resident says little: it waits for the collector. */
  heldMb(): Promise<number>
  call(method: string, path: string, more?: { as?: Person | string; body?: unknown; headers?: object }): Promise<Answer>
  fetch(path: string, init?: RequestInit): Promise<Response>
  signUp(name: string, email?: string): Promise<Person>
  signIn(person: Pick<Person, 'name'>, password?: string): Promise<Answer>
  stepUp(person: Person): Promise<{ 'x-step-up-token': string }>
  /** The token of the newest link of this path that was sent to the address. */
  mailedToken(address: string, path: string): Promise<string>
  /** What the process has printed on its error output: the log, with the mails in it. */
  printed(): string
  /** What it has printed on its output: the log. */
  log(): string
  readonly place: Place
  /** Ends the process at once. */
  kill(): Promise<void>
  /** Starts another process on the same data. @returns what it printed when it refused to start, or null. */
  startAgain(): Promise<string | null>
  stop(): Promise<void>
}

/** Where the data of the server is, for who holds its disks. */
export interface Place {
  readonly folder: string
  /** Null on SQLite. */
  readonly databaseUrl: string | null
}

/** On demand: collects what nobody holds any more, and prints how many bytes are held. */
const COLLECT = `data:text/javascript,${encodeURIComponent(`process.on('SIGUSR2', () => {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  console.error('held ' + (heapUsed + external) + ' bytes')
})`)}`

function spawnServer(
  file: string,
  { folder, databaseUrl }: Place,
  env: Readonly<Record<string, string>>,
): ChildProcess {
  return spawn(process.execPath, ['--expose-gc', '--import', COLLECT, file], {
    env: {
      PATH: process.env.PATH,
      ...TEST_ENVIRONMENT,
      LOG_LEVEL: 'info',
      PORT: '0',
      DATA_DIR: folder,
      TRUST_PROXY: '1',
      LIMITER_MAX: '0',
      AUTH_LIMITER_MAX: '0',
      STEP_UP_LIMITER_MAX: '0',
      INVITATION_LIMITER_MAX: '0',
      AUDIT_EXPORT_LIMITER_MAX: '0',
      BOOTSTRAP_SUPERADMIN_EMAILS: BOSS,
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

const ended = async (child: ChildProcess): Promise<void> => {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, 'exit')
    child.kill('SIGKILL')
    await exit
  }
}

/** @param env settings besides those of the tests. */
export async function startTarget(engine: string, env: Readonly<Record<string, string>> = {}): Promise<Target> {
  const store = engine === 'postgres' ? await postgresStore() : null
  const built = await bundle('src/main.ts')
  const place = { folder: mkdtempSync(join(tmpdir(), 'plumbline-attacks-')), databaseUrl: store?.url ?? null }
  const child = spawnServer(built.file, place, env)
  let mails = ''
  let lines = ''
  child.stdout?.on('data', (chunk: Buffer) => {
    lines += chunk
  })
  child.stderr?.on('data', (chunk: Buffer) => {
    mails += chunk
  })
  const startAgain = async () => {
    const again = spawnServer(built.file, place, env)
    let printed = ''
    again.stderr?.on('data', (chunk: Buffer) => {
      printed += chunk
    })
    try {
      await addressOf(again, () => printed)
      return null
    } catch {
      return printed
    } finally {
      await ended(again)
    }
  }
  const stop = async () => {
    await ended(child)
    await store?.close()
    built.clean()
    rmSync(place.folder, { recursive: true, force: true })
  }
  try {
    const url = await addressOf(child, () => mails)
    const kill = () => ended(child)
    return {
      ...targetAt(url, () => mails),
      url,
      log: () => lines,
      place,
      pid: child.pid ?? 0,
      heldMb: () => heldMb(child, () => mails),
      stop,
      kill,
      startAgain,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function heldMb(child: ChildProcess, printed: () => string): Promise<number> {
  const before = printed().length
  child.kill('SIGUSR2')
  for (let tries = 0; tries < 200; tries++) {
    const bytes = /^held (\d+) bytes$/m.exec(printed().slice(before))?.[1]
    if (bytes !== undefined) return Number(bytes) / 1e6
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error('the server does not say what it holds')
}

function addressOf(child: ChildProcess, printed: () => string): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      if (output.length > 100_000) return
      output += chunk
      const url = /"url":"(http:[^"]+)"/.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    })
    child.on('exit', (code) => reject(new Error(`the server ended with ${code}: ${printed()}`)))
  })
}

type Requests = Omit<Target, 'url' | 'pid' | 'heldMb' | 'log' | 'place' | 'stop' | 'kill' | 'startAgain'>

function targetAt(url: string, mails: () => string): Requests {
  const call: Target['call'] = async (method, path, { as, body, headers = {} } = {}) => {
    const token = typeof as === 'string' ? as : as?.token
    const response = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const read = text.startsWith('{') ? JSON.parse(text) : {}
    return { status: response.status, code: read.code ?? '', data: read.data ?? read, headers: response.headers }
  }
  const signIn: Target['signIn'] = ({ name }, password = PASSWORD) =>
    call('POST', '/auth/login', { body: { identifier: name, password } })
  return {
    call,
    signIn,
    printed: mails,
    fetch: (path, init) => fetch(`${url}/api${path}`, init),
    async signUp(name, email = `${name}@plumbline.test`) {
      const account = { username: name, email, password: PASSWORD, organizationName: `${name} org` }
      const { status, code, data } = await call('POST', '/auth/register', { body: account })
      if (status !== 201) throw new Error(`register ${name}: ${status} ${code}`)
      const { accessToken } = (await signIn({ name })).data
      return { name, id: data.user.id, orgId: data.organization.id, token: accessToken }
    },
    async stepUp(as) {
      const { data } = await call('POST', '/auth/step-up', { as, body: { method: 'password', password: PASSWORD } })
      return { 'x-step-up-token': data.stepUpToken }
    },
    async mailedToken(address, path) {
      for (let tries = 0; tries < 100; tries++) {
        const link = mails()
          .split('\nTo: ')
          .filter((mail) => mail.startsWith(`${address}\n`))
          .map((mail) => mail.split('\n---\n')[0]?.split(`${path}?token=`)[1])
          .findLast((rest) => rest !== undefined)
        if (link !== undefined) return /^[\w-]+/.exec(link)?.[0] ?? ''
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      throw new Error(`no mail to ${address} with ${path}`)
    },
  }
}
