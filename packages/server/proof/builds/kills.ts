/**
 * `npm run proof -- builds-kills [--cycles 30] [--engine sqlite|postgres] [--seed 1]`: server, builder and registry are
 * processes of their own, builds run, and one of the three is killed in a phase that some build has just reached, or up
 * to 0.3 s later; again and again. Every second image has a layer that is pushed in pieces. In the end each build has
 * ended once and well, with one event that says so, each plugin is ready and pulled by its digest, and no process, mount,
 * cgroup, scratch folder or staged image is left.
 *
 * Where this machine can run no sandbox, or has no registry, it says why and ends with 3.
 */
import type { ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createRandom } from '../world/random.js'
import { type Build, ENDED, needsRig, openRig, type Person, textOf } from './rig.js'

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
await needsRig('kills of builds are not tried')

const NAME = `kills-${process.pid}`
const PHASES = ['fetching', 'building', 'pushing', 'verifying', 'checking', 'publishing']
const VICTIMS = ['server', 'builder', 'registry'] as const
type Victim = (typeof VICTIMS)[number]
/** Three pieces of a push. */
const BULK_BYTES = 9 * 1024 ** 2
/** A lease of a minute, back-offs, and the sweep of what was staged. */
const ENDS_MS_MAX = 600_000
const STAGED_MS_MAX = 420_000
/** Transactions of other databases of the cluster can hold up the sealing. */
const SEALED_MS_MAX = 120_000

const random = createRandom(seed)
const database = values.engine === 'postgres' ? await makeDatabase() : null
const rig = await openRig(NAME, {
  ...{ PLUGIN_BUILD_MAX_ATTEMPTS: '20', PLUGIN_MAX_BUILDS_PER_ORG: '3' },
  ...(database === null ? {} : { DATABASE_URL: database.url }),
})
const { folder, registry, url, get } = rig
const running = new Map<Victim, ChildProcess>()
const problems: string[] = []
try {
  await main()
} finally {
  for (const child of running.values()) child.kill('SIGKILL')
  await sleep(500)
  rig.remove()
  await database?.drop()
}
for (const problem of problems) console.log(`FAIL  ${problem}`)
console.log(
  `${cycles} kills on ${values.engine}: ${problems.length === 0 ? 'each build ended once' : `${problems.length} problems`}`,
)
process.exit(problems.length === 0 ? 0 : 1)

async function main(): Promise<void> {
  await start('registry')
  await start('server')
  const ann = await rig.person('ann')
  rig.makeBuilders()
  await start('builder')
  const jobs: string[] = []
  const reached = new Map<string, number>()
  for (let cycle = 0; cycle < cycles; cycle++) {
    const [victim, phase] = [VICTIMS[cycle % 3] ?? 'server', random.pick(PHASES)]
    const isLarge = cycle % 2 === 1
    jobs.push(await rig.upload(ann, `p${cycle}`, slowly(`p${cycle}`, isLarge), isLarge ? BULK_BYTES : 0))
    const waitMs = random.below(2) * random.below(300)
    const seen = await reaches(ann, jobs, phase)
    reached.set(`${victim} ${seen}`, (reached.get(`${victim} ${seen}`) ?? 0) + 1)
    await sleep(waitMs)
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
  const newest = jobs.at(-1) ?? ''
  // A small image is pushed before its builder reports the next phase, so the files of the registry say it.
  const pushed = join(folder, 'registry/storage/docker/registry/v2/repositories/staging', newest)
  for (const endMs = performance.now() + 20_000; performance.now() < endMs; await sleep(10)) {
    if (phase === 'pushing' && existsSync(pushed)) return phase
    const build = await rig.build(ann, newest)
    if (build.phase === phase) return phase
    if (ENDED.includes(build.state)) return 'the end'
  }
  return 'another phase'
}

function slowly(name: string, isLarge: boolean): string[] {
  return [
    ...['FROM scratch', 'COPY --chmod=755 busybox /bin/busybox', 'RUN ["/bin/busybox", "sleep", "1"]'],
    ...(isLarge ? ['COPY bulk /bulk'] : []),
    ...[`LABEL name=${name}`, 'USER 1000'],
  ]
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
    const builds = await Promise.all(jobs.map((id): Promise<Build> => rig.build(ann, id)))
    const left = builds.filter(({ state }) => !ENDED.includes(state))
    if (left.length === 0) return
    if (performance.now() > endMs)
      return void problems.push(`builds do not end: ${left.map(({ id, state }) => `${id} ${state}`)}`)
  }
}

async function judge(ann: Person, jobs: readonly string[]): Promise<void> {
  const ends = await endsOf(ann, jobs)
  let ready = 0
  for (const id of jobs) {
    const build = await rig.build(ann, id)
    const { plugin } = await get(ann, `/plugins/${build.pluginId}`)
    if (ends.get(id) !== 1) problems.push(`build ${id} (${build.state}) has ${ends.get(id)} events of its end`)
    if ((build.state === 'completed') !== (plugin.buildStatus === 'ready'))
      problems.push(`build ${id} is ${build.state} and its plugin is ${plugin.buildStatus}`)
    // What is killed is never the plugin's fault.
    if (build.state !== 'completed') problems.push(`build ${id} is ${build.state}: ${build.error}`)
    if (plugin.buildStatus !== 'ready') continue
    ready += 1
    problems.push(...(await pulled(ann, plugin)))
  }
  console.log(`${ready} of ${jobs.length} plugins are ready and pulled by digest`)
  if (ready === 0) problems.push('no plugin became ready')
  await nothingLeft()
}

/** How many events say how each build ended. An event is sealed a moment after its change, on PostgreSQL after all older ones. */
async function endsOf(ann: Person, jobs: readonly string[]): Promise<Map<string, number>> {
  for (const endMs = performance.now() + SEALED_MS_MAX; ; await sleep(1000)) {
    const log = join(folder, `audit-${Math.round(performance.now())}.jsonl`)
    rig.cliAs(ann, 'audit', 'export', '-o', log)
    const ends = readFileSync(log, 'utf8')
      .split('\n')
      .filter((line) => /"plugin\.build\.(completed|failed|timeout|cancel)"/.test(line))
    const counts = new Map(jobs.map((id) => [id, ends.filter((line) => line.includes(id)).length]))
    if (performance.now() > endMs || ![...counts.values()].includes(0)) return counts
  }
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
  const scratch = join(rig.scratch, `plumbline-builder-${NAME}`)
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
  const child =
    what === 'builder' ? rig.startBuilder(NAME, 2) : await (what === 'server' ? rig.startServer() : rig.startRegistry())
  running.set(what, child)
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
