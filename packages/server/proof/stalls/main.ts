/**
 * `npm run proof -- stalls [--share 1/4] [--only TEXT]`: no single request keeps the process from answering others. Each place
 * of each body is filled with values as large as a body may be, and archives with what is slow to read; what counts is the
 * processor time, which on the one thread of the server is the time that a health check waits. `--share 1/4` tries every
 * fourth value, `--only` those whose name holds the text. Then the slowest are sent to a server process over a socket while
 * another client asks for its health, which must not wait longer either.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { slowness } from '../../../engine/proof/slowness.js'
import { createArchiveReader } from '../../src/plugin/archive/isolated.js'
import { ARCHIVE_LIMITS } from '../../src/plugin/archive/limits.js'
import type { Operation } from '../../src/runtime/operation/operation.js'
import { makeZip } from '../../test/support/zip.js'
import { startTarget, type Target } from '../attacks/target.js'
import { credential, pathOf, send } from '../requests/call.js'
import type { Schema } from '../requests/from-schema.js'
import type { World } from '../world/model.js'
import { buildWorld } from '../world/world.js'
import { placesOf } from './places.js'
import { HARMLESS, largeValues } from './values.js'

/** Beyond what it takes to parse the body, which nothing can be told before. */
const CPU_MS_MAX = 50
/** The least of so many, with pauses, since others use the machine too. */
const TRIES = 8
const PAUSE_MS = 300
const ARCHIVE_CPU_MS_MAX = 2000

const { values } = parseArgs({
  options: { share: { type: 'string', default: '1/1' }, only: { type: 'string', default: '' } },
})
const [part = 0, parts = 0] = values.share.split('/').map(Number)
if (!(Number.isInteger(part) && Number.isInteger(parts) && part >= 1 && part <= parts)) {
  console.error('--share must be such as 1/4')
  process.exit(2)
}

interface Slow {
  readonly what: string
  readonly cpuMs: number
}

/** A request of the owner of an organization, whose id stands in the path as `ORGANIZATION`. */
interface OwnersRequest extends Slow {
  readonly method: string
  readonly path: string
  readonly body: string
}

const ORGANIZATION = '{organization}'
/** So many of the slowest requests are sent beside a health check. */
const BESIDE = 12

async function cpuMsOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await run()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** The least of some runs; what is repeated runs beside the loop that says how slow the machine is just then. */
async function leastMs(run: () => Promise<number>, boundMs: number): Promise<number> {
  let least = await run()
  for (let tries = 1; tries < TRIES && least > boundMs; tries++) {
    await sleep(PAUSE_MS)
    least = Math.min(least, (await run()) / slowness())
  }
  return least
}

/** Somebody whom the operation lets in. */
function callerOf({ principals }: World, { access }: Operation) {
  const kinds = new Set(access.doors.map(({ kind }) => kind))
  const kind =
    kinds.has('scope') && kinds.size === 1 ? 'system service' : kinds.has('system-admin') ? 'super admin' : 'owner'
  return principals.find((each) => each.kind === kind) ?? null
}

async function attackBodies(
  world: World,
): Promise<{ requests: number; worst: Slow; failures: Slow[]; slowest: readonly OwnersRequest[] }> {
  const app = world.open()
  const failures: Slow[] = []
  let worst: Slow = { what: '', cpuMs: 0 }
  let requests = 0
  let slowest: OwnersRequest[] = []
  // What many operations have in common is tried once.
  const seen = new Set<string>()
  try {
    for (const operation of app.operations) {
      if (operation.input.body === undefined || (operation.kind === 'command' && operation.upload !== undefined))
        continue
      const principal = callerOf(world, operation)
      const id = world.organizations[principal?.home ?? 0]?.id ?? ''
      const target = pathOf(operation, Object.fromEntries(pathNamesOf(operation).map((name) => [name, id])))
      const post = (body: string) => async () => {
        const { status } = await send(app, {
          method: operation.http.method.toUpperCase(),
          target,
          headers: {
            ...credential(principal),
            'content-type': 'application/json',
            'content-length': String(Buffer.byteLength(body)),
          },
          body,
        })
        requests += 1
        if (status < 300 && operation.kind === 'command') await world.reset()
      }
      let isWarm = false
      for (const { pointer, schema, write } of placesOf(operation.input.body as Schema)) {
        for (const [name, json] of Object.entries(largeValues(schema))) {
          const key = `${JSON.stringify(schema)} ${name}`
          if (pointer !== '' && seen.has(key)) continue
          seen.add(key)
          const what = `${operation.name} ${pointer || '/'} ${name}`
          if (seen.size % parts !== part - 1 || !what.includes(values.only)) continue
          // The first one compiles what it needs.
          if (!isWarm) await post(HARMLESS)()
          isWarm = true
          const body = write(json)
          const attack = post(body)
          const parse = () => cpuMsOf(async () => JSON.parse(body))
          const bound = CPU_MS_MAX + Math.min(await parse(), await parse())
          const least = await leastMs(() => cpuMsOf(attack), bound)
          const slow = { what, cpuMs: Math.round(least) }
          if (slow.cpuMs > worst.cpuMs) worst = slow
          if (least > bound) failures.push(slow)
          if (principal?.kind === 'owner') {
            const path = target.replaceAll(id, ORGANIZATION)
            const sent = { ...slow, method: operation.http.method.toUpperCase(), path, body }
            slowest = [...slowest, sent].sort((a, b) => b.cpuMs - a.cpuMs).slice(0, BESIDE)
          }
        }
      }
    }
  } finally {
    await app.close()
  }
  return { requests, worst, failures, slowest }
}

