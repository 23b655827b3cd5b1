/**
 * `npm run proof -- builds-kills [--cycles 30] [--engine sqlite|postgres] [--seed 1]`: server, builder and registry are
 * processes of their own, builds run, and one of the three is killed in a phase that some build has just reached; again and
 * again. In the end each build has ended once, with one event that says how, each plugin that is ready is pulled by its
 * digest, and no process, mount, cgroup, scratch folder or staged image is left.
 *
 * Where this machine can run no sandbox, or has no registry, it says why and ends with 3.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { builderLacks } from '../../src/plugin/builder-program/checks.js'
import { makeZip } from '../../test/support/zip.js'
import { createRandom } from '../world/random.js'
import { goOnAsBuilder } from './as-builder.js'

const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '30' },
    engine: { type: 'string', default: 'sqlite' },
    seed: { type: 'string', default: '1' },
  },
})
const [cycles, seed] = [Number(values.cycles), Number(values.seed)]
if (!(cycles >= 1 && Number.isSafeInteger(seed) && /^(sqlite|postgres)$/.test(values.engine))) {
  console.error('--cycles and --seed must be whole numbers, --engine sqlite or postgres')
  process.exit(2)
}
goOnAsBuilder()

const PROGRAM = fileURLToPath(new URL('../../../cli/bin/plumbline.js', import.meta.url))
const lacks = await builderLacks()
if (spawnSync('docker-registry', ['--version']).error !== undefined) lacks.push('docker-registry is not installed')
if (lacks.length > 0) {
  console.log(`kills of builds are not tried:\n  ${lacks.join('\n  ')}`)
  process.exit(3)
}

const PASSWORD = 'Correct-Horse-7'
const NAME = `kills-${process.pid}`
const PHASES = ['fetching', 'building', 'pushing', 'verifying', 'checking', 'publishing']
const VICTIMS = ['server', 'builder', 'registry'] as const
type Victim = (typeof VICTIMS)[number]
/** A lease of a minute, back-offs, and the sweep of what was staged. */
const ENDS_MS_MAX = 600_000
const STAGED_MS_MAX = 420_000
const ENDED = ['completed', 'dead', 'cancelled']

