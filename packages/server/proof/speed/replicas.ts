/**
 * `ADMIN_URL TARGET LOAD MS`: one, two and three replicas over one PostgreSQL database, loaded at once by 48 clients in all,
 * reads and audited writes. TARGET is the built `target.ts`, LOAD the generator. Prints the rates as JSON.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { createInterface } from 'node:readline'
import { promisify } from 'node:util'
import pg from 'pg'

const [adminUrl = '', target = '', load = '', ms = '1000'] = process.argv.slice(2)
const CLIENTS = 48
const REPLICAS = [1, 2, 3]

interface Ready {
  readonly port: number
  readonly accessToken: string
  readonly orgId: string
  readonly roleId: string
}

const children: ChildProcess[] = []

async function start(...args: string[]): Promise<Ready> {
  const child = spawn(process.execPath, [target, ...args], { stdio: ['pipe', 'pipe', 'inherit'] })
  children.push(child)
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as Ready
  throw new Error('a replica ended before it was ready')
}

/** Requests a second of all replicas together. */
async function rate(ports: readonly number[], request: object, runMs: string): Promise<number> {
  const clients = CLIENTS / ports.length
  const results = await Promise.all(
    ports.map(async (port) => {
      const { stdout } = await promisify(execFile)(process.execPath, [
        load,
        JSON.stringify({ port, clients, ms: Number(runMs), ...request }),
      ])
      return JSON.parse(stdout) as { perSecond: number; statuses: Record<string, number> }
    }),
  )
  const refused = results.flatMap(({ statuses }) => Object.keys(statuses)).filter((status) => !status.startsWith('2'))
  if (refused.length > 0) throw new Error(`a replica answered ${refused.join(', ')}`)
  return results.reduce((sum, { perSecond }) => sum + perSecond, 0)
}

const name = `plumbline_bench_${randomUUID().replaceAll('-', '')}`
const admin = new pg.Client({ connectionString: adminUrl })
await admin.connect()
await admin.query(`CREATE DATABASE ${name}`)
const url = new URL(adminUrl)
url.pathname = `/${name}`
try {
  const { accessToken, orgId, roleId, port } = await start('server', url.href)
  const ports = [port]
  while (ports.length < Math.max(...REPLICAS)) ports.push((await start('replica', url.href)).port)
  const headers = { authorization: `Bearer ${accessToken}` }
  const read = { method: 'GET', path: `/api/bench/${orgId}/roles/${roleId}`, headers }
  const body = JSON.stringify({ name: 'Role {n}', description: 'made here', permissions: ['pipelines:read'] })
  const write = { method: 'POST', path: `/api/bench/${orgId}/roles`, headers, body, unique: true }
  // All of them warm before the first is measured.
  for (const request of [read, write]) await rate(ports, request, ms)
  const rows: { replicas: number; reads: number; writes: number }[] = []
  for (const replicas of REPLICAS) {
    const some = ports.slice(0, replicas)
    rows.push({ replicas, reads: await rate(some, read, ms), writes: await rate(some, write, ms) })
  }
  process.stdout.write(JSON.stringify(rows))
} finally {
  for (const child of children) child.kill('SIGKILL')
  await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
  await admin.end()
}