/**
 * The longest wait for an answer of `/health` while the request is under way, in milliseconds. Where others use the machine a
 * client also waits for them, so no more counts than the thread of the server was busy, where the system says it.
 */
async function longestWaitMs({ url, pid }: Target, request: () => Promise<unknown>): Promise<number> {
  const before = busyMs(pid)
  let isUnderWay = true
  const attack = request().finally(() => {
    isUnderWay = false
  })
  let longest = 0
  while (isUnderWay) {
    const startedMs = performance.now()
    await (await fetch(`${url}/api/health`)).arrayBuffer()
    longest = Math.max(longest, performance.now() - startedMs)
  }
  await attack
  return before === null ? longest : Math.min(longest, (busyMs(pid) ?? 0) - before)
}

/** What the first thread of a process has run so far; null on systems that do not say. */
function busyMs(pid: number): number | null {
  try {
    const [nanoseconds = ''] = readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')
    return Number(nanoseconds) / 1e6
  } catch {
    return null
  }
}

async function attackBesideHealth(slowest: readonly OwnersRequest[]): Promise<{ worst: Slow; failures: Slow[] }> {
  const target = await startTarget('sqlite')
  const failures: Slow[] = []
  let worst: Slow = { what: '', cpuMs: 0 }
  try {
    const owner = await target.signUp('owner')
    for (const { what, method, path, body } of slowest) {
      const request = async () => {
        const response = await fetch(`${target.url}/api${path.replaceAll(ORGANIZATION, owner.orgId)}`, {
          method,
          headers: { authorization: `Bearer ${owner.token}`, 'content-type': 'application/json' },
          body,
        })
        await response.arrayBuffer()
        if (response.status === 401 || response.status >= 500) throw new Error(`${what}: ${response.status}`)
      }
      const bound = CPU_MS_MAX + (await cpuMsOf(async () => JSON.parse(body)))
      const least = await leastMs(() => longestWaitMs(target, request), bound)
      const slow = { what, cpuMs: Math.round(least) }
      if (slow.cpuMs > worst.cpuMs) worst = slow
      if (least > bound) failures.push(slow)
    }
  } finally {
    await target.stop()
  }
  return { worst, failures }
}

const pathNamesOf = ({ input }: Operation): string[] => Object.keys(input.path?.properties ?? {})

const MEGABYTE = 1_000_000
const keys = (write: (n: number) => string) => Array.from({ length: 60_000 }, (_, n) => write(n))
const spec = (more: string) => `name: a\nversion: 1.0.0\ncommands: [make]\n${more}`
/** What an archive holds beside a specification, by what is slow about it. */
const ARCHIVES: Readonly<Record<string, { readonly spec: string; readonly dockerfile?: string }>> = {
  'open braces': { spec: spec('dockerfile: Dockerfile\n'), dockerfile: `FROM ${'${A:+'.repeat(MEGABYTE / 5 - 10)}` },
  'open arguments': {
    spec: spec('dockerfile: Dockerfile\n'),
    dockerfile: `FROM a\nENV a${' '.repeat(MEGABYTE - 100)}=`,
  },
  'many keys': { spec: spec(`metadata:\n${keys((n) => `  k${n}: 1\n`).join('')}`) },
  'many keys in braces': { spec: spec(`metadata: {${keys((n) => `k${n}`).join(', ')}}\n`) },
}

async function attackArchives(): Promise<{ worst: Slow; failures: Slow[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-proof-stalls-'))
  const path = join(folder, 'archive.zip')
  const failures: Slow[] = []
  let worst: Slow = { what: '', cpuMs: 0 }
  try {
    for (const [what, { spec: content, dockerfile }] of Object.entries(ARCHIVES)) {
      const entries = [
        { name: 'plugin-spec.yaml', content, method: 0 },
        ...(dockerfile === undefined ? [] : [{ name: 'Dockerfile', content: dockerfile, method: 0 }]),
      ]
      writeFileSync(path, makeZip(entries))
      const reader = createArchiveReader()
      try {
        const inspection = await reader.inspect(path, ARCHIVE_LIMITS, 'a')
        const wasEnded = inspection.kind === 'archive' && inspection.issues.some(({ code }) => code === 'time')
        const slow = { what: `an archive with ${what}`, cpuMs: Math.round(reader.cost.cpuMs) }
        if (slow.cpuMs > worst.cpuMs) worst = slow
        if (wasEnded || slow.cpuMs > ARCHIVE_CPU_MS_MAX * slowness()) failures.push(slow)
      } finally {
        reader.close()
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return { worst, failures }
}

function report(name: string, figure: string, worst: Slow, failures: readonly Slow[]): void {
  const isGood = failures.length === 0
  console.log(`${isGood ? 'pass' : 'FAIL'}  ${name}: ${figure}, at worst ${worst.cpuMs} ms (${worst.what})`)
  for (const { what, cpuMs } of failures) console.log(`      ${cpuMs} ms: ${what}`)
  if (!isGood) process.exitCode = 1
}

const archives = await attackArchives()
report('archives', `${Object.keys(ARCHIVES).length} archives`, archives.worst, archives.failures)
const world = await buildWorld('sqlite')
try {
  const { requests, worst, failures, slowest } = await attackBodies(world)
  report('bodies', `${requests} requests`, worst, failures)
  const beside = await attackBesideHealth(slowest)
  report('health checks', `beside the ${slowest.length} slowest`, beside.worst, beside.failures)
} finally {
  await world.close()
}
// The pools of the app hold the process otherwise.
process.exit()
