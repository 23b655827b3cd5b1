/** Pipelines created by 64 clients at once, including the rules, capacity and evidence of each. */
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type BenchOptions, type BenchTable, formatRate, median } from '../harness.js'
import { headersOf, type Person, type ServerProcess } from './process.js'

const load = fileURLToPath(new URL('../server/load.mjs', import.meta.url))
const CLIENTS = 64

const RULE = {
  name: 'releases need an owner',
  target: 'pipeline',
  severity: 'error',
  field: 'ownerId',
  operator: 'exists',
}

const BODY = {
  project: 'Load {n}',
  organization: 'Bench',
  description: 'made by the benchmark',
  keywords: ['service', 'bench'],
  labels: { tier: 'gold' },
  props: {
    synth: {
      source: { type: 'github', options: { repo: 'acme/shop', branch: 'main', token: 'secret:TOKEN' } },
      plugin: { name: 'node-build', version: '1.0.0' },
    },
    stages: [{ stageName: 'Build', steps: [{ plugin: { name: 'node-build', version: '1.0.0' } }] }],
  },
}

interface Load {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly statuses: Readonly<Record<string, number>>
}

export async function createTable(server: ServerProcess, person: Person, { quick }: BenchOptions): Promise<BenchTable> {
  await server.call('POST', '/compliance/rules', person, RULE)
  const headers = headersOf(person)
  const ask = async (task: object): Promise<Load> => {
    const common = { port: server.port, clients: quick ? 8 : CLIENTS, ms: quick ? 500 : 5000, headers }
    const { stdout } = await promisify(execFile)(process.execPath, [load, JSON.stringify({ ...common, ...task })])
    const result = JSON.parse(stdout) as Load
    const bad = Object.keys(result.statuses).filter((status) => !status.startsWith('2'))
    if (bad.length > 0) throw new Error(`the server answered ${JSON.stringify(result.statuses)}`)
    return result
  }
  const contenders = [
    {
      name: 'POST /pipelines, one rule of the organization',
      task: { method: 'POST', path: '/api/pipelines', body: JSON.stringify(BODY), unique: true },
    },
    { name: 'GET /quotas, the account counted and its headers', task: { method: 'GET', path: '/api/quotas' } },
  ]
  const rows: (string | number)[][] = []
  for (const { name, task } of contenders) {
    // On a busy machine, cold code would exceed the deadline of the compliance check with 64 clients, so it is warmed
    // up with a few.
    await ask({ ...task, clients: 4 })
    const rounds: Load[] = []
    for (let round = 0; round < (quick ? 1 : 3); round++) rounds.push(await ask(task))
    const of = (each: (load: Load) => number) => median(rounds.map(each))
    rows.push([
      name,
      formatRate(of((each) => each.perSecond)),
      of((each) => each.p50).toFixed(1),
      of((each) => each.p99).toFixed(1),
    ])
  }
  return {
    title: `Creates with their checks, ${CLIENTS} keep-alive clients`,
    unit: 'requests/s, ms',
    columns: ['request', 'requests/s', 'p50', 'p99'],
    rows,
    note: 'Acknowledged after fsync, with the check log, the evidence and the re-check event. Required of creates: 1,000/s.',
  }
}
