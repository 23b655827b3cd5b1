/**
 * The server over real sockets beside a bare Hono echo, in one run: what everything that the HTTP floor does costs. The
 * load generator is a process of its own on the same cores.
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
  /** Of the whole process, its helper threads too, in µs. */
  readonly cpu: { readonly user: number; readonly system: number }
}

/** Requests before the first measured one: code that is met this often is compiled, on a busy machine too. */
const WARM_UP = 20_000

const cpuOf = ({ cpu }: Counts): number => cpu.user + cpu.system

async function http(script: string, { quick }: BenchOptions): Promise<BenchTable[]> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const echo = new Target(script, ['echo'])
  const startedMs = performance.now()
  const server = new Target(script, ['server', folder])
  try {
    const { port: echoPort } = await echo.next<{ port: number }>()
    const { port, accessToken, orgId, roleId } = await server.next<{
      port: number
      accessToken: string
      orgId: string
      roleId: string
    }>()
    const readyMs = performance.now() - startedMs
    const idle = await server.ask<Counts>()
    const authorization = `Bearer ${accessToken}`
    const get: Request = { method: 'GET', path: `/api/bench/${orgId}/roles/${roleId}`, headers: { authorization } }
    const body = JSON.stringify({
      name: 'Role {n}',
      description: 'made by the benchmark',
      permissions: ['pipelines:read'],
    })
    const post: Request = {
      method: 'POST',
      path: `/api/organization/${orgId}/roles`,
      headers: { authorization },
      body,
      unique: true,
    }
    const echoGet: Request = { method: 'GET', path: '/echo' }
    const echoPost: Request = { method: 'POST', path: '/echo', body, unique: true }
    const contenders = [
      { name: 'Hono GET echo (the limit)', target: echo, port: echoPort, request: echoGet },
      { name: 'authenticated read of one row', target: server, port, request: get },
      { name: 'Hono POST echo (the limit)', target: echo, port: echoPort, request: echoPost },
      { name: 'audited write, acknowledged after fsync', target: server, port, request: post },
    ]
    const ms = quick ? 300 : 3000
    const results = contenders.map(() => [] as (Load & { readonly cpuMicros: number })[])
    let writes = { groups: 0, operations: 0, requests: 0 }
    const warmUp: Amount = quick ? { ms } : { ms: 60_000, requests: WARM_UP }
    for (const { port: own, request } of contenders) await generate(own, request, warmUp)
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      for (const [index, { target, port: own, request }] of contenders.entries()) {
        const before = await target.ask<Counts>()
        const result = await generate(own, request, { ms })
        // What a write leaves to be done after its answer, such as sealing, is the write's too.
        if (request === post) await new Promise((resolve) => setTimeout(resolve, 200))
        const after = await target.ask<Counts>()
        results[index]?.push({ ...result, cpuMicros: (cpuOf(after) - cpuOf(before)) / result.requests })
        if (request === post) {
          writes = {
            groups: writes.groups + after.groups - before.groups,
            operations: writes.operations + after.operations - before.operations,
            requests: writes.requests + result.requests,
          }
        }
      }
    }
    const [reads] = await Promise.all([
      generate(port, get, { ms, clients: 8 }),
      generate(port, post, { ms, clients: 56 }),
    ])
    const rates = results.map((own) => median(own.map(({ perSecond }) => perSecond)))
    const cpus = results.map((own) => median(own.map(({ cpuMicros }) => cpuMicros)))
    const rows = contenders.map(({ name }, index) => {
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
    return [
      {
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
      },
      {
        title: 'Start and memory',
        unit: 'ms, MiB',
        columns: ['figure', 'value'],
        rows: [
          ['start to ready, migrations of an empty database and first sign-in included', readyMs.toFixed(0)],
          ['resident memory, idle', (idle.rss / 2 ** 20).toFixed(0)],
          ['resident memory after the load', ((await server.ask<Counts>()).rss / 2 ** 20).toFixed(0)],
        ],
        note: 'Required: ready within 1,500 ms, 150 MiB idle.',
      },
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
