/**
 * `npm run proof -- server-soak [--minutes 10] [--clients 16] [--rate 200] [--warm 1]`: the server as it is released, on SQLite, under a
 * steady mixed load. Its memory is read every five seconds; after a warm-up that fills every cache it must not grow.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { TEST_ENVIRONMENT } from '../../test/support/settings.js'
import { bundle } from '../bundle.js'
import { type Load, type Mix, startLoad } from './load.js'
import { floorsOf, type Sample, slopePerMinute } from './slope.js'

const SAMPLE_MS = 5000
const SAMPLES_A_MINUTE = 12
/** More access tokens and sessions than the server remembers (20,000 and 10,000), and more pages than SQLite keeps. */
const WARM = { tokens: 25_000, sessions: 12_000, mib: 100 }
const MIB = 1024 * 1024
const WARM_UP: Mix = { perSecond: 100_000, changes: 0.4, refreshes: 0.3, signIns: 0.25 }
const STEADY: Omit<Mix, 'perSecond'> = { changes: 0.15, refreshes: 0.05, signIns: 0.05 }
/** A leak of 60 bytes a request, at 90 requests a second. */
const HEAP_SLOPE_MAX = 0.3
const RSS_SLOPE_MAX = 1

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    clients: { type: 'string', default: '16' },
    rate: { type: 'string', default: '200' },
    warm: { type: 'string', default: '1' },
  },
})
const [minutes, clients, perSecond, warmth] = [values.minutes, values.clients, values.rate, values.warm].map(
  Number,
) as [number, number, number, number]
if (![minutes, clients, perSecond, warmth].every((value) => value > 0)) {
  console.error('--minutes, --clients, --rate and --warm are positive numbers')
  process.exit(2)
}

const built = await bundle('src/main.ts')
const folder = mkdtempSync(join(tmpdir(), 'plumbline-soak-'))
// A full collection on demand, once a minute: between two of them the heap says little about what is kept.
const COLLECT = 'data:text/javascript,process.on("SIGUSR2",()=>globalThis.gc())'
const child = spawn(process.execPath, ['--expose-gc', '--import', COLLECT, built.file], {
  env: {
    PATH: process.env['PATH'],
    METRICS_LOOPBACK: 'true',
    ...TEST_ENVIRONMENT,
    LOG_LEVEL: 'info',
    PORT: '0',
    DATA_DIR: folder,
    LIMITER_MAX: '0',
    AUTH_LIMITER_MAX: '0',
  },
  // Standard error has the e-mails of a server without a provider.
  stdio: ['ignore', 'pipe', 'ignore'],
})
let isExpected = false
child.on('exit', (code, signal) => {
  if (isExpected) return
  console.error(`the server ended with ${code ?? signal}`)
  process.exit(1)
})

try {
  const url = await ready()
  const idle = await measure(url)
  const load = startLoad(url, clients, WARM_UP)
  const isWarm = () =>
    load.tokens >= warmth * WARM.tokens && load.sessions >= warmth * WARM.sessions && databaseMib() >= warmth * WARM.mib
  while (!isWarm()) await sleep(500)
  const filled = `${load.tokens} tokens, ${load.sessions} sessions, ${databaseMib().toFixed(0)} MiB of database`
  const warm = count(load.statuses)
  load.mix = { ...STEADY, perSecond }
  await sleep(30_000)
  const before = count(load.statuses)
  const samples: Sample[] = []
  const startedMs = performance.now()
  for (let n = 0; performance.now() - startedMs < minutes * 60_000; n++) {
    if (n % SAMPLES_A_MINUTE === 0) {
      child.kill('SIGUSR2')
      await sleep(500)
    }
    samples.push({ atMs: performance.now() - startedMs, ...(await measure(url)) })
    await sleep(SAMPLE_MS)
  }
  const requests = count(load.statuses) - before
  await load.stop()
  report({ idle, warm: `${warm} requests, ${filled}`, requests, samples, load })
} finally {
  isExpected = true
  child.kill('SIGKILL')
  built.clean()
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

function databaseMib(): number {
  return statSync(join(folder, 'plumbline.db')).size / MIB
}

function ready(): Promise<string> {
  return new Promise((resolve) => {
    let output = ''
    child.stdout?.on('data', (chunk: Buffer) => {
      if (output.length < 100_000) output += chunk
      const url = /"url":"(http:[^"]+)"/.exec(output)?.[1]
      if (url !== undefined) resolve(url)
    })
  })
}

async function measure(url: string): Promise<Omit<Sample, 'atMs'>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const read = (name: string) => {
    const value = new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]
    if (value === undefined) throw new Error(`/metrics has no ${name}`)
    return Number(value) / MIB
  }
  return { rss: read('plumbline_process_resident_memory_bytes'), heap: read('plumbline_nodejs_heap_size_used_bytes') }
}

function count(statuses: Readonly<Record<number, number>>): number {
  return Object.values(statuses).reduce((sum, times) => sum + times, 0)
}

function report({
  idle,
  warm,
  requests,
  samples,
  load: { statuses },
}: {
  idle: Omit<Sample, 'atMs'>
  warm: string
  requests: number
  samples: readonly Sample[]
  load: Load
}): void {
  const mib = (value: number) => `${value.toFixed(1)} MiB`
  const answers = Object.entries(statuses).map(([status, times]) => `${status}: ${times}`)
  console.log(`idle: ${mib(idle.rss)} resident; warm-up: ${warm}`)
  console.log(`steady: ${requests} requests in ${minutes} min (with the warm-up ${answers.join(', ')})`)
  for (const [name, key, max] of [
    ['heap after collections', 'heap', HEAP_SLOPE_MAX],
    ['resident memory', 'rss', RSS_SLOPE_MAX],
  ] as const) {
    const floors = floorsOf(samples, key).map(([, floor]) => floor)
    const slope = slopePerMinute(samples, key)
    const isFlat = slope <= max
    if (!isFlat) process.exitCode = 1
    console.log(
      `${isFlat ? 'pass' : 'FAIL'}  ${name}: ${mib(floors[0] ?? 0)} in the first minute, ${mib(floors.at(-1) ?? 0)} in the last, ${slope.toFixed(2)} MiB a minute (at most ${max})`,
    )
    console.log(`      least of each minute: ${floors.map((floor) => floor.toFixed(1)).join(' ')}`)
  }
  const wrong = Object.keys(statuses).filter((status) => Number(status) === 0 || Number(status) >= 400)
  if (wrong.length > 0) {
    process.exitCode = 1
    console.log(`FAIL  requests were answered with ${wrong.join(', ')}`)
  }
}
