/**
 * The server over real sockets compared with a bare Hono echo, in one run: the cost of everything in the HTTP layer.
 * The load generator is a separate process on the same cores.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bundle } from '../../../packages/server/proof/bundle.js'
import { type BenchArea, type BenchOptions, type BenchTable, formatRate, median } from '../harness.js'
import { type Amount, CLIENTS, generate, type Load, type Request, Target } from '../http-load.js'
import { diskTable } from './disk.js'
import { groupTable } from './group.js'
import { postgresTables } from './postgres.js'

interface Counts {
  readonly groups: number
  readonly operations: number
  readonly rss: number
  /** CPU time of the whole process, including its helper threads, in µs. */
  readonly cpu: { readonly user: number; readonly system: number }
}

/** Warm-up requests: after so many, the code is compiled even on a busy machine. */
const WARM_UP = 20_000

const cpuOf = ({ cpu }: Counts): number => cpu.user + cpu.system

interface Account {
  readonly port: number
  readonly accessToken: string
  readonly orgId: string
  readonly roleId: string
}

interface Contender {
  readonly name: string
  readonly target: Target
  readonly port: number
  readonly request: Request
  readonly isWrite: boolean
}

/** Each request to the server comes after the bare echo that is its limit. */
function contendersOf(echo: Target, echoPort: number, server: Target, account: Account) {
  const { port, accessToken, orgId, roleId } = account
  const headers = { authorization: `Bearer ${accessToken}` }
  const body = JSON.stringify({
    name: 'Role {n}',
    description: 'made by the benchmark',
    permissions: ['pipelines:read'],
  })
  const get: Request = { method: 'GET', path: `/api/bench/${orgId}/roles/${roleId}`, headers }
  const post: Request = { method: 'POST', path: `/api/bench/${orgId}/roles`, headers, body, unique: true }
  const echoGet: Request = { method: 'GET', path: '/echo' }
  const echoPost: Request = { method: 'POST', path: '/echo', body, unique: true }
  const atEcho = { target: echo, port: echoPort, isWrite: false }
  const atServer = { target: server, port }
  const contenders: readonly Contender[] = [
    { name: 'Hono GET echo (the limit)', ...atEcho, request: echoGet },
    { name: 'authenticated read of one row', ...atServer, request: get, isWrite: false },
    { name: 'Hono POST echo (the limit)', ...atEcho, request: echoPost },
    { name: 'audited write, acknowledged after fsync', ...atServer, request: post, isWrite: true },
  ]
  return { contenders, get, post }
}

type Measured = Load & { readonly cpuMicros: number }

/** @returns the results of each contender, and how many writes shared a commit. */
async function measure(contenders: readonly Contender[], ms: number, rounds: number) {
  const results = contenders.map((): Measured[] => [])
  const writes = { groups: 0, operations: 0, requests: 0 }
  for (let round = 0; round < rounds; round++) {
    for (const [index, { target, port, request, isWrite }] of contenders.entries()) {
      const before = await target.ask<Counts>()
      const result = await generate(port, request, { ms })
      // Work that a write leaves for later, such as sealing, counts as part of the write.
      if (isWrite) await new Promise((resolve) => setTimeout(resolve, 200))
      const after = await target.ask<Counts>()
      results[index]?.push({ ...result, cpuMicros: (cpuOf(after) - cpuOf(before)) / result.requests })
      if (isWrite) {
        writes.groups += after.groups - before.groups
        writes.operations += after.operations - before.operations
        writes.requests += result.requests
      }
    }
  }
  return { results, writes }
}

function rowsOf(contenders: readonly Contender[], results: readonly (readonly Measured[])[]): string[][] {
  const rates = results.map((own) => median(own.map(({ perSecond }) => perSecond)))
  const cpus = results.map((own) => median(own.map(({ cpuMicros }) => cpuMicros)))
  return contenders.map(({ name }, index) => {
    const own = results[index] ?? []
    const limit = index < 2 ? 0 : 2
    return [
      name,
      formatRate(rates[index] ?? 0),
      ((rates[index] ?? 0) / (rates[limit] ?? Number.NaN)).toPrecision(3),
      (cpus[index] ?? 0).toFixed(0),
      ((cpus[limit] ?? Number.NaN) / (cpus[index] ?? 0)).toPrecision(3),
      median(own.map(({ p50 }) => p50)).toFixed(1),
      median(own.map(({ p99 }) => p99)).toFixed(1),
    ]
  })
}

const loadTable = (rows: string[][], reads: Load, writes: { groups: number; requests: number }): BenchTable => ({
  title: `HTTP, ${CLIENTS} keep-alive clients`,
  unit: 'requests/s, µs of processor time a request, ms',
  columns: ['request', 'requests/s', 'of its limit', 'CPU µs', 'of its limit by CPU', 'p50', 'p99'],
  rows: [
    ...rows,
    [
      'reads (8 clients) while 56 clients write',
      formatRate(reads.perSecond),
      '',
      '',
      '',
      reads.p50.toFixed(1),
      reads.p99.toFixed(1),
    ],
  ],
  note: `${(writes.requests / writes.groups).toFixed(1)} acknowledged writes a durable commit, the sequencer's own commits counted. Token, session and authority, rate limits, validation, evidence, sealing, metrics and log are on; limits are raised, responses are not checked against their schemas, as in production. The processor time is that of the whole process under load, with its helper threads; other work on the machine changes it less than the rate. Required: 0.3 of each limit, p99 of writes within 50 ms, 8 writes a commit.`,
})

const startTable = (readyMs: number, idle: Counts, loaded: Counts): BenchTable => ({
  title: 'Start and memory',
  unit: 'ms, MiB',
  columns: ['figure', 'value'],
  rows: [
    ['start to ready, migrations of an empty database and first sign-in included', readyMs.toFixed(0)],
    ['resident memory, idle', (idle.rss / 2 ** 20).toFixed(0)],
    ['resident memory after the load', (loaded.rss / 2 ** 20).toFixed(0)],
  ],
  note: 'Required: ready within 1,500 ms, 150 MiB idle.',
})

async function http(script: string, { quick }: BenchOptions): Promise<BenchTable[]> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const echo = new Target(script, ['echo'])
  const startedMs = performance.now()
  const server = new Target(script, ['server', folder])
  try {
    const { port: echoPort } = await echo.next<{ port: number }>()
    const account = await server.next<Account>()
    const readyMs = performance.now() - startedMs
    const idle = await server.ask<Counts>()
    const { contenders, get, post } = contendersOf(echo, echoPort, server, account)
    const ms = quick ? 300 : 3000
    const warmUp: Amount = quick ? { ms } : { ms: 60_000, requests: WARM_UP }
    for (const { port, request } of contenders) await generate(port, request, warmUp)
    const { results, writes } = await measure(contenders, ms, quick ? 1 : 5)
    const [reads] = await Promise.all([
      generate(account.port, get, { ms, clients: 8 }),
      generate(account.port, post, { ms, clients: 56 }),
    ])
    return [
      loadTable(rowsOf(contenders, results), reads, writes),
      startTable(readyMs, idle, await server.ask<Counts>()),
    ]
  } finally {
    echo.stop()
    server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

export const area: BenchArea = {
  name: 'server',
  summary: 'the server over HTTP beside a bare echo, and what its disk can do',
  async run(options) {
    const built = await bundle('proof/speed/target.ts')
    try {
      return [
        diskTable(options),
        await groupTable(options),
        ...(await http(built.file, options)),
        ...(await postgresTables(options)),
      ]
    } finally {
      built.clean()
    }
  },
}