const random = createRandom(seed)
const folder = mkdtempSync('/var/tmp/plumbline-kills-')
const database = values.engine === 'postgres' ? await makeDatabase() : null
const [port, registryPort] = [await freePort(), await freePort()]
const [url, registry] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${registryPort}`]
const settings: Record<string, string> = {
  ...{ NODE_ENV: 'development', DATA_DIR: join(folder, 'data'), PORT: String(port), SHUTDOWN_DELAY_MS: '0' },
  ...{ REGISTRY_URL: registry, PLUGIN_BUILDER: 'remote', PLUGIN_BUILD_MAX_ATTEMPTS: '20', PLUGIN_UPLOAD_RATE_MAX: '0' },
  PLUGIN_MAX_BUILDS_PER_ORG: '3',
  ...(database === null ? {} : { DATABASE_URL: database.url }),
}
const running = new Map<Victim, ChildProcess>()
let credential: Record<string, string> = {}
const problems: string[] = []
try {
  await main()
} finally {
  for (const child of running.values()) child.kill('SIGKILL')
  await sleep(500)
  spawnSync('unshare', ['--user', '--map-root-user', '--map-auto', 'rm', '-rf', folder])
  rmSync(folder, { recursive: true, force: true })
  await database?.drop()
}
for (const problem of problems) console.log(`FAIL  ${problem}`)
console.log(
  `${cycles} kills on ${values.engine}: ${problems.length === 0 ? 'each build ended once' : `${problems.length} problems`}`,
)
process.exit(problems.length === 0 ? 0 : 1)

interface Person {
  readonly token: string
  readonly orgId: string
}

async function main(): Promise<void> {
  cli('registry', 'init', join(folder, 'registry'), '--listen', `127.0.0.1:${registryPort}`, '--public-url', url)
  await start('registry')
  await start('server')
  const ann = await person()
  const made = JSON.parse(cli('service-principals', 'create', NAME, '--system', '--scope', 'builds:work', '--json'))
  credential = {
    PLUMBLINE_SERVICE_CLIENT_ID: String(made.clientId),
    PLUMBLINE_SERVICE_CLIENT_SECRET: String(made.clientSecret),
  }
  await start('builder')
  const jobs: string[] = []
  const reached = new Map<string, number>()
  for (let cycle = 0; cycle < cycles; cycle++) {
    const [victim, phase] = [VICTIMS[cycle % 3] ?? 'server', random.pick(PHASES)]
    jobs.push(await upload(ann, `p${cycle}`))
    const seen = await reaches(ann, jobs, phase)
    reached.set(`${victim} ${seen}`, (reached.get(`${victim} ${seen}`) ?? 0) + 1)
    await killed(victim)
  }
  console.log(
    [...reached]
      .map(([what, times]) => `${what} × ${times}`)
      .sort()
      .join(', '),
  )
  await over(ann, jobs)
  await judge(ann, jobs)
}

/** Until the newest build is in the phase, or is over. @returns the phase. */
async function reaches(ann: Person, jobs: readonly string[], phase: string): Promise<string> {
  for (const endMs = performance.now() + 20_000; performance.now() < endMs; await sleep(10)) {
    const { build } = (await get(ann, `/plugins/builds/${jobs.at(-1)}`)) as { build: Build }
    if (build.phase === phase) return phase
    if (ENDED.includes(build.state)) return 'the end'
  }
  return 'another phase'
}

interface Build {
  readonly id: string
  readonly state: string
  readonly phase: string | null
  readonly pluginId: string
}

async function killed(victim: Victim): Promise<void> {
  const child = running.get(victim)
  running.delete(victim)
  const ended = new Promise((resolve) => child?.once('exit', resolve))
  child?.kill('SIGKILL')
  await ended
  await start(victim)
}

async function over(ann: Person, jobs: readonly string[]): Promise<void> {
  for (const endMs = performance.now() + ENDS_MS_MAX; ; await sleep(500)) {
    const builds = await Promise.all(jobs.map(async (id) => (await get(ann, `/plugins/builds/${id}`)).build as Build))
    const left = builds.filter(({ state }) => !ENDED.includes(state))
    if (left.length === 0) return
    if (performance.now() > endMs)
      return void problems.push(`builds do not end: ${left.map(({ id, state }) => `${id} ${state}`)}`)
  }
}

async function judge(ann: Person, jobs: readonly string[]): Promise<void> {
  const log = join(folder, 'audit.jsonl')
  spawnSync(process.execPath, [PROGRAM, 'audit', 'export', '-o', log], {
    env: { PATH: process.env.PATH, HOME: folder, PLUMBLINE_URL: url, PLUMBLINE_TOKEN: ann.token },
  })
  const events = readFileSync(log, 'utf8')
  let ready = 0
  for (const id of jobs) {
    const { build } = (await get(ann, `/plugins/builds/${id}`)) as { build: Build }
    const { plugin } = await get(ann, `/plugins/${build.pluginId}`)
    const ends = events
      .split('\n')
      .filter((line) => line.includes(id) && /"plugin\.build\.(completed|failed|timeout|cancel)"/.test(line)).length
    if (ends !== 1) problems.push(`build ${id} (${build.state}) has ${ends} events of its end`)
    if ((build.state === 'completed') !== (plugin.buildStatus === 'ready'))
      problems.push(`build ${id} is ${build.state} and its plugin is ${plugin.buildStatus}`)
    if (plugin.buildStatus !== 'ready') continue
    ready += 1
    problems.push(...(await pulled(ann, plugin)))
  }
  console.log(`${ready} of ${jobs.length} plugins are ready and pulled by digest`)
  if (ready === 0) problems.push('no plugin became ready')
  await nothingLeft()
}

async function pulled(ann: Person, plugin: { name: string; imageDigest: string }): Promise<string[]> {
  const name = `org-${ann.orgId}/${plugin.name}`
  const query = new URLSearchParams({ service: 'plumbline-registry', scope: `repository:${name}:pull` })
  const basic = Buffer.from(`ann:${ann.token}`).toString('base64')
  const given = await fetch(`${url}/api/registry/token?${query}`, { headers: { authorization: `Basic ${basic}` } })
  const { token } = (await given.json()) as { token: string }
  const headers = { authorization: `Bearer ${token}`, accept: 'application/vnd.oci.image.manifest.v1+json' }
  const answer = await fetch(`${registry}/v2/${name}/manifests/${plugin.imageDigest}`, { headers })
  if (answer.status !== 200) return [`${name}@${plugin.imageDigest} is not there: ${answer.status}`]
  const { config, layers } = (await answer.json()) as { config: { digest: string }; layers: { digest: string }[] }
  const missing: string[] = []
  for (const { digest } of [config, ...layers]) {
    const blob = await fetch(`${registry}/v2/${name}/blobs/${digest}`, { method: 'HEAD', headers })
    if (blob.status !== 200) missing.push(`${name} lacks ${digest}: ${blob.status}`)
  }
  return missing
}

async function nothingLeft(): Promise<void> {
  const staged = () =>
    (readdirSync(join(folder, 'registry'), { recursive: true }) as string[]).flatMap((path) => {
      const [, job] = /\/repositories\/staging\/([^/]+)\/_manifests\/revisions\/sha256\/[^/]+\/link$/.exec(path) ?? []
      return job === undefined ? [] : [job]
    })
  for (const endMs = performance.now() + STAGED_MS_MAX; staged().length > 0; await sleep(1000)) {
    if (performance.now() > endMs) return void problems.push(`staged images are left: ${staged().join(', ')}`)
  }
  const builder = running.get('builder')
  running.delete('builder')
  const ended = new Promise((resolve) => builder?.once('exit', resolve))
  builder?.kill('SIGTERM')
  await ended
  const scratch = join(folder, 'scratch', `plumbline-builder-${NAME}`)
  const folders = readdirSync(scratch).filter((each) => each.startsWith('job-'))
  if (folders.length > 0) problems.push(`scratch folders are left: ${folders.join(', ')}`)
  const processes = readdirSync('/proc').filter(
    (pid) => /^\d+$/.test(pid) && textOf(`/proc/${pid}/cmdline`).includes(scratch),
  )
  if (processes.length > 0) problems.push(`processes are left: ${processes.join(', ')}`)
  if (textOf('/proc/self/mountinfo').includes(folder)) problems.push('mounts are left')
  const groups = (process.env.GROUPS ?? '').split(' ').filter((group) => group !== '')
  const left = groups.flatMap((group) => readdirSync(group).filter((each) => each.startsWith(`plumbline+${NAME}`)))
  if (left.length > 0) problems.push(`cgroups are left: ${left.join(', ')}`)
}

async function start(what: Victim): Promise<void> {
  const log = openSync(join(folder, `${what}.log`), 'a')
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    ...(what === 'server' ? settings : {}),
    ...(what === 'builder' ? credential : {}),
  }
  const scratch = join(folder, 'scratch')
  mkdirSync(scratch, { recursive: true })
  const limits = ['--disk-mb', '256', '--image-mb', '64', '--concurrency', '2']
  const command = {
    registry: ['docker-registry', 'serve', join(folder, 'registry', 'registry.yml')],
    server: [process.execPath, PROGRAM, 'serve', '--empty'],
    builder: [process.execPath, PROGRAM, 'builder', '--url', url, '--name', NAME, '--scratch', scratch, ...limits],
  }[what]
  const [program = '', ...args] = command
  running.set(what, spawn(program, args, { env, stdio: ['ignore', log, log] }))
  const probe = { registry: `${registry}/v2/`, server: `${url}/readyz`, builder: null }[what]
  if (probe === null) return
  for (const endMs = performance.now() + 120_000; ; await sleep(50)) {
    const status = await fetch(probe).then(
      (answer) => answer.status,
      () => 0,
    )
    if (status === (what === 'server' ? 200 : 401)) return
    if (performance.now() > endMs)
      throw new Error(`${what} does not start:\n${textOf(join(folder, `${what}.log`)).slice(-2000)}`)
  }
}

async function person(): Promise<Person> {
  await call(null, 'POST', '/auth/register', {
    ...{ username: 'ann', email: 'ann@example.com', password: PASSWORD, organizationName: 'Acme' },
  })
  cli('admin', 'verify-email', 'ann')
  const { accessToken } = await call(null, 'POST', '/auth/login', { identifier: 'ann', password: PASSWORD })
  const { organization } = await call(accessToken, 'GET', '/auth/me')
  const { stepUpToken } = await call(accessToken, 'POST', '/auth/step-up', { method: 'password', password: PASSWORD })
  const { token } = await call(accessToken, 'POST', '/auth/pats', { name: 'kills' }, { 'x-step-up-token': stepUpToken })
  return { token, orgId: organization.id }
}

async function upload({ token }: Person, name: string): Promise<string> {
  const lines = [
    ...['FROM scratch', 'COPY --chmod=755 busybox /bin/busybox', 'RUN ["/bin/busybox", "sleep", "1"]'],
    ...[`LABEL name=${name}`, 'USER 1000'],
  ]
  const archive = makeZip([
    { name: 'plugin-spec.yaml', content: `name: ${name}\nversion: 1.0.0\ncommands: [/bin/sh]\n` },
    { name: 'Dockerfile', content: `${lines.join('\n')}\n` },
    { name: 'busybox', content: readFileSync('/bin/busybox') },
  ])
  const form = new FormData()
  form.set('plugin', new Blob([new Uint8Array(archive)], { type: 'application/zip' }), 'plugin.zip')
  const headers = { authorization: `Bearer ${token}` }
  const send = () => fetch(`${url}/api/plugins`, { method: 'POST', headers, body: form })
  const answer = await send().catch(send)
  const text = await answer.text()
  if (answer.status !== 202) throw new Error(`the upload of ${name}: ${answer.status} ${text.slice(0, 300)}`)
  return String((JSON.parse(text) as { data: { jobId: string } }).data.jobId)
}

function get(ann: Person, path: string) {
  return call(ann.token, 'GET', path)
}

// biome-ignore lint/suspicious/noExplicitAny: answers of the API, looked at by name.
async function call(token: string | null, method: string, path: string, body?: unknown, more = {}): Promise<any> {
  const init = {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...more,
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

function cli(...args: string[]): string {
  const env = { PATH: process.env.PATH, HOME: folder, ...settings }
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], { env, encoding: 'utf8' })
  if (status !== 0) throw new Error(`plumbline ${args.join(' ')}: ${stderr}`)
  return stdout
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port: free } = server.address() as AddressInfo
  await new Promise((done) => server.close(done))
  return free
}

/** Of this run alone. */
async function makeDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const address = process.env.PLUMBLINE_TEST_POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres'
  const name = `plumbline_kills_${randomBytes(4).toString('hex')}`
  const asOwner = async (statement: string) => {
    const client = new pg.Client({ connectionString: address })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await asOwner(`CREATE DATABASE ${name}`)
  const own = new URL(address)
  own.pathname = `/${name}`
  return { url: own.href, drop: () => asOwner(`DROP DATABASE ${name} WITH (FORCE)`) }
}
