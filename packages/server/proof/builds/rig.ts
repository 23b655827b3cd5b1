/** A server, a real registry and builders, each a process of its own, for the proofs that run real builds. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { builderLacks } from '../../src/plugin/builder-program/checks.js'
import { makeZip } from '../../test/support/zip.js'
import { goOnAsBuilder } from './as-builder.js'

const PROGRAM = fileURLToPath(new URL('../../../cli/bin/plumbline.js', import.meta.url))
const PASSWORD = 'Correct-Horse-7'
const START_MS_MAX = 120_000

export interface Person {
  readonly name: string
  readonly token: string
  readonly orgId: string
}

export interface Build {
  readonly id: string
  readonly state: string
  readonly phase: string | null
  readonly pluginId: string
  readonly startedAt: string | null
  readonly finishedAt: string | null
  readonly error: string | null
}

export const ENDED = ['completed', 'dead', 'cancelled']

/** What this machine lacks for it. */
async function rigLacks(): Promise<string[]> {
  const lacks = await builderLacks()
  if (spawnSync('docker-registry', ['--version']).error !== undefined) lacks.push('docker-registry is not installed')
  return lacks
}

interface Paths {
  readonly folder: string
  readonly scratch: string
  readonly url: string
  readonly registry: string
  readonly settings: Readonly<Record<string, string>>
}

/** Goes on as the user of builders. Ends the process with 3 where builds cannot run here, and says why. */
export async function needsRig(what: string): Promise<void> {
  goOnAsBuilder()
  const lacks = await rigLacks()
  if (lacks.length === 0) return
  console.log(`${what}:\n  ${lacks.join('\n  ')}`)
  process.exit(3)
}

export type Rig = Awaited<ReturnType<typeof openRig>>

/**
 * Makes the folder and the registry's configuration; nothing runs yet.
 * @param name also of the system principal of the builders.
 */
export async function openRig(name: string, more: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(`/var/tmp/plumbline-${name}-`)
  const [port, registryPort] = [await freePort(), await freePort()]
  const [url, registry] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${registryPort}`]
  const settings: Record<string, string> = {
    ...{ NODE_ENV: 'development', DATA_DIR: join(folder, 'data'), PORT: String(port), SHUTDOWN_DELAY_MS: '0' },
    ...{ REGISTRY_URL: registry, PLUGIN_BUILDER: 'remote', PLUGIN_UPLOAD_RATE_MAX: '0' },
    ...{ LIMITER_MAX: '0', AUTH_LIMITER_MAX: '0' },
    ...more,
  }
  const scratch = join(folder, 'scratch')
  mkdirSync(scratch)
  const paths: Paths = { folder, scratch, url, registry, settings }
  const call = callsTo(url)
  const cli = (...args: string[]) => plumbline(folder, settings, args)
  const get = (person: Person, path: string) => call(person.token, 'GET', path)
  cli('registry', 'init', join(folder, 'registry'), '--listen', `127.0.0.1:${registryPort}`, '--public-url', url)
  return {
    ...paths,
    ...programsOf(name, paths, cli),
    get,
    cliAs: ({ token }: Person, ...args: string[]) =>
      plumbline(folder, { PLUMBLINE_URL: url, PLUMBLINE_TOKEN: token }, args),
    person: (username: string) => newPerson(call, cli, username),
    upload: (person: Person, plugin: string, dockerfile: readonly string[], bulk = 0) =>
      upload(url, person, plugin, dockerfile, bulk),
    build: async (person: Person, id: string): Promise<Build> => (await get(person, `/plugins/builds/${id}`)).build,
    remove() {
      spawnSync('unshare', ['--user', '--map-root-user', '--map-auto', 'rm', '-rf', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Cli = (...args: string[]) => string

function plumbline(folder: string, own: Readonly<Record<string, string>>, args: readonly string[]): string {
  const env = { PATH: process.env.PATH, HOME: folder, ...own }
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`plumbline ${args.join(' ')}: ${stderr}`)
  return stdout
}

type Call = ReturnType<typeof callsTo>

function callsTo(url: string) {
  // biome-ignore lint/suspicious/noExplicitAny: answers of the API, looked at by name.
  return async (token: string | null, method: string, path: string, body?: unknown, headers = {}): Promise<any> => {
    const init = {
      method,
      headers: {
        ...(token === null ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }
    // A connection that was kept open ended with a server, or while a program ran.
    const send = () => fetch(`${url}/api${path}`, init)
    const answer = await send().catch(send)
    const text = await answer.text()
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 300)}`)
    return (JSON.parse(text) as { data: unknown }).data
  }
}

