/**
 * Batches of events and signed deliveries, compared with a bare Hono POST echo of the same body. Each event is new and
 * durable.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BenchOptions, type BenchTable, formatRate, median } from '../harness.js'
import { generate, type Load, type Request, Target } from '../http-load.js'

const BATCH = 100
const CLIENTS = 16

interface Ready {
  readonly port: number
  readonly machine: string
  readonly pipelineId: string
  readonly path: string
  readonly secret: string
}

interface Counts {
  readonly cpu: { readonly user: number; readonly system: number }
  readonly events?: number
}

const at = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** A quarter of the events are deployments. `{n}` becomes a number that was not used before. */
const events = (pipelineId: string) =>
  Array.from({ length: BATCH }, (_, index) => ({
    pipelineId,
    executionId: `run-{n}-${index}`,
    ...(index % 4 === 0
      ? {
          eventType: 'STAGE',
          stageName: 'Deploy',
          environment: 'production',
          commitSha: 'b8e1f0c2d3a4958677665544332211ffeeddccbb',
        }
      : { eventType: 'PIPELINE' }),
    status: index % 20 === 0 ? 'FAILED' : 'SUCCEEDED',
    startedAt: at(90 + index),
    completedAt: at(80 + index),
  }))

/** The fields of a GitHub run that the server reads, and some that it ignores. */
const delivery = () => ({
  action: 'completed',
  workflow_run: {
    id: '{n}',
    name: 'CI',
    head_branch: 'main',
    head_sha: 'b8e1f0c2d3a4958677665544332211ffeeddccbb',
    path: '.github/workflows/ci.yml',
    run_number: 562,
    event: 'push',
    status: 'completed',
    conclusion: 'success',
    run_attempt: 1,
    run_started_at: at(60),
    created_at: at(60),
    updated_at: at(50),
    head_commit: { id: 'b8e1f0c2d3a4958677665544332211ffeeddccbb', message: 'Count carts once', timestamp: at(90) },
  },
  workflow: { id: 1, name: 'CI', state: 'active', path: '.github/workflows/ci.yml' },
  repository: {
    id: 2,
    full_name: 'acme/shop',
    html_url: 'https://github.com/acme/shop',
    private: true,
    description: 'x'.repeat(400),
  },
})

type Measured = Load & { readonly cpuMicros: number }

interface Contender {
  readonly name: string
  readonly of: Target
  readonly port: number
  readonly request: Request
  /** The index of its echo. */
  readonly limit: number
  /** Number of events per request. */
  readonly size: number
}

function contendersOf(echo: Target, echoPort: number, server: Target, ready: Ready): readonly Contender[] {
  const { port, machine, pipelineId, path, secret } = ready
  const batch = { method: 'POST', body: JSON.stringify({ events: events(pipelineId) }), unique: true }
  const signed = {
    method: 'POST',
    body: JSON.stringify(delivery()),
    unique: true,
    sign: { header: 'x-hub-signature-256', secret },
  }
  return [
    {
      name: `Hono POST echo, ${BATCH} events`,
      of: echo,
      port: echoPort,
      request: { ...batch, path: '/echo' },
      limit: 0,
      size: BATCH,
    },
    {
      name: `a batch of ${BATCH} events, durable`,
      of: server,
      port,
      request: { ...batch, path: '/api/reports/events', headers: { authorization: `Bearer ${machine}` } },
      limit: 0,
      size: BATCH,
    },
    {
      name: 'Hono POST echo, a delivery',
      of: echo,
      port: echoPort,
      request: { ...signed, path: '/echo' },
      limit: 2,
      size: 1,
    },
    {
      name: 'a signed delivery of GitHub, durable',
      of: server,
      port,
      request: { ...signed, path, headers: { 'x-github-event': 'workflow_run' } },
      limit: 2,
      size: 1,
    },
  ]
}

export async function ingestTable(script: string, { quick }: BenchOptions): Promise<BenchTable> {
  const folder = mkdtempSync(join(tmpdir(), 'plumbline-bench-'))
  const echo = new Target(script, ['echo'])
  const server = new Target(script, ['server', folder])
  try {
    const [{ port: echoPort }, ready] = [await echo.next<{ port: number }>(), await server.next<Ready>()] as const
    const contenders = contendersOf(echo, echoPort, server, ready)
    const results = contenders.map(() => [] as Measured[])
    const ms = quick ? 400 : 4000
    for (const each of contenders) await generate(each.port, each.request, { ms, clients: CLIENTS })
    for (let round = 0; round < (quick ? 1 : 5); round++) {
      for (const [index, { of, port: own, request, size }] of contenders.entries()) {
        const before = await of.ask<Counts>()
        const load = await generate(own, request, { ms, clients: CLIENTS })
        const after = await of.ask<Counts>()
        const stored = (after.events ?? 0) - (before.events ?? 0)
        if (of === server && stored !== load.requests * size) {
          throw new Error(`${load.requests * size} events were answered, and ${stored} are stored`)
        }
        const cpu = after.cpu.user + after.cpu.system - before.cpu.user - before.cpu.system
        results[index]?.push({ ...load, cpuMicros: cpu / load.requests })
      }
    }
    const of = (index: number, figure: (each: Measured) => number) => median((results[index] ?? []).map(figure))
    const ratio = (index: number, limit: number, figure: (each: Measured) => number) =>
      index === limit
        ? '1'
        : (figure === byCpu
            ? of(limit, figure) / of(index, figure)
            : of(index, figure) / of(limit, figure)
          ).toPrecision(3)
    return {
      title: `Events that come in, ${CLIENTS} keep-alive clients`,
      unit: 'requests/s, events/s, µs of processor time a request, ms',
      columns: ['request', 'requests/s', 'events/s', 'of its echo', 'CPU µs', 'of its echo by CPU', 'p50', 'p99'],
      rows: contenders.map(({ name, limit, size }, index) => [
        name,
        formatRate(of(index, byRate)),
        formatRate(of(index, byRate) * size),
        ratio(index, limit, byRate),
        of(index, byCpu).toFixed(0),
        ratio(index, limit, byCpu),
        of(index, ({ p50 }) => p50).toFixed(1),
        of(index, ({ p99 }) => p99).toFixed(1),
      ]),
      note: 'Every event is new, is counted in the table afterwards, and marks its day. Wanted: batches at 0.02 of the echo and 5,000 events/s; deliveries at 0.15, their p99 within 60 ms.',
    }
  } finally {
    echo.stop()
    server.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const byRate = ({ perSecond }: Measured): number => perSecond
const byCpu = ({ cpuMicros }: Measured): number => cpuMicros
