/**
 * `npm run proof -- builds`: Dockerfiles that try to get out of the sandbox, to stay behind, or to take more than they may,
 * each in the sandbox that builders use. What must hold: canaries of the machine are neither read nor changed nor reached,
 * its processes live, every build is over in its time, and nothing of one is left five seconds later.
 *
 * Where this machine can run no sandbox it says why, and ends with 3.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { groupsLack, openGroups } from '../../src/plugin/builder-program/cgroup.js'
import { builderLacks } from '../../src/plugin/builder-program/checks.js'
import { openEgress } from '../../src/plugin/builder-program/egress-proxy.js'
import { buildInSandbox, type SandboxEnd } from '../../src/plugin/builder-program/sandbox.js'
import { goOnAsBuilder } from './as-builder.js'
import { HOSTILE_CASES, type HostileCase } from './hostile-cases.js'
import { shownOutside } from './outside.js'
import { ASPECTS, type Aspect, endsWithItsBuilder, type Seen, seenFromInside } from './taken-over.js'

const LIMITS = { processes: 400, diskMb: 384, memoryMb: 4096, cpus: 1, imageMb: 128 }
/** Of a build with a cgroup: of all of it together. */
const GROUP_MEMORY_MB = 1024
const SECONDS = 30
const AFTER_MS_MAX = 5000
const LOG_CHARS_MAX = 4_000_000

goOnAsBuilder()

const lacks = await builderLacks()
if (lacks.length > 0) {
  console.log(`builds are not tried:\n  ${lacks.join('\n  ')}`)
  process.exit(3)
}

/** None where this machine lets nobody make some. */
const groups = openGroups('proof')
console.log(groups === null ? `without cgroups: ${groupsLack()}` : 'with a cgroup around each build')

interface World {
  readonly folder: string
  readonly bases: string
  readonly canary: string
  readonly secret: string
  readonly bystander: ChildProcess
  readonly port: number
  readonly heard: () => number
  /** What the proxy of builds lets through. */
  readonly listed: Listed
}

interface Listed {
  readonly address: string
  readonly port: number
}

const folder = mkdtempSync('/var/tmp/plumbline-hostile-')
const failed: string[] = []
let passed = 0
try {
  const world = await makeWorld()
  const only = process.argv[2]
  if (only === undefined) for (const line of shownOutside(folder)) console.log(line)
  const isPossible = ({ takes }: HostileCase) => takes !== 'cgroup' || groups !== null
  const cases = HOSTILE_CASES.filter((each) => isPossible(each) && (only === undefined || each.name.includes(only)))
  for (const each of cases) {
    const startedMs = performance.now()
    const problems = await tried(each, world)
    told(each.name, problems, ((performance.now() - startedMs) / 1000).toFixed(1))
  }
  for (const [name, problems] of await takenOver(world, only)) told(name, problems)
  world.bystander.kill()
  const left = groups === null ? [] : cgroupsLeft()
  if (left.length > 0) failed.push(`cgroups are left: ${left.join(', ')}`)
  console.log(`${passed} passed, ${failed.length} failed: hostile Dockerfiles, and programs that took buildah over`)
  if (passed + failed.length === 0) failed.push('nothing is named so')
} finally {
  spawnSync('unshare', ['--user', '--map-root-user', '--map-auto', 'rm', '-rf', folder])
  rmSync(folder, { recursive: true, force: true })
}
process.exit(failed.length === 0 ? 0 : 1)