function programsOf(name: string, { folder, scratch, url, registry, settings }: Paths, cli: Cli) {
  let credential: Record<string, string> = {}
  const run = (program: string, env: Readonly<Record<string, string>>, [path = '', ...args]: readonly string[]) => {
    const log = openSync(join(folder, `${program}.log`), 'a')
    return spawn(path, args, { env: { PATH: process.env.PATH, HOME: folder, ...env }, stdio: ['ignore', log, log] })
  }
  const up = async (program: string, child: ChildProcess, address: string, wanted: number): Promise<ChildProcess> => {
    for (const endMs = performance.now() + START_MS_MAX; ; await sleep(50)) {
      const status = await fetch(address).then(
        (answer) => answer.status,
        () => 0,
      )
      if (status === wanted) return child
      if (performance.now() > endMs)
        throw new Error(`${program} does not start:\n${textOf(join(folder, `${program}.log`)).slice(-2000)}`)
    }
  }
  return {
    startRegistry() {
      const child = run('registry', {}, ['docker-registry', 'serve', join(folder, 'registry', 'registry.yml')])
      return up('registry', child, `${registry}/v2/`, 401)
    },
    startServer() {
      const child = run('server', settings, [process.execPath, PROGRAM, 'serve', '--empty'])
      return up('server', child, `${url}/readyz`, 200)
    },
    /** Makes the principal of the builders. */
    makeBuilders() {
      const made = JSON.parse(cli('service-principals', 'create', name, '--system', '--scope', 'builds:work', '--json'))
      credential = {
        PLUMBLINE_SERVICE_CLIENT_ID: String(made.clientId),
        PLUMBLINE_SERVICE_CLIENT_SECRET: String(made.clientSecret),
      }
    },
    startBuilder(builder: string, concurrency: number) {
      const limits = ['--disk-mb', '256', '--image-mb', '64', '--concurrency', String(concurrency)]
      const where = ['--url', url, '--name', builder, '--scratch', scratch]
      return run('builder', credential, [process.execPath, PROGRAM, 'builder', ...where, ...limits])
    },
  }
}

async function newPerson(call: Call, cli: Cli, username: string): Promise<Person> {
  const email = `${username}@example.com`
  await call(null, 'POST', '/auth/register', { username, email, password: PASSWORD, organizationName: username })
  cli('admin', 'verify-email', username)
  const { accessToken } = await call(null, 'POST', '/auth/login', { identifier: username, password: PASSWORD })
  const { organization } = await call(accessToken, 'GET', '/auth/me')
  const proof = { method: 'password', password: PASSWORD }
  const { stepUpToken } = await call(accessToken, 'POST', '/auth/step-up', proof)
  const headers = { 'x-step-up-token': stepUpToken }
  const { token } = await call(accessToken, 'POST', '/auth/pats', { name: 'builds' }, headers)
  return { name: username, token, orgId: organization.id }
}

/**
 * Uploads a plugin of this Dockerfile, beside which lie busybox and, where it has bytes, `bulk`, which nothing can compress.
 * @returns the id of its build.
 */
async function upload(
  url: string,
  { token }: Person,
  plugin: string,
  dockerfile: readonly string[],
  bulk: number,
): Promise<string> {
  const archive = makeZip([
    { name: 'plugin-spec.yaml', content: `name: ${plugin}\nversion: 1.0.0\ncommands: [/bin/sh]\n` },
    { name: 'Dockerfile', content: `${dockerfile.join('\n')}\n` },
    { name: 'busybox', content: readFileSync('/bin/busybox') },
    ...(bulk === 0 ? [] : [{ name: 'bulk', content: randomBytes(bulk) }]),
  ])
  const form = new FormData()
  form.set('plugin', new Blob([new Uint8Array(archive)], { type: 'application/zip' }), 'plugin.zip')
  const headers = { authorization: `Bearer ${token}` }
  const send = () => fetch(`${url}/api/plugins`, { method: 'POST', headers, body: form })
  const answer = await send().catch(send)
  const text = await answer.text()
  if (answer.status !== 202) throw new Error(`the upload of ${plugin}: ${answer.status} ${text.slice(0, 300)}`)
  return String((JSON.parse(text) as { data: { jobId: string } }).data.jobId)
}

export function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return port
}
