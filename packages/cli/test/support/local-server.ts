/**
 * A real server in this process, with its own folder and a free port: with the people of the demo, or with one person.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningServer, startServer } from '@plumbline/server'
import { type Outcome, runCli } from './memory-io.js'

export const PASSWORD = 'Correct-Horse-7'
/** The first person of a server without a demo. */
export const PERSON = 'ann'

export interface LocalServer {
  readonly url: string
  /** The folder where commands run. The data is in its subfolder `data`. */
  readonly folder: string
  stop(): Promise<void>
  /** Starts the server again with the same data after it was stopped. */
  start(): Promise<void>
}

interface Setup {
  readonly isDemo: boolean
  readonly settings?: Readonly<Record<string, string>>
}

async function localServer({ isDemo, settings = {} }: Setup): Promise<{ server: LocalServer; shown: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-cli-'))
  const environment = {
    DATA_DIR: join(folder, 'data'),
    PORT: '0',
    PLUMBLINE_DEMO: String(isDemo),
    PASSWORD_HASH_COST: '4',
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    ...settings,
  }
  const shown: string[] = []
  const run = () => startServer({ environment, print: (text) => void shown.push(text) })
  let running: RunningServer | null = await run()
  const server = {
    get url() {
      return running?.url ?? ''
    },
    folder,
    async stop() {
      await running?.stop()
      running = null
    },
    async start() {
      running = await run()
    },
  }
  return { server, shown }
}

/** Stops the server and removes its folder. */
export async function remove({ stop, folder }: LocalServer): Promise<void> {
  await stop()
  rmSync(folder, { recursive: true, force: true })
}

export interface DemoServer extends LocalServer {
  /** The token of `demo-owner`, `demo-admin` or another person, signed in with the password that the terminal shows. */
  tokenOf(identifier: string): Promise<string>
  /** Runs a command as this person. */
  as(identifier: string, ...argv: string[]): Promise<Outcome>
}

export async function demoServer(settings: Readonly<Record<string, string>> = {}): Promise<DemoServer> {
  const { server, shown } = await localServer({ isDemo: true, settings })
  const password = /Demo-[\w-]{20,}/.exec(shown.join('\n'))?.[0]
  const tokens = new Map<string, Promise<string>>()
  const signIn = async (identifier: string): Promise<string> => {
    const { data } = await post(`${server.url}/api/auth/login`, { identifier, password })
    return data?.accessToken ?? ''
  }
  const tokenOf = (identifier: string): Promise<string> => {
    const token = tokens.get(identifier) ?? signIn(identifier)
    tokens.set(identifier, token)
    return token
  }
  return Object.assign(server, {
    tokenOf,
    as: async (identifier: string, ...argv: string[]) =>
      runCli(argv, {
        env: { PLUMBLINE_URL: server.url, PLUMBLINE_TOKEN: await tokenOf(identifier) },
        cwd: server.folder,
        now: new Date(),
      }),
  })
}

export interface PersonServer extends LocalServer {
  /** Environment of commands: the server's address, and where credentials are stored. No one has signed in yet. */
  readonly env: Readonly<Record<string, string>>
}

/** Starts a server with one person, who owns the organization Acme. */
export async function personServer(settings: Readonly<Record<string, string>> = {}): Promise<PersonServer> {
  const { server } = await localServer({ isDemo: false, settings })
  await post(`${server.url}/api/auth/register`, {
    username: PERSON,
    email: `${PERSON}@plumbline.test`,
    password: PASSWORD,
    organizationName: 'Acme',
  })
  const env = { PLUMBLINE_CREDENTIALS: join(server.folder, 'credentials.json'), PLUMBLINE_URL: server.url }
  return Object.assign(server, { env })
}

async function post(url: string, body: object): Promise<{ data?: { accessToken: string } }> {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
  return (await answer.json()) as { data?: { accessToken: string } }
}