function told(name: string, problems: readonly string[], seconds = '-'): void {
  console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${seconds.padStart(5)} s  ${name}`)
  for (const problem of problems) console.log(`       ${problem}`)
  if (problems.length > 0) failed.push(name)
  else passed += 1
}

/** What holds even where a Dockerfile found a fault of buildah: a program of ours runs in the place of buildah. */
async function takenOver(world: World, only = ''): Promise<[name: string, problems: string[]][]> {
  const found: [string, string[]][] = []
  const isNamed = ({ name }: Aspect) => name.includes(only)
  for (const group of groups === null ? [null] : [null, groups]) {
    const aspects = ASPECTS.filter(({ takes }) => takes === undefined || (takes === 'cgroup') === (group !== null))
    if (!aspects.some(isNamed)) continue
    const seen: Seen = await seenFromInside({ ...world, ...places(world, 'over'), limits: LIMITS, groups: group })
    for (const aspect of aspects.filter(isNamed)) {
      found.push([`${aspect.name}${group === null ? '' : ' (in a cgroup)'}`, aspect.problems(seen)])
    }
  }
  const name = 'taken over: a builder that is killed'
  if (name.includes(only))
    found.push([name, await endsWithItsBuilder({ ...world, ...places(world, 'over'), limits: LIMITS }, whatIsLeft)])
  return found
}

async function makeWorld(): Promise<World> {
  const secret = randomBytes(24).toString('hex')
  const canary = join(folder, 'canary')
  writeFileSync(canary, `${secret}\n`, { mode: 0o666 })
  let heard = 0
  const server = createServer((_request, response) => {
    heard += 1
    response.end(secret)
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  server.unref()
  const { port } = server.address() as AddressInfo
  const listener = createServer((_request, response) => void response.end('what is listed\n'))
  await new Promise<void>((ready) => listener.listen(0, '0.0.0.0', ready))
  listener.unref()
  const bystander = spawn('sleep', ['3600'], { stdio: 'ignore', env: { CANARY_OF_A_PROCESS: secret } })
  const bases = join(folder, 'bases')
  mkdirSync(bases)
  const listed = { address: ownAddress(), port: (listener.address() as AddressInfo).port }
  const world = { folder, bases, canary, secret, bystander, port, heard: () => heard, listed }
  await makeBase(world)
  return world
}

/** Go asks no proxy for what is at 127.0.0.1. */
function ownAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return all.find(({ family, internal }) => family === 'IPv4' && !internal)?.address ?? '127.0.0.1'
}

/** Of one static program. */
async function makeBase(world: World): Promise<void> {
  const { context, scratch } = places(world, 'base')
  copyFileSync('/bin/busybox', join(context, 'busybox'))
  const dockerfile =
    'FROM scratch\nCOPY --chmod=755 busybox /bin/busybox\nRUN ["/bin/busybox", "--install", "-s", "/bin"]\n'
  let log = ''
  const end = await buildInSandbox({
    ...{ context, scratch, bases: world.bases, imageFile: join(scratch, 'image.tar'), dockerfile, buildArgs: {} },
    ...{ baseRefs: new Map(), secrets: [], smokeTest: null, limits: LIMITS, signal: AbortSignal.timeout(60_000) },
    onLog: (text) => {
      log += text.toString()
    },
  })
  if (end.kind !== 'built') throw new Error(`the base image: ${end.kind}\n${log.slice(-2000)}`)
  const copied = spawnSync('skopeo', [
    'copy',
    '-q',
    `oci-archive:${join(scratch, 'image.tar')}`,
    `oci:${world.bases}:base`,
  ])
  if (copied.status !== 0) throw new Error(`the base image: ${copied.stderr}`)
}

function places({ folder: at }: Pick<World, 'folder'>, name: string): { context: string; scratch: string } {
  const scratch = mkdtempSync(join(at, `${name}-`))
  const context = join(scratch, 'context')
  mkdirSync(context)
  return { context, scratch }
}

async function tried(each: HostileCase, world: World): Promise<string[]> {
  const { canary, secret, bystander, port, listed } = world
  const filled = (line: string) =>
    line
      .replaceAll('CANARY', canary)
      .replaceAll('PID', String(bystander.pid))
      .replaceAll('HOST_LISTED', listed.address)
      .replaceAll('PORT_LISTED', String(listed.port))
      .replaceAll('LISTED', `${listed.address}:${listed.port}`)
      .replaceAll('PORT', String(port))
  const lines = each.lines.map(filled)
  const first = lines[0]?.startsWith('FROM') === true ? [] : ['FROM base']
  const { context, scratch } = places(world, 'case')
  symlinkSync(canary, join(context, 'link'))
  const imageFile = join(scratch, 'image.tar')
  const secondsMax = each.seconds ?? SECONDS
  const startedMs = performance.now()
  let log = ''
  const memoryMb = each.takes === 'cgroup' ? GROUP_MEMORY_MB : LIMITS.memoryMb
  const limits = { ...LIMITS, memoryMb, imageMb: each.imageMb ?? LIMITS.imageMb }
  const socket = join(scratch, 'egress')
  const allowed = [`${listed.address}:${listed.port}`]
  const note = (line: string) => {
    log += line
  }
  const proxy = each.takes === 'proxy' ? await openEgress({ socket, allowed, note }) : null
  const end = await buildInSandbox({
    ...{ context, scratch, bases: world.bases, imageFile, dockerfile: `${[...first, ...lines].join('\n')}\n` },
    ...{ baseRefs: new Map([['base', 'base']]), buildArgs: {}, secrets: [], smokeTest: null, limits },
    ...{ groups: each.takes === 'no-cgroup' ? null : groups, ...(proxy === null ? {} : { proxy: socket }) },
    signal: AbortSignal.timeout(secondsMax * 1000),
    onLog: (text) => {
      if (log.length < LOG_CHARS_MAX) log += text.toString()
    },
  })
  const tookMs = performance.now() - startedMs
  await proxy?.close()
  const problems = [...whatHappened(each, end, log), ...whatWasShown(log, imageFile, secret)]
  if (tookMs > secondsMax * 1000 + AFTER_MS_MAX) problems.push(`it took ${(tookMs / 1000).toFixed(1)} s`)
  if (readFileSync(canary, 'utf8') !== `${secret}\n`) problems.push('the canary was changed')
  if (bystander.exitCode !== null || bystander.signalCode !== null) problems.push('a process of the machine was ended')
  if (world.heard() > 0) problems.push('a listener of the machine was reached')
  const left = await whatIsLeft()
  if (left.length > 0) problems.push(`processes are left: ${left.join(', ')}`)
  spawnSync('unshare', ['--user', '--map-root-user', '--map-auto', 'rm', '-rf', scratch])
  return problems
}

function whatHappened({ end: wanted, shows }: HostileCase, end: SandboxEnd, log: string): string[] {
  if (wanted === end.kind) return shows?.test(log) === false ? [`its log does not show ${shows}`] : []
  const isBuilt = end.kind === 'built'
  if (shows !== undefined && !shows.test(log)) return [`its log does not show ${shows}: ${log.trim().slice(-500)}`]
  if (wanted === 'any' || (wanted === 'built') === isBuilt) {
    return /STEP 1/.test(log) || /rror|parse/.test(log) || !isBuilt ? [] : ['nothing was tried']
  }
  return [`it ended as ${end.kind}: ${log.trim().slice(-500)}`]
}

/** In the log, and in every layer of the image. */
function whatWasShown(log: string, imageFile: string, secret: string): string[] {
  const problems = log.includes(secret) ? ['the log shows the canary'] : []
  if (!statSync(imageFile, { throwIfNoEntry: false })?.size) return problems
  const search =
    'd=$(mktemp -d) && tar -xf "$0" -C "$d" && for f in "$d"/blobs/sha256/*; do gzip -dcf "$f" | grep -qaF "$1" && echo found; done; rm -rf "$d"'
  const { stdout } = spawnSync('sh', ['-c', search, imageFile, secret], { encoding: 'utf8' })
  return stdout.includes('found') ? [...problems, 'the image holds the canary'] : problems
}

function cgroupsLeft(): string[] {
  return (process.env.GROUPS ?? '')
    .split(' ')
    .filter((folder) => folder !== '')
    .flatMap((folder) => readdirSync(folder).filter((each) => each.startsWith('plumbline+')))
}

/** Processes of a sandbox: of an id of the range, or bwrap itself. */
async function whatIsLeft(): Promise<string[]> {
  for (const endMs = performance.now() + AFTER_MS_MAX; ; ) {
    const left = sandboxed()
    if (left.length === 0 || performance.now() > endMs) return left
    await sleep(100)
  }
}

function sandboxed(): string[] {
  const own = process.getuid?.() ?? -1
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid) || Number(pid) === process.pid) return []
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8')
      const [, name = ''] = /^Name:\s+(.*)$/m.exec(status) ?? []
      const uid = Number(/^Uid:\s+(\d+)/m.exec(status)?.[1] ?? -1)
      if (/^State:\s+Z/m.test(status)) return []
      const isOfRange = uid >= 100_000 && uid < 2_000_000_000
      return isOfRange || (uid === own && /^(bwrap|buildah|runc|unshare)/.test(name)) ? [`${pid} ${name}`] : []
    } catch {
      return []
    }
  })
}
